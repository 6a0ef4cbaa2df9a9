"""The engine of batches: order, windows, chunks, errors, executors that die, progress."""

import io
import itertools
import os
import pickle
import re
import signal
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

# --- order and answers -----------------------------------------------------------------------------------------------


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


def test_loky():
    externals = pytest.importorskip("joblib.externals.loky", reason="joblib is not installed")
    pool = externals.get_reusable_executor(max_workers=2)
    assert batch.Plan(executor=pool).parallel() == 2
    assert batch.run(square, range(2000), executor=pool) == [x * x for x in range(2000)]


def test_endless_input_is_read_a_few_chunks_ahead():
    for workers in (1, 2):
        most, last = 0, [0]

        def items(last=last):
            for last[0] in itertools.count():
                yield last[0]

        stream = batch.imap(slow_square, items(), workers=workers)
        for place, _ in zip(range(3000), stream, strict=False):
            most = max(most, last[0] - place)
        stream.close()
        # At a millisecond or more an item, no chunk has more than 400.
        assert most < (2 * workers + 2) * 400


# --- chunks ----------------------------------------------------------------------------------------------------------


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
    class Later(Here):
        def __init__(self):
            super().__init__()
            self.open, self.most = 0, 0

        def submit(self, fn, *arguments):
            self.open += 1
            self.most = max(self.most, self.open)
            return super().submit(fn, *arguments)

    pool = Later()
    for _ in batch.imap(slow_square, range(200), executor=pool):
        pool.open = max(0, pool.open - 1)
    assert 1 < pool.most <= 2 * plan.cores() + 1


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

WAYS = [{"workers": 1}, {"workers": 3}, {"executor": Here()}]


@pytest.mark.parametrize("how", WAYS)
def test_a_bad_item_ends_the_batch(how):
    with pytest.raises(BatchError, match=r"^items\[31\]: ValueError: 3 is not wanted$") as caught:
        batch.run(picky, [*range(0, 300, 7), *range(3, 300, 7)][12:], **how)
    error = caught.value
    assert error.index == 31
    assert error.done == list(range(84, 300, 7))
    assert isinstance(error.__cause__, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.index, again.done) == (str(error), error.index, error.done)


@pytest.mark.parametrize("how", WAYS)
def test_bad_items_are_answers_when_asked_for(how):
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
    assert caught.value.index == 2500
    assert caught.value.done == [x * x for x in range(2500)]
    found = []
    with pytest.raises(BatchError):
        found.extend(batch.imap(square, items(), on_error=on_error, **how))
    assert found == [x * x for x in range(2500)]


@pytest.mark.parametrize("how", ["submit", "future", "cancel", "closed"])
def test_an_executor_that_dies(how):
    pool = Dies(5, how)
    with pytest.raises(BatchError, match=r"^the executor failed \(.*\); \d+ of 5000 items had been ans") as caught:
        batch.run(square, range(5000), executor=pool)
    error = caught.value
    assert 0 < error.index < 5000
    assert error.done == [x * x for x in range(error.index)]
    assert str(error.index) in str(error)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed like that here")
def test_a_worker_process_that_is_killed():
    with ProcessPoolExecutor(2) as pool, pytest.raises(BatchError, match=r"failed [(]BrokenProcessPool") as caught:
        batch.run(suicidal, range(1000), executor=pool)
    assert caught.value.index <= 300
    assert caught.value.done == list(range(caught.value.index))


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
    [
        {"workers": 0}, {"workers": True}, {"workers": 10**6}, {"workers": "2"}, {"executor": 3}, {"progress": "yes"},
        {"on_error": "ignore"},
    ],
)  # fmt: skip
def test_bad_options(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        batch.run(square, [1], **options)


@pytest.mark.parametrize("items", [3, None, "text", b"bytes"])
def test_items_that_are_none(items):
    with pytest.raises(OptionError, match="items must be a list"):
        batch.run(square, items)


# --- progress --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", WAYS)
def test_a_function_is_told_the_progress(how):
    told = []
    batch.run(square, range(1000), progress=lambda *numbers: told.append(numbers), **how)
    assert told[-1] == (1000, 1000)
    assert told == sorted(told)
    batch.run(square, iter(range(10)), progress=lambda *numbers: told.append(numbers), **how)
    assert told[-1] == (10, None)


SHOWN = """
from batch_tasks import slow_square
from gamecore import batch
batch.run(slow_square, range(1500), progress={progress})
"""


def shown(progress, stderr):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, os.path.dirname(__file__)])}
    command = [sys.executable, "-c", SHOWN.format(progress=progress)]
    return subprocess.Popen(command, stderr=stderr, env=environment)


@pytest.mark.parametrize("progress", [None, True])
def test_a_bar_on_a_terminal_with_rate_and_eta(progress):
    pty = pytest.importorskip("pty", reason="no terminals here")
    termios = pytest.importorskip("termios", reason="no terminals here")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    process = shown(progress, theirs)
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 4096):
            seen += block
    except OSError:  # what Linux says when the other side closes
        pass
    os.close(ours)
    assert process.wait() == 0
    assert re.search(rb"% \[#+\.+\] \d+/1,500 items, [\d,.]+/s, 0:0\d left", seen)
    *_, last, end = seen.split(b"\r")
    assert (last.strip(), end) == (b"", b"")  # nothing is left on the line
    assert max(map(len, seen.split(b"\r"))) < 100


@pytest.mark.parametrize("progress", [None, True, False])
def test_silence_in_pipes(progress):
    process = shown(progress, subprocess.PIPE)
    assert process.communicate()[1] == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ((250, 1000, "rounds", 5.0, 58), " 25% [####.............] 250/1,000 rounds, 50/s, 0:15 left"),
        ((1000, 1000, "rounds", 20.0, 50), "100% [##################] 1,000/1,000 rounds, 50/s"),
        ((5, 10_000, "positions", 20.0, 45), "  0% 5/10,000 positions, 0.25/s, 11:06:20 left"[:45]),
        ((0, 10, "items", 5.0, 20), "  0% 0/10 items, 0/s"),
        ((3725 * 10**6, None, "items", 3725.0, 79), "3,725,000,000 items, 1,000,000/s, 1:02:05"),
        ((0, 0, "items", 0.0, 79), "0 items, 0/s, 0:00"),
    ],
)
def test_what_a_bar_shows(given, line):
    assert progress.line_of(*given) == line


def test_a_bar_on_a_terminal_that_goes_away(monkeypatch):
    class Gone(io.StringIO):
        def isatty(self):
            return True

        def write(self, text):
            raise OSError("gone")

    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr("sys.stderr", Gone())
    with progress.Bar(True, 10, "items") as bar:
        for done in range(10):
            now[0] += 1
            bar.report(done)
    closed = Gone()
    closed.close()
    monkeypatch.setattr("sys.stderr", closed)
    assert batch.run(square, range(3)) == [0, 1, 4]
    monkeypatch.setattr("sys.stderr", None)
    assert batch.run(square, range(3)) == [0, 1, 4]
