"""Signals whose handlers are Python: exceptions that they raise, and moments in which they must not strike."""

import signal
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final

Handler = Callable[[int, FrameType | None], Any]

_SIGNALS: Final = sorted(signal.valid_signals())


def _in_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _handlers() -> dict[int, Handler]:
    """The handlers that are Python, by number of the signal."""
    return {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}


class Held:
    """``with Held():`` the handlers of signals wait until the end of the block, and are called there.

    ``threading.Condition`` and all that is made of it (events, semaphores, futures, pools, the start of a thread) are
    Python: an exception that a handler raises between the taking of a lock and the ``try`` that gives it back leaves it
    locked for ever, and the thread that needs it next hangs, and with it the end of the process. So whatever the main
    thread does with other people's pools and futures stands in a block of this kind, which must be short and must not
    run other people's code. Our own threads need none: the main thread talks with them through queues that are C.

    Only the main thread runs handlers: in others nothing is done.
    """

    __slots__ = ("_active", "_came", "_handlers")

    def __init__(self) -> None:
        self._handlers: dict[int, Handler] = {}
        self._came: list[int] = []
        self._active = False

    def __enter__(self) -> None:
        if not _in_main_thread():
            return
        found = _handlers()
        self._handlers = {number: handler.current() for number, handler in found.items() if isinstance(handler, _Note)}
        self._handlers = found | self._handlers
        self._active = True
        try:
            for number, handler in self._handlers.items():
                signal.signal(number, _Note(self, handler))
        except ValueError:  # not the main interpreter: no signals come
            self._handlers = {}
        except BaseException:  # of a handler that is not held yet
            self._active = False
            self._restore()
            raise

    def __exit__(self, *_: object) -> None:
        if self._handlers:
            self._active = False
            try:
                self._restore()
            finally:
                _raise_signals(self._came)

    def _restore(self) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)


class _Note:
    """Temporary handler: records signals while held; after the block it calls the old handler."""

    __slots__ = ("_handler", "_held")

    def __init__(self, held: Held, handler: Handler) -> None:
        self._held, self._handler = held, handler

    def __call__(self, number: int, frame: FrameType | None) -> Any:
        if not self._held._active:
            return self._handler(number, frame)
        if number not in self._held._came:
            self._held._came.append(number)
        return None

    def current(self) -> Handler:
        """Itself while its block lasts, then the handler."""
        return self if self._held._active else self._handler


def _raise_signals(numbers: list[int]) -> None:
    """Raise signals once more, all of them even if the handlers of some raise."""
    if numbers:
        try:
            signal.raise_signal(numbers[0])
        finally:
            _raise_signals(numbers[1:])


def raised_by_handler(error: BaseException) -> bool:
    """Whether an exception comes out of a signal's handler, and not of the code that the handler interrupted.

    Handlers run between any two instructions of the main thread, so that what they raise looks as if the function that
    just runs had raised it. Only the traceback tells: it goes through the handler.
    """
    if not _in_main_thread():
        return False
    codes = {_code(handler) for handler in _handlers().values()} - {None}
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


def _code(handler: Any) -> CodeType | None:
    """The code that a handler runs: of a function, a method, a partial, or an object that can be called."""
    for _ in range(8):
        code = getattr(handler, "__code__", None)
        if isinstance(code, CodeType):
            return code
        for name in ("__func__", "func", "__wrapped__"):
            if hasattr(handler, name):
                handler = getattr(handler, name)
                break
        else:
            handler = type(handler).__call__ if callable(handler) else None
    return None
