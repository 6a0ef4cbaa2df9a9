"""What a run of the benchmarks says, read from pytest-benchmark's own files.

What a benchmark says of itself, in ``benchmark.group`` and ``benchmark.extra_info``:

    group         game, task, size and inputs by seed, so that the figure can be made again: "duel n=8, 5 random deals"
                  where deal k of family F has the seed "F-n-k". Versions of one group answer the same question, and the
                  benchmark asserts that they answer it alike.
    "version"     what the table calls it: "alpha-beta", "native", "numba". Default: the test's name.
    "kind"        "native": ours; "reference": the sources' algorithm in plain Python, which the others are measured by;
                  "peer": another library. Default, by the test's name: "reference" where it has that word or "python",
                  "peer" where it has "numba", "numpy", "open_spiel" or "peer".
    "work"        units of work in a round, where versions of a group do different amounts (rounds played, rows solved):
                  times are then shown and compared for one unit. Default: 1.
    "nodes", "replacements", "checksum"   work that is the same on every machine: compared exactly. Nodes of versions
                  in Python are the positions that they expand. "varies": True leaves that out (threads with one table).
    "needs"       the CPU level or the instructions (register.NEEDS) without which the suite has no such benchmark.
    "table_mb"    peak memory of the table, MiB.

``conftest.py`` adds "cpu" (processor seconds of the median round), "others" (cores that other processes used) and
"preempted" (involuntary context switches a second).
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gamecore import GamecoreError

KINDS = ("native", "reference", "peer")
EXACT = ("nodes", "nodes_of_first_deal", "replacements", "checksum")
REFERENCE_WORDS = ("reference", "python")
PEER_WORDS = ("numba", "numpy", "open_spiel", "openspiel", "peer")
THREADED = 1.2  # processor time over wall time, from which on several threads are at work


@dataclass(frozen=True, slots=True)
class Record:
    """One benchmark of a run.

    Attributes:
        name: pytest's node id. group, game, version, kind: what is compared with what.
        wall, cpu: seconds of the median round for one unit of work, one of each session.
        best: seconds of the fastest round of all. rounds: of the session with fewest.
        exact: work that does not depend on the machine. table_mb: of searches, else None.
        needs: the CPU level or the instructions without which there is no such benchmark; None: it needs nothing.
        loaded: whether other processes used a quarter of the machine in any session.
    """

    name: str
    group: str
    game: str
    version: str
    kind: str
    wall: tuple[float, ...]
    cpu: tuple[float, ...]
    best: float
    rounds: int
    exact: dict[str, Any] = field(default_factory=dict)
    table_mb: float | None = None
    loaded: bool = False
    needs: str | None = None

    @property
    def median(self) -> float:
        """Seconds of the session in the middle."""
        return sorted(self.wall)[len(self.wall) // 2]

    @property
    def times(self) -> tuple[float, ...]:
        """What is judged: processor time, or wall time where several threads work."""
        threaded = any(cpu > THREADED * wall for cpu, wall in zip(self.cpu, self.wall, strict=True))
        return self.wall if threaded else self.cpu


@dataclass(frozen=True, slots=True)
class Run:
    """One session or several of one build.

    Attributes:
        version, saved, commit: of gamecore; UTC time, ISO 8601; revision, "" where unknown.
        machine, build: processor, cores and platform; the fields of ``gamecore.build_info()``.
        records: by name. sessions: how many. missing: registered benchmarks that were not found.
    """

    version: str
    saved: str
    commit: str
    machine: dict[str, Any]
    build: dict[str, Any]
    records: dict[str, Record]
    sessions: int = 1
    missing: tuple[str, ...] = ()


def kind_of(name: str, extra_info: dict[str, Any]) -> str:
    """The kind that a benchmark says, or that its name says."""
    name = name.partition("::")[2].lower()
    words = "peer" if any(word in name for word in PEER_WORDS) else None
    words = words or ("reference" if any(word in name for word in REFERENCE_WORDS) else "native")
    return str(extra_info.get("kind") or words)


def exact_of(extra_info: dict[str, Any]) -> dict[str, Any]:
    """The part of a benchmark's notes that must be equal everywhere."""
    if extra_info.get("varies"):
        return {}
    return {key: extra_info[key] for key in EXACT if extra_info.get(key) is not None}


def record(name: str, group: str | None, extra_info: dict[str, Any], stats: Any) -> Record:
    """A benchmark of one session; ``stats`` has "median", "min" and "rounds"."""
    path = name.partition("::")[0]
    work = extra_info.get("work", 1)
    wall = _positive(name, "median", stats["median"]) / work
    game = path.rpartition("/")[2].removeprefix("test_").removesuffix(".py")
    return Record(
        name=name,
        group=group or "other",
        game=game,
        version=str(extra_info.get("version", name.partition("::")[2].removeprefix("test_"))),
        kind=kind_of(name, extra_info),
        wall=(wall,),
        cpu=(_positive(name, "cpu", extra_info.get("cpu") or stats["median"]) / work,),
        best=_positive(name, "min", stats["min"]) / work,
        rounds=int(stats["rounds"]),
        exact=exact_of(extra_info),
        table_mb=extra_info.get("table_mb"),
        loaded=bool(extra_info.get("loaded", False)),
        needs=extra_info.get("needs"),
    )


def of_session(benchmarks: Iterable[Any]) -> dict[str, Record]:
    """The records of pytest-benchmark's results of this process."""
    found = {}
    for one in benchmarks:
        if not one.has_error and one.stats.data:
            stats = {"median": one["median"], "min": one["min"], "rounds": one["rounds"]}
            found[one.fullname] = record(one.fullname, one.group, one.extra_info, stats)
    return found


def read_session(path: Path) -> Run:
    """One file of pytest-benchmark.

    Raises:
        GamecoreError: the file is missing or not written by pytest-benchmark; the message says which.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        machine, ours = data["machine_info"], data.get("gamecore", {})
        records = [record(one["fullname"], one["group"], one["extra_info"], one["stats"]) for one in data["benchmarks"]]
        if len({one.name for one in records}) != len(records):
            raise ValueError("a benchmark stands in it twice")
        return Run(
            version=str(machine["gamecore"]["gamecore"]),
            saved=str(data["datetime"]),
            commit=str((data.get("commit_info") or {}).get("id", "")),
            machine={key: machine["gamecore_machine"][key] for key in ("cpu", "cores")},
            build=dict(machine["gamecore"]),
            records={one.name: one for one in records},
            missing=tuple(ours.get("missing", ())),
        )
    except OSError as error:
        raise GamecoreError(f"{str(path)!a}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        kind = f"no {error}" if isinstance(error, KeyError) else str(error)[:200]
        raise GamecoreError(f"{str(path)!a} is not a run of gamecore's benchmarks, or is damaged: {kind}") from None


def together(runs: list[Run]) -> Run:
    """Sessions of one build as one run; a benchmark that one of them lacks is missing.

    Raises:
        GamecoreError: none, or of different versions.
    """
    if not runs or len({run.version for run in runs}) > 1:
        raise GamecoreError(
            f"sessions of {', '.join(sorted({run.version for run in runs})) or 'nothing'} are no one run"
        )
    names = {name: None for run in runs for name in run.records}
    records, missing = {}, {name for run in runs for name in run.missing}
    for name in names:
        found = [run.records[name] for run in runs if name in run.records]
        if len(found) < len(runs):
            missing.add(name)
            continue
        exact = found[0].exact if all(one.exact == found[0].exact for one in found) else {"differs": "between sessions"}
        records[name] = Record(
            name, found[0].group, found[0].game, found[0].version, found[0].kind,
            tuple(time for one in found for time in one.wall), tuple(time for one in found for time in one.cpu),
            min(one.best for one in found), min(one.rounds for one in found), exact, found[0].table_mb,
            any(one.loaded for one in found), found[0].needs,
        )  # fmt: skip
    last = max(runs, key=lambda run: run.saved)
    sessions = sum(run.sessions for run in runs)
    return Run(
        last.version, last.saved, last.commit, last.machine, last.build, records, sessions, tuple(sorted(missing))
    )


def measure_of(group: Iterable[Record]) -> Record | None:
    """What a group is measured by: its fastest reference, which has most rounds; without one, its fastest peer."""
    for kind in ("reference", "peer"):
        found = [one for one in group if one.kind == kind]
        if found:
            return min(found, key=lambda one: one.median)
    return None


def _positive(name: str, key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ValueError(f"{name}: {key} is {value!r}, not a time")
    return float(value)
