"""Games for tests: the examples in Cython, with other numbers, and one in Python."""

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
