"""Players in Python: they sit among built-in ones, hear of rounds, and are blamed for what they do wrong."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hearts.strange_players import First, Lowest, Lucky  # pytest's pythonpath has the folder of tests

from gamecore import GamecoreError, hearts
from gamecore.hearts._cards import TEXTS, kernel
from gamecore.hearts._view import core_of


class Greedy(hearts.Player):
    """The built-in greedy, asked through its view."""

    def choose(self, view):
        return TEXTS[core_of(view).choose(hearts.player("greedy").numbers, kernel.Control())]


@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_they_sit_among_built_in_players(passing):
    mine = hearts.simulate([First(), "greedy", "pimc:4", Greedy()], 40, 3, passing=passing)
    assert mine.players == ("First", "greedy", "pimc:4:greedy", "Greedy")
    theirs = hearts.simulate(["literal", "greedy", "pimc:4", "greedy"], 40, 3, passing=passing)
    assert (mine.points == theirs.points).all()
    # Random players draw as they do in the kernel, whoever sits beside them.
    mine = hearts.simulate([First(), "random", "intelligent", "random"], 40, 3, passing=passing)
    theirs = hearts.simulate(["literal", "random", "intelligent", "random"], 40, 3, passing=passing)
    assert (mine.points == theirs.points).all()
    four = hearts.simulate([First()] * 4, 5, 3)
    assert (four.points == hearts.simulate(["literal"] * 4, 5, 3).points).all()


def test_in_parallel_they_play_the_same():
    players, count = [Lucky(), "random", Lowest(), "pimc:2"], 24
    one = hearts.simulate(players, count, 7, passing="cycle")
    for options in ({"workers": 2}, {"executor": ThreadPoolExecutor(3)}, {"executor": ProcessPoolExecutor(2)}):
        told = []
        options["progress"] = lambda *done, to=told: to.append(done)
        assert hearts.simulate(players, count, 7, passing="cycle", **options) == one
        assert told[-1] == (count, count)
    assert (one.decisions > 0).all()


class Watches(Lowest):
    """Logs its calls."""

    def __init__(self):
        self.log = []

    def begin_round(self, view, seed, totals):
        self.log.append(("begin", view.seat, len(view.hand), view.played, seed, totals))

    def end_round(self, view, points):
        self.log.append(("end", view.seat, view.played, points))

    def choose(self, view):
        assert len(view.legal_moves()) > 1
        self.log.append("choose")
        return super().choose(view)


def test_hooks_and_forced_cards():
    player = Watches()
    result = hearts.simulate(["duck", player, "random", "duck"], 6, 7)
    assert result.decisions[1] == player.log.count("choose") < 6 * 13
    assert (result.decisions == hearts.simulate(["duck", "literal", "random", "duck"], 6, 7).decisions).all()
    begins = [entry for entry in player.log if entry[0] == "begin"]
    assert [entry[:4] for entry in begins] == [("begin", 1, 13, ())] * 6
    assert (len({entry[4] for entry in begins}), {entry[5] for entry in begins}) == (6, {(0, 0, 0, 0)})
    ends = [entry for entry in player.log if entry[0] == "end"]
    assert ([entry[3] for entry in ends], {len(entry[2]) for entry in ends}) == (list(result), {52})


def test_a_match_tells_them_its_totals():
    player = Watches()
    match = hearts.match(["duck", player, "random", "duck"], 7)
    totals = np.vstack([np.zeros((1, 4), int), np.cumsum(match.points, axis=0, dtype=int)[:-1]])
    assert [list(entry[5]) for entry in player.log if entry[0] == "begin"] == totals.tolist()


def test_copies_are_closed():
    class Counts(Lowest):
        closed = 0

        def close(self):
            Counts.closed += 1

    hearts.simulate([Counts(), "duck", "duck", "duck"], 3, 1)
    assert Counts.closed == 0  # in this thread the player itself plays
    with ThreadPoolExecutor(1) as pool:
        hearts.simulate([Counts(), "duck", "duck", "duck"], 3, 1, executor=pool)
    assert Counts.closed > 0


class Bad(First):
    """Fails in a given round and trick."""

    def __init__(self, answer, at, trick):
        self.answer, self.left, self.trick = answer, at + 1, trick

    def begin_round(self, view, seed, totals):
        self.left -= 1

    def choose(self, view):
        if self.left or len(view.tricks) < self.trick - 1:
            return super().choose(view)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (ValueError("lost\nmy way"), r"seat 2, trick 5: Bad.choose raised ValueError: 'lost\\nmy way'"),
        ("XX", "seat 2, trick 5: Bad.choose answered 'XX': 'XX' is not a card"),
        (None, "answered None: None is not a card"),
        (["C2"], "is not a card"),
        ("C2", "answered 'C2': seat 2 cannot play C2: it is not in its hand"),
    ],
)
@pytest.mark.parametrize("play", [hearts.simulate, hearts.match])
def test_a_player_that_fails_is_named_and_finished_rounds_stay(play, answer, message):
    options = {"rounds": 50} if play is hearts.simulate else {"rules": hearts.Rules(pass_cards=False)}
    with pytest.raises(hearts.PlayerError, match=message) as caught:
        play(["greedy", "greedy", Bad(answer, 7, 5), "greedy"], rng=3, **options)
    error = caught.value
    assert isinstance(error, GamecoreError)
    assert (error.seat, error.trick, error.partial.rounds) == (2, 5, 7)
    whole = hearts.simulate(["greedy", "greedy", "literal", "greedy"], 50, 3)
    assert (error.partial.points == whole.points[:7]).all()
    assert "\n" not in str(error)


def test_a_player_that_passes_nonsense():
    class Miser(First):
        def pass_cards(self, view):
            return view.hand[:2]

    with pytest.raises(hearts.PlayerError, match=r"seat 1, passing: Miser\.pass_cards answered") as caught:
        hearts.simulate(["greedy", Miser(), "greedy", "greedy"], 3, 3, passing="left")
    assert (caught.value.seat, caught.value.trick) == (1, 0)
    with pytest.raises(hearts.PlayerError, match="NotImplementedError"):
        hearts.simulate([hearts.Player()] * 4, 3, 3)


@pytest.mark.parametrize("name", ["begin_round", "end_round"])
def test_hooks_that_raise(name):
    def wrong(*_):
        raise RuntimeError("no")

    kind = type("Wrong", (Lowest,), {name: wrong})
    with pytest.raises(hearts.PlayerError, match=rf"seat 2: Wrong\.{name} raised RuntimeError") as caught:
        hearts.simulate(["duck", "duck", kind(), "duck"], 5, 7)
    assert caught.value.partial.rounds == 0


def test_names_tell_instances_apart():
    one, other = Lowest(), Lowest()
    assert hearts.simulate([one, other, one, "duck"], 1, 7).players == ("Lowest", "Lowest#2", "Lowest", "duck")
    assert hearts.simulate(["duck"] * 4, 1, 7).players == ("duck",) * 4
    duck = type("duck", (Lowest,), {})
    assert hearts.simulate([duck(), "duck", "duck", "greedy"], 1, 7).players == ("duck", "duck#2", "duck#2", "greedy")


def test_names_of_classes_are_shown_without_control_characters():
    evil = type("\x1b[2JEvil", (First,), {})
    assert hearts.simulate([evil(), "greedy", "greedy", "greedy"], 1, 1).players[0] == r"\x1b[2JEvil"
    error = type("\x1b[2JError", (Exception,), {"__str__": lambda self: 1 / 0})

    class Raises(First):
        def choose(self, view):
            raise error

    with pytest.raises(hearts.PlayerError) as caught:
        hearts.simulate([Raises(), "greedy", "greedy", "greedy"], 1, 1)
    assert str(caught.value).isprintable()
