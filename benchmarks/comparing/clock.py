"""Two clocks at once, and who else was at work: what is needed to know whether a time can be believed."""

import os
import resource
import time
from dataclasses import dataclass

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

_cpu: list[float] = []


def both() -> float:
    """Wall time for pytest-benchmark, which calls this before and after each round; processor time is noted too."""
    _cpu.append(time.process_time())
    return time.perf_counter()


def cpu_of_last(rounds: int) -> list[float]:
    """Return the processor seconds of the last rounds, and empty the notes."""
    times = _cpu[-2 * rounds :]
    _cpu.clear()
    return [end - begin for begin, end in zip(times[::2], times[1::2], strict=True)]


def busy_seconds() -> float | None:
    """Processor seconds that all cores have spent since boot on anything, stolen time included; None where unknown."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            words = [int(word) for word in file.readline().split()[1:9]]
    except (OSError, ValueError):
        return None
    return (sum(words) - words[3] - words[4]) / TICK


def own_seconds() -> float:
    """Processor seconds of this process and of its children that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def preemptions() -> int:
    """How often this process and its children that have ended had to give up a core although they had work."""
    return sum(resource.getrusage(who).ru_nivcsw for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@dataclass(frozen=True, slots=True)
class Load:
    """What went on beside a measurement.

    Attributes:
        seconds: how long it took. others: cores that other processes used on average, None where unknown.
        preempted: involuntary context switches a second.
    """

    seconds: float
    others: float | None
    preempted: float

    @property
    def too_much(self) -> bool:
        """Whether times cannot be trusted: others used a quarter of the machine or more."""
        return self.others is not None and self.others > 0.25 * (os.cpu_count() or 1)

    def __str__(self) -> str:
        """For the line below a table."""
        others = "unknown" if self.others is None else f"{self.others:.1f} of {os.cpu_count()} cores"
        return f"other processes used {others}, {self.preempted:.0f} preemptions a second"


class Watch:
    """Measures the load from its making until it is asked."""

    def __init__(self) -> None:
        self._begun = time.monotonic(), busy_seconds(), own_seconds(), preemptions()

    def load(self) -> Load:
        """The load since the beginning."""
        begun, busy, own, switched = self._begun
        seconds = max(1e-9, time.monotonic() - begun)
        now = busy_seconds()
        others = None if now is None or busy is None else max(0.0, now - busy - (own_seconds() - own)) / seconds
        return Load(seconds, others, (preemptions() - switched) / seconds)
