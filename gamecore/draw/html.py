"""Tables of results for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape

from gamecore.text import without_controls


def table(headers: Sequence[str], lines: Iterable[Sequence[object]], caption: str) -> str:
    """Return an HTML table; every text is escaped. The page chooses the colours, light or dark."""
    head = "".join(f"<th>{_cell(header)}</th>" for header in headers)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><caption>{_cell(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return escape(without_controls(str(value)))
