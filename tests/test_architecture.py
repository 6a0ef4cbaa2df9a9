"""The four arrows of ``docs/architecture.md``, each with planted faults that must be found."""

import ast
import functools
import importlib
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gamecore"
GAMES = ("duel", "hearts", "hexapawn", "rows")


def module_of(path):
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def imports_of(text):
    """Pairs (module, name) of all imports within the package, also lazy ones and those by a constant name."""
    pairs = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            pairs += [(alias.name, "") for alias in node.names if alias.name.startswith("gamecore")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gamecore"):
            pairs += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Constant) and re.fullmatch(r"gamecore(\.\w+)+", str(node.value)):
            pairs.append((node.value, ""))
    return pairs


def fault_of(source, module, name):
    """What is wrong with an import; "" if nothing is."""
    room, target = source.split(".")[1:3], f"{module}.{name}".split(".")[1:3]
    if "apps" not in room:
        if target[:1] == ["apps"] and source not in ("gamecore", "gamecore.cli"):
            return "the engine imports an app"
        if room and room[0] in GAMES and target[0] in GAMES and target[0] != room[0]:
            return "a game imports another"
        return ""
    if target[:1] == ["apps"]:
        return "" if room[1:] == target[1:] or len(room) < 2 else "an app imports another"
    private = [part for part in f"{module}.{name}".split(".") if part.startswith("_")]
    if private and private != ["_version", "__version__"]:
        return f"an app imports a private name of the engine: {private[0]}"
    public = getattr(importlib.import_module(module), "__all__", None) if name else None
    return f"{name} is not in __all__" if public and name not in public and not is_module(module, name) else ""


def is_module(module, name):
    """Whether a name is a module of a package."""
    return importlib.util.find_spec(f"{module}.{name}") is not None


def faults(extra=None):
    """All imports that the arrows forbid; ``extra``: lines added to files, by module."""
    exempt = set(re.findall(r"^- `(\S+) -> (\S+)`", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE))
    found, used = [], set()
    for path in sorted(PACKAGE.rglob("*.py")):
        source = module_of(path)
        text = path.read_text(encoding="utf-8") + "\n" + (extra or {}).get(source, "")
        for module, name in imports_of(text):
            if fault := fault_of(source, module, name):
                if (source, module) in exempt:
                    used.add((source, module))
                else:
                    found.append(f"{source}: {module} {name}: {fault}")
    return found + [f"{source} -> {module}: no such import is left" for source, module in sorted(exempt - used)]


def test_the_arrows():
    assert faults() == []


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("gamecore.duel._solve", "def later():\n    from gamecore.apps import kit"),
        ("gamecore.cli.common", "import gamecore.apps.prove"),
        ("gamecore.game._registry", "PLACE = 'gamecore.apps.explore._api'"),
        ("gamecore.apps.play._command", "from gamecore.game._option import Option"),
        ("gamecore.apps.prove._store", "from gamecore.duel import _solve"),
        ("gamecore.apps.prove._store", "from gamecore.game import DAMAGED"),
        ("gamecore.apps.kit._game", "from gamecore.apps.prove import run"),
        ("gamecore.apps.explore._api", "from gamecore.apps import judge"),
        ("gamecore.rows._solve", "from gamecore.hearts import Rules"),
        ("gamecore.hexapawn._text", "from gamecore import duel"),
    ],
)
def test_a_planted_arrow_is_found(source, line):
    assert [fault.partition(":")[0] for fault in faults({source: line})] == [source]
