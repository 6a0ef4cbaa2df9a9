"""Proofs without their search: the positions that a result rests on, read from a store or from a certificate.

A certificate is a text of lines, compressed by xz. The first line is a JSON object: ``format``, ``version``, ``game``,
``position`` (as it was asked), ``question``, ``lower``, ``upper`` (of the value, for the side to move), ``gamecore``,
``nodes`` and ``seconds`` (what the run took). Each other line is a position, the root first, its fields separated by
blanks:

    NOTATION LOWER UPPER MOVES

Positions are canonical, each occurs once, and they are numbered from 0. ``LOWER`` and ``UPPER`` bound the score
(``docs/prove.md``); one that follows from the bounds after moves ends in ``*``, the others are claims of searches;
``-`` is a bound that the proof does not need. ``MOVES`` are ``move=number`` joined by commas, or ``-``.
"""

import json
import lzma
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gamecore.errors import GamecoreError
from gamecore.files import file_errors, write_whole
from gamecore.prove._games import rules_of
from gamecore.prove._rules import Rules
from gamecore.prove._store import Store
from gamecore.prove._tree import BY_MOVES, Place
from gamecore.signals import raised_by_handler
from gamecore.text import printable

FORMAT: Final = "gamecore certificate"
VERSION: Final = 1
_MAGIC: Final = b"\xfd7zXZ\x00"
_MOST_BYTES: Final = 1 << 28  # of a certificate's text
_MOST_LINE: Final = 1 << 16  # characters of one line

LOWER, UPPER = "lower", "upper"


@dataclass
class Step:
    """A position of a proof.

    Attributes:
        key: its canonical notation.
        bounds: by ``lower`` and ``upper``, those that the proof needs: the score, and whether it follows from moves.
        moves: moves that the proof looks at, and the numbers of the positions after them.
    """

    key: str
    bounds: dict[str, tuple[int, bool]] = field(default_factory=dict)
    moves: dict[str, int] = field(default_factory=dict)


@dataclass
class Proof:
    """What a result rests on.

    Attributes:
        about: the first line of a certificate.
        steps: positions, the root first.
    """

    about: dict[str, Any]
    steps: list[Step]

    @property
    def rules(self) -> Rules:
        """Of the game."""
        return rules_of(self.about["game"])


def proof_of(path: str | os.PathLike[str]) -> Proof:
    """The proof that a store or a certificate holds.

    Raises:
        GamecoreError: it is neither, or damaged.
    """
    with file_errors("read", path), open(path, "rb") as file:
        begin = file.read(len(_MAGIC))
    if begin == _MAGIC:
        return _read(path)
    with Store.open(path) as store:
        store.check()
        return _proof_of_store(store)


# --- from a store ----------------------------------------------------------------------------------------------------


def _proof_of_store(store: Store) -> Proof:
    """The bounds of the root, and what they follow from."""
    rules, tree = store.rules, store.load()
    root = tree.place(store.about["root"])
    lower, upper = rules.value_of(root.key, root.low, root.high)
    work = store.totals()
    about = {
        "format": FORMAT, "version": VERSION, "game": rules.name, "position": store.about["position"],
        "question": store.about["question"], "lower": lower, "upper": upper, "gamecore": store.about["gamecore"],
        "nodes": work.nodes, "seconds": round(work.seconds, 1),
    }  # fmt: skip
    numbers: dict[Place, int] = {root: 0}
    steps = [Step(root.key)]
    waiting = [(root, LOWER), (root, UPPER)]
    while waiting:
        place, side = waiting.pop()
        step = steps[numbers[place]]
        if side in step.bounds:
            continue
        by_moves = (place.low_by if side == LOWER else place.high_by) == BY_MOVES
        step.bounds[side] = place.low if side == LOWER else place.high, by_moves
        for move, after in _premises(rules, place, side) if by_moves else ():
            if after not in numbers:
                numbers[after] = len(steps)
                steps.append(Step(after.key))
            step.moves[move] = numbers[after]
            waiting.append((after, UPPER if side == LOWER else LOWER))
    return Proof(about, steps)


def _premises(rules: Rules, place: Place, side: str) -> Iterator[tuple[str, Place]]:
    """The moves that a bound follows from: the one that is good enough, or all of them."""
    if place.moves is None:
        raise GamecoreError(f"the store is damaged: {place.key} was split, but has no moves")
    if side == UPPER:
        yield from place.moves
        return
    good = [pair for pair in place.moves if rules.score_before(pair[1].high) >= place.low]
    if not good:
        raise GamecoreError(f"the store is damaged: nothing shows the lower bound of {place.key}")
    yield min(good, key=lambda pair: (pair[1].high_by == BY_MOVES, pair[1].high))


# --- as a file -------------------------------------------------------------------------------------------------------


def export(store: str | os.PathLike[str], path: str | os.PathLike[str], *, overwrite: bool = False) -> int:
    """Write the certificate of a store: the positions that its result rests on, and nothing else.

    Args:
        overwrite: replace ``path`` if it is there.

    Returns:
        The number of positions.

    Raises:
        GamecoreError: no store, a damaged one, or ``path`` is there or cannot be written.
    """
    proof = proof_of(store)
    target = Path(path)
    if target.exists() and (not overwrite or target.samefile(store)):
        raise GamecoreError(f"{os.fspath(path)!a} is there already")
    text = "".join(_lines(proof))
    if len(text) > _MOST_BYTES:
        raise GamecoreError(f"the certificate is too large: {len(text)} bytes, not at most {_MOST_BYTES}")
    data = lzma.compress(text.encode("ascii"), preset=9)
    with file_errors("write", path):
        write_whole(target, [data])
    return len(proof.steps)


def _lines(proof: Proof) -> Iterator[str]:
    yield json.dumps(proof.about) + "\n"
    for step in proof.steps:
        bounds = [
            f"{step.bounds[side][0]}{'*' if step.bounds[side][1] else ''}" if side in step.bounds else "-"
            for side in (LOWER, UPPER)
        ]
        moves = ",".join(f"{move}={number}" for move, number in step.moves.items()) or "-"
        yield f"{step.key} {' '.join(bounds)} {moves}\n"


def _read(path: str | os.PathLike[str]) -> Proof:
    try:
        with lzma.open(path, "rt", encoding="ascii") as file:
            about = json.loads(file.readline(_MOST_LINE))
            _check(about)
            steps: dict[str, Step] = {}  # a key that is repeated is refused at once: no small file fills the memory
            size = 0
            while line := file.readline(_MOST_LINE):
                size += len(line)
                if size > _MOST_BYTES or len(line) == _MOST_LINE:
                    raise GamecoreError("it is too large")
                step = _step(line)
                if step.key in steps:
                    raise GamecoreError(f"{printable(step.key, 80)} occurs twice")
                steps[step.key] = step
    except (lzma.LZMAError, EOFError, ValueError, RecursionError, OSError) as error:
        if raised_by_handler(error):  # an alarm's TimeoutError is an OSError
            raise
        raise GamecoreError(f"{os.fspath(path)!a} is no certificate, or damaged: {error}") from None
    if not steps or any(number >= len(steps) for step in steps.values() for number in step.moves.values()):
        raise GamecoreError(f"{os.fspath(path)!a} is damaged: positions are missing")
    return Proof(about, list(steps.values()))


def _check(about: object) -> None:
    if not isinstance(about, Mapping) or about.get("format") != FORMAT:
        raise GamecoreError("its first line says of no certificate")
    if about.get("version") != VERSION:
        raise GamecoreError(f"it has version {printable(about.get('version'))}, not {VERSION}")
    for name, kind in (("game", str), ("position", str), ("question", str), ("lower", int), ("upper", int)):
        if not isinstance(about.get(name), kind):
            raise GamecoreError(f"its first line has no {name}")


def _step(line: str) -> Step:
    key, lower, upper, moves = line.split()
    step = Step(key)
    for side, text in ((LOWER, lower), (UPPER, upper)):
        if text != "-":
            step.bounds[side] = int(text.rstrip("*")), text.endswith("*")
    if moves != "-":
        for pair in moves.split(","):
            move, _, number = pair.partition("=")
            step.moves[move] = int(number)
            if step.moves[move] < 0:
                raise GamecoreError(f"a move leads to position {number}")
    return step
