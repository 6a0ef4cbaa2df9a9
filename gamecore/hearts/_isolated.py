"""Players in processes of their own: for players that are not trusted, or that may crash or hang."""

import contextlib
import functools
import json
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final, Self

from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._players import Player
from gamecore.hearts._view import View
from gamecore.signals import raised_by_handler
from gamecore.text import printable, without_controls

_LONGEST: Final = 1 << 12  # bytes of an answer
_START_SECONDS: Final = 60.0  # for a new process to import the player


class Isolated(Player):
    """A player that runs in a process of its own and gets nothing but its :class:`View`.

    The other process holds no other hand and no object of this one. It runs as the same user: keeping it from files or
    from other processes is the operating system's task. Its answers are read as JSON, so that they cannot run anything
    here. It is started when it is first asked, and ended by :meth:`close` or the ``with`` block::

        with hearts.Isolated(MyPlayer, seconds=1.0) as mine:
            hearts.simulate([mine, "duck", "duck", "duck"], 100, rng=7)

    Args:
        make: called in the other process without arguments; returns the :class:`Player`. It has to be picklable: a
            class or a function of a module that can be imported there, or a ``functools.partial`` of one.
        seconds: for each answer; None: no bound.

    Raises:
        OptionError: ``make`` is not callable, or ``seconds`` is not a number above 0.
    """

    def __init__(self, make: Callable[[], Player], *, seconds: float | None = None) -> None:
        if not callable(make):
            raise OptionError(f"make has to be a class or a function without arguments, not {printable(make)}")
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds <= 0):
            raise OptionError(f"seconds has to be a number above 0 or None, not {printable(seconds)}")
        self._name = _name_of(make)
        self._make = make
        self._seconds = seconds
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    @property
    def name(self) -> str:
        """The name of ``make``, without control characters; of a ``partial``, with its arguments."""
        return without_controls(self._name)

    def choose(self, view: View) -> str:
        """What the player in the other process chooses.

        Raises:
            GamecoreError: it raised, gave no answer in time, answered what is not text, or its process has ended.
        """
        return str(self._ask(str, "choose", view))

    def pass_cards(self, view: View) -> tuple[str, ...]:
        """The three cards that the player in the other process passes on.

        Raises:
            GamecoreError: as for :meth:`choose`.
        """
        cards = self._ask(list, "pass_cards", view)
        assert isinstance(cards, list)
        return tuple(map(str, cards))

    def begin_round(self, view: View, seed: int, totals: tuple[int, ...]) -> None:
        """Tell the player in the other process of it.

        Raises:
            GamecoreError: as for :meth:`choose`.
        """
        self._ask(type(None), "begin_round", view, seed, totals)

    def end_round(self, view: View, points: tuple[int, ...]) -> None:
        """Tell the player in the other process of it.

        Raises:
            GamecoreError: as for :meth:`choose`.
        """
        self._ask(type(None), "end_round", view, points)

    def __reduce__(self) -> tuple[object, ...]:
        return functools.partial(Isolated, seconds=self._seconds), (self._make,)  # a copy has a process of its own

    def _ask(self, kind: type, question: str, *arguments: object) -> object:
        pipe = self._started()
        try:
            pipe.send((question, *arguments))
            answer = self._answer(pipe, self._seconds)
        except (EOFError, OSError) as error:
            self.close()
            if raised_by_handler(error):  # the TimeoutError of an alarm is an OSError
                raise
            raise GamecoreError(f"{self.name}: its process has ended") from None
        if not isinstance(answer, kind):
            raise GamecoreError(f"{self.name}.{question} answered {printable(answer)}")
        return answer

    def _started(self) -> Connection:
        """The pipe to the process, which is started if it is not there."""
        if self._pipe is None:
            context = multiprocessing.get_context("spawn")  # a fork would hand over a copy of everything that is here
            here, there = context.Pipe()
            self._pipe = here
            self._process = context.Process(target=_serve, args=(there, self._make), daemon=True)
            try:
                self._process.start()
                there.close()
                self._answer(here, _START_SECONDS)
            except (EOFError, OSError) as error:
                self.close()
                if raised_by_handler(error):
                    raise
                raise GamecoreError(f"{self.name}: its process could not start it") from None
            except BaseException:
                self.close()
                raise
        return self._pipe

    def _answer(self, pipe: Connection, seconds: float | None) -> object:
        """The next answer; a str or a list of str, or what the other side raised as a GamecoreError."""
        if not pipe.poll(seconds):
            self.close()
            raise GamecoreError(f"{self.name}: no answer within {seconds:g} seconds")
        try:
            data = json.loads(pipe.recv_bytes(_LONGEST))
        except (ValueError, RecursionError):
            self.close()
            raise GamecoreError(f"{self.name}: its process wrote what is no answer") from None
        if isinstance(data, dict):
            raise GamecoreError(f"{self.name} raised {printable(data.get('raised'), 120)}")
        found: object = data
        return found

    def close(self) -> None:
        """End the process; a later question starts a new one."""
        pipe, process, self._pipe, self._process = self._pipe, self._process, None, None
        if pipe is not None:
            pipe.close()
        if process is not None and process.pid is not None:
            process.kill()
            process.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _name_of(make: Callable[[], Player]) -> str:
    if isinstance(make, functools.partial):
        given = [*map(printable, make.args), *(f"{name}={printable(value)}" for name, value in make.keywords.items())]
        return f"{_name_of(make.func)}({', '.join(given)})"
    return str(getattr(make, "__name__", type(make).__name__))


def _serve(pipe: Connection, make: Callable[[], Player]) -> None:
    """In the other process: make the player, and answer until the pipe is closed."""
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        try:
            player = make()
            pipe.send_bytes(b'"ready"')
        except Exception as error:
            pipe.send_bytes(_raised(error))
            return
        while True:
            question, *arguments = pipe.recv()
            try:
                answer = getattr(player, question)(*arguments)
                data = json.dumps(list(answer) if question == "pass_cards" else answer).encode()
            except Exception as error:
                data = _raised(error)
            pipe.send_bytes(data)


def _raised(error: Exception) -> bytes:
    return json.dumps({"raised": f"{type(error).__name__}: {printable(str(error), 100)}"}).encode()
