"""For mkdocs: our docstrings as mkdocstrings reads them.

We write several arguments a line where they belong together ("rows: 2 to 64. cols: 1 to 32."; "mine, theirs: totals.")
and Python's roles (:class:`Position`). Google's style wants one item a line, and Markdown has no roles.
"""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:class|func|meth|mod|attr|exc|data):(?=`)")
_SECTION = re.compile(r"(Args|Attributes|Raises):")
_ITEM = re.compile(r"(?:^|(?<=[.)`\"] ))(\w+(?:, \w+)*): ")


class OneItemALine(griffe.Extension):
    """Rewrite each docstring once, when its object has been loaded."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Walk through everything that the package defines."""
        rewrite_all(pkg)


def rewrite_all(obj: Any) -> None:
    """Rewrite the docstrings of an object and of all that is in it."""
    for member in obj.members.values():
        if not member.is_alias:
            rewrite_all(member)
    if obj.docstring is not None:
        obj.docstring.value = rewritten(obj.docstring.value, names_of(obj))


def names_of(obj: Any) -> set[str]:
    """What an item may begin with: parameters and attributes."""
    names = set(obj.members)
    for function in (obj, obj.members.get("__init__")):
        if function is not None and not function.is_alias and function.is_function:
            names |= {parameter.name for parameter in function.parameters}
    return names


def rewritten(text: str, names: set[str]) -> str:
    """The docstring with one item a line in its sections, and without roles."""
    lines: list[str] = []
    items: list[str] | None = None
    for line in _ROLE.sub("", text).split("\n"):
        if items is not None and (line.startswith("    ") or not line.strip()):
            if line.startswith("     ") and items:
                items[-1] += " " + line.strip()
            elif line.strip():
                items.append(line.strip())
            continue
        if items is not None:
            lines += [*split(items, names), ""]
            items = None
        lines.append(line)
        if _SECTION.fullmatch(line.rstrip()):
            items = []
    return "\n".join(lines + split(items or [], names))


def split(items: list[str], names: set[str]) -> list[str]:
    """Items of one name each."""
    found = []
    for item in items:
        starts = [
            match
            for match in _ITEM.finditer(item)
            if not match.start() or all(n in names or n.endswith(("Error", "Interrupt")) for n in match[1].split(", "))
        ]
        if not starts or starts[0].start():
            found.append("    " + item)
            continue
        ends = [match.start() for match in starts[1:]] + [len(item)]
        for match, end in zip(starts, ends, strict=True):
            found += [f"    {name}: {item[match.end() : end].strip()}" for name in match[1].split(", ")]
    return found
