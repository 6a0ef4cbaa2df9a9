"""Views: they show no other hand, wrong ones do no harm, and worlds are uniform over all hands that agree with one."""

import gc
import itertools
import math
import random
from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest
from hearts.decisions import advance, after_each_play, consistent_deals, past_of  # pytest's pythonpath has tests
from hearts.linear_reading import LEARNED, MODEL, Situation
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, Limits, hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._players import danger
from gamecore.hearts._rules import DIRECTIONS, FLAGS
from gamecore.hearts._view import core_of
from gamecore.reference.hearts import DECK

PLAYERS = (
    "greedy", "duck", "intelligent", "literal", "linear", "mc:5", "pimc:5", "pimc:5:infer=2", "pimc:4:linear",
    "solver:5:solve_at=16", "solver:3:linear:solve_at=12", "search:4", "search:4:infer=0", "ismcts:20",
)  # fmt: skip


def reachable(value):
    """Every object reachable from a value by references, without types and modules."""
    objects, waiting = {}, [value]
    while waiting:
        item = waiting.pop()
        if id(item) not in objects and not isinstance(item, type) and type(item).__name__ != "module":
            objects[id(item)] = item
            waiting += gc.get_referents(item)
    return list(objects.values())


@pytest.mark.parametrize("seed", range(20))
def test_a_view_holds_no_other_hand(seed):
    round_ = advance(hearts.Round.deal(seed, passing="left"), 4 * (seed % 12) + seed % 4, "random")
    view = round_.view(round_.to_move)
    # Cards it was passed or gave away are its own knowledge; all other unplayed cards must not be in it anywhere,
    # except in `barred`, which is derived from what everybody saw.
    hidden = set(DECK) - {*view.hand, *view.played, *view.passed, *view.received}
    things = reachable(tuple(getattr(view, name) for name in view.__slots__ if name != "barred"))
    assert not hidden & {thing for thing in things if isinstance(thing, str)}
    assert not any(isinstance(thing, int) and thing > 1 << 13 for thing in things)
    assert not any(isinstance(thing, (hearts.Round, type(round_._core))) for thing in reachable(view))
    assert not {card for cards in view.barred for card in cards} & set(view.played)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 51),
    passing=st.sampled_from(tuple(DIRECTIONS)),
    name=st.sampled_from(PLAYERS),
    flags=st.fixed_dictionaries({"can_lead_any_club": st.booleans(), "no_pts_on_first_trick": st.booleans()}),
)
def test_no_player_is_moved_by_what_it_cannot_see(seed, plies, passing, name, flags):
    """Equal views give equal cards, whatever the other hands."""
    round_ = advance(hearts.Round.deal(seed, hearts.Rules(**flags), passing), plies, "greedy")
    seat = round_.to_move
    spec, both = hearts.player(name).numbers, (core_of(round_.view(seat)), round_._core)
    if ":" in name:
        assert len({str(core.evaluate(seat, spec, 5, kernel.Control())) for core in both}) == 1
    elif name != "intelligent":
        assert len({core.choose(spec, kernel.Control()) for core in both}) == 1
    assert both[0].worlds(seat, 20, seed) == both[1].worlds(seat, 20, seed)


# --- wrong views: users can construct them, and they must not harm the kernel -----------------------------------------

GENUINE = []
for seed in range(6):
    round_ = hearts.random(("hold", "left", "across")[seed % 3], plies=9 * seed + (4 if seed % 3 else 0), rng=seed)
    GENUINE.append(round_.view(round_.to_move))


class Hostile:
    """Raises on every use."""

    def _raise(self, *_):
        raise RuntimeError("\x1b[2J")

    __repr__ = __eq__ = __hash__ = __len__ = __iter__ = __index__ = __bool__ = _raise


Trick = hearts.Trick
NONSENSE = (
    None, -1, 4, 1 << 70, True, 1.5, "left", "C2", b"C2", (), ((),), (None,) * 4, ((1, 2, 3),), ("C2", "C2"), ("ZZ",),
    (7,), ((-1, "C2"),), ((0, "C2", 1),), [[]], {}, {"C2"}, object(), Hostile(), (Hostile(),) * 4, float("nan"),
    "\x1b[31m", (Trick(-1, ("C2", "C3", "C4", "C5"), 0),), (Trick(0, ("C2", "C3", "C4", "C5"), None),),
    (Trick(0, None, 0),),
    (Trick(0, (1, 2, 3, 4), 0),), ("C2",) * 60, (0, 0, 0, -5), (0, 0, 0, 1 << 70),
)  # fmt: skip


def wrong_views():
    """Yield views with any value in any field, and with some of their cards and seats exchanged."""
    for view, field, value in itertools.product(GENUINE[::2], fields(hearts.View), NONSENSE):
        if field.init:
            yield replace(view, **{field.name: value})
    rng = random.Random(8)
    for _ in range(1500):
        view, seat = rng.choice(GENUINE), rng.randrange(4)
        unheld = rng.sample([card for card in DECK if card not in view.hand], 4 * len(view.tricks))
        shuffled = [Trick(rng.randrange(4), tuple(rng.sample(old.cards, 4)), old.winner) for old in view.tricks]
        replaced = [replace(old, cards=tuple(unheld[4 * k : 4 * k + 4])) for k, old in enumerate(view.tricks)]
        changes = [
            {"seat": seat, "to_move": seat}, {"hand": tuple(rng.sample(DECK, len(view.hand)))},
            {"passed": tuple(rng.sample(DECK, 3)), "passing": rng.choice(["left", "across", "right"])},
            {"tricks": tuple(shuffled)}, {"tricks": tuple(replaced)},
            {"rules": hearts.Rules(**{name: rng.random() < 0.5 for name in FLAGS})},
        ]  # fmt: skip
        for change in rng.sample(changes, rng.randrange(1, 4)):
            view = replace(view, **change)
        yield view


def test_wrong_views_are_judged_or_refused():
    """Each use of one returns, or raises a GamecoreError of one line."""
    messages, infer, answers = [], itertools.cycle([0, 0, 2]), []
    uses = (
        lambda view: answers.append(hearts.evaluate_moves(view, playouts=2, rng=1, infer=next(infer))),
        hearts.View.legal_moves, lambda view: view.picture().svg, hearts.View.draw,
    )  # fmt: skip
    for view, use in itertools.product(wrong_views(), uses):
        try:
            use(view)
        except GamecoreError as error:
            messages.append(str(error))
    assert min(len(messages), len(answers)) > 100
    assert all(map(str.isprintable, messages))
    assert all(estimates and all(-36 <= estimate.mean <= 62 for estimate in estimates) for estimates in answers)


def test_genuine_views_are_never_refused():
    """Also if a user writes the same view: what a round leaves unchecked would pass the checks."""
    suits = set()
    for seed in range(40):
        for round_ in after_each_play(hearts.Round.deal(seed, passing=tuple(DIRECTIONS)[seed % 4], passer=None)):
            for view in map(round_.view, range(4)):
                written = replace(view)
                assert (written, written.legal_moves()) == (view, view.legal_moves())
                assert not any(set(cards) & set(hand) for cards, hand in zip(view.barred, round_.hands, strict=True))
                suits.update("".join(sorted({card[0] for card in cards})) for cards in view.barred)
            if not round_.passing_seats:
                view = round_.view(round_.to_move)
                assert hearts.evaluate_moves(view, playouts=1, rng=seed)
                assert view.legal_moves() == round_.legal_moves()
    assert {"C", "D", "H", "S", "CDS"} <= suits  # of voids, and of rules


# --- worlds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "passing"), [(1, "hold"), (2, "left"), (3, "across"), (5, "right"), (8, "hold")])
def test_determinized_hands_are_uniform_over_all_consistent_ones(seed, passing):
    # Three to four cards a hand: at most 369,600 splits of the unseen cards, each checked by replaying the past.
    round_ = advance(hearts.Round.deal(seed, passing=passing), 40 + seed % 4, "random")
    seat = round_.to_move
    deals = consistent_deals(round_, seat)
    assert tuple(tuple(sorted(hand)) for hand in round_.hands) in deals
    draws = max(20_000, 30 * len(deals))
    worlds = round_._core.worlds(seat, draws, seed)
    drawn = Counter(tuple(tuple(sorted(cards_of(mask))) for mask in world) for world in worlds)
    assert set(drawn) == set(deals)
    expected, freedom = draws / len(deals), len(deals) - 1
    square = sum((drawn[deal] - expected) ** 2 / expected for deal in deals)
    assert abs(square - freedom) <= 5 * math.sqrt(2 * max(1, freedom))


SLIPS, OTHERS = 0.05, 0.1  # shares of slips, and of duck and greedy each


def chance(view, hands, behaviour):
    """Likelihood of the others' plays if they hold these hands: a mixture of types for each seat."""
    state = hearts.Round([sorted(past.union(hand)) for past, hand in zip(past_of(view), hands, strict=True)])
    shares = {seat: [1 - 2 * OTHERS, OTHERS, OTHERS] for seat in range(4) if seat != view.seat}
    if view.received:
        step = ("hold", "left", "across", "right").index(view.passing)
        giver, order = (view.seat - step) % 4, danger(DECK, 52)
        worse = set(order[: max(map(order.index, view.received))]) - set(view.received)
        kept = len(worse & set(hands[giver]) - set(view.passed if step == 2 else ()))
        rule = 0.05 + 0.95 * (1 if not kept else 0 if kept > 3 or step == 2 else (0, 0.4, 0.12, 0.03)[kept])
        shares[giver] = [share * one for share, one in zip(shares[giver], (0.5 + rule / 2, rule, rule), strict=True)]
    for card in view.played:
        legal, seat = state.legal_moves(), state.to_move
        if seat != view.seat and len(legal) > 1:
            played = Situation(state.view(seat)).chance(behaviour, legal, card)
            types = [played, state.ask("duck") == card, state.ask("greedy") == card]
            for kind, one in enumerate(types):
                shares[seat][kind] *= SLIPS / len(legal) + (1 - SLIPS) * one
        state = state.play(card)
    return math.prod(map(sum, shares.values()))


@pytest.mark.parametrize(
    ("seed", "strange", "passing"), [(4, False, "hold"), (6, True, "hold"), (3, False, "left"), (5, False, "across")]
)
def test_worlds_are_drawn_by_how_well_they_explain_the_play(seed, strange, passing):
    both = np.random.default_rng(1).integers(-9, 10, len(LEARNED)).astype(np.int8) if strange else LEARNED
    round_ = advance(hearts.Round.deal(seed, passing=passing), 42, "linear")
    seat = round_.to_move
    view = round_.view(seat)
    deals = consistent_deals(round_, seat)
    shares = np.array([chance(view, deal, both[MODEL:]) for deal in deals])
    shares /= shares.sum()
    draws = 10_000
    worlds = round_._core.worlds(seat, draws, seed, 25, both)
    drawn = Counter(tuple(tuple(sorted(cards_of(mask))) for mask in world) for world in worlds)
    assert set(drawn) <= set(deals)
    assert shares.max() > 1.5 * shares.mean()  # it is not the uniform one that is tested
    for deal, share in zip(deals, shares, strict=True):
        # Successive worlds of the chain are alike: the spread is a few times that of independent draws.
        assert abs(drawn[deal] / draws - share) <= 20 * math.sqrt(share / draws) + 20 / draws


def test_the_led_twos_holder_is_known_with_any_club():
    rules = hearts.Rules(can_lead_any_club=True)
    for round_ in (hearts.Round.deal(seed, rules) for seed in range(50)):
        for card in {*round_.legal_moves()} - {"C2"}:
            after = round_.play(card)
            assert all("C2" in cards_of(world[round_.to_move]) for world in after._core.worlds(after.to_move, 20, 1))


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_point_on_the_first_trick_shows_that_nothing_else_is_held(seat):
    """Seat 0 leads, so that the seat is the place in the trick; later discards show less."""
    held = [card for card in DECK if card[0] == "H" or card == "SQ"][:13]
    rest = [card for card in DECK if card not in held]
    others = iter([rest[place::3] for place in range(3)])
    round_ = advance(hearts.Round([held if place == seat else next(others) for place in range(4)]), 4, "literal")
    assert (round_.tricks[0].leader, round_.tricks[0].cards[seat]) == (0, "SQ")
    assert set(round_.view(0).barred[seat]) == {*rest} - {"HA"} - {*round_.played}


def test_evaluate_moves():
    round_ = hearts.Round.deal(rng=7, passing="left").play("C2")
    view = round_.view(round_.to_move)
    estimates = hearts.evaluate_moves(view, playouts=200, policy="greedy", rng=7)
    assert {estimate.move for estimate in estimates} == set(view.legal_moves())
    assert list(estimates) == sorted(estimates, key=lambda estimate: estimate.mean)
    assert all(estimate.playouts == 200 and 0 < estimate.stderr < 2 for estimate in estimates)
    assert estimates == hearts.evaluate_moves(view, playouts=200, policy="greedy", rng=7)
    better = {entry.move: entry for entry in hearts.evaluate_moves(view, playouts=5000, policy="greedy", rng=8)}
    for rough, fine in ((entry, better[entry.move]) for entry in estimates):
        assert abs(fine.mean) < 26
        assert abs(rough.mean - fine.mean) < 5 * math.hypot(rough.stderr, fine.stderr)


@pytest.mark.parametrize("policy", ["random", "greedy", "duck", "linear"])
def test_the_last_heart_that_is_led_takes_its_trick(policy):
    round_ = advance(hearts.Round.deal(rng=1), 44, "random")
    view = round_.view(round_.to_move)
    assert (set(view.legal_moves()), view.points[round_.to_move]) == ({"H7", "ST"}, 10)
    assert {entry.mean for entry in hearts.evaluate_moves(view, playouts=50, policy=policy, rng=1)} == {11.0}


def test_limits_make_fewer_playouts():
    round_ = advance(hearts.Round.deal(rng=7), 8, "random")
    view = round_.view(round_.to_move)
    whole = hearts.evaluate_moves(view, playouts=50, rng=7)
    cards = len(whole)
    for nodes in (0, 1, cards, 3 * cards + 1, 40 * cards, 50 * cards):
        some = hearts.evaluate_moves(view, Limits(nodes=nodes), playouts=50, rng=7)
        assert {estimate.playouts for estimate in some} == {nodes // cards}
        if nodes >= cards:
            again = hearts.evaluate_moves(view, playouts=nodes // cards, rng=7)
            assert repr(some) == repr(again)  # since Python 3.13 a nan makes dataclasses unequal
        else:
            assert all(math.isnan(entry.mean) and entry.to_dict()["mean"] is None for entry in some)
    assert hearts.evaluate_moves(view, Limits(seconds=0.05), playouts=10_000_000, rng=7)[0].playouts < 10_000_000
