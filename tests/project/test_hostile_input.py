"""What a command line may be fed by people who mean it no good: it ends, in bounded memory, with one clean line."""

import contextlib
import os
import re
import subprocess
import sys
import threading

import pytest

from gamecore import duel

pytest.importorskip("resource", reason="shells and limits of memory are asked of a POSIX system")

SOURCE, BOARD = b"3\nDQ H2 HA\nH3 D6 S3\n", b"3\n3\nppp\n   \nPPP\n"
# Answers are buffered as they are for users, whatever the tests' own environment says.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
SANITIZED = "GAMECORE_SANITIZED" in os.environ  # sanitizers reserve terabytes of addresses
A_GIGABYTE = "" if SANITIZED else f"ulimit -v {1 << 20};"


def in_a_shell(words, before="", redirection=""):
    """Return the shell's command that runs ours, in its place."""
    return ["sh", "-c", f"{before} exec '{sys.executable}' -m gamecore {words} {redirection}"]


@pytest.mark.parametrize(("words", "piece", "answer"), [
    ("duel", b"1" * (1 << 20), b""),  # one line of a gigabyte
    ("duel --time-limit 1", b"3\n" + b"\xff" * (1 << 20), b""),
    ("rows", b"7" * (1 << 20), b""),
    # A count, and values that never end.
    pytest.param("rows", b"999999999\n" + b"7\n" * (1 << 19), b"", marks=pytest.mark.nightly),
    ("duel --time-limit 5", SOURCE * 1000, b"Alice\n9\n"),
    ("hexapawn --time-limit 5", BOARD * 1000, b"-6\n"),
    ("rows --time-limit 5", b"1 -2 3\n" * 1000, b"mine 1  theirs 1  value +0 for me  best R\n"),
], ids=range(7))  # fmt: skip
def test_endless_input_is_refused_or_answered_one_by_one_in_bounded_memory(words, piece, answer):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    written = 0
    with subprocess.Popen(in_a_shell(words, A_GIGABYTE), env=ENVIRONMENT, **pipes) as process:

        def feed():
            nonlocal written
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                while written < 1 << 30:
                    written += process.stdin.write(piece)

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        assert process.stdout.read(2000 * len(answer)) == 2000 * answer  # each before the next position is read
        process.stdout.close()
        error = process.stderr.read()
        assert (process.wait(), error == b"") == ((141, True) if answer else (2, False))
        feeder.join(60)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    assert written <= 32 << 20
    assert answer or re.fullmatch(rb"[ -~]{1,2000}\n", error)


def shell(words, redirection, before="", stdin=SOURCE):
    """Run the command by a shell: its status and what it wrote."""
    command = in_a_shell(words, before, redirection)
    result = subprocess.run(command, input=stdin, capture_output=True, check=False, env=ENVIRONMENT, timeout=120)
    return result.returncode, result.stdout, result.stderr


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
    assert shell(words, redirection) == (status, b"" if status else b"Alice\n9\n", error)
    if words == "--version":
        assert shell("duel --help", redirection, "export PYTHONUNBUFFERED=1;") == (status, b"", error)


@pytest.mark.parametrize("words", ["duel", "--help", "duel --help", "--build-info"])
def test_a_reader_that_leaves_ends_it_quietly(words, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = f"exec 3<>'{tmp_path}/pipe' 4>'{tmp_path}/pipe' 3>&-;"  # nobody reads what comes there any more
    assert shell(words, ">&4", reader, SOURCE * 100) == (141, b"", b"")


@pytest.mark.skipif(SANITIZED, reason="sanitizers reserve terabytes of addresses")
def test_an_address_space_too_small():
    deal = duel.deal(17, rng=1).to_text()
    for words in ("hexapawn --start 6x6 --table-mb 99999", "rows --deck 1 --table", f"duel {deal} --table-mb 99999"):
        assert shell(words, ">/dev/null", A_GIGABYTE) == (0, b"", b"")  # the table takes what there is
