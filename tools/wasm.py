"""Build the kernels as WebAssembly for npm's Pyodide, test them, and write the site's files.

    python tools/wasm.py build            kernels and gamecore's Python into build/wasm
    python tools/wasm.py test             the same, then the signatures under Node, one line a game
    python tools/wasm.py site FOLDER      what the page needs to run without a server, into a folder of static files

This is a rig for tests and for the site. It needs Debian's emscripten (``emcc``), Node, npm, and the headers of CPython
3.11; without them it ends with exit status 77 and a sentence that says what is missing. Wheels for newer versions of
Pyodide are made by the workflow of releases.
"""

import argparse
import compileall
import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from py_compile import PycInvalidationMode

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "wasm"
PYODIDE = "pyodide@0.25.1"  # the version whose ABI is that of Debian's emscripten
PYTHON = (3, 11)  # its version of CPython
SUFFIX = ".cpython-311-wasm32-emscripten.so"
PAGE_FILES = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
MISSING = 77
WEB = ROOT / "tools" / "web"
SCRIPTS = ("local.js", "python.js", "tutorial.js", "worker.js")
ARCHIVES = ("gamecore.zip", "later.zip")
LATER = ("hearts_env", "hexapawn_wide", "rows_oracle")  # kernels that no first answer needs
LEFT_OUT = ("__pycache__", "*.so", "*.pyi", "static", "v3", "v4")
UNCHECKED_HASH = PycInvalidationMode.UNCHECKED_HASH
CODE = ("-msimd128",)
LINK = ("-sSIDE_MODULE=2", "-sWASM_BIGINT=1")
# The sizes that differ between these headers' machine and wasm32.
SIZES = dict.fromkeys(("LONG", "VOID_P", "SIZE_T", "UINTPTR_T", "PTHREAD_T", "PTHREAD_KEY_T", "WCHAR_T"), 4) | {
    "LONG_DOUBLE": 16,
    "TIME_T": 8,
}


def missing():
    """Return why nothing can be built here; None if it can."""
    absent = [name for name in ("emcc", "node", "npm") if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} not found: apt install emscripten nodejs npm"
    if sys.version_info[:2] != PYTHON:
        return f"the headers of CPython 3.11 are needed, and this is Python {sys.version_info[0]}.{sys.version_info[1]}"
    return None


def pyodide():
    """The folder of npm's package, fetched once."""
    folder = BUILD / "npm" / "package"
    if not (folder / "pyodide.js").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            ["npm", "pack", "--silent", PYODIDE], cwd=folder.parent, stdout=subprocess.PIPE, text=True, check=False
        )
        if packed.returncode:
            sys.stderr.write(f"wasm: npm does not give {PYODIDE} here\n")
            sys.exit(MISSING)
        archive = folder.parent / packed.stdout.split()[-1]
        with tarfile.open(archive) as opened:
            opened.extractall(folder.parent, filter="data")
    return folder


def headers():
    """CPython's headers with the sizes of wasm32."""
    folder = BUILD / "include"
    shutil.copytree(sysconfig.get_path("include"), folder, dirs_exist_ok=True)
    path = folder / "pyconfig.h"
    text = path.read_text()
    for name, size in SIZES.items():
        text = re.sub(rf"(#define (?:SIZEOF|ALIGNOF)_{name}) \d+", rf"\1 {size}", text)
    path.write_text(text)
    return folder


def kernels():
    """The modules that setup.py would compile, at the baseline alone."""
    os.environ["PYODIDE"] = "1"
    import setuptools

    setuptools.setup = lambda **options: None
    return runpy.run_path("setup.py")["kernels"]()


def compile_one(kernel, include):
    """Compile a kernel, unless an equal build is cached; return its path."""
    version = subprocess.run(["emcc", "--version"], capture_output=True, text=True, check=True).stdout
    target = BUILD / "cache" / (kernel.key([version, CODE, LINK, SIZES]) + ".so")
    if not target.exists():
        kernel.c_file = BUILD / "c" / f"{kernel.stem}.c"
        kernel.c_file.parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "cython", *kernel.cython()], check=True)
        macros = [f"-D{name}={value}" for name, value in kernel.define_macros]
        export = f"-sEXPORTED_FUNCTIONS=_PyInit_{kernel.stem}"
        folders = ["-Ipyx", f"-I{include}"]
        command = [
            "emcc",
            *kernel.extra_compile_args,
            "-fPIC",
            *CODE,
            *macros,
            *folders,
            *LINK,
            export,
            str(kernel.c_file),
        ]
        subprocess.run([*command, "-o", str(target)], check=True)
    return target


def archives():
    """Return the two archives of gamecore for site-packages: the files for a first answer, and the rest."""
    include, found = headers(), kernels()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = list(pool.map(lambda kernel: compile_one(kernel, include), found))
    stage = BUILD / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(ROOT / "gamecore", stage / "gamecore", ignore=shutil.ignore_patterns(*LEFT_OUT))
    for kernel, path in zip(found, compiled, strict=True):
        shutil.copy(path, stage / (kernel.name.replace(".", "/") + SUFFIX))
    compileall.compile_dir(stage, quiet=1, stripdir=stage, invalidation_mode=UNCHECKED_HASH)
    files = {name: [] for name in ARCHIVES}
    for path in sorted(path for path in stage.rglob("*") if path.is_file()):
        files[ARCHIVES[path.name.partition(".")[0] in LATER]].append(path)
    for name, paths in files.items():
        with zipfile.ZipFile(BUILD / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in paths:
                archive.write(path, path.relative_to(stage))
    return [BUILD / name for name in ARCHIVES]


def write_local(folder):
    """Write the files of Pyodide and gamecore that the worker loads, and their size."""
    folder.mkdir(parents=True, exist_ok=True)
    npm = pyodide()
    paths = [*(npm / name for name in PAGE_FILES), *archives()]
    for path in paths:
        shutil.copyfile(path, folder / path.name)
    fetched = [path for path in paths if path.suffix != ".js" and path.name != ARCHIVES[1]]
    (folder / "files.json").write_text(json.dumps({"bytes": sum(path.stat().st_size for path in fetched)}))


def write_site(site):
    """Write the explorer into the folder of the documentation; add run buttons to its tutorials."""
    page, static = site / "explore", ROOT / "gamecore" / "explore" / "static"
    shutil.copytree(static, page / "static", dirs_exist_ok=True)
    for name in SCRIPTS:
        shutil.copyfile(WEB / name, page / "static" / name)
    index = (static / "index.html").read_text(encoding="utf-8")
    assert "static/main.js" in index
    (page / "index.html").write_text(index.replace("static/main.js", "static/local.js"), encoding="utf-8")
    write_local(page / "local")
    for path in (site / "tutorials").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        script = '<script type="module" src="../explore/static/tutorial.js"></script>'
        if script not in text:
            path.write_text(text.replace("</body>", f"{script}</body>"), encoding="utf-8")
    files = sorted(path for path in page.rglob("*") if path.is_file())
    about = page / "local" / "files.json"
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files if path != about)).hexdigest()[:16]
    name = f"gamecore-{digest}"  # of the cache
    about.write_text(json.dumps(json.loads(about.read_text()) | {"name": name}))
    names = ["explore/", *(path.relative_to(site).as_posix() for path in files)]
    worker = (WEB / "offline.js").read_text(encoding="utf-8")
    worker = worker.replace("{name}", name).replace("{files}", json.dumps(names))
    (site / "offline.js").write_text(worker, encoding="utf-8")


def test():
    """Run the signatures and the tutorials in Node's Pyodide; return the exit status."""
    write_local(BUILD / "local")
    stored = "tests/data/signatures.json"
    command = ["node", WEB / "run.mjs", BUILD / "local", ROOT, "/project/tools/web/check.py", stored]
    return subprocess.run(command, check=False).returncode


def main():
    """Build, and test or write the site."""
    parser = argparse.ArgumentParser(description="Kernels as WebAssembly, for tests and for the site.")
    parser.add_argument("task", choices=("build", "test", "site"))
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="of site: default site")
    arguments = parser.parse_args()
    if reason := missing():
        sys.stderr.write(f"wasm: {reason}\n")
        return MISSING
    os.chdir(ROOT)
    if arguments.task == "site":
        write_site(arguments.folder.resolve())
        return 0
    if arguments.task == "test":
        return test()
    write_local(BUILD / "local")
    return 0


if __name__ == "__main__":
    sys.exit(main())
