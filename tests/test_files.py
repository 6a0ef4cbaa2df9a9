"""Files of users: written as a whole or left as they were, whatever fails on the way."""

import os
import resource
import signal
from pathlib import Path

import pytest

from gamecore import duel, prove
from gamecore.cli import main
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors, write_whole


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


def test_the_new_file_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "file"
    write_whole(path, [b"old"])
    path.chmod(0o600)
    write_whole(path, [b"new ", b"text"])
    only(path, b"new text")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(Planted):
        write_whole(path, stopped())
    only(path, b"old")
    monkeypatch.setattr(os, "fsync", no_disk)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, [b"new"])
    only(path, b"old")


def test_a_link_stays_one_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", [b"new"])
    assert (tmp_path / "pipe").is_fifo()
    assert os.read(reader, 99) == b"new"
    os.close(reader)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(28, "No space left on device"), "cannot read 'x': No space left on device"),
        (OSError("of a library"), "cannot read 'x': of a library"),
        (ValueError("embedded null byte"), "cannot read 'x': embedded null byte"),
        (UnicodeDecodeError("ascii", b"\xff", 0, 1, "ordinal not in range"), "cannot read 'x': no ASCII text"),
        (TimeoutError(110, "Connection timed out"), "cannot read 'x': Connection timed out"),  # of a network's disk
    ],
)
def test_errors_of_a_file_are_said_in_one_line_of_the_wanted_kind(error, says):
    with pytest.raises(OptionError) as told, file_errors("read", "x", OptionError):
        raise error
    assert str(told.value) == says


def test_other_errors_pass():
    for error in (GamecoreError("it is damaged"), Planted(), KeyboardInterrupt()):
        with pytest.raises(type(error)) as told, file_errors("read", "x", OptionError):
            raise error
        assert told.value is error


def test_a_name_that_is_none_is_bad_input():
    for what in (duel.deal(6, rng=1).picture().save, prove.verify):
        with pytest.raises(GamecoreError, match=r"cannot (open|read|write) 'a\\x00.svg': (l?stat: )?embedded null"):
            what("a\0.svg")


def saves_certificate(path: Path) -> None:
    store = path.parent.parent / "proof.db"
    prove.run(duel.deal(6, rng=1), store)
    prove.export(store, path, overwrite=True)


WRITERS = {
    "certificate": saves_certificate,
    "picture.svg": lambda path: duel.deal(6, rng=1).picture().save(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_leaves_the_old_file_where_the_disk_is_full(name, tmp_path, monkeypatch):
    path = tmp_path / "folder" / name
    path.parent.mkdir()
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", no_disk)
    with pytest.raises((OSError, GamecoreError), match=r"No space|cannot write"):
        WRITERS[name](path)
    only(path, b"old")


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_a_command_that_cannot_write_its_file_keeps_the_old_one(option, tmp_path, capsys):
    """The file may have 100 bytes, as on a disk that is full."""
    pytest.importorskip("matplotlib.figure")
    path, old = tmp_path / "file.png", {"--csv": b"round,0:old", "--plot": b"\x89PNG old"}[option]
    path.write_bytes(old)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        status = main(["hearts", "simulate", "--players", *["random"] * 4, "--rounds", "200", option, str(path)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert status == 2
    printed, error = capsys.readouterr()
    assert printed.startswith("seat")  # the results are printed before a file is written
    assert error == f"gamecore: cannot write '{path}': File too large\n"
    only(path, old)


def test_a_command_that_fails_leaves_the_file_or_makes_none(tmp_path, capsys):
    pytest.importorskip("matplotlib.figure")
    path, other = tmp_path / "notes.txt", tmp_path / "file.csv"
    path.write_bytes(b"old")
    for last, option, file in (("random", "--plot", path), ("nobody", "--csv", other)):
        players = [*["random"] * 3, last]
        assert main(["hearts", "simulate", "--players", *players, "--rounds", "200", option, str(file)]) == 2
        printed, error = capsys.readouterr()
        assert ("txt" if file is path else "nobody") in error
        assert file is path or not printed
        only(path, b"old")
