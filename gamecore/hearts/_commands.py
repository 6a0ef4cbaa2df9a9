"""``gamecore hearts ACTION``: simulate tables, compare players, play a match, train; deal and judge rounds."""

import dataclasses
import json
import os
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from gamecore.contract import plain
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import check_writable, file_errors, write_whole
from gamecore.game import Command
from gamecore.hearts._compare import compare
from gamecore.hearts._engine import engine_of
from gamecore.hearts._evaluate import evaluate_moves
from gamecore.hearts._options import add_rules, rules_of, words_of
from gamecore.hearts._players import Player, player
from gamecore.hearts._position import Round
from gamecore.hearts._protocols import PROTOCOLS
from gamecore.hearts._simulate import Simulation, match, simulate
from gamecore.hearts._train import RECIPE, Stage, train
from gamecore.text import printable

_OK, _LIMIT_REACHED = 0, 3  # exit statuses
_TRAIN: Final = """\
Train weights for the players linear and search: play rounds, estimate every decision by playouts, fit a policy to the
estimates, and repeat with that policy in the playouts (docs/tutorials/hearts-learning.md).
"""
_TRAIN_HELP: Final = """\
The default is the recipe of the package's weights: ten minutes on two cores. The same seed, scale, field and rules give
the same weights, whatever the workers. --seconds chooses the --scale that takes that long here, and prints it to
reproduce the weights; a minute makes useful weights. The file is written atomically at the end: after Ctrl-C or an
error an existing file is unchanged.

examples:
  gamecore hearts train --out my.weights --scale 0.001
  gamecore hearts train --out jack.weights --scale 0.001 --jack-of-diamonds --passing cycle --field duck pimc:2 linear
  gamecore hearts compare linear:weights=jack.weights linear --jack-of-diamonds --passing cycle --rounds 100
"""
_TRIAL: Final = 0.002  # scale of the training that measures this machine
_LEAST, _MOST = 1e-4, 1000.0  # scales


# --- options ----------------------------------------------------------------------------------------------------------


def _add_json(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object instead")


def _add_passing(
    parser: Any, more: str = "right, across, or cycle (round by round)", usual: str | None = "hold"
) -> None:
    default = usual or "hold with --field, else cycle"
    parser.add_argument("--passing", default=usual, metavar="HOW", help=f"hold, left, {more} (default {default})")


def _add_deals(parser: Any) -> None:
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed, the same rounds")
    _add_json(parser)
    add_rules(parser)


def _add_seats(parser: Any) -> None:
    parser.add_argument("--players", nargs="+", required=True, metavar="PLAYER", help="four players, by seat")


def _add_engines(parser: Any) -> None:
    parser.add_argument(
        "--engine-seconds",
        type=float,
        default=10.0,
        metavar="S",
        help="time for each answer of an engine but the first, which has 30 (default 10)",
    )


def _add_many(parser: Any, passing: str | None = "hold") -> None:
    """Add what simulate and compare share."""
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first round (default 0)")
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="threads; processes with an engine (default 1)"
    )
    _add_passing(parser, usual=passing)
    parser.add_argument("--plot", metavar="FILE", help="write a picture (png, svg, pdf; needs matplotlib)")
    _add_engines(parser)
    _add_deals(parser)


def _add_simulate(parser: Any) -> None:
    _add_seats(parser)
    parser.add_argument("--rounds", type=int, default=10_000, metavar="N", help="rounds to play (default 10000)")
    parser.add_argument("--csv", metavar="FILE", help="write the points, a line a round")
    _add_many(parser)


def _add_compare(parser: Any) -> None:
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="the players to compare")
    parser.add_argument(
        "--field", nargs="+", default=[], metavar="PLAYER",
        help="the three others at the table: one player for all, or three from the left (default greedy)",
    )  # fmt: skip
    parser.add_argument(
        "--protocol", choices=PROTOCOLS, default="field", metavar="HOW",
        help="; ".join(f"{name}: {kind.help}" for name, kind in PROTOCOLS.items()) + " (default field)",
    )  # fmt: skip
    parser.add_argument(
        "--rounds", type=int, default=1000, metavar="N",
        help="deals, or matches; each is played in every seating (default 1000; with --until the limit)",
    )  # fmt: skip
    parser.add_argument(
        "--until", type=float, metavar="POINTS",
        help="stop when each interval excludes 0, or half of it is at most this wide; the intervals stay valid",
    )  # fmt: skip
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="P",
        help="confidence of all intervals together (default 0.95)",
    )
    _add_many(parser, None)


def _add_match(parser: Any) -> None:
    _add_seats(parser)
    parser.add_argument("--to", type=int, default=100, metavar="POINTS", help="points that end the match (default 100)")
    _add_engines(parser)
    _add_deals(parser)


def _add_deal(parser: Any) -> None:
    _add_passing(parser, "right or across")
    parser.add_argument("--plies", type=int, default=0, metavar="N", help="moves to play, passes included (default 0)")
    parser.add_argument("--player", default="random", metavar="PLAYER", help="player of these moves (default random)")
    parser.add_argument("--draw", action="store_true", help="also draw the round")
    _add_deals(parser)


def _add_evaluate(parser: Any) -> None:
    parser.add_argument("--playouts", type=int, default=1000, metavar="N", help="number of deals (default 1000)")
    parser.add_argument("--policy", default="greedy", metavar="NAME", help="of all seats: random, greedy, duck, linear")
    parser.add_argument(
        "--infer", type=int, default=0, metavar="N", help="Metropolis steps per deal (default 0: uniform deals)"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed, the same playouts")
    parser.add_argument("--draw", action="store_true", help="also draw the round")
    _add_json(parser)


def _add_train(parser: Any) -> None:
    parser.add_argument("--out", required=True, metavar="FILE", help="output file; play it with linear:weights=FILE")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed, the same weights (default 1)")
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--scale", type=float, default=1.0, metavar="X",
        help="rounds of all stages, as a multiple of the recipe's 64,000 (default 1)",
    )  # fmt: skip
    size.add_argument("--seconds", type=float, metavar="S", help="choose the scale that takes about this long here")
    parser.add_argument(
        "--field", nargs="+", metavar="PLAYER",
        help="players in half of the seats; linear has the weights so far (default duck greedy linear)",
    )  # fmt: skip
    _add_passing(parser)
    parser.add_argument(
        "--workers", type=int, metavar="N",
        help="threads that play (default: one per core; the result is the same)",
    )  # fmt: skip
    parser.add_argument(
        "--plot", metavar="FILE", help="plot points lost per decision, epoch by epoch (png, svg; needs matplotlib)"
    )
    _add_json(parser)
    add_rules(parser)


# --- tables -----------------------------------------------------------------------------------------------------------


def plot_saver(path: str | None) -> Callable[[Any], None]:
    """Return a function that plots a result into a file; check the file now."""
    from gamecore.draw.plots import saver

    return saver(path)


@contextmanager
def _seated(names: list[str], seconds: float) -> Iterator[list[str | Player]]:
    """The players named on the command line; engines are closed afterwards."""
    with ExitStack() as stack:
        found: list[str | Player] = []
        for name in names:
            is_engine = name.startswith("engine:")
            found.append(stack.enter_context(engine_of(name, seconds)) if is_engine else name)
        yield found


def _print(args: Namespace, result: Any, text: str | None = None) -> None:
    print(json.dumps(result.to_dict()) if args.json else text or result, flush=True)


def _simulate(args: Namespace) -> int:
    check_writable(args.csv, (b"round,0:",))
    save_plot = plot_saver(args.plot)
    with _seated(args.players, args.engine_seconds) as players:
        result = simulate(
            players, args.rounds, args.seed, rules=rules_of(args), passing=args.passing, first=args.first,
            workers=args.workers,
        )  # fmt: skip
    _print(args, result)
    if args.csv is not None:
        with file_errors("write", args.csv):
            write_whole(args.csv, _csv_lines(result))
    save_plot(result)
    return _OK


def _csv_lines(result: Simulation) -> Iterator[bytes]:
    names = ",".join(f"{seat}:{name}" for seat, name in enumerate(result.players))
    yield f"round,{names}\n".encode("ascii")
    for number, row in enumerate(result.points.tolist()):
        yield b"%d,%d,%d,%d,%d\n" % (number, *row)


def _compare(args: Namespace) -> int:
    save_plot = plot_saver(args.plot)
    with _seated([*args.players, *args.field], args.engine_seconds) as players:
        compared, field = players[: len(args.players)], players[len(args.players) :]
        result = compare(
            compared, field[0] if len(field) == 1 else field or None, args.rounds, args.seed, protocol=args.protocol,
            rules=rules_of(args), passing=args.passing, first=args.first, until=args.until, confidence=args.confidence,
            workers=args.workers,
        )  # fmt: skip
    _print(args, result)
    save_plot(result)
    return _OK if args.until is None or result.settled else _LIMIT_REACHED


def _match(args: Namespace) -> int:
    with _seated(args.players, args.engine_seconds) as players:
        result = match(players, args.seed, rules=rules_of(args))
    _print(args, result)
    return _OK


# --- rounds -----------------------------------------------------------------------------------------------------------


def _deal(args: Namespace) -> int:
    if args.plies < 0:
        raise GamecoreError(f"--plies must be at least 0, not {args.plies}")
    round_ = Round.deal(args.seed, rules_of(args), args.passing, None)
    who = player(args.player)
    for _ in range(args.plies):
        if round_.is_over:
            break
        round_ = round_.play(round_.ask(who))
    _print(args, round_, round_.to_text() + (f"\n{round_.draw()}" if args.draw else ""))
    return _OK


def _evaluate(args: Namespace) -> int:
    status = _OK
    for round_ in args.positions:
        view = round_.view(round_.to_move)
        found = evaluate_moves(
            view, args.limits, playouts=args.playouts, policy=args.policy, rng=args.seed, infer=args.infer
        )
        if args.json:
            text = json.dumps({"position": round_.to_text(), "seat": view.seat, "moves": plain(found)})
        elif args.draw:
            text = view.draw(found)
        else:
            text = "\n".join(f"{entry} points for seat {view.seat}" for entry in found)
        print(text, flush=True)
        if found[0].playouts < args.playouts:
            status = _LIMIT_REACHED
    return status


# --- training ---------------------------------------------------------------------------------------------------------


def _train(args: Namespace) -> int:
    begun = time.perf_counter()
    check_writable(args.out)
    save_plot = plot_saver(args.plot)
    options: dict[str, Any] = {"rules": rules_of(args), "passing": args.passing, "workers": args.workers}
    scale = args.scale if args.seconds is None else _fitting(args, options)
    log = (lambda _: None) if args.json else _say
    found = train(_stages(scale, args.field), args.seed, **options, log=log)
    weights = dataclasses.replace(found.weights, about={"command": _again(args, scale), **found.weights.about})
    with file_errors("write", args.out):
        weights.save(args.out)
    seconds = time.perf_counter() - begun
    if args.json:
        made = {"out": args.out, "seconds": round(seconds, 3), "scale": scale, "curves": found.curves, **weights.about}
        print(json.dumps(made))
    else:
        print(f"{args.out}: {os.path.getsize(args.out)} bytes, {seconds:.0f} s; play linear:weights={args.out}")
    save_plot(found)
    return _OK


def _stages(scale: float, field: list[str] | None) -> list[Stage]:
    """The recipe with its rounds multiplied by the scale, and with the given field in every stage."""
    if not _LEAST <= scale <= _MOST:
        raise OptionError(f"--scale must be a number from {_LEAST:g} to {_MOST:g}, not {printable(scale)}")
    for name in field or ():
        player(name)
    changes: dict[str, Any] = {} if field is None else {"field": tuple(field)}
    return [dataclasses.replace(stage, rounds=max(1, round(stage.rounds * scale)), **changes) for stage in RECIPE]


def _fitting(args: Namespace, options: dict[str, Any]) -> float:
    """The scale that takes --seconds here, measured by a trial; rounded to three digits for --scale."""
    if not 1 <= args.seconds <= 1e6:
        raise OptionError(f"--seconds must be a number from 1 to 1e6, not {printable(args.seconds)}")
    trial, took = _TRIAL / 4, 0.0
    while took < min(1.0, args.seconds / 8):  # longer trials predict better
        trial *= 4
        begun = time.perf_counter()
        train(_stages(trial, args.field), args.seed, **options, progress=False)
        took = time.perf_counter() - begun
    scale = float(f"{min(_MOST, max(_LEAST, trial * args.seconds / took)):.3g}")
    if not args.json:
        _say(f"--scale {scale:g} takes about {args.seconds:g} s here")
    return scale


def _again(args: Namespace, scale: float) -> str:
    """The command that reproduces the weights."""
    words = ["gamecore hearts train", f"--seed {args.seed}", f"--scale {scale:g}" if scale != 1 else ""]
    words += [f"--field {' '.join(args.field)}" if args.field else ""]
    words += [f"--passing {args.passing}" if args.passing != "hold" else ""]
    return " ".join(filter(None, [*words, *words_of(rules_of(args))]))


def _say(line: str) -> None:
    print(line, flush=True)


COMMANDS: Final = (
    Command("simulate", "many rounds", _add_simulate, _simulate),
    Command("compare", "players on the same deals, by published protocols", _add_compare, _compare),
    Command("match", "a match to 100 points", _add_match, _match),
    Command("train", "weights of learned players", _add_train, _train, _TRAIN, _TRAIN_HELP),
    Command("deal", "a round, as notation", _add_deal, _deal),
    Command("evaluate", "the cards of the seat to move, by playouts", _add_evaluate, _evaluate, reads=True),
)
