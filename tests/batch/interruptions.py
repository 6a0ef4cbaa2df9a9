"""Send signals at random moments to a process of ``interrupted``, and count how it takes them."""

import select
import subprocess
import sys
from collections import Counter
from pathlib import Path

from interrupted import PATIENCE, RAISED, TASKS

SIGNALS = tuple(RAISED)
CHILD = Path(__file__).parent / "interrupted.py"
MOMENTS = 0.0, 0.001, 0.01, 0.1, 0.2  # most seconds until the signal is sent


class Lost(AssertionError):
    """A signal after which the process hung, died, or raised something else."""


def interrupt(game, times, rng, signals=SIGNALS):
    """Interrupt each task of a game this many times by each signal, in random order.

    Returns:
        A Counter of interruptions by name of the signal.

    Raises:
        Lost: with the task, the signal and what the process said.
    """
    plan = [(task, number) for task in TASKS[game] for number in signals] * times
    rng.shuffle(plan)
    counts = Counter()
    command = [sys.executable, str(CHILD), game]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        for task, number in plan:
            process.stdin.write(f"{task}\n")
            process.stdin.flush()
            _expect(process, "begun", task, number)
            try:
                process.wait(rng.choice(MOMENTS) * rng.random())
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            _expect(process, f"well {RAISED[number][1].__name__}", task, number)
            counts[number.name] += 1
        process.stdin.close()
        process.stdin = None
        _, err = process.communicate(timeout=PATIENCE)
    if process.returncode or err:
        raise Lost(f"{game}: the end: status {process.returncode}: {err}")
    return counts


def _expect(process, words, task, number):
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE + 15)
    said = process.stdout.readline().strip() if ready else "nothing"
    if said != words:
        process.kill()
        _, err = process.communicate()
        raise Lost(f"{task}, {number.name}: {said!r} and not {words!r}: {err[-4000:]}")
