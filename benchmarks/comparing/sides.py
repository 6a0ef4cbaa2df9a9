"""The two sides of a comparison: a tag or revision, a wheel, a directory, or the working tree, built and importable."""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gamecore import GamecoreError

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "ab"


@dataclass(frozen=True, slots=True)
class Side:
    """One side.

    Attributes:
        label: what was asked for. tree: the directory to import gamecore from. about: the revision, or what else it is.
    """

    label: str
    tree: Path
    about: str


def side(label: str, kernels: list[str], levels: list[str]) -> Side:
    """Find the side and compile the kernels that are needed, as far as they are not there.

    Raises:
        GamecoreError: it is none of a revision, a wheel and a directory, or it does not build.
    """
    path = Path(label)
    if path.suffix == ".whl":
        try:
            tree = unpacked(path, sha256(path.read_bytes()).hexdigest()[:12], "zip")
        except (OSError, zipfile.BadZipFile) as error:
            raise GamecoreError(f"{label!a} cannot be unpacked: {error}") from None
        return Side(label, tree, "a wheel")
    if path.is_dir():
        tree, about = (ROOT, "the working tree") if label == "." else (path.resolve(), "a directory")
    else:
        tree, about = exported(label)
    environment = {**os.environ, "GAMECORE_ONLY": ",".join(kernels), "GAMECORE_LEVELS": ",".join(levels)}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise GamecoreError(f"{tree} does not build:\n{(result.stdout + result.stderr)[-3000:]}")
    return Side(label, tree, about)


def exported(label: str) -> tuple[Path, str]:
    """Return a tree of the revision that a label names, and the revision's short hash."""
    git = ["git", "-C", str(ROOT)]
    words = [*git, "rev-parse", "--verify", "--quiet", f"{label}^{{commit}}"]
    revision = subprocess.run(words, capture_output=True, text=True, check=False).stdout[:12]
    if not revision:
        raise GamecoreError(f"{label!a} is no tag, revision, wheel or directory here")
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "tree.tar"
        subprocess.run([*git, "archive", "--format=tar", "-o", archive, revision], check=True)
        return unpacked(archive, revision, "tar"), revision


def unpacked(archive: Path, name: str, kind: str) -> Path:
    """Return where an archive's files are kept, in build/ab."""
    tree = WORK / name
    if not tree.exists():
        unfinished = WORK / f"{name}.{os.getpid()}"
        shutil.unpack_archive(archive, unfinished, kind)
        unfinished.replace(tree)
    return tree
