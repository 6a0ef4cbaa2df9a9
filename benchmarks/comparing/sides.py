"""The two sides of a comparison: a tag or revision, a wheel, a directory, or the working tree, built and importable."""

import os
import shutil
import subprocess
import sys
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
    """Find the side and build the kernels that are needed, as far as they are not there.

    Raises:
        GamecoreError: it is none of a revision, a wheel and a directory, or it does not build.
    """
    path = Path(label)
    if label == ".":
        build(ROOT, kernels, levels)
        return Side(label, ROOT, "the working tree")
    if path.suffix == ".whl":
        return Side(label, unpacked(path), "a wheel")
    if path.is_dir():
        build(path.resolve(), kernels, levels)
        return Side(label, path.resolve(), "a directory")
    revision = git("rev-parse", "--verify", "--quiet", f"{label}^{{commit}}").strip()
    if not revision:
        raise GamecoreError(f"{label!a} is no tag, revision, wheel or directory here")
    tree = exported(revision)
    built = tree / f".built-{sha256(repr((sorted(kernels), sorted(levels))).encode()).hexdigest()[:12]}"
    if not built.exists():
        build(tree, kernels, levels)
        built.touch()
    return Side(label, tree, revision[:12])


def git(*arguments: str) -> str:
    """What a command of git prints; "" when it fails."""
    result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else ""


def exported(revision: str) -> Path:
    """A tree of this revision, kept in build/ab."""
    tree = WORK / revision[:12]
    if not tree.exists():
        unfinished = WORK / f"{revision[:12]}.{os.getpid()}"
        unfinished.mkdir(parents=True)
        archive = unfinished / "tree.tar"
        subprocess.run(["git", "archive", "--format=tar", "-o", archive, revision], cwd=ROOT, check=True)
        shutil.unpack_archive(archive, unfinished)
        archive.unlink()
        unfinished.replace(tree)
    return tree


def unpacked(wheel: Path) -> Path:
    """A wheel's files, kept in build/ab."""
    try:
        tree = WORK / sha256(wheel.read_bytes()).hexdigest()[:12]
        if not tree.exists():
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(tree)
    except (OSError, zipfile.BadZipFile) as error:
        raise GamecoreError(f"{str(wheel)!a} cannot be unpacked: {error}") from None
    return tree


def build(tree: Path, kernels: list[str], levels: list[str]) -> None:
    """Compile in place."""
    environment = {**os.environ, "GAMECORE_ONLY": ",".join(kernels), "GAMECORE_LEVELS": ",".join(levels)}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise GamecoreError(f"{tree} does not build:\n{(result.stdout + result.stderr)[-3000:]}")
