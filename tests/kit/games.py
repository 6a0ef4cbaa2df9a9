"""Games for tests: the examples in Cython, with other numbers, and small ones in Python."""

import time
from pathlib import Path

from gamecore import kit

EXAMPLES = Path(__file__).parents[2] / "examples" / "kit"
RULES = """from gamecore import kit
class Game2:
    def start(self):
        return (5,)
    def moves(self, state):
        return [1, 2]
    def play(self, state, move):
        return (state[0] - move,)
    def result(self, state):
        return None if state[0] > 0 else kit.LOSS
GAME = kit.make(Game2)
"""


def source_of(name, **sizes):
    """Return an example's source with other numbers, such as ``W=4``."""
    text = (EXAMPLES / f"{name}.pyx").read_text()
    for constant, number in sizes.items():
        before = next(line for line in text.splitlines() if line.startswith(f"    {constant} = "))
        text = text.replace(before, f"    {constant} = {number}", 1)
    return text


class Takeaway:
    """Take one or two objects from six; whoever takes the last one wins."""

    def start(self):
        return (6,)

    def moves(self, state):
        return [number for number in (1, 2) if number <= state[0]]

    def play(self, state, move):
        return (state[0] - move,)

    def result(self, state):
        return None if state[0] else kit.LOSS


class Points:
    """Take one or two coins from a row; the value is what the side to move takes more than the other."""

    KIND = "score"
    coins = (3, 9, 2, 7, 4)

    def start(self):
        return (0,)

    def moves(self, state):
        return [1, 2] if state[0] + 2 <= len(self.coins) else [1]

    def play(self, state, move):
        return (state[0] + move,), sum(self.coins[state[0] : state[0] + move])

    def result(self, state):
        return 0 if state[0] == len(self.coins) else None


class Ring:
    """Walk round a ring of a thousand squares, for ever."""

    CYCLES = True

    def start(self):
        return (0,)

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return ((state[0] + move) % 1000,)

    def result(self, state):
        return None


class Passing:
    """Pass, or take one of three; whoever takes the last one loses."""

    CYCLES = True

    def start(self):
        return (3,)

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return (state[0] - move,)

    def result(self, state):
        return None if state[0] else kit.WIN

    def write(self, state, move):
        return "take" if move else "pass"


class Track:
    """Walk to the end of a track, or back; the side that reaches it wins."""

    CYCLES = True
    length = 20_000

    def start(self):
        return (0,)

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return (min(state[0] + move, self.length) if move == 1 else max(0, state[0] - 1),)

    def result(self, state):
        return kit.LOSS if state[0] == self.length else None


class Slow(Takeaway):
    """Rules that take 20 ms a call."""

    def start(self):
        return (60, 0, 0)

    def moves(self, state):
        time.sleep(0.02)
        return [number for number in (1, 2, 3) if number <= state[0]]

    def play(self, state, move):
        return (state[0] - move, state[2] + move, state[1])


class Attributes(Takeaway):
    """Take one to three objects; what is a legal heap stands in an array."""

    def __init__(self, allowed):
        self.allowed = allowed

    def start(self):
        return (len(self.allowed) - 1,)

    def moves(self, state):
        return [number for number in (1, 2, 3) if number <= state[0] and self.allowed[state[0] - number]] or [1]
