"""Signals at random moments, and at one instruction after another: each comes out of what runs, and nothing hangs."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from interrupted import PATIENCE, RAISED, TASKS
from interruptions import Lost, interrupt

from gamecore.signals import Held

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to a child")

STRUCK = Path(__file__).parent / "struck.py"


@pytest.mark.parametrize("game", TASKS)
def test_interrupted_at_random_moments(game):
    # Once here; `tools/reliability.py signals` does it by the thousand.
    counts = interrupt(game, 1, random.Random())
    assert counts == {number.name: len(TASKS[game]) for number in RAISED}


def test_a_process_that_goes_on_is_noticed(monkeypatch):
    monkeypatch.setitem(RAISED, signal.SIGUSR1, (None, KeyError))  # not what its handler raises
    with pytest.raises(Lost, match="'well Stop' and not 'well KeyError'"):
        interrupt("duel", 1, random.Random(), (signal.SIGUSR1,))


# Every n-th instruction of the main thread: all of them would take minutes (`tools/reliability.py strikes`).
STEPS = {"alone": 7, "threads": 11, "columns": 13, "pool": 131, "helpers": 37}


@pytest.mark.parametrize("task", STEPS)
def test_no_instruction_is_a_bad_moment(task):
    command = [sys.executable, str(STRUCK), task, str(STEPS[task])]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr[-4000:]
    assert int(run.stdout) > 1000


def test_locks_of_pools_are_bad_moments():
    # The test above can fail: without Held, a pool's lock is soon left locked, or its thread gone.
    command = [sys.executable, str(STRUCK), "pool", "7", "unheld"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode != 0


EXIT = """
import sys, threading, time
import numpy as np
from gamecore import duel, hearts, hexapawn, rows

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
task = {
    "duel": lambda: duel.solve(duel.Position(deck[::2], deck[1::2])),
    "hexapawn": lambda: hexapawn.solve(hexapawn.Position.start(8, 8)),
    "rows": lambda: rows.solve(np.arange(200_000) % 1009, opponent="greedy"),
    "hearts": lambda: hearts.solve(hearts.Round.deal(1)),
}[sys.argv[1]]

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.2)

slow = Slow()  # the interpreter takes its time to end, so that the kernel comes by for signals meanwhile
threading.Thread(target=task, daemon=True).start()
time.sleep(0.1)
"""


@pytest.mark.parametrize("game", TASKS)
def test_a_process_ends_under_a_daemon_thread(game):
    result = subprocess.run([sys.executable, "-c", EXIT, game], capture_output=True, check=False, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, b"")


def held_twice(seen):
    with Held():
        with Held():
            signal.raise_signal(signal.SIGINT)
        assert not seen  # the outer block goes on


def test_ctrl_c_is_held():
    seen = []

    def handler(number, frame):
        seen.append((number, frame is not None))
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            held_twice(seen)
        assert seen == [(signal.SIGINT, True)]
        with Held():
            pass
        assert signal.getsignal(signal.SIGINT) is handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with Held():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 1
