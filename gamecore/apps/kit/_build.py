"""Compile a game's ``.pyx`` file together with the search.

A compiled module stands in the folder ``__kit__`` beside its source. Its name has a hash of the source and of the files
beside it that it may include, of the search and of the toolchain.
"""

import functools
import hashlib
import importlib.util
import json
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib import metadata
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

from gamecore.errors import GamecoreError
from gamecore.files import file_errors
from gamecore.kernels import level
from gamecore.text import in_words

_HERE: Final = Path(__file__).parent
_KEPT: Final = 3600.0  # seconds that a module built from an older source is kept: another process may be loading it
_MODULE: Final = "_gamecore_kit"  # follows the source's name in that of the module, which includes the source
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi|pxd)):(\d+):\d+: (.+)", re.MULTILINE)
_FUNCTION: Final = re.compile(r"^ *cdef +(?:inline +)?([\w ]+?) +(\w+) *\(", re.MULTILINE)
_PART: Final = re.compile(r"""^ *(?:include +["']|from +|cimport +)([\w.]+)""", re.MULTILINE)
_NEEDED: Final = ("start", "moves", "play", "result")
_DEFAULTS: Final = {
    "order": "int order(const State* s, Move move) noexcept nogil: return 0",
    "bounds": "void bounds(const State* s, int* low, int* high) noexcept nogil: pass",
    "valid": "bint valid(const State* s) noexcept nogil: return True",
    "key": "Key key(const State* s) noexcept nogil: return gc_bytes(s)",
    "mirrored": "State mirrored(const State* s) noexcept nogil: return s[0]",
}
_FLAGS: Final = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function"]


def build(path: str | Path) -> Path:
    """Compile a game, unless this was done before, and return the compiled module's file.

    It stands in a folder ``__kit__`` beside the source, under a hash of the source, of all ``.pxi``, ``.pxd`` and
    ``.h`` files beside it, of the search and of the toolchain.

    Raises:
        GamecoreError: the file cannot be read or has an error (the message names its line), or Cython or a C compiler
            is missing.
    """
    source = resolved(path)
    rules = _hash_of(_own_files(source))
    if not source.stem.isidentifier() or source.suffix != ".pyx":
        raise GamecoreError(
            f"{source.name!a} must be a .pyx file whose name is an identifier (in Python: gamecore.game.load)"
        )
    folder, compiler, tools = source.parent / "__kit__", *_toolchain()
    name = hashlib.sha256(f"{rules} {tools}".encode()).hexdigest()[:16]
    module = folder / f"{source.stem}_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists():
        with file_errors("write", folder):
            folder.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as work:  # other processes may build the same file
                library = _compile(source, rules, Path(work), compiler)
                if _hash_of(_own_files(source)) != rules:  # it is unknown which text was compiled
                    raise GamecoreError(f"{source.name} has changed while it was being compiled")
                library.replace(module)
            for old in folder.glob(f"{source.stem}_{'?' * 16}.*"):
                if old.stat().st_mtime < time.time() - _KEPT:
                    old.unlink(missing_ok=True)
    return module


def resolved(path: str | Path) -> Path:
    """Return the absolute path of a game's file; GamecoreError if it is no path."""
    with file_errors("read", path):
        return Path(path).resolve()


def _own_files(source: Path) -> list[Path]:
    """Return the source, and the files beside it that it may include."""
    return [source, *sorted(file for file in source.parent.glob("*.*") if file.suffix in (".pxi", ".pxd", ".h"))]


def _hash_of(files: list[Path]) -> str:
    """Hash names and contents of files."""
    digest = hashlib.sha256()
    for file in files:
        with file_errors("read", file):
            content = file.read_bytes()
        digest.update(f"{file.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _module_text(source: Path, rules: str) -> str:
    """Return the text of the whole module: a game's file, the functions that it leaves out, and the search."""
    parts, text = [source], ""
    for part in parts:  # files that it includes or cimports are appended
        text += part.read_text("utf-8", "replace")
        names = [name if name.endswith(".pxi") else f"{name}.pxd" for name in _PART.findall(text)]
        parts += [file for file in _own_files(source) if file.name in names and file not in parts]
    types = {name: kind for kind, name in _FUNCTION.findall(text)}
    for name in (*_NEEDED, *_DEFAULTS):
        if name not in types and (name in _NEEDED or re.search(rf"^(def +)?{name}\b", text, re.MULTILINE)):
            raise GamecoreError(f"cannot compile {source.name}: {name} must be a cdef function")
    if taken := re.search(r"^ *(?:cdef .*|def )?\b(gc_\w+)", text, re.MULTILINE | re.IGNORECASE):
        raise GamecoreError(f"cannot compile {source.name}: {taken[1]} is a name of the search, as all with gc_ are")
    gain = "play(s, move); return 0" if types["play"] == "void" else "return play(s, move)"
    functions = [f"int gc_gain(State* s, Move move) noexcept nogil: {gain}"]
    functions += [function for name, function in _DEFAULTS.items() if name not in types]
    lines = ['include "before.pxi"', f"include {json.dumps(source.name)}", f"gc_FINGERPRINT = {rules!r}", "cdef enum:"]
    lines += [f"    GC_HAS_{name.upper()} = {int(name in types)}" for name in ("key", "mirrored")]
    lines += [f"cdef inline {function}" for function in functions]
    lines += [f'include "{part}.pxi"' for part in ("table", "search", "solver")]
    return "\n".join([*lines, ""])


def _compile(source: Path, rules: str, work: Path, compiler: list[str]) -> Path:
    """Compile a game into a folder; return the library."""
    written = work / f"{source.stem}{_MODULE}.pyx"
    c_file, library = (written.with_suffix(suffix) for suffix in (".c", ".part"))
    written.write_text(_module_text(source, rules), "utf-8")
    # -P: a file such as random.py in the current folder is not for Cython. Bounds of lists and texts stay checked, so
    # that a wrong index in `write` is an error.
    cython = [sys.executable, "-P", "-m", "cython", "-3", "--directive=cdivision=True"]
    _run([*cython, f"-I{_HERE}", f"-I{source.parent}", str(written)], source)
    folders = ["-isystem", sysconfig.get_path("include"), "-iquote", str(source.parent)]
    _run([*compiler, *folders, str(c_file), "-o", str(library)], source)
    return library


@functools.cache
def imported(compiled: Path) -> ModuleType:
    """Import a module that :func:`build` made; raise GamecoreError if it raises an error."""
    name = compiled.name.partition(".")[0].rpartition("_")[0]
    loader = ExtensionFileLoader(f"{name}{_MODULE}", str(compiled))
    try:
        module = importlib.util.module_from_spec(ModuleSpec(loader.name, loader, origin=str(compiled)))
        loader.exec_module(module)
    except Exception as error:
        raise GamecoreError(f"cannot load {name}.pyx: {in_words(error)}") from error
    return module


def _toolchain() -> tuple[list[str], str]:
    """Return the compiler's command, and a text that changes with all that turns a source into a module."""
    command = shlex.split(sysconfig.get_config_var("CC") or "cc")
    program = next((name for name in (command[0], "cc", "gcc", "clang") if shutil.which(name)), None)
    if program is None:
        raise GamecoreError("a C compiler is needed to build a game: apt install gcc, or xcode-select --install")
    try:
        cython = metadata.version("cython")
    except metadata.PackageNotFoundError:
        raise GamecoreError("Cython is needed to build a game: pip install 'gamecore[kit]'") from None
    march = []
    if platform.machine().lower() in ("x86_64", "amd64"):  # the CPU level that the kernels use
        march = ["-march=x86-64" if level() == "baseline" else "-march=x86-64-v3"]
    compiler = [program, *command[1:] * (program == command[0]), *_FLAGS, *march]
    parts = _hash_of([Path(__file__), *sorted(_HERE.glob("*.pxi"))])
    return compiler, json.dumps([compiler, sys.version, cython, parts])


def _run(command: list[str], source: Path) -> None:
    """Run a compiler; raise its first error, with the line of the source."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    output = done.stderr + done.stdout
    errors = _ERROR.findall(output)
    for name, line, message in [error for error in errors if error[0] == source.name] or errors:
        raise GamecoreError(f"{name.replace(_MODULE, '')}, line {line}: {message}")
    lines = output.strip().splitlines() or ["?"]
    words = next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
    raise GamecoreError(f"cannot compile {source.name}: {words[:200]}")
