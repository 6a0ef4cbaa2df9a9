"""The four arrows of ``docs/architecture.md``; ``tests/mutants.toml`` has imports that they forbid."""

import ast
import importlib
import importlib.util
import re
from pathlib import Path

import pytest

import gamecore
from gamecore.game import BUILT_IN

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gamecore"
APPS = {path.name for path in (PACKAGE / "apps").iterdir() if path.is_dir()}


def module_of(path):
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(text):
    """Pairs (module, name) of all imports within the package, also lazy, by a constant name, or relative."""
    pairs = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            pairs += [(alias.name, "") for alias in node.names if alias.name.startswith("gamecore")]
        elif isinstance(node, ast.ImportFrom) and (node.level or node.module.startswith("gamecore")):
            pairs += [("." * node.level + (node.module or ""), alias.name) for alias in node.names]
        elif isinstance(node, ast.Constant) and re.fullmatch(r"gamecore(\.\w+)+", str(node.value)):
            pairs.append((node.value, ""))
    return pairs


def fault_of(source, module, name):
    """What is wrong with an import; "" if nothing is."""
    if module.startswith("."):
        return "a relative import, which does not name its room"
    room, target = source.split(".")[1:3], f"{module}.{name}".split(".")[1:3]
    if target[0] in APPS:  # gamecore.judge is gamecore.apps.judge
        target = ["apps", target[0]]
    if "apps" not in room:
        here = room[0] if room else "gamecore"
        if target[0] == "apps" and source not in ("gamecore", "gamecore.cli"):
            return "the engine imports an app"
        if target[0] == "cli" and here not in ("cli", "__main__"):
            return "the engine imports the command"
        if target[0] in BUILT_IN and here not in ("gamecore", "cli", target[0]):
            return "a game imports another" if here in BUILT_IN else "what is below the games imports one"
        return "the reference imports kernels" if (here, target[0]) == ("reference", "kernels") else ""
    if target[0] == "apps":
        return "" if room[1:] == target[1:] or len(room) < 2 else "an app imports another"
    private = [part for part in f"{module}.{name}".split(".") if part.startswith("_")]
    if private and private != ["_version", "__version__"]:
        return f"an app imports a private name of the engine: {private[0]}"
    public = getattr(importlib.import_module(module), "__all__", None) if name else None
    is_hidden = public and name not in public and importlib.util.find_spec(f"{module}.{name}") is None
    return f"{name} is not in __all__" if is_hidden else ""


def test_the_arrows():
    sources = {module_of(path): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    pairs = [(source, *pair) for source, text in sources.items() for pair in imports_of(text)]
    assert len(pairs) > 500
    assert [(*pair, fault) for pair in pairs if (fault := fault_of(*pair))] == []


@pytest.mark.parametrize(("source", "text", "fault"), [
    ("apps.play._command", "from gamecore import judge", "an app imports another"),
    ("apps.play._command", "import gamecore.apps.judge", "an app imports another"),
    ("apps.play._command", "from ..apps import judge", "a relative import"),
    ("apps.play._command", "from gamecore.game import _option", "an app imports a private name"),
    ("apps.play._command", "from gamecore.duel import re", "re is not in __all__"),
    ("duel", "from gamecore import kit", "the engine imports an app"),
    ("duel._solve", "import_module('gamecore.apps.kit')", "the engine imports an app"),
    ("cli.common", "from gamecore.apps import prove", "the engine imports an app"),
    ("rows._solve", "from gamecore import cli", "the engine imports the command"),
    ("game._registry", "import gamecore.cli.common", "the engine imports the command"),
    ("hearts._solve", "from gamecore import duel", "a game imports another"),
    ("draw.canvas", "from gamecore import rows", "what is below the games imports one"),
    ("search", "from gamecore.hexapawn import Position", "what is below the games imports one"),
    ("cards", "from . import hearts", "a relative import"),
    ("reference.duel", "from gamecore import kernels", "the reference imports kernels"),
    ("reference.duel", "from gamecore.kernels import kernel", "the reference imports kernels"),
])  # fmt: skip
def test_a_forbidden_import_is_found(source, text, fault):
    (pair,) = imports_of(text)
    assert fault_of(f"gamecore.{source}", *pair).startswith(fault)


def test_files_of_a_game_import_one_another_in_one_direction():
    """Also lazily, and for types: a file that another one needs does not need it."""
    assert {*BUILT_IN} <= {*gamecore.__all__}
    rooms = map(module_of, PACKAGE.glob("*/__init__.py"))
    assert {f"gamecore.{game}" for game in BUILT_IN} == {
        room for room in rooms if hasattr(importlib.import_module(room), "GAME")
    }
    for game in BUILT_IN:
        paths = [path for path in (PACKAGE / game).glob("*.py") if path.name != "__init__.py"]
        files = {module_of(path): path.read_text(encoding="utf-8") for path in paths}
        needs = {name: {module for module, _ in imports_of(text)} & {*files} for name, text in files.items()}
        while lowest := {name for name, needed in needs.items() if not needed & {*needs}}:
            needs = {name: needed for name, needed in needs.items() if name not in lowest}
        assert needs == {}
