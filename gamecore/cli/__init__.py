"""The ``gamecore`` command: ``_solve`` for every game, and a file for each tool, with ``register(subparsers)``.

Exit status: 0 solved, 1 a judged program or an expected output is wrong, 2 bad input or output that cannot be written
(one line on stderr), 3 a limit was reached and bounds were printed, 130 interrupted, 141 the reader of the output has
gone.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from traceback import extract_tb
from typing import Final

from gamecore._version import __version__
from gamecore.cli import _solve
from gamecore.cli.common import BAD_INPUT, CUT_OFF, INTERRUPTED, OK, OneLineParser, check_outputs, complain, drop
from gamecore.errors import GamecoreError, NotBuiltError, OptionError
from gamecore.game import Game, check_name, load, names, register
from gamecore.game import game as game_of
from gamecore.kernels import build_info
from gamecore.text import explain, outside

_OPTIONS: Final = {"seconds": "time_limit", "nodes": "node_limit", "rng": "seed", "match_points": "to"}
_SHORTEST: Final = 3  # letters of an option that may be cut short
_LATE: Final = "--game FILE must come before all other words"
COMMANDS = ("explore", "judge", "kit", "play", "prove", "solve_file")


def game_in(path: str) -> Game:
    """Return the game of a Python file, which is then registered, or of a .pyx file of :mod:`gamecore.apps.kit`."""
    if path.endswith(".pyx"):
        from gamecore.apps import kit

        return kit.load(path)
    return load(path)


def _add_game(path: str) -> None:
    """Register the game of a file; a name that it cannot have is refused before a .pyx file is compiled."""
    if path.endswith(".pyx"):
        from gamecore.apps import kit

        check_name(name := kit.name_of(path))
    else:
        name = load(path).name
    if name in COMMANDS:
        raise GamecoreError(f"a game cannot be named {name}: the command has a tool of this name")
    if path.endswith(".pyx"):
        register(game_in(path))


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the command.

    Args:
        words: the command line. Where it begins with a subcommand, the parser knows this one alone: importing the
            kernels of all games takes longer than most answers.
    """
    parser = OneLineParser(
        prog="gamecore",
        description="Exact solvers and playout engines for small card and board games.",
        epilog=r"example:  printf '3\nDQ H2 HA\nH3 D6 S3\n' | gamecore duel --line",
    )
    parser.add_argument("--version", action="version", version=f"gamecore {__version__}")
    parser.add_argument("--build-info", action="store_true", help="compiler, CPU level and versions, for bug reports")
    parser.add_argument(
        "--game", metavar="FILE", dest="game_file", help="first: use the game of this .py or .pyx file, too; repeatable"
    )
    subparsers = parser.add_subparsers(
        dest="command", title="games, then tools", metavar="COMMAND", parser_class=OneLineParser
    )
    first = words[0].replace("-", "_") if words and not words[0].startswith("-") else ""
    commands = (*names(), *COMMANDS)
    is_known = first in commands
    try:
        for name in [first] if is_known else () if words[:1] == ["--version"] else commands:
            if name in COMMANDS:
                import_module(f"gamecore.apps.{name}._command").add_parser(subparsers, words)
            else:
                _solve.add(subparsers, game_of(name))
    except NotBuiltError as error:
        if is_known:
            raise
        parser.epilog = f"{error}\n"  # in a checkout that was never built, --help and --version work all the same
    return parser


def main(argv: Sequence[str] | None = None, ready: Callable[[], object] = lambda: None) -> int:
    """Run the command with ``argv`` (default: the process's own) and return its exit status.

    ``ready`` is called when the command line is read and the work begins: Ctrl-C raises KeyboardInterrupt from there.
    """
    if sys.stdout is None:  # closed before we began: answers would go nowhere
        complain("gamecore: cannot write the output: stdout is closed")
        return BAD_INPUT
    files, words = files_and_rest(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _run(files, words, ready)
        except Exception as error:
            place = outside(error)
            folder, name = os.path.split((place or extract_tb(error.__traceback__)[-1]).filename)
            # A compiled file knows no more of itself than its name; what rules return may not suit kit.
            is_theirs = name in map(os.path.basename, files) if place else files and os.path.basename(folder) == "kit"
            if isinstance(error, GamecoreError) or not is_theirs:
                raise
            raise GamecoreError(f"the rules raise {explain(error)}") from error
        finally:
            sys.stdout.flush()  # what was answered stands, whatever follows
    except GamecoreError as error:
        complain(f"gamecore: {as_typed(error, words) if isinstance(error, OptionError) else error}")
        return BAD_INPUT
    except MemoryError:
        complain("gamecore: not enough memory; where there is --table-mb, try a smaller one")
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("gamecore: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`gamecore ... | head`): end quietly.
        drop(sys.stdout)
        return CUT_OFF
    except OSError as error:  # input's became GamecoreErrors where it was read: this is the output's
        drop(sys.stdout)
        complain(f"gamecore: cannot write the output: {error.strerror or error}")
        return BAD_INPUT


def as_typed(error: OptionError, words: Sequence[str]) -> str:
    """Return an error about an argument, such as ``seconds``, with the option that was typed."""
    name, message = (error.name or "").removeprefix("rule "), str(error)
    option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
    typed = any(len(word) > _SHORTEST and option.startswith(word.partition("=")[0]) for word in words)
    return message.removeprefix("rule ").replace(name, option, 1) if typed and name.isidentifier() else message


def files_and_rest(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a command line into the files of ``--game FILE`` at its beginning and the words after these."""
    files, rest = list[str](), list(words)
    while rest:
        option, equals, file = rest[0].partition("=")
        if option != "--game" or not (equals or len(rest) > 1):
            break
        files.append(file if equals else rest[1])
        rest = rest[1 if equals else 2 :]
    return files, rest


def _run(files: Sequence[str], words: list[str], ready: Callable[[], object]) -> int:
    for file in dict.fromkeys(files):
        _add_game(file)
    cut = words.index("--") if "judge" in words and "--" in words else len(words)
    if cut_off := next((word for word in words[:cut] if word.endswith("=--")), None):  # argparse loses such a value
        raise GamecoreError(f"{cut_off.removesuffix('=--')}: -- is no value")
    if re.search(r"(^| )--game[ =]\S+\.pyx?( |$)", " ".join(words[:cut])):
        raise GamecoreError(_LATE)
    parser = build_parser(words or ["--help"])
    args, loose = parser.parse_known_args(words[:cut], argparse.Namespace(program=words[cut + 1 :]))
    if loose:
        hint = "; write -- before a program" if args.command == "judge" else ""
        parser.error(f"unrecognized arguments: {' '.join(loose)}{hint}")
    if args.game_file is not None:
        raise GamecoreError(_LATE)
    check_outputs(args)
    if args.build_info:
        print(build_info())
        return OK
    if args.command is None:
        parser.print_help()
        return OK
    ready()
    status: int = args.run(args)
    return status
