"""Run a program, or a function in a process of its own, within limits, and end it for certain."""

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from gamecore.errors import GamecoreError

Target = Sequence[str] | Callable[[str], Any]  #: a command's words, or a function of the input

MAX_OUTPUT: Final = 1 << 16  # bytes of stdout, and of stderr, that are kept
_POLL: Final = 0.01  # seconds between looks at the memory
_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Attributes:
        status: exit status; negative: the signal that ended it.
        seconds: processor time of the program.
        memory_mb: most resident memory seen, of the program and what it started.
        killed: why it was ended: ``time``, ``memory``, ``output``, or empty.
        output, errors: stdout and stderr, at most 64 KiB each.
    """

    status: int
    seconds: float
    memory_mb: float
    killed: str
    output: str
    errors: str


def run(target: Target, text: str, seconds: float, memory_mb: float) -> Run:
    """Run a program with ``text`` on stdin.

    It is ended after ``seconds`` of processor time, or after twice that and one second more on the clock.

    Raises:
        GamecoreError: the program cannot be started, or cannot be ended.
    """
    with _adopting() as others, tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        process = _started(target, text, given)
        try:
            return _watch(process, seconds, memory_mb)
        finally:
            _end(process, others)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


class _Forked:
    """A function that runs in a forked process, with the parts of ``Popen`` that are used here."""

    def __init__(self, function: Callable[[str], Any], text: str, given: IO[bytes]) -> None:
        out, errors = os.pipe(), os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            for source, goal in ((given.fileno(), 0), (out[1], 1), (errors[1], 2)):
                os.dup2(source, goal)
            _call(function, text)
        os.close(out[1])
        os.close(errors[1])
        self.stdout, self.stderr = os.fdopen(out[0], "rb", 0), os.fdopen(errors[0], "rb", 0)


def _call(function: Callable[[str], Any], text: str) -> None:
    """Write a function's answer to stdout and leave the process."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        found = function(text)
        words = "\n".join(map(str, found)) if isinstance(found, (tuple, list)) else str(found)
        data = words.encode()
        while data:
            data = data[os.write(1, data) :]
        status = 0
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(status)


def _started(target: Target, text: str, given: IO[bytes]) -> Any:
    if callable(target):
        return _Forked(target, text, given)
    try:
        return subprocess.Popen(
            list(target), stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, bufsize=0
        )
    except (OSError, ValueError) as error:
        raise GamecoreError(f"cannot start {target[0]!a}: {getattr(error, 'strerror', None) or error}") from None


def _watch(process: Any, seconds: float, memory_mb: float) -> Run:
    """Collect the output until the program ends or exceeds a limit."""
    kept: dict[Any, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    deadline, most, killed = time.monotonic() + 2 * seconds + 1, 0.0, ""
    forked = isinstance(process, _Forked)
    base = _resident(os.getpid()) if forked else 0.0  # a fork shares our memory
    own = base if forked else _resident(os.getpid(), peak=True)
    with selectors.DefaultSelector() as waiting:
        for stream in kept:
            os.set_blocking(stream.fileno(), False)
            waiting.register(stream, selectors.EVENT_READ)
        while True:
            ready = waiting.select(_POLL)
            for key, _ in ready:
                _read(key.fileobj, kept, waiting)
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                process.returncode = os.waitstatus_to_exitcode(status)
                for stream in list(waiting.get_map()):
                    _read(waiting.get_map()[stream].fileobj, kept, waiting)
                break
            spent, resident = _usage(process.pid)
            most = max(most, resident - base)
            killed = (
                "memory" if most > memory_mb
                else "time" if spent > seconds or time.monotonic() > deadline
                else "output" if len(kept[process.stdout]) > MAX_OUTPUT
                else ""
            )  # fmt: skip
            if killed:
                os.kill(process.pid, signal.SIGKILL)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                break
    spent = used.ru_utime + used.ru_stime
    if used.ru_maxrss / 1024 > own:  # at most our own peak: it may be ours, as Linux counts from before the exec
        most = max(most, used.ru_maxrss / 1024 - base)
    if not killed:
        killed = "memory" if most > memory_mb else "time" if spent > seconds else ""
        if not killed and len(kept[process.stdout]) > MAX_OUTPUT:
            killed = "output"
    texts = [bytes(data[:MAX_OUTPUT]).decode("utf-8", "replace") for data in kept.values()]
    return Run(process.returncode, spent, most, killed, *texts)


def _read(stream: Any, kept: dict[Any, bytearray], waiting: selectors.BaseSelector) -> None:
    """Read what a stream has; bytes beyond the limit are dropped."""
    with suppress(BlockingIOError):
        while data := os.read(stream.fileno(), MAX_OUTPUT):
            kept[stream] += data[: MAX_OUTPUT + 1 - len(kept[stream])]
            if len(kept[stream]) > MAX_OUTPUT:
                return
        waiting.unregister(stream)


# --- processes, by Linux's /proc; elsewhere only the program's own group is known


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def _family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for child in _children(pid):
        yield from _family(child)


def _resident(pid: int, peak: bool = False) -> float:
    """Return the resident memory of a process in MiB, or its peak."""
    with suppress(OSError, IndexError):
        if peak:
            return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return 0.0


def _usage(pid: int) -> tuple[float, float]:
    """Return processor seconds and resident MiB of a process and its descendants."""
    seconds = memory = 0.0
    for one in _family(pid):
        memory += _resident(one)
        with suppress(OSError, IndexError):
            times = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:15]
            seconds += sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return seconds, memory


@contextmanager
def _adopting() -> Iterator[set[int]]:
    """Become the parent of orphans below this process; yield the children that were there before."""
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
    if prctl is not None:
        prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield set(_children(os.getpid()))
    finally:
        if prctl is not None:
            prctl(_SUBREAPER, 0, 0, 0, 0)


def _end(process: Any, others: set[int]) -> None:
    """Kill the program, its process group, and all it started, also in groups of their own.

    Raises:
        GamecoreError: processes are left after five seconds.
    """
    deadline = time.monotonic() + 5
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        with suppress(ChildProcessError):
            os.waitpid(process.pid, 0)
        process.returncode = -signal.SIGKILL
    while left := set(_children(os.getpid())) - others:
        for pid in left:
            for one in list(_family(pid)):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(one, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            raise GamecoreError(f"the program left {len(left)} processes that cannot be ended")
        time.sleep(0.001)
