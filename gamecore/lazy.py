"""Names of a package that are imported when they are first used, so that importing it does not import NumPy."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, rooms: Mapping[str, Sequence[str]], public: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    Args:
        package: its name (``__name__``).
        rooms: by module of the package, the names that are found there. A name that the module does not define is the
            module itself.
        public: the package's ``__all__``, which is what ``dir()`` lists. All other names of it are modules.
    """
    places = {name: name for name in public}
    places |= {name: room for room, names in rooms.items() for name in names}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{places[name]}")
        value = module if places[name] == name else getattr(module, name, module)
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: sorted(public)
