"""Every public object: equality that ignores clocks, hash, repr, copies, pickles, slices; and none can be changed."""

import copy
import dataclasses
import functools
import inspect
import itertools
import pickle
from collections.abc import Sequence

import numpy as np
import pytest

import gamecore
from gamecore import Bounds, Limits, batch, draw, duel, hearts, hexapawn, rows

DUEL, BOARD, ROW = "DQH2HA:H3D6S3:A:-", "ppp/3/PPP:w", [5, 7, 9, 1, 4, 2]
DUELS, BOARDS = [DUEL, "H2:D6S3:B:-", "SA:C2:A:-"], [BOARD, "ppp/3/PPP:b", "pp/2/PP:w"]
ROUND = hearts.random(rng=2, plies=40)
LATER = ROUND.play(ROUND.legal_moves()[0])
ANSWER = ("x",), ("x",), 3, 0.1, 0
FOUR = ["random", "greedy", "duck", "literal"]


def compared(seed):
    return hearts.compare(["duck", "random"], rounds=3, rng=seed)


def view(position):
    return position.view(position.to_move)


def bad(function, items):
    return function([*items, "nonsense"], on_error="return")


# Each kind of object: how to make one, and another one that differs. What is made twice is computed twice.
OBJECTS = {
    "Bounds": (lambda: Bounds(-1, 2), lambda: Bounds(-1, 3)),
    "MoveValue": (lambda: gamecore.MoveValue(1, 1, "x"), lambda: gamecore.MoveValue(1, 1, "y")),
    "Solution": (lambda: gamecore.Solution(1, 1, "A", *ANSWER), lambda: gamecore.Solution(1, 1, "B", *ANSWER)),
    "Limits": (lambda: Limits(seconds=1, nodes=5, table_mb=2), lambda: Limits(seconds=1, nodes=5)),
    "BuildInfo": (gamecore.build_info, lambda: dataclasses.replace(gamecore.build_info(), debug=None)),
    "batch.Plan": (lambda: batch.Plan(2, on_error="return"), lambda: batch.Plan(2)),
    "draw.Pen": (lambda: draw.Pen(color=True), draw.Pen),
    "duel.Position": (lambda: duel.Position.from_text(DUEL), lambda: duel.Position.from_text(DUELS[1])),
    "duel.PositionArray": (
        lambda: duel.PositionArray([1, 3, 5], [32, 64, 96]),
        lambda: duel.PositionArray([1, 3, 5], [32, 64, 96], 1),
    ),
    "hexapawn.Position": (lambda: hexapawn.Position.from_text(BOARD), lambda: hexapawn.Position.from_text(BOARDS[1])),
    "hexapawn.PositionArray": (
        lambda: hexapawn.PositionArray(3, 3, [7, 6, 5], [448, 448, 448]),
        lambda: hexapawn.PositionArray(3, 3, [7, 6, 5], [448, 448, 384]),
    ),
    "rows.Position": (lambda: rows.Position(ROW, "greedy"), lambda: rows.Position(ROW)),
    "rows.Start": (lambda: rows.who_should_start(ROW), lambda: rows.who_should_start(ROW[:4])),
    "rows.Play": (lambda: rows.play(ROW), lambda: rows.play(ROW[:4])),
    "hearts.Round": (lambda: hearts.random(rng=2, plies=40), lambda: LATER),
    "hearts.View": (lambda: view(hearts.random(rng=2, plies=40)), lambda: view(LATER)),
    "hearts.Trick": (lambda: ROUND.tricks[0], lambda: ROUND.tricks[1]),
    "hearts.Rules": (lambda: hearts.Rules(jack_of_diamonds=True), hearts.Rules),
    "hearts.BuiltIn": (lambda: hearts.player("pimc:7:duck"), lambda: hearts.player("pimc:8:duck")),
    "hearts.Evaluation": (
        lambda: hearts.evaluate_moves(view(ROUND), playouts=5, rng=1)[0],
        lambda: hearts.evaluate_moves(view(LATER), playouts=5, rng=1)[0],
    ),
    "hearts.Simulation": (lambda: hearts.simulate(FOUR, 9, 1), lambda: hearts.simulate(FOUR, 9, 2)),
    "hearts.Match": (lambda: hearts.match(FOUR, 1), lambda: hearts.match(FOUR, 2)),
    "hearts.Comparison": (lambda: compared(1), lambda: compared(2)),
    "hearts.Difference": (lambda: compared(1).differences[0], lambda: compared(2).differences[0]),
}
RESULTS = {
    "Solution": lambda game, items: game.solve(items[0]),
    "MoveValue": lambda game, items: game.analyse(items[0])[0],
    "Analysis": lambda game, items: game.analyse(items[0]),
    "Solutions": lambda game, items: game.solve_many(items),
    "Solutions with errors": lambda game, items: bad(game.solve_many, items),
}
SOLVED = {duel: DUELS, hexapawn: BOARDS, rows: [ROW, ROW[:3], [1]], hearts: [ROUND, LATER, LATER]}
for (game, items), kind in itertools.product(SOLVED.items(), RESULTS):
    same, other = (functools.partial(RESULTS[kind], game, some) for some in (items, items[::-1]))
    OBJECTS[f"{game.GAME.name}.{kind}"] = same, other
# Players (each is itself alone), processes, tables of all that can be asked of a row, rounds under way, bare arrays.
WITHOUT_EQUALITY = duel.Solver, hexapawn.Solver, hearts.Player
# What holds arrays that can be long is compared by content, and has no hash.
WITHOUT_HASH = "Solutions", "Solutions with errors", "PositionArray", "Simulation", "Match", "Comparison"


@pytest.fixture(params=OBJECTS)
def name(request):
    return request.param


@pytest.fixture
def thing(name):
    return OBJECTS[name][0]()


def test_nothing_public_is_missing():
    kinds = {type(make()) for make, _ in OBJECTS.values()}
    for module in (gamecore, batch, duel, hexapawn, rows, hearts):
        for word in module.__all__:
            value = getattr(module, word)
            if inspect.isclass(value) and not issubclass(value, Exception) and value not in WITHOUT_EQUALITY:
                assert value in kinds, f"{module.__name__}.{word}"


def test_equal_by_content_and_hashed(name, thing):
    make, another = OBJECTS[name]
    assert thing == thing
    assert thing == make()
    assert not thing != make()  # noqa: SIM202
    assert thing != another()
    assert not thing == another()  # noqa: SIM201
    for stranger in (None, 5, "text", object(), ROUND if "Round" not in name else Limits()):
        assert thing != stranger
        assert stranger != thing
    if name.split(".")[-1] in WITHOUT_HASH:
        with pytest.raises(TypeError, match="unhashable"):
            hash(thing)
    else:
        assert thing in {make()}


def test_pickled_and_copied(thing):
    pickled = [pickle.loads(pickle.dumps(thing, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*pickled, copy.copy(thing), copy.deepcopy(thing)):
        assert type(again) is type(thing)
        assert again == thing
        assert repr(again) == repr(thing)


def test_shown(name, thing):
    for text in (repr(thing), str(thing)):
        assert text
        assert all(char.isprintable() or char == "\n" for char in text)
        assert " object at 0x" not in text
    assert type(thing).__name__ in repr(thing)
    assert "\n" not in repr(thing) or "array(" in repr(thing)


def test_unchangeable(thing):
    slots = [slot for kind in type(thing).__mro__ for slot in getattr(kind, "__slots__", ())]
    fields = [entry.name for entry in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else slots
    public = [field for field in fields if not field.startswith("_") and hasattr(thing, field)]
    if not dataclasses.is_dataclass(thing) and not hasattr(thing, "legal_moves"):
        return  # sequences and oracles promise nothing of the kind
    assert public
    for field in public:
        with pytest.raises(AttributeError):
            setattr(thing, field, None)
        with pytest.raises(AttributeError):
            delattr(thing, field)
    assert thing == pickle.loads(pickle.dumps(thing))


def same(entry, other):
    """Whether two items say the same: errors and arrays have no equality of their own."""
    if isinstance(entry, Exception):
        return type(entry) is type(other) and str(entry) == str(other)
    return bool(np.all(np.equal(entry, other))) if isinstance(entry, np.ndarray) else entry == other


SLICES = [slice(*part) for part in ((None,), (1, None), (None, -1), (None, None, -1), (5, 0, -2), (7, 9), (0, 0))]


def test_sequences(name, thing):
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


def raised(call, *arguments, **options):
    with pytest.raises(gamecore.GamecoreError) as caught:
        call(*arguments, **options)
    return caught.value


class Wrong(hearts.Player):
    """Answers nonsense."""

    def choose(self, view):
        return "ZZ"


ERRORS = {
    "ParseError": lambda: raised(duel.parse, "1\nHA\nHX\n"),
    "ParseError of a notation": lambda: raised(duel.Position.from_text, "HA:HX:A:-"),
    "CardError": lambda: raised(duel.Position, ["HA"], ["HA"]),
    "IllegalMoveError": lambda: raised(duel.Position.from_text(DUEL).play, "SA"),
    "OptionError": lambda: raised(Limits, seconds=-1),
    "BatchError": lambda: raised(duel.solve_many, [DUEL, "nonsense"]),
    "PlayerError": lambda: raised(hearts.simulate, [Wrong(), *FOUR[1:]], 3, 1),
    "WorkerError": lambda: gamecore.WorkerError("module.Kind", "text"),
    "InternalError": lambda: gamecore.errors.InternalError("text"),
    "NotBuiltError": lambda: gamecore.errors.NotBuiltError("gamecore.kernels._cpu"),
}


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("how", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_are_pickled_with_what_they_hold(name, how):
    error = ERRORS[name]()
    assert type(error).__name__ == name.split()[0]
    again = how(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert "\n" not in str(error)
    assert vars(error) or name in ("CardError", "IllegalMoveError", "InternalError", "OptionError")
    assert vars(again) == vars(error)


def test_small_slices_make_small_pickles():
    many = duel.solve_many([DUEL] * 2000)
    assert len(pickle.dumps(many[5:7])) < len(pickle.dumps(many)) / 100
    assert many[5:7] == [many[5], many[6]]
