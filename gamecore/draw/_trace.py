"""Watch a search: every call of a function of ``gamecore.reference``, as totals, as a table and as a tree.

>>> from gamecore import trace
>>> from gamecore.reference import rows
>>> calls = trace(rows.top_down, [3, 1, 2, 9])
>>> calls.answer, calls.total, calls.remembered
(11, 5, 1)
>>> calls.picture().save("top_down.svg")  # doctest: +SKIP
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from gamecore.draw.canvas import GOLD, PALE, Canvas
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

How = Literal["computed", "remembered", "forced", "cut off"]

_MOST_KEPT: Final = 100_000  # calls for the picture; all are counted
_MOST_SHOWN: Final = 200
_GROUND, _LINE, _DIM = "#24303a", "#5f7383", "#93a4b1"
_ROW, _STEP, _CHARACTER, _MARGIN = 20, 20, 7.9, 16
_MARKS: Final = {
    "computed": "",
    "remembered": " (remembered)",
    "forced": " (forced)",
    "cut off": " (cut off: not searched)",
}


@dataclass(slots=True)
class Call:
    """A call of a traced function.

    Attributes:
        state: the position, as text. depth: calls around it.
        how: "computed"; "remembered": the value came from the memo; "forced": there was no choice;
            "cut off": a move that was not searched, since it could not change the result. It is no call.
        is_repeated: the state was entered before.
        value: what it returned, None if it was cut off.
        sign: "=": the state's value; ">=" and "<=": a lower and an upper bound of it, since a cutoff ended the search.
        end: number of calls and cut-off moves that were recorded when it returned.
    """

    state: str
    depth: int
    how: How = "computed"
    is_repeated: bool = False
    value: object = None
    sign: str = "="
    end: int = 0


class Trace:
    """The calls of one run of a traced function; ``print`` shows the totals.

    Attributes:
        name: the function's. answer: what it returned.
        calls: in the order in which they began, the first 100,000 of them. Those that a call made follow it, deeper.
        total: number of calls: entries of a recursive function, or cells of a table. A finished position counts where
            the function calls itself on it (rows, Hexapawn, hearts; not the duel).
        states: number of calls by state.
        by_kind: number of calls by ``how``; of moves that were cut off, too.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.answer: object = None
        self.calls: list[Call] = []
        self.total = 0
        self.states: Counter[str] = Counter()
        self.by_kind: Counter[How] = Counter()
        self._path: list[Call] = []

    @property
    def distinct(self) -> int:
        """Number of different states."""
        return len(self.states)

    @property
    def remembered(self) -> int:
        """Number of calls that a memo answered."""
        return self.by_kind["remembered"]

    @property
    def cutoffs(self) -> int:
        """Number of moves that were not searched."""
        return self.by_kind["cut off"]

    def enter(self, state: str, how: How = "computed") -> None:
        """Begin a call; :meth:`leave` ends it."""
        self._path.append(self._note(Call(state, len(self._path), how, state in self.states)))
        self.total += 1
        self.states[state] += 1

    def leave(self, value: Any, sign: str = "=") -> Any:
        """End the call that began last; return its value."""
        call = self._path.pop()
        call.value, call.sign, call.end = value, sign, len(self.calls)
        return value

    def leaf(self, state: str, value: object) -> None:
        """Note a call that makes no others."""
        self.enter(state)
        self.leave(value)

    def cut(self, states: Iterable[str]) -> None:
        """Note moves that the current call does not search, by the states that they lead to."""
        for state in states:
            self._note(Call(state, len(self._path), "cut off"))

    def _note(self, call: Call) -> Call:
        self.by_kind[call.how] += 1
        if len(self.calls) < _MOST_KEPT:
            self.calls.append(call)
        return call

    def _words(self, call: Call, is_running: bool) -> str:
        again = " (again)" if call.is_repeated and call.how != "remembered" else ""
        value = " ..." if is_running else "" if call.value is None else f" {call.sign} {call.value}"
        return f"{call.state}{value}{again}{_MARKS[call.how]}"

    def __str__(self) -> str:
        words = [("calls", self.total), ("different states", self.distinct)]
        words += [(how, count) for how, count in self.by_kind.items() if how != "computed"]
        width = max(len(f"{count:,}") for _, count in words)
        answer = str(self.answer)
        answer = answer if len(answer) <= 60 else f"{answer[:57]}..."
        return "\n".join([f"{self.name}: {answer}", *(f"  {count:>{width},} {word}" for word, count in words)])

    def __repr__(self) -> str:
        return f"<gamecore.draw.Trace of {self.name}: {self.total:,} calls>"

    def picture(self, calls: int | None = None) -> Picture:
        """Return the tree of calls, a line each: at most 200, the outer ones.

        A state that is searched more than once is golden; a remembered one has a ring; a branch that was cut off is
        struck through.

        Args:
            calls: show this many, the first in the order of the search, as it stands when the last of them returns or
                makes a call of its own; calls that have not returned by then end in "...".

        Raises:
            OptionError: calls is no number from 1 on.
        """
        if calls is not None and (type(calls) is not int or calls < 1):
            raise OptionError(f"calls must be a whole number from 1 on, not {printable(calls)}", "calls")
        indices, end = range(len(self.calls)), len(self.calls)
        if calls is None:
            outer = sorted(indices, key=lambda index: self.calls[index].depth)[:_MOST_SHOWN]
            shown = [self.calls[index] for index in sorted(outer)]
        else:
            begun = [index for index in indices if self.calls[index].how != "cut off"]
            end = min(begun[calls] if calls < len(begun) else end, _MOST_SHOWN)
            shown = self.calls[:end]
        words = [self._words(call, call.end > end) for call in shown]
        hidden = self.total - sum(call.how != "cut off" for call in shown)
        where = "deeper in the tree" if calls is None else "which come later"
        foot = [f"{hidden:,} more calls, {where}, are not shown"] if hidden else []
        foot += str(self).splitlines()

        def text(pen: Pen) -> str:
            lines = []
            for call, line in zip(shown, words, strict=True):
                style = ("dim",) if call.how == "cut off" else ("yellow",) if self.states[call.state] > 1 else ()
                lines.append("  " * call.depth + pen.paint(line, *style))
            return "\n".join(lines + foot)

        return Picture(lambda: self._svg(shown, words, foot), text)

    def _svg(self, shown: list[Call], words: list[str], foot: list[str]) -> str:
        widths = (call.depth * _STEP + 24 + len(line) * _CHARACTER for call, line in zip(shown, words, strict=True))
        widest = max(300, *widths, *(len(line) * _CHARACTER for line in foot))
        canvas = Canvas(widest + 2 * _MARGIN, (len(shown) + len(foot) + 1) * _ROW + _MARGIN, str(self), _GROUND)
        rows: dict[int, int] = {}  # the last row of each depth: that of a call's parent
        for row, call in enumerate(shown):
            x, y = _MARGIN + call.depth * _STEP, _MARGIN + row * _ROW
            if call.depth:
                top = rows[call.depth - 1]
                canvas.rect(x - _STEP + 4, _MARGIN + top * _ROW + 9, 1, (row - top) * _ROW - 4, _LINE)
                canvas.rect(x - _STEP + 4, y + 5, _STEP - 6, 1, _LINE)
            rows[call.depth] = row
            color = _DIM if call.how in ("cut off", "forced") else GOLD if self.states[call.state] > 1 else PALE
            ground = _GROUND if call.how in ("remembered", "cut off") else color
            canvas.circle(x + 4, y + 5, 4, ground, stroke=color)
            line = words[row].replace(" >= ", " ≥ ").replace(" <= ", " ≤ ")
            canvas.text(x + 14, y + 10, line, fill=color, fixed=True)
            if call.how == "cut off":
                canvas.rect(x + 14, y + 5, len(call.state) * _CHARACTER, 1.2, _DIM)
        for row, line in enumerate(foot, start=len(shown)):
            canvas.text(_MARGIN, _MARGIN + row * _ROW + 16, line, fill=_DIM, fixed=True)
        return canvas.svg()


def trace(function: Callable[..., Any], *arguments: Any, **options: Any) -> Trace:
    """Call a function of ``gamecore.reference`` and return its calls.

    Args:
        function: one with a parameter ``trace``: all of ``gamecore.reference`` that search or fill a table.
        arguments, options: the function's.

    Raises:
        OptionError: the function has no parameter ``trace``. Errors of the function.
    """
    if "trace" not in getattr(getattr(function, "__code__", None), "co_varnames", ()):
        what = "function must be one of gamecore.reference with a parameter trace"
        raise OptionError(f"{what}, not {printable(function)}")
    recorder = Trace(function.__name__)
    recorder.answer = function(*arguments, trace=recorder, **options)
    return recorder
