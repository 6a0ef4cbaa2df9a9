"""``gamecore hearts``: simulate tables, play a match, or sit down yourself."""

import argparse
import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from gamecore.cli.common import OK
from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from gamecore import hearts

# Flags of gamecore.hearts.Rules with their defaults; written out, so that a parser is built without the kernel.
FLAGS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
    "jack_of_diamonds": False,
    "avoid_all_tricks_bonus": False,
}

_EPILOG = """\
players: random greedy intelligent literal duck, and mc pimc solver with options after colons:
  pimc:100              100 deals a decision, played out by greedy seats
  pimc:100:duck         ... by duck seats
  pimc:100:infer=8      ... deals chosen by how well they explain what was played

examples:
  gamecore hearts simulate --players pimc:100 greedy greedy greedy --rounds 1000 --seed 7 --workers 2
  gamecore hearts match --players duck greedy greedy greedy --seed 7
  gamecore hearts play --seed 7
"""


def register(subparsers: Any) -> None:
    """Add ``gamecore hearts`` and its three subcommands."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser(
        "hearts", help="simulate and play hearts", epilog=_EPILOG, formatter_class=formatter,
        description="Hearts: playouts by the million, players from random to perfect information.",
    )  # fmt: skip
    parser.set_defaults(run=lambda _: parser.error("one of simulate, match, play is needed"))
    commands = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))

    simulate = commands.add_parser("simulate", help="many rounds", epilog=_EPILOG, formatter_class=formatter)
    simulate.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    simulate.add_argument("--rounds", type=int, default=10_000, metavar="N", help="rounds to play (default 10000)")
    simulate.add_argument("--workers", type=int, default=1, metavar="N", help="threads (default 1)")
    simulate.add_argument(
        "--passing", default="hold", metavar="HOW", help="hold (default), left, right, across, or cycle: all in turn"
    )
    simulate.add_argument("--csv", metavar="FILE", help="write the points, a line a round")
    simulate.add_argument("--plot", metavar="FILE", help="write a picture (png, svg, pdf; needs matplotlib)")
    simulate.set_defaults(run=_simulate)

    match = commands.add_parser("match", help="a match to 100 points", epilog=_EPILOG, formatter_class=formatter)
    match.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    match.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
    match.set_defaults(run=_match)

    play = commands.add_parser(
        "play", help="you against three players, in the terminal", epilog=_EPILOG, formatter_class=formatter
    )
    play.add_argument(
        "--players", nargs="+", default=["pimc:200"] * 3, metavar="PLAYER",
        help="the three others, from your left (default pimc:200)",
    )  # fmt: skip
    play.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
    play.set_defaults(run=_play)

    for command in (simulate, match, play):
        command.add_argument("--seed", type=int, metavar="N", help="the same seed, the same rounds")
        rules = command.add_argument_group("rules (as OpenSpiel's flags; --no-... turns one off)")
        for flag, default in FLAGS.items():
            rules.add_argument(
                f"--{flag.replace('_', '-')}", dest=flag, default=default, action=argparse.BooleanOptionalAction,
                help="on by default" if default else "off by default",
            )  # fmt: skip
        rules.add_argument("--moon", choices=("others", "shooter"), default="others", help="who gets 26, or -26")


def _rules(args: argparse.Namespace) -> "hearts.Rules":
    from gamecore import hearts

    flags = {flag: getattr(args, flag) for flag in FLAGS}
    return hearts.Rules(**flags, moon=args.moon, match_points=getattr(args, "to", 100))


def _progress() -> tuple[Callable[[int, int], object] | None, Callable[[], object]]:
    """A progress bar on stderr when it is a terminal (tqdm's where it is installed), and what ends it."""
    if not sys.stderr.isatty():
        return None, lambda: None
    try:
        from tqdm import tqdm
    except ImportError:
        return _plain_bar, lambda: print(file=sys.stderr)
    bar = tqdm(unit=" rounds", leave=False)

    def update(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return update, bar.close


def _plain_bar(done: int, total: int) -> None:
    filled = 40 * done // total if total else 40
    print(f"\r[{'#' * filled:<40}] {done}/{total} rounds", end="", file=sys.stderr, flush=True)


def _simulate(args: argparse.Namespace) -> int:
    from gamecore import hearts

    for path in (args.csv, args.plot):
        if path is not None:
            _check_writable(path)
    update, close = _progress()
    try:
        result = hearts.simulate(
            args.players, args.rounds, args.seed, rules=_rules(args), passing=args.passing, workers=args.workers,
            progress=update,
        )  # fmt: skip
    finally:
        close()
    if args.plot is not None:
        figure = result.plot()
        try:
            # The file that was named and checked: matplotlib would put a suffix to a name without one.
            with open(args.plot, "wb") as file:
                figure.savefig(file, dpi=150, format=PurePath(args.plot).suffix[1:] or "png")
        except (OSError, ValueError) as error:
            raise GamecoreError(f"cannot write {args.plot!a}: {error}") from None
    if args.csv is not None:
        _write_csv(args.csv, result)
    print(result.summary())
    return OK


def _check_writable(path: str) -> None:
    """Fail before the rounds are played, not after."""
    try:
        with open(path, "ab"):
            pass
    except OSError as error:
        raise GamecoreError(f"cannot write {path!a}: {error.strerror}") from None


def _write_csv(path: str, result: "hearts.Simulation") -> None:
    names = ",".join(f"{seat}:{name}" for seat, name in enumerate(result.players))
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(f"round,{names}\n")
            for number, row in enumerate(result.points.tolist()):
                file.write(f"{number},{row[0]},{row[1]},{row[2]},{row[3]}\n")
    except OSError as error:
        raise GamecoreError(f"cannot write {path!a}: {error.strerror}") from None


def _match(args: argparse.Namespace) -> int:
    from gamecore import hearts

    print(hearts.match(args.players, args.seed, rules=_rules(args)).summary())
    return OK


def _play(args: argparse.Namespace) -> int:
    from gamecore.hearts._terminal import play

    play(args.players, args.seed, _rules(args))
    return OK
