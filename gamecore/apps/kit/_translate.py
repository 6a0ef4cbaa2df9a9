"""Translate a game's file together with the search to C: ``python -P _translate.py SOURCE MODULE FOLDER``.

``build`` runs this as a program: Cython stays out of the caller's process. Cython itself says which functions the file
defines.
"""

import json
import sys
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

Main, Options, Pipeline, Transforms = (  # they have no types
    import_module(f"Cython.Compiler.{name}") for name in ("Main", "Options", "Pipeline", "ParseTreeTransforms")
)

NEEDED = ("State", "MOST_MOVES", "start", "moves", "play", "result")
DEFAULTS = {
    "order": "int order(const State* s, Move move) noexcept nogil: return 0",
    "bounds": "void bounds(const State* s, int* low, int* high) noexcept nogil: pass",
    "valid": "bint valid(const State* s) noexcept nogil: return True",
    "key": "Key key(const State* s) noexcept nogil: return gc_bytes(s)",
    "mirrored": "State mirrored(const State* s) noexcept nogil: return s[0]",
}


def game_module(source: str, scope: Any) -> str:
    """Return the text of the whole module, for a game's file that defines the names of ``scope``.

    Raises:
        SystemExit: a name is missing, or is something else than it must be.
    """
    entries, file = scope.entries, Path(source).name
    if missing := [name for name in NEEDED if name not in entries]:
        sys.exit(f"error: {file} does not define {', '.join(missing)}")
    if taken := [name for name in entries if name.lower().startswith("gc_")]:
        sys.exit(f"error: {file}: names that begin with gc_ are those of the search: {', '.join(taken)}")
    for name in (*NEEDED[2:], *DEFAULTS):
        if name in entries and not entries[name].type.is_cfunction:
            sys.exit(f"error: {file}: {name} must be a cdef function")
    state = entries["State"].type.resolve() if entries["State"].is_type else None
    if state is None or not state.is_struct:
        sys.exit(f"error: {file}: State must be a struct")
    marks = [f"gc_memset(<void*>&s.{field.name}, 255, sizeof(s.{field.name}))" for field in state.scope.var_entries]
    gain = "play(s, move); return 0" if entries["play"].type.return_type.is_void else "return play(s, move)"
    functions = [
        f"int gc_gain(State* s, Move move) noexcept nogil: {gain}",
        f"void gc_mark_fields(State* s) noexcept nogil: {'; '.join(marks)}",
        *(function for name, function in DEFAULTS.items() if name not in entries),
    ]
    flags = [f"    GC_HAS_{name.upper()} = {int(name in entries)}" for name in ("key", "mirrored")]
    lines = [f"cdef inline {function}" for function in functions]
    parts = [f'include "{part}.pxi"' for part in ("table", "search", "solver")]
    return "\n".join([*including(source), "cdef enum:", *flags, *lines, *parts, ""])


def including(source: str) -> list[str]:
    """Return the lines that include a game's file."""
    return ['include "before.pxi"', f"include {json.dumps(Path(source).name)}"]


def scope_of(module: Path, options: Any) -> Any:
    """Return the scope of a module after Cython has read its declarations; end the process if it printed an error."""
    context = Main.Context.from_options(options)
    source = Main.setup_source_object(str(module), ".pyx", None, options, context)
    result = Main.create_default_resultobj(source, options)
    phases = Pipeline.create_pyx_pipeline(context, options, result)
    context.setup_errors(options, result)
    last = next(phase for phase in phases if isinstance(phase, Transforms.AnalyseDeclarationsTransform))
    error, tree = Pipeline.run_pipeline([*takewhile(lambda phase: phase is not last, phases), last], source)
    context.teardown_errors(error, options, result)
    if error or result.num_errors:
        sys.exit(1)
    return tree.scope


def options_of(source: str, folder: str) -> Any:
    """Return Cython's options; ``folder``: that of the search."""
    return Options.CompilationOptions(
        Options.default_options,
        include_path=[folder, str(Path(source).parent)],
        language_level=3,
        # Bounds of lists and texts stay checked, so that a wrong index in `write` is an error.
        compiler_directives={"cdivision": True},
    )


def translate(source: str, module: Path, folder: str) -> None:
    """Write the whole module of a game and its C file; end the process if Cython printed an error."""
    options = options_of(source, folder)
    module.write_text("\n".join([*including(source), ""]), encoding="utf-8")
    module.write_text(game_module(source, scope_of(module, options)), encoding="utf-8")
    if Main.compile_single(str(module), options, None).num_errors:
        sys.exit(1)


if __name__ == "__main__":
    translate(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
