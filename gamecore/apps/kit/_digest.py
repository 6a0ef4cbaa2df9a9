"""What rules are made of: hashes of texts and of values, which :func:`gamecore.apps.kit.rules_of` compares.

* ``text``: every file that the compilers read, or every module outside the standard library and site-packages that the
  rules import; functions that are in no file, or no longer in theirs, by their code;
* ``values``: attributes of the instance, of its classes, and the global names that their functions use.

Both are taken when a game is made: what play keeps in attributes afterwards changes nothing. They are the same in every
process.
"""

import dis
import functools
import hashlib
import os
import re
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping, Set
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from pathlib import Path
from types import CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

from gamecore import game
from gamecore.errors import GamecoreError

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, range)
_LIBRARIES: Final = tuple(
    os.path.join(os.path.realpath(folder), "")
    for folder in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), Path(__file__).parents[2])
)
_INSTALLED: Final = {"site-packages", "dist-packages"}
_OF_PYTHON: Final = {
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__firstlineno__", "__static_attributes__",
    "__annotations__", "__annotate_func__", "__annotations_cache__", "__abstractmethods__", "_abc_impl",
}  # fmt: skip
_INNER: Final = ("__wrapped__", "__func__", "fget", "fset", "func")  # functions in decorators of Python's
_IMPORT: Final = re.compile(rb"\b(?:import|from)[ \t]+([A-Za-z_][\w.]*)")  # in a file that is not Python


def hashed(parts: Iterable[bytes | str]) -> str:
    """Return a hash of a sequence of texts."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def is_own(path: str | Path) -> bool:
    """Return whether a file is neither of Python nor of an installed package, gamecore's among them."""
    place = os.path.realpath(path)
    return not place.startswith(_LIBRARIES) and _INSTALLED.isdisjoint(Path(place).parts)


def digest_of(user: Any, files: Mapping[str, bytes] = MappingProxyType({})) -> tuple[str, str]:
    """Return the hashes of the texts and of the values that rules are made of.

    Args:
        user: an instance or a module.
        files: what a compiled game was made of: names and contents.
    """
    values = _Values()
    try:
        own = values.of_names(vars(user), set(vars(user))) if isinstance(user, ModuleType) else values.of(user)
    except RecursionError:
        raise GamecoreError(f"attributes of {type(user).__name__} are nested too deeply") from None
    imported = [name.decode() for content in files.values() for name in _IMPORT.findall(content)]
    imported += [name for code in values.codes for part in _codes_in(code) for name in _imports(part, "")]
    contents, known = _files_of([*values.modules, *imported])
    loose = sorted(values.of(code) for code in values.codes - known)
    return hashed([*(part for pair in sorted([*contents, *files.items()]) for part in pair), *loose]), own


class _Values:
    """Goes through objects, and functions that they use; every hash is the same in every process.

    Attributes:
        modules: names of the user's modules that these are from.
        codes: functions of the user's that were met.
    """

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.codes: set[CodeType] = set()
        self._done: dict[int, tuple[Any, str]] = {}  # by id: the object, and its hash

    def of(self, value: Any, names: Set[str] = frozenset()) -> str:
        """Return a hash of a value; of a module, the values of these names alone."""
        if type(value) in _PLAIN:
            return hashed([type(value).__name__, repr(value)])
        if isinstance(value, ModuleType):
            return self.of_names(vars(value), names) if self._is_own(value.__name__) else value.__name__
        if id(value) not in self._done:
            self._done[id(value)] = value, "again"  # it may contain itself
            self._done[id(value)] = value, hashed([type(value).__qualname__, *self._parts(value)])
        return self._done[id(value)][1]

    def of_names(self, known: Mapping[str, Any], names: Set[str]) -> str:
        """Return a hash of the values that names have in a module."""
        chosen = sorted(name for name in names & known.keys() if not name.startswith(("__", "gc_")))
        return hashed([part for name in chosen for part in (name, self.of(known[name], names - {name}))])

    def _parts(self, value: Any) -> Iterable[str]:
        """Return the parts of a value that is not plain, as texts."""
        kind = type(value)
        if kind in (tuple, list):
            return map(self.of, value)
        if kind in (set, frozenset):
            return sorted(map(self.of, value))
        if kind in (dict, MappingProxyType):
            return [self.of(part) for pair in value.items() for part in pair]
        if isinstance(value, type):
            return self._of_class(value)
        if isinstance(value, FunctionType):
            return self._of_function(value)
        if isinstance(value, CodeType):
            return map(self.of, (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_flags))
        if isinstance(value, game.Game):
            return (value.name,)
        inner = _INNER if kind.__module__ in ("builtins", "functools") else ()
        return [*(self.of(getattr(value, name, None)) for name in inner), *map(self.of, _reduced(value))]

    def _of_class(self, kind: type) -> Iterable[str]:
        if not self._is_own(kind.__module__):
            return kind.__module__, kind.__qualname__
        own = sorted((name, self.of(value)) for name, value in vars(kind).items() if name not in _OF_PYTHON)
        return [*map(self.of, kind.__bases__), *(part for pair in own for part in pair)]

    def _of_function(self, function: FunctionType) -> Iterable[str]:
        module, code = function.__globals__.get("__name__", ""), function.__code__
        if not self._is_own(module):
            return module, function.__qualname__
        self.codes.add(code)
        names = {name for part in _codes_in(code) for name in part.co_names}
        own = (function.__defaults__, function.__kwdefaults__, vars(function), function.__closure__)
        return [self.of_names(function.__globals__, names), *map(self.of, own)]

    def _is_own(self, name: str) -> bool:
        """Return whether a module is the user's: its file belongs to the rules, or it has none, as in a notebook."""
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        own = getattr(module, "__spec__", None) is None if file is None else is_own(file)
        if own:
            self.modules.add(name)
        return own


def _reduced(value: Any) -> list[Any]:
    """Return what pickle takes of an object, or what a variable of a closure holds; nothing if that cannot be told."""
    try:
        reduced = (value.cell_contents,) if isinstance(value, CellType) else value.__reduce_ex__(4)
    except Exception:
        return []
    return [reduced] if isinstance(reduced, str) else [list(p) if isinstance(p, Iterator) else p for p in reduced]


def _files_of(names: list[str]) -> tuple[list[tuple[str, bytes]], set[CodeType]]:
    """Return the user's files of modules, of their packages and of all that these import, and the functions in them.

    A file is its name and its content; modules that are not loaded are found as an import would find them.
    """
    files, codes, seen = dict[str, tuple[str, bytes]](), set[CodeType](), set[str]()
    while names:
        module = names.pop()
        package = module.rpartition(".")[0]
        if module in seen:
            continue
        seen.add(module)
        names.append(package)
        loaded = sys.modules.get(module)
        file = getattr(_spec_of(module), "origin", None) if loaded is None else getattr(loaded, "__file__", None)
        path = os.path.realpath(file or "")
        if path in files or not os.path.isfile(path) or not is_own(path):
            continue
        files[path] = os.path.basename(path), Path(path).read_bytes()
        own = _codes_of(files[path][1]) if path.endswith(".py") else ()
        inside = module if path.endswith("__init__.py") else package
        names += [imported for code in own for imported in _imports(code, inside)]
        codes.update(own)
    return list(files.values()), codes


def _spec_of(module: str) -> ModuleSpec | None:
    """Return where a module stands, without importing it or a package of it; None if it is not found."""
    package = module.rpartition(".")[0]
    if not package:
        return PathFinder.find_spec(module) if module else None
    folders = getattr(_spec_of(package), "submodule_search_locations", None)
    return PathFinder.find_spec(module, folders) if folders else None


@functools.lru_cache(maxsize=256)
def _codes_of(content: bytes) -> tuple[CodeType, ...]:
    """Return all functions of a Python file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were told when the file was loaded
        try:
            return tuple(_codes_in(compile(content, "", "exec", dont_inherit=True)))
        except (SyntaxError, ValueError):
            return ()


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of all functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


@functools.lru_cache(maxsize=4096)
def _imports(code: CodeType, package: str) -> tuple[str, ...]:
    """Return the names of all modules that code, of a package, may import."""
    names = list[str]()
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for level, parts, step in zip(steps, steps[1:], steps[2:], strict=False):
        if step.opname == "IMPORT_NAME":  # after the constants: how many packages up, and what is taken
            try:
                base = resolve_name("." * level.argval + step.argval, package)
            except ImportError:  # it leaves the package
                continue
            names += [base, *(f"{base}.{part}" for part in parts.argval or ())]
    return tuple(names)
