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


def variant(base, name="Variant", **members):
    """Return the game of a subclass with these members."""
    return kit.make(type(name, (base,), members))


class Takeaway:
    """Take one or two objects from six; whoever takes the last one wins."""

    most, step = 6, 2

    def start(self):
        return (self.most,)

    def moves(self, state):
        return [number for number in range(1, self.step + 1) if number <= state[0]]

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

    length = 20_000
    first = 0

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return (min(state[0] + move, self.length) if move == 1 else max(0, state[0] - 1),)

    def result(self, state):
        return kit.LOSS if state[0] == self.length else None


class Ring(Track):
    """Walk round a ring of a thousand squares, for ever."""

    def play(self, state, move):
        return ((state[0] + move) % 1000,)

    def result(self, state):
        return None


class Passing(Takeaway):
    """Pass, or take one of three; whoever takes the last one loses."""

    CYCLES = True
    most = 3

    def moves(self, state):
        return [0, 1]

    def result(self, state):
        return None if state[0] else kit.WIN

    def write(self, state, move):
        return "take" if move else "pass"


class Slow(Takeaway):
    """Rules that take 20 ms a call."""

    step = 3

    def start(self):
        return (60, 0, 0)

    def moves(self, state):
        time.sleep(0.02)
        return super().moves(state)

    def play(self, state, move):
        return (state[0] - move, state[2] + move, state[1])


class Attributes(Takeaway):
    """Take one to three objects; what is a legal heap stands in an array."""

    step = 3

    def __init__(self, allowed):
        self.allowed = allowed

    def start(self):
        return (len(self.allowed) - 1,)

    def moves(self, state):
        return [number for number in super().moves(state) if self.allowed[state[0] - number]] or [1]


class Piles:
    """Take one to three objects from one of the piles; whoever takes the last one wins."""

    def start(self):
        return (3, 4, 6)

    def moves(self, state):
        return [4 * pile + take for pile, size in enumerate(state) for take in (1, 2, 3) if take <= size]

    def play(self, state, move):
        pile, take = divmod(move, 4)
        return (*state[:pile], state[pile] - take, *state[pile + 1 :])

    def result(self, state):
        return None if any(state) else kit.LOSS

    def write(self, state, move):
        return f"{move // 4} = {move % 4},100%"  # nothing that a certificate has room for


class Misere(Piles):
    """Whoever takes the last one loses: a loss in one ply."""

    def start(self):
        return (2, 3)

    def result(self, state):
        return None if any(state) else kit.WIN


class Coins:
    """Take a coin from either end of a row; the larger sum wins."""

    KIND = "score"
    COINS = (8, 3, 9, 7, 2, 9, 1, 5, 4, 6)

    def start(self):
        return (0, len(self.COINS))

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        left, right = state
        return ((left + 1, right), self.COINS[left]) if move == 0 else ((left, right - 1), self.COINS[right - 1])

    def result(self, state):
        return 0 if state[0] == state[1] else None
