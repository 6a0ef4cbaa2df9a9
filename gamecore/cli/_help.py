"""How ``--help`` is laid out: prose fills the terminal's width, tables keep their columns, examples can be pasted."""

import argparse
import re
import textwrap
from collections.abc import Iterator
from typing import Final

_EXAMPLE: Final = re.compile(r"(examples?:)(?:\s+(\S.*))?$")
_TWO_COLUMNS: Final = re.compile(r"(\s*\S+(?: \S+)*\s{2,})\S")
_WORDS: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")


class Teaching(argparse.HelpFormatter):
    """A formatter that keeps the lines of descriptions and epilogs, and wraps those too wide for the terminal.

    Lines that begin without a blank are prose, which is refilled. Indented lines keep their places; their second column
    is wrapped below its beginning. Commands after ``example:`` or ``examples:`` are folded as a shell reads them.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in laid_out(text, width - len(indent)))


def laid_out(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text, none wider than the width if possible.

    Args:
        text: see :class:`Teaching`.
        width: in characters.
    """
    prose: list[str] = []
    commands = False  # whether indented lines are commands
    for line in text.rstrip().split("\n"):
        example = _EXAMPLE.fullmatch(line)
        if line and not line[0].isspace() and not example:
            prose.append(line)
            commands = False
            continue
        yield from _filled(prose, width)
        prose = []
        if example:
            commands = True
            yield example[1]
            if example[2]:
                yield from folded(f"  {example[2]}", width)
        elif commands and line:
            yield from folded(line, width)
        elif len(line) <= width:
            yield line
        else:
            yield from _hanging(line, width)
    yield from _filled(prose, width)


def _filled(prose: list[str], width: int) -> list[str]:
    """Return prose unchanged if it fits, else refilled."""
    if all(len(line) <= width for line in prose):
        return prose
    return textwrap.wrap(" ".join(prose), width)


def _hanging(line: str, width: int) -> Iterator[str]:
    """Wrap the second column of a wide line where it begins, or below the first column if that is wide."""
    columns = _TWO_COLUMNS.match(line)
    start = len(columns[1]) if columns else len(line) - len(line.lstrip())
    first, rest = line[:start], line[start:]
    if start > width // 2:
        start = 6
        if first.strip():
            yield first.rstrip()
        first = " " * start
    for part in textwrap.wrap(rest, width - start):
        yield first + part
        first = " " * start


def folded(command: str, width: int) -> list[str]:
    """Split a command into lines that end in backslashes, never inside quotes."""
    indent = " " * (len(command) - len(command.lstrip()))
    lines = [indent]
    for word in _WORDS.findall(command):
        glue = "" if not lines[-1].strip() else " "
        if glue and len(lines[-1]) + len(word) + 3 > width and len(command) > width:
            lines[-1] += " \\"
            lines.append(indent + "    " + word)
        else:
            lines[-1] += glue + word
    return lines
