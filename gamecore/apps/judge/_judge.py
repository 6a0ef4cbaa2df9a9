"""Judge a program: test cases, verdicts, and the smallest wrong case."""

import functools
import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from gamecore.apps.judge._judging import check_sizes, judged_game, judging_of
from gamecore.apps.judge._run import MAX_ERRORS, MAX_OUTPUT, Run, Target, check_amounts, run
from gamecore.cli.games import command_of
from gamecore.contract import Bounds, Playable, Result
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path, file_errors
from gamecore.game import BUILT_IN, Game
from gamecore.rng import generator
from gamecore.text import checked_flag, checked_integer, checked_word, counted, printable

AC, WA, TLE, ILE, MLE, RE, PE, CE = "AC", "WA", "TLE", "ILE", "MLE", "RE", "PE", "CE"
WORDS: Final = {
    AC: "accepted",
    WA: "wrong answer",
    TLE: "time limit exceeded",
    ILE: "idleness limit exceeded",
    MLE: "memory limit exceeded",
    RE: "runtime error",
    PE: "presentation error: right words, wrong blanks or lines",
    CE: "compile error: it cannot be compiled or started",
}
LIMITS: Final = (TLE, ILE, MLE)
_MOST_CASES: Final = 1_000_000
_SHRINKING: Final = 20.0  # seconds at most
_EXCEEDED: Final = 2  # cases of a family that may exceed a limit
_TRIES: Final = 20  # of a family, for a new case of one size
_BLANKS: Final = " \t\r"
_ONE: Final = {r"(?<!\S)1 points(?!\S)": "1 point", r"(?<!\S)1 plies(?!\S)": "1 ply"}
_WHITE_SPACE: Final = re.compile("[ \t\r\n\f\v]+")


@dataclass(frozen=True)
class Case:
    """A test case.

    Attributes:
        family: how it was made.
        size: of the position, or as asked of the family; 0 where it is not known.
        position: what it asks for.
        text: the input.
        expected: the output, from the exact solver.
    """

    family: str
    size: int
    position: Any
    text: str
    expected: str


@dataclass(frozen=True)
class Verdict:
    """What a judge says of one case.

    Attributes:
        word: one of :data:`WORDS`.
        case: the case.
        seconds: processor time.
        memory_mb: peak memory.
        output: what the program wrote.
        why: why it is not accepted, in one line.
    """

    word: str
    case: Case
    seconds: float
    memory_mb: float
    output: str
    why: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        case, own = self.case, {name: getattr(self, name) for name in ("output", "seconds", "memory_mb", "why")}
        asked = {"family": case.family, "size": case.size, "input": case.text, "expected": case.expected}
        return {"verdict": self.word, **asked, **own}


@dataclass(frozen=True)
class Report(Result):
    """All verdicts on a program.

    Attributes:
        game: the game's name.
        verdicts: one a case, by size.
        not_run: number of cases that were not run, since smaller ones of their family exceeded a limit.
        counterexample: the smallest case found that is not accepted; None if all are.
        notes: lines of play that show why a wrong answer is wrong.
    """

    FIELDS = ("game", "passed", "verdicts", "counterexample", "notes", "not_run")

    game: str
    verdicts: tuple[Verdict, ...]
    counterexample: Verdict | None = None
    notes: tuple[str, ...] = ()
    not_run: int = 0

    @property
    def passed(self) -> bool:
        """True if every case is accepted."""
        return self.counterexample is None

    @property
    def slowest(self) -> float:
        """Processor seconds of the slowest case."""
        return max((verdict.seconds for verdict in self.verdicts), default=0.0)

    def __str__(self) -> str:
        counts = Counter(verdict.word for verdict in self.verdicts)
        said = [f"{number} {word} ({WORDS[word].partition(':')[0]})" for word, number in counts.items()]
        said += [f"{self.not_run} not run"] if self.not_run else []
        cases = counted(len(self.verdicts) + self.not_run, "case")
        lines = [f"{cases}: {', '.join(said)}; slowest {self.slowest:.2f} s"]
        wrong = self.counterexample
        if wrong is not None:
            size = f" of size {wrong.case.size}" if wrong.case.size else ""
            lines += ["", f"{wrong.word}, the smallest found{size}, from family {wrong.case.family}: {wrong.why}"]
            lines += ["input:", wrong.case.text.rstrip("\n"), "expected:", wrong.case.expected]
            with suppress(GamecoreError):  # too large for a picture
                lines += ["", wrong.case.position.draw()]
            lines += self.notes
        return "\n".join(lines)


def judge(
    game: str | Game,
    target: Target,
    *,
    given: Iterable[Case] | None = None,
    seconds: float = 1.0,
    memory_mb: float = 256.0,
    shrink: bool = True,
    first: bool = False,
    **asked: Any,
) -> Report:
    """Judge a program, or a function, on cases.

    Args:
        game: a game, or its name.
        target: the words of a command, started without a shell; or a function that takes the input as text and
            returns the answer (a tuple is written line by line). Each case runs in a process of its own.
        given: cases of this game; default: those that :func:`cases` makes from ``asked``.
        seconds: limit of processor time for a case.
        memory_mb: limit of resident memory in MiB.
        shrink: whether a wrong case is made smaller.
        first: whether to stop at the first case that is not accepted; always for a ``duration``.
        asked: ``sizes``, ``count``, ``families``, ``seed``, ``duration`` and the game's options, as for :func:`cases`.

    Returns:
        The report. Once two cases of a family exceeded a limit, its larger ones are not run; it counts them.

    Raises:
        OptionError: a bad option, no case, or a game without a judge's format. GamecoreError: the program cannot be
            started.
    """
    game, shrink = judged_game(game), checked_flag(shrink, "shrink")
    ask = functools.partial(judge_case, target, seconds=seconds, memory_mb=memory_mb)
    first = checked_flag(first, "first") or asked.get("duration") is not None
    if given is not None and asked:
        name = next(iter(asked))
        raise OptionError(f"{name} is for cases that are made: here are given ones", name)
    verdicts, exceeded, not_run = list[Verdict](), Counter[str](), 0
    for case in cases(game, **asked) if given is None else _checked(game, given):
        if exceeded[case.family] == _EXCEEDED:
            not_run += 1
            continue
        verdicts.append(ask(case))
        exceeded[case.family] += verdicts[-1].word in LIMITS
        if first and verdicts[-1].word != AC:
            break
    if not verdicts:
        raise OptionError("given has no case", "given")
    failed = [verdict for verdict in verdicts if verdict.word != AC]
    wrong = min(failed, key=lambda verdict: (verdict.word in LIMITS, verdict.case.size), default=None)
    if wrong is not None and shrink and wrong.word not in LIMITS:
        wrong = _shrunk(game, ask, wrong)
    notes = tuple(_notes(game, wrong)) if wrong is not None and wrong.word == WA else ()
    return Report(game.name, tuple(verdicts), wrong, notes, not_run)


def _checked(game: Game, given: Iterable[Case]) -> Iterator[Case]:
    """Yield cases; OptionError if one is none of this game."""
    for case in given if isinstance(given, Iterable) else [given]:
        if not isinstance(case, Case) or not isinstance(case.position, game.Position):
            raise OptionError(f"given must hold cases of {game.name}, not {printable(case)}", "given")
        yield case


def cases(
    game: str | Game,
    *,
    sizes: range | None = None,
    count: int = 100,
    families: Sequence[str] = (),
    seed: int = 0,
    duration: float | None = None,
    **options: Any,
) -> Iterator[Case]:
    """Yield test cases by size, the families in turn; no input comes twice.

    A family that has no new case of a size gives a larger one.

    Args:
        sizes: of the cases; default: the game's.
        count: most cases.
        families: names of families; default: all.
        seed: the same seed makes the same cases.
        duration: seconds for which those of the next seeds follow, while they have new ones; None: only of one seed.
        options: of the game's cases: of rows, ``opponent``.

    Raises:
        OptionError: a bad option, or no case at all.
    """
    game = judged_game(game)
    judging = judging_of(game, **options)
    names = [checked_word(name, "family", judging.families) for name in families] or list(judging.families)
    check_sizes(judging, sizes)
    if duration is not None:
        check_amounts(duration=duration)
    count = checked_integer(count, "count", 1, _MOST_CASES)
    sizes_of = {name: sorted(judging.own_sizes.get(name, judging.sizes) if sizes is None else sizes) for name in names}
    plan = []
    for k in range(count):  # the last case has the largest size
        name = names[k % len(names)]
        index = (k + 1) * len(sizes_of[name]) // count - 1
        plan.append((sizes_of[name][max(index, 0)], k, name))
    deadline = None if duration is None else time.monotonic() + duration
    seen = set[str]()
    for number in (seed,) if deadline is None else itertools.count(checked_integer(seed, "seed", 0)):
        rng, before = generator(number), len(seen)
        for size, _, name in sorted(plan):
            larger = [other for other in sizes_of[name] if other >= size for _ in range(_TRIES)]
            made = (case_of(game, judging.families[name](other, rng), name, other, seen) for other in larger)
            if (case := next(filter(None, made), None)) is not None:
                yield case
            if deadline is not None and time.monotonic() > deadline:
                return
        if not seen:
            raise OptionError(f"{game.name} has no case of these sizes; ask for larger ones, or for more cases")
        if len(seen) == before:
            return


def input_of(position: Playable) -> str | None:
    """Return the judge's input for a position; None if the format cannot write it."""
    with suppress(GamecoreError, AttributeError):
        return str(position.to_judge())  # type: ignore[attr-defined]
    return None


def expected_of(game: Game, position: Playable) -> str:
    """Return the judge's output for a position: what the command prints with ``--plain``."""
    return command_of(game).judge_answer(position, game.solve(position))


def case_of(game: Game, position: Playable, family: str, size: int, seen: set[str] | None = None) -> Case | None:
    """Return the case of a position, of this size if the game has none.

    None: the judge's format cannot write it, or its input is among those ``seen``, to which it is added.
    """
    text, own_size, seen = input_of(position), judging_of(game).size, set() if seen is None else seen
    if text is None or text in seen:
        return None
    seen.add(text)
    return Case(family, own_size(position) if own_size else size, position, text, expected_of(game, position))


def judge_case(target: Target, case: Case, *, seconds: float = 1.0, memory_mb: float = 256.0) -> Verdict:
    """Run a program on one case; the arguments are those of :func:`judge`."""
    ran = run(target, case.text, seconds, memory_mb)
    lines, wanted = map(lines_of, (ran.output, case.expected))
    word, why = WA, f"wrote {printable(ran.output.strip(_BLANKS), 80)}, expected {printable(case.expected, 80)}"
    if failure := failure_of(ran, seconds, memory_mb):
        word, why = failure
    elif lines == wanted:
        word, why = AC, ""
    elif output_words(ran.output) == output_words(case.expected):
        pairs = enumerate(zip_longest(lines, wanted), start=1)
        number, pair = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
        line, right = ("nothing" if text is None else printable(text, 80) for text in pair)
        word, why = PE, f"line {number} is {line}, expected {right}"
    return Verdict(word, case, ran.seconds, ran.memory_mb, ran.output, why)


def failure_of(ran: Run, seconds: float, memory_mb: float) -> tuple[str, str] | None:
    """Return the verdict and the reason of a run that exceeded a limit or failed; None: it ended well."""
    if ran.exceeded:
        return {
            "time": (TLE, f"more than {seconds:g} s of processor time"),
            "clock": (ILE, f"it used {ran.seconds:.2f} s of processor time in {ran.clock:.1f} s on the clock"),
            "memory": (MLE, f"more than {memory_mb:g} MiB"),
            "output": (WA, f"wrote more than {MAX_OUTPUT >> 10} KiB, or {MAX_ERRORS >> 10} KiB of errors"),
        }[ran.exceeded]
    if not ran.status:
        return None
    last = (ran.errors.strip().splitlines() or [""])[-1]
    how = f"signal {-ran.status}" if ran.status < 0 else f"exit status {ran.status}"
    return RE, f"{how}{': ' + printable(last, 200) if last else ''}"


def output_words(output: str) -> list[str]:
    """Return the words of an output. Only ASCII white space parts them; any other character belongs to a word."""
    return [word for word in _WHITE_SPACE.split(output) if word]


def lines_of(output: str) -> list[str]:
    """Return the lines of an output without blanks and carriage returns at their ends, and without empty last lines.

    "1 points" becomes "1 point": both are right.
    """
    for many, one in _ONE.items():
        output = re.sub(many, one, output)
    return [line.rstrip(_BLANKS) for line in output.rstrip(_BLANKS + "\n").split("\n")]


def _shrunk(game: Game, ask: Callable[[Case], Verdict], wrong: Verdict) -> Verdict:
    """Return the smallest case that is judged the same, going from each to a simpler one."""
    smaller, tried = judging_of(game).smaller, {wrong.case.text}
    deadline, left = time.monotonic() + _SHRINKING, iter(smaller(wrong.case.position))
    while (position := next(left, None)) is not None and time.monotonic() < deadline:
        case = case_of(game, position, wrong.case.family, 0, tried)
        if case is not None and (verdict := ask(case)).word == wrong.word:
            wrong, left = verdict, iter(smaller(position))
    return wrong


def _notes(game: Game, wrong: Verdict) -> Iterator[str]:
    """Yield why an answer is wrong: our line of play, and the first move after which theirs cannot be kept."""
    position, words = wrong.case.position, game.words
    if position.is_over:
        return
    solution = game.solve(position)
    yield f"best play: {', '.join(_played(position, solution.line))}"
    claim = judging_of(game).claim(position, output_words(wrong.output))
    if claim is None:
        return
    theirs = Bounds(claim, claim)
    if words.order(theirs, position)[0] < words.order(solution, position)[0]:
        yield f"{solution.line[0]} is worth {words.short(solution)}, more than the claimed {words.short(theirs)}"
        file = "" if game.name in BUILT_IN else "--game FILE "
        yield f"every move: gamecore {file}{game.name} {position.to_text()} --analyse"
        return
    yield f"no first move reaches the claimed {words.short(theirs)}:"
    for entry in game.analyse(position):
        after = position.play(entry.move)
        reply = "" if after.is_over else f", answered by {game.solve(after).best_move}"
        yield f"  {entry.move} is worth {words.short(entry)}{reply}"


def _played(position: Playable, line: Iterable[str]) -> Iterator[str]:
    """Yield the moves of a line with the sides that make them: ``Alice HA``."""
    for move in line:
        yield f"{position.to_move} {move}"
        position = position.play(move)


def write_cases(folder: str, cases: Iterable[Case]) -> None:
    """Write ``inputNN.txt`` and ``outputNN.txt`` for each case; without a case, only make the folder.

    Raises:
        GamecoreError: the folder has such files already, or cannot be written; nothing is overwritten.
    """
    place, cases = Path(checked_path(folder, "folder")), list(cases)
    digits = max(2, len(str(len(cases))))
    with file_errors("write", folder):
        place.mkdir(parents=True, exist_ok=True)
        if any(place.glob("input*.txt")) or any(place.glob("output*.txt")):
            raise GamecoreError(f"cannot write {folder!a}: it has input or output files already")
        for number, case in enumerate(cases, start=1):
            for name, text in (("input", case.text), ("output", case.expected + "\n")):
                with (place / f"{name}{number:0{digits}}.txt").open("x") as file:
                    file.write(text)
