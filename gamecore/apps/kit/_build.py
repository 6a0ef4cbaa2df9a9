"""Compile a game's ``.pyx`` file together with the search.

A compiled module stands in the folder ``__kit__`` beside its source, and beside it a list of the files that were read.
Its name has a hash of these files, of the search and of the toolchain.
"""

import functools
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import metadata
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

from gamecore.apps.kit._digest import hashed, is_own
from gamecore.errors import GamecoreError
from gamecore.files import file_errors, write_whole
from gamecore.kernels import level
from gamecore.text import explain

_HERE: Final = Path(__file__).parent
_MODULE: Final = "_gamecore_kit"  # follows the source's name in that of the module, which includes the source
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi|pxd)):(\d+):\d+: (.+)", re.MULTILINE)
_FUNCTION: Final = re.compile(r"^ *cdef +(?:inline +)?([\w ]+?) +(\w+) *\([^)]*\)([^:\n]*):", re.MULTILINE)
_INCLUDE: Final = re.compile(r"""^ *include +["']([^"']+)""", re.MULTILINE)
_NAME: Final = re.compile(r"""^name *= *["']([^"']*)["']""", re.MULTILINE)
_CIMPORT: Final = re.compile(r"^ *(?:from|cimport) +([\w.]+)", re.MULTILINE)
_OWN: Final = re.compile(r"^(?:def +)?(\w+) *[(=:]", re.MULTILINE)  # names that Python sees
NEEDED: Final = ("start", "moves", "play", "result")
IN_PYTHON: Final = ("name", "NAME", "RULES", "KIND", "CYCLES", "SQUARES", "ACTIONS", "write", "draw", "squares")
_DEFAULTS: Final = {
    "order": "int order(const State* s, Move move) noexcept nogil: return 0",
    "bounds": "void bounds(const State* s, int* low, int* high) noexcept nogil: pass",
    "valid": "bint valid(const State* s) noexcept nogil: return True",
    "key": "Key key(const State* s) noexcept nogil: return gc_bytes(s)",
    "mirrored": "State mirrored(const State* s) noexcept nogil: return s[0]",
}
_SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX")
Built = tuple[Path, dict[str, bytes]]
_FLAGS: Final = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function"]


def build(path: str | Path) -> Path:
    """Compile a game, unless this was done before, and return the compiled module's file.

    It stands in a folder ``__kit__`` beside the source. A list beside it has a hash of every file that the compilers
    read, outside of Python and installed packages: when one of them changes, the game is compiled again.

    Raises:
        GamecoreError: the file cannot be read or has an error (the message names its line), or Cython or a C compiler
            is missing.
    """
    return built(path)[0]


def name_of(path: str | Path) -> str:
    """Return the name of a ``.pyx`` file's game: what it assigns to ``name``, otherwise the file's.

    Raises:
        GamecoreError: the file cannot be read.
    """
    source = resolved(path)
    assigned = _NAME.search(source.read_text("utf-8", "replace"))
    return assigned[1] if assigned else source.stem


def misspelt(names: Iterable[str], rules: Iterable[str]) -> str:
    """Return what is wrong if a name is nearly that of a missing rule; otherwise nothing."""
    missing = {*rules}.difference(names)
    for name in sorted({*names}.difference(rules)):
        for rule in get_close_matches(name, missing, 1, 0.8) if name[0] != "_" else ():
            return f"{name} is no rule: did you mean {rule}? (names of your own may begin with _)"
    return ""


def built(path: str | Path) -> Built:
    """Build a game; return the module's file, and the files that it was made of: names from the folder, contents."""
    source = resolved(path)
    if source.suffix != ".pyx":
        raise GamecoreError(f"{source.name!a} must be a .pyx file (in Python: gamecore.game.load)")
    if not (source.stem.isascii() and source.stem.isidentifier()):
        raise GamecoreError(f"{source.name!a}: the name before .pyx must be an identifier")
    compiler, tools = _toolchain()
    if (ready := _found(source, tools)) is not None:
        return ready
    folder = source.parent / "__kit__"
    with file_errors("write", folder):
        folder.mkdir(exist_ok=True)
        with _alone_in(folder) as work:  # another process may have been here first
            return _found(source, tools) or _compile(source, work, compiler, tools)


def _found(source: Path, tools: str) -> Built | None:
    """Return what :func:`built` does if that was built, is whole, and no file has changed since."""
    for module in (source.parent / "__kit__").glob(f"{source.stem}_{'?' * 16}{_SUFFIX}"):
        with suppress(OSError, ValueError, LookupError, TypeError):
            listing = json.loads(Path(f"{module}.json").read_bytes())
            files = {name: (source.parent / name).read_bytes() for name in listing["files"]}
            hashes = {name: hashed([content]) for name, content in files.items()}
            if listing == {"tools": tools, "files": hashes, "length": module.stat().st_size}:
                return module, files
    return None


@contextmanager
def _alone_in(folder: Path) -> Iterator[Path]:
    """Give one process at a time a folder in this one; what a killed process has left is removed."""
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        for left in folder.glob("*.part"):
            shutil.rmtree(left, ignore_errors=True)
            left.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(suffix=".part", dir=folder) as work:
            yield Path(work)
    finally:
        os.close(opened)


def resolved(path: str | Path) -> Path:
    """Return the absolute path of a game's file; GamecoreError if it is no path, or cannot be read."""
    with file_errors("read", path):
        Path(path).open("rb").close()
        return Path(path).resolve()


def _module_text(source: Path) -> str:
    """Return the text of the whole module: a game's file, the functions that it leaves out, and the search."""
    parts, text = [source], ""
    for part in parts:  # files that it includes or cimports are appended
        content = part.read_text("utf-8", "replace")
        names = [*_INCLUDE.findall(content), *(f"{name.replace('.', '/')}.pxd" for name in _CIMPORT.findall(content))]
        places = [(folder / name).resolve() for name in names for folder in (part.parent, source.parent)]
        parts += [place for place in dict.fromkeys(places) if place.is_file() and place not in parts]
        text += content
    declared = _FUNCTION.findall(text)
    types = {name: kind for kind, name, _ in declared}
    ends = {name: end.split() for _, name, end in declared}
    problem = "" if re.search(r"\bMOST_MOVES\b", text) else "MOST_MOVES must be in a cdef enum"
    for name in (*NEEDED, *_DEFAULTS):
        if name not in types and (name in NEEDED or re.search(rf"^(def +)?{name}\b", text, re.MULTILINE)):
            problem = f"{name} must be a cdef function"
        elif not {"noexcept", "nogil"} <= {*ends.get(name, ("noexcept", "nogil"))}:
            problem = f"{name} must end with `noexcept nogil:`"
    problem = problem or misspelt(types, (*NEEDED, *_DEFAULTS)) or misspelt(_OWN.findall(text), IN_PYTHON)
    if types.get("play", "void") != "void" and "KIND" not in text:
        problem = "play returns what a move gains: say KIND = 'score', or let it be void"
    if problem:
        raise GamecoreError(f"cannot compile {source.name}: {problem}")
    if taken := re.search(r"^ *(?:cdef .*|def )?\b(gc_\w+)", text, re.MULTILINE | re.IGNORECASE):
        raise GamecoreError(f"cannot compile {source.name}: {taken[1]} is a name of the search, as all with gc_ are")
    gain = "play(s, move); return 0" if types["play"] == "void" else "return play(s, move)"
    functions = [f"int gc_gain(State* s, Move move) noexcept nogil: {gain}"]
    one_word = types.get("key") == "uint64_t"
    functions += [function for name, function in _DEFAULTS.items() if name not in types]
    lines = ['include "before.pxi"', f"include {json.dumps(source.name)}", "cdef enum:"]
    lines += [f"    GC_HAS_{name.upper()} = {int(name in types)}" for name in ("key", "mirrored")]
    lines += [
        f"    GC_GAINS = {int(types['play'] != 'void')}",
        f"    GC_WORDS = {2 - one_word}",
        *(f"cdef inline {function}" for function in functions),
    ]
    lines += ["cdef inline Key gc_own_key(const State* s) noexcept nogil:", "    cdef Key k"]
    lines += ["    k.a, k.b = key(s), 0" if one_word else "    k = key(s)", "    return k"]
    lines += [f'include "{part}.pxi"' for part in ("table", "search", "solver", *["cycles"] * ("CYCLES" in text))]
    return "\n".join([*lines, ""])


def _compile(source: Path, work: Path, compiler: list[str], tools: str) -> Built:
    """Compile a game in a folder, and write the module and its list beside that, unless a file changes meanwhile."""
    begun, folder, written = work.stat().st_mtime_ns, source.parent, work / f"{source.stem}{_MODULE}.pyx"
    written.write_text(_module_text(source), "utf-8")
    c_file, library, headers = (written.with_suffix(suffix) for suffix in (".c", ".part", ".d"))
    inner = {path: os.path.relpath(path, folder) for path in (written, c_file, library, headers)}
    command = [sys.executable, str(_HERE / "_compiler.py"), str(work)]
    command += ["-3", "--depfile", f"-I{_HERE}", "-I.", inner[written], "--", *compiler, "-MMD", "-MF", inner[headers]]
    command += ["-isystem", sysconfig.get_path("include"), "-iquote", ".", inner[c_file], "-o", inner[library]]
    _run(command, source)
    read = {file for listed in (c_file.with_suffix(".c.dep"), headers) for file in _listed(listed, folder)}
    read = {file for file in read if is_own(file) and file.parent != work.resolve()}
    files = {os.path.relpath(file, folder): file.read_bytes() for file in sorted(read)}
    if any(file.stat().st_ctime_ns > begun for file in read):  # it is unknown which text was compiled
        raise GamecoreError(f"{source.name} has changed while it was being compiled")
    hashes = {name: hashed([content]) for name, content in files.items()}
    listing = json.dumps({"tools": tools, "files": hashes, "length": library.stat().st_size}).encode()
    module = work.parent / f"{source.stem}_{hashed([listing])[:16]}{_SUFFIX}"
    for old in work.parent.glob(f"{source.stem}_{'?' * 16}.*"):
        old.unlink(missing_ok=True)
    write_whole(module, [library.read_bytes()])
    write_whole(f"{module}.json", [listing])
    return module, files


def _listed(dependencies: Path, folder: Path) -> list[Path]:
    """Return the files of a makefile's rule."""
    rule = dependencies.read_text("utf-8", "surrogateescape").replace("\\\n", "").partition(": ")[2]
    names = re.split(r"(?<!\\)\s+", rule.strip())
    return [(folder / name.replace("\\", "").replace("$$", "$")).resolve() for name in names]


@functools.cache
def imported(compiled: Path) -> ModuleType:
    """Import a module that :func:`build` made; raise GamecoreError if it raises an error."""
    name = compiled.name.partition(".")[0].rpartition("_")[0]
    loader = ExtensionFileLoader(f"{name}{_MODULE}", str(compiled))
    try:
        module = importlib.util.module_from_spec(ModuleSpec(loader.name, loader, origin=str(compiled)))
        loader.exec_module(module)
    except Exception as error:
        raise GamecoreError(f"cannot load {name}.pyx: {explain(error)}") from error
    return module


def _toolchain() -> tuple[list[str], str]:
    """Return the compiler's command, and a text that changes with all that turns a source into a module."""
    from_user = os.environ.get("CC")
    command = shlex.split(from_user or sysconfig.get_config_var("CC") or "cc")
    program = next(filter(shutil.which, command[:1] if from_user else (command[0], "cc", "gcc", "clang")), None)
    if program is None:
        hint = f"CC={from_user} is not found" if from_user else "apt install gcc, or xcode-select --install"
        raise GamecoreError(f"a C compiler is needed to build a game: {hint}")
    try:
        cython = metadata.version("cython")
    except metadata.PackageNotFoundError:
        raise GamecoreError("Cython is needed to build a game: pip install 'gamecore[kit]'") from None
    compiler = [program, *command[1:] * (program == command[0]), *_FLAGS]
    if platform.machine().lower() in ("x86_64", "amd64"):  # the CPU level that the kernels use
        compiler.append("-march=x86-64" if level() == "baseline" else "-march=x86-64-v3")
    parts = hashed(file.read_bytes() for file in (Path(__file__), _HERE / "_compiler.py", *sorted(_HERE.glob("*.pxi"))))
    return compiler, json.dumps([compiler, sys.version, cython, parts])


def _run(command: list[str], source: Path) -> None:
    """Run the compilers; raise their first error, with the line of the source."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=source.parent,
        process_group=0,
    ) as process:  # fmt: skip
        output = "".join(process.stdout or ())  # its input is open until then
    if process.returncode == 0:
        return
    for name, line, message in sorted(_ERROR.findall(output), key=lambda error: error[0] != source.name):
        of_search = (_HERE / name).exists()  # as for a State with a pointer
        hint = "a function's types, or a field of State, are not as the search expects"
        where = f"cannot compile {source.name}: {hint}" if of_search else f"{name.replace(_MODULE, '')}, line {line}"
        raise GamecoreError(f"{where}: {message}")
    lines = output.strip().splitlines() or ["?"]
    words = next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
    raise GamecoreError(f"cannot compile {source.name}: {words[:200]}")
