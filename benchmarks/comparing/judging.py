"""Verdicts on a run: its work against the register, its times against a saved run's."""

from dataclasses import dataclass
from typing import Any

from comparing import intervals, register
from comparing.records import Record, Run, measure_of

FEWEST_ROUNDS = 3
FEWEST_SESSIONS = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one benchmark.

    Attributes:
        name: the benchmark. text: the verdict in words.
        bad: more work, another answer, or slower. unjudged: nothing could be said of its time.
        interval: of its time, by its ratio to what it is measured by; None where there is none.
        good: less work, or faster.
    """

    name: str
    text: str
    bad: bool = False
    unjudged: bool = False
    good: bool = False
    interval: intervals.Interval | None = None


LESS_WORK = "less work"  # the only difference of exact work that is not bad


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """What each difference of exact work is called, by key."""
    if differs := old.get("differs") or new.get("differs"):
        return {"differs": f"DIFFERS {differs}"}
    found = {}
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        if was is None or now is None:
            found[key] = "NOT COUNTED BEFORE" if was is None else "NOT COUNTED NOW"
        elif key == "checksum":
            found[key] = "CHANGED ANSWER"
        else:
            found[key] = "MORE WORK" if now > was else LESS_WORK
    return found


def work(run_records: dict[str, Record], known: register.Register) -> dict[str, Verdict]:
    """Verdicts on everything whose exact work differs from the register."""
    found = {}
    for one in run_records.values():
        if one.name not in known:
            continue
        old = register.exact(known[one.name])
        if different := changes(old, one.exact):
            bad = any(label != LESS_WORK for label in different.values())
            text = "; ".join(
                label
                if key == "differs"
                else f"{label}: {key.replace('_', ' ')} {_shown(key, old)} -> {_shown(key, one.exact)}"
                for key, label in different.items()
            )
            found[one.name] = Verdict(one.name, text, bad, good=not bad)
    return found


def _shown(key: str, exact: dict[str, Any]) -> str:
    value = exact.get(key, "none")
    return f"{value:,}" if isinstance(value, int) and key != "checksum" else str(value)


def times(now: Run, then: Run) -> dict[str, Verdict]:
    """A verdict on the time of every native benchmark of a run, against a saved one."""
    groups: dict[str, list[Record]] = {}
    for one in now.records.values():
        if one.name in then.records:
            groups.setdefault(one.group, []).append(one)
    pace = measure_of(one for one in now.records.values() if register.PACE in one.name and one.name in then.records)
    found = {}
    for one in now.records.values():
        if one.kind == "native":
            measure = measure_of(groups.get(one.group, ())) or pace
            found[one.name] = _time(one, then.records.get(one.name), measure, now, then)
    return found


def _time(one: Record, old: Record | None, measure: Record | None, now: Run, then: Run) -> Verdict:
    reason = None
    if old is None:
        reason = "it is new"
    elif measure is None:
        reason = "neither its group nor the run has a reference"
    elif min(now.sessions, then.sessions) < FEWEST_SESSIONS:
        reason = f"an interval needs {FEWEST_SESSIONS} sessions of each, not {now.sessions} and {then.sessions}"
    elif min(one.rounds, measure.rounds) < FEWEST_ROUNDS:
        reason = f"fewer than {FEWEST_ROUNDS} rounds"
    elif one.loaded or measure.loaded:
        reason = "the machine was too loaded to judge"
    elif old.loaded or then.records[measure.name].loaded:
        reason = "the machine was too loaded when the baseline was saved"
    if reason is not None or old is None or measure is None:
        return Verdict(one.name, f"not judged: {reason}", unjudged=True)
    was = then.records[measure.name]
    interval = intervals.unpaired(
        [time / by for time, by in zip(old.times, was.times, strict=True)],
        [time / by for time, by in zip(one.times, measure.times, strict=True)],
    )
    text = f"{interval} {intervals.explained(interval)}"
    return Verdict(
        one.name, text,
        bad=interval.verdict == intervals.SLOWER,
        unjudged=interval.verdict == intervals.UNPROVEN,
        good=interval.verdict == intervals.FASTER,
        interval=interval,
    )  # fmt: skip


def joined(of_work: dict[str, Verdict], of_time: dict[str, Verdict]) -> dict[str, Verdict]:
    """Both verdicts of each benchmark as one."""
    found = dict(of_time)
    for name, one in of_work.items():
        other = found.get(name)
        if other is None:
            found[name] = one
        else:
            text = f"{one.text}; {other.text}"
            bad, good = one.bad or other.bad, one.good or other.good
            found[name] = Verdict(name, text, bad, other.unjudged, good, other.interval)
    return found
