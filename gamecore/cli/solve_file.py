"""``gamecore solve-file``: a file of positions in, a file of answers out, which a killed run leaves to be continued."""

import argparse
import functools
import json
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from gamecore.text import printable
from gamecore.cli.common import BAD_INPUT, LIMIT_REACHED, OK, add_limit_options, complain, limits_of, read_lines
from gamecore.errors import BatchError, GamecoreError, OptionError, ParseError

if TYPE_CHECKING:
    from gamecore.batch import Part, Plan

GAMES = ("duel", "hexapawn", "rows")

EPILOG = """\
input: judge's texts one after another (duel, hexapawn), or one row of numbers a line (rows). Output: one JSON object a
line, in the order of the input: what `gamecore GAME --json` prints, with "index" (from 0), "input_line" (from 1) and
"key", by which --resume knows that an answer belongs to this position and these options. Answers are on the disk
(fsync) every half second or so; after a crash or Ctrl-C, --resume drops a torn last line and goes on behind it.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore solve-file - -o answers.jsonl --resume
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "solve-file",
        help="solve a file of positions on all cores; a killed run can be continued",
        description="Solve every position of a file, on all cores, into a file of JSON lines.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="the positions (- for stdin)")
    parser.add_argument("-o", "--output", required=True, metavar="ANSWERS", help="JSON lines, one a position")
    parser.add_argument("--resume", action="store_true", help="continue ANSWERS where it ends, if it exists")
    parser.add_argument("--overwrite", action="store_true", help="begin ANSWERS anew if it exists")
    parser.add_argument("--game", choices=GAMES, help="default: guessed from the first lines")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one for each core)")
    parser.add_argument("--no-line", action="store_true", help="leave best moves and lines of play out: quicker")
    parser.add_argument(
        "--on-error", choices=("raise", "return"), default="raise", metavar="HOW",
        help="a bad position: raise (default) stops there; return writes its error as its answer",
    )  # fmt: skip
    parser.add_argument("--to-move", default="white", metavar="COLOR", help="hexapawn: white (default) or black")
    parser.add_argument("--opponent", default="optimal", metavar="WHO", help="rows: optimal (default), greedy, ...")
    parser.add_argument("--first", default="me", metavar="SIDE", help="rows: me (default) or opponent")
    parser.add_argument("--ties", default="right", metavar="END", help="rows: the greedy opponent's end on a tie")
    add_limit_options(parser, 256)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, solve and write, chunk by chunk."""
    from gamecore.batch import Plan

    if args.resume and args.overwrite:
        raise OptionError("--resume or --overwrite, not both")
    plan = Plan(workers=args.workers, on_error=args.on_error)
    source = Input(args.file)
    game = game_of(args, source)
    with Answers(args.output, args.resume, args.overwrite) as answers:
        positions = game.positions(source.lines())
        answers.check(positions, args.file)
        before = answers.count
        total = None
        if args.file != "-" and _terminal():
            total = sum(1 for _ in game.split(source.lines())) - before
        solve(game, positions, plan, total, answers)
    print(f"{answers.count} answers in {args.output!a}, {answers.count - before} of them new")
    if answers.errors:
        complain(f'gamecore: {answers.errors} of {answers.count} positions are bad: see "error" in {args.output!a}')
        return BAD_INPUT
    return LIMIT_REACHED if answers.bounds else OK


def _terminal() -> bool:
    import sys

    return sys.stderr is not None and sys.stderr.isatty()


def solve(game: "Game", positions: "Iterator[Read]", plan: "Plan", total: int | None, answers: "Answers") -> None:
    """Write an answer for each position.

    Raises:
        BatchError: a bad position, with the number of the last answer written.
    """
    under_way: deque[Read] = deque()

    def noted() -> Iterator[Any]:
        for read in positions:
            under_way.append(read)
            yield read.position

    skipped = answers.count
    try:
        with closing(game.parts(noted(), plan, total)) as parts:
            for part in parts:
                reads = [under_way.popleft() for _ in range(part.count)]
                answers.write(
                    (answers.entry(read, found, game.as_json), isinstance(found, Exception), _is_bound(found))
                    for read, found in zip(reads, game.answers(part), strict=True)
                )
    except BatchError as error:
        place = f"position {skipped + error.index}"
        text = str(error.__cause__) if isinstance(error.__cause__, GamecoreError) else str(error)
        raise BatchError(f"{place}: {text} ({answers.count} answers are kept)", skipped + error.index) from error


def _is_bound(found: Any) -> bool:
    return not getattr(found, "exact", True)


# --- the games -------------------------------------------------------------------------------------------------------

Lines = Iterator[tuple[int, str]]


class Input:
    """The lines of a file, as often as they are asked for, or of stdin, once.

    Attributes:
        path: of the file, ``-`` for stdin.
    """

    def __init__(self, path: str) -> None:
        """Read nothing yet."""
        self.path = path
        self._seen: list[tuple[int, str]] = []
        self._rest: Lines | None = None

    def lines(self) -> Lines:
        """From the first one on, numbered from 1."""
        if self.path == "-" and self._rest is not None:
            return chain(self._seen, self._rest)
        self._rest = enumerate((line.removesuffix("\r") for line in read_lines(self.path)), start=1)
        return self._rest

    def first(self, count: int) -> list[str]:
        """The first lines that are not blank; they are still to come from ``lines``."""
        found: list[str] = []
        for number, text in self.lines():
            self._seen.append((number, text))
            if text.strip():
                found.append(text)
            if len(found) == count:
                break
        return found


@dataclass(frozen=True, slots=True)
class Read:
    """A position as it was read: its number, its first line's number, the key of its answer, itself or its error."""

    index: int
    line: int
    key: str
    position: Any


@dataclass(frozen=True, slots=True)
class Game:
    """What differs between games.

    Attributes:
        options: all that an answer depends on beside the position. split: numbered lines to (first line's number,
            text) for each position; raises where it cannot tell how to go on. parse: such a text to a position.
        parts, answers, as_json: positions to parts of a batch, a part to its answers, an answer to JSON.
    """

    options: str
    split: Callable[[Lines], Lines]
    parse: Callable[[str], Any]
    parts: "Callable[[Iterator[Any], Plan, int | None], Any]"
    answers: "Callable[[Part], Any]"
    as_json: Callable[[Any, Any], str]

    def positions(self, lines: Lines) -> Iterator[Read]:
        """The positions of a file, bad ones as errors."""
        for index, (number, text) in enumerate(self.split(lines)):
            position: Any
            try:
                position = self.parse(text)
            except GamecoreError as error:
                position = _moved(error, number)
            key = blake2b(f"{self.options}\n{text}".encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
            yield Read(index, number, key, position)


def _moved(error: GamecoreError, number: int) -> GamecoreError:
    """An error of a text that begins at this line of the file."""
    if not isinstance(error, ParseError) or error.line is None:
        return ParseError(str(error), number)
    place = f"line {error.line}" + (f", column {error.column}" if error.column is not None else "") + ": "
    return ParseError(str(error).removeprefix(place), number + error.line - 1, error.column)


def game_of(args: argparse.Namespace, source: Input) -> Game:
    """The game that is asked for, or that the first lines look like.

    Raises:
        GamecoreError: nothing is recognised.
    """
    limits = limits_of(args)
    line = not args.no_line
    name = args.game or guess(source.first(3))
    bounded = (limits.seconds, limits.nodes)
    if name == "rows":
        return _rows(args, line)
    options = f"{name} {bounded} {line} {args.to_move if name == 'hexapawn' else ''}"
    return _duel(options, limits, line) if name == "duel" else _hexapawn(options, limits, line, args.to_move)


def guess(lines: list[str]) -> str:
    """The game of a file by its first three lines that are not blank.

    Raises:
        ParseError: none of them, or more than one game could be meant.
    """
    first = [line.split() for line in lines]
    first += [[]] * (3 - len(first))
    counts = [len(words) == 1 and words[0].isascii() and words[0].isdigit() for words in first]
    if counts[0] and first[1] and first[1][0][:1] in "CDHS":
        return "duel"
    if counts[0] and counts[1] and set("".join(first[2])) <= set("Pp."):
        return "hexapawn"
    if first[0] and first[0][0].lstrip("+-").replace(".", "", 1)[:1].isdigit() and not (counts[0] and counts[1]):
        return "rows"
    raise ParseError("cannot tell which game this is: give --game")


def _duel(options: str, limits: Any, line: bool) -> Game:
    from gamecore import duel
    from gamecore.duel import _batch as _duel_batch
    from gamecore.cli.duel import as_json

    def split(lines: Lines) -> Lines:
        filled = ((number, text) for number, text in lines if text.strip())
        for number, count in filled:
            if not count.strip().isdigit():
                raise ParseError(f"n, the number of cards in a hand, is meant, not {printable(count.strip())}", number)
            hands = [next(filled, (number, ""))[1] for _ in range(2)]
            yield number, "\n".join((count, *hands))

    return Game(
        options,
        split,
        duel.parse,
        lambda positions, plan, total: _duel_batch.parts(positions, limits, line, plan, total),
        lambda part: _duel_batch.Solutions.of([part]),
        lambda position, found: as_json(position, found, None),
    )


def _hexapawn(options: str, limits: Any, line: bool, to_move: Any) -> Game:
    from gamecore import hexapawn
    from gamecore.hexapawn import _batch as _hexapawn_batch
    from gamecore.cli.hexapawn import as_json

    if to_move not in ("white", "black"):
        raise OptionError(f"--to-move has to be white or black, not {printable(to_move)}")

    def split(lines: Lines) -> Lines:
        for number, rows in lines:
            word = rows.strip()
            if not word:
                continue
            if not (word.isascii() and word.isdigit()) or not 2 <= int(word[:9]) <= hexapawn.MAX_SQUARES:
                raise ParseError(f"rows has to be 2 to {hexapawn.MAX_SQUARES}, not {printable(word)}", number)
            rest = [text for _, text in (next(lines, (0, None)) for _ in range(int(word) + 1)) if text is not None]
            yield number, "\n".join((word, *rest)) + "\n"

    return Game(
        options,
        split,
        functools.partial(hexapawn.parse, to_move=to_move),
        lambda positions, plan, total: _hexapawn_batch.parts(positions, limits, line, plan, total),
        lambda part: _hexapawn_batch.Solutions.of([part]),
        lambda position, found: as_json(position, found, None),
    )


def _rows(args: argparse.Namespace, line: bool) -> Game:
    from gamecore import batch, rows
    from gamecore.cli.rows import _number

    game = {"opponent": args.opponent, "first": args.first, "ties": args.ties}
    rows.solve([1], **game)  # says what is wrong with the options
    task = functools.partial(rows.solve, line=line, **game)

    def as_json(row: Any, found: Any) -> str:
        answer = {
            "values": row,
            "opponent": found.opponent,
            "first": found.first,
            "mine": found.mine,
            "theirs": found.theirs,
            "difference": found.difference,
            "best_moves": found.best_moves,
        }
        return json.dumps(answer | ({"line": found.line} if line else {}))

    return Game(
        f"rows {game} {line}",
        lambda lines: ((number, text) for number, text in lines if text.strip()),
        lambda text: [_number(word, k) for k, word in enumerate(text.split(), 1)],
        lambda positions, plan, total: batch.each_part(task, positions, plan, "rows", total),
        lambda part: part.result,
        as_json,
    )


# --- the file of answers ---------------------------------------------------------------------------------------------


class Answers:
    """The file of answers: locked while it is open, synced after each chunk.

    Attributes:
        count: answers in it. errors, bounds: how many of them are errors, how many not exact.

    Raises:
        GamecoreError: it cannot be written, another process is writing it, or it exists and nothing is said about that.
    """

    def __init__(self, path: str, resume: bool, overwrite: bool) -> None:
        """Open and lock it."""
        self.count = self.errors = self.bounds = 0
        self._path = path
        try:
            self._file: BinaryIO = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        except (OSError, ValueError) as error:
            raise GamecoreError(f"cannot write {path!a}: {getattr(error, 'strerror', None) or error}") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                raise GamecoreError(f"cannot write {path!a}: it has to be a file, for --resume")
            _lock(self._file, path)
            if overwrite:
                self._file.truncate(0)
            if not resume and os.fstat(self._file.fileno()).st_size:
                raise GamecoreError(f"{path!a} exists: --resume continues it, --overwrite begins it anew")
            with suppress(OSError):  # the name itself has to be on the disk, too
                folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
                os.fsync(folder)
                os.close(folder)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Answers":
        """For ``with``: closes it in the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it, which unlocks it."""
        self._file.close()

    def check(self, positions: Iterator[Read], source: str) -> None:
        """Go through the answers there are with the positions that they answer, and cut a torn end off.

        Raises:
            GamecoreError: an answer that is not this position's, or damage before the end.
        """
        kept, torn = 0, False
        with open(self._path, "rb") as file:
            for line in file:
                answer = _read_answer(line)
                if answer is None:
                    torn = True
                    continue
                where = f"{self._path!a}, line {self.count + 1}"
                if torn:
                    raise GamecoreError(f"{where} is damaged, and good answers follow: not continued")
                read = next(positions, None)
                if read is None:
                    raise GamecoreError(f"{where}: {source!a} has no more than {self.count} positions: not continued")
                if answer.get("index") != read.index or answer.get("key") != read.key:
                    what = f"position {read.index} of {source!a} with these options"
                    raise GamecoreError(f"{where} is not the answer to {what}: not continued")
                self.count += 1
                self.errors += "error" in answer
                self.bounds += answer.get("exact") is False
                kept += len(line)
        self._file.truncate(kept)
        self._file.seek(kept)

    def entry(self, read: Read, found: Any, as_json: Callable[[Any, Any], str]) -> str:
        """One answer as a line."""
        head = json.dumps({"index": read.index, "input_line": read.line, "key": read.key})
        tail = json.dumps({"error": str(found)}) if isinstance(found, Exception) else as_json(read.position, found)
        return f"{head[:-1]}, {tail[1:]}\n"

    def write(self, entries: Iterator[tuple[str, bool, bool]]) -> None:
        """Add lines, each with whether it is an error and whether it is not exact; then they are on the disk.

        Raises:
            GamecoreError: the disk is full, or worse.
        """
        every = list(entries)
        data = memoryview("".join(line for line, _, _ in every).encode())
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise GamecoreError(f"cannot write {self._path!a}: {error.strerror}; --resume continues it") from None
        self.count += len(every)
        self.errors += sum(is_error for _, is_error, _ in every)
        self.bounds += sum(is_bound for _, _, is_bound in every)


def _read_answer(line: bytes) -> dict[str, Any] | None:
    """An answer, or None for a torn line."""
    if not line.endswith(b"\n"):
        return None
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _lock(file: BinaryIO, path: str) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise GamecoreError(f"{path!a} is being written by another process") from None
