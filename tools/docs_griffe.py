"""For mkdocs: convert docstrings to the form that mkdocstrings reads.

Our docstrings write several arguments on one line if they belong together ("rows: 2 to 64. cols: 1 to 32."; "mine,
theirs: totals.") and Python's roles (:class:`Position`). Google's style wants one item a line, and Markdown has no
roles. Descriptions of attributes move from the class to the attributes, so that derived classes show them too.
"""

import inspect
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
    """Rewrite the docstrings of an object and of its members."""
    for member in obj.members.values():
        if not member.is_alias:
            rewrite_all(member)
    if obj.is_attribute and obj.docstring is None:
        annotate(obj)
    if obj.docstring is not None:
        obj.docstring.value = rewritten(obj.docstring.value, names_of(obj))
        if obj.is_class:
            hand_down(obj)


def hand_down(cls: Any) -> None:
    """Move descriptions from a class's docstring to attributes without a docstring."""
    kept: list[str] = []
    inside = False
    for line in cls.docstring.value.split("\n"):
        inside = line == "Attributes:" or (inside and line.startswith("    "))
        name, _, text = line.strip().partition(": ")
        member = cls.members.get(name) if inside else None
        if member is not None and not member.is_alias and member.is_attribute and member.docstring is None:
            member.docstring = griffe.Docstring(text[:1].upper() + text[1:], parent=member)
        else:
            kept.append(line)
    cls.docstring.value = re.sub(r"^Attributes:\n(?!    )", "", "\n".join([*kept, ""]), flags=re.MULTILINE).rstrip()


def annotate(attribute: Any) -> None:
    """Give an attribute a docstring: the comment after it (``#: ...``), or the type that it abbreviates."""
    comment = re.search(r"#: (.*)$", attribute.source.rstrip()) if attribute.lineno else None
    if comment is not None:
        text = comment[1][:1].upper() + comment[1][1:] + "."
    elif str(attribute.annotation) == "TypeAlias" and (base := re.match(r"contract\.(\w+)", str(attribute.value))):
        text = f"Short for `{attribute.value}`, see [gamecore.contract.{base[1]}][]."
    else:
        return
    attribute.docstring = griffe.Docstring(text, parent=attribute)


def items_of(text: str, section: str, names: set[str]) -> dict[str, str]:
    """The items of one section of a docstring as it stands in the source."""
    found: dict[str, str] = {}
    inside = False
    for line in rewritten(inspect.cleandoc(text), names).split("\n"):
        if inside and line.startswith("    "):
            name, _, rest = line.strip().partition(": ")
            found[name] = rest
        inside = line == f"{section}:" or (inside and bool(line.strip()))
    return found


def names_of(obj: Any) -> set[str]:
    """Return the names that an item may begin with: parameters and attributes."""
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
