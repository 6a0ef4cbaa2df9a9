"""What a command line may be fed by people who mean it no good: it ends, in bounded memory, with one clean line."""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from command import gamecore

from gamecore import GamecoreError, OptionError, duel, rows

resource = pytest.importorskip("resource", reason="limits and peaks of memory are asked of a POSIX system")

SOURCE, BOARD = b"3\nDQ H2 HA\nH3 D6 S3\n", b"3\n3\nppp\n   \nPPP\n"
# Answers are buffered as they are for users, whatever the tests' own environment says.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
SANITIZED = "GAMECORE_SANITIZED" in os.environ  # they keep what was freed, and reserve terabytes of addresses


def start(*arguments, **options):
    process = subprocess.Popen([sys.executable, "-m", "gamecore", *arguments], env=ENVIRONMENT, **options)
    process.peak = 0.0
    threading.Thread(target=watch_memory, args=(process,), daemon=True).start()
    return process


def watch_memory(process):
    """Keep the most MiB that it had, as Linux counts them (ru_maxrss would begin with what its parent has)."""
    with contextlib.suppress(OSError):
        while found := re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")):
            process.peak = int(found.group(1)) / 1024
            time.sleep(0.005)


def run(*arguments, stdin=b"", **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(
        [sys.executable, "-m", "gamecore", *arguments],
        input=stdin, check=False, env=ENVIRONMENT, timeout=120, **options,
    )  # fmt: skip


def check_one_clean_line(error):
    """One line, of a bounded length, in which nothing but printable ASCII stands."""
    assert error.count(b"\n") == 1
    assert error.endswith(b"\n")
    assert len(error) < 2000
    assert all(32 <= byte < 127 for byte in error[:-1])


def feed_without_end(process, piece, megabytes):
    """Write until the reader has had enough; how many bytes it took."""
    written = 0
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while written < megabytes << 20:
            written += process.stdin.write(piece)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    return written


@pytest.mark.parametrize(("arguments", "piece"), [
    (["duel"], b"1" * (1 << 20)),  # one line of a gigabyte
    (["duel", "--time-limit", "1"], b"3\n" + b"\xff" * (1 << 20)),
    (["rows"], b"7" * (1 << 20)),
    (["rows"], b"999999999\n" + b"7\n" * (1 << 19)),  # a count, and values that never end
], ids=range(4))  # fmt: skip
def test_endless_input_is_refused_in_bounded_memory(arguments, piece):
    process = start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    written = feed_without_end(process, piece, 1024)
    error = process.stderr.read()
    process.stderr.close()
    status, megabytes = process.wait(), process.peak
    assert status == 2
    check_one_clean_line(error)
    assert written <= 32 << 20
    assert megabytes < 400 or SANITIZED


@pytest.mark.parametrize(("game", "text"), [("duel", SOURCE), ("hexapawn", BOARD), ("rows", b"1 -2 3\n")])
def test_an_endless_run_of_positions_is_answered_one_by_one(game, text):
    # No end of input is ever seen: every answer comes before the next position is read, and memory stays as it is.
    expected = gamecore(game, stdin=text).stdout.splitlines(keepends=True)
    process = start(game, "--time-limit", "5", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    writer = threading.Thread(target=feed_without_end, args=(process, text * 1000, 1024), daemon=True)
    writer.start()
    answers = [process.stdout.readline() for _ in range(2000 * len(expected))]
    process.stdout.close()
    status, megabytes = process.wait(), process.peak
    writer.join(60)
    assert answers == expected * 2000
    assert status == 141
    assert megabytes < 200 or SANITIZED


def npy(description, data=b""):
    """A .npy file of version 1 with this header."""
    return b"\x93NUMPY\x01\x00\x76\x00" + description.encode().ljust(117) + b"\n" + data


@pytest.mark.parametrize("content", [
    b"", b"PK\x03\x04 not a zip at all", b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{'descr'",
    b"\x93NUMPY\x01\x00\x10\x00" + b"(" * 16,
    npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"),
    npy("{'descr': '<i8', 'fortran_order': False, 'shape': (-4,), }"),
    npy("{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999,), }", b"12345678"),
    npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }", b"12345678"),
], ids=range(9))  # fmt: skip
def test_damaged_arrays(tmp_path, content):
    path = tmp_path / "row.npy"
    path.write_bytes(content)
    result = gamecore("rows", str(path))
    assert (result.returncode, result.stdout) == (2, b"")
    check_one_clean_line(result.stderr)


FULL = b"gamecore: cannot write the output: No space left on device\n"
CLOSED = b"gamecore: cannot write the output: stdout is closed\n"


@pytest.mark.parametrize(("words", "redirection", "status", "error"), [
    *((words, ">/dev/full", 2, FULL) for words in ("duel", "duel --json --analyse", "rows 1", "--version", "")),
    ("duel no-deal", ">/dev/full 2>/dev/full", 2, b""), ("duel", "2>/dev/full", 0, b""), ("duel", ">&-", 2, CLOSED),
    ("duel", "<&-", 2, b"gamecore: cannot read '-': stdin is closed\n"), ("duel", "2>&-", 0, b""),
    ("duel", ">&- 2>&- <&-", 2, b""),
])  # fmt: skip
def test_streams_that_are_full_or_closed(words, redirection, status, error):
    if "full" in redirection and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    command = ["sh", "-c", f"'{sys.executable}' -m gamecore {words} {redirection}"]
    result = subprocess.run(command, input=SOURCE, capture_output=True, check=False, env=ENVIRONMENT)
    assert (result.returncode, result.stderr) == (status, error)
    assert result.stdout == (b"" if status else b"Alice\n9\n")


@pytest.mark.parametrize("arguments", [["duel"], ["--help"], ["duel", "--help"], ["--build-info"]])
def test_a_reader_that_leaves_ends_it_quietly(arguments):
    read, write = os.pipe()
    os.close(read)
    result = run(*arguments, stdin=SOURCE * 100, stdout=write)
    os.close(write)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.skipif(SANITIZED, reason="sanitizers reserve terabytes of addresses")
def test_an_address_space_too_small():
    def lower():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    words = ("hexapawn --start 6x6", "rows --deck 1 --table", f"duel {duel.deal(17, rng=1).to_text()}")
    for command in words:  # the table takes what there is
        table = [] if command.startswith("rows") else ["--table-mb", "100000"]
        assert run(*command.split(), *table, preexec_fn=lower).returncode == 0


@pytest.mark.parametrize("large", [1 << 63, (1 << 64) - 1, 11111111111111111115, -(1 << 63)])
@pytest.mark.parametrize("call", [rows.value, rows.solve, lambda row: rows.solve_many([row])])
def test_large_integers_never_become_floats(call, large):
    """NumPy makes floats of -1 and 2**63."""
    for row in ([-1, large], [7, large, 9], [large], [-(1 << 62), large]):
        with pytest.raises(GamecoreError, match="int64"):
            call(row)


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64, np.float64])
def test_arrays_that_are_not_aligned(kind):
    """Elements at odd addresses, as a view into a file's bytes may have them."""
    whole = np.arange(1, 300, dtype=kind)
    odd = np.frombuffer(b"x" + whole.tobytes(), dtype=np.uint8)[1:].view(kind)
    assert not odd.flags.aligned
    for opponent in ("optimal", "greedy", "cooperative"):
        assert rows.value(odd, opponent=opponent) == rows.value(whole, opponent=opponent)
        assert rows.solve(odd, opponent=opponent) == rows.solve(whole, opponent=opponent)
    out = np.empty(9 * 8 + 1, dtype=np.uint8)[1:].view(np.int64).reshape(3, 3)
    with pytest.raises(OptionError, match="aligned"):
        rows.table([1, 2, 3], out=out)
