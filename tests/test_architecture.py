"""The four arrows of ``docs/architecture.md``; ``tests/mutants.toml`` has imports that they forbid."""

import ast
import importlib
import importlib.util
import re
from pathlib import Path

import gamecore
from gamecore.game import BUILT_IN

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gamecore"


def module_of(path):
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


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
        if room and room[0] in BUILT_IN and target[0] in BUILT_IN and target[0] != room[0]:
            return "a game imports another"
        return ""
    if target[:1] == ["apps"]:
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


def test_files_of_a_game_import_one_another_in_one_direction():
    """Also lazily, and for types: a file that another one needs does not need it."""
    assert {*BUILT_IN} <= {*gamecore.__all__}
    for game in BUILT_IN:
        paths = [path for path in (PACKAGE / game).glob("*.py") if path.name != "__init__.py"]
        files = {module_of(path): path.read_text(encoding="utf-8") for path in paths}
        needs = {name: {module for module, _ in imports_of(text)} & {*files} for name, text in files.items()}
        while lowest := {name for name, needed in needs.items() if not needed & {*needs}}:
            needs = {name: needed for name, needed in needs.items() if name not in lowest}
        assert needs == {}
