"""Proofs without their search: the positions that a result rests on, read from a store or from a certificate.

A certificate is a text of lines, compressed by xz. The first line is a JSON object: ``format``, ``version``, ``game``,
``position`` (as it was asked), ``question``, ``rules`` (their fingerprint; without it the game's first ones),
``lower``, ``upper`` (of the value, for the side to move), ``gamecore``, ``nodes`` and ``seconds`` (what the run took).
Each other line is a position, the root first, its fields separated by blanks:

    NOTATION LOWER UPPER MOVES

Positions are canonical, each occurs once, and they are numbered from 0. ``LOWER`` and ``UPPER`` bound the score
(``docs/prove.md``); one that follows from the bounds after moves ends in ``*``, the others are claims of searches;
``-`` is a bound that the proof does not need. ``MOVES`` are ``move=number`` joined by commas, or ``-``.
"""

import json
import lzma
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gamecore.apps.prove._prover import prover_of
from gamecore.apps.prove._store import Store, is_file
from gamecore.apps.prove._tree import BY_MOVES, QUESTIONS, Place, Tree
from gamecore.contract import check_bounds
from gamecore.errors import GamecoreError
from gamecore.files import checked_path, file_errors, write_whole
from gamecore.text import printable

FORMAT: Final = "gamecore certificate"
VERSION: Final = 1
_MAGIC: Final = b"\xfd7zXZ\x00"
_MOST_BYTES: Final = 1 << 25  # of a certificate's text: steps in memory take up to 30 times as much
_MOST_HEAD: Final = 1 << 16  # of its first line
_MOST_MEMORY: Final = 1 << 27  # for unpacking: twice what the highest preset takes
_BOUND: Final = r"(-|-?[0-9]{1,5}\*?)"
_STEP: Final = re.compile(rf"([!-~]{{1,200}}) {_BOUND} {_BOUND} (-|[!-~]+)")

LOWER, UPPER = "lower", "upper"


@dataclass(slots=True)
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


def proof_of(path: str | os.PathLike[str]) -> Proof:
    """The proof that a store or a certificate holds.

    Raises:
        GamecoreError: it is neither, or damaged.
    """
    is_file(checked_path(path))  # refuses pipes and devices, which may never end
    with file_errors("read", path), open(path, "rb") as file:
        data = file.read(len(_MAGIC))
        if data == _MAGIC:
            return _read(path, data + file.read(_MOST_BYTES))
    with Store(path) as store:
        return _proof_of_store(store)


# --- from a store ----------------------------------------------------------------------------------------------------


def _proof_of_store(store: Store) -> Proof:
    """The bounds of the root, and what they follow from."""
    tree, asked = store.load(), store.about
    tree.advance()
    root, (lower, upper), work = tree.start, tree.value(), store.effort
    about = {
        "format": FORMAT, "version": VERSION, "game": asked["game"], "position": asked["position"],
        "question": asked["question"], "rules": asked["rules"], "lower": lower, "upper": upper,
        "gamecore": asked["gamecore"], "nodes": work.nodes, "seconds": round(work.seconds, 1),
    }  # fmt: skip
    numbers: dict[Place, int] = {root: 0}
    steps = [Step(root.key)]
    waiting = [(root, LOWER), (root, UPPER)]
    while waiting:
        place, side = waiting.pop()
        step = steps[numbers[place]]
        if side in step.bounds:
            continue
        check_bounds(place.low, place.high, place.key)
        by_moves = (place.low_by if side == LOWER else place.high_by) == BY_MOVES
        step.bounds[side] = place.low if side == LOWER else place.high, by_moves
        for move, after in _premises(tree, place, side) if by_moves else ():
            if after not in numbers:
                numbers[after] = len(steps)
                steps.append(Step(after.key))
            step.moves[move] = numbers[after]
            waiting.append((after, UPPER if side == LOWER else LOWER))
    return Proof(about, steps)


def _premises(tree: Tree, place: Place, side: str) -> Iterator[tuple[str, Place]]:
    """Yield the moves that a bound follows from: one that is good enough, or all of them."""
    if place.moves is None:
        raise GamecoreError(f"the store is damaged: {place.key} was split, but has no moves")
    if side == UPPER:
        yield from place.moves
        return
    good = [pair for pair in place.moves if tree.prover.plain.before(pair[1].high) >= place.low]
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
        GamecoreError: no store, a damaged one, too large a proof, or ``path`` is there or cannot be written.
    """
    target = Path(checked_path(path))
    proof = proof_of(store)
    if target.exists() and (not overwrite or target.samefile(store)):
        raise GamecoreError(f"{os.fspath(path)!a} is there already")
    text = "".join(_lines(proof)).encode("ascii")
    if len(text) > _MOST_BYTES:
        raise GamecoreError(f"the proof is too large for a certificate: {len(text)} bytes, at most {_MOST_BYTES}")
    data = lzma.compress(text, preset=9)
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


def _read(path: str | os.PathLike[str], data: bytes) -> Proof:
    try:
        head, *lines = _text_of(data).removesuffix("\n").split("\n")
        if len(head) > _MOST_HEAD:
            raise GamecoreError("its first line is too long")
        about = json.loads(head)
        _check(about)
        steps = [_step(line) for line in lines]
    except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
        raise GamecoreError(f"{os.fspath(path)!a} is no certificate, or damaged: {error}") from None
    if not steps or any(number >= len(steps) for step in steps for number in step.moves.values()):
        raise GamecoreError(f"{os.fspath(path)!a} is damaged: positions are missing")
    rules = about.get("rules", f"{about['game']} 1")
    if prover_of(about["game"]).fingerprint(steps[0].key) != rules:
        raise GamecoreError(f"{os.fspath(path)!a} is a proof by other rules of {about['game']}")
    return Proof(about, steps)


def _text_of(data: bytes) -> str:
    """Return the unpacked file. Few bytes can unpack to many: no more than the limit is unpacked."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_MEMORY)
    text = unpacker.decompress(data, _MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        raise GamecoreError(f"it is too large: more than {_MOST_BYTES} bytes of text")
    if not unpacker.eof:
        raise EOFError("its end is missing")
    if unpacker.unused_data:
        raise GamecoreError("something follows its end")
    return text.decode("ascii")


def _check(about: object) -> None:
    if not isinstance(about, Mapping) or about.get("format") != FORMAT:
        raise GamecoreError("its first line says of no certificate")
    if about.get("version") != VERSION:
        raise GamecoreError(f"it has version {printable(about.get('version'))}, not {VERSION}")
    for name, kind in (("game", str), ("position", str), ("question", str), ("lower", int), ("upper", int)):
        if type(about.get(name)) is not kind:
            raise GamecoreError(f"its first line has no {name}")
    if about["question"] not in QUESTIONS:
        raise GamecoreError(f"it has the question {printable(about['question'])}")


def _step(line: str) -> Step:
    fields = _STEP.fullmatch(line)
    if fields is None:
        raise GamecoreError(f"{printable(line, 80)} is no step")
    key, lower, upper, moves = fields.groups()
    step = Step(key)
    for side, text in ((LOWER, lower), (UPPER, upper)):
        if text != "-":
            step.bounds[side] = int(text.rstrip("*")), text.endswith("*")
    for pair in moves.split(",") if moves != "-" else ():
        move, _, number = pair.partition("=")
        if move in step.moves or not number.isdecimal():
            raise GamecoreError(f"{printable(pair, 80)} is no move, or stands twice")
        step.moves[move] = int(number)
    return step
