"""The arrows of ``docs/architecture.md`` and the imports of the code are the same, and there is no import cycle.

Every rule is tested with planted faults, which must be found.
"""

import ast
import functools
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
GAMES = ("duel", "hearts", "hexapawn", "rows")
TOOLS = ("adapters", "cli", "explore", "prove")
DRAWING = ("picture", "draw", "_repr_svg_", "_repr_html_", "plot")  # functions of a game that may import draw
ROOM = re.compile(r"^\s*([a-z_]+)\s+->\s*(.*)$")


@dataclass(frozen=True)
class Import:
    """One import: from which module of the package to which module, where, and how.

    Attributes:
        how: ``eager`` (when the module is imported), ``lazy`` (in a function) or ``typing`` (for type checkers).
        function: the innermost function that it stands in, or "".
    """

    source: str
    target: str
    how: str
    function: str


def modules_of(package: Path) -> dict[str, Path]:
    """Every module of the package by its dotted name; stubs stand for compiled modules."""
    found = {}
    for path in [*package.rglob("*.py"), *package.rglob("*.pyi")]:
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def read(path: Path) -> str:
    """The text of a file; tests read other texts in its place."""
    return path.read_text(encoding="utf-8")


def imports_of(package: Path, read=read) -> list[Import]:
    """All imports within the package, and of other packages (by their first name)."""
    modules, found = modules_of(package), []
    for name, path in modules.items():
        if path.suffix == ".pyi":
            continue
        _walk(_parsed(read(path)), name, "eager", "", modules, found)
    return found


_parsed = functools.cache(ast.parse)  # a planted fault changes one file


def _walk(node, source, how, function, modules, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            found += [Import(source, alias.name, how, function) for alias in child.names]
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{source}: relative import"
            for alias in child.names:
                inside = f"{child.module}.{alias.name}"
                found.append(Import(source, inside if inside in modules else child.module, how, function))
        elif by_name := _named(child):
            found.append(Import(source, by_name, how, function))
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _walk(child, source, "typing" if how == "typing" else "lazy", child.name, modules, found)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for part in child.body:
                _walk(ast.Module([part], []), source, "typing", function, modules, found)
            for part in child.orelse:
                _walk(ast.Module([part], []), source, how, function, modules, found)
        else:
            _walk(child, source, how, function, modules, found)


def _named(node) -> str:
    """The module that ``import_module("gamecore.NAME...")`` names, also in an f-string; "" for anything else."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args):
        return ""
    text = ast.unparse(node.args[0]).lstrip("f").strip("'\"").split("{")[0].rstrip(".")
    return text if text.startswith("gamecore.") else ""


def room_of(module: str) -> str:
    """The room that a module belongs to: the name below ``gamecore``; for the package itself, ``gamecore``."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def arrows_of(page: str) -> dict[str, set[str]]:
    """The arrows that the page shows: by room, the rooms that it may import."""
    section = page.partition("## Arrows")[2].partition("\n## ")[0]
    found: dict[str, set[str]] = {}
    for match in filter(None, map(ROOM.match, section.splitlines())):
        found.setdefault(match[1], set()).update(match[2].replace(",", " ").split())
    return found


def faults(read=read) -> list[str]:
    """All differences between code and picture, and all imports that the rules forbid."""
    found = imports_of(ROOT / "gamecore", read)
    inner = [one for one in found if one.target.split(".")[0] == "gamecore"]
    return [
        *_arrow_faults(inner, arrows_of(read(PAGE))),
        *_drawing_faults(inner),
        *_tool_faults(inner),
        *_circle_faults(inner),
        *_foreign_faults(found),
        *_kernel_faults(ROOT / "pyx", read),
    ]


def _arrow_faults(inner, arrows):
    used: dict[str, set[str]] = {room_of(one.source): set() for one in inner}
    for one in inner:
        if room_of(one.target) != room_of(one.source):
            used[room_of(one.source)].add(room_of(one.target))
    for room, targets in sorted(used.items()):
        for target in sorted(targets - arrows.get(room, set())):
            yield f"{room} imports {target}, which is no arrow of docs/architecture.md"
        for target in sorted(arrows.get(room, set()) - targets):
            yield f"docs/architecture.md shows {room} -> {target}, which no import uses"
    for room in sorted(set(arrows) - set(used)):
        yield f"docs/architecture.md shows the room {room}, which is not there or imports nothing"


def _drawing_faults(inner):
    for one in inner:
        if room_of(one.target) == "draw" and room_of(one.source) in GAMES:
            drawer = one.source.endswith("._picture")
            allowed = drawer or one.how == "typing" or (one.how == "lazy" and one.function.startswith(DRAWING))
            if not allowed:
                yield f"{one.source} imports {one.target} outside a method that draws ({one.function or 'module'})"
        if room_of(one.source) in GAMES and room_of(one.target) in GAMES and room_of(one.source) != room_of(one.target):
            yield f"{one.source} imports another game: {one.target}"


def _tool_faults(inner):
    """A tool knows games through ``gamecore.game`` alone, and no game knows a tool."""
    for one in inner:
        source, target = room_of(one.source), room_of(one.target)
        if source in TOOLS and target in GAMES:
            yield f"{one.source} is a tool and imports a game: {one.target}"
        if source in GAMES and target in TOOLS:
            yield f"{one.source} is of a game and imports a tool: {one.target}"


def _circle_faults(inner):
    """Import cycles; imports for type checkers and in methods that draw do not count, other lazy imports do."""
    edges: dict[str, set[str]] = {}
    for one in inner:
        drawing = room_of(one.source) in GAMES and room_of(one.target) == "draw"
        if one.how != "typing" and not drawing and one.source != one.target:
            edges.setdefault(one.source, set()).add(one.target)
    done: set[str] = set()

    def visit(module, path):
        if module in path:
            yield "a circle of imports: " + " -> ".join([*path[path.index(module) :], module])
        elif module not in done:
            for target in sorted(edges.get(module, ())):
                yield from visit(target, [*path, module])
            done.add(module)

    for module in sorted(edges):
        yield from visit(module, [])


def _foreign_faults(found):
    for one in found:
        name = one.target.split(".")[0]
        if name == "gamecore" or name in sys.stdlib_module_names:
            continue
        fixture = name == "pytest" and one.source == "gamecore.judging.pytest_fixture"  # only pytest imports it
        if name != "numpy" and one.how == "eager" and not fixture:
            yield f"{one.source} imports {name} when it is imported: NumPy alone is required"
        if room_of(one.source) == "reference" and name == "numpy":
            yield f"{one.source} imports numpy: the reference is plain Python"


def _kernel_faults(pyx, read):
    """A kernel takes from ``common``, ``simd`` and its own folder; nothing else."""
    for path in [*pyx.rglob("*.pyx"), *pyx.rglob("*.px[di]")]:
        place = path.relative_to(pyx)
        room = place.parts[0].removesuffix(".pyx").partition("_")[0]  # hexapawn_wide is of hexapawn
        for line in read(path).splitlines():
            match = re.match(r'\s*(?:from (\S+) cimport|include "([^"]+)"|cdef extern from "([^"]+)")', line)
            target = next(filter(None, match.groups())) if match else "libc"
            if target.startswith(("libc", "cpython", "cython", "common")) or target in ("Python.h", "*"):
                continue
            allowed = target.split(".")[0].split("/")[0] == room
            if target.startswith("simd/"):
                owner = target.removeprefix("simd/").removesuffix(".h").split("_")[0]
                allowed = owner == room or owner not in GAMES
            if not allowed:
                yield f"pyx/{place} takes from {target}, which is not its own"


def test_code_and_picture_agree():
    assert faults() == []


def test_every_room_of_the_picture_is_looked_at():
    rooms = {room_of(module) for module in modules_of(ROOT / "gamecore")} - {"gamecore"}
    page = read(PAGE)
    assert {*GAMES, "batch", "kernels", "draw", "cli", "reference", "contract"} <= rooms
    assert not [room for room in rooms if not room.startswith("_") and room not in page]
    assert len(imports_of(ROOT / "gamecore")) > 300


@pytest.mark.parametrize(
    ("path", "line", "said"),
    [
        ("gamecore/duel/_position.py", "from gamecore import hexapawn", "another game"),
        ("gamecore/rows/_solve.py", "def f():\n    from gamecore import hearts", "another game"),
        ("gamecore/duel/_solve.py", "from gamecore import draw", "outside a method that draws"),
        ("gamecore/duel/_solve.py", "def solve2():\n    from gamecore import draw", "outside a method that draws"),
        ("gamecore/explore/_shown.py", "from gamecore import hearts", "is a tool and imports a game"),
        ("gamecore/cli/play.py", "def f():\n    from gamecore.duel import solve", "is a tool and imports a game"),
        ("gamecore/cli/play.py", "import_module('gamecore.rows._batch')", "is a tool and imports a game"),
        ("gamecore/cli/play.py", "def f(x):\n    return import_module(f'gamecore.duel.{x}')", "is a tool and imports"),
        ("gamecore/rows/_panels.py", "def f():\n    from gamecore.explore import serve", "imports a tool"),
        ("gamecore/hexapawn/_position.py", "def f():\n    import gamecore.hexapawn._solve", "a circle of imports"),
        ("gamecore/text.py", "from gamecore import cards", "no arrow"),
        ("gamecore/batch/progress.py", "import tqdm", "NumPy alone"),
        ("gamecore/reference/duel.py", "import numpy as np", "plain Python"),
        ("gamecore/reference/duel.py", "from gamecore import kernels", "no arrow"),
        ("pyx/duel.pyx", "from hearts.deal cimport Unseen", "not its own"),
        ("pyx/rows.pyx", 'include "duel/rules.pxi"', "not its own"),
        ("pyx/hexapawn.pyx", 'cdef extern from "simd/rows.h":\n    pass', "not its own"),
    ],
)
def test_a_planted_fault_is_found(path, line, said):
    new = faults(lambda file: read(file) + (f"\n{line}\n" if file == ROOT / path else ""))
    assert any(said in fault for fault in new), new


def test_an_arrow_that_nobody_uses_is_found():
    new = faults(lambda file: read(file).replace("## Arrows", "## Arrows\n\ntext -> draw\n", 1))
    assert any("text -> draw" in fault for fault in new), new
