"""One suite over all games: what ``gamecore.contract`` and ``docs/contract.md`` promise, and nothing of one game alone.

Two more games are held to the same: Nim, built in for the tests, stands on ``gamecore.game.Game``, tic-tac-toe
(``examples/kit/tictactoe.py``) on ``gamecore.apps.kit``. Copies, pickles and equality of results: ``test_objects.py``.
"""

import inspect
import json
import operator
import shlex
import string
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from types import ModuleType, SimpleNamespace

import fifth  # pytest's pythonpath has this folder, and those of examples
import numpy as np
import pytest
import tictactoe
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, contract, duel, hearts, hexapawn, rows
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.game import BUILT_IN


@dataclass(frozen=True)
class Case:
    """A game, and how the suite makes positions that it solves in a moment.

    Attributes:
        small: arguments of ``random`` for positions that are quickly solved.
        before: a value as the other side has it one ply earlier; None where more than two sides play.
        ordered: whether values grow with how good a position is (Hexapawn's distances do not).
        free: fields that a batch without limits fills otherwise than ``solve``, as ``docs/contract.md`` says.
    """

    game: ModuleType | SimpleNamespace
    small: dict
    before: Callable[[int], int] | None = operator.neg
    ordered: bool = True
    free: frozenset = frozenset()

    def position(self, seed, **more):
        return self.game.random(**{**self.small, **more}, rng=seed)

    def unfinished(self, count):
        """Positions that are not over, made from this many seeds."""
        return [position for position in map(self.position, range(count)) if not position.is_over]

    def before_move(self, value, position, after):
        """A move's value from the value of the position after it."""
        return self.before(value) if after.to_move != position.to_move else value

    def finished(self):
        """A position that is over, after random moves."""
        return self.position(3, plies=10_000)


def as_package(game):
    """A game's names as a package has them."""
    return SimpleNamespace(
        GAME=game, Position=game.Position, Solution=type(game.solve(game.start())),
        random=game.random, solve=game.solve, analyse=game.analyse, solve_many=game.batch.solve_many,
        solve_iter=game.batch.solve_iter,
    )  # fmt: skip


VERBS = ("solve", "analyse", "solve_many", "solve_iter", "random")
MOVES = frozenset({"best_moves", "line"})
COSTS = frozenset({"nodes", "seconds", "table_bytes", "replacements"})
CASES = {
    "duel": Case(duel, {"n": 4}),
    "hexapawn": Case(
        hexapawn, {"rows": 4, "columns": 4}, lambda value: -(value + 1) if value > 0 else 1 - value, False, MOVES
    ),
    "rows": Case(rows, {"n": 9}, free=MOVES),
    "rows, greedy": Case(rows, {"n": 9, "opponent": "greedy"}, free=MOVES),
    "hearts": Case(hearts, {"plies": 36}, None),
    "fifth": Case(fifth.fifth, {"plies": 2}),
    "tictactoe": Case(as_package(tictactoe.GAME), {"plies": 3}, lambda value: -value + (value > 0) - (value < 0)),
}
ALL = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
SEEDS = st.integers(0, 1 << 32)


# --- the package ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BUILT_IN, "fifth"])
def test_public_names(name):
    game = CASES[name].game  # each built-in game has a case
    assert dir(game) == sorted(game.__all__)
    assert not [name for name in game.__all__ if name.startswith("_")]
    assert {"Position", "Solution", "MoveValue", *VERBS} <= set(game.__all__)
    for name in game.__all__:
        value = getattr(game, name)
        assert getattr(value, "__doc__", None) or hasattr(value, "__origin__"), name
    with pytest.raises(AttributeError, match="solve_all"):
        _ = game.solve_all


#: The parameters of the verbs that games share, with their defaults; those after ``limits`` are keywords.
SHARED = {
    "solve": {"position": inspect.Parameter.empty, "limits": None, "line": True},
    "analyse": {"position": inspect.Parameter.empty, "limits": None},
    "Solver": {"table_mb": None},
}
#: A game's own, of ``solve`` and, but for threads, of ``analyse``.
OWN = {
    duel: {"threads": 1},
    hexapawn: {"threads": 1, "question": "distance", "table_file": None, "progress": None},
    rows: {"opponent": None, "first": None, "ties": None},
    hearts: {"method": "both"},
}


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.__name__)
def test_the_same_verbs_have_the_same_parameters(game):
    for verb in {*SHARED} & {*game.__all__}:
        own = {} if verb == "Solver" else dict(OWN[game])
        if verb == "analyse":
            own = {name: default for name, default in own.items() if name in ("opponent", "first", "ties", "method")}
        parameters = inspect.signature(getattr(game, verb)).parameters
        assert {name: parameter.default for name, parameter in parameters.items()} == {**SHARED[verb], **own}
        positional = [name for name in parameters if parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY]
        assert positional == [name for name in SHARED[verb] if name != "line"]
    for verb in ("parse", "parse_many", "solve", "analyse"):
        assert getattr(game, verb) == getattr(game.GAME, verb)
    batch = game.solve_many.__self__
    assert game.solve_iter.__self__ is batch
    assert batch is game.GAME.batch
    line = inspect.signature(batch.parts).parameters.get("line")
    assert line is None or line.default is (game is not rows)  # a row's moves take several times as long as its totals
    last = list(inspect.signature(game.random).parameters.values())[-2:]
    assert [(entry.name, entry.kind is entry.KEYWORD_ONLY, entry.default) for entry in last] == [
        ("plies", True, None), ("rng", True, None),
    ]  # fmt: skip
    with pytest.raises(TypeError, match="positional"):
        game.parse("x", "y")


@pytest.mark.parametrize("wrong", [np.array([1, 2]), np.array(["me", "left"]), np.array([]), [True], {}, ""], ids=repr)
@pytest.mark.parametrize("game", OWN, ids=lambda game: game.__name__)
def test_options_are_no_arrays(game, wrong):
    start = [5, 7] if game is rows else hearts.random("hold", rng=1, plies=48) if game is hearts else game.random(rng=1)
    names = {"line": False, **OWN[game]}
    for name in names:
        with pytest.raises(OptionError, match=name):
            game.solve(start, **{name: wrong})
        with pytest.raises((GamecoreError, TypeError), match=name):
            game.solve_many([start], **{name: wrong})
    with pytest.raises(OptionError, match="on_error"):
        game.solve_many([start], on_error=wrong)
    with pytest.raises(OptionError, match="library"):
        game.solve_many([]).to_dataframe(wrong)


# --- positions --------------------------------------------------------------------------------------------------------


@ALL
def test_a_game_from_start_to_end(case):
    rng, seen = np.random.default_rng(5), []
    for seed in range(20):
        position = case.position(seed, plies=0)
        for _ in range(10_000):
            before = position.to_text()
            seen.append(position)
            moves = position.legal_moves()
            assert bool(moves) != position.is_over
            if position.is_over:
                break
            assert all(isinstance(move, str) for move in moves)
            assert len(set(moves)) == len(moves)
            move = moves[int(rng.integers(len(moves)))]
            after = position.play(move)
            assert position.to_text() == before  # play has left it alone
            assert type(after) is type(position)
            position = after
        assert position.is_over
        with pytest.raises(IllegalMoveError):
            position.play(move)
    assert len({position.to_text() for position in seen}) == len(set(seen)) > 10  # equal by content


@settings(max_examples=60)
@given(seed=SEEDS)
@ALL
def test_text_and_dict_round_trip(case, seed):
    whole = {name: value for name, value in case.small.items() if name != "plies"}
    position = case.game.random(**whole, rng=seed)
    text = position.to_text()
    again = case.game.Position.from_text(text)
    assert hash(again) == hash(position)
    assert again == position == case.game.Position.from_dict(json.loads(json.dumps(position.to_dict())))
    assert again.to_text() == text
    assert again.legal_moves() == position.legal_moves()
    assert again.to_move == position.to_move
    assert case.game.Position.from_text(f"  {text}\n") == position
    if case.game in (hexapawn, rows, hearts):  # the duel's reads the judge's text
        assert list(case.game.parse_many([text, "", text])) == [position] * 2
    # It stands on a command line and in the fragment of a URL as it is.
    assert shlex.quote(text) == text
    assert text[0] in string.ascii_letters + string.digits
    assert urllib.parse.quote(text, safe=":/,.+=@") == text


@settings(max_examples=150)
@given(seed=SEEDS, data=st.data())
@ALL
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


@ALL
def test_damaged_dict(case):
    data = case.position(3).to_dict()
    for name in data:
        with pytest.raises(ParseError, match=name):
            case.game.Position.from_dict({key: value for key, value in data.items() if key != name})
        with pytest.raises(GamecoreError):
            case.game.Position.from_dict({**data, name: {"no": 1.5}})
    with pytest.raises(ParseError, match="extra"):
        case.game.Position.from_dict({**data, "extra": 1})


@ALL
def test_random(case):
    game = case.game
    for rng in (5, np.int64(5), np.uint8(5), [1, 2], (1, np.int32(2)), range(3), np.array([1, 2]), []):
        assert game.random(rng=rng) == game.random(rng=np.random.default_rng(rng))
    for rng in (None, 0, [1, 2], np.random.SeedSequence(4), np.random.PCG64(4), np.random.default_rng(4)):
        assert isinstance(game.random(rng=rng), game.Position)


@ALL
def test_drawings(case):
    for seed in range(8):
        position = case.position(seed)
        assert position.draw().strip()
        assert str(position).strip()
        assert position._repr_svg_() == position.picture().svg
        assert position.picture().svg.startswith("<svg")


# What no call takes: the call, the error, what its message says, and wrong arguments.
NO_POSITIONS = GamecoreError, None, [None, 5, 1.5, b"x", object(), "", "nonsense", "a:b:c\x1b", ":::::"]
NO_NUMBERS = [-1, 1.5, "7", True]
NO_LIMITS = (
    OptionError, r"limits must be a Limits, such as .* not", [5, 0, 1.5, False, "1 s", "", (1, 2), {}, Limits],
)  # fmt: skip
REFUSED = {
    "a move": (
        lambda game, position, wrong: position.play(wrong),
        GamecoreError, None, ["", "zz", "Z9", "pass please", None, 7, ("L",), "\x1b[2J", np.array(["L", "R"])],
    ),
    "a text": (
        lambda game, position, wrong: game.Position.from_text(wrong),
        ParseError, None, ["", " \n", ":", "x", ":" * 30, "a:b\nc:d", None, 5, b"a:b", "\u0661:1"],
    ),
    "a dict": (lambda game, position, wrong: game.Position.from_dict(wrong), ParseError, None, [[], None]),
    "rng": (lambda game, position, wrong: game.random(rng=wrong), OptionError, "rng", NO_NUMBERS),
    "plies": (lambda game, position, wrong: game.random(rng=1, plies=wrong), OptionError, "plies", NO_NUMBERS),
    "solve": (lambda game, position, wrong: game.solve(wrong), *NO_POSITIONS),
    "analyse": (lambda game, position, wrong: game.analyse(wrong), *NO_POSITIONS),
    "limits of solve": (lambda game, position, wrong: game.solve(position, wrong), *NO_LIMITS),
    "limits of analyse": (lambda game, position, wrong: game.analyse(position, wrong), *NO_LIMITS),
    "limits of solve_many": (lambda game, position, wrong: game.solve_many([position], wrong), *NO_LIMITS),
    "limits of nothing": (lambda game, position, wrong: game.solve_many([], wrong), *NO_LIMITS),
    "limits of solve_iter": (lambda game, position, wrong: game.solve_iter([position], wrong), *NO_LIMITS),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@ALL
def test_refusals(case, name):
    """Bad arguments are refused by name, never by an internal attribute; also where there is nothing to search."""
    call, error, words, arguments = REFUSED[name]
    for position in (case.finished(), *case.unfinished(10)):
        for wrong in arguments:
            with pytest.raises(error, match=words) as caught:
                call(case.game, position, wrong)
            assert str(caught.value).isprintable()


# --- solving ----------------------------------------------------------------------------------------------------------


@ALL
def test_solve(case):
    """The line keeps the value, move by move, and ends the game."""
    for position in case.unfinished(12):
        solution = case.game.solve(position)
        assert issubclass(case.game.Solution, contract.Solution)
        assert isinstance(solution, case.game.Solution)
        assert solution.exact
        assert solution.lower == solution.value == solution.upper
        assert solution.to_move == position.to_move
        assert solution.best_move == solution.best_moves[0] == solution.line[0]
        assert set(solution.best_moves) <= set(position.legal_moves())
        assert solution == case.game.solve(position.to_text())
        assert str(solution).strip()
        data = solution.to_dict()
        said = [solution.value, position.to_move, solution.best_move]
        assert [data[name] for name in ("value", "to_move", "best_move")] == said
        assert list(data["line"]) == list(solution.line)
        value = solution.value
        for move in solution.line:
            before, position = position, position.play(move)
            if case.before:
                after = case.game.solve(position).value
                assert case.before_move(after, before, position) == value
                value = after
        assert position.is_over


@ALL
def test_solving_what_is_over(case):
    position = case.finished()
    solution = case.game.solve(position)
    assert solution.exact
    assert solution.best_move is None
    assert solution.best_moves == ()
    assert len(solution.line) == len(case.game.analyse(position)) == 0
    assert case.game.solve_many([position])[0].value == solution.value


@ALL
def test_analyse(case):
    for position in case.unfinished(8):
        solution, analysis = case.game.solve(position), case.game.analyse(position)
        assert isinstance(analysis, contract.Analysis)
        assert analysis.to_move == position.to_move
        assert sorted(entry.move for entry in analysis) == sorted(position.legal_moves())
        assert all(isinstance(entry, contract.MoveValue) and entry.exact for entry in analysis)
        assert analysis[0].value == solution.value
        assert {solution.best_move, *solution.best_moves} <= set(analysis.best_moves)
        values = [entry.value for entry in analysis]
        if case.ordered:
            assert values == sorted(values, reverse=True)
        if case.before is not None:
            for entry in analysis:
                after = position.play(entry.move)
                assert entry.value == case.before_move(case.game.solve(after).value, position, after)
        assert analysis == case.game.analyse(position.to_text())
        assert len(str(analysis).splitlines()) == len(analysis)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@ALL
def test_dataframes(case, library):
    pytest.importorskip(library)
    positions = case.unfinished(8)
    analysis, many = case.game.analyse(positions[0]), case.game.solve_many(positions)
    for items, names in ((analysis, ("move", "value")), (many, ("lower", "best_move"))):
        frame = items.to_dataframe(library)
        assert type(frame).__module__.startswith(library)
        assert len(frame) == len(items)
        for name in names:
            assert list(frame[name]) == [getattr(item, name) for item in items]
    errors = case.game.solve_many(["nonsense", *positions[:2]], on_error="return")
    assert next(iter(errors.to_dataframe(library)["error"])) == str(errors[0])
    none, frame = case.game.solve_many([]), many.to_dataframe(library)
    numbers = ["value", "lower", "upper", "exact", "nodes", "seconds", "table_bytes"]
    assert list(none.to_dataframe(library).columns) == list(frame.columns)
    assert list(none.to_dataframe(library)[numbers].dtypes) == list(frame[numbers].dtypes)
    for name in ("lower", "value", "exact", "nodes", "seconds"):
        assert {getattr(part, name).dtype for part in (none, errors[:1])} == {getattr(many, name).dtype}
    with pytest.raises(OptionError, match="library"):
        analysis.to_dataframe("csv")


LIMITS = [
    *(Limits(nodes=nodes) for nodes in (0, 1, 5, 40, 10**6)),
    Limits(seconds=0),
    Limits(seconds=60),
    Limits(deadline=4e9),  # in the year 2096
]


@ALL
def test_limits(case):
    """Bounds hold the value, and a limit that is reached never makes them wrong."""
    for position in case.unfinished(8):
        value = case.game.solve(position).value
        for limits in LIMITS:
            bounded = case.game.solve(position, limits)
            assert bounded.lower <= value <= bounded.upper
            assert bounded.exact or bounded.value is None
            assert bounded.best_move or bounded.best_so_far in position.legal_moves()
            assert bounded.exact or limits.nodes is None or bounded.nodes <= limits.nodes
            for entry in case.game.analyse(position, limits):
                assert entry.lower <= entry.upper
    with pytest.raises(OptionError, match="nodes"):
        case.game.solve(position, Limits(nodes=-1))


# --- many -------------------------------------------------------------------------------------------------------------


@ALL
def test_solve_many(case):
    game, positions = case.game, case.unfinished(14)
    mixed = [position.to_text() if at % 2 else position for at, position in enumerate(positions)]
    many = game.solve_many(mixed)
    assert isinstance(many, Sequence)
    assert all(type(item) is game.Solution for item in many)
    assert isinstance(many.lower, np.ndarray)
    values = [item.value for item in many]
    assert json.loads(json.dumps(many.to_dict()))["value"] == values
    for items in (
        many,
        many[1:],
        game.solve_many([positions[0], 5, "no position"], Limits(nodes=1), on_error="return"),
    ):
        dicts = [{} if isinstance(item, Exception) else item.to_dict() for item in items]
        table = {name: [data.get(name) for data in dicts] for name in dicts[0]}  # from columns, and item by item
        told = items.to_dict()
        assert told == table | ({"error": told["error"]} if items.errors else {})
        assert set(map(type, told["lower"])) == set(map(type, table["lower"]))
        for name in {"winner", "plies", "points"} & {*table}:
            assert items.field(name) == getattr(items, name).tolist() == table[name]
        for name in {"winner", "plies"} - {*table}:
            assert not hasattr(items, name)
    with pytest.raises(OptionError, match=r"name must be one of .*value, .* not 'nonsense'"):
        many.field("nonsense")
    assert list(game.solve_iter(mixed)) == list(many)
    assert [item.value for item in game.solve_many(mixed, workers=2)] == values
    assert len(game.solve_many([])) == 0
    assert {"lower", "best_move"} <= set(game.solve_many([]).to_dict())


@pytest.mark.parametrize("limits", [None, *LIMITS], ids=str)
@pytest.mark.parametrize("line", [True, False])
@ALL
def test_a_batch_says_what_solve_says(case, limits, line):
    """Its answers, and its columns."""
    positions = case.unfinished(30)
    how = {"line": line} if "line" in inspect.signature(case.game.solve).parameters else {}
    many = case.game.solve_many(positions, limits, **how)
    alone = [case.game.solve(position, limits, **how) for position in positions]
    assert limits not in (None, Limits(deadline=4e9)) or all(item.exact for item in alone)
    free = COSTS | {"best_move"} | (case.free if limits is None else {"best_so_far"})
    for name in {*alone[0].to_dict(), *(item.name for item in fields(alone[0]))} - free:
        said = [getattr(item, name) for item in alone]
        assert [getattr(item, name) for item in many] == said, name
        column = getattr(many, name, None)
        if isinstance(column, np.ndarray) and name != "to_move":  # which columns write as a number
            assert column.tolist() == said, name
