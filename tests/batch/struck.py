"""A process that is struck by a signal at one instruction after another of what the main thread does in a batch.

    python struck.py TASK STEP [unheld]

It prints how many instructions there were. If an exception is lost, or a lock is left locked, it fails, or says where
it hangs. ``unheld``: signals are not held while locks of pools are used, so that it has to hang or fail.
"""

import faulthandler
import signal
import sys
from concurrent.futures import ThreadPoolExecutor

from gamecore import Limits, batch, duel, hexapawn
from gamecore.signals import Held

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
deals = [duel.Position(deck[i : i + 4], deck[i + 4 : i + 8]) for i in range(5)]
board = hexapawn.Position.start(7, 6)
pool = ThreadPoolExecutor(2)

# The code whose instructions are counted: ours, and that of locks and pools.
STRUCK = ("gamecore/batch/", "gamecore/hexapawn/_solve.py", "/threading.py", "/concurrent/futures/", "/contextlib.py")

TASKS = {
    "alone": lambda: batch.run(abs, range(5)),
    "threads": lambda: batch.run(abs, range(5), workers=2),
    "columns": lambda: duel.solve_many(deals, workers=2),
    "pool": lambda: batch.run(abs, range(5), executor=pool),
    "helpers": lambda: hexapawn.solve(board, Limits(nodes=150_000, table_mb=8), threads=2),
}


class Struck(Exception):
    """What the handler raises."""


def handler(number, frame):
    raise Struck


class Striker:
    """Raises a signal at the nth instruction."""

    def __init__(self, at):
        self.left = at

    def __call__(self, frame, event, argument):
        if not any(part in frame.f_code.co_filename for part in STRUCK):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.instruction

    def instruction(self, frame, event, argument):
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGUSR1)
        return self.instruction


def main():
    name, step = sys.argv[1], int(sys.argv[2])
    task, unheld = TASKS[name], "unheld" in sys.argv
    if unheld:
        Held.__enter__ = lambda _: None
    task()
    signal.signal(signal.SIGUSR1, handler)
    for at in range(1, 10**6, step):
        faulthandler.dump_traceback_later(5 if unheld else 30, exit=True)
        striker = Striker(at)
        came = False
        sys._getframe().f_trace_opcodes = True  # Python 3.12 wants one to be set before
        sys.settrace(striker)
        try:
            task()
        except Struck:
            came = True
        finally:
            sys.settrace(None)
        if striker.left > 0:
            print(at - striker.left)
            break
        assert came, f"the exception at instruction {at} is lost"
        assert batch.run(abs, [-1], workers=2) == batch.run(abs, [-1], executor=pool) == [1]
        assert pool.submit(abs, -2).result(15) == 2
    assert signal.getsignal(signal.SIGUSR1) is handler
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
