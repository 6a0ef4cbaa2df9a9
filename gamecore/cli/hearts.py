"""``gamecore hearts``: simulate tables, play a match, sit down yourself; deal, solve and judge rounds."""

import argparse
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from gamecore.cli._positions import Format, one_a_line
from gamecore.cli.common import LIMIT_REACHED, OK, add_limit_options, limits_of, positions_of_argument
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

a ROUND is a notation, RULES:PASSING:DEAL:PASSED:PLAYED:SEED, as `deal` prints it, or a file of them, one a line.
Points are absolute, the fewer the better. Values are of the seat to move, larger is better: minus its points.

examples:
  gamecore hearts simulate --players pimc:100 greedy greedy greedy --rounds 1000 --seed 7 --workers 2
  gamecore hearts match --players duck greedy greedy greedy --seed 7
  gamecore hearts play --seed 7
  gamecore hearts deal --seed 7 --plies 32 --player greedy | gamecore hearts solve --line --analyse
  gamecore hearts deal --seed 7 --passing left --plies 14 | gamecore hearts evaluate --seed 7 --draw
"""


def register(subparsers: Any) -> None:
    """Add ``gamecore hearts`` and its subcommands."""
    parser = subparsers.add_parser(
        "hearts", help="simulate, play and solve hearts", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Hearts: playouts by the million, players from random to perfect information.",
    )  # fmt: skip
    actions = "simulate, match, play, deal, solve, evaluate"
    parser.set_defaults(run=lambda _: parser.error(f"one of {actions} is needed"))
    commands = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
    _register_tables(commands)
    _register_rounds(commands)


def _register_tables(commands: Any) -> None:
    """The subcommands in which four players sit at a table."""
    simulate = _command(commands, "simulate", "many rounds", _simulate)
    simulate.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    simulate.add_argument("--rounds", type=int, default=10_000, metavar="N", help="rounds to play (default 10000)")
    simulate.add_argument("--workers", type=int, default=1, metavar="N", help="threads (default 1)")
    simulate.add_argument(
        "--passing", default="hold", metavar="HOW", help="hold (default), left, right, across, or cycle: all in turn"
    )
    simulate.add_argument("--csv", metavar="FILE", help="write the points, a line a round")
    simulate.add_argument("--plot", metavar="FILE", help="write a picture (png, svg, pdf; needs matplotlib)")
    simulate.add_argument("--json", action="store_true", help="one JSON object instead")

    match = _command(commands, "match", "a match to 100 points", _match)
    match.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    match.add_argument("--json", action="store_true", help="one JSON object instead")

    play = _command(commands, "play", "you against three players, in the terminal", _play)
    play.add_argument(
        "--players", nargs="+", default=["pimc:200"] * 3, metavar="PLAYER",
        help="the three others, from your left (default pimc:200)",
    )  # fmt: skip
    for command in (match, play):
        command.add_argument(
            "--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)"
        )
    deal = _command(commands, "deal", "a round, as notation", _deal)
    deal.add_argument("--passing", default="hold", metavar="HOW", help="hold (default), left, right or across")
    deal.add_argument("--plies", type=int, default=0, metavar="N", help="moves to make, passes included (default 0)")
    deal.add_argument("--player", default="random", metavar="PLAYER", help="who makes them (default random)")
    deal.add_argument("--draw", action="store_true", help="also draw the round")
    deal.add_argument("--json", action="store_true", help="one JSON object instead")
    for command in (simulate, match, play, deal):
        command.add_argument("--seed", type=int, metavar="N", help="the same seed, the same rounds")
        _add_rules(command)


def _register_rounds(commands: Any) -> None:
    """The subcommands that take rounds."""
    solve = _command(commands, "solve", "rounds with all hands open", _solve)
    solve.add_argument(
        "--method", choices=("both", "max_n", "paranoid"), default="both",
        help="max_n: each for itself; paranoid: three against one; default: max_n, and paranoid bounds besides",
    )  # fmt: skip
    solve.add_argument("--line", action="store_true", help="also print best play of all seats")
    solve.add_argument("--analyse", action="store_true", help="also print each card with its value for who plays it")
    evaluate = _command(commands, "evaluate", "the cards of the seat to move, by playouts", _evaluate)
    evaluate.add_argument("--playouts", type=int, default=1000, metavar="N", help="deals to play out (default 1000)")
    evaluate.add_argument("--policy", default="greedy", metavar="NAME", help="who plays them: random, greedy or duck")
    evaluate.add_argument("--infer", type=int, default=0, metavar="N", help="candidate deals for each (default 0)")
    evaluate.add_argument("--seed", type=int, metavar="N", help="the same seed, the same playouts")
    for command, table_mb in ((solve, 64), (evaluate, None)):
        command.add_argument(
            "round", nargs="?", default="-", metavar="ROUND", help="a notation, or a file of them (default: stdin)"
        )
        command.add_argument("--draw", action="store_true", help="also draw the round")
        command.add_argument("--json", action="store_true", help="one JSON object for each round instead")
        add_limit_options(command, table_mb)


def _command(commands: Any, name: str, text: str, run: Any) -> Any:
    formatter = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(name, help=text, epilog=_EPILOG, formatter_class=formatter)
    command.set_defaults(run=run)
    return command


def _add_rules(command: Any) -> None:
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


# --- tables -----------------------------------------------------------------------------------------------------------


def _simulate(args: argparse.Namespace) -> int:
    from gamecore import hearts

    for path in (args.csv, args.plot):
        if path is not None:
            _check_writable(path)
    result = hearts.simulate(
        args.players, args.rounds, args.seed, rules=_rules(args), passing=args.passing, workers=args.workers
    )
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
    print(json.dumps(result.to_dict()) if args.json else result.summary())
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

    result = hearts.match(args.players, args.seed, rules=_rules(args))
    print(json.dumps(result.to_dict()) if args.json else result.summary())
    return OK


def _play(args: argparse.Namespace) -> int:
    from gamecore.cli._hearts_terminal import play
    from gamecore.draw import pen_for

    play(args.players, args.seed, _rules(args), pen_for().card)
    return OK


def _deal(args: argparse.Namespace) -> int:
    from gamecore import hearts

    if args.plies < 0:
        raise GamecoreError(f"--plies has to be at least 0, not {args.plies}")
    round_ = hearts.Round.deal(args.seed, _rules(args), args.passing, None)
    player = hearts.player(args.player)
    for _ in range(args.plies):
        if round_.is_over:
            break
        round_ = round_.play(round_.ask(player))
    print(json.dumps(round_.to_dict()) if args.json else round_.to_text())
    if args.draw and not args.json:
        print(round_.draw())
    return OK


# --- rounds -----------------------------------------------------------------------------------------------------------


def _rounds(argument: str) -> "Iterator[hearts.Round]":
    from gamecore import hearts

    def of_lines(lines: Iterator[str]) -> "Iterator[hearts.Round]":
        count = 0
        for read in Format("hearts", one_a_line, hearts.Round.from_text).positions(enumerate(lines, start=1)):
            if isinstance(read.position, GamecoreError):
                raise read.position
            count += 1
            yield read.position
        if not count:
            raise GamecoreError("no round: the input is empty")

    return positions_of_argument(argument, hearts.Round.from_text, of_lines)


def _solve(args: argparse.Namespace) -> int:
    from gamecore import hearts

    limits, status = limits_of(args), OK
    for round_ in _rounds(args.round):
        solution = hearts.solve(round_, limits, args.method, line=args.line or args.json)
        analysis = hearts.analyse(round_, limits, args.method) if args.analyse else None
        if args.json:
            answer = {"position": round_.to_text(), **solution.to_dict()}
            if analysis is not None:
                answer["moves"] = [entry.to_dict() for entry in analysis]
            text = json.dumps(answer)
        else:
            text = _as_text(solution, None if args.draw else analysis, args.line)
            text += "\n" + round_.draw(analysis or ()) if args.draw else ""
        print(text, flush=True)
        paranoid = solution.paranoid_points
        open_bounds = paranoid is not None and not paranoid.exact
        if not solution.exact or open_bounds or (analysis is not None and not analysis.exact):
            status = LIMIT_REACHED
    return status


def _as_text(solution: "hearts.Solution", analysis: "hearts.Analysis | None", with_line: bool) -> str:
    """Who gets how many points, then what else was asked for."""
    value = str(solution.value) if solution.exact else f"{solution.lower:+d}..{solution.upper:+d}"
    lines = [str(solution), f"value: {value} for seat {solution.to_move} by {solution.method}"]
    if solution.max_n_points is not None:
        lines.append("points of the seats by max_n: " + " ".join(map(str, solution.max_n_points)))
    if solution.paranoid_points is not None and solution.method == "max_n":
        low, high = solution.paranoid_points.lower, solution.paranoid_points.upper
        against = str(low) if low == high else f"{low} to {high}"
        lines.append(f"points of seat {solution.to_move} with the others against it: {against}")
    if with_line:
        lines.append("line: " + (" ".join(solution.line) or "?"))
    if analysis is not None:
        lines += [f"{entry} for seat {analysis.to_move}" for entry in analysis]
    return "\n".join(lines)


def _evaluate(args: argparse.Namespace) -> int:
    from gamecore import hearts
    from gamecore.contract import plain

    limits, status = limits_of(args), OK
    for round_ in _rounds(args.round):
        seat = round_.to_move
        view = round_.view(seat)
        found = hearts.evaluate_moves(
            view, limits, playouts=args.playouts, policy=args.policy, rng=args.seed, infer=args.infer
        )
        if args.json:
            text = json.dumps({"position": round_.to_text(), "seat": seat, "moves": plain(found)})
        elif args.draw:
            text = view.draw(found)
        else:
            text = "\n".join(f"{entry} points for seat {seat}" for entry in found)
        print(text, flush=True)
        if found[0].playouts < args.playouts:
            status = LIMIT_REACHED
    return status
