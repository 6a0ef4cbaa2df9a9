"""Run a program, or a function in a process of its own, within limits, and kill its process group.

The program leads a session and a process group of its own. The group is killed when the program ends, exceeds a limit,
or the judge is interrupted. A program that moves itself to another group escapes.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    import resource

Target = Sequence[str] | Callable[[str], object]  #: a command's words, or a function of the input

MAX_OUTPUT, MAX_ERRORS = 1 << 16, 1 << 20  # bytes of stdout and of stderr; the errors of a deep recursion are long
_POLL: Final = 0.01  # seconds between looks at the limits, at most
_MAXRSS_UNITS: Final = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of ru_maxrss in a MiB
_MOST_WATCHED: Final = 32  # processes of a program whose memory is looked at
_LIMITING: Final = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2" 2>/dev/null; shift 2; exec "$@"'
_MOST: Final = 1e9  # seconds and MiB: larger limits do not fit the system's numbers
_SLACK_MB: Final = 8.0  # by which the system's two counts of one process's memory may differ
_HEADROOM_MB: Final = 256.0  # a process may allocate twice the limit and this much: not all of it is resident
_PATIENCE: Final = 20  # times the limit of waiting: the longest run of a program that never waits
_TICK: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # Linux counts processor time in these
_TURN: Final = threading.Lock()  # a program has no other one of the judge beside it


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Attributes:
        status: exit status; negative: the signal that ended it.
        seconds: processor time of the program, of the children that it waited for, and of those that the judge ended.
        clock: seconds on the clock.
        memory_mb: peak resident memory of the largest of these processes.
        exceeded: the limit that was exceeded: ``memory``, ``time``, ``output``, ``clock`` (it waited), or empty.
        output, errors: stdout, at most 64 KiB, and stderr, at most 1 MiB.
    """

    status: int
    seconds: float
    clock: float
    memory_mb: float
    exceeded: str
    output: str
    errors: str


def run(target: Target, text: str, seconds: float, memory_mb: float) -> Run:
    """Run a program with ``text`` on stdin.

    It is killed after ``seconds`` of processor time, or once it has waited for twice that and one second more. On Linux
    a program that waits for a processor does not wait. If waiting ended it on a busy machine, it runs once more. Calls
    in several threads take turns.

    Raises:
        GamecoreError: the program cannot be started. OptionError: the target is not a command or a function,
            or a limit is not above 0.
    """
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        raise GamecoreError("programs can be judged on Linux, and on macOS with Python 3.13 or later")
    words = isinstance(target, Sequence) and not isinstance(target, (str, bytes))
    if not callable(target) and not (words and target and all(isinstance(word, str) for word in target)):
        raise OptionError(f"target must be a function or the words of a command, not {printable(target)}", "target")
    check_amounts(seconds=seconds, memory_mb=memory_mb)
    with _TURN:
        ran = _run(target, text, seconds, memory_mb)
        if ran.exceeded == "clock" and os.getloadavg()[0] > (os.cpu_count() or 1):
            ran = _run(target, text, seconds, memory_mb)
    return ran


def check_amounts(**amounts: float) -> None:
    """Raise OptionError unless these are numbers above 0."""
    for name, amount in amounts.items():
        if isinstance(amount, bool) or not isinstance(amount, Real) or not amount > 0:
            raise OptionError(f"{name} must be a number above 0, not {printable(amount)}", name)


def _run(target: Target, text: str, seconds: float, memory_mb: float) -> Run:
    import resource

    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        source.write(text.encode())
        source.seek(0)
        streams = source, output, errors
        cpu = int(min(seconds, _MOST)) + 1  # the system limits whole seconds
        base = _memory_mb(os.getpid(), "RssAnon") if callable(target) else 0.0  # what a forked process begins with
        began = time.monotonic()
        if callable(target):
            pid = _fork(target, text, streams, cpu)
        else:
            pid = _spawn(target, streams, cpu, 2 * memory_mb + _HEADROOM_MB)
        try:
            used, peak, waited_long = _watch(pid, streams, seconds, memory_mb + base)
        finally:
            status, usage = _end(pid)
        clock, is_flooded = time.monotonic() - began, _are_flooded(streams)
        kept = (output, MAX_OUTPUT), (errors, MAX_ERRORS)
        texts = [os.pread(file.fileno(), most, 0).decode("utf-8", "replace") for file, most in kept]
    own, most = (use.ru_maxrss / _MAXRSS_UNITS for use in (resource.getrusage(resource.RUSAGE_SELF), usage))
    if callable(target) or most > own + _SLACK_MB:  # else it may be the judge's, from before the exec
        peak = max(peak, most)
    used, peak = max(used, usage.ru_utime + usage.ru_stime), max(0.0, peak - base)
    excesses = {"memory": peak > memory_mb, "time": used > seconds, "output": is_flooded, "clock": waited_long}
    exceeded = next((limit for limit, is_exceeded in excesses.items() if is_exceeded), "")
    return Run(os.waitstatus_to_exitcode(status), used, clock, peak, exceeded, *texts)


def _spawn(words: Sequence[str], streams: Sequence[IO[bytes]], cpu: int, data_mb: float) -> int:
    """Start a command and return its process id.

    A shell sets the limits of each process, seconds of processor time and MiB, and becomes the program.
    """
    if shutil.which(words[0]) is None:
        raise GamecoreError(f"cannot start {printable(words[0], 80)}: {_why_not_started(words[0])}")
    shell = ["/bin/sh", "-c", _LIMITING, "sh", str(cpu), str(int(min(data_mb, _MOST)) << 10), *words]
    source, output, errors = streams
    try:
        process = subprocess.Popen(shell, stdin=source, stdout=output, stderr=errors, start_new_session=True)
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise GamecoreError(f"cannot start {printable(words[0], 80)}: {cause}") from None
    process.returncode = 0  # it is waited for by its id
    return process.pid


def _why_not_started(program: str) -> str:
    if not os.path.isfile(program):
        return "it is a folder" if os.path.isdir(program) else "there is no such program"
    file = os.path.join(os.path.dirname(program) or ".", os.path.basename(program))
    if os.access(file, os.X_OK):
        return f"write {printable(file, 80)}, with its folder"
    how = "python3 " if program.endswith(".py") else "chmod +x "
    return f"it is not executable: write {printable(how + shlex.quote(file), 200)}"


def _fork(function: Callable[[str], object], text: str, streams: Sequence[IO[bytes]], cpu: int) -> int:
    """Start a forked process that writes a function's answer to stdout, and return its id."""
    import resource

    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (cpu if hard == resource.RLIM_INFINITY else min(cpu, hard), hard))
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        answer = function(text)
        words = "\n".join(map(str, answer)) if isinstance(answer, (tuple, list)) else str(answer)
        with open(1, "wb", closefd=False) as output:
            output.write(words.encode())
        status = 0
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(status)


def _watch(pid: int, streams: Sequence[IO[bytes]], seconds: float, memory_mb: float) -> tuple[float, float, bool]:
    """Wait until the program ends or exceeds a limit.

    The program is not reaped, so that its id stays its own.

    Returns:
        Processor seconds, peak MiB, and whether it waited for too long, as far as that was seen.
    """
    most_used = most_mb = waited = 0.0
    pause, longest, waited_long = _POLL / 32, 2 * seconds + 1, False
    before = began = time.monotonic()
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(pause)
        pause = min(2 * pause, _POLL)
        used, peak, is_working = _look(pid)
        most_used, most_mb = max(most_used, used), max(most_mb, peak)
        now = time.monotonic()
        waited += 0.0 if is_working else min(now - before, 2 * _POLL)  # a busy machine lets the judge wait, too
        waited_long, before = waited > longest or now - began > _PATIENCE * longest, now
        if most_mb > memory_mb or used > seconds or waited_long or _are_flooded(streams):
            break
    return most_used, most_mb, waited_long


def _are_flooded(streams: Sequence[IO[bytes]]) -> bool:
    """Return True if more was written to stdout or to stderr than is kept: neither may fill the disk."""
    output, errors = (os.fstat(stream.fileno()).st_size for stream in streams[1:])
    return output > MAX_OUTPUT or errors > MAX_ERRORS


def _end(pid: int) -> "tuple[int, resource.struct_rusage]":
    """Kill a process and its group, reap it, and return its wait status and its use of resources."""
    for kill in (os.killpg, os.kill):  # a forked process that has just begun does not lead a group yet
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    try:
        return os.wait4(pid, 0)[1:]
    except ChildProcessError:
        raise GamecoreError("the program's exit status is lost: another part of this process waits for it") from None


def _look(pid: int) -> tuple[float, float, bool]:
    """Look at a process and those that it started, at most :data:`_MOST_WATCHED`; not on Linux: nothing is seen.

    Returns:
        Processor seconds of all, and of the children that they waited for; peak MiB of the largest; whether a thread of
        one runs, or waits for a processor or a disk.
    """
    processes, used, peak, is_working = [pid], 0.0, 0.0, False
    for process in processes:  # the list grows
        used += sum(map(int, _state(Path(f"/proc/{process}"))[11:15])) / _TICK
        peak = max(peak, _memory_mb(process, "VmHWM"))
        with suppress(OSError):
            for task in Path(f"/proc/{process}/task").iterdir():
                is_working = is_working or _state(task)[:1] in (["R"], ["D"])
                processes += map(int, (task / "children").read_text().split())
        del processes[_MOST_WATCHED:]
    return used, peak, is_working


def _state(folder: Path) -> list[str]:
    """Return the words of a process's or a thread's state after its name, which may hold blanks; if it ended: none."""
    with suppress(OSError):
        return (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return []


def _memory_mb(pid: int, field: str) -> float:
    """Return the resident memory of a running process in MiB; 0 if not known (not Linux)."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/status").read_text().partition(f"{field}:")[2].split()[0]) / 1024
    return 0.0
