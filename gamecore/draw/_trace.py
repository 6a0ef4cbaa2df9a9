"""Watch a search: every call of a function of ``gamecore.reference``, as totals, as a table and as a tree.

>>> from gamecore import trace
>>> from gamecore.reference import rows
>>> calls = trace(rows.top_down, [3, 1, 2, 9])
>>> calls.answer, calls.total, calls.remembered
(11, 5, 1)
>>> calls.picture().save("top_down.svg")  # doctest: +SKIP
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gamecore.draw.canvas import GOLD, PALE, Canvas
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

How = Literal["computed", "remembered", "forced", "cut off"]

_MOST_KEPT: Final = 100_000  #: calls that are kept for the picture; all are counted
_MOST_SHOWN: Final = 200
_GROUND, _LINE, _DIM = "#24303a", "#5f7383", "#93a4b1"
_ROW, _STEP, _CHARACTER, _MARGIN = 20, 20, 7.9, 16
_MARKS: Final = {"computed": "", "remembered": "remembered", "forced": "forced", "cut off": "cut off: not searched"}


@dataclass(slots=True)
class Call:
    """A call of a traced function.

    Attributes:
        state: the position, as text. depth: calls around it.
        how: "computed"; "remembered": the value came from the memo; "forced": there was no choice;
            "cut off": a move that was not searched, since it could not change the result. It is no call.
        is_repeated: the state was entered before.
        value: what it returned, None if it was cut off.
        calls: the calls that it made, in their order.
    """

    state: str
    depth: int
    how: How = "computed"
    is_repeated: bool = False
    value: Any = None
    calls: "list[Call]" = field(default_factory=list)


class Trace:
    """The calls of one run of a traced function; ``print`` shows the totals.

    Attributes:
        name: the function's. answer: what it returned.
        roots: the outermost calls (one of a recursion, the cells of a table that is filled in a loop).
        total: number of calls. states: number of calls by state.
        by_kind: number of calls by ``how``; of moves that were cut off, too.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.answer: Any = None
        self.roots: list[Call] = []
        self.total = 0
        self.states: Counter[str] = Counter()
        self.by_kind: Counter[How] = Counter()
        self._path: list[Call] = []
        self._kept = 0

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
        call = Call(state, len(self._path), how, state in self.states)
        self._keep(call)
        self._path.append(call)
        self.total += 1
        self.states[state] += 1
        self.by_kind[how] += 1

    def leave(self, value: Any) -> Any:
        """End the call that began last; return its value."""
        self._path.pop().value = value
        return value

    def leaf(self, state: str, value: Any, how: How = "computed") -> Any:
        """Note a call that makes no others; return its value."""
        self.enter(state, how)
        return self.leave(value)

    def cut(self, states: Iterable[str]) -> None:
        """Note moves that the current call does not search, by the states that they lead to."""
        for state in states:
            self._keep(Call(state, len(self._path), "cut off"))
            self.by_kind["cut off"] += 1

    def _keep(self, call: Call) -> None:
        if self._kept < _MOST_KEPT:
            (self._path[-1].calls if self._path else self.roots).append(call)
            self._kept += 1

    def _shown(self) -> list[Call]:
        """Return the calls to draw, in the order of the search: the outer ones, if there are too many."""
        chosen: list[Call] = []
        level = self.roots
        while level and len(chosen) < _MOST_SHOWN:
            chosen += level[: _MOST_SHOWN - len(chosen)]
            level = [call for outer in level for call in outer.calls]
        ids = {id(call) for call in chosen}

        def in_order(calls: list[Call]) -> Iterator[Call]:
            for call in calls:
                if id(call) in ids:
                    yield call
                    yield from in_order(call.calls)

        return list(in_order(self.roots))

    def _first(self, calls: int) -> tuple[list[Call], set[int]]:
        """Return the first calls in the order of the search, and the ids of those that have not returned by then."""
        chosen: list[Call] = []
        path: list[Call] = []
        coming = [*reversed(self.roots)]
        while coming and len(chosen) < _MOST_SHOWN:
            call = coming.pop()
            if call.how != "cut off" and not calls:
                return chosen, set(map(id, path[: call.depth]))
            calls -= call.how != "cut off"
            path[call.depth :] = [call]
            chosen.append(call)
            coming += reversed(call.calls)
        return chosen, set(map(id, path[: coming[-1].depth])) if coming else set()

    def _not_shown(self, shown: list[Call], where: str) -> str:
        hidden = self.total - sum(call.how != "cut off" for call in shown)
        return f"{hidden:,} more calls, {where}, are not shown" if hidden else ""

    def _note(self, call: Call, is_running: bool = False) -> str:
        again = " (again)" if call.is_repeated and call.how != "remembered" else ""
        value = " ..." if is_running else "" if call.value is None else f" = {call.value}"
        return f"{call.state}{value}{again}{f' ({_MARKS[call.how]})' if _MARKS[call.how] else ''}"

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
            raise OptionError(f"calls must be a whole number from 1 on, not {printable(calls)}")
        shown, running = (self._shown(), set[int]()) if calls is None else self._first(calls)
        hidden = self._not_shown(shown, "deeper in the tree" if calls is None else "which come later")
        notes = [self._note(call, id(call) in running) for call in shown]

        def text(pen: Pen) -> str:
            lines = []
            for call, note in zip(shown, notes, strict=True):
                style = ("dim",) if call.how == "cut off" else ("yellow",) if self.states[call.state] > 1 else ()
                lines.append("  " * call.depth + pen.paint(note, *style))
            return "\n".join([*lines, *filter(None, [hidden]), str(self)])

        return Picture(lambda: self._svg(shown, notes, hidden), text)

    def _svg(self, shown: list[Call], notes: list[str], hidden: str) -> str:
        foot = [*filter(None, [hidden]), *str(self).splitlines()]
        widths = (call.depth * _STEP + 24 + len(note) * _CHARACTER for call, note in zip(shown, notes, strict=True))
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
            canvas.text(x + 14, y + 10, notes[row], fill=color, fixed=True)
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
    try:
        has_trace = "trace" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        has_trace = False
    if not has_trace:
        raise OptionError(
            f"function must be one of gamecore.reference with a parameter trace, not {printable(function)}"
        )
    recorder = Trace(function.__name__)
    recorder.answer = function(*arguments, trace=recorder, **options)
    return recorder
