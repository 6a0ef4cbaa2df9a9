"""One way to bound any search: :class:`Limits`."""

import math
import time
from dataclasses import dataclass
from numbers import Real
from operator import index
from typing import NamedTuple

from gamecore.errors import OptionError
from gamecore.text import printable

# Cap limits: nothing larger is reachable or fits the kernels' types.
_FOREVER = 1e9
_MOST_NODES = (1 << 63) - 1
_EARLIEST, _LATEST = 1e9, 1e12  # another deadline is of another clock, or in milliseconds


class KernelLimits(NamedTuple):
    """Limits in the form that kernels take."""

    seconds: float  #: below 0: none
    nodes: int  #: 0: none
    table_bytes: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on a search. None means no bound (for ``table_mb``: the game's default).

    A search that reaches ``seconds``, ``nodes`` or ``deadline`` returns proven bounds, never a guess.

    Attributes:
        seconds: wall-clock time; the search stops within a few milliseconds of it.
        nodes: positions searched, held exactly.
        table_mb: most memory for the transposition table, in MiB. A small table only makes a search slower.
        deadline: the time, as of ``time.time()``, when the whole run ends. The positions of a batch share the time
            until then; ``docs/batches.md`` says how.

    Raises:
        OptionError: a negative or non-finite limit, ``table_mb`` of 0, or a ``deadline`` of another clock.
    """

    seconds: float | None = None
    nodes: int | None = None
    table_mb: float | None = None
    deadline: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "nodes", "table_mb", "deadline"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not issubclass(type(value), Real):
                raise OptionError(f"{name} must be a number, not {printable(value)}", name)
            if not 0 <= value < math.inf:
                raise OptionError(f"{name} must be at least 0 and finite, not {printable(value)}", name)
            if type(value) not in (int, float):  # NumPy's integers would overflow
                object.__setattr__(self, name, index(value) if hasattr(value, "__index__") else float(value))
        if self.nodes is not None and self.nodes != int(self.nodes):
            raise OptionError(f"nodes must be a whole number, not {printable(self.nodes)}", "nodes")
        if self.table_mb is not None and not 0 < self.table_mb <= 1 << 20:
            what = f"table_mb must be above 0 and at most {1 << 20}"
            raise OptionError(f"{what}, not {printable(self.table_mb)}", "table_mb")
        if self.deadline is not None and not _EARLIEST <= self.deadline <= _LATEST:
            raise OptionError(f"deadline must be a moment of time.time(), not {printable(self.deadline)}", "deadline")

    def for_kernel(self, default_table_mb: float) -> KernelLimits:
        """Return these limits as numbers, from now on; a limit of 0 nodes or seconds stops at once."""
        seconds = -1.0 if self.seconds is None else float(min(self.seconds, _FOREVER))
        if self.deadline is not None:
            left = min(max(0.0, self.deadline - time.time()), _FOREVER)
            seconds = left if seconds < 0 else min(seconds, left)
        nodes = 0 if self.nodes is None else min(int(self.nodes), _MOST_NODES)
        if self.nodes == 0:
            seconds = 0.0
        table_mb = default_table_mb if self.table_mb is None else self.table_mb
        return KernelLimits(seconds, nodes, max(1, int(table_mb * (1 << 20))))


_NONE = Limits()


def limits_of(limits: object) -> Limits:
    """Return an argument ``limits``, or no limits for None.

    Raises:
        OptionError: something else.
    """
    if limits is None:
        return _NONE
    if not isinstance(limits, Limits):
        what = "limits must be a Limits, such as Limits(seconds=1), or None"
        raise OptionError(f"{what}, not {printable(limits)}", "limits")
    return limits
