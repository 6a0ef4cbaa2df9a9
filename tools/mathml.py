"""For mkdocs: a hook that turns formulas ($...$ and $$...$$) into MathML, which browsers draw by themselves."""

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

_FORMULA = re.compile(r'<(span|div) class="arithmatex">(?:\\\(|\\\[)(.*?)(?:\\\)|\\\])</\1>', re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """Return a page with its formulas as MathML."""
    return _FORMULA.sub(lambda match: mathml(unescape(match[2]), is_block=match[1] == "div"), html)


def mathml(formula: str, *, is_block: bool) -> str:
    """Convert one formula of LaTeX."""
    return convert(formula.strip(), display="block" if is_block else "inline")
