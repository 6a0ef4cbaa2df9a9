"""Tables of results for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape


def table(headers: Sequence[str], lines: Iterable[Sequence[object]], caption: str) -> str:
    """An HTML table; every text is escaped. Colours are left to the page, so that it suits light and dark ones."""
    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in line) + "</tr>" for line in lines)
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
