"""For mkdocs: a hook that turns formulas ($...$ and $$...$$) into MathML, which browsers draw by themselves."""

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

_FORMULA = re.compile(r'<(span|div) class="arithmatex">(?:\\\(|\\\[)(.*?)(?:\\\)|\\\])</\1>', re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """Return a page with its formulas as MathML."""
    displays = {"div": "block", "span": "inline"}
    return _FORMULA.sub(lambda match: convert(unescape(match[2]).strip(), display=displays[match[1]]), html)
