"""Run a program, or a function in a process of its own, within limits, and kill its process group.

The program leads a session and a process group of its own. The group is killed when the program ends, exceeds a limit,
or the judge is interrupted. A program that moves itself to another group escapes.
"""

import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

Target = Sequence[str] | Callable[[str], Any]  #: a command's words, or a function of the input

MAX_OUTPUT: Final = 1 << 16  # bytes of stdout, and of stderr, that are kept
_POLL: Final = 0.01  # seconds between looks at the limits
_MAXRSS_UNITS: Final = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of ru_maxrss in a MiB
_MOST_WATCHED: Final = 32  # processes of a program whose memory is looked at
_LIMITING: Final = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2" 2>/dev/null; shift 2; exec "$@"'
_MOST_SECONDS: Final = 1e9  # larger limits do not fit the system's numbers
_MOST_DATA_MB: Final = 1e9
_SLACK_MB: Final = 8.0  # by which the system's two counts of one process's memory may differ
_HEADROOM_MB: Final = 256.0  # a process may allocate twice the limit and this much: not all of it is resident


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Attributes:
        status: exit status; negative: the signal that ended it.
        seconds: processor time of the program and of the children that it waited for.
        memory_mb: peak resident memory of the largest of these processes.
        exceeded: the limit that was exceeded: ``time``, ``memory``, ``output``, or empty.
        output, errors: stdout and stderr, at most 64 KiB each.
    """

    status: int
    seconds: float
    memory_mb: float
    exceeded: str
    output: str
    errors: str


def run(target: Target, text: str, seconds: float, memory_mb: float) -> Run:
    """Run a program with ``text`` on stdin.

    It is killed after ``seconds`` of processor time, or after twice that and one second more on the clock.

    Raises:
        GamecoreError: the program cannot be started. OptionError: the target is not a command or a function.
    """
    check_target(target)
    with tempfile.TemporaryFile() as source, _pipe() as (output, to_output), _pipe() as (errors, to_errors):
        source.write(text.encode())
        source.seek(0)
        streams = (source.fileno(), to_output.fileno(), to_errors.fileno())
        cpu = int(min(seconds, _MOST_SECONDS)) + 1  # the system limits whole seconds
        if callable(target):
            pid, base = _fork(target, text, streams, cpu)
        else:
            pid, base = _spawn(target, streams, cpu, 2 * memory_mb + _HEADROOM_MB), 0.0
        captured = {output: bytearray(), errors: bytearray()}
        try:
            to_output.close()
            to_errors.close()
            exceeded, polled = _watch(pid, captured, seconds, memory_mb + base)
        finally:
            status, usage = _end(pid)
        _drain(captured)
    peak = usage.ru_maxrss / _MAXRSS_UNITS
    if not callable(target) and peak <= _own_peak_mb() + _SLACK_MB:  # maybe the judge's, from before the exec
        peak = polled
    used, peak = usage.ru_utime + usage.ru_stime, max(0.0, max(peak, polled) - base)
    if not exceeded:
        exceeded = _limit_exceeded(peak > memory_mb, used > seconds, len(captured[output]) > MAX_OUTPUT)
    texts = [bytes(data[:MAX_OUTPUT]).decode("utf-8", "replace") for data in captured.values()]
    return Run(os.waitstatus_to_exitcode(status), used, peak, exceeded, *texts)


def check_target(target: Any) -> None:
    """Raise OptionError unless this is a function or the words of a command, GamecoreError where neither can be run."""
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        raise GamecoreError("programs can be judged on Linux, and on macOS with Python 3.13 or later")
    words = isinstance(target, Sequence) and not isinstance(target, (str, bytes))
    if not callable(target) and not (words and target and all(isinstance(word, str) for word in target)):
        raise OptionError(f"target must be a function or the words of a command, not {printable(target)}")


@contextmanager
def _pipe() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Yield a pipe's two ends; the reading end does not block."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with open(reader, "rb", 0) as readable, open(writer, "wb", 0) as writable:
        yield readable, writable


def _spawn(words: Sequence[str], streams: tuple[int, int, int], cpu: int, data_mb: float) -> int:
    """Start a command and return its process id.

    A shell sets the limits of each process, seconds of processor time and MiB, and becomes the program.
    """
    if shutil.which(words[0]) is None:
        reason = "it is not executable" if os.path.exists(words[0]) else "there is no such program"
        raise GamecoreError(f"cannot start {printable(words[0], 80)}: {reason}")
    actions = [(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)]
    restored = [signal.SIGPIPE, signal.SIGXFSZ]  # Python ignores them
    try:
        limits = [str(cpu), str(int(min(data_mb, _MOST_DATA_MB)) << 10)]
        shell = ["/bin/sh", "-c", _LIMITING, "sh", *limits, *words]
        return os.posix_spawn(shell[0], shell, os.environ, file_actions=actions, setsid=True, setsigdef=restored)
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise GamecoreError(f"cannot start {printable(words[0], 80)}: {cause}") from None


def _fork(function: Callable[[str], Any], text: str, streams: tuple[int, int, int], cpu: int) -> tuple[int, float]:
    """Start a function in a forked process; return its id, and the MiB of the judge's memory that it begins with."""
    sys.stdout.flush()
    sys.stderr.flush()
    with _pipe() as (reader, writer):
        pid = os.fork()
        if pid == 0:
            writer.write(b"%f" % _peak_mb(os.getpid()))  # the judge might look when the function has ended
            _call(function, text, streams, cpu)
        writer.close()
        select.select([reader], [], [])
        return pid, float(reader.read() or 0)


def _call(function: Callable[[str], Any], text: str, streams: tuple[int, int, int], cpu: int) -> NoReturn:
    """Write a function's answer to stdout and leave the process."""
    import resource

    status = 1
    try:
        os.setsid()
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (cpu if hard == resource.RLIM_INFINITY else min(cpu, hard), hard))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(ending, signal.SIG_DFL)
        answer = function(text)
        words = "\n".join(map(str, answer)) if isinstance(answer, (tuple, list)) else str(answer)
        data = words.encode()
        while data:
            data = data[os.write(1, data) :]
        status = 0
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(status)


def _watch(pid: int, captured: dict[IO[bytes], bytearray], seconds: float, memory_mb: float) -> tuple[str, float]:
    """Collect the output until the program ends or exceeds a limit; it is not reaped, so that its id stays its own.

    Return the limit that was exceeded, and the peak memory that was seen.
    """
    deadline, peak, exceeded = time.monotonic() + 2 * seconds + 1, 0.0, ""
    readable = list(captured)
    while not exceeded and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        for stream in select.select(readable, [], [], _POLL if readable else _POLL / 10)[0]:
            if _read(stream, captured[stream]) == b"":
                readable.remove(stream)
        peak = max(peak, *map(_peak_mb, _descendants(pid)))
        late, flooded = time.monotonic() > deadline, len(next(iter(captured.values()))) > MAX_OUTPUT
        exceeded = _limit_exceeded(peak > memory_mb, late, flooded)
    return exceeded, peak


def _limit_exceeded(memory: bool, late: bool, flooded: bool) -> str:
    """Return the first limit that was exceeded, or an empty text."""
    return "memory" if memory else "time" if late else "output" if flooded else ""


def _read(stream: IO[bytes], data: bytearray) -> bytes | None:
    """Read what a stream has, at most as much as a pipe holds; keep no more than one byte beyond the limit."""
    chunk = stream.read(MAX_OUTPUT)
    data += (chunk or b"")[: MAX_OUTPUT + 1 - len(data)]
    return chunk


def _drain(captured: dict[IO[bytes], bytearray]) -> None:
    """Read what is left in the pipes of a program that was killed."""
    for stream, data in captured.items():
        while len(data) <= MAX_OUTPUT and _read(stream, data):
            pass


def _end(pid: int) -> tuple[int, Any]:
    """Kill a process and its group, reap it, and return its wait status and its use of resources."""
    for kill in (os.killpg, os.kill):  # a forked process that has just begun does not lead a group yet
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    try:
        return os.wait4(pid, 0)[1:]
    except ChildProcessError:
        raise GamecoreError("the program's exit status is lost: another part of this process waits for it") from None


def kill_children() -> None:
    """Kill the process groups of this process's children: for a command that has no other children. Linux only."""
    for pid in _descendants(os.getpid())[1:]:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    """Return a process and those that it started, at most :data:`_MOST_WATCHED`; not on Linux: the process alone."""
    processes = [pid]
    for process in processes:  # the list grows
        with suppress(OSError):
            processes += map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
        if len(processes) >= _MOST_WATCHED:
            break
    return processes[:_MOST_WATCHED]


def _peak_mb(pid: int) -> float:
    """Return the peak resident memory of a running process in MiB; 0 if the system does not tell (not Linux)."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return 0.0


def _own_peak_mb() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MAXRSS_UNITS
