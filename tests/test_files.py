"""Files of users: written as a whole or left as they were, whatever fails on the way."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import duel
from gamecore.errors import GamecoreError
from gamecore.files import file_errors, write_whole

DEAL = duel.deal(6, rng=1)


class Planted(Exception):
    """What fails in the middle of a write."""


def stopped():
    """Chunks of which the second never comes."""
    yield b"first"
    raise Planted


def no_disk(*_):
    raise OSError(28, "No space left on device")


def only(path: Path, text: bytes) -> None:
    """The file has this text, and nothing stands beside it."""
    assert path.read_bytes() == text
    assert os.listdir(path.parent) == [path.name]


def test_a_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, [b"old"])
    path.chmod(0o600)
    write_whole(path, [b"new ", b"text"])
    only(path, b"new text")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Planted):
        write_whole(path, stopped())
    only(path, b"new text")
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", [b"newer"])
    assert (tmp_path / "link").is_symlink()
    assert path.read_bytes() == b"newer"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", [b"new"])
    assert (tmp_path / "pipe").is_fifo()
    assert os.read(reader, 99) == b"new"
    os.close(reader)


def test_a_stream_that_is_a_file_keeps_what_was_written(tmp_path):
    code = "from gamecore.files import check_writable, write_whole; check_writable('/dev/stdout')\n"
    code += "print('report', flush=True); write_whole('/dev/stdout', [b'rows'])"
    (tmp_path / "out").write_text("before\n")
    with (tmp_path / "out").open("a") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    only(tmp_path / "out", b"before\nreport\nrows")


@pytest.mark.parametrize("error", [Planted(), KeyboardInterrupt()])
def test_errors_that_are_no_files_pass(error):
    """Errors of files: ``refusals/paths.txt``."""
    with pytest.raises(type(error)), file_errors("read", "x"):
        raise error


@pytest.mark.parametrize("writer", [DEAL.picture().save, lambda path: write_whole(path, [b"new"])])
def test_every_writer_leaves_the_old_file_where_the_disk_is_full(writer, tmp_path, monkeypatch):
    (path := tmp_path / "folder" / "file.svg").parent.mkdir()
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", no_disk)
    with pytest.raises((OSError, GamecoreError), match=r"No space|cannot write"):
        writer(path)
    only(path, b"old")


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_a_command_that_cannot_write_keeps_the_old_file(option, tmp_path, monkeypatch):
    """The file may have 100 bytes, as on a disk that is full. What is refused before: ``cli/refusals.txt``."""
    pytest.importorskip("matplotlib.figure")
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # Python would keep the first 100 bytes of a module's
    (path := tmp_path / "file.png").write_bytes(old := {"--csv": b"round,0:old", "--plot": b"\x89PNG old"}[option])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        status, out, err = said("hearts", "simulate", "--players", *["random"] * 4, "--rounds", "200", option, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert (status, err) == (2, f"gamecore: cannot write '{path}': File too large\n")
    assert out.startswith("seat")  # the results are printed before a file is written
    only(path, old)
