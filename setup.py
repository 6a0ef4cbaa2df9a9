"""Build the kernels: every ``pyx/NAME.pyx`` once per CPU level, as ``gamecore.kernels.LEVEL.NAME``.

Environment:
    GAMECORE_NO_SIMD=1    build the baseline level alone (other processors and compilers do so by themselves)
    GAMECORE_DEBUG=1      checks on (bounds, initialisation, None), no optimisation
    GAMECORE_ONLY=a,b     build only these kernels (while working on one of them)
    GAMECORE_LEVELS=v4    build only these levels (likewise)
    GAMECORE_SANITIZE=address,undefined   (or thread) instrument the kernels; tools/sanitize.py builds and runs them
    GAMECORE_COVERAGE=1   trace the lines of the kernels, for Cython.Coverage; tools/coverage_report.py does the rest
"""

import os
import platform
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("GAMECORE_DEBUG", "") not in ("", "0")
NO_SIMD = os.environ.get("GAMECORE_NO_SIMD", "") not in ("", "0")
SANITIZE = os.environ.get("GAMECORE_SANITIZE", "")
COVERAGE = os.environ.get("GAMECORE_COVERAGE", "") not in ("", "0")
ONLY = [name for name in os.environ.get("GAMECORE_ONLY", "").split(",") if name]

X86 = platform.machine().lower() in ("x86_64", "amd64")
POSIX_COMPILER = sys.platform != "win32"

# The -march of each level; the kernels are the same source. No level is ever "native".
BASELINE = ["-march=x86-64"] if X86 and POSIX_COMPILER else []
LEVELS = {"baseline": BASELINE}
if X86 and POSIX_COMPILER and not NO_SIMD:
    LEVELS["v3"] = ["-march=x86-64-v3"]
    LEVELS["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=512"]

if os.environ.get("GAMECORE_LEVELS"):
    LEVELS = {level: LEVELS[level] for level in os.environ["GAMECORE_LEVELS"].split(",")}

COMPILE_ARGS = []
LINK_ARGS = []
# The duel's search is two large functions whose parts have to be inlined, past what gcc does by itself: a tenth of its
# instructions.
KERNEL_ARGS = {}
if "gcc" in (sysconfig.get_config_var("CC") or ""):
    limits = ("max-inline-insns-single", "large-function-growth", "inline-unit-growth")
    KERNEL_ARGS["duel"] = [f"--param={name}=2000" for name in limits]
if POSIX_COMPILER:
    COMPILE_ARGS = ["-O1", "-g"] if DEBUG or SANITIZE or COVERAGE else ["-O3", "-fno-math-errno"]
    COMPILE_ARGS += ["-Wno-unused-function", "-Wno-unreachable-code"]
if sys.platform.startswith("linux") and not DEBUG and not SANITIZE:
    LINK_ARGS = ["-Wl,-s"]  # a stripped module is a tenth of the size
if SANITIZE:
    COMPILE_ARGS += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    LINK_ARGS += [f"-fsanitize={SANITIZE}"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "cdivision": True,
    "embedsignature": False,
    "linetrace": COVERAGE,
}
MACROS = [("GAMECORE_DEBUG", "1")] if DEBUG else []
MACROS += [("CYTHON_TRACE", "1"), ("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")] if COVERAGE else []


def extension(package, source, args):
    return Extension(
        f"{package}.{source.stem}",
        [source.as_posix()],
        include_dirs=["pyx"],
        define_macros=MACROS,
        extra_compile_args=COMPILE_ARGS + args + KERNEL_ARGS.get(source.stem, []),
        extra_link_args=LINK_ARGS,
        depends=[path.as_posix() for path in sorted(Path("pyx").rglob("*.[hp]*")) if path.suffix != ".pyx"],
    )


def extensions():
    sources = sorted(Path("pyx").glob("*.pyx"))
    kernels = [path for path in sources if path.stem != "_cpu" and (not ONLY or path.stem in ONLY)]
    built = cythonize_in("build/cython/cpu", [extension("gamecore.kernels", Path("pyx/_cpu.pyx"), BASELINE)])
    for level, args in LEVELS.items():
        if kernels:
            modules = [extension(f"gamecore.kernels.{level}", path, args) for path in kernels]
            built += cythonize_in(f"build/cython/{level}", modules)
    return built


def cythonize_in(build_dir, modules):
    build_dir += "-debug" if DEBUG else ""
    return cythonize(
        modules,
        build_dir=build_dir,
        include_path=["pyx"],
        compiler_directives=DIRECTIVES,
        force=DEBUG or COVERAGE,
        show_all_warnings=False,
        nthreads=0,
    )


class ParallelBuild(build_ext):
    """Compile on all cores; a kernel per level is one translation unit, so this is all the parallelism there is."""

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count() or 1


setup(ext_modules=extensions(), cmdclass={"build_ext": ParallelBuild})
