"""Which rules a game has: :func:`rules_of`, a text that tables, stores and certificates carry.

It has three hashes, of what can change a rule:

* ``text``: every file that the compilers read, or every module outside the standard library and site-packages that the
  rules import; functions that are in no file, or no longer in theirs, by their code;
* ``values``: attributes of the instance, of its classes, and the global names that their functions use;
* ``play``: states, ends, keys, moves and gains of 2,000 seeded random plies.

The first two are taken when a game is made: what play keeps in attributes afterwards changes nothing. The text is the
same in every process.
"""

import ast
import dis
import functools
import hashlib
import os
import random
import re
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from itertools import islice
from pathlib import Path
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from gamecore import game
from gamecore._version import __version__
from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.apps.kit._rules import Rules

_PLIES: Final = 2000
_MOST_MOVES: Final = 10_000  # of a state that are looked at
_HEX: Final = 16  # digits of each hash
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


def digest_of(user: Any, files: dict[str, bytes] | None = None) -> tuple[str, str]:
    """Return the hashes of the texts and of the values that rules are made of.

    Args:
        user: an instance or a module.
        files: what a compiled game was made of: names and contents.
    """
    listing = _Listing()
    try:
        values = listing.of_names(vars(user), set(vars(user))) if isinstance(user, ModuleType) else listing.of(user)
    except RecursionError:
        raise GamecoreError(f"attributes of {type(user).__name__} are nested too deeply") from None
    for content in (files or {}).values():
        listing.add_imports(name.decode() for name in _IMPORT.findall(content))
    return listing.text(files or {}), values


def rules_of(played: "game.Game") -> str:
    """Return a text that tells the rules of a game from all others: ``text:HASH,values:HASH,play:HASH``.

    Rules of a kit game are the same as long as their files, the modules that they import, their attributes, and what
    they do in 2,000 random plies are the same. Another game is told by its name and gamecore's version.
    :func:`gamecore.text.difference` says in what two such texts differ.

    Raises:
        OptionError: not a game.
    """
    if not isinstance(played, game.Game):
        raise OptionError(f"rules_of takes a gamecore.game.Game, not {printable(played)}")
    rules: Rules | None = getattr(played, "rules_of", None)
    if rules is None:
        return f"game:{played.name},gamecore:{__version__}"
    hashes = (*rules.digest, hashed(_play_of(rules)))
    return ",".join(f"{name}:{part[:_HEX]}" for name, part in zip(("text", "values", "play"), hashes, strict=True))


def random_moves(rules: "Rules") -> Iterator[tuple[Any, list[int], str]]:
    """Yield states of 2,000 seeded random plies, their moves, and in words what one of them does."""
    rng, keys = random.Random(0), dict[Any, int]()
    first = state = rules.start()
    mover = 0
    for _ in range(_PLIES):
        before, moves, state, mover = state, list[int](), first, 1 - mover
        try:
            end, words = rules.end(before), ""
            moves = list(islice(rules.moves(before), _MOST_MOVES)) if end is None else moves
            if moves:
                move = rng.choice(moves)
                after, gain = rules.after(before, move)
                words = f"{move} {gain} {rules.write(before, move, 1 - mover)}"
                state = after
            words += f" {end} {keys.setdefault(rules.key(before), len(keys))}"
        except Exception as error:
            words = type(error.__cause__ or error).__name__
        yield before, moves, words


def _play_of(rules: "Rules") -> Iterator[str]:
    return (
        f"{','.join(map(str, state))} {','.join(map(str, moves))} {what}" for state, moves, what in random_moves(rules)
    )


class _Listing:
    """Goes through objects, and functions that they use; every hash is the same in every process."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[str, bytes]] = {}  # by path: name and content
        self._known: set[CodeType] = set()  # functions of these files
        self._code: set[str] = set()  # hashes of functions that are in no file
        self._done: dict[int, tuple[Any, str]] = {}  # by id: the object, and its hash

    def text(self, files: dict[str, bytes]) -> str:
        """Return the hash of all files, with these, and of other functions."""
        contents = sorted([*self._files.values(), *files.items()])
        return hashed([*(part for pair in contents for part in pair), *sorted(self._code)])

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
        if isinstance(value, MethodType):
            return self.of(value.__func__), self.of(value.__self__)
        if isinstance(value, CodeType):
            return map(self.of, (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_flags))
        if isinstance(value, CellType):
            return map(self.of, _contents_of(value))
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
        if code not in self._known:
            self._code.add(self.of(code))
            steps = [step for part in _codes_in(code) for step in dis.get_instructions(part)]
            self.add_imports(step.argval for step in steps if step.opname == "IMPORT_NAME" and step.argval)
        names = {name for part in _codes_in(code) for name in part.co_names}
        own = (function.__defaults__, function.__kwdefaults__, vars(function), function.__closure__)
        return [self.of_names(function.__globals__, names), *map(self.of, own)]

    # --- modules

    def _is_own(self, name: str) -> bool:
        """Return whether a module is the user's; then its file, and those of what it imports, belong to the rules."""
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if file is None:  # of a notebook, or built into Python
            return getattr(module, "__spec__", None) is None
        if not is_own(file):
            return False
        self._add_file(file, getattr(module, "__package__", None) or "")
        return True

    def _add_file(self, file: str, package: str) -> None:
        path = os.path.realpath(file)
        if path in self._files or not os.path.isfile(path):
            return
        content = Path(path).read_bytes()
        self._files[path] = os.path.basename(path), content
        if path.endswith(".py"):
            codes, imports = _compiled(content)
            self._known |= codes
            for name in imports:
                with suppress(ImportError):  # it leaves the package
                    self.add_imports([resolve_name(name, package or None)])

    def add_imports(self, names: Iterable[str]) -> None:
        """Add the files of modules and of the packages where they are."""
        for name in names:
            parts = name.split(".")
            for count in range(1, len(parts) + 1):
                module = ".".join(parts[:count])
                if module in sys.modules:
                    self._is_own(module)
                elif (file := _found(module)) is not None and is_own(file):
                    self._add_file(file, module if file.endswith("__init__.py") else module.rpartition(".")[0])


@functools.lru_cache(maxsize=256)
def _compiled(content: bytes) -> tuple[frozenset[CodeType], tuple[str, ...]]:
    """Return the functions of a Python file, and the names of all modules that it may import."""
    names = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were told when the file was loaded
        try:
            tree = ast.parse(content)
            code = compile(content, "", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return frozenset(), ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            names += [base] + [f"{base}{'.' * bool(node.module)}{alias.name}" for alias in node.names]
    return frozenset(_codes_in(code)), tuple(names)


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of all functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


def _found(module: str, folders: Any = None) -> str | None:
    """Return the file of a module in the folders of its package, without importing it; None if there is none."""
    first, _, rest = module.partition(".")
    spec = PathFinder.find_spec(first, folders)
    if spec is None:
        return None
    if not rest:
        return spec.origin
    return _found(rest, spec.submodule_search_locations) if spec.submodule_search_locations else None


def _contents_of(cell: CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # it is empty
        return ()


def _reduced(value: Any) -> list[Any]:
    """Return what pickle takes of an object; nothing if it cannot be pickled."""
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:
        return []
    return [reduced] if isinstance(reduced, str) else [list(p) if isinstance(p, Iterator) else p for p in reduced]
