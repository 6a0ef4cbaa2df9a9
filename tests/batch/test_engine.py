"""The engine of batches: order, chunks, failures, executors that die, cancellation, progress."""

import contextlib
import functools
import itertools
import os
import re
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from batch_tasks import Dies, Here, picky, slow_square, square, suicidal, unkind
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, batch, duel, hexapawn
from gamecore.batch import progress, stream, workers
from gamecore.errors import BatchError, ParseError

CORES = batch.Plan(workers=None).parallel()
WAYS = [1, 3, Here]  # numbers of threads, and executors


@contextlib.contextmanager
def opened(way):
    """The options of a batch that is run this way."""
    if isinstance(way, int):
        yield {"workers": way}
    else:
        with way() as executor:
            yield {"executor": executor}


def processes():
    return ProcessPoolExecutor(2)


def sizes_of_chunks(count, plan, **how):
    """The sizes of a batch's chunks; its answers are the items."""
    sizes, parts = [], stream.stream(list, stream.Items(range(count), lambda part: (part, {}), plan, "items"), **how)
    answers = []
    for part in parts:
        sizes.append(part.size)
        answers.extend(part.result)
    assert answers == [*range(count)]
    return sizes


@settings(max_examples=60)
@given(st.integers(0, 300), st.integers(1, 5), st.sampled_from([(1, 1), (1, 7), (64, 64), (3, 1 << 17)]))
def test_answers_are_those_of_map_whatever_the_chunks(count, workers, sizes):
    for items in (range(count), iter(range(count))):
        assert batch.run(square, items, workers=workers) == [x * x for x in range(count)]
    first, most = sizes
    assert max(sizes_of_chunks(count, batch.Plan(workers), first=first, most=most), default=0) <= most


@pytest.mark.parametrize("way", [1, 2, Here])
def test_no_more_than_two_chunks_a_worker_are_ahead(way):
    most, last = 0, [0]

    def endless():
        for last[0] in itertools.count():
            yield last[0]

    with opened(way) as how, contextlib.closing(batch.imap(slow_square, endless(), **how)) as squares:
        assert next(squares) == 0
        assert way is not Here or 1 < how["executor"].tasks <= 2 * CORES + 1
        for place, _ in zip(range(1, 1500), squares, strict=False):
            most = max(most, last[0] - place)
    width = way if isinstance(way, int) else CORES
    assert most < (2 * width + 2) * 400  # at a millisecond or more an item, no chunk has more than 400


def test_chunks_grow_step_by_step_and_shrink_near_the_end():
    sizes = sizes_of_chunks(300_000, batch.Plan(executor=ThreadPoolExecutor(2)))
    assert sizes[0] == 1
    assert all(after <= 8 * before for before, after in itertools.pairwise(itertools.accumulate(sizes, max)))
    assert sizes[-1] < max(sizes) <= 300_000 / 4  # two chunks for each worker are left


def test_one_thread_and_no_executor_is_one_call():
    assert sizes_of_chunks(1000, batch.Plan(progress=False, whole=True)) == [1000]
    assert sizes_of_chunks(1000, batch.Plan(progress=lambda *_: None, whole=True))[0] == 1


def test_parallel_is_asked_of_the_executor():
    cluster = Here()
    cluster._client = SimpleNamespace(nthreads=lambda: {"a": 3, "b": 4})
    for executor, number in ((cluster, 7), (ThreadPoolExecutor(3), 3), (Here(), CORES)):
        assert batch.Plan(executor=executor).parallel() == number


@pytest.mark.parametrize("way", WAYS)
def test_a_bad_item_ends_the_batch_or_is_an_answer(way):
    with opened(way) as how:
        with pytest.raises(BatchError, match=r"^items\[31\]: ValueError: 3 is not wanted$") as caught:
            batch.run(picky, [*range(84, 300, 7), *range(3, 300, 7)], **how)
        assert (caught.value.index, caught.value.done) == (31, list(range(84, 300, 7)))
        assert isinstance(caught.value.__cause__, ValueError)
        answers = batch.run(picky, range(300), on_error="return", **how)
    assert [str(answer) for answer in answers] == [f"{x} is not wanted" if x % 7 == 3 else str(x) for x in range(300)]


def input_that_fails():
    yield from range(2500)
    raise ParseError("no such thing", 7)


#: The function, its items, what runs it, the message, and how many items may have been answered.
FAILURES = [(square, input_that_fails, way, "items[{}]: line 7: no such thing", {2500}) for way in WAYS]
for death in ("submit", "future", "cancel", "closed", "none"):
    failure = "; {} of 5000 items had been answered"
    FAILURES.append((square, lambda: range(5000), functools.partial(Dies, death), failure, range(1, 5000)))
FAILURES += [
    (square, lambda: range(3), lambda: Dies("none", 0), "failed (TypeError: submit() must return a future, not N", {0}),
    (lambda x: x, lambda: range(9), processes, "the executor failed (", {0}),  # it cannot be pickled
    (suicidal, lambda: range(1000), processes, "failed (BrokenProcessPool", range(301)),
]


@pytest.mark.skipif(os.name != "posix", reason="processes are not killed like that here")
@pytest.mark.parametrize("on_error", ["raise", "return"])
@pytest.mark.parametrize(("function", "items", "way", "message", "indexes"), FAILURES)
def test_answers_before_a_failure_are_kept(function, items, way, message, indexes, on_error):
    answers = []
    for take in (batch.run, lambda *arguments, **how: answers.extend(batch.imap(*arguments, **how))):
        answers.clear()
        with opened(way) as how, pytest.raises(BatchError) as caught:
            take(function, items(), on_error=on_error, **how)
        error = caught.value
        assert error.index in indexes
        assert message.format(error.index) in str(error)
        expected = [function(x) for x in itertools.islice(items(), error.index)]
        assert expected == (error.done if take is batch.run else answers)


def test_errors_that_cannot_be_unpickled(pools):
    errors = batch.run(unkind, [True, False], executor=pools[0], on_error="return")
    assert [type(error).__name__ for error in errors] == ["WorkerError", "ValueError"]
    with pytest.raises(BatchError, match=r"^items\[0\]: batch_tasks.TwoArguments: one and two"):
        batch.run(unkind, [True], executor=pools[0])


def test_calls_beside_a_block_are_stopped_when_it_ends():
    events = []

    def call(number):
        going, end = [True], time.monotonic() + 10
        with workers.stoppable(going.clear):
            events.append(number)
            while going and time.monotonic() < end:
                time.sleep(0.001)
        events.append(f"{number} was not stopped" if going else -number)

    with workers.beside([functools.partial(call, number) for number in (1, 2, 3)]):
        while len(events) < 3:
            time.sleep(0.001)
    assert sorted(events) == [-3, -2, -1, 1, 2, 3]
    run = workers.Run()
    run.cancel()
    with run.at_work(), workers.beside([functools.partial(call, 4)]):  # within a cancelled run it never begins
        assert batch.is_cancelled()
        call(5)
        time.sleep(0.2)
    assert events[6:] == [5, -5]
    began = threading.Event()
    with pytest.raises(ZeroDivisionError), workers.beside([lambda: began.set() or 1 / 0]):
        began.wait(60)


@pytest.mark.parametrize("count", [1, 2])
def test_bounds_of_a_stopped_search_are_no_answer(count):
    run = workers.Run()
    threading.Timer(0.3, run.cancel).start()
    with run.at_work(), pytest.raises(CancelledError):
        duel.solve_many([duel.deal(23, rng=5)] * 5, Limits(seconds=3), workers=count)


@pytest.mark.parametrize("room", [0, 1])
def test_fewer_threads_are_used_where_the_system_gives_fewer(monkeypatch, room):
    start, left = threading.Thread.start, [None] * room

    def start_some(thread):
        if not left:
            raise RuntimeError("can't start new thread")
        left.pop()
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)
    assert batch.run(abs, range(-50, 50), workers=4) == [abs(x) for x in range(-50, 50)]
    assert hexapawn.solve(hexapawn.Position.start(6, 6), Limits(table_mb=16), threads=3).value == -30


@pytest.mark.parametrize("way", WAYS)
def test_a_callback_gets_the_progress(way):
    calls = []
    with opened(way) as how:
        for items, last in ((range(1000), (1000, 1000)), (iter(range(10)), (10, None))):
            calls.clear()
            batch.run(square, items, progress=lambda *numbers: calls.append(numbers), **how)
            assert calls[-1] == last
            assert calls == sorted(calls)


@pytest.mark.parametrize("progress", [None, True, False])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_bar_on_a_terminal_with_rate_and_eta_is_cleared(progress, is_terminal, monkeypatch):
    ours, theirs = pytest.importorskip("pty", reason="no terminals here").openpty() if is_terminal else os.pipe()
    if is_terminal:
        pytest.importorskip("termios").tcsetwinsize(theirs, (24, 100))
    with open(theirs, "w", encoding="ascii") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        batch.run(slow_square, range(1000), progress=progress)
        monkeypatch.undo()
        os.set_blocking(ours, False)
        seen = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                seen += os.read(ours, 4096)
    os.close(ours)
    bar = rb"(\r[^\r]*)*\r *\d+% \[#+\.+\] \d+/1,000 items, [\d,.]+/s, 0:0\d left(\r[^\r]*)*\r *\r"
    assert re.fullmatch(bar if is_terminal and progress is not False else b"", seen)
    assert max(map(len, seen.split(b"\r"))) < 100


def gone(*_):
    raise OSError("gone")


@pytest.mark.parametrize("stderr", [SimpleNamespace(closed=True, isatty=lambda: True, write=gone), None])
def test_a_bar_on_a_terminal_that_goes_away(monkeypatch, stderr):
    monkeypatch.setattr(progress, "_DELAY", 0)
    monkeypatch.setattr("sys.stderr", stderr)
    assert batch.run(slow_square, range(3)) == [0, 1, 4]
