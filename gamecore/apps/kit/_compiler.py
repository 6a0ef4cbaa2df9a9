"""Translate and compile a module: ``python _compiler.py FOLDER CYTHON... -- COMPILER...``, in a group of its own.

When its input ends, whoever started it has given up, or has ended, by whatever signal. Then FOLDER goes, and the group
is killed.
"""

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
from importlib import import_module
from typing import Any


def _end_with_input(folder: str) -> None:
    os.read(0, 1)
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    gc.disable()  # it would take a fifth of the time
    folder, *arguments = sys.argv[1:]
    threading.Thread(target=_end_with_input, args=(folder,), daemon=True).start()
    cython, nodes, transforms = (
        import_module(f"Cython.Compiler.{name}") for name in ("Main", "Nodes", "ParseTreeTransforms")
    )
    kind, end = transforms.InterpretCompilerDirectives, arguments.index("--")
    usual = kind._extract_directives

    def extract(self: Any, node: Any, scope: Any) -> Any:
        """Let cdef functions divide as C does; in others, a wrong number or index is an error."""
        both = usual(self, node, scope)
        return tuple({"cdivision": True, **own} for own in both) if isinstance(node, nodes.CFuncDefNode) else both

    kind._extract_directives = extract
    sys.argv[1:] = arguments[:end]
    try:
        cython.main(command_line=1)
        status = subprocess.run(arguments[end + 1 :], stdin=subprocess.DEVNULL, check=False).returncode
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    sys.stdout.flush()
    os._exit(status)  # to free all objects would take its time


if __name__ == "__main__":
    main()
