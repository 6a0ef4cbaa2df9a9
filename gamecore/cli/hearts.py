"""``gamecore hearts``: simulate tables, play a match; deal, solve and judge rounds."""

import argparse
import json
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from gamecore.cli import _hearts_train
from gamecore.cli._files import check_plot, check_writable, save, save_plot
from gamecore.cli._positions import positions
from gamecore.cli.common import (
    LIMIT_REACHED,
    OK,
    add_limit_options,
    as_json,
    limits_of,
    positions_of_argument,
    unproven,
    value_text,
)
from gamecore.errors import GamecoreError
from gamecore.hearts._options import add_rules, rules_of

if TYPE_CHECKING:
    from gamecore import hearts

_EPILOG = """\
players: random greedy intelligent literal duck linear, and mc pimc solver search with options after colons:
  linear                learned weights, no search; linear:weights=FILE: those of `train`
  search:160            160 deals that explain the play, played out by learned weights: the strongest
  search:5ms            ... as many as 5 ms a decision allow
  pimc:100              100 deals a decision, played out by greedy seats
  pimc:100:duck         ... by duck seats
  pimc:100:infer=8      ... deals chosen by how well they explain what was played
simulate, compare and match also take a program that speaks the line protocol of docs/hearts-engines.md:
  "engine:python my_engine.py"

a ROUND is a notation, RULES:PASSING:DEAL:PASSED:PLAYED:SEED, as `deal` prints it, or a file of them, one a line.
Points are absolute, the fewer the better. Values are of the seat to move, larger is better: minus its points.

examples:
  gamecore hearts simulate --players pimc:100 greedy greedy greedy --rounds 1000 --seed 7 --workers 2
  gamecore hearts compare duck pimc:20 pimc:100 --field greedy --until 0.5 --rounds 2000 --seed 7 --workers 2
  gamecore hearts match --players duck greedy greedy greedy --seed 7
  gamecore hearts train --out my.weights --scale 0.001
  gamecore hearts deal --seed 7 --plies 32 --player greedy | gamecore hearts solve --line --analyse
  gamecore hearts deal --seed 7 --passing left --plies 14 | gamecore hearts evaluate --seed 7 --draw
"""


def register(subparsers: Any) -> None:
    """Add ``gamecore hearts`` and its subcommands."""
    parser = subparsers.add_parser(
        "hearts", help="simulate, compare and solve hearts", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Hearts: playouts by the million, players from random to perfect information.",
    )  # fmt: skip
    actions = "simulate, compare, match, train, deal, solve, evaluate"
    parser.set_defaults(run=lambda _: parser.error(f"one of {actions} is needed"))
    commands = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
    _register_tables(commands)
    _hearts_train.register(commands)
    _register_rounds(commands)


def _register_tables(commands: Any) -> None:
    """The subcommands in which four players sit at a table."""
    simulate = _command(commands, "simulate", "many rounds", _simulate)
    simulate.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    simulate.add_argument("--rounds", type=int, default=10_000, metavar="N", help="rounds to play (default 10000)")
    simulate.add_argument("--csv", metavar="FILE", help="write the points, a line a round")

    compare = _command(commands, "compare", "players on the same deals, in every seat", _compare)
    compare.add_argument("players", nargs="+", metavar="PLAYER", help="who is compared")
    compare.add_argument(
        "--field", nargs="+", default=["greedy"], metavar="PLAYER",
        help="the three others at the table: one player for all, or three from the left (default greedy)",
    )  # fmt: skip
    compare.add_argument(
        "--rounds", type=int, default=1000, metavar="N",
        help="deals; each is played four times by every player (default 1000; with --until at most so many)",
    )  # fmt: skip
    compare.add_argument(
        "--until", type=float, metavar="POINTS",
        help="stop when each difference is told apart from 0, or half its interval is at most this; intervals hold",
    )  # fmt: skip
    compare.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="that all intervals hold at any stop (default 0.95)"
    )
    for command in (simulate, compare):
        command.add_argument("--first", type=int, default=0, metavar="N", help="number of the first round (default 0)")
        command.add_argument(
            "--workers", type=int, default=1, metavar="N", help="threads; processes with an engine (default 1)"
        )
        command.add_argument(
            "--passing", default="hold", metavar="HOW",
            help="hold (default), left, right, across, or cycle: all in turn",
        )  # fmt: skip
        command.add_argument("--plot", metavar="FILE", help="write a picture (png, svg, pdf; needs matplotlib)")
        command.add_argument("--json", action="store_true", help="one JSON object instead")

    match = _command(commands, "match", "a match to 100 points", _match)
    match.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, seat by seat")
    match.add_argument("--json", action="store_true", help="one JSON object instead")

    match.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
    deal = _command(commands, "deal", "a round, as notation", _deal)
    deal.add_argument("--passing", default="hold", metavar="HOW", help="hold (default), left, right or across")
    deal.add_argument("--plies", type=int, default=0, metavar="N", help="moves to make, passes included (default 0)")
    deal.add_argument("--player", default="random", metavar="PLAYER", help="who makes them (default random)")
    deal.add_argument("--draw", action="store_true", help="also draw the round")
    deal.add_argument("--json", action="store_true", help="one JSON object instead")
    for command in (simulate, compare, match):
        command.add_argument(
            "--engine-seconds", type=float, default=10.0, metavar="S",
            help="time for each answer of an engine (default 10)",
        )  # fmt: skip
    for command in (simulate, compare, match, deal):
        command.add_argument("--seed", type=int, metavar="N", help="the same seed, the same rounds")
        add_rules(command)


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
    evaluate.add_argument("--policy", default="greedy", metavar="NAME", help="who plays: random, greedy, duck, linear")
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


# --- tables -----------------------------------------------------------------------------------------------------------


def _simulate(args: argparse.Namespace) -> int:
    from gamecore import hearts

    check_writable(args.csv)
    check_plot(args.plot)
    with _seated(args.players, args.engine_seconds) as players:
        result = hearts.simulate(
            players, args.rounds, args.seed, rules=rules_of(args), passing=args.passing, first=args.first,
            workers=args.workers,
        )  # fmt: skip
    print(json.dumps(result.to_dict()) if args.json else result.summary(), flush=True)
    if args.csv is not None:
        save(args.csv, _csv_lines(result))
    save_plot(args.plot, result)
    return OK


def _compare(args: argparse.Namespace) -> int:
    from gamecore import hearts

    check_plot(args.plot)
    with _seated([*args.players, *args.field], args.engine_seconds) as players:
        compared, field = players[: len(args.players)], players[len(args.players) :]
        result = hearts.compare(
            compared, field[0] if len(field) == 1 else field, args.rounds, args.seed, rules=rules_of(args),
            passing=args.passing, first=args.first, until=args.until, confidence=args.confidence, workers=args.workers,
        )  # fmt: skip
    print(json.dumps(result.to_dict()) if args.json else result, flush=True)
    save_plot(args.plot, result)
    return OK if args.until is None or result.settled else LIMIT_REACHED


@contextmanager
def _seated(names: "list[str]", seconds: float) -> "Iterator[list[str | hearts.Player]]":
    """The players that the command names; engines among them are ended afterwards."""
    from gamecore import hearts

    with ExitStack() as stack:
        found: list[str | hearts.Player] = []
        for name in names:
            kind, _, command = name.partition(":")
            if kind != "engine":
                found.append(name)
                continue
            try:
                words = shlex.split(command)
            except ValueError as error:
                raise GamecoreError(f"player {name!a}: {error}") from None
            found.append(stack.enter_context(hearts.Engine(words, seconds=seconds)))
        yield found


def _csv_lines(result: "hearts.Simulation") -> "Iterator[bytes]":
    names = ",".join(f"{seat}:{name}" for seat, name in enumerate(result.players))
    yield f"round,{names}\n".encode("ascii")
    for number, row in enumerate(result.points.tolist()):
        yield b"%d,%d,%d,%d,%d\n" % (number, *row)


def _match(args: argparse.Namespace) -> int:
    from gamecore import hearts

    with _seated(args.players, args.engine_seconds) as players:
        result = hearts.match(players, args.seed, rules=rules_of(args))
    print(json.dumps(result.to_dict()) if args.json else result.summary())
    return OK


def _deal(args: argparse.Namespace) -> int:
    from gamecore import hearts

    if args.plies < 0:
        raise GamecoreError(f"--plies has to be at least 0, not {args.plies}")
    round_ = hearts.Round.deal(args.seed, rules_of(args), args.passing, None)
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
        for read in positions(hearts.GAME, enumerate(lines, start=1), {}):
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
            text = as_json(round_, solution, analysis)
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
    value = value_text(solution.lower, solution.upper)
    lines = [str(solution), f"value: {value} for seat {solution.to_move} by {solution.method}"]
    if solution.max_n_points is not None:
        lines.append("points of the seats by max_n: " + " ".join(map(str, solution.max_n_points)))
    if solution.paranoid_points is not None and solution.method == "max_n":
        low, high = solution.paranoid_points.lower, solution.paranoid_points.upper
        against = str(low) if low == high else f"{low} to {high}"
        lines.append(f"points of seat {solution.to_move} with the others against it: {against}")
    if with_line:
        lines.append("line: " + (" ".join(solution.line) or unproven(solution)))
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
