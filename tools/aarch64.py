"""Build gamecore for aarch64 and run its tests under emulation: signatures, vector twins, the quick suite.

    python tools/aarch64.py                       everything
    python tools/aarch64.py -- tests/rows -x      what stands after -- goes to pytest instead of the quick suite
    python tools/aarch64.py --needs               say what is missing on this machine, and end

Needs Debian (or a system with its apt) and four packages of it: qemu-user-static, gcc-aarch64-linux-gnu,
libc6-dev-arm64-cross, dpkg. No root: a Python for arm64 with its headers and libraries is fetched by apt-get into
build/aarch64/root, which is a directory and no installation; NumPy and what the tests need are aarch64 wheels, taken by
pip for that platform. The kernels are compiled by the cross compiler (a native program), Cython runs in this Python;
only the tests are emulated, which is ten to twenty times as slow. build/aarch64 is kept: a second run compiles what has
changed.

Emulation shows that the results are the same. It says nothing of time, caches, mispredicted branches or the weaker
order of memory: threads run on the order of this machine's own processor. Tests of builds, notebooks, clusters and
other people's libraries are not in this quick suite.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import sanitize

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "build" / "aarch64"
SYSTEM, ENVIRONMENT, TREE = HOME / "root", HOME / "venv", HOME / "tree"
PROGRAMS = {
    "qemu-aarch64-static": "qemu-user-static",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "apt-get": "apt (Debian's)",
    "dpkg-deb": "dpkg",
}
PACKAGES = ("python3-minimal", "libpython3-dev", "libstdc++6")
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_24", "manylinux_2_26", "manylinux_2_27", "manylinux_2_28")
WHEELS = (
    "pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100", "setuptools>=77", "numpy", "jsonschema>=4.21", "pandas>=2",
    "polars>=1", "joblib>=1.4", "pexpect>=4.8", "matplotlib>=3.8", "pillow>=10",
)  # fmt: skip
# Signatures and the twins of vector code first; then every game's quick tests.
QUICK = (
    "tests/bench/test_signatures.py", "tests/hexapawn/test_twins.py", "tests/rows", "tests/test_contract.py",
    "tests/test_objects.py", "tests/duel", "tests/hexapawn", "tests/hearts", "tests/batch/test_threads.py",
    "--numprocesses", "auto",
)  # fmt: skip


def missing() -> list[str]:
    """Return what must be installed first, one line each."""
    if platform.system() != "Linux":
        return [f"user-mode emulation needs Linux, this is {platform.system()}"]
    return [f"{program}: apt install {package}" for program, package in PROGRAMS.items() if not shutil.which(program)]


def run(*command: object, quiet: bool = True, **more: object) -> str:
    """Run a command; if it fails, exit with its output."""
    pipe = subprocess.PIPE if quiet else None
    words = [str(word) for word in command]
    done = subprocess.run(
        words, stdout=pipe, stderr=subprocess.STDOUT if quiet else None, text=True, check=False, **more
    )
    if done.returncode:
        sys.exit(
            f"aarch64: {' '.join(words[:4])} ... ended with status {done.returncode}\n{(done.stdout or '')[-3000:]}"
        )
    return done.stdout or ""


def fetch_system() -> None:
    """Unpack arm64's Python and libraries; apt's state for it is separate from the machine's."""
    if (SYSTEM / "done").exists():
        return
    state = HOME / "apt"
    for folder in ("lists/partial", "archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    settings = {
        "APT::Architecture": "arm64", "APT::Architectures": "arm64", "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "root", "Dir::State": state, "Dir::State::status": state / "status", "Dir::Cache": state,
    }  # fmt: skip
    (state / "conf").write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()), encoding="utf-8")
    environment = {**os.environ, "APT_CONFIG": str(state / "conf"), "LC_ALL": "C.UTF-8"}
    print("aarch64: fetching Python for arm64", flush=True)
    run("apt-get", "update", env=environment)
    run("apt-get", "install", "--download-only", "--yes", *PACKAGES, env=environment)
    SYSTEM.mkdir(exist_ok=True)
    for package in sorted((state / "archives").glob("*.deb")):
        run("dpkg-deb", "--extract", package, SYSTEM)
    (SYSTEM / "done").touch()


def interpreter() -> Path:
    """Return the path of the Python for arm64."""
    return next(path for path in sorted((SYSTEM / "usr" / "bin").glob("python3.*")) if path.name[8:].isdigit())


def make_environment() -> Path:
    """A virtual environment whose `python` starts the emulator, so that child processes are emulated too."""
    python, real = ENVIRONMENT / "bin" / "python", interpreter()
    packages = ENVIRONMENT / "lib" / real.name / "site-packages"
    python.parent.mkdir(parents=True, exist_ok=True)
    packages.mkdir(parents=True, exist_ok=True)
    python.write_text(f'#!/bin/sh\nexec qemu-aarch64-static -L "{SYSTEM}" -0 "$0" "{real}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (ENVIRONMENT / "pyvenv.cfg").write_text(f"home = {real.parent}\n", encoding="utf-8")
    (packages / "gamecore-tree.pth").write_text(f"{TREE}\n", encoding="utf-8")
    wanted = "\n".join(WHEELS)
    if (ENVIRONMENT / "wheels").exists() and (ENVIRONMENT / "wheels").read_text(encoding="utf-8") == wanted:
        return python
    print("aarch64: installing wheels", flush=True)
    # setup.py asks for Cython's version: that of the Cython which this Python runs.
    from importlib import metadata

    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", packages,
        "--upgrade",
        "--only-binary", ":all:", "--implementation", "cp", "--python-version", real.name.removeprefix("python"),
        *(word for name in PLATFORMS for word in ("--platform", f"{name}_aarch64")),
        *WHEELS, f"Cython=={metadata.version('Cython')}",
    )  # fmt: skip
    (ENVIRONMENT / "wheels").write_text(wanted, encoding="utf-8")
    return python


def build(python: Path) -> None:
    """Compile in the copy, with native programs."""
    TREE.mkdir(exist_ok=True)
    sanitize.copy_tree(TREE)
    environment = {
        **os.environ,
        "CC": f"aarch64-linux-gnu-gcc --sysroot={SYSTEM}",
        "GAMECORE_CYTHON": f"{sys.executable} -m cython",
    }
    run(python, "setup.py", "--quiet", "build_ext", "--inplace", cwd=TREE, env=environment, quiet=False)
    run(python, "-m", "gamecore", "--build-info", cwd=TREE, quiet=False)


def test(python: Path, arguments: list[str]) -> int:
    """Pytest's exit status."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "GAMECORE_EMULATED": "1"}  # Hypothesis has no deadline
    return subprocess.run(command, cwd=TREE, env=environment, check=False).returncode


def main() -> int:
    """Everything in order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--needs", action="store_true", help="say what is missing, and end")
    parser.add_argument("rest", nargs="*", metavar="PYTEST", help="arguments for pytest, after --")
    args = parser.parse_args()
    if lines := missing():
        print("aarch64: this machine lacks\n    " + "\n    ".join(lines), file=sys.stderr)
        return 2
    if args.needs:
        print("aarch64: nothing is missing")
        return 0
    HOME.mkdir(parents=True, exist_ok=True)
    fetch_system()
    python = make_environment()
    build(python)
    return test(python, args.rest or list(QUICK))


if __name__ == "__main__":
    sys.exit(main())
