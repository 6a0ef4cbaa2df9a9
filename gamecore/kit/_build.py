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
from pathlib import Path
from types import ModuleType
from typing import Final

from gamecore.errors import GamecoreError
from gamecore.files import file_errors
from gamecore.kernels import level

_HERE: Final = Path(__file__).parent
_NEEDED: Final = ("State", "MOST_MOVES", "start", "moves", "play", "result")
_MOST_SOURCE: Final = 1 << 20
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi)):(\d+):\d+: (.+)", re.MULTILINE)
_DIRECTIVES: Final = ("boundscheck=False", "wraparound=False", "cdivision=True", "initializedcheck=False")


def build(path: str | Path) -> Path:
    """Compile a game, unless this was done before, and return the compiled module's file.

    It stands in a folder ``__kit__`` beside the source, under a hash of the source, the search, and the toolchain.

    Raises:
        GamecoreError: the file cannot be read or has an error (the message names its line), or Cython or a C compiler
            is missing.
    """
    source = Path(path)
    with file_errors("read", source):
        text = source.read_text(encoding="utf-8")
    if len(text) > _MOST_SOURCE or not source.stem.isidentifier():
        raise GamecoreError(f"{source.name!a} must be a small file whose name is an identifier")
    missing = [name for name in _NEEDED if not re.search(rf"\b{name}\b", text)]
    if missing:
        raise GamecoreError(f"{source.name} does not define {', '.join(missing)}")
    compiler = _compiler()
    flags = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function", *_march()]
    whole = _whole(source, text)
    parts = [(_HERE / name).read_text() for name in ("before.pxi", "after.pxi")]
    made_of = "\0".join([whole, text, *parts, *compiler, *flags, sys.version, _cython_version()])
    name = f"{source.stem}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
    target = source.resolve().parent / "__kit__" / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if target.exists():
        return target
    with file_errors("write", target):
        target.parent.mkdir(exist_ok=True)
        for old in target.parent.glob(f"{source.stem}-*"):
            old.unlink()
        written = target.parent / f"{name}.pyx"
        written.write_text(whole, encoding="utf-8")
    directives = [f"--directive={one}" for one in _DIRECTIVES]
    c_file = written.with_suffix(".c")
    command = [sys.executable, "-m", "cython", "-3", f"-I{_HERE}", f"-I{source.resolve().parent}", *directives]
    _run([*command, "--module-name", source.stem, "-o", str(c_file), str(written)], source)
    unfinished = target.with_suffix(".part")
    _run([*compiler, *flags, f"-I{sysconfig.get_path('include')}", str(c_file), "-o", str(unfinished)], source)
    unfinished.replace(target)
    written.unlink()
    c_file.unlink()
    return target


@functools.cache
def imported(compiled: Path) -> ModuleType:
    """Import a module that :func:`build` made.

    Raises:
        GamecoreError: it raises an error.
    """
    name = compiled.name.partition("-")[0]
    spec = importlib.util.spec_from_file_location(name, compiled)
    if spec is None or spec.loader is None:
        raise GamecoreError(f"cannot load {compiled.name!a}")
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise GamecoreError(f"cannot load {compiled.name!a}: {type(error).__name__}: {error}") from error
    return module


def _whole(source: Path, text: str) -> str:
    """Return the module: what the file may use, the file, what it left out, the search."""

    def defines(name: str) -> bool:
        return re.search(rf"^cdef [^=\n]*\b{name}\(", text, re.MULTILINE) is not None

    score = re.search(r"^KIND\s*=\s*[\"']score[\"']", text, re.MULTILINE) is not None
    void = re.search(r"^cdef (inline )?void play\(", text, re.MULTILINE) is not None
    lines = ['include "before.pxi"', f'include "{source.name}"']
    lines += ["cdef enum:", f"    OUTCOME = {int(not score)}", f"    BOUNDED = {int(defines('bounds'))}"]
    if not defines("order"):
        lines += ["cdef inline int order(const State* s, Move move) noexcept nogil:", "    return 0"]
    if not defines("bounds"):
        lines += ["cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:", "    pass"]
    lines += ["cdef inline int gain_of(State* s, Move move) noexcept nogil:"]
    lines += ["    play(s, move)", "    return 0"] if void else ["    return play(s, move)"]
    if not defines("key"):
        lines += ["from libc.string cimport memcpy, memset", "if sizeof(State) > 16:"]
        lines += ["    raise TypeError('a State of more than 16 bytes needs a key')"]
        lines += ["cdef inline Key key(const State* s) noexcept nogil:", "    cdef Key k", "    memset(&k, 0, 16)"]
        lines += ["    memcpy(&k, s, sizeof(State))", "    return k"]
    lines += ["cdef inline Key key_of(const State* s) noexcept nogil:", "    cdef Key k = key(s)"]
    if defines("mirrored"):
        lines += ["    cdef State turned = mirrored(s)", "    cdef Key other = key(&turned)"]
        lines += ["    if other.a < k.a or (other.a == k.a and other.b < k.b):", "        return other"]
    return "\n".join([*lines, "    return k", 'include "after.pxi"', ""])


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
    raise GamecoreError(f"cannot compile {source.name}: {(output.strip().splitlines() or ['?'])[-1][:200]}")
