"""Build the kernels: every ``pyx/NAME.pyx`` once per CPU level, as ``gamecore.kernels.LEVEL.NAME``.

A kernel is compiled when its sources, flags, compiler, Cython or Python have changed. Compiled modules are kept in
``build/cache`` under a hash of all of these, so that a second install compiles nothing. Nothing is deleted there: other
builds may use the folder at the same time.

Environment:
    GAMECORE_NO_SIMD=1    build only the baseline level (the default on other processors and compilers)
    GAMECORE_DEBUG=1      checks on (bounds, initialisation, None), little optimisation
    GAMECORE_ONLY=a,b     build only these kernels (for development)
    GAMECORE_LEVELS=v4    build only these levels (for development)
    GAMECORE_SANITIZE=address,undefined   (or thread) instrument the kernels; tools/sanitize.py builds and runs them
    GAMECORE_CACHE=DIR    directory of compiled modules; several checkouts may share one
"""

import hashlib
import logging
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
import warnings
from importlib import metadata
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

warnings.filterwarnings("ignore", "Editable installation")  # expected: the tree itself is imported

DEBUG = os.environ.get("GAMECORE_DEBUG", "") not in ("", "0")
NO_SIMD = os.environ.get("GAMECORE_NO_SIMD", "") not in ("", "0")
SANITIZE = os.environ.get("GAMECORE_SANITIZE", "")
ONLY = [name for name in os.environ.get("GAMECORE_ONLY", "").split(",") if name]
CACHE = Path(os.environ.get("GAMECORE_CACHE") or "build/cache")

X86 = platform.machine().lower() in ("x86_64", "amd64")
POSIX_COMPILER = sys.platform != "win32"

# The -march of each level. No level is "native".
BASELINE = ["-march=x86-64"] if X86 and POSIX_COMPILER else []
LEVELS = {"baseline": BASELINE}
if X86 and POSIX_COMPILER and not NO_SIMD:
    LEVELS["v3"] = ["-march=x86-64-v3"]
    LEVELS["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=512"]

if os.environ.get("GAMECORE_LEVELS"):
    WANTED = os.environ["GAMECORE_LEVELS"].split(",")
    if unknown := set(WANTED) - set(LEVELS):
        sys.exit(f"gamecore: GAMECORE_LEVELS: {', '.join(sorted(unknown))} is none of {', '.join(LEVELS)}")
    LEVELS = {level: LEVELS[level] for level in WANTED}

COMPILE_ARGS = []
LINK_ARGS = []
# The duel's search is two large functions. Inlining all their parts, beyond gcc's defaults, saves a tenth of the
# instructions.
KERNEL_ARGS = {}
if "gcc" in (sysconfig.get_config_var("CC") or ""):
    limits = ("max-inline-insns-single", "large-function-growth", "inline-unit-growth")
    KERNEL_ARGS["duel"] = [f"--param={name}=2000" for name in limits]
    # Many small functions: with gcc's default limits, the search would not inline some of its rules.
    KERNEL_ARGS["hearts"] = ["--param=inline-unit-growth=200", "--param=early-inlining-insns=30"]
if POSIX_COMPILER:
    # Likelihoods must be equal at every level: no fused multiply-add.
    KERNEL_ARGS.setdefault("hearts", []).append("-ffp-contract=off")
if POSIX_COMPILER:
    # Release modules are stripped; debug information would take a quarter of the compiler's time.
    COMPILE_ARGS = ["-Og" if DEBUG else "-O1", "-g1"] if DEBUG or SANITIZE else ["-O3", "-g0", "-fno-math-errno"]
    COMPILE_ARGS += ["-Wno-unused-function", "-Wno-unused-but-set-variable", "-Wno-unreachable-code"]
if sys.platform.startswith("linux") and not DEBUG and not SANITIZE:
    LINK_ARGS = ["-Wl,-s"]  # a stripped module is a tenth of the size
if SANITIZE:
    COMPILE_ARGS += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    LINK_ARGS += [f"-fsanitize={SANITIZE}"]

DIRECTIVES = {
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "cdivision": True,
    "embedsignature": False,
    # A free-threaded CPython keeps the GIL off; docs/results/machines.md explains why this is safe. Others ignore it.
    "freethreading_compatible": True,
}
MACROS = [("GAMECORE_DEBUG", "1")] if DEBUG else []

PYX = Path("pyx")
SHARED = "gamecore.kernels._shared"  # Cython's utility functions, compiled once instead of into every kernel
FAMILIES = {path.stem.partition("_")[0] for path in PYX.glob("[a-z]*.pyx")}


def dependencies(stem):
    """Return the sources of a kernel: its own, its game's, and the common ones."""
    family = stem.partition("_")[0]
    headers = [path for path in (PYX / "simd").glob("*.h") if path.stem.partition("_")[0] not in FAMILIES - {family}]
    parts = [path for name in (family, "common") for path in (PYX / name).rglob("*.px*") if family]
    return [PYX / f"{stem}.pyx", *sorted(parts), *sorted(headers)]


class Kernel(Extension):
    """A module that Cython translates to C just before it is compiled."""

    def __init__(self, name, stem, args):
        self.stem = stem
        self.inputs = dependencies(stem) if stem != "_shared" else []
        self.c_file = Path("build/cython", name.split(".")[-2] + ("-debug" if DEBUG else ""), f"{stem}.c")
        super().__init__(
            name,
            [str(self.inputs[0])] if self.inputs else [],
            include_dirs=[PYX.as_posix()],
            define_macros=MACROS + ([("GC_WIDE", "1")] if stem.endswith("_wide") else []),
            extra_compile_args=COMPILE_ARGS + args + KERNEL_ARGS.get(stem, []),
            extra_link_args=LINK_ARGS,
        )

    def cython(self):
        """Return Cython's arguments for the C file."""
        module = ["--module-name", self.name]
        if not self.inputs:
            return [*module, f"--generate-shared={self.c_file}"]
        directives = [f"--directive={name}={value}" for name, value in DIRECTIVES.items()]
        files = ["-o", str(self.c_file), str(self.inputs[0])]
        return [*module, "-3", f"-I{PYX}", f"--shared={SHARED}", *directives, *files]

    def key(self, made_with):
        """Return a hash of everything that the compiled module depends on."""
        flags = (self.cython(), self.extra_compile_args, self.extra_link_args, self.define_macros)
        digest = hashlib.sha256(repr((made_with, flags)).encode())
        for path in self.inputs:
            digest.update(f"\0{path.as_posix()}\0".encode() + path.read_bytes())
        return digest.hexdigest()[:32]


def kernels():
    """Return all modules, the slowest to compile first."""
    stems = [path.stem for path in PYX.glob("[a-z]*.pyx") if not ONLY or path.stem in ONLY]
    stems.sort(key=lambda stem: (-sum(path.stat().st_size for path in dependencies(stem)), stem))
    found = [Kernel(f"gamecore.kernels.{level}.{stem}", stem, args) for stem in stems for level, args in LEVELS.items()]
    return [*found, Kernel(SHARED, "_shared", BASELINE), Kernel("gamecore.kernels._cpu", "_cpu", BASELINE)]


class BuildKernels(build_ext):
    """Compile modules that are not in the cache, on all cores, and report them."""

    def finalize_options(self):
        super().finalize_options()
        self.force = True  # contents decide, not times as in setuptools
        if self.parallel is None:
            self.parallel = os.cpu_count() or 1
        self.compiled, self.lock = 0, threading.Lock()

    def build_extensions(self):
        begun = time.monotonic()
        self.made_with = self.toolchain()
        CACHE.mkdir(parents=True, exist_ok=True)
        if self.verbose < 2:
            logging.getLogger().setLevel(logging.WARNING)  # hide the compiler's command lines
        super().build_extensions()
        total, seconds = len(self.extensions), time.monotonic() - begun
        compiled = f"{self.compiled} of {total} modules compiled in {seconds:.0f} s"
        print(f"gamecore: {compiled if self.compiled else f'all {total} compiled modules are up to date'}")

    def toolchain(self):
        """Return compiler, linker and versions, a part of every key; exit with one line if one is missing."""
        command = list(getattr(self.compiler, "compiler_so", [self.compiler.compiler_type]))
        if POSIX_COMPILER and shutil.which(command[0]) is None:
            sys.exit(
                f"gamecore: the C compiler {command[0]!r} is not installed: apt install gcc, dnf install gcc, "
                "apk add gcc musl-dev, or xcode-select --install on macOS"
            )
        headers = sysconfig.get_path("include")
        if not Path(headers, "Python.h").exists():
            sys.exit(f"gamecore: {headers} has no Python.h: apt install python3-dev, or dnf install python3-devel")
        version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=False).stdout
        linker = list(getattr(self.compiler, "linker_so", []))
        return [command, linker, version, metadata.version("Cython"), sysconfig.get_config_var("SOABI"), sys.version]

    def build_extension(self, ext):
        target, cached = Path(self.get_ext_fullpath(ext.name)), CACHE / ext.key(self.made_with)
        target.parent.mkdir(parents=True, exist_ok=True)
        if cached.exists():
            shutil.copyfile(cached, target)
            shutil.copymode(cached, target)
            return
        begun = time.monotonic()
        ext.c_file.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "cython", *ext.cython()]
        written = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if written.returncode or "warning:" in written.stdout:
            print(written.stdout, file=sys.stderr)
        if written.returncode:
            sys.exit(f"gamecore: Cython could not translate {ext.name}")
        ext.sources = [str(ext.c_file)]
        super().build_extension(ext)
        unfinished = cached.with_suffix(f".{os.getpid()}")
        shutil.copy(target, unfinished)
        unfinished.replace(cached)
        with self.lock:
            self.compiled += 1
            name = ext.name.removeprefix("gamecore.kernels.")
            print(f"gamecore: compiled {name}, {time.monotonic() - begun:.1f} s", flush=True)


setup(ext_modules=kernels(), cmdclass={"build_ext": BuildKernels})
