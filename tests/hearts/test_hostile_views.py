"""Inconsistent views: users can construct them, and they must not harm the kernel."""

import random
from dataclasses import fields, replace

import pytest

from gamecore import GamecoreError, hearts
from gamecore.hearts._rules import FLAGS
from gamecore.hearts._view import Trick

GENUINE = []
for seed in range(6):
    round_ = hearts.Round.deal(seed, passing=("hold", "left", "across")[seed % 3])
    for _ in range(9 * seed):
        round_ = round_.play(round_.legal_moves()[0])
    GENUINE.append(round_.view(round_.to_move))

DECK = [suit + rank for suit in "CDSH" for rank in "23456789TJQKA"]


class Hostile:
    """Raises on every use."""

    def _raise(self, *_):
        raise RuntimeError("\x1b[2J")

    __repr__ = __eq__ = __hash__ = __len__ = __iter__ = __index__ = __bool__ = _raise


NONSENSE = (
    None, -1, 4, 1 << 70, True, 1.5, "left", "C2", b"C2", (), ((),), (None,) * 4, ((1, 2, 3),), ("C2", "C2"), ("ZZ",),
    (7,), ((-1, "C2"),), ((0, "C2", 1),), [[]], {}, {"C2"}, object(), Hostile(), (Hostile(),) * 4, float("nan"),
    "\x1b[31m", (Trick(-1, ("C2", "C3", "C4", "C5"), 0),), (Trick(0, ("C2", "C3", "C4", "C5"), None),),
    (Trick(0, None, 0),),
    (Trick(0, (1, 2, 3, 4), 0),), ("C2",) * 60, (0, 0, 0, -5), (0, 0, 0, 1 << 70),
)  # fmt: skip


@pytest.mark.parametrize("name", [field.name for field in fields(hearts.View) if field.init])
def test_any_nonsense_in_any_field_is_a_gamecore_error_or_nothing(name):
    """With any value in a field, each use of the view returns or raises a GamecoreError of one line."""
    refused = 0
    for view in GENUINE[::2]:
        for value in NONSENSE:
            broken = replace(view, **{name: value})
            uses = (
                lambda broken=broken: hearts.evaluate_moves(broken, playouts=2, rng=1),
                lambda broken=broken: broken.legal_moves(),
                lambda broken=broken: broken.picture().svg,
                lambda broken=broken: broken.draw(),
            )
            for use in uses:
                try:
                    use()
                except GamecoreError as error:
                    refused += 1
                    if not str(error).isprintable():
                        raise AssertionError from error
    assert refused > 3 * len(NONSENSE)


def test_a_view_that_no_deal_agrees_with():
    """Nobody can hold the clubs that are left: all others have shown to be out of them."""
    tricks = Trick(0, ("C2", "D2", "D3", "C3"), 3), Trick(3, ("C4", "D4", "D5", "D6"), 3)
    spades = tuple("S" + rank for rank in "23456789TJQ")
    view = replace(GENUINE[0], seat=3, to_move=3, hand=spades, tricks=tricks, trick=(), points=(0, 0, 0, 0))
    with pytest.raises(GamecoreError, match="no deal agrees"):
        hearts.evaluate_moves(view, playouts=2, rng=1)


def mangle(rng, view):
    """A view with some of its cards and seats exchanged."""

    def cards(count):
        return tuple(rng.sample(DECK, count))

    changes = {
        "seat": lambda: {"seat": (seat := rng.randrange(4)), "to_move": seat},
        "hand": lambda: {"hand": cards(len(view.hand))},
        "passed": lambda: {"passed": cards(3), "passing": rng.choice(["left", "across", "right"])},
        "tricks": lambda: {
            "tricks": tuple(
                Trick(rng.randrange(4), tuple(rng.sample(trick.cards, 4)), trick.winner) for trick in view.tricks
            )
        },
        "played": lambda: {
            "tricks": tuple(
                Trick(trick.leader, tuple(rest[4 * k : 4 * k + 4]), trick.winner)
                for rest in [rng.sample([card for card in DECK if card not in view.hand], 4 * len(view.tricks))]
                for k, trick in enumerate(view.tricks)
            )
        },
        "rules": lambda: {"rules": hearts.Rules(**{name: rng.random() < 0.5 for name in FLAGS})},
    }
    for name in rng.sample(list(changes), rng.randrange(1, 4)):
        view = replace(view, **changes[name]())
    return view


def test_mangled_views_are_judged_or_refused():
    rng = random.Random(8)
    answered = 0
    for _ in range(3000):
        view = mangle(rng, rng.choice(GENUINE))
        try:
            found = hearts.evaluate_moves(view, playouts=2, rng=1, infer=rng.choice([0, 0, 2]))
        except GamecoreError:
            continue
        answered += 1
        assert found
        assert all(-36 <= one.mean <= 62 for one in found)
    assert 100 < answered < 2900


def test_genuine_views_are_never_refused():
    """Also if a user writes the same view: what a round leaves unchecked would pass the checks."""
    for seed in range(40):
        round_ = hearts.Round.deal(seed, passing=("hold", "left", "across", "right")[seed % 4], passer=None)
        while not round_.is_over:
            for seat in range(4):
                view = round_.view(seat)
                written = replace(view)
                assert (written, written.legal_moves()) == (view, view.legal_moves())
            if not round_.passing_seats:
                view = round_.view(round_.to_move)
                assert hearts.evaluate_moves(view, playouts=1, rng=seed)
                assert view.legal_moves() == round_.legal_moves()
            round_ = round_.play(round_.ask("random"))
