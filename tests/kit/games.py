"""Games for tests: files, the examples' among them, with other numbers; and small ones in Python."""

import re
from pathlib import Path

from gamecore import kit

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "kit"
HEAP = (HERE / "heap.txt").read_text("utf-8")  # of a file


def source_of(name, **sizes):
    """Return the text of an example, or of a file here, with other constants, such as ``W=4``."""
    folders = (EXAMPLES, HERE, HERE / "published")
    text = next(folder / name for folder in folders if (folder / name).exists()).read_text()
    for constant, number in sizes.items():
        text, count = re.subn(rf"^( *{constant} = )\S+", rf"\g<1>{number}", text, flags=re.MULTILINE)
        assert count == 1
    return text


def variant(base, name="Variant", **members):
    """Return the game of a subclass with these members."""
    return kit.make(type(name, (base,), members))


class Takeaway:
    """Take one or two objects from a heap; whoever takes the last one wins."""

    heaps, step = (6,), 2

    def start(self):
        return self.heaps

    def moves(self, state):
        return [4 * heap + k for heap, left in enumerate(state) for k in range(1, self.step + 1) if k <= left]

    def play(self, state, move):
        heap, number = divmod(move, 4)
        return (*state[:heap], state[heap] - number, *state[heap + 1 :])

    def result(self, state):
        return None if any(state) else kit.LOSS


class Points:
    """Take one or two coins from a row; the value is what the side to move takes more than the other."""

    KIND = "score"
    coins, most = (3, 9, 2, 7, 4), 2

    def start(self):
        return (0,)

    def moves(self, state):
        return [1, 2][: min(self.most, len(self.coins) - state[0])]

    def play(self, state, move):
        return (state[0] + move,), sum(self.coins[state[0] : state[0] + move])

    def result(self, state):
        return 0 if state[0] == len(self.coins) else None


class Walk:
    """Move a piece to and fro; whoever moves it to ``goal`` wins."""

    CYCLES = True
    first, last, goal = 4, 5, 0

    def start(self):
        return (self.first,)

    def moves(self, state):
        return [step for step in (-1, 1) if 0 <= state[0] + step <= self.last]

    def play(self, state, move):
        return (state[0] + move,)

    def result(self, state):
        return kit.LOSS if state[0] == self.goal else None


class Track(Walk):
    """A long walk; at the start, a step back stays there."""

    first, goal = 0, 20_000

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return (min(state[0] + 1, self.goal) if move == 1 else max(0, state[0] - 1),)


class Passing(Takeaway):
    """Pass, or take one of three; whoever takes the last one loses."""

    CYCLES = True
    heaps = (3,)

    def moves(self, state):
        return [0, 1]

    def result(self, state):
        return None if state[0] else kit.WIN

    def write(self, state, move):
        return "take" if move else "pass"


class Attributes(Takeaway):
    """Take one to three objects; what is a legal heap stands in an array."""

    step = 3

    def __init__(self, allowed):
        self.heaps, self.allowed = (len(allowed) - 1,), allowed

    def moves(self, state):
        return [number for number in super().moves(state) if self.allowed[state[0] - number]] or [1]
