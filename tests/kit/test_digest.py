"""Which rules a game has: a table, a proof and a compiled module are refused after every change that may matter."""

import os

from command import ROOT, python  # pytest's pythonpath has the folder of tests
from kit.games import HEAP

from gamecore import kit
from gamecore.text import difference

FILES = {
    "heap.py": """
import functools
import os
from few import rare
from gamecore import kit

SIZE = int(os.environ.get("HEAP", 9))
seen = {}


class Base:
    words = frozenset({"one", "two", "three"})

    @functools.cache
    def least(self):
        from late import LEAST
        return LEAST


class Heap(Base):
    def start(self):
        return (SIZE,)

    def moves(self, state):
        seen[state] = True  # what play keeps is no rule
        return [k for k in sorted({1, 2, SIZE // 4}) if self.least() <= k <= rare.most(state[0])]

    def play(self, state, move):
        return (state[0] - move,)

    def result(self, state):
        return None if state[0] else kit.LOSS


GAME = kit.make(Heap)
""",
    "few/__init__.py": "",
    "few/rare.py": "from .deep import LIMIT\n\ndef most(n):\n    return min(n, 3 if n == 1000 else LIMIT)\n",
    "few/deep.py": "LIMIT = 2\n",
    "late.py": "LEAST = 1\n",
}
CODE = """
from gamecore import game, kit
heap = game.load("heap.py")
first = kit.rules_of(heap)
heap.solve("start")
print(first, kit.rules_of(heap) == first)
"""


def rules_in(folder, **environment):
    """What Python made of a file is not kept: for the same size within the same second it would be taken again."""
    path = f"{ROOT}{os.pathsep}{folder}"
    done = python("-c", CODE, cwd=folder, **environment, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1")
    assert not done.stderr
    said, same = done.stdout.split()
    assert same == "True"
    return said


def test_rules_are_all_that_they_are_made_of(tmp_path):
    before = ""
    for file, old, new, differs in (
        ("late.py", "", "", "text, values, play"),  # from none
        ("late.py", "", "", ""),  # in another process, where sets have another order
        ("few/rare.py", "== 1000", "== 1001", "text"),
        ("few/deep.py", "2", "1", "text, values, play"),
        ("few/__init__.py", "", "# no rule", "text"),
        ("late.py", "= 1\n", "= 0 + 1\n", "text"),
        ("heap.py", '"three"', '"four"', "text, values"),
        ("HEAP", "9", "12", "values, play"),
    ):
        for name, content in FILES.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(content.replace(old, new, name == file))
        now = rules_in(tmp_path, **{file: new} if file == "HEAP" else {})
        assert (file, difference(before, now)) == (file, differs)
        before = before or now


def test_a_class_that_is_defined_again():
    """In a notebook: no file has it."""
    made = []
    for text in (HEAP, HEAP, HEAP.replace("% 1000", "% 999"), HEAP.replace("(1, 2)", "(1, 3)")):
        names = {"__name__": "__notebook__"}
        exec(text, names)
        made.append(names["GAME"])
    assert [difference(kit.rules_of(made[0]), kit.rules_of(other)) for other in made[1:]] == ["", "text", "values"]
