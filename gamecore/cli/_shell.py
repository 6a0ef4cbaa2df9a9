"""Completion for shells, and the man page: both are made from the parsers, by optional packages."""

import argparse
from collections.abc import Iterator
from typing import Final

from gamecore._version import __version__
from gamecore.errors import GamecoreError
from gamecore.game import games

SHELLS: Final = ("bash", "zsh", "tcsh")
_FILES: Final = ("FILE", "POSITION", "ANSWERS", "STORE", "CERTIFICATE")  # arguments that may be files


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return a shell's completion script.

    Args:
        parser: of the command. shell: one of ``SHELLS``.

    Raises:
        GamecoreError: shtab is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise GamecoreError("--completion needs shtab: pip install 'gamecore[shell]'") from None
    for action in _arguments(parser):
        if action.metavar == "GAME" and action.choices is None:
            action.choices = tuple(games())
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def man_page(parser: argparse.ArgumentParser) -> str:
    """Return the man page in troff.

    Args:
        parser: of the command.

    Raises:
        GamecoreError: argparse-manpage is not installed.
    """
    try:
        from argparse_manpage.manpage import Manpage
    except ImportError:
        raise GamecoreError("--man needs argparse-manpage: pip install 'gamecore[shell]'") from None
    about = {
        "description": parser.description,
        "project_name": parser.prog,
        "version": __version__,
        "manual_title": "gamecore manual",
    }
    return str(Manpage(parser, about, format="single-commands-section"))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of a parser and of its subparsers."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _arguments(child)
