"""Programs as players: :class:`Engine` speaks a line protocol with them (docs/hearts-engines.md)."""

import contextlib
import functools
import os
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from queue import Empty, Full, Queue, SimpleQueue
from typing import IO, Any, Final, Self, TypeAlias

from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._cards import EXCHANGED, TEXTS, cards_of, index_of, mask_of
from gamecore.hearts._players import PROGRAMS, Player
from gamecore.hearts._python import NO_TOTALS
from gamecore.hearts._text import rules_text
from gamecore.hearts._view import View, checked
from gamecore.text import printable, without_controls

PROTOCOL: Final = 1  #: version of the line protocol
LONGEST_LINE: Final = 4096  #: limit of an engine's lines, in bytes
_MOST_LINES: Final = 10_000  # limit of an engine's lines before an answer
_AHEAD: Final = 1000  # capacity of the queue of lines
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
_LONGEST_ERROR: Final = 1000  # characters of an engine's last line on stderr, in messages
_GRACE: Final = 0.3  # seconds for an engine to end by itself after `quit`

_Line: TypeAlias = bytes | None  # None: the engine has closed its output


class Engine(Player):
    """A program that plays hearts through its standard input and output: see ``docs/hearts-engines.md``.

    It gets only what its seat may see. The first question starts it; :meth:`close` or the ``with`` block ends it. Each
    copy has its own process::

        with hearts.Engine(["python", "my_engine.py"], seconds=1.0) as mine:
            hearts.compare([mine, "duck"], field="greedy", rounds=1000, rng=7)

    Args:
        command: the program and its arguments, run without a shell.
        seconds: time limit of each answer.
        start_seconds: time limit of the start.
        name: in results and messages; default: the file name of the program, or of the script that it runs.

    Raises:
        OptionError: ``command`` is not a list of text, or a time is not a number above 0.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float = 10.0,
        start_seconds: float = 30.0,
        name: str | None = None,
    ) -> None:
        if isinstance(command, str) or not isinstance(command, Sequence) or not command:
            raise OptionError(f"command must be a list: the program and its arguments, not {printable(command)}")
        if not all(isinstance(word, str) and word and "\0" not in word for word in command):
            raise OptionError(f"command must be a list of text that is not empty, not {printable(command, 60)}")
        for option, value in (("seconds", seconds), ("start_seconds", start_seconds)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1e6:
                raise OptionError(f"{option} must be a number above 0, not {printable(value)}")
        if name is not None and not isinstance(name, str):
            raise OptionError(f"name must be text or None, not {printable(name)}")
        self._command = tuple(command)
        self._seconds, self._start_seconds = seconds, start_seconds
        self._name = name if name is not None else _file_name(self._command)
        self._pipe: _Pipe | None = None
        self._sent: list[str] = []  # lines of this round sent so far
        self._luck: tuple[int, tuple[int, ...]] = (0, NO_TOTALS)

    def __reduce__(self) -> tuple[object, ...]:
        options: dict[str, Any] = {"seconds": self._seconds, "start_seconds": self._start_seconds, "name": self._name}
        return functools.partial(Engine, **options), (self._command,)

    @property
    def name(self) -> str:
        """Name in results and messages."""
        return without_controls(self._name)

    def begin_round(self, view: View, seed: int, totals: tuple[int, ...]) -> None:
        """Begin a round: the next question sends it from the start."""
        self._sent, self._luck = [], (seed, tuple(totals))

    def choose(self, view: View) -> str:
        """The card that the engine plays.

        Raises:
            GamecoreError: it could not be started, gave no answer in time, ended, gave an invalid answer or an illegal
                card, or speaks another version of the protocol; the message says which.
        """
        legal = view.legal_moves()
        if not legal or view.is_passing:
            raise GamecoreError(f"engine {self.name}: seat {view.seat} has no card to play")
        cards = self._ask(view, f"go {' '.join(legal)}", "card", 1)
        card = TEXTS[index_of(cards[0])]
        if card not in legal:
            raise self._failure(f"answered {card}, which is not legal here: one of {' '.join(legal)} is")
        return card

    def pass_cards(self, view: View) -> tuple[str, ...]:
        """The three cards that the engine passes.

        Raises:
            GamecoreError: as for :meth:`choose`.
        """
        if not view.is_passing or view.passed:
            raise GamecoreError(f"engine {self.name}: seat {view.seat} has no cards to pass")
        cards = self._ask(view, "pass", "pass", EXCHANGED)
        found = cards_of(mask_of(cards)) if len(set(map(index_of, cards))) == EXCHANGED else ()
        if not found or not set(found) <= set(view.hand):
            raise self._failure(f"passed {' '.join(cards)}, which are not three cards of its hand")
        return found

    def end_round(self, view: View, points: tuple[int, ...]) -> None:
        """Send the last cards and the score.

        Raises:
            GamecoreError: as for :meth:`choose`.
        """
        self._tell(view, f"end {' '.join(map(str, points))}")
        self._sent = []

    # --- the pipe ----------------------------------------------------------------------------------------------------

    def _ask(self, view: View, question: str, word: str, count: int) -> list[str]:
        """Send a question and return the cards of the answer."""
        self._tell(view, question)
        answer = self._answer(self._seconds, question.partition(" ")[0])
        found = answer.split()
        if len(found) != count + 1 or found[0] != word:
            form = " ".join([word, *["CARD"] * count])
            raise self._failure(f"answered {printable(answer, 60)} where {form!r} is expected")
        try:
            for card in found[1:]:
                index_of(card)
        except GamecoreError as error:
            raise self._failure(f"answered {printable(answer, 60)}: {error}") from None
        return found[1:]

    def _tell(self, view: View, last: str) -> None:
        """Send the lines of this view that are new to the engine, then a last line."""
        pipe = self._started()
        lines = transcript(view, *self._luck)
        known = len(self._sent)
        if self._sent != lines[:known]:  # another round
            known = 0
        self._sent = lines
        unasked = pipe.unasked()
        if unasked:
            raise self._failure(f"wrote {printable(unasked, 60)} without being asked")
        pipe.write([*lines[known:], last])

    def _started(self) -> "_Pipe":
        if self._pipe is None or self._pipe.process_id != os.getpid():
            self._sent = []
            self._pipe = _Pipe(self._command, self.name)
            self._pipe.write([f"hearts {PROTOCOL}"])
            answer = self._answer(self._start_seconds, "hearts").split()
            if answer != ["ready", str(PROTOCOL)]:
                text = " ".join(answer)
                if answer[:1] == ["ready"]:
                    raise self._failure(f"speaks another version of the protocol ({printable(text)}), not {PROTOCOL}")
                raise self._failure(f"answered {printable(text, 60)} where 'ready {PROTOCOL}' is expected")
        return self._pipe

    def _answer(self, seconds: float, question: str) -> str:
        """The next line that is not a comment."""
        pipe = self._pipe
        assert pipe is not None
        deadline = time.monotonic() + seconds
        try:
            for _ in range(_MOST_LINES):
                line = pipe.read(max(0.0, deadline - time.monotonic()))
                if line is None:
                    raise self._failure(f"ended when it was asked {question!r}: {pipe.how_it_ended()}")
                if len(line) > LONGEST_LINE:
                    raise self._failure(f"wrote a line of more than {LONGEST_LINE} bytes")
                text = line.decode("ascii", "backslashreplace").strip()
                if text and not is_comment(text):
                    return text
        except Empty:
            raise self._failure(f"gave no answer to {question!r} within {seconds:g} seconds") from None
        except BaseException:
            self.close()  # or a late answer would be read as the next one
            raise
        raise self._failure(f"wrote {_MOST_LINES} lines and no answer to {question!r}")

    def _failure(self, what: str) -> GamecoreError:
        self.close()
        return GamecoreError(f"engine {self.name} {what}")

    def close(self) -> None:
        """End the program: send ``quit``, then kill it. A later question restarts it."""
        pipe, self._pipe, self._sent = self._pipe, None, []
        if pipe is not None:
            pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file_name(command: tuple[str, ...]) -> str:
    """``my_engine`` for ``python -u my_engine.py``, else the file name of the program."""
    script = next((word for word in command[1:] if word.endswith((".py", ".js", ".rb", ".jar"))), command[0])
    return os.path.splitext(os.path.basename(script))[0] or script


def engine_of(text: str, seconds: float = 10.0) -> Engine:
    """Return the engine of a text such as ``engine:python my_engine.py``; ``seconds``: for each answer.

    Raises:
        OptionError: quotes that are not closed, or no program.
    """
    try:
        return Engine(shlex.split(text.partition(":")[2]), seconds=seconds)
    except ValueError as error:
        raise OptionError(f"player {printable(text, 80)}: {error}") from None


PROGRAMS["engine"] = engine_of


def is_comment(line: str) -> bool:
    """Whether an engine's line is a comment: ``id ...`` or ``info ...``."""
    return line.split(maxsplit=1)[0] in ("id", "info")


def transcript(view: View, seed: int = 0, totals: Sequence[int] = NO_TOTALS) -> list[str]:
    """The protocol's lines for a view, from the beginning of its round."""
    checked(view)
    plays: list[tuple[int, str]] = []
    for trick in view.tricks:
        plays += [((trick.leader + place) % 4, card) for place, card in enumerate(trick.cards)]
    plays += view.trick
    mine = mask_of(view.hand) | mask_of(card for seat, card in plays if seat == view.seat)
    dealt = cards_of(mine & ~mask_of(view.received) | (mask_of(view.passed) if view.received else 0))
    lines = [
        f"round seat {view.seat} passing {view.passing} rules {rules_text(view.rules)} seed {seed} "
        f"totals {' '.join(map(str, totals))} hand {' '.join(dealt)}"
    ]
    if view.received:
        lines.append(f"passed {' '.join(view.passed)} received {' '.join(view.received)}")
    return [*lines, *(f"played {seat} {card}" for seat, card in plays)]


class _Pipe:
    """A running program; threads read and write its pipes, so that every wait can time out.

    Raises:
        GamecoreError: the program cannot be started.
    """

    def __init__(self, command: tuple[str, ...], name: str) -> None:
        self.process_id = os.getpid()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",  # Ctrl-C must not reach the program
            )  # fmt: skip
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise GamecoreError(f"engine {name} cannot be started: {printable(command[0], 80)}: {why}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._closed = threading.Event()
        self._lines: Queue[_Line] = Queue(_AHEAD)
        self._texts: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors: list[bytes] = []  # the last line of its standard error
        self._threads = [
            _thread(_read_lines, self._process.stdout, self._lines, self._closed),
            _thread(_read_errors, self._process.stderr, self._errors),
            _thread(_write_texts, self._process.stdin, self._texts),
        ]
        self._finalizer = weakref.finalize(self, _end, self._process, self._texts, self.process_id)

    def write(self, lines: Sequence[str]) -> None:
        self._texts.put("".join(f"{line}\n" for line in lines).encode("ascii"))

    def read(self, seconds: float) -> _Line:
        return self._lines.get(timeout=seconds)

    def unasked(self) -> str:
        """A line written without a question, or an empty text."""
        while True:
            try:
                line = self._lines.get_nowait()
            except Empty:
                return ""
            if line is None:
                self._lines.put(None)  # keep the end mark for the next question
                return ""
            text = line.decode("ascii", "backslashreplace").strip()
            if text and not is_comment(text):
                return text

    def how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._threads[1].join(_GRACE)
        status = self._process.poll()
        how = "it closed its output" if status is None else f"exit status {status}"
        last = b"".join(self._errors).decode("ascii", "backslashreplace").strip()
        return f"{how}, {printable(last, _LONGEST_ERROR)}" if last else how

    def close(self) -> None:
        self._finalizer()
        self._closed.set()
        for thread in self._threads:
            thread.join(1.0)


def _thread(target: object, *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, name="hearts engine", daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def _read_lines(stream: IO[bytes], lines: "Queue[_Line]", closed: threading.Event) -> None:
    line: _Line = b""
    while line is not None and len(line) <= LONGEST_LINE and not closed.is_set():
        try:
            line = stream.readline(LONGEST_LINE + 1) or None
        except (OSError, ValueError):
            line = None
        waits = True
        while waits and not closed.is_set():
            with contextlib.suppress(Full):
                lines.put(line, timeout=0.1)
                waits = False
    stream.close()


def _read_errors(stream: IO[bytes], last: list[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            if line.strip():
                last[:] = [line]
    stream.close()


def _write_texts(stream: IO[bytes], texts: "SimpleQueue[bytes | None]") -> None:
    with contextlib.suppress(OSError, ValueError):
        while (text := texts.get()) is not None:
            stream.write(text)
            stream.flush()
    with contextlib.suppress(OSError):
        stream.close()


def _end(process: "subprocess.Popen[bytes]", texts: "SimpleQueue[bytes | None]", owner: int) -> None:
    """End a program and its children: ``quit``, SIGTERM, a bounded wait, SIGKILL."""
    if os.getpid() != owner:  # a forked child does not own the program
        return
    texts.put(b"quit\n")
    texts.put(None)
    if not _has_ended(process):
        _signal_group(process, signal.SIGTERM)
        _has_ended(process)
    _signal_group(process, _KILL)  # its children may still run
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Return True if a program ends within the grace time. It is not reaped: its process id stays reserved."""
    if os.name != "posix" or process.returncode is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        return process.returncode is not None
    deadline = time.monotonic() + _GRACE
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return True
        time.sleep(0.005)
    return False


def _signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    """Send a signal to a program and its children."""
    with contextlib.suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, number)
        else:
            process.kill()
