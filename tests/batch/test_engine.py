"""The engine of batches: order, windows, chunks, errors, executors that die, cancellation, progress."""

import functools
import itertools
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from batch_tasks import Dies, Here, picky, slow_square, square, suicidal, unkind
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import OptionError, batch, duel
from gamecore.batch import progress, stream, workers
from gamecore.errors import BatchError, ParseError

WAYS = [{"workers": 1}, {"workers": 3}, {"executor": Here()}]
CORES = batch.Plan(workers=None).parallel()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 300), st.integers(1, 5), st.booleans())
def test_answers_are_those_of_map(count, workers, sized):
    items = range(count) if sized else iter(range(count))
    assert batch.run(square, items, workers=workers) == [x * x for x in range(count)]


@pytest.mark.parametrize("executor", [Here, lambda: ThreadPoolExecutor(3), lambda: ProcessPoolExecutor(2)])
def test_executors(executor):
    with executor() as pool:
        assert batch.run(square, range(2000), executor=pool) == [x * x for x in range(2000)]
        assert batch.run(square, (), executor=pool) == []
        assert pool.submit(square, 3).result() == 9  # it is still ours


# --- chunks and windows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_endless_input_is_read_a_few_chunks_ahead(workers):
    most, last = 0, [0]

    def items():
        for last[0] in itertools.count():
            yield last[0]

    squares = batch.imap(slow_square, items(), workers=workers)
    for place, _ in zip(range(3000), squares, strict=False):
        most = max(most, last[0] - place)
    squares.close()
    assert most < (2 * workers + 2) * 400  # at a millisecond or more an item, no chunk has more than 400


def sizes_of_chunks(count, plan, **how):
    """The sizes of a batch's chunks; its answers are the items."""
    sizes, parts = [], stream.stream(list, stream.Items(range(count), lambda part: (part, {}), plan, "items"), **how)
    answers = []
    for part in parts:
        sizes.append(part.size)
        answers.extend(part.result)
    assert answers == [*range(count)]
    return sizes


def test_chunks_grow_step_by_step_and_shrink_near_the_end():
    sizes = sizes_of_chunks(300_000, batch.Plan(executor=ThreadPoolExecutor(2)))
    assert sizes[0] == 1
    assert all(after <= 8 * before for before, after in itertools.pairwise(itertools.accumulate(sizes, max)))
    assert sizes[-1] < max(sizes) <= 300_000 / 4  # two chunks for each worker are left


def test_one_thread_and_no_executor_is_one_call():
    assert sizes_of_chunks(1000, batch.Plan(progress=False, whole=True)) == [1000]
    assert sizes_of_chunks(1000, batch.Plan(progress=lambda *_: None, whole=True))[0] == 1


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize(("first", "most"), [(1, 1), (1, 7), (64, 64), (3, 1 << 17)])
def test_answers_do_not_depend_on_chunks(workers, first, most):
    assert max(sizes_of_chunks(500, batch.Plan(workers), first=first, most=most)) <= most


def test_no_more_than_two_chunks_a_worker_are_ahead():
    pool, most = Here(), 0
    for done, _ in enumerate(batch.imap(slow_square, range(200), executor=pool)):
        most = max(most, pool.tasks if not done else 0)
    assert 1 < most <= 2 * CORES + 1


def test_parallel_is_asked_of_the_executor():
    class Client:
        def nthreads(self):
            return {"a": 3, "b": 4}

    class Cluster(Here):
        _client = Client()

    assert batch.Plan(executor=Cluster()).parallel() == 7
    with ThreadPoolExecutor(3) as pool:
        assert batch.Plan(executor=pool).parallel() == 3
    assert batch.Plan(executor=Here()).parallel() == CORES


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", WAYS)
def test_a_bad_item_ends_the_batch_or_is_an_answer(how):
    with pytest.raises(BatchError, match=r"^items\[31\]: ValueError: 3 is not wanted$") as caught:
        batch.run(picky, [*range(0, 300, 7), *range(3, 300, 7)][12:], **how)
    error = caught.value
    assert (error.index, error.done) == (31, list(range(84, 300, 7)))
    assert isinstance(error.__cause__, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.index, again.done) == (str(error), error.index, error.done)
    answers = batch.run(picky, range(300), on_error="return", **how)
    assert [str(answer) for answer in answers] == [f"{x} is not wanted" if x % 7 == 3 else str(x) for x in range(300)]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("on_error", ["raise", "return"])
def test_input_that_fails_itself(how, on_error):
    def items():
        yield from range(2500)
        raise ParseError("no such thing", 7)

    with pytest.raises(BatchError, match=r"items\[2500\]: line 7: no such thing") as caught:
        batch.run(square, items(), on_error=on_error, **how)
    assert (caught.value.index, caught.value.done) == (2500, [x * x for x in range(2500)])
    squares = []
    with pytest.raises(BatchError):
        squares.extend(batch.imap(square, items(), on_error=on_error, **how))
    assert squares == caught.value.done


@pytest.mark.parametrize("how", ["submit", "future", "cancel", "closed"])
def test_an_executor_that_dies(how):
    with pytest.raises(BatchError, match=r"^the executor failed \(.*\); (\d+) of 5000 items had been ans") as caught:
        batch.run(square, range(5000), executor=Dies(5, how))
    error = caught.value
    assert 0 < error.index < 5000
    assert error.done == [x * x for x in range(error.index)]
    assert f" {error.index} of 5000" in str(error)


@pytest.mark.skipif(os.name != "posix", reason="processes are not killed like that here")
def test_a_worker_process_that_is_killed():
    with ProcessPoolExecutor(2) as pool, pytest.raises(BatchError, match=r"failed [(]BrokenProcessPool") as caught:
        batch.run(suicidal, range(1000), executor=pool)
    assert caught.value.done == list(range(caught.value.index))
    assert caught.value.index <= 300


def test_a_task_that_cannot_be_sent_and_no_future():
    executor = Here()
    executor.submit = lambda function, *arguments: None
    with pytest.raises(BatchError, match="must return a future, not None"):
        batch.run(square, range(3), executor=executor)
    with ProcessPoolExecutor(1) as pool, pytest.raises(BatchError, match="the executor failed") as caught:
        batch.run(lambda x: x, range(10), executor=pool)
    assert caught.value.done == []


def test_errors_that_cannot_be_unpickled(pools):
    names = ["two arguments", "local", "hostile text", "fine"]
    errors = batch.run(unkind, names, executor=pools[0], on_error="return")
    with pytest.raises(BatchError, match=r"^items\[0\]: batch_tasks.TwoArguments: one and two"):
        batch.run(unkind, names, executor=pools[0])
    assert [f"{type(error).__name__} {error}" for error in errors] == [
        "WorkerError batch_tasks.TwoArguments: one and two",
        "WorkerError batch_tasks.unkind.<locals>.Local: here only",
        "WorkerError batch_tasks.Hostile",
        "ValueError fine",
    ]


BAD = {"workers": (0, True, 10**6), "executor": (3,), "progress": ("y",), "on_error": ("ignore",)}
BAD |= {"items": (3, None, "text", b"bytes")}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BAD for value in BAD[name]])
def test_bad_options(name, value):
    for function in (batch.run, batch.imap):
        with pytest.raises(OptionError, match=f"^{name} must be"):
            function(square, **{"items": [1], name: value})


# --- cancellation ----------------------------------------------------------------------------------------------------


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
    with run.at_work(), workers.beside([functools.partial(call, 4)]):  # of a cancelled run: never, or at once
        assert batch.is_cancelled()
        call(5)
    assert events[-1] == -5


def test_an_exception_of_a_call_beside_a_block_is_raised():
    with pytest.raises(MemoryError, match="no table"), workers.beside([functools.partial(raise_, MemoryError)]):
        time.sleep(0.05)


def raise_(kind):
    raise kind("no table")


@pytest.mark.parametrize("workers_", [1, 2])
def test_bounds_of_a_stopped_search_are_no_answer(workers_):
    run = workers.Run()
    threading.Timer(0.3, run.cancel).start()
    with run.at_work(), pytest.raises(CancelledError):
        duel.solve_many([duel.deal(23, rng=5)] * 5, workers=workers_)


@pytest.mark.parametrize("room", [0, 1])
def test_fewer_threads_are_used_where_the_system_gives_fewer(monkeypatch, room):
    start, left = threading.Thread.start, [room]

    def start_some(thread):
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)
    assert batch.run(abs, range(-50, 50), workers=4) == [abs(x) for x in range(-50, 50)]


# --- progress --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", WAYS)
def test_a_callback_gets_the_progress(how):
    calls = []
    batch.run(square, range(1000), progress=lambda *numbers: calls.append(numbers), **how)
    assert calls[-1] == (1000, 1000)
    assert calls == sorted(calls)
    batch.run(square, iter(range(10)), progress=lambda *numbers: calls.append(numbers), **how)
    assert calls[-1] == (10, None)


def started(progress, stderr):
    code = f"from batch_tasks import *\nfrom gamecore import batch\nbatch.run(slow_square, range(1500), {progress=})"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, os.path.dirname(__file__)])}
    return subprocess.Popen([sys.executable, "-c", code], stderr=stderr, env=environment)


@pytest.mark.parametrize("progress", [None, True])
def test_a_bar_on_a_terminal_with_rate_and_eta(progress):
    pty = pytest.importorskip("pty", reason="no terminals here")
    termios = pytest.importorskip("termios", reason="no terminals here")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    process = started(progress, theirs)
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 4096):
            seen += block
    except OSError:  # Linux, when the other side closes
        pass
    os.close(ours)
    assert process.wait() == 0
    assert re.search(rb"% \[#+\.+\] \d+/1,500 items, [\d,.]+/s, 0:0\d left", seen)
    *_, last, end = seen.split(b"\r")
    assert (last.strip(), end) == (b"", b"")  # nothing is left on the line
    assert max(map(len, seen.split(b"\r"))) < 100


@pytest.mark.parametrize("progress", [None, True, False])
def test_silence_in_pipes(progress):
    process = started(progress, subprocess.PIPE)
    assert (process.communicate()[1], process.returncode) == (b"", 0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((250, 1000, "rounds", 5.0, 58), " 25% [####.............] 250/1,000 rounds, 50/s, 0:15 left"),
        ((1000, 1000, "rounds", 20.0, 50), "100% [##################] 1,000/1,000 rounds, 50/s"),
        ((5, 10_000, "positions", 20.0, 45), "  0% 5/10,000 positions, 0.25/s, 11:06:20 left"[:45]),
        ((0, 10, "items", 5.0, 20), "  0% 0/10 items, 0/s"),
        ((3725 * 10**6, None, "items", 3725.0, 79), "3,725,000,000 items, 1,000,000/s, 1:02:05"),
        ((0, 0, "items", 0.0, 79), "0 items, 0/s, 0:00"),
    ],
)
def test_text_of_a_bar(arguments, line):
    assert progress.line_of(*arguments) == line


class Gone:
    """A terminal that goes away."""

    closed = True

    def isatty(self):
        return True

    def write(self, text):
        raise OSError("gone")


@pytest.mark.parametrize("stderr", [Gone(), None])
def test_a_bar_on_a_terminal_that_goes_away(monkeypatch, stderr):
    monkeypatch.setattr(progress, "_DELAY", 0)
    monkeypatch.setattr("sys.stderr", stderr)
    assert batch.run(slow_square, range(3)) == [0, 1, 4]
