"""Build the kernels: translate each ``pyx/NAME.pyx`` once, compile it per CPU level as ``gamecore.kernels.LEVEL.NAME``.

A module is compiled when its sources or flags have changed; through ccache, where that is installed. Builds in place
and editable installs share ``build/inplace``.

Environment:
    GAMECORE_NO_SIMD=1    build only the baseline level (the default on other processors and compilers)
    GAMECORE_DEBUG=1      checks on (bounds, initialisation, None), little optimisation
    GAMECORE_ONLY=a,b     build only these kernels (for development)
    GAMECORE_LEVELS=v3    build only these levels (for development); best: of each kernel the highest that runs here
    GAMECORE_SANITIZE=address,undefined   (or thread) instrument the kernels; tools/sanitize.py builds and runs them
"""

import gc
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

DEBUG = os.environ.get("GAMECORE_DEBUG", "") not in ("", "0")
SANITIZE = os.environ.get("GAMECORE_SANITIZE", "")
PACKAGE = "gamecore.kernels"
SHARED = f"{PACKAGE}._shared"  # Cython's utility functions, compiled once instead of into every kernel
TRANSLATED = Path("build", "cython-debug" if DEBUG else "cython", "pyx")

LEVELS = {"baseline": []}  # no level is "native"
if sys.platform != "win32" and platform.machine().lower() in ("x86_64", "amd64"):
    LEVELS["baseline"] = ["-march=x86-64"]
    if os.environ.get("GAMECORE_NO_SIMD", "") in ("", "0"):
        LEVELS |= {"v3": ["-march=x86-64-v3"], "v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"]}
ONLY, WANTED = (os.environ.get(f"GAMECORE_{what}", "").split(",") for what in ("ONLY", "LEVELS"))
if unknown := sorted(set(WANTED) - {"", "best", *LEVELS}):
    sys.exit(f"gamecore: GAMECORE_LEVELS: {', '.join(unknown)} is none of {', '.join([*LEVELS, 'best'])}")
WIDE = "_wide"  # of a name: the same C file, with GC_WIDE=1
STEMS = [path.stem for path in Path("pyx").glob("[a-z]*.pyx")]
NAMES = sorted([*STEMS, *(f"{name}{WIDE}" for name in STEMS if name == "hexapawn")])
if unknown := sorted(set(ONLY) - {"", *NAMES}):
    sys.exit(f"gamecore: GAMECORE_ONLY: {', '.join(unknown)} is none of {', '.join(NAMES)}")
KERNELS = [(level, name) for name in NAMES for level in LEVELS if level != "v4" or name in ("hearts", "rows")]

# Release modules are stripped: debug information would take a quarter of the compiler's time.
COMPILE_ARGS = ["-Og" if DEBUG else "-O1", "-g1"] if DEBUG or SANITIZE else ["-O3", "-g0", "-fno-math-errno"]
CHECKS = [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"] if SANITIZE else []
COMPILE_ARGS += ["-Wno-unused-function", "-Wno-unused-but-set-variable", "-Wno-unreachable-code", *CHECKS]
LINK_ARGS = CHECKS[:1] or (["-Wl,-s"] if sys.platform.startswith("linux") and not DEBUG else [])
KERNEL_ARGS = {"hearts": ["-ffp-contract=off"]}  # likelihoods must be equal at every level: no fused multiply-add
if not (DEBUG or SANITIZE):
    KERNEL_ARGS |= {"_shared": ["-O1"], "v3.hexapawn": ["-O2"], "v3.hexapawn_wide": ["-O2"]}  # sooner; nothing is lost
# With gcc's default limits, the searches would not inline all their parts: a tenth more instructions in the duel.
INLINE = ("max-inline-insns-single=2000", "large-function-growth=2000", "inline-unit-growth=2000")
GCC_PARAMS = {"duel": INLINE, "hearts": ("inline-unit-growth=200", "early-inlining-insns=30")}
DIRECTIVES = dict.fromkeys(("boundscheck", "wraparound", "initializedcheck", "nonecheck"), DEBUG)
# A free-threaded CPython keeps the GIL off; docs/results/reliability.md explains why this is safe. Others ignore it.
DIRECTIVES |= {"language_level": 3, "cdivision": True, "embedsignature": False, "freethreading_compatible": True}


def translated(name):
    """Return the C file of a module."""
    return TRANSLATED / f"{name.removesuffix(WIDE)}.c"


def module(level, name):
    """Return a module to compile, from a file that BuildKernels writes; ``level``: empty for modules without one."""
    extension = Extension(".".join(filter(None, (PACKAGE, level, name))), [], include_dirs=["pyx"])
    others = {stem.partition("_")[0] for stem in NAMES} - {name.partition("_")[0]}
    headers = [path for path in Path("pyx", "simd").glob("*.h") if path.stem.partition("_")[0] not in others]
    extension.depends = [path.as_posix() for path in (*headers, translated(name))]
    extension.define_macros = [("GAMECORE_DEBUG", "1")] * DEBUG
    if name.endswith(WIDE):
        extension.define_macros += [("GC_WIDE", "1"), (f"PyInit_{name.removesuffix(WIDE)}", f"PyInit_{name}")]
    extension.extra_compile_args = [*COMPILE_ARGS, *LEVELS[level or "baseline"]]
    extension.extra_compile_args += KERNEL_ARGS.get(f"{level}.{name}", KERNEL_ARGS.get(name, []))
    extension.extra_link_args = LINK_ARGS
    return extension


def mark_cold(text):
    """Return a translated module whose wrappers are marked as cold, which halves the compiler's time.

    A wrapper (``__pyx_pw_`` parses the arguments, ``__pyx_pf_`` has the body) runs once a call. What only cold code
    calls is cold to gcc, too: bodies with a loop, and kernels that wrappers alone call, are marked as hot.
    """
    definition = re.compile(r"^static [^\n;{(]*?(__pyx_p[wf]_\w+)\([^;{]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
    call = re.compile(r"(?<=[ (!])(?:__pyx_fuse_[\d_]+)?__pyx_f_\w+(?=\()")
    wrappers = definition.findall(text)
    cold = set(re.findall(r"\b(?:__pyx_(?:tp|pymod)_|__Pyx_(?:Init|modinit|Create))\w+(?=\()", text))
    alone = {name for name, body in wrappers if "_pf_" in name and re.search(r"^ *(for|while) ?\(", body, re.MULTILINE)}
    cold |= {name for name, _ in wrappers} - alone
    calls = Counter(call.findall("\n".join(line for line in text.splitlines() if line.startswith(" "))))
    from_cold = Counter(callee for name, body in wrappers if name in cold for callee in call.findall(body))
    alone |= {name for name, count in from_cold.items() if calls[name] == count}

    def marked(match):
        attribute = "GC_COLD" if match[2] in cold else "GC_ALONE" if match[2] in alone else ""
        return f"static {attribute} {match[1]}{match[2]}" if attribute else match[0]

    return re.sub(r"^static (?!CYTHON_INLINE)([^\n;{(=]*?)(\w+)(?=\()", marked, text, flags=re.MULTILINE)


class BuildKernels(build_ext):
    """Translate the modules, and compile them on all cores."""

    def finalize_options(self):
        if sys.platform == "win32":
            self.compiler = self.compiler or "mingw32"  # the kernels need gcc or clang
        super().finalize_options()

    def run(self):
        """Build in place and for an editable install in the same folder, so that the second compiles nothing."""
        folders = self.build_lib, self.build_temp
        if self.inplace:  # so it is for an editable install, too
            self.build_lib = self.build_temp = str(Path("build", "inplace"))
        super().run()
        self.build_lib, self.build_temp = folders

    def build_extensions(self):
        self.parallel = self.parallel or os.cpu_count()
        command = list(getattr(self.compiler, "compiler_so", [sys.executable]))
        if shutil.which(command[0]) is None:
            sys.exit(f"gamecore: no C compiler {command[0]!r} is installed: apt install gcc, or xcode-select --install")
        if not Path(headers := sysconfig.get_path("include"), "Python.h").exists():
            sys.exit(f"gamecore: {headers} has no Python.h: apt install python3-dev, or dnf install python3-devel")
        version = self.compiler_version(command)
        if shutil.which("ccache") and "ccache" not in command[0]:
            self.compiler.compiler_so = ["ccache", *command]
        self.translate()
        for extension in self.extensions:
            self.set_source(extension, version)
        if "best" in WANTED:
            self.keep_best_levels(command)
        super().build_extensions()

    def compiler_version(self, command):
        """Ask the compiler for its version. If it does not answer, what the last one compiled stays."""
        record = Path("build", "kernels", "compiler.txt")
        version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout
        if version:
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(version, encoding="utf-8")
        return version or (record.read_text(encoding="utf-8") if record.exists() else "")

    def keep_best_levels(self, command):
        """Build of each kernel the highest level that this processor runs; remove others that are out of date."""
        source = Path("build", "kernels", "level.c")
        program = source.with_suffix(".exe")
        if not program.exists() or newer_group(["pyx/simd/cpu.h"], program):
            source.write_text('#include "simd/cpu.h"\nint main(void) { return gc_cpu_level(); }\n', encoding="utf-8")
            subprocess.run([*command, "-Ipyx", source, "-o", program], check=True)
        highest = subprocess.run([program.resolve()], check=False).returncode
        runs = [level for level, needs in (("baseline", 1), ("v3", 3), ("v4", 4)) if needs <= highest]
        best = {name: level for level, name in BUILT if level in runs}
        for extension in self.extensions[:]:
            level, name = extension.name.split(".")[-2:]
            if best.get(name, level) == level:
                continue
            self.extensions.remove(extension)
            if newer_group([*extension.sources, *extension.depends], self.get_ext_fullpath(extension.name)):
                Path(self.get_ext_filename(extension.name)).unlink(missing_ok=True)

    def translate(self):
        """Translate what has changed. Kernels of all levels share a C file, and so the module name in it."""
        names = sorted({extension.name.rpartition(".")[2].removesuffix(WIDE) for extension in self.extensions})
        sources = [Extension(f"{PACKAGE}.{n}", [f"pyx/{n}.{'c' if n == '_shared' else 'pyx'}"]) for n in names]
        options = {"compiler_directives": DIRECTIVES, "shared_utility_qualified_name": SHARED, "include_path": ["pyx"]}
        gc.disable()  # Cython makes many objects, and frees few: a third less time
        cythonize(sources, build_dir=str(TRANSLATED.parent), quiet=True, **options)
        gc.enable()
        for path in map(translated, names):
            text = path.read_text(encoding="utf-8")
            if "static GC_COLD " not in text:
                path.write_text(mark_cold(text), encoding="utf-8")
        shutil.rmtree(TRANSLATED / "simd", ignore_errors=True)  # copies of some headers would hide those in pyx
        for path in [*Path().glob("gamecore/kernels/v?/*.so"), *Path(self.build_lib).glob("gamecore/kernels/v?/*.so")]:
            if (path.parent.name, path.name.partition(".")[0]) not in KERNELS:
                path.unlink()  # of an earlier version, which would be preferred

    def set_source(self, extension, compiler):
        """Compile a file that includes the C file, and that changes with the flags and the compiler."""
        name = extension.name.rpartition(".")[2]
        if "Free Software Foundation" in compiler:
            extension.extra_compile_args += [f"--param={limit}" for limit in GCC_PARAMS.get(name, ())]
            if extension.name.endswith("v4.hearts") and compiler.partition(") ")[2][:2] >= "12":  # gcc 11 lacks these
                extension.extra_compile_args += ["-mmove-max=128", "-mstore-max=128"]  # wider copies wait for stores
        flags = compiler, sys.version, extension.extra_compile_args, extension.extra_link_args, extension.define_macros
        source = Path("build", *extension.name.split(".")[1:]).with_suffix(".c")
        included = os.path.relpath(translated(name), source.parent)
        marks = ("cold", "noinline, hot")
        if extension.name.endswith("baseline.hearts"):  # where the marks would cost a hundredth more instructions
            marks = ("unused", "unused")
        defined = "".join(
            f"#define {n} __attribute__(({m}))\n" for n, m in zip(("GC_COLD", "GC_ALONE"), marks, strict=True)
        )
        text = f'/* {flags!r} */\n{defined}#include "{Path(included).as_posix()}"\n'
        source.parent.mkdir(parents=True, exist_ok=True)
        if not source.exists() or source.read_text(encoding="utf-8") != text:
            source.write_text(text, encoding="utf-8")
        extension.sources = [source.as_posix()]

    def build_extension(self, extension):
        path = Path(self.get_ext_fullpath(extension.name))
        before = path.stat().st_mtime_ns if path.exists() else None
        super().build_extension(extension)
        if path.stat().st_mtime_ns != before:
            print(f"gamecore: {extension.name} is built\n", end="", flush=True)


BUILT = [(level, name) for level, name in KERNELS if {"", "best", level} & {*WANTED} and {"", name} & {*ONLY}]
MODULES = [module(*kernel) for kernel in (*BUILT, ("", "_shared"), ("", "_cpu"))]
setup(ext_modules=MODULES, cmdclass={"build_ext": BuildKernels})
