"""SIGKILL at random moments: the files of `gamecore solve-file` and `gamecore prove` are checked after each kill.

Used by `tools/reliability.py kills`. After a kill of `solve-file` its file of answers holds the header, right answers
in order, and at most a torn last line; or the old contents, if it was to be replaced. The next run continues,
restarts or refuses, by its options. A file of another kind is left unchanged.
"""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gamecore import duel, hexapawn, rows

COMMAND = [sys.executable, "-m", "gamecore", "solve-file"]
NOTE = b"my own notes, and no answers\n"
EARLY = 0.8  # seconds from the start of a process to a kill before, or soon after, its first answers
LATE = 0.4  # from its first answers


class Damage(AssertionError):
    """A wrong file after a kill."""


def positions_of(game: str, count: int) -> Iterator[str]:
    """Lines of positions, easy and less easy ones."""
    for seed in range(count):
        if game == "duel":
            yield duel.deal(11, rng=seed).to_text()
        elif game == "hexapawn":
            yield hexapawn.random(5, 5, plies=1, rng=seed).to_text()
        else:
            yield rows.random(80, opponent="greedy", rng=seed).to_text()


COUNTS = {"duel": 4000, "hexapawn": 8000, "rows": 4000}


def content(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the fields that differ between runs: times and counts."""
    return {
        name: value for name, value in answer.items() if name not in ("seconds", "nodes", "table_bytes", "replacements")
    }


def check_answers(data: bytes, known: list[dict[str, Any]]) -> int:
    """How many answers a file holds.

    Args:
        data: of the file, after a kill.
        known: all answers, by another run.

    Raises:
        Damage: a line that is no answer, a wrong answer, one too many, or a missing one.
    """
    lines = data.split(b"\n")
    torn, lines = lines[-1], lines[:-1]
    if not lines and not torn:
        raise Damage("the file is empty")
    try:
        found = [json.loads(line) for line in lines]
    except ValueError as error:
        raise Damage(f"a line that is complete is no JSON: {error}") from None
    if found and found[0].get("gamecore") != "solve-file":
        raise Damage(f"the first line is no header: {lines[0][:80]!r}")
    for place, answer in enumerate(found[1:]):
        if place >= len(known) or content(answer) != content(known[place]):
            raise Damage(f"answer {place} is not that of another run: {lines[place + 1][:200]!r}")
    return max(0, len(found) - 1)


def solved(source: Path, out: Path, *how: str) -> tuple[int, str]:
    """Run to the end; return the status and the output."""
    run = subprocess.run([*COMMAND, str(source), "-o", str(out), *how], capture_output=True, text=True, check=False)
    return run.returncode, run.stderr


def stamp(path: Path) -> tuple[int, int] | None:
    """Return a value that changes when a file is written."""
    return (path.stat().st_ino, path.stat().st_size) if path.exists() else None


def killed(source: Path, out: Path, rng: random.Random, *how: str) -> bool:
    """Run, and kill the process a random time after its start or first write; return whether it still ran."""
    command = [*COMMAND, str(source), "-o", str(out), *how]
    before, late = stamp(out), rng.random() < 0.8
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while late and process.poll() is None and stamp(out) == before:
            time.sleep(0.001)
        try:
            process.wait(rng.random() * (LATE if late else EARLY))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    if process.returncode not in (0, -signal.SIGKILL):
        raise Damage(f"{how}: status {process.returncode}: {err.decode('utf-8', 'replace')[-500:]}")
    return process.returncode != 0


class Campaign:
    """Kills of one game's runs, in a folder of its own."""

    def __init__(self, game: str, folder: Path, rng: random.Random, count: int | None = None) -> None:
        self.rng, self.counts = rng, Counter[str]()
        self.source, self.out = folder / f"{game}.txt", folder / f"{game}.jsonl"
        whole = folder / f"{game}-whole.jsonl"
        self.source.write_text("\n".join(positions_of(game, count or COUNTS[game])) + "\n", encoding="ascii")
        status, said = solved(self.source, whole, "--overwrite")
        if status:
            raise Damage(f"status {status}: {said}")
        self.known = [json.loads(line) for line in whole.read_bytes().splitlines()[1:]]
        self.whole = whole.read_bytes()

    def kill(self) -> None:
        """Runs until one of them was killed, each checked."""
        while not self._run():
            pass

    def _run(self) -> bool:
        how = self.rng.choice(("--resume", "--resume", "--resume", "--overwrite", ""))
        before = self.out.read_bytes() if self.out.exists() else None
        if how == "" and before is not None:
            self._refuses(before)
            return False
        if how == "--overwrite" and self.rng.random() < 0.5:
            self.out.write_bytes(before := self.whole)
        was_killed = killed(self.source, self.out, self.rng, *how.split())
        self.counts["killed" if was_killed else "ended"] += 1
        after = self.out.read_bytes() if self.out.exists() else None
        if after is None:
            if before is not None:
                raise Damage(f"{how}: the file of answers is gone")
            return was_killed
        if how == "--overwrite" and after == before:
            self.counts["old answers kept"] += 1
            return was_killed
        if after == b"" and before is None:
            return was_killed  # killed between making the file and its first line
        answers = check_answers(after, self.known)
        if how == "--resume" and before and answers < check_answers(before, self.known):
            raise Damage(f"--resume has lost answers: {answers}")
        self.counts["with answers"] += answers > 0
        self.counts["torn"] += not after.endswith(b"\n")
        if not was_killed and answers != len(self.known):
            raise Damage(f"a run that ended has {answers} answers of {len(self.known)}")
        if not was_killed:
            self.out.unlink()
        return was_killed

    def _refuses(self, before: bytes) -> None:
        """Without an option, old answers are not touched; and other files never are."""
        self.counts["refused"] += 1
        for data, options in ((before, ()), (NOTE, ("--resume",)), (NOTE, ("--overwrite",))):
            self.out.write_bytes(data)
            status, said = solved(self.source, self.out, *options)
            if (status, said.count("\n"), self.out.read_bytes()) != (2, 1, data):
                raise Damage(f"{options}: status {status}, {said!r}")
        self.out.write_bytes(before)

    def finish(self) -> None:
        """The last run comes to the end, and the file holds every answer once."""
        status, said = solved(self.source, self.out, "--resume")
        if status or check_answers(self.out.read_bytes(), self.known) != len(self.known):
            raise Damage(f"the end: status {status}: {said}")


def kill_solve_file(times: int, folder: Path, rng: random.Random) -> None:
    """Kill runs of three games, one game after another; print a line a game."""
    for place, game in enumerate(COUNTS):
        share, start = times // len(COUNTS) + (place < times % len(COUNTS)), time.monotonic()
        campaign = Campaign(game, folder, rng)
        for _ in range(share):
            campaign.kill()
        campaign.finish()
        told = ", ".join(f"{count} {name}" for name, count in sorted(campaign.counts.items()))
        print(f"solve-file, {game:<9} {share:>4} kills  {told}; {time.monotonic() - start:.0f} s", flush=True)
