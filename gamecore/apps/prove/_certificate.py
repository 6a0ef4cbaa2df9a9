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
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from gamecore.apps.prove._prover import prover_of
from gamecore.apps.prove._store import Store, is_file
from gamecore.apps.prove._tree import BY_MOVES, QUESTIONS
from gamecore.contract import from_fields
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
OTHER: Final = {LOWER: UPPER, UPPER: LOWER}  #: a bound follows from this one after moves


@dataclass(slots=True)
class Step:
    """What a proof says of a position.

    Attributes:
        bounds: by ``lower`` and ``upper``, those that the proof needs: the score, and whether it follows from moves.
        moves: moves that the proof looks at, and the canonical positions after them.
    """

    bounds: dict[str, tuple[int, bool]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)


class About(NamedTuple):
    """The first line of a certificate."""

    format: str
    version: int
    game: str
    position: str
    question: str
    rules: str
    lower: int
    upper: int
    gamecore: str
    nodes: int
    seconds: float


@dataclass
class Proof:
    """What a result rests on: the first line of a certificate, and steps by canonical position, the root first."""

    about: About
    steps: dict[str, Step]


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


def _proof_of_store(store: Store) -> Proof:
    """The bounds of the root, and what they follow from."""
    tree, asked, work = store.load(), store.about, store.effort
    about = About(
        FORMAT, VERSION, asked["game"], asked["position"], asked["question"], asked["rules"], *tree.value(),
        asked["gamecore"], work.nodes, round(work.seconds, 1),
    )  # fmt: skip
    steps: dict[str, Step] = {}
    before, needed = tree.prover.plain.before, [(tree.start, LOWER), (tree.start, UPPER)]
    for place, side in needed:  # grows meanwhile
        step = steps.setdefault(place.key, Step())
        if side in step.bounds:
            continue
        bound, by = (place.low, place.low_by) if side == LOWER else (place.high, place.high_by)
        step.bounds[side] = bound, by == BY_MOVES
        moves = (place.moves or ()) if by == BY_MOVES else ()
        if moves and side == LOWER:  # one move that is good enough shows a lower bound, all show an upper one
            moves = (min(moves, key=lambda pair: (before(pair[1].high) < bound, pair[1].high_by, pair[1].high)),)
        for move, after in moves:
            step.moves[move] = after.key
            needed.append((after, OTHER[side]))
    return Proof(about, steps)


# --- as a file -------------------------------------------------------------------------------------------------------


def export(store: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Write the certificate of a store: the positions that its result rests on, and nothing else.

    Returns:
        The number of positions.

    Raises:
        GamecoreError: no store, a damaged one, too large a proof, or ``path`` is there or cannot be written.
    """
    target = Path(checked_path(path))
    proof = proof_of(store)
    if target.exists():
        raise GamecoreError(f"{os.fspath(path)!a} is there already")
    text = "".join(_lines(proof)).encode("ascii")
    if len(text) > _MOST_BYTES:
        raise GamecoreError(f"the proof is too large for a certificate: {len(text)} bytes, at most {_MOST_BYTES}")
    data = lzma.compress(text, preset=9)
    with file_errors("write", path):
        write_whole(target, [data])
    return len(proof.steps)


def _lines(proof: Proof) -> Iterator[str]:
    numbers = {key: number for number, key in enumerate(proof.steps)}
    yield json.dumps(proof.about._asdict()) + "\n"
    for key, step in proof.steps.items():
        bounds = {side: f"{bound}{'*' * by_moves}" for side, (bound, by_moves) in step.bounds.items()}
        moves = ",".join(f"{move}={numbers[after]}" for move, after in step.moves.items()) or "-"
        yield f"{key} {bounds.get(LOWER, '-')} {bounds.get(UPPER, '-')} {moves}\n"


def _read(path: str | os.PathLike[str], data: bytes) -> Proof:
    try:
        head, *lines = _text_of(data).removesuffix("\n").split("\n")
        if len(head) > _MOST_HEAD:
            raise GamecoreError("its first line is too long")
        about, steps = _checked(json.loads(head)), _steps(lines)
        if not steps:
            raise GamecoreError("it has no position")
    except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
        raise GamecoreError(f"{os.fspath(path)!a} is no certificate, or damaged: {error}") from None
    if prover_of(about.game).fingerprint(next(iter(steps))) != about.rules:
        raise GamecoreError(f"{os.fspath(path)!a} is a proof by other rules of {about.game}")
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


def _checked(data: Any) -> About:
    """Return the first line of a certificate; raise GamecoreError if it is none of ours."""
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise GamecoreError(f"its first line says of no certificate of version {VERSION}")
    rules = {"rules": f"{data.get('game')} 1"}  # the first ones, of which certificates say nothing
    about = from_fields(About, rules | data, About.__annotations__, "its first line")
    if about.question not in QUESTIONS:
        raise GamecoreError(f"it has the question {printable(about.question)}")
    return about


def _steps(lines: list[str]) -> dict[str, Step]:
    keys, steps = [line.partition(" ")[0] for line in lines], dict[str, Step]()
    for key, line in zip(keys, lines, strict=True):
        fields = _STEP.fullmatch(line)
        if fields is None or key in steps:
            raise GamecoreError(f"{printable(line, 80)} is no step, or its position occurs twice")
        step = steps[key] = Step()
        for side, text in zip(OTHER, fields.group(2, 3), strict=True):
            if text != "-":
                step.bounds[side] = int(text.rstrip("*")), text.endswith("*")
        for pair in fields[4].split(",") if fields[4] != "-" else ():
            move, _, number = pair.partition("=")
            if move in step.moves or not number.isdecimal() or int(number) >= len(keys):
                raise GamecoreError(f"{printable(pair, 80)} is no move, stands twice, or leads to no position")
            step.moves[move] = keys[int(number)]
    return steps
