"""The C of pyx/simd under every compiler that is here: built with warnings as errors, run, its answers compared.

    python tools/portable.py                   all compilers; a missing one is named, with what installs it
    python tools/portable.py gcc clang         these alone
    python tools/portable.py --count           instructions of rows on aarch64: scalar, the compiler's vectors, NEON
    python tools/portable.py --list            names and commands

No Python headers are needed (tools/portable/Python.h stands in), so that musl and MinGW can be tried too. Each vector
kernel is held against its scalar twin, and the checksums of all answers against tools/portable/expected.txt: the same
for every compiler, processor and width of vectors. Exit status 1: a build, a warning or a checksum is wrong.
"""

import argparse
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "tools" / "portable"
EXPECTED = HERE / "expected.txt"
WARNINGS = "-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter"
COUNTED = [
    *((kernel, kind) for kind in ("i16", "i32", "i64", "f64") for kernel in ("greedy", "both")),
    ("batch", "i16"), ("batch", "i32"), ("fold", "i32"),
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A compiler's command, what runs its programs ("": this machine; None: nothing here), and Debian's packages."""

    name: str
    command: str
    runner: str | None
    packages: str

    def missing(self) -> str:
        """The first program that is not installed, or ""."""
        words = [shlex.split(self.command)[0], *shlex.split(self.runner or "")[:1]]
        return next((word for word in words if shutil.which(word) is None), "")


def targets() -> list[Target]:
    """All that this machine could have."""
    found = [
        Target("gcc", "gcc", "", "gcc"),
        Target("gcc-portable", "gcc -DGAMECORE_PORTABLE", "", "gcc"),
        Target("clang", "clang", "", "clang"),
        Target("musl", "musl-gcc -static", "", "musl-tools"),
        Target("mingw", "x86_64-w64-mingw32-gcc -static", None, "gcc-mingw-w64-x86-64"),
        Target("aarch64", "aarch64-linux-gnu-gcc -static", "qemu-aarch64", "gcc-aarch64-linux-gnu qemu-user"),
    ]
    if platform.machine().lower() in ("x86_64", "amd64"):
        cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
        for level, flag in (("v3", "avx2"), ("v4", "avx512bw")):
            runner = "" if f" {flag} " in cpu else None
            found.insert(2, Target(f"gcc-{level}", f"gcc -march=x86-64-{level}", runner, "gcc"))
            found.append(Target(f"clang-{level}", f"clang -march=x86-64-{level}", runner, "clang"))
    return found


def compile_check(target: Target, folder: Path, flags: str = "-O1") -> Path:
    """Build check.c; RuntimeError with what the compiler said."""
    program = folder / f"{target.name}.exe"
    command = [
        *shlex.split(f"{target.command} -std=gnu11 {flags} {WARNINGS}"), f"-I{HERE}", f"-I{ROOT / 'pyx' / 'simd'}",
        str(HERE / "check.c"), "-o", str(program),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr[-3000:]}")
    return program


def judge(target: Target, folder: Path, expected: str) -> str:
    """What there is to say of one compiler; RuntimeError where it is not as it should be."""
    program = compile_check(target, folder)
    if target.runner is None:
        return "builds; its programs do not run on this machine"
    command = [*shlex.split(target.runner), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr[-1000:]}")
    wrong = [line for line in done.stdout.splitlines() if line not in expected.splitlines()]
    if wrong or len(done.stdout.splitlines()) != len(expected.splitlines()):
        raise RuntimeError(f"other checksums than {EXPECTED.name}:\n" + "\n".join(wrong or [done.stdout]))
    return "builds, runs, and prints the checksums of all"


def instructions(program: Path, plugin: Path, kernel: str, kind: str, size: int) -> int:
    """Emulated instructions of one call of a kernel: what two calls take beyond none, halved."""
    totals = []
    for repeat in (0, 2):
        command = ["qemu-aarch64", "-plugin", str(plugin), "-d", "plugin", str(program), kernel, kind, str(size)]
        done = subprocess.run([*command, str(repeat)], capture_output=True, text=True, check=True)
        totals.append(
            next(int(line.split()[1]) for line in done.stderr.splitlines() if line.startswith("instructions"))
        )
    return (totals[1] - totals[0]) // 2


def count(folder: Path) -> None:
    """Print the instructions of the rows kernels on aarch64, as a Markdown table."""
    aarch64 = next(target for target in targets() if target.name == "aarch64")
    if missing := aarch64.missing():
        sys.exit(f"portable: {missing} is not installed: apt install {aarch64.packages}")
    plugin = folder / "count.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(plugin), str(HERE / "count.c")], check=True)
    neon = compile_check(aarch64, folder, "-O3 -fno-math-errno")
    (folder / "own").mkdir()
    own = compile_check(aarch64, folder / "own", "-O3 -fno-math-errno -DGAMECORE_PORTABLE")
    print("| kernel | values | scalar | compiler's vectors | NEON |\n|---|--:|--:|--:|--:|")
    for kernel, kind in COUNTED:
        size = {"fold": 20_000, "batch": 52 * 52}.get(kernel, 1000)
        plain = "" if kernel == "batch" else f"{instructions(own, plugin, f'{kernel}-plain', kind, size):,}"
        found = [f"{instructions(program, plugin, kernel, kind, size):,}" for program in (own, neon)]
        print(f"| {kernel} {kind} | {size:,} | {plain} | {found[0]} | {found[1]} |", flush=True)


def main() -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="COMPILER", help="of --list (default: all)")
    parser.add_argument("--count", action="store_true", help="count instructions on aarch64 instead")
    parser.add_argument("--list", action="store_true", help="names and commands")
    args = parser.parse_args()
    known = {target.name: target for target in targets()}
    if unknown := [name for name in args.names if name not in known]:
        parser.error(f"COMPILER: {unknown[0]!r} is none of {', '.join(known)}")
    if args.list:
        print("\n".join(f"{target.name:<14} {target.command}" for target in known.values()))
        return 0
    expected = EXPECTED.read_text(encoding="utf-8")
    bad = tried = 0
    with tempfile.TemporaryDirectory(prefix="gamecore-portable-") as directory:
        if args.count:
            count(Path(directory))
            return 0
        for target in [known[name] for name in args.names] or known.values():
            if missing := target.missing():
                print(f"{target.name:<14} left out: {missing} is not installed: apt install {target.packages}")
                continue
            tried += 1
            try:
                print(f"{target.name:<14} {judge(target, Path(directory), expected)}", flush=True)
            except RuntimeError as error:
                bad += 1
                print(f"{target.name:<14} FAILED {error}", flush=True)
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
