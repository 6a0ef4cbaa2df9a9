"""Every public object: equality that ignores clocks, hash, repr, copies, pickles, slices; and none can be changed."""

import copy
import dataclasses
import functools
import inspect
import itertools
import pickle
from collections.abc import Sequence
from types import SimpleNamespace

import fifth
import nim  # pytest's pythonpath has the folders of examples
import numpy as np
import pytest
import tictactoe

import gamecore
from gamecore import Bounds, Limits, batch, draw, duel, hearts, hexapawn, rows

DUEL, ROW = "DQH2HA:H3D6S3:A:-", [5, 7, 9, 1, 4, 2]
FOUR = ["random", "greedy", "duck", "literal"]


def late_round(k=0):
    return hearts.random(rng=2, plies=40 + k)


def late_view(k):
    return late_round(k).view(late_round(k).to_move)


def compared(k):
    return hearts.compare(["duck", "random"], rounds=3, rng=k)


# Each kind of object is made from 0 and, with other content, from 1. What is made twice is computed twice.
OBJECTS = {
    "Bounds": lambda k: Bounds(-1, 2 + k),
    "MoveValue": lambda k: gamecore.MoveValue(1, 1, "xy"[k]),
    "Solution": lambda k: gamecore.Solution(1, 1, "AB"[k], ("x",), ("x",), 3, 0.1, 0),
    "Limits": lambda k: Limits(seconds=1, nodes=5, table_mb=2 if k else None),
    "BuildInfo": lambda k: dataclasses.replace(gamecore.build_info(), debug=bool(k)),
    "batch.Plan": lambda k: batch.Plan(2, on_error="return" if k else "raise"),
    "draw.Pen": lambda k: draw.Pen(color=bool(k)),
    "duel.PositionArray": lambda k: duel.PositionArray([1, 3, 5], [32, 64, 96], k),
    "hexapawn.Progress": lambda k: hexapawn.Progress(k, 1.5, 3, 16, 0, (), ("a1-a2",), (("b1-b2", 1, 3),)),
    "rows.Start": lambda k: rows.who_should_start(ROW[k:]),
    "rows.Play": lambda k: rows.play(ROW[k:]),
    "hearts.View": late_view,
    "hearts.Trick": lambda k: late_round().tricks[k],
    "hearts.Rules": lambda k: hearts.Rules(jack_of_diamonds=bool(k)),
    "hearts.BuiltIn": lambda k: hearts.player(f"pimc:{7 + k}:duck"),
    "hearts.Evaluation": lambda k: hearts.evaluate_moves(late_view(k), playouts=5, rng=1)[0],
    "hearts.Record": lambda k: hearts.record(FOUR, 9, k),
    "hearts.Simulation": lambda k: hearts.simulate(FOUR, 9, k),
    "hearts.Match": lambda k: hearts.match(FOUR, k),
    "hearts.Comparison": compared,
    "hearts.Difference": lambda k: compared(k).differences[0],
}
# What every game has, from texts of positions; the first and the last differ.
OF_A_GAME = {
    "Position": lambda game, texts, k: game.parse(texts[-k]),
    "Solution": lambda game, texts, k: game.solve(texts[-k]),
    "MoveValue": lambda game, texts, k: game.analyse(texts[-k])[0],
    "Analysis": lambda game, texts, k: game.analyse(texts[-k]),
    "Solutions": lambda game, texts, k: game.batch.solve_many(texts[:: 1 - 2 * k]),
    "Solutions with errors": lambda game, texts, k: game.batch.solve_many(
        [*texts[:: 1 - 2 * k], "nonsense"], on_error="return"
    ),
}
TEXTS = {
    duel.GAME: [DUEL, "SA:C2:A:-", "H2:D6S3:B:-"],
    hexapawn.GAME: ["ppp/3/PPP:w", "ppp/3/PPP:b", "pp/2/PP:w"],
    rows.GAME: ["optimal:me:0:0:5,7,9,1,4,2", "optimal:me:0:0:5,7,9", "greedy:me:0:0:2,1"],
    hearts.GAME: [late_round(k).to_text() for k in (0, 1, 2)],
    nim.GAME: ["A:3.4", "B:1", "B:2.1"],
    tictactoe.GAME: [tictactoe.GAME.random(rng=1, plies=plies).to_text() for plies in (5, 4, 3)],
}
for (game, texts), kind in itertools.product(TEXTS.items(), OF_A_GAME):
    OBJECTS[f"{game.name}.{kind}"] = functools.partial(OF_A_GAME[kind], game, texts)
for module, kind in itertools.product(
    (rows, hearts), ("Solutions", "Solutions with errors")
):  # of columns of their own
    game = SimpleNamespace(batch=module)
    OBJECTS[f"{module.GAME.name}.package.{kind}"] = functools.partial(OF_A_GAME[kind], game, TEXTS[module.GAME])
# Players (each is itself alone), processes, tables of all that can be asked of a row, rounds under way, bare arrays.
WITHOUT_EQUALITY = duel.Solver, hexapawn.Solver, hearts.Player
# What holds arrays that can be long is compared by content, and has no hash.
WITHOUT_HASH = "Solutions", "Solutions with errors", "PositionArray", "Simulation", "Match", "Comparison", "Record"
STRANGERS = None, 5, "text", object(), Limits(nodes=77), hearts.Rules(moon="none")


@pytest.fixture(params=OBJECTS)
def name(request):
    return request.param


def test_nothing_public_is_missing():
    kinds = {type(make(0)) for make in OBJECTS.values()}
    for module in (gamecore, batch, duel, hexapawn, rows, hearts):
        for word in module.__all__:
            value = getattr(module, word)
            if inspect.isclass(value) and not issubclass(value, Exception) and value not in WITHOUT_EQUALITY:
                assert value in kinds, f"{module.__name__}.{word}"


def test_equal_by_content_copied_pickled_and_shown(name):
    make = OBJECTS[name]
    thing = make(0)
    pickled = [pickle.loads(pickle.dumps(thing, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for again in (thing, make(0), copy.copy(thing), copy.deepcopy(thing), *pickled):
        assert type(again) is type(thing)
        assert thing == again
        assert not thing != again  # noqa: SIM202
        if name.split(".")[-1] in WITHOUT_HASH:
            with pytest.raises(TypeError, match="unhashable"):
                hash(again)
        else:
            assert hash(thing) == hash(again)
    for again in pickled:
        assert repr(again) == repr(thing)
    for other in (make(1), *STRANGERS):
        assert thing != other
        assert other != thing
        assert not thing == other  # noqa: SIM201
    for text in (repr(thing), str(thing)):
        assert text
        assert all(char.isprintable() or char == "\n" for char in text)
        assert " object at 0x" not in text
    assert type(thing).__name__ in repr(thing)
    assert "\n" not in repr(thing) or "array(" in repr(thing)


def test_unchangeable(name):
    thing = OBJECTS[name](0)
    if not dataclasses.is_dataclass(thing) and not hasattr(thing, "legal_moves"):
        return  # sequences promise nothing of the kind
    slots = [slot for kind in type(thing).__mro__ for slot in getattr(kind, "__slots__", ())]
    fields = [entry.name for entry in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else slots
    public = [field for field in fields if not field.startswith("_") and hasattr(thing, field)]
    assert public
    for field in public:
        with pytest.raises(AttributeError):
            setattr(thing, field, None)
        with pytest.raises(AttributeError):
            delattr(thing, field)
    assert thing == OBJECTS[name](0)


def same(entry, other):
    """Whether two items say the same: errors and arrays have no equality of their own."""
    if isinstance(entry, Exception):
        return type(entry) is type(other) and str(entry) == str(other)
    return bool(np.all(np.equal(entry, other))) if isinstance(entry, np.ndarray) else entry == other


SLICES = [slice(*part) for part in ((None,), (1, None), (None, -1), (None, None, -1), (5, 0, -2), (7, 9), (0, 0))]


def test_sequences(name):
    thing = OBJECTS[name](0)
    if not isinstance(thing, Sequence):
        return
    items = list(thing)
    assert len(thing) == len(items) > 1
    for index in range(-len(items), len(items)):
        assert same(thing[index], items[index])
    for index in (len(items), -len(items) - 1):
        with pytest.raises(IndexError):
            _ = thing[index]
    for part in SLICES:
        cut = thing[part]
        assert isinstance(cut, (type(thing), tuple))
        assert len(cut) == len(items[part])
        assert all(same(entry, other) for entry, other in zip(cut, items[part], strict=True))
        if isinstance(cut, type(thing)):
            assert cut == thing[part] == pickle.loads(pickle.dumps(cut)) == copy.copy(cut)
            assert len(cut) == len(thing) or cut != thing
    assert items[0] in thing
    assert thing.index(items[0]) == 0
    assert any(isinstance(item, Exception) for item in thing) == ("errors" in name)
    if "Solutions" in name or "Array" in name:  # columns are equal to any sequence of equal items
        for others in (items, tuple(items)):
            assert thing == others
            assert others == thing
            assert thing != others[:-1]
            assert thing != others[::-1]


@pytest.mark.parametrize("game", [*TEXTS, fifth.fifth.GAME], ids=lambda game: type(game).__module__)
def test_a_game_is_one_object(game):
    """Copies are the game itself, and so is what a pickle holds, but for games whose class is in another module."""
    for again in (copy.copy(game), copy.deepcopy(game), copy.deepcopy([game])[0]):
        assert again is game
    again = pickle.loads(pickle.dumps(game))
    assert again is game if game.name != "tictactoe" else again.name == game.name
