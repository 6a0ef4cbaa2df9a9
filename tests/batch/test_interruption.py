"""Ctrl-C ends every call, a process ends under an open batch, a dropped iterator stops its searches."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, Executor, Future

import interrupted
import pytest
from command import python
from interrupted import PATIENCE, WAYS, wait_for_threads

from gamecore import batch, duel
from gamecore.batch import workers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to a process group")


@pytest.mark.parametrize("way", [pytest.param(way, marks=[pytest.mark.nightly] * ("rare" in way)) for way in WAYS])
def test_ctrl_c_ends_the_call(way):
    words = [sys.executable, interrupted.__file__, way]
    process = subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        printed = process.communicate(timeout=PATIENCE * (len(WAYS[way]) + 1))[0].decode()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert printed.splitlines() == list(WAYS[way])


class Late(Exception):
    pass


@pytest.mark.parametrize("count", [1, 2])
def test_what_the_handler_of_a_signal_raises_comes_out(count):
    def handle(*_):
        raise Late

    solve_many, deals = duel.solve_many, [duel.deal(23, rng=5)] * 5  # imported before the signal
    before = signal.signal(signal.SIGUSR1, handle)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGUSR1]).start()
    with pytest.raises(Late):
        solve_many(deals, workers=count)
    signal.signal(signal.SIGUSR1, before)
    wait_for_threads()


def test_a_call_of_a_run_that_is_over_is_not_made():
    """After Ctrl-C: in a worker process, and in a pool's thread that starts nevertheless."""

    def interrupt():
        raise KeyboardInterrupt

    worker = [("another process's", interrupt, KeyboardInterrupt), ("another process's", list, CancelledError)]
    for key, function, error in (*worker, (workers.Run().key, list, CancelledError)):
        with pytest.raises(error):
            workers._call(key, function)


def test_a_forked_process_is_another_one():
    """A call that arrives there, as in a pool of forks, does not work for the parent's run of which it has a copy."""
    run = workers.Run()
    child = os.fork()
    if not child:
        try:
            os._exit(not workers._call(run.key, lambda: workers.current_run().is_remote)[1])
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_end_of_a_process_meets_a_thread_that_is_about_to_start(monkeypatch):
    monkeypatch.setattr(workers, "_ending", threading.Event())
    monkeypatch.setattr(threading, "enumerate", lambda: [threading.Thread(name="gamecore")])
    workers._cancel_all()


def test_an_interruption_while_threads_are_started_leaves_none(monkeypatch):
    start = threading.Thread.start

    def interrupted(thread):
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        duel.solve_many(["CA:D2:A:-"] * 9, workers=2)
    wait_for_threads()


def test_nobody_waits_in_a_lock_that_ctrl_c_could_leave():
    """In ``concurrent.futures.wait`` it ends a pool's thread, or lets it wait for ever, in one case of fifty."""
    waiters = []

    class Later(Executor):
        def submit(self, function, *arguments):
            def call():
                waiters.extend(future._waiters)
                future.set_result(function(*arguments))

            future = Future()
            threading.Timer(0.05, call).start()
            return future

    assert batch.run(abs, range(3), executor=Later()) == [0, 1, 2]
    assert waiters == []


BEGIN = """
import threading, time
from gamecore import batch, duel, hearts
hard, easy = [duel.deal(23, rng=5)] * 1000, [duel.deal(5, rng=5)]
def beside(call):
    threading.Thread(target=call, daemon=True).start()
    time.sleep(0.2)
"""
ENDS = {
    "an open iterator": "answers = duel.solve_iter(easy + hard, workers=2); next(answers)",
    "an open iterator after an error": "answers = duel.solve_iter(easy + hard, workers=2); next(answers); 1 / 0",
    "an open iterator of functions": "answers = batch.imap(time.sleep, [0] + [60] * 9, workers=2); next(answers)",
    "a daemon thread": "beside(lambda: duel.solve_many(hard, workers=2))",
    "a daemon thread that works alone": "beside(lambda: duel.solve_many(hard))",
    "a simulation": "beside(lambda: hearts.simulate(['pimc:50'] * 4, 10**6, 1, workers=2))",
    "a batch in a batch": "answers = batch.imap(lambda deals: duel.solve_many(deals, workers=2), [easy] + [hard] * 5, "
    "workers=2); next(answers)",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_process_ends_under_a_batch(name):
    result = python("-c", BEGIN + ENDS[name], timeout=PATIENCE)
    expected = (1, ["ZeroDivisionError: division by zero"]) if "error" in name else (0, [])
    assert (result.stdout, result.returncode, result.stderr.splitlines()[-1:]) == ("", *expected)


@pytest.mark.parametrize("how", ["close", "drop"])
def test_an_iterator_that_is_given_up_stops_its_searches(how):
    iterator = duel.solve_iter(["CA:D2:A:-", *[duel.deal(23, rng=5)] * 1000], workers=2)  # minutes each
    assert next(iterator).exact
    assert any(thread.name == "gamecore" for thread in threading.enumerate())
    if how == "close":
        iterator.close()
    del iterator
    wait_for_threads()
