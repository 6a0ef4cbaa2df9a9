"""Every ``--help`` fits 80 columns, its examples work when pasted as printed; completion for shells; the man page."""

import argparse
import functools
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gamecore import cli
from gamecore.cli import build_parser
from gamecore.cli._help import folded, laid_out

ROOT = Path(__file__).parents[2]
ENDLESS = re.compile(r"gamecore explore|ssh ")  # examples that serve until somebody ends them


def parsers(parser, names=()):
    """Every parser of the command with its words."""
    yield names, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from parsers(child, (*names, name))


PARSERS = dict(parsers(build_parser()))
OUTER = [names for names in PARSERS if len(names) < 2 or PARSERS[names].epilog]


def printed(parser, monkeypatch):
    """The help on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return parser.format_help()


def examples(text):
    """The commands below ``example:`` or ``examples:``, backslashes and all."""
    _, found, tail = re.sub(r"\nexamples?:\n", "\0", text).partition("\0")
    lines = tail.splitlines() if found else []
    block = "\n".join(line for line in lines[: lines.index("") if "" in lines else None])
    return [command.strip() for command in re.split(r"(?<!\\)\n", block) if command.strip()]


@pytest.mark.parametrize("names", PARSERS, ids=" ".join)
def test_help_fits_the_terminal(names, monkeypatch):
    assert max(map(len, printed(PARSERS[names], monkeypatch).splitlines())) <= 80


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A working directory like a fresh checkout, with ``gamecore`` on the path."""
    here = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "examples", here / "examples")
    shutil.copy(ROOT / "examples" / "duels_17.txt", here / "deals.txt")
    command = here / "bin" / "gamecore"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m gamecore "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return here


@pytest.mark.skipif(sys.platform == "win32", reason="examples are written for a POSIX shell")
@pytest.mark.parametrize(
    "names",
    [pytest.param(one, marks=[pytest.mark.nightly] if one == ("hearts",) else []) for one in OUTER],
    ids=" ".join,
)
def test_help_shows_an_example_that_works(names, checkout, monkeypatch):
    text = printed(PARSERS[names], monkeypatch)
    commands = examples(text)
    words = "gamecore " + " ".join(names)
    assert words.strip() in re.sub(r"\s*\\\n\s*", " ", text.partition("\n\n")[2])
    if len(names) > 1:
        commands = [command for command in commands if words in re.sub(r"\s*\\\n\s*", " ", command)]
        assert commands, "no example of this subcommand"
    for command in commands:
        if not ENDLESS.match(command):
            few = command.replace("pimc:20", "pimc:5").replace("pimc:100", "pimc:20")  # fewer worlds: seconds less
            works_when_pasted(few, checkout)


@functools.cache  # several helps show the same example
def works_when_pasted(command, checkout):
    done = subprocess.run(
        ["sh", "-c", command], cwd=checkout, input=b"", capture_output=True, timeout=120, check=False,
        env={**os.environ, "PATH": f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, (command, done.stderr)
    assert b"Traceback" not in done.stderr
    assert done.stdout or "-o " in command


def test_examples_are_found_as_they_are_printed():
    text = "what it does\n\nexamples:\n  gamecore a 'b c' \\\n      --d\n  gamecore e\n\nmore\n"
    assert examples(text) == ["gamecore a 'b c' \\\n      --d", "gamecore e"]
    assert examples("nothing\n") == []


def test_layout():
    text = """\
Prose that is too long for one line
is filled anew.

short
lines stay

  name    a second column that is wrapped
  a first column that is wide    a second
                                 column
example:  run 'a  b' --with many options --and more"""
    assert (
        "\n".join(laid_out(text, 30))
        == """\
Prose that is too long for one
line is filled anew.

short
lines stay

  name    a second column that
          is wrapped
  a first column that is wide
      a second
      column
example:
  run 'a  b' --with many \\
      options --and more"""
    )
    assert folded("  one 'two three' four", 12) == ["  one \\", "      'two three' \\", "      four"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell, capsys):
    pytest.importorskip("shtab", reason="the extra 'shell' is not installed")
    assert cli.main(["--completion", shell]) == 0
    script = capsys.readouterr().out
    assert "solve-file" in script
    assert "gamecore" in script
    if shutil.which(shell) and shell != "tcsh":
        done = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["gamecore", "hex"], {"hexapawn"}),
        (["gamecore", "play", "he"], {"hexapawn", "hearts"}),
        (["gamecore", "duel", "--ana"], {"--analyse"}),
        (["gamecore", "play", "duel", "--opponent", "g"], {"greedy"}),
        (["gamecore", "hexapawn", "--to-move", "b"], {"black"}),
        (["gamecore", "judge", "h"], {"hexapawn", "hearts"}),
    ],
)
def test_bash_completes(words, found, capsys):
    pytest.importorskip("shtab", reason="the extra 'shell' is not installed")
    cli.main(["--completion", "bash"])
    script = capsys.readouterr().out
    name = re.search(r"^complete .*-F (\S+)", script, re.MULTILINE)[1]
    quoted = " ".join(f"'{word}'" for word in words)
    script += f'\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n{name}\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    done = subprocess.run(["bash"], input=script, text=True, capture_output=True, check=False)
    assert {word.strip() for word in done.stdout.split()} == found, done.stderr


def test_man_page(capsys):
    pytest.importorskip("argparse_manpage", reason="the extra 'shell' is not installed")
    assert cli.main(["--man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH GAMECORE")
    assert page.splitlines()[0].endswith('"gamecore manual"')
    for name in cli.COMMANDS:
        assert f"gamecore {name.replace('_', '-')}" in page.replace(r"\-", "-")
    if shutil.which("man"):
        done = subprocess.run(["man", "--warnings", "-l", "-"], input=page, text=True, capture_output=True, check=False)
        assert done.returncode == 0
        assert "--time-limit SECONDS" in done.stdout


@pytest.mark.parametrize(
    ("module", "argument"), [("shtab", ["--completion", "bash"]), ("argparse_manpage.manpage", ["--man"])]
)
def test_without_the_extra(module, argument, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, module, None)
    assert cli.main(argument) == 2
    assert "pip install 'gamecore[shell]'" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full on this system")
@pytest.mark.parametrize("words", [["--help"], ["duel", "--help"], ["--version"], ["duel", "DQ:H3D6:B:DK"]])
def test_help_on_a_full_disk(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gamecore", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "gamecore: cannot write the output: No space left on device\n")


@pytest.mark.parametrize("module", ["errors", "contract", "game", "cli"])
def test_control_c_while_importing(module):
    """The command is interrupted while it imports: one line, no traceback."""
    code = (
        "import sys\nclass Interrupted:\n    def find_spec(name, *rest):\n"
        f"        if name == 'gamecore.{module}':\n            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted)\nfrom gamecore.__main__ import main\nsys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gamecore: interrupted\n")
