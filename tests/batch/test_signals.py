"""What handlers of signals raise comes out of a batch as it is, at once; and threads that the system does not give."""

import functools
import os
import signal
import subprocess
import sys
import time

import pytest
from batch_tasks import Here

from gamecore import batch, signals
from gamecore.batch import workers
from gamecore.batch.workers import Threads, beside, is_cancelled, shared_storage, stoppable, thread_storage
from gamecore.signals import Held, raised_by_handler

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")

WAYS = [{"workers": 1}, {"workers": 2}, {"executor": "threads"}, {"executor": "here"}]


@pytest.fixture
def alarm():
    """Call a handler after this many seconds."""
    before = signal.getsignal(signal.SIGALRM)

    def set_alarm(handler, seconds=0.2):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    yield set_alarm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def how(request):
    """The options of a way, with the executor that it names."""
    if request.param.get("executor") == "here":
        yield {"executor": Here()}
    elif "executor" in request.param:
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(2)
        yield {"executor": pool}
        pool.shutdown(wait=False, cancel_futures=True)
    else:
        yield request.param


def too_late(number, frame):
    raise TimeoutError("too late")


class Handler:
    def __call__(self, number, frame):
        too_late(number, frame)

    def method(self, number, frame):
        too_late(number, frame)


HANDLERS = [too_late, Handler(), Handler().method, functools.partial(too_late)]


def naps(seconds):
    """Sleeps in steps, and stops when nobody waits any more."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_cancelled():
        time.sleep(0.01)


@pytest.mark.parametrize("how", WAYS, indirect=True)
@pytest.mark.parametrize("on_error", ["raise", "return"])
def test_a_timeout_of_a_handler_is_not_lost(alarm, how, on_error):
    alarm(too_late)
    with pytest.raises(TimeoutError, match=r"^too late$"):
        batch.run(naps, [30] * 4, on_error=on_error, **how)


@pytest.mark.parametrize("handler", HANDLERS)
def test_handlers_of_any_kind(alarm, handler):
    alarm(handler)
    with pytest.raises(TimeoutError, match=r"^too late$"):
        batch.run(naps, [30] * 4)


def test_a_handler_that_strikes_while_items_are_read(alarm):
    def items():
        yield from range(10)
        time.sleep(30)

    alarm(too_late)
    with pytest.raises(TimeoutError) as caught:
        batch.run(abs, items(), on_error="return")
    assert caught.value.partial == list(range(len(caught.value.partial)))


def test_what_a_function_raises_by_itself_is_a_bad_item(alarm):
    alarm(too_late, 60)

    def raises(_):
        raise TimeoutError("of its own")

    assert [str(error) for error in batch.run(raises, [1, 2], on_error="return")] == ["of its own"] * 2


def test_functions_that_cannot_be_stopped_are_not_waited_for(alarm):
    alarm(too_late)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        batch.run(time.sleep, [20] * 4, workers=2)
    assert time.monotonic() - began < 15  # of 20: it says only that nobody waited for the end


def test_answers_before_are_kept(alarm):
    alarm(too_late, 0.4)
    with pytest.raises(TimeoutError) as caught:
        batch.run(naps, [0.001] * 5 + [30] * 4, workers=2)
    assert caught.value.partial[:1] == [None]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1])
def test_any_signal_is_held(number):
    seen = []
    before = signal.signal(number, lambda *_: seen.append(number))
    try:
        with Held():
            with Held():
                signal.raise_signal(number)
            assert not seen
        assert seen == [number]
        mine = signal.getsignal(number)
        with Held():
            assert signal.getsignal(number) is not mine
        assert signal.getsignal(number) is mine
    finally:
        signal.signal(number, before)


def test_all_signals_that_came_are_handled_even_if_one_raises():
    seen = []

    def handler(number, _):
        seen.append(number)
        raise ValueError(number)

    numbers = [signal.SIGUSR1, signal.SIGUSR2]
    before = [signal.signal(number, handler) for number in numbers]

    def strike():
        with Held():
            for number in numbers:
                signal.raise_signal(number)

    try:
        with pytest.raises(ValueError, match=str(int(signal.SIGUSR2))):
            strike()
        assert seen == numbers
        assert [signal.getsignal(number) for number in numbers] == [handler, handler]
    finally:
        for number, one in zip(numbers, before, strict=True):
            signal.signal(number, one)


def test_a_handler_left_behind_still_works():
    seen = []
    held = Held()
    note = signals._Note(held, lambda *arguments: seen.append(arguments))
    note(2, None)
    assert seen == [(2, None)]
    held._active = True
    note(2, None)
    assert held._came == [2]
    assert note.current() is note


def test_exceptions_are_told_apart(alarm):
    signal.signal(signal.SIGALRM, too_late)
    own, handled = None, None
    try:
        raise TimeoutError
    except TimeoutError as error:
        own = raised_by_handler(error)
    try:
        signal.raise_signal(signal.SIGALRM)
    except TimeoutError as error:
        handled = raised_by_handler(error)
    assert (own, handled) == (False, True)


# --- threads ---------------------------------------------------------------------------------------------------------


def test_calls_beside_a_block_are_stopped_when_it_ends():
    told = []

    def call(number):
        going = [True]
        with stoppable(going.clear):
            told.append(number)
            while going:
                time.sleep(0.001)
        told.append(-number)

    with beside([functools.partial(call, number) for number in (1, 2, 3)]):
        while len(told) < 3:
            time.sleep(0.001)
    assert sorted(told) == [-3, -2, -1, 1, 2, 3]


def test_a_call_that_begins_late_is_stopped_at_once():
    threads = Threads(1)
    threads.cancel()
    told = []
    with threads.at_work({}), stoppable(lambda: told.append(True)):
        pass
    threads.close()
    assert told


def test_a_stop_that_raises_at_once_is_forgotten():
    """The block does not begin then, and nothing else would take it out."""
    threads = Threads(1)
    threads.cancel()
    told = []

    def stop():
        told.append(len(threads.stops))
        raise TimeoutError

    with threads.at_work({}), pytest.raises(TimeoutError), stoppable(stop):
        pytest.fail("the block began")
    assert (told, threads.stops) == ([1], {})
    threads.close()


def test_what_a_call_beside_a_block_raises_comes_out():
    def call():
        raise MemoryError("no table")

    def both():
        with beside([call]):
            time.sleep(0.05)

    with pytest.raises(MemoryError, match="no table"):
        both()


@pytest.mark.parametrize("room", [0, 1])
def test_fewer_threads_are_used_where_the_system_gives_fewer(monkeypatch, room):
    start = workers.start_new_thread
    left = [room]

    def start_some(*arguments):
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        return start(*arguments)

    monkeypatch.setattr(workers, "start_new_thread", start_some)
    assert batch.run(abs, range(-50, 50), workers=4) == [abs(x) for x in range(-50, 50)]
    monkeypatch.setattr(workers.threading.Thread, "start", lambda _: start_some())
    left[0] = room
    assert batch.run(abs, range(-50, 50), workers=4) == [abs(x) for x in range(-50, 50)]


NO_ROOM = """
import resource, sys, threading
from gamecore import duel
deals = ["3\\nDQ H2 HA\\nH3 D6 S3\\n"] * 100
duel.solve_many(deals)
threading.stack_size(1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
print(len(duel.solve_many(deals, workers=2)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are as Linux has them")
@pytest.mark.skipif("GAMECORE_SANITIZED" in os.environ, reason="sanitizers reserve terabytes of addresses")
def test_a_system_without_room_for_a_thread():
    result = subprocess.run([sys.executable, "-c", NO_ROOM], capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stdout) == (0, "100\n"), result.stderr


def test_storage_of_tasks():
    def task(_):
        seen = thread_storage()
        seen[len(seen)] = True
        shared = shared_storage()
        if shared is not None:
            with shared.lock:
                shared.values[len(shared.values)] = True
        return len(seen), None if shared is None else len(shared.values)

    assert batch.run(task, range(3)) == [(1, None), (2, None), (3, None)]
    found = batch.run(task, range(30), workers=2)
    assert sorted(count for _, count in found) == list(range(1, 31))
    assert batch.run(task, range(3), executor=Here()) == [(1, None)] * 3
    assert thread_storage() == {}


# --- errors on their way from other processes ------------------------------------------------------------------------

SENT = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from batch_tasks import unkind
from gamecore import batch
if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        names = ["two arguments", "local", "hostile text", "fine"]
        for error in batch.run(unkind, names, executor=pool, on_error="return"):
            print(type(error).__name__, str(error))
        try:
            batch.run(unkind, ["two arguments"], executor=pool)
        except batch.BatchError as error:
            print(type(error.__cause__).__name__, error)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_errors_that_cannot_be_unpickled():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])}
    result = subprocess.run(
        [sys.executable, "-c", SENT], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert result.stdout.splitlines() == [
        "WorkerError batch_tasks.TwoArguments: one and two",
        "WorkerError batch_tasks.unkind.<locals>.Local: here only",
        "WorkerError batch_tasks.Hostile",
        "ValueError fine",
        "WorkerError items[0]: batch_tasks.TwoArguments: one and two",
    ], result.stderr
