"""What machines learn of the order of moves: kernels tell and take it, the master merges it, stores keep it."""

import contextlib
import random
import sqlite3

import numpy as np
import pytest

from gamecore import Limits, duel, hexapawn, kernels, prove
from gamecore.errors import GamecoreError
from gamecore.prove import _lessons
from gamecore.prove._exchange import CHANGES, ENTRIES, pack, unpack
from gamecore.prove._store import Store
from gamecore.prove._tree import prover_of

LEVELS = kernels.available_levels()
RUN = b"r" * 16
PATTERNS = 1 << 18  # weights of the first kind on boards of 36 squares and more


def words(data):
    return np.frombuffer(data, dtype=np.uint64).copy()


def parts(lesson):
    """Places and changes of words, as Python's numbers."""
    return {int(word) >> 32: int(np.uint32(int(word) & 0xFFFFFFFF).astype(np.int32)) for word in lesson}


def change(place, difference):
    return place << 32 | difference & 0xFFFFFFFF


class Made:
    """An engine of made-up weights, kept as a plain dict."""

    def __init__(self, weights=100):
        self.weights = weights
        self.values = {}
        self.told = {}

    def learn(self, place, value):
        self.values[place] = value

    def take_changes(self):
        found = [
            change(place, value - self.told.get(place, 0))
            for place, value in self.values.items()
            if value != self.told.get(place, 0)
        ]
        self.told = dict(self.values)
        return np.array(found, dtype=np.uint64).tobytes()

    def put_changes(self, changes, away):
        for place, difference in parts(changes).items():
            for one in (self.values, self.told):
                one[place] = one.get(place, 0) + (-difference if away else difference)
        return len(changes)


def crew(count, weights=100):
    engines = [Made(weights) for _ in range(count)]
    learners = [_lessons.Learner(RUN, bytes([number]) * 16, engine) for number, engine in enumerate(engines)]
    return engines, learners


# --- kernels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [(5, 5), (6, 6), (7, 5)])
def test_a_kernel_that_is_told_everything_orders_moves_as_the_other(level, size):
    kernel = kernels.kernel("hexapawn", level)
    start = hexapawn.Position.start(*size)
    board = (start.white, start.black, False)

    def order(solver):
        return [(source, target, order) for source, target, _, _, order in solver.children(*board)]

    first, second, third = (kernel.Solver(*size, 1 << 16) for _ in range(3))
    first.test(*board, 1, -1.0, 3000)
    told = words(first.take_changes())
    assert len(told) > 100
    assert not first.take_changes()
    assert len(parts(told)) == len(told)  # each weight once
    assert max(parts(told)) < first.weights
    assert order(second) != order(first)
    assert second.put_changes(told, False) == len(told)
    assert order(second) == order(first)
    assert not second.take_changes()  # what came from elsewhere is not its own
    second.put_changes(told, True)
    assert order(second) == order(third)
    first.test(*board, 1, -1.0, 3000)
    more = words(first.take_changes())
    third.put_changes(told, False)
    third.put_changes(more, False)
    assert order(third) == order(first)


@pytest.mark.parametrize("level", LEVELS)
def test_a_kernel_takes_no_change_beyond_its_weights(level):
    solver = kernels.kernel("hexapawn", level).Solver(6, 6, 1 << 16)
    rng = random.Random(1)
    bad = [
        solver.weights,
        solver.weights + 1,
        (1 << 32) - 1,
        *(rng.randrange(solver.weights, 1 << 32) for _ in range(99)),
    ]
    assert solver.put_changes(np.array([change(place, 5) for place in bad], dtype=np.uint64), False) == 0
    assert not solver.take_changes()
    far = np.array([change(place, -(1 << 31)) for place in (0, PATTERNS, solver.weights - 1)], dtype=np.uint64)
    for _ in range(3):
        assert solver.put_changes(far, False) == 3  # a weight stays within its range whatever comes
    start = hexapawn.Position.start(6, 6)
    done, low, high, _ = solver.test(start.white, start.black, False, 1, -1.0, 0)
    assert done
    assert low <= -solver.mate + 30 <= high  # 6x6 = -30


# --- machines and master ---------------------------------------------------------------------------------------------


def test_each_weight_becomes_the_mean_over_those_that_changed_it():
    engines, learners = crew(3)
    engines[0].learn(7, 30)
    engines[1].learn(7, 60)
    engines[1].learn(8, -12)
    engines[2].learn(9, 5)
    merger = _lessons.Merger(RUN)
    for learner in learners:
        merger.add(learner.tell(0.0))
    lesson = merger.merged(1000.0)
    engines[0].learn(7, 37)  # 7 more, while the lesson was on its way
    for learner in learners:
        assert learner.take(unpack(RUN, lesson).words) > 0
    assert engines[0].values == {7: 45 + 7, 8: -12, 9: 5}
    assert engines[1].values == engines[2].values == {7: 45, 8: -12, 9: 5}
    merger.add(learners[0].tell(0.0))
    lesson = merger.merged(2000.0)
    for learner in learners:
        learner.take(unpack(RUN, lesson).words)
    assert all(engine.values == {7: 52, 8: -12, 9: 5} for engine in engines)


def test_machines_end_with_the_same_weights_whatever_they_learn_and_when():
    rng = random.Random(5)
    engines, learners = crew(5, 1000)
    merger = _lessons.Merger(RUN)
    lessons, read, now = [], [0] * 5, 0.0
    for _ in range(400):
        number = rng.randrange(5)
        for _ in range(rng.randrange(30)):
            engines[number].learn(
                place := rng.randrange(1000), engines[number].values.get(place, 0) + rng.randrange(-9, 10)
            )
        if told := learners[number].tell(0.0):
            merger.add(told)
        now += 0.02
        if lesson := merger.merged(now):
            lessons.append(lesson)
        if rng.random() < 0.5:
            for lesson in lessons[read[number] :]:
                assert learners[number].take(unpack(RUN, lesson).words) >= 0
            read[number] = len(lessons)
    lessons.append(merger.merged(now + 1000))
    for learner, start in zip(learners, read, strict=True):
        for lesson in lessons[start:]:
            if lesson:
                learner.take(unpack(RUN, lesson).words)
    nonzero = [{place: value for place, value in engine.values.items() if value} for engine in engines]
    assert nonzero[0]
    assert all(one == nonzero[0] for one in nonzero)
    total = unpack(RUN, merger.total()).words
    assert parts(total[2:]) == nonzero[0]


def test_lessons_keep_their_distance_in_time():
    engines, learners = crew(1)
    engines[0].learn(1, 1)
    assert not learners[0].tell(1000.0)
    assert learners[0].tell(0.0)
    assert not learners[0].tell(0.0)  # nothing new
    merger = _lessons.Merger(RUN)
    engines[0].learn(1, 2)
    merger.add(learners[0].tell(0.0))
    assert merger.merged(10.0)
    engines[0].learn(1, 3)
    merger.add(learners[0].tell(0.0))
    assert not merger.merged(10.0 + merger.every / 2)
    assert merger.merged(10.0 + merger.every)


def test_lessons_leave_the_masters_network_to_entries():
    engines, learners = crew(8, 200_000)
    merger = _lessons.Merger(RUN)
    rng = random.Random(1)
    carried = 0
    for engine, learner in zip(engines, learners, strict=True):
        for place in rng.sample(range(200_000), 20_000):
            engine.learn(place, rng.randrange(1, 30_000))
        told = learner.tell(0.0)
        carried += len(told)
        merger.add(told)
    lesson = merger.merged(1000.0)
    assert merger.every >= (carried + 8 * len(lesson)) / _lessons._BYTES_A_SECOND > 0.1


def test_what_is_no_lesson_changes_nothing():
    engines, learners = crew(2)
    merger = _lessons.Merger(RUN)
    engines[0].learn(3, 9)
    told = learners[0].tell(0.0)
    merger.add(told)
    lesson = merger.merged(1000.0)
    damaged = bytearray(lesson)
    damaged[-20] ^= 1

    def sealed(numbers, run=RUN, kind=CHANGES):
        return pack(run, bytes(16), np.array(numbers, dtype=np.uint64).tobytes(), kind)

    bad = [
        b"", b"no lesson", bytes(damaged), sealed([]), sealed([100]), sealed([101, 0, change(1, 1)]),
        sealed([100, 5, 1, 2, 3]), sealed([100, 0, change(1, 1)], b"x" * 16),
        sealed([100, 0, change(1, 1)], kind=ENTRIES),
    ]  # fmt: skip
    for one in bad:
        with contextlib.suppress(GamecoreError):  # a machine sends other kinds elsewhere
            kind, _, found = unpack(RUN, one)
            assert kind == ENTRIES or learners[1].take(found) == -1
        assert not engines[1].values
        other = _lessons.Merger(RUN)
        assert one == bad[5] or not other.start(one)
        other.add(one)
        assert one in (bad[5], bad[6]) or not other.merged(1000.0)
    assert learners[1].take(unpack(RUN, lesson).words) == 1
    assert merger.start(sealed([1 << 40, 0])) is False
    far = _lessons.Merger(RUN)
    far.add(pack(RUN, b"m" * 16, np.array([100, 1, change(100, 5)], dtype=np.uint64).tobytes(), CHANGES))
    assert parts(unpack(RUN, far.merged(1000.0)).words[5:]) == {}


def test_another_number_of_weights_begins_anew():
    merger = _lessons.Merger(RUN)
    (small,), (learner,) = crew(1, 100)
    small.learn(50, 7)
    merger.add(learner.tell(0.0))
    assert merger.merged(1000.0)
    (large,), (learner,) = crew(1, 200)
    large.learn(150, 8)
    merger.add(learner.tell(0.0))
    assert merger.merged(2000.0)
    again = _lessons.Merger(RUN)
    assert again.start(merger.total())
    assert again.total() == merger.total()
    assert parts(unpack(RUN, merger.total()).words[2:]) == {150: 8}


# --- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_that_goes_on_has_learnt(tmp_path):
    """The same run in sittings of 30,000 nodes, with what was learnt and without."""
    nodes = {}
    for forgets in (False, True):
        path = tmp_path / f"store{forgets}"
        outcome = None
        while outcome is None or not outcome.answered:
            outcome = prove.run(hexapawn.Position.start(6, 6), path, limits=Limits(nodes=30_000))
            with Store.open(path) as store:
                assert store.learnt()
            if forgets:
                with sqlite3.connect(path) as connection:
                    connection.execute("DELETE FROM learnt")
        assert outcome.value == -30
        nodes[forgets] = outcome.nodes
    assert nodes[False] < 0.95 * nodes[True]


def test_what_was_learnt_is_that_of_the_whole_run(tmp_path):
    path = tmp_path / "store"
    prove.run(hexapawn.Position.start(6, 6), path, limits=Limits(nodes=20_000))
    with Store.open(path) as store:
        first = parts(unpack(store.run, store.learnt()).words[2:])
    prove.run(hexapawn.Position.start(6, 6), path, limits=Limits(nodes=20_000))
    with Store.open(path) as store:
        second = parts(unpack(store.run, store.learnt()).words[2:])
    assert len(second) > len(first)
    assert len(first.keys() - second.keys()) < 0.1 * len(first)  # few have come back to 0


def test_a_damaged_lesson_of_a_store_costs_nothing_but_learning(tmp_path):
    path = tmp_path / "store"
    prove.run(hexapawn.Position.start(6, 6), path, limits=Limits(nodes=20_000))
    with Store.open(path) as store:
        learnt = store.learnt()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE learnt SET lesson = ?", (learnt[:-1] + b"?",))
    assert prove.run(hexapawn.Position.start(6, 6), path).value == -30


def test_the_duel_learns_nothing():
    rules = prover_of("duel")
    engine = rules.engine(rules.canonical(duel.Position.from_text("S7H2:S8S4:A:-")), 1 << 20, False)
    assert engine.weights == 0
    assert _lessons.Learner(RUN, b"m" * 16, engine).tell(0.0) == b""
