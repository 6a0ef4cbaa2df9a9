"""Compile a game's ``.pyx`` file together with the search."""

import functools
import hashlib
import importlib.util
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Final

from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.kernels import level
from gamecore.text import in_words, printable

_HERE: Final = Path(__file__).parent
_PARTS: Final = [_HERE / f"{name}.pxi" for name in ("before", "table", "search")]
_NEEDED: Final = ("State", "MOST_MOVES", "start", "moves", "play", "result")
_MOST_SOURCE: Final = 1 << 20
_KEPT: Final = 3600.0  # seconds that a module built from an older source is kept: another process may be loading it
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi)):(\d+):\d+: (.+)", re.MULTILINE)
_FUNCTIONS: Final = re.compile(r"^cdef [^=(\n]*?(\w+)\(", re.MULTILINE)
_KIND: Final = re.compile(r"^KIND\s*=\s*[\"'](.*)[\"']", re.MULTILINE)
_INCLUDED: Final = re.compile(r"^include [\"'](.+)[\"']", re.MULTILINE)
# Bounds of lists and texts stay checked, so that a wrong index in `write` is an error; arrays of C have no such check.
_CYTHON: Final = ["-3", "--directive=cdivision=True"]


def include() -> str:
    """Return the folder of ``search.pxi`` and its parts, for ``cython -I`` in a build of your own."""
    return str(_HERE)


def is_outcome(kind: object) -> bool:
    """Return whether a game's ``KIND`` is win, draw and loss.

    Raises:
        OptionError: there is no such kind.
    """
    if kind not in ("outcome", "score"):
        raise OptionError(f"KIND must be 'outcome' or 'score', not {printable(kind)}")
    return kind == "outcome"


def build(path: str | Path) -> Path:
    """Compile a game, unless this was done before, and return the compiled module's file.

    It stands in a folder ``__kit__`` beside the source, under a hash of the source, the search, and the toolchain.

    Raises:
        GamecoreError: the file cannot be read or has an error (the message names its line), or Cython or a C compiler
            is missing.
    """
    source = Path(path).resolve()
    text = _read(source)
    if len(text) > _MOST_SOURCE or not source.stem.isidentifier() or source.suffix != ".pyx":
        raise GamecoreError(f"{source.name!a} must be a small .pyx file whose name is an identifier")
    whole = _whole(source, text)
    compiler = _compiler()
    flags = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function", *_march()]
    used = [source.parent / name for name in _INCLUDED.findall(text)] + _PARTS
    made_of = "\0".join([whole, text, *map(_read, used), *compiler, *flags, *_CYTHON, sys.version, _cython_version()])
    name = f"{source.stem}_{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
    folder, suffix = source.parent / "__kit__", str(sysconfig.get_config_var("EXT_SUFFIX"))
    target = folder / f"{name}{suffix}"
    if target.exists():
        return target
    with file_errors("write", target):
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:  # other processes may build the same file
            unfinished = _compile(source, Path(work) / name, whole, [*compiler, *flags])
            unfinished.replace(target)
        for old in folder.glob(f"{source.stem}_*{suffix}"):
            if old.stat().st_mtime < time.time() - _KEPT:
                old.unlink(missing_ok=True)
    return target


def _read(source: Path) -> str:
    with file_errors("read", source):
        try:
            return source.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise GamecoreError(f"{source.name!a} is no UTF-8 text") from None


def _compile(source: Path, place: Path, whole: str, compiler: list[str]) -> Path:
    """Compile a module's text and return the library; ``place``: the module's path without a suffix."""
    written, c_file, library = (place.with_suffix(suffix) for suffix in (".pyx", ".c", ".part"))
    written.write_text(whole, encoding="utf-8")
    folders = [f"-I{_HERE}", f"-I{source.parent}"]
    _run([sys.executable, "-m", "cython", *_CYTHON, *folders, "-o", str(c_file), str(written)], source)
    _run([*compiler, f"-I{sysconfig.get_path('include')}", str(c_file), "-o", str(library)], source)
    return library


@functools.cache
def imported(compiled: Path) -> ModuleType:
    """Import a module that :func:`build` made.

    Raises:
        GamecoreError: it raises an error.
    """
    name = compiled.name.partition(".")[0]
    file = f"{name.rpartition('_')[0]}.pyx"
    spec = importlib.util.spec_from_file_location(name, compiled)
    if spec is None or spec.loader is None:
        raise GamecoreError(f"cannot load the module of {file}")
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise GamecoreError(f"cannot load {file}: {in_words(error)}") from error
    return module


def _whole(source: Path, text: str) -> str:
    """Return the module: what the file may use, the file, what it left out, the search.

    Raises:
        GamecoreError: the file lacks a name, or defines one of the search.
    """

    def defines(name: str) -> bool:
        return name in functions

    missing = [name for name in _NEEDED if not re.search(rf"\b{name}\b", text)]
    if missing:
        raise GamecoreError(f"{source.name} does not define {', '.join(missing)}")
    functions = _FUNCTIONS.findall(text)
    taken = sorted({*functions} & {*_FUNCTIONS.findall("".join(map(_read, _PARTS)))})
    if taken:
        raise GamecoreError(f"{source.name}: the search has functions {', '.join(taken)}; use other names")
    kind = _KIND.search(text)
    score = kind is not None and not is_outcome(kind[1])
    void = re.search(r"^cdef (inline )?void play\(", text, re.MULTILINE) is not None
    lines = ['include "before.pxi"', f'include "{source.name}"']
    lines += ["cdef enum:", f"    OUTCOME = {int(not score)}", f"    BOUNDED = {int(defines('bounds'))}"]
    if not defines("order"):
        lines += ["cdef inline int order(const State* s, Move move) noexcept nogil:", "    return 0"]
    if not defines("bounds"):
        lines += ["cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:", "    pass"]
    if not defines("valid"):
        lines += ["cdef inline bint valid(const State* s) noexcept nogil:", "    return True"]
    lines += ["cdef inline int gain_of(State* s, Move move) noexcept nogil:"]
    lines += ["    play(s, move)", "    return 0"] if void else ["    return play(s, move)"]
    if not defines("key"):
        lines += ["from libc.string cimport memcpy, memset", "from gamecore.errors import GamecoreError"]
        lines += ["if sizeof(State) > 16:"]
        lines += ["    raise GamecoreError('a State of more than 16 bytes needs a key')"]
        lines += ["cdef inline Key key(const State* s) noexcept nogil:", "    cdef Key k", "    cdef State clean"]
        lines += [
            "    memset(&k, 0, 16)",
            "    memset(&clean, 0, sizeof(State))  # between fields there may be anything",
        ]
        lines += [f"    memcpy(&clean.{name}, &s.{name}, sizeof(clean.{name}))" for name in _fields(text)]
        lines += ["    memcpy(&k, &clean, sizeof(State))", "    return k"]
    lines += ["cdef inline Key key_of(const State* s) noexcept nogil:", "    cdef Key k = key(s)"]
    if defines("mirrored"):
        lines += ["    cdef State turned = mirrored(s)", "    cdef Key other = key(&turned)"]
        lines += ["    if other.a < k.a or (other.a == k.a and other.b < k.b):", "        return other"]
    return "\n".join([*lines, "    return k", 'include "search.pxi"', ""])


def _fields(text: str) -> list[str]:
    """Return the names of the fields of ``State``."""
    body = re.search(r"^cdef struct State:.*\n((?:(?:[ \t].*)?\n)*)", text, re.MULTILINE)
    lines = [line.partition("#")[0].strip() for line in (body[1].splitlines() if body else [])]
    return [re.sub(r"\[.*", "", name).split()[-1] for line in lines if line for name in line.split(",")]


def _compiler() -> list[str]:
    command = shlex.split(sysconfig.get_config_var("CC") or "cc")
    found = next((one for one in (command[0], "cc", "gcc", "clang") if shutil.which(one)), None)
    if found is None:
        raise GamecoreError("a C compiler is needed to build a game: apt install gcc, or xcode-select --install")
    return [found, *command[1:]] if found == command[0] else [found]


def _cython_version() -> str:
    from importlib import metadata

    try:
        return metadata.version("cython")
    except metadata.PackageNotFoundError:
        raise GamecoreError("Cython is needed to build a game: pip install 'gamecore[kit]'") from None


def _march() -> list[str]:
    """Return the flag of the CPU level that the kernels use."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return []
    return ["-march=x86-64" if level() == "baseline" else "-march=x86-64-v3"]


def _run(command: list[str], source: Path) -> None:
    """Run a compiler.

    Raises:
        GamecoreError: it failed; the message is its first error, with the line of the source.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    output = done.stderr + done.stdout
    errors = _ERROR.findall(output)
    for name, line, message in [one for one in errors if one[0] == source.name] or errors:
        raise GamecoreError(f"{name}, line {line}: {message}")
    lines = output.strip().splitlines() or ["?"]
    said = next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
    raise GamecoreError(f"cannot compile {source.name}: {said[:200]}")
