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
from pathlib import Path
from types import ModuleType
from typing import Final

from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.kernels import level
from gamecore.text import in_words, printable

_HERE: Final = Path(__file__).parent
_TRANSLATE: Final = _HERE / "_translate.py"
_MOST_SOURCE: Final = 1 << 20
_KEPT: Final = 3600.0  # seconds that a module built from an older source is kept: another process may be loading it
_MODULE: Final = "_gamecore_kit"  # follows the source's name in that of the module, which includes the source
_ATTEMPTS: Final = 5  # to compile a file that is being changed
_ERROR: Final = re.compile(r"^(?:.*/)?([^/\n:]+\.(?:pyx|pxi|pxd)):(\d+):\d+: (.+)", re.MULTILINE)
_FLAGS: Final = ["-O3", "-g0", "-shared", "-fPIC", "-fno-math-errno", "-Wno-unused-function"]


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
        text = source.read_bytes()
    try:
        text.decode()
    except UnicodeDecodeError:
        raise GamecoreError(f"{source.name!a} is no UTF-8 text") from None
    if len(text) > _MOST_SOURCE or not source.stem.isidentifier() or source.suffix != ".pyx":
        raise GamecoreError(f"{source.name!a} must be a small .pyx file whose name is an identifier")
    compiler = [*_compiler(), *_FLAGS, *_march()]
    parts = [_TRANSLATE, *sorted(_HERE.glob("*.pxi"))]
    tools = json.dumps([compiler, sys.version, _cython_version(), *map(_hash_of, parts)])
    folder = source.parent / "__kit__"
    for record in folder.glob(f"{source.stem}_{'?' * 16}.json"):
        if rules := _checked_record(source, record, tools):
            return _module_of(record), rules
    with file_errors("write", folder):
        folder.mkdir(exist_ok=True)
        for _ in range(_ATTEMPTS):
            with tempfile.TemporaryDirectory(dir=folder) as work:  # other processes may build the same file
                begun = _file_time(Path(work))
                library, files = _compile(source, Path(work), compiler)
                rules = _hash_of_all(source, files)
                if any((source.parent / file).stat().st_ctime_ns >= begun for file in files):
                    continue  # it is unknown which text was compiled
                record = folder / f"{source.stem}_{_name_hash(rules, tools)}.json"
                contents = {"files": files, "sha256": _hash_of(library)}
                (Path(work) / "record").write_text(json.dumps(contents), encoding="utf-8")
                library.replace(_module_of(record))
                (Path(work) / "record").replace(record)
            _remove_old(folder, source.stem)
            return _module_of(record), rules
    raise GamecoreError(f"{source.name} changes while it is being compiled")


def _checked_record(source: Path, record: Path, tools: str) -> str:
    """Return the hash of a game's files if a record's module was made of them and is whole; otherwise an empty text."""
    try:
        contents = json.loads(record.read_text(encoding="utf-8"))
        rules = _hash_of_all(source, contents["files"])
        if source.name not in contents["files"] or record.stem != f"{source.stem}_{_name_hash(rules, tools)}":
            return ""
        return rules if _hash_of(_module_of(record)) == contents["sha256"] else ""
    except (OSError, ValueError, LookupError, TypeError, GamecoreError):
        return ""  # damaged, or a file is missing


def _module_of(record: Path) -> Path:
    return record.with_suffix(str(sysconfig.get_config_var("EXT_SUFFIX")))


def _name_hash(rules: str, tools: str) -> str:
    return hashlib.sha256(f"{rules} {tools}".encode()).hexdigest()[:16]


def _hash_of(file: Path) -> str:
    with file_errors("read", file):
        return hashlib.sha256(file.read_bytes()).hexdigest()


def _hash_of_all(source: Path, files: list[str]) -> str:
    """Hash names and contents of files; the names are relative to the source's folder."""
    contents = [(file, _hash_of(source.parent / file)) for file in files]
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()


def _file_time(folder: Path) -> int:
    """Return the file system's time, later than that of any file that exists now."""
    time.sleep(0.02)  # its clock may have steps of 10 ms
    (folder / "begun").touch()
    return (folder / "begun").stat().st_ctime_ns


def _remove_old(folder: Path, stem: str) -> None:
    for old in folder.glob(f"{stem}_{'?' * 16}.*"):
        if old.stat().st_mtime < time.time() - _KEPT:
            old.unlink(missing_ok=True)


def _compile(source: Path, work: Path, compiler: list[str]) -> tuple[Path, list[str]]:
    """Compile a game; return the library and the files that were read, but for those of the toolchain and the search.

    Args:
        source: the game's file.
        work: a folder for the library and what comes before it.
        compiler: its command.
    """
    written = work / f"{source.stem}{_MODULE}.pyx"
    c_file, library, headers = (written.with_suffix(suffix) for suffix in (".c", ".part", ".d"))
    # -P: a file such as random.py in the current folder is not for Cython.
    output = _run([sys.executable, "-P", str(_TRANSLATE), str(source), str(written), str(_HERE)], source)
    files = [Path(file) for file in json.loads(output.splitlines()[-1])]
    folders = ["-isystem", sysconfig.get_path("include"), "-iquote", str(source.parent)]
    _run([*compiler, *folders, "-MMD", "-MF", str(headers), str(c_file), "-o", str(library)], source)
    listed = headers.read_text(encoding="utf-8").partition(": ")[2].replace("\\\n", " ")
    files += [Path(name.replace("\\ ", " ")).resolve() for name in re.split(r"(?<!\\)\s+", listed.strip())]
    own = {file for file in files if not file.is_relative_to(work) and not file.is_relative_to(_HERE)}
    return library, sorted(os.path.relpath(file, source.parent) for file in own)


@functools.cache
def imported(compiled: Path) -> ModuleType:
    """Import a module that :func:`build` made.

    Raises:
        GamecoreError: it raises an error.
    """
    name = compiled.name.partition(".")[0].rpartition("_")[0]
    spec = importlib.util.spec_from_file_location(f"{name}{_MODULE}", compiled)
    if spec is None or spec.loader is None:
        raise GamecoreError(f"cannot load the module of {name}.pyx")
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise GamecoreError(f"cannot load {name}.pyx: {in_words(error)}") from error
    return module


def _compiler() -> list[str]:
    command = shlex.split(sysconfig.get_config_var("CC") or "cc")
    program = next((name for name in (command[0], "cc", "gcc", "clang") if shutil.which(name)), None)
    if program is None:
        raise GamecoreError("a C compiler is needed to build a game: apt install gcc, or xcode-select --install")
    return [program, *command[1:]] if program == command[0] else [program]


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


def _run(command: list[str], source: Path) -> str:
    """Run a compiler and return its output.

    Raises:
        GamecoreError: it failed; the message is its first error, with the line of the source.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    output = done.stderr + done.stdout
    errors = _ERROR.findall(output)
    for name, line, message in [error for error in errors if error[0] == source.name] or errors:
        raise GamecoreError(f"{name}, line {line}: {message}")
    lines = output.strip().splitlines() or ["?"]
    words = next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
    raise GamecoreError(f"cannot compile {source.name}: {words[:200]}")
