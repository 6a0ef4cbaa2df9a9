"""The page without a server: searches in slices of one thread, and the worker in which Pyodide answers.

A slice is a step of a search. Between two of them the event loop takes the page's messages, so that a stop, another
position and progress come through.
"""

import ast
import asyncio
import contextlib
import doctest
import io
import json
from collections.abc import Callable
from typing import Any, Final

from gamecore.explore._api import Api
from gamecore.explore._searches import Job, Search, Searches
from gamecore.explore._widget import Post
from gamecore.search import Refinement, Repeated

_SLICE: Final = 0.2  # seconds of a step that continues
_REPEATED: Final = 1.0  # seconds of a step that begins anew


class Sliced(Searches):
    """Searches in the thread of the event loop."""

    def _begin(self, search: Search, job: Job) -> None:
        parts, loop = search.slices(job), asyncio.get_event_loop()

        def go() -> None:
            if next(parts, search) is search:
                self._end(search)
            else:
                loop.call_soon(go)

        loop.call_soon(go)


def post(send: Callable[[str], object]) -> Callable[[str], None]:
    """Return what takes the messages of a page that has this process to itself; messages are JSON.

    Beside those of the page there is ``{id, op: "run", code}``, a block of a tutorial.
    """
    Refinement.longest_step, Repeated.longest_step = _SLICE, _REPEATED
    names: dict[str, Any] = {"__name__": "__main__"}
    answers = Post(lambda message: send(json.dumps(message)), Api(Sliced()))

    def receive(text: str) -> None:
        message = json.loads(text)
        if message.get("op") == "run":
            send(json.dumps({"id": message["id"], **execute(message["code"], names)}))
        else:
            answers.receive(message)

    return receive


def execute(code: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run a block of a tutorial: its prompts are taken off, what it printed before is left out.

    Args:
        code: Python, with prompts or without them.
        names: of the blocks before, to which this one adds its own.

    Returns:
        ``{"text": .., "svg": [..]}``: what it prints, an error as the last line; pictures of its values.
    """
    out, svg = io.StringIO(), []
    examples = doctest.DocTestParser().get_examples(code)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            for statement in ast.parse("".join(one.source for one in examples) or code).body:
                if not isinstance(statement, ast.Expr):
                    exec(compile(ast.Module([statement], []), "<block>", "exec"), names)
                    continue
                value = eval(compile(ast.Expression(statement.value), "<block>", "eval"), names)
                if value is not None:
                    print(repr(value))
                if hasattr(value, "_repr_svg_"):
                    svg.append(value._repr_svg_())
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return {"text": out.getvalue(), "svg": svg}
