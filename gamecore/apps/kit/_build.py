"""Compile a game's ``.pyx`` file together with the search.

A compiled module stands in the folder ``__kit__`` beside its source. Its name has a hash of everything that was read
for it; a record beside it lists these files, and has a hash of the module.
"""

import functools
import hashlib
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
import time
from contextlib import suppress
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
_ATTEMPTS: Final = 5  # to compile a file that is being changed
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi|pxd)):(\d+):\d+: (.+)", re.MULTILINE)
_FLAGS: Final = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function"]


def include() -> str:
    """Return the folder of ``search.pxi`` and its parts, for ``cython -I`` in a build of your own."""
    return str(_HERE)


def build(path: str | Path) -> Path:
    """Compile a game, unless this was done before, and return the compiled module's file.

    It stands in a folder ``__kit__`` beside the source, under a hash of the source, of all files that the source
    includes, of the search and of the toolchain.

    Raises:
        GamecoreError: the file cannot be read or has an error (the message names its line), or Cython or a C compiler
            is missing.
    """
    return built(path)[0]


def built(path: str | Path) -> tuple[Path, str]:
    """Do what :func:`build` does; return also a hash of the game's own files, the same on every machine."""
    source = Path(path).resolve()
    with file_errors("read", source):
        source.open("rb").close()
    if not source.stem.isidentifier() or source.suffix != ".pyx":
        raise GamecoreError(f"{source.name!a} must be a .pyx file whose name is an identifier")
    folder, compiler, tools = source.parent / "__kit__", *_toolchain()
    for record in folder.glob(f"{source.stem}_{'?' * 16}.json"):
        with suppress(OSError, ValueError, LookupError, TypeError, GamecoreError):  # damaged, or a file is missing
            contents = json.loads(record.read_text(encoding="utf-8"))
            rules = _hash_of_all(source, contents["files"])
            if record == _record_of(source, rules, tools) and _hash_of(_module_of(record)) == contents["sha256"]:
                return _module_of(record), rules
    with file_errors("write", folder):
        folder.mkdir(exist_ok=True)
        for _ in range(_ATTEMPTS):
            with tempfile.TemporaryDirectory(dir=folder) as name:  # other processes may build the same file
                time.sleep(0.02)  # the file system's clock may have steps of 10 ms
                (begun := Path(name, "begun")).touch()
                library, files = _compile(source, Path(name), compiler)
                rules = _hash_of_all(source, files)
                if any((source.parent / file).stat().st_ctime_ns >= begun.stat().st_ctime_ns for file in files):
                    continue  # it is unknown which text was compiled
                record = _record_of(source, rules, tools)
                begun.write_text(json.dumps({"files": files, "sha256": _hash_of(library)}), "utf-8")
                library.replace(_module_of(record))
                begun.replace(record)
            for old in folder.glob(f"{source.stem}_{'?' * 16}.*"):
                if old.stat().st_mtime < time.time() - _KEPT:
                    old.unlink(missing_ok=True)
            return _module_of(record), rules
    raise GamecoreError(f"{source.name} changes while it is being compiled")


def _record_of(source: Path, rules: str, tools: str) -> Path:
    name = hashlib.sha256(f"{rules} {tools}".encode()).hexdigest()[:16]
    return source.parent / "__kit__" / f"{source.stem}_{name}.json"


def _module_of(record: Path) -> Path:
    return record.with_suffix(str(sysconfig.get_config_var("EXT_SUFFIX")))


def _hash_of(file: Path) -> str:
    with file_errors("read", file):
        return hashlib.sha256(file.read_bytes()).hexdigest()


def _hash_of_all(source: Path, files: list[str]) -> str:
    """Hash names and contents of files; the names are relative to the source's folder."""
    contents = [(file, _hash_of(source.parent / file)) for file in files]
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()


def _compile(source: Path, work: Path, compiler: list[str]) -> tuple[Path, list[str]]:
    """Compile a game into a folder; return the library, and the files of the game that were read."""
    written, translate = work / f"{source.stem}{_MODULE}.pyx", _HERE / "_translate.py"
    c_file, library, headers = (written.with_suffix(suffix) for suffix in (".c", ".part", ".d"))
    # -P: a file such as random.py in the current folder is not for Cython.
    output = _run([sys.executable, "-P", str(translate), str(source), str(written), str(_HERE)], source)
    files = [Path(file) for file in json.loads(output.splitlines()[-1])]
    folders = ["-isystem", sysconfig.get_path("include"), "-iquote", str(source.parent)]
    _run([*compiler, *folders, "-MMD", "-MF", str(headers), str(c_file), "-o", str(library)], source)
    listed = headers.read_text(encoding="utf-8").partition(": ")[2].replace("\\\n", " ")
    files += [Path(name.replace("\\ ", " ")).resolve() for name in re.split(r"(?<!\\)\s+", listed.strip())]
    own = {file for file in files if not file.is_relative_to(work) and not file.is_relative_to(_HERE)}
    return library, sorted(os.path.relpath(file, source.parent) for file in own)


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
    parts = [_HERE / "_translate.py", *sorted(_HERE.glob("*.pxi"))]
    return compiler, json.dumps([compiler, sys.version, cython, *map(_hash_of, parts)])


def _run(command: list[str], source: Path) -> str:
    """Run a compiler and return its output; raise its first error, with the line of the source."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    output = done.stderr + done.stdout
    errors = _ERROR.findall(output)
    for name, line, message in [error for error in errors if error[0] == source.name] or errors:
        raise GamecoreError(f"{name.replace(_MODULE, '')}, line {line}: {message}")
    lines = output.strip().splitlines() or ["?"]
    words = next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
    raise GamecoreError(f"cannot compile {source.name}: {words[:200]}")
