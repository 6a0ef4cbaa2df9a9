"""One suite over all games: what ``gamecore.contract`` and ``docs/contract.md`` promise, and nothing of one game alone.

Two more games are held to the same: Nim (``examples/nim.py``) stands on ``gamecore.game.Game``, tic-tac-toe
(``examples/kit/tictactoe.py``) on ``gamecore.apps.kit``.
"""

import copy
import inspect
import json
import pickle
import shlex
import string
import sys
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, IllegalMoveError, Limits, OptionError, ParseError, contract

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "kit")]  # where Nim and tic-tac-toe are
import nim  # noqa: E402
import tictactoe  # noqa: E402


def negated(value, to_move, child):
    """Two sides, whose values add up to nothing: a move is worth minus what it leaves to the other side."""
    return -value if child.to_move != to_move else value


def one_ply_more(value, to_move, child):
    """Hexapawn's distance: the other side's value, one ply longer."""
    return -(value + 1) if value > 0 else 1 - value


def one_ply_nearer(value, to_move, child):
    """A kit game's outcome: the other side's value, one ply nearer to a draw."""
    return -value + (value > 0) - (value < 0)


@dataclass(frozen=True)
class Case:
    """A game, and how the suite makes positions that it solves in a moment.

    Attributes:
        small: arguments of ``random`` for positions that are quickly solved.
        before: a move's value from the value of the position after it; None where more than two sides play.
        ordered: whether values grow with how good a position is (Hexapawn's distances do not).
        free: fields that a batch without limits fills otherwise than ``solve``, as ``docs/contract.md`` says.
    """

    name: str
    small: dict = field(default_factory=dict)
    before: object = negated
    ordered: bool = True
    free: frozenset = frozenset()

    @property
    def game(self) -> ModuleType | SimpleNamespace:
        return OWN[self.name] if self.name in OWN else import_module(self.name)

    def position(self, seed, **more):
        return self.game.random(**{**self.small, **more}, rng=seed)


VERBS = ("solve", "analyse", "solve_many", "solve_iter", "random")
MOVES = frozenset({"best_moves", "line"})
COSTS = frozenset({"nodes", "seconds", "table_bytes", "replacements"})
# A game's names as its package has them.
OWN = {
    game.name: SimpleNamespace(
        GAME=game, Position=game.Position, Solution=type(game.solve(game.start())),
        random=game.random, solve=game.solve, analyse=game.analyse, solve_many=game.batch.solve_many,
        solve_iter=game.batch.solve_iter,
    )
    for game in (nim.GAME, tictactoe.GAME)
}  # fmt: skip

CASES = {
    "duel": Case("gamecore.duel", {"n": 4}),
    "hexapawn": Case("gamecore.hexapawn", {"rows": 4, "columns": 4}, one_ply_more, ordered=False, free=MOVES),
    "rows": Case("gamecore.rows", {"n": 9}, free=MOVES),
    "rows, greedy": Case("gamecore.rows", {"n": 9, "opponent": "greedy"}, free=MOVES),
    "hearts": Case("gamecore.hearts", {"plies": 36}, None),
    "nim": Case("nim", {"plies": 2}),
    "tictactoe": Case("tictactoe", {"plies": 3}, one_ply_nearer),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request):
    return request.param


@pytest.fixture
def game(case):
    return case.game


SEEDS = st.integers(0, 1 << 32)


def unfinished(case, seeds=range(200)):
    """Positions that are not over, made from these seeds."""
    return [position for position in map(case.position, seeds) if not position.is_over]


def finished(case):
    """A position that is over, after random moves."""
    rng, position = np.random.default_rng(1), case.position(3)
    while not position.is_over:
        position = position.play(position.legal_moves()[int(rng.integers(len(position.legal_moves())))])
    return position


# --- the package ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [case.game for name, case in CASES.items() if name not in OWN])
def test_public_names(game):
    assert dir(game) == sorted(game.__all__)
    assert not [name for name in game.__all__ if name.startswith("_")]
    assert {"Position", "Solution", "MoveValue", *VERBS} <= set(game.__all__)
    for name in game.__all__:
        value = getattr(game, name)
        assert getattr(value, "__doc__", None) or hasattr(value, "__origin__"), name
    with pytest.raises(AttributeError, match="solve_all"):
        _ = game.solve_all


# --- positions --------------------------------------------------------------------------------------------------------


def test_equal_by_content(case):
    positions = [case.position(seed) for seed in range(40)]
    again = [case.position(seed) for seed in range(40)]
    for item, two in zip(positions, again, strict=True):
        for other in (two, copy.copy(item), copy.deepcopy(item), pickle.loads(pickle.dumps(item))):
            assert other == item
            assert (hash(other), repr(other), other.to_text()) == (hash(item), repr(item), item.to_text())
    assert len({position.to_text() for position in positions}) == len(set(positions)) > 10
    assert positions[0] != "text"


def test_a_game_from_start_to_end(case):
    rng = np.random.default_rng(5)
    for seed in range(20):
        position = case.position(seed, plies=0)
        for _ in range(10_000):
            before = position.to_text()
            moves = position.legal_moves()
            assert bool(moves) != position.is_over
            if position.is_over:
                break
            assert all(isinstance(move, str) for move in moves)
            assert len(set(moves)) == len(moves)
            move = moves[int(rng.integers(len(moves)))]
            after = position.play(move)
            assert position.to_text() == before  # play has left it alone
            assert after != position
            assert type(after) is type(position)
            position = after
        assert position.is_over
        with pytest.raises(IllegalMoveError):
            position.play(move)


@pytest.mark.parametrize("move", ["", "zz", "Z9", "pass please", None, 7, ("L",), "\x1b[2J"])
def test_illegal_moves(case, move):
    for position in unfinished(case, range(10)):
        with pytest.raises(GamecoreError) as caught:
            position.play(move)
        assert "\x1b" not in str(caught.value)


@settings(max_examples=60)
@given(seed=SEEDS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_text_round_trip(case, seed):
    whole = {name: value for name, value in case.small.items() if name != "plies"}
    position = case.game.random(**whole, rng=seed)
    text = position.to_text()
    again = case.game.Position.from_text(text)
    assert again == position
    assert again.to_text() == text
    assert again.legal_moves() == position.legal_moves()
    assert again.to_move == position.to_move
    assert case.game.Position.from_text(f"  {text}\n") == position
    if case.name in ("gamecore.hexapawn", "gamecore.rows", "gamecore.hearts"):  # the duel's reads the judge's text
        assert list(case.game.parse_many([text, "", text])) == [position] * 2
    # It stands on a command line and in the fragment of a URL as it is.
    assert shlex.quote(text) == text
    assert text[0] in string.ascii_letters + string.digits
    assert urllib.parse.quote(text, safe=":/,.+=@") == text


@settings(max_examples=150)
@given(seed=SEEDS, data=st.data())
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_damaged_text(case, seed, data):
    """Nothing is accepted that is not read back equal, and every refusal names the place."""
    text = case.position(seed % 50).to_text()
    place = data.draw(st.integers(0, len(text)))
    piece = data.draw(st.text(alphabet=string.printable + "\u00e9\u0663", max_size=3))
    damaged = text[:place] + piece + text[place + data.draw(st.integers(0, 3)) :]
    try:
        position, refused = case.game.Position.from_text(damaged), None
    except ParseError as error:
        refused = error
    if refused is not None:
        assert refused.line == 1 or not damaged.strip()
        assert str(refused).isprintable()
    else:
        assert case.game.Position.from_text(position.to_text()) == position


@pytest.mark.parametrize("text", ["", " \n", ":", "x", ":" * 30, "a:b\nc:d", None, 5, b"a:b", "\u0661:1"])
def test_text_that_is_none(game, text):
    with pytest.raises(ParseError):
        game.Position.from_text(text)


def test_dict_round_trip(case):
    for seed in range(30):
        position = case.position(seed)
        data = position.to_dict()
        assert case.game.Position.from_dict(json.loads(json.dumps(data))) == position
    for name in data:
        with pytest.raises(ParseError, match=name):
            case.game.Position.from_dict({key: value for key, value in data.items() if key != name})
        with pytest.raises(GamecoreError):
            case.game.Position.from_dict({**data, name: {"no": 1.5}})
    with pytest.raises(ParseError, match="extra"):
        case.game.Position.from_dict({**data, "extra": 1})
    with pytest.raises(ParseError):
        case.game.Position.from_dict([])


def test_random(case):
    game = case.game
    assert game.random(rng=3) == game.random(rng=3)
    assert game.random(rng=np.random.default_rng(3)) == game.random(rng=np.random.default_rng(3))
    for rng in (None, 0, [1, 2], np.random.SeedSequence(4), np.random.PCG64(4), np.random.default_rng(4)):
        assert isinstance(game.random(rng=rng), game.Position)
    for wrong in (-1, 1.5, "7", True):
        with pytest.raises(OptionError, match="rng"):
            game.random(rng=wrong)
        with pytest.raises(OptionError, match="plies"):
            game.random(rng=1, plies=wrong)


def test_drawings(case):
    for seed in range(8):
        position = case.position(seed)
        assert position.draw().strip()
        assert str(position).strip()
        assert position.picture().svg.startswith("<svg")
        assert position._repr_svg_() == position.picture().svg


# --- solving ----------------------------------------------------------------------------------------------------------


def test_solve(case):
    for position in unfinished(case, range(12)):
        solution = case.game.solve(position)
        assert issubclass(case.game.Solution, contract.Solution)
        assert isinstance(solution, case.game.Solution)
        assert solution.exact
        assert solution.lower == solution.value == solution.upper
        assert solution.to_move == position.to_move
        assert solution.best_move == solution.best_moves[0] == solution.line[0]
        assert set(solution.best_moves) <= set(position.legal_moves())
        assert solution == case.game.solve(position.to_text())
        assert solution == pickle.loads(pickle.dumps(solution))
        assert hash(solution) == hash(copy.copy(solution))
        assert str(solution).strip()
        data = solution.to_dict()
        said = [solution.value, position.to_move, solution.best_move]
        assert [data[name] for name in ("value", "to_move", "best_move")] == said
        assert list(data["line"]) == list(solution.line)


def test_line_leads_to_the_end_and_keeps_the_value(case):
    for position in unfinished(case, range(12)):
        solution = case.game.solve(position)
        value = solution.value
        for move in solution.line:
            before, position = position, position.play(move)
            if case.before:
                after = case.game.solve(position).value
                assert case.before(after, before.to_move, position) == value
                value = after
        assert position.is_over


def test_solving_what_is_over(case):
    position = finished(case)
    solution = case.game.solve(position)
    assert solution.exact
    assert solution.best_move is None
    assert solution.best_moves == ()
    assert len(solution.line) == 0
    assert len(case.game.analyse(position)) == 0
    assert case.game.solve_many([position])[0].value == solution.value


def test_analyse(case):
    for position in unfinished(case, range(8)):
        solution, analysis = case.game.solve(position), case.game.analyse(position)
        assert isinstance(analysis, contract.Analysis)
        assert isinstance(analysis, Sequence)
        assert analysis.to_move == position.to_move
        assert sorted(entry.move for entry in analysis) == sorted(position.legal_moves())
        assert all(isinstance(entry, contract.MoveValue) and entry.exact for entry in analysis)
        assert analysis[0].value == solution.value
        assert solution.best_move in analysis.best_moves
        assert set(solution.best_moves) <= set(analysis.best_moves)
        values = [entry.value for entry in analysis]
        if case.ordered:
            assert values == sorted(values, reverse=True)
        if case.before is not None:
            for entry in analysis:
                after = position.play(entry.move)
                assert entry.value == case.before(case.game.solve(after).value, position.to_move, after)
        assert analysis == case.game.analyse(position.to_text())
        assert analysis == pickle.loads(pickle.dumps(analysis))
        assert analysis[:1] == (analysis[0],)
        assert len(str(analysis).splitlines()) == len(analysis)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_dataframes(case, library):
    pytest.importorskip(library)
    analysis = case.game.analyse(unfinished(case, range(8))[0])
    frame = analysis.to_dataframe(library)
    assert type(frame).__module__.startswith(library)
    assert list(frame["move"]) == [entry.move for entry in analysis]
    assert list(frame["value"]) == [entry.value for entry in analysis]
    frame = (many := case.game.solve_many(unfinished(case, range(8)))).to_dataframe(library)
    assert len(frame) == len(many)
    for name in ("lower", "best_move"):
        assert list(frame[name]) == [getattr(solution, name) for solution in many]
    errors = case.game.solve_many(["nonsense", *unfinished(case, range(2))], on_error="return")
    assert next(iter(errors.to_dataframe(library)["error"])) == str(errors[0])
    with pytest.raises(OptionError, match="library"):
        analysis.to_dataframe("csv")


def test_limits(case):
    """Bounds hold the value, and a limit that is reached never makes them wrong."""
    for position in unfinished(case, range(8)):
        value = case.game.solve(position).value
        for limits in (Limits(nodes=0), Limits(nodes=1), Limits(nodes=40), Limits(seconds=0), Limits(deadline=4e9)):
            bounded = case.game.solve(position, limits)
            assert bounded.lower <= value <= bounded.upper
            assert bounded.exact or bounded.value is None
            for entry in case.game.analyse(position, limits):
                assert entry.lower <= entry.upper
    with pytest.raises(OptionError, match="nodes"):
        case.game.solve(position, Limits(nodes=-1))


@pytest.mark.parametrize("wrong", [5, 0, 1.5, False, "1 s", "", (1, 2), {}, Limits])
def test_limits_of_another_kind(case, wrong):
    """Refused by name, never by an internal attribute; also where there is nothing to search."""
    game, position, over = case.game, unfinished(case)[0], finished(case)
    both = (game.solve, game.analyse)
    calls = [lambda item=item, solve=solve: solve(item, wrong) for item in (position, over) for solve in both]
    calls += [lambda many=many: many([position], wrong) for many in (game.solve_many, game.solve_iter)]
    calls += [lambda: next(game.solve_iter([position], limits=wrong)), lambda: game.solve_many([], wrong)]
    if case.name == "gamecore.hearts":
        calls.append(lambda: game.evaluate_moves(position.view(position.to_move), wrong))
    if case.name == "gamecore.rows":
        calls.append(lambda: game.who_should_start(position.values, wrong))
    for call in calls:
        with pytest.raises(OptionError, match=r"limits must be a Limits, such as .* not"):
            call()


@pytest.mark.parametrize("wrong", [None, 5, 1.5, b"x", object(), "", "nonsense", "a:b:c\x1b", ":::::"])
def test_solving_what_is_no_position(game, wrong):
    for function in (game.solve, game.analyse):
        with pytest.raises(GamecoreError) as caught:
            function(wrong)
        assert str(caught.value).isprintable()


# --- many -------------------------------------------------------------------------------------------------------------


def test_solve_many(case):
    game, positions = case.game, unfinished(case, range(14))
    mixed = [position.to_text() if at % 2 else position for at, position in enumerate(positions)]
    many = game.solve_many(mixed)
    alone = [game.solve(position) for position in positions]
    assert isinstance(many, Sequence)
    assert len(many) == len(alone)
    assert [(item.value, item.to_move) for item in many] == [(item.value, item.to_move) for item in alone]
    assert all(type(item) is game.Solution for item in many)
    assert many == list(many)
    assert isinstance(many.lower, np.ndarray)
    assert (many.lower.tolist(), many.upper.tolist()) == ([item.lower for item in many], [item.upper for item in many])
    assert many.to_dict()["value"] == [item.value for item in many]
    json.dumps(many.to_dict())
    assert repr(many)
    assert list(game.solve_iter(mixed)) == list(many)
    assert [item.value for item in game.solve_many(mixed, workers=2)] == [item.value for item in many]
    assert len(game.solve_many([])) == 0


def disagreements(many, alone, free=frozenset()):
    """Where answers of a batch, or its columns, say something else than ``solve`` does: (index, field)."""
    differences = []
    for name in {*alone[0].to_dict(), *(item.name for item in fields(alone[0]))} - COSTS - free - {"best_move"}:
        said = [[getattr(item, name) for item in many]]
        column = getattr(many, name, None)
        if isinstance(column, np.ndarray) and name != "to_move":  # which columns write as a number
            said.append(column.tolist())
        wanted = [getattr(item, name) for item in alone]
        differences += [(at, name) for values in said for at, value in enumerate(values) if value != wanted[at]]
    return differences


LIMITS = [
    None,
    *(Limits(nodes=nodes) for nodes in (1, 5, 40, 10**6)),
    Limits(seconds=0),
    Limits(seconds=60),
    Limits(deadline=4e9),
]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("line", [True, False])
def test_a_batch_says_what_solve_says(case, limits, line):
    positions = unfinished(case, range(60))
    how = {"line": line} if "line" in inspect.signature(case.game.solve).parameters else {}
    many = case.game.solve_many(positions, limits, **how)
    alone = [case.game.solve(position, limits, **how) for position in positions]
    assert limits not in (None, Limits(deadline=4e9)) or all(item.exact for item in alone)  # in the year 2096
    assert not disagreements(many, alone, case.free if limits is None else frozenset({"best_so_far"}))


def test_solve_many_with_errors(case):
    game, positions = case.game, unfinished(case, range(6))
    items = [positions[0], "no position", positions[1], 17]
    many = game.solve_many(items, on_error="return")
    assert [isinstance(item, GamecoreError) for item in many] == [False, True, False, True]
    with pytest.raises(GamecoreError, match=r"\[1\]") as caught:
        game.solve_many(items)
    assert [item.value for item in caught.value.done] == [many[0].value]
