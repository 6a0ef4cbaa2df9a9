"""Players in Python: they sit among built-in ones, hear of rounds, and are blamed for what they do wrong."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hearts.strange_players import Fails, First, Lowest, Lucky  # pytest's pythonpath has the folder of tests

from gamecore import GamecoreError, hearts
from gamecore.hearts._cards import TEXTS, kernel
from gamecore.hearts._view import core_of


class Greedy(hearts.Player):
    """The built-in greedy, asked through its view."""

    def choose(self, view):
        return TEXTS[core_of(view).choose(hearts.player("greedy").numbers, kernel.Control())]


@pytest.mark.parametrize("passing", ["hold", "cycle"])
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([First(), "greedy", "pimc:4", Greedy()], ["literal", "greedy", "pimc:4", "greedy"]),
        # Random players draw as they do in the kernel, whoever sits beside them.
        ([First(), "random", "intelligent", "random"], ["literal", "random", "intelligent", "random"]),
        ([First()] * 4, ["literal"] * 4),
    ],
)
def test_they_sit_among_built_in_players(mine, theirs, passing):
    played, expected = (hearts.simulate(players, 40, 3, passing=passing) for players in (mine, theirs))
    assert (played.points == expected.points).all()
    assert (played.decisions == expected.decisions).all()


def test_in_parallel_they_play_the_same_and_copies_are_closed():
    class Counts(Lucky):
        closed = 0

        def close(self):
            Counts.closed += 1

    players, count = [Lucky(), "random", Lowest(), "pimc:2"], 24
    alone = hearts.simulate(players, count, 7, passing="cycle")
    for options in ({"workers": 2}, {"executor": ThreadPoolExecutor(3)}, {"executor": ProcessPoolExecutor(2)}):
        progress = []
        options["progress"] = lambda *done, to=progress: to.append(done)
        assert hearts.simulate(players, count, 7, passing="cycle", **options) == alone
        assert progress[-1] == (count, count)
    assert (alone.decisions > 0).all()
    players[0] = Counts()
    hearts.simulate(players, 2, 7)
    assert Counts.closed == 0  # in this thread the player itself plays
    hearts.simulate(players, 2, 7, executor=ThreadPoolExecutor(1))
    assert Counts.closed > 0


class Watches(Lowest):
    """Logs its calls."""

    def __init__(self):
        self.begun, self.ended, self.choices = [], [], 0

    def begin_round(self, view, seed, totals):
        assert (view.seat, len(view.hand), view.played) == (1, 13, ())
        self.begun.append((seed, totals))

    def end_round(self, view, points):
        self.ended.append((view.seat, len(view.played), points))

    def choose(self, view):
        assert len(view.legal_moves()) > 1
        self.choices += 1
        return super().choose(view)


@pytest.mark.parametrize(("play", "options"), [(hearts.simulate, {"rounds": 6}), (hearts.match, {})])
def test_they_hear_of_rounds_and_decide_what_is_not_forced(play, options):
    player = Watches()
    result = play(["duck", player, "random", "duck"], rng=7, **options)
    totals = np.vstack([np.zeros((1, 4), int), np.cumsum(result.points, axis=0, dtype=int)[:-1]])
    assert [list(told) for _, told in player.begun] == (totals * (play is hearts.match)).tolist()
    assert len({seed for seed, _ in player.begun}) == len(result)
    assert player.ended == [(1, 52, points) for points in result]
    if play is hearts.simulate:
        assert result.decisions[1] == player.choices < 6 * 13
        assert (result.decisions == hearts.simulate(["duck", "literal", "random", "duck"], 6, 7).decisions).all()


class Bad(First):
    """Fails in trick 5 of the eighth round."""

    def __init__(self, answer):
        self.answer, self.left = answer, 8

    def begin_round(self, view, seed, totals):
        self.left -= 1

    def choose(self, view):
        if self.left or len(view.tricks) < 4:
            return super().choose(view)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def failing(name, **methods):
    """Return a Player of a new class with these methods."""
    return type(name, (First,), methods)()


def wrong(*_):
    raise type("\x1b[2JError", (Exception,), {"__str__": lambda self: 1 / 0})


# A player, what its error says, the trick, and the rounds before.
FAILURES = [
    (Bad(ValueError("lost\nmy way")), r": Bad.choose raised ValueError: 'lost\\nmy way'", 5, 7),
    (Bad("XX"), ": Bad.choose answered 'XX': 'XX' is not a card", 5, 7),
    (Bad(None), "answered None: None is not a card", 5, 7), (Bad(["C2"]), "is not a card", 5, 7),
    (Bad("C2"), "answered 'C2': seat 2 cannot play C2: it is not in its hand", 5, 7),
    (hearts.Player(), "NotImplementedError", 1, 0),
    (failing("Raises", choose=wrong), r"raised \\x1b\[2JError: '\?'", 1, 0),
    (failing("Miser", pass_cards=lambda self, view: view.hand[:2]), ", passing: Miser.pass_cards answered", 0, 0),
    (failing("Wrong", pass_cards=lambda self, view: view.hand[0]), "has to pass 3 cards, not 'C", 0, 0),
    (failing("Wrong", begin_round=wrong), r": Wrong\.begin_round raised", 0, 0),
    (failing("Wrong", end_round=wrong), r": Wrong\.end_round raised", 13, 0),
]  # fmt: skip


@pytest.mark.parametrize(("player", "message", "trick", "rounds"), FAILURES)
@pytest.mark.parametrize("play", [hearts.simulate, hearts.match])
def test_a_player_that_fails_is_named_and_finished_rounds_stay(play, player, message, trick, rounds):
    if isinstance(player, Bad):
        player.left = 8
    options = {"rounds": 50, "passing": "cycle"} if play is hearts.simulate else {}
    with pytest.raises(hearts.PlayerError, match=rf"seat 2.*{message}") as caught:
        play(["greedy", "greedy", player, "greedy"], rng=3, **options)
    error = caught.value
    assert isinstance(error, GamecoreError)
    assert str(error).isprintable()
    assert (error.seat, error.trick, error.partial.rounds) == (2, trick, rounds)
    whole = hearts.simulate(["greedy", "greedy", "literal", "greedy"], 50, 3, passing="cycle")
    assert (error.partial.points == whole.points[:rounds]).all()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_comparison_keeps_the_deals_before_a_failure(workers):
    with pytest.raises(hearts.PlayerError, match=r"Fails.choose raised RuntimeError: 'cannot bear it'") as caught:
        hearts.compare(["duck", Fails("SQ")], "greedy", 60, 2, workers=workers)
    partial = caught.value.partial
    assert 0 <= partial.rounds < 60
    assert (partial.points == hearts.compare(["duck", Lowest()], "greedy", partial.rounds, 2).points).all()


def test_names_tell_instances_apart_and_have_no_control_characters():
    one, other = Lowest(), Lowest()
    duck, evil = failing("duck"), failing("\x1b[2JEvil")
    for players, names in (
        ([one, other, one, "duck"], ("Lowest", "Lowest#2", "Lowest", "duck")), (["duck"] * 4, ("duck",) * 4),
        ([duck, "duck", "duck", evil], ("duck", "duck#2", "duck#2", r"\x1b[2JEvil")),
    ):  # fmt: skip
        assert hearts.simulate(players, 1, 7).players == names
