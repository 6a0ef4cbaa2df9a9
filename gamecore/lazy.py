"""Names of a package that are imported when they are first used, so that importing it does not import NumPy."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, rooms: Mapping[str, Sequence[str]], public: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package (PEP 562).

    Args:
        package: its name (``__name__``).
        rooms: by module of the package, the names that are found there and imported when they are first used. A module
            that is public itself is imported likewise.
        public: the package's ``__all__``, which is what ``dir()`` lists.
    """
    places = {name: room for room, names in rooms.items() for name in names}

    def find(name: str) -> Any:
        if name in places:
            value = getattr(import_module(f"{package}.{places[name]}"), name)
        elif name in rooms and name in public:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: sorted(public)
