"""The engine of batches: order, windows, chunks, errors, executors that die, progress."""

import itertools
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from batch_tasks import Dies, Here, picky, slow_square, square, suicidal
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import OptionError, batch
from gamecore.batch import plan, progress, stream
from gamecore.errors import BatchError, ParseError

WAYS = [{"workers": 1}, {"workers": 3}, {"executor": Here()}]


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


class Sizes(Here):
    """Notes the number of items in each task."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def submit(self, fn, *arguments):
        self.sizes.append(len(arguments[1].args[1]))
        return super().submit(fn, *arguments)


def test_chunks_grow_step_by_step_and_shrink_near_the_end():
    pool = Sizes()
    assert batch.run(square, range(300_000), executor=pool) == [x * x for x in range(300_000)]
    assert sum(pool.sizes) == 300_000
    assert pool.sizes[0] == 1
    assert all(after <= 8 * before for before, after in itertools.pairwise(itertools.accumulate(pool.sizes, max)))
    assert pool.sizes[-1] < max(pool.sizes) <= 300_000 / 2


def test_one_thread_and_no_executor_is_one_call():
    sizes = []
    source = stream.Items(range(1000), lambda places: (places, {}))
    parts = stream.stream(lambda places: sizes.append(len(places)), source, batch.Plan(progress=False, whole=True))
    assert [part.count for part in parts] == sizes == [1000]


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize(("first", "most"), [(1, 1), (1, 7), (64, 64), (3, 1 << 17)])
def test_answers_do_not_depend_on_chunks(workers, first, most):
    source = stream.Items(range(500), lambda places: (places, {}))
    parts = stream.stream(list, source, batch.Plan(workers), first=first, most=most)
    assert [number for part in parts for number in part.result] == list(range(500))


def test_no_more_than_two_chunks_a_worker_are_ahead():
    pool, most = Here(), 0
    for done, _ in enumerate(batch.imap(slow_square, range(200), executor=pool)):
        most = max(most, pool.tasks if not done else 0)
    assert 1 < most <= 2 * plan.cores() + 1


def test_parallel_is_asked_of_the_executor():
    class Client:
        def nthreads(self):
            return {"a": 3, "b": 4}

    class Cluster(Here):
        _client = Client()

    assert batch.Plan(executor=Cluster()).parallel() == 7
    with ThreadPoolExecutor(3) as pool:
        assert batch.Plan(executor=pool).parallel() == 3
    assert batch.Plan(executor=Here()).parallel() == batch.Plan(workers=None).parallel() == plan.cores()


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
    assert len(answers) == 300
    for x, answer in enumerate(answers):
        assert str(answer) == f"{x} is not wanted" if x % 7 == 3 else answer == x


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


@pytest.mark.parametrize(
    "options",
    [{"workers": 0}, {"workers": True}, {"workers": 10**6}, {"executor": 3}, {"progress": "y"}, {"on_error": "ignore"}],
    ids=str,
)
def test_bad_options(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        batch.run(square, [1], **options)


@pytest.mark.parametrize("items", [3, None, "text", b"bytes"])
def test_items_that_are_none(items):
    with pytest.raises(OptionError, match="items must be a list"):
        batch.run(square, items)


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
