"""``gamecore hearts train``: weights for the learned players, for rules and a field of your own."""

import argparse
import dataclasses
import json
import os
import time
from typing import TYPE_CHECKING, Any, Final

from gamecore.cli._files import check_plot, check_writable, save_plot
from gamecore.cli.common import OK
from gamecore.errors import OptionError
from gamecore.files import file_errors
from gamecore.hearts._options import add_rules, rules_of, words_of
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore import hearts

DESCRIPTION: Final = """\
Train weights for the players linear and search, from nothing: rounds are played, playouts judge every decision, and a
policy learns from that; then again, judged by what was learned (docs/tutorials/hearts-learning.md).
"""
EPILOG: Final = """\
Without --scale or --seconds it is the recipe of the package's weights: ten minutes on two cores. The same seed, scale,
field and rules give the same weights, whatever the workers. --seconds trains as much as fits this machine, and prints
the --scale with which the same weights can be made again; a minute makes weights that are worth playing with. The file
is written at the end, at once: until then, and after Ctrl-C or an error, what stood there stands.

examples:
  gamecore hearts train --out my.weights --scale 0.001
  gamecore hearts train --out jack.weights --scale 0.001 --jack-of-diamonds --passing cycle --field duck pimc:2 linear
  gamecore hearts compare linear:weights=jack.weights linear --jack-of-diamonds --passing cycle --rounds 100
"""

_TRIAL: Final = 0.002  # scale of the training that says how fast this machine is
_LEAST, _MOST = 1e-4, 1000.0  # scales


def register(commands: Any) -> None:
    """Add ``train`` to the subcommands of ``gamecore hearts``."""
    train = commands.add_parser(
        "train", help="weights of learned players", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    train.set_defaults(run=run)
    train.add_argument("--out", required=True, metavar="FILE", help="where the weights go: linear:weights=FILE")
    train.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed, the same weights (default 1)")
    size = train.add_mutually_exclusive_group()
    size.add_argument(
        "--scale", type=float, default=1.0, metavar="X",
        help="rounds of all stages, as a multiple of the recipe's 64,000 (default 1)",
    )  # fmt: skip
    size.add_argument("--seconds", type=float, metavar="S", help="the scale that takes about so long here")
    train.add_argument(
        "--field", nargs="+", metavar="PLAYER",
        help="who sits in half of the seats; linear has the weights so far (default duck greedy linear)",
    )  # fmt: skip
    train.add_argument(
        "--passing", default="hold", metavar="HOW", help="hold (default), left, right, across, or cycle: all in turn"
    )
    train.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="threads that play (default: one for each core; the result is the same)",
    )
    train.add_argument("--plot", metavar="FILE", help="draw what was lost, epoch by epoch (png, svg; needs matplotlib)")
    train.add_argument("--json", action="store_true", help="one JSON object at the end instead of lines")
    add_rules(train)


def run(args: argparse.Namespace) -> int:
    """Train, and write the weights when all is done."""
    from gamecore import hearts

    begun = time.perf_counter()
    check_writable(args.out)
    check_plot(args.plot)
    rules = rules_of(args)
    options: dict[str, Any] = {"rules": rules, "passing": args.passing, "workers": args.workers}
    scale = args.scale if args.seconds is None else _fitting(args, options)
    log = _quiet if args.json else _say
    found = hearts.train(stages_of(scale, args.field), args.seed, **options, log=log)
    weights = dataclasses.replace(found.weights, about={"command": _command(args, scale), **found.weights.about})
    with file_errors("write", args.out):
        weights.save(args.out)
    seconds = time.perf_counter() - begun
    if args.json:
        made = {"out": args.out, "seconds": round(seconds, 3), "scale": scale, "curves": found.curves, **weights.about}
        print(json.dumps(made))
    else:
        print(f"{args.out}: {os.path.getsize(args.out)} bytes, {seconds:.0f} s; play linear:weights={args.out}")
    save_plot(args.plot, found)
    return OK


def stages_of(scale: float, field: "list[str] | None") -> "list[hearts.Stage]":
    """The recipe with so many times its rounds, and with the field asked for in every stage.

    Raises:
        OptionError: a scale out of its range; an unknown player.
    """
    from gamecore import hearts

    if not _LEAST <= scale <= _MOST:
        raise OptionError(f"--scale has to be a number from {_LEAST:g} to {_MOST:g}, not {printable(scale)}")
    changes: dict[str, Any] = {} if field is None else {"field": tuple(field)}
    for name in field or ():
        hearts.player(name)
    return [
        dataclasses.replace(stage, rounds=max(1, round(stage.rounds * scale)), **changes) for stage in hearts.RECIPE
    ]


def _fitting(args: argparse.Namespace, options: "dict[str, Any]") -> float:
    """The scale that takes --seconds here, by a trial; three digits, so that it can be given again."""
    from gamecore import hearts

    if not 1 <= args.seconds <= 1e6:
        raise OptionError(f"--seconds has to be a number from 1 to 1e6, not {printable(args.seconds)}")
    trial, took = _TRIAL / 4, 0.0
    while took < min(1.0, args.seconds / 8):  # the larger, the better it tells
        trial *= 4
        begun = time.perf_counter()
        hearts.train(stages_of(trial, args.field), args.seed, **options, progress=False)
        took = time.perf_counter() - begun
    scale = float(f"{min(_MOST, max(_LEAST, trial * args.seconds / took)):.3g}")
    if not args.json:
        _say(f"--scale {scale:g} is what fits {args.seconds:g} s here")
    return scale


def _command(args: argparse.Namespace, scale: float) -> str:
    """The command that makes the same weights."""
    words = ["gamecore hearts train", f"--seed {args.seed}", f"--scale {scale:g}" if scale != 1 else ""]
    words += [f"--field {' '.join(args.field)}" if args.field else ""]
    words += [f"--passing {args.passing}" if args.passing != "hold" else ""]
    return " ".join(filter(None, [*words, *words_of(args)]))


def _say(line: str) -> None:
    print(line, flush=True)


def _quiet(line: str) -> None:
    """Nothing: JSON is asked for."""
