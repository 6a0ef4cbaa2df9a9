"""Ctrl-C where it must not strike: while locks that are written in Python change hands."""

import contextlib
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


class Held:
    """``with Held():`` a SIGINT waits until the end of the block, and is handled there.

    ``threading.Condition`` and all that is made of it (events, semaphores, futures, pools, the start of a thread) are
    Python: a KeyboardInterrupt between the taking of a lock and the ``try`` that gives it back leaves it locked for
    ever, and the thread that needs it next hangs, and with it the end of the process. So whatever our main thread does
    with those stands in a block of this kind, which has to be short and must not run other people's code.

    Only the main thread sees signals: in others, and where SIGINT is ignored, nothing is done.
    """

    __slots__ = ("_before", "_came", "_frame")

    def __init__(self) -> None:
        """Nothing is held yet."""
        self._before: Callable[[int, FrameType | None], Any] | None = None
        self._came = False
        self._frame: FrameType | None = None

    def __enter__(self) -> None:
        """From here on."""
        before = signal.getsignal(signal.SIGINT)
        if callable(before) and threading.get_ident() == threading.main_thread().ident:
            self._before = before
            with contextlib.suppress(ValueError):  # not the main interpreter: no signals come
                signal.signal(signal.SIGINT, self._note)

    def _note(self, _: int, frame: FrameType | None) -> None:
        self._came, self._frame = True, frame

    def __exit__(self, *_: object) -> None:
        """Now it may come."""
        if self._before is not None:
            with contextlib.suppress(ValueError):
                signal.signal(signal.SIGINT, self._before)
            if self._came:
                self._before(signal.SIGINT, self._frame)
