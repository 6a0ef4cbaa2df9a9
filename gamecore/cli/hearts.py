"""``gamecore hearts ACTION``: simulate tables, compare players, play a match; deal and evaluate rounds."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

import csv
import io
import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from inspect import signature
from typing import Any, Final

from gamecore import hearts
from gamecore.cli._sources import sources
from gamecore.cli.common import LIMIT_REACHED, OK, add_limit_options, add_positions, limits_of, output_file
from gamecore.cli.games import GameCommand
from gamecore.contract import Bounds, Result, plain
from gamecore.draw.plots import saver
from gamecore.errors import GamecoreError
from gamecore.files import check_writable, file_errors, write_whole
from gamecore.game import Json
from gamecore.game._registry import module_of
from gamecore.hearts._players import POLICIES, any_player
from gamecore.hearts._rules import FLAGS, MOONS
from gamecore.hearts._solve import METHODS, Solution
from gamecore.text import checked_integer, explain, printable

#: Help texts of the flags.
_MEANINGS: Final = dict(re.findall(r"^ +(\w+): (.+)\.$", hearts.Rules.__doc__ or "", re.MULTILINE))
_USUAL: Final = hearts.Rules()
_NOTATION: Final = "RULES:PASSING:DEAL:PASSED:PLAYED:SEED"

# --- options ----------------------------------------------------------------------------------------------------------

_N: Final[Json] = {"type": int, "metavar": "N"}
_PLAYER: Final[Json] = {"metavar": "PLAYER"}
_FLAG: Final[Json] = {"action": "store_true"}
_OUTPUT: Final[Json] = {"type": output_file, "metavar": "FILE"}
_FIELD: Final = "the three others at the table: one player for all, or three from the left (default greedy)"
_TO: Final[Json] = {"type": int, "default": 100, "metavar": "POINTS", "dest": "match_points"}
_OPTIONS: Final[dict[str, Json]] = {
    "players": _PLAYER | {"nargs": "+", "help": "the players to compare"},
    "--players": _PLAYER | {"nargs": "+", "required": True, "help": "four players, by seat"},
    "--field": _PLAYER | {"nargs": "+", "default": ["greedy"], "help": _FIELD},
    "--rounds": _N | {"help": "rounds, or deals: each is played by each player in each seat (default %(default)s)"},
    "--first": _N | {"default": 0, "help": "number of the first round (default 0)"},
    "--workers": _N | {"default": 1, "help": "threads (default 1)"},
    "--passing": {"default": "hold", "metavar": "HOW", "help": "hold (default), left, across, right; cycle for many"},
    "--plot": _OUTPUT | {"help": "write a picture (png, svg, pdf; needs matplotlib), also over an older one"},
    "--csv": _OUTPUT | {"help": "write the points, a line a round, also over an older such file"},
    "--record": _OUTPUT | {"help": "write every deal and card to a new file .npz, for hearts.Record.load"},
    "--to": _TO | {"help": "points that end the match (default 100)"},
    "--plies": _N | {"default": 0, "help": "moves to play, passes included (default 0)"},
    "--player": _PLAYER | {"default": "random", "help": "player of these moves (default random)"},
    "--playouts": _N | {"default": 1000, "help": "number of deals (default 1000)"},
    "--policy": {"default": "greedy", "metavar": "NAME", "help": f"of all seats: {', '.join(POLICIES)}"},
    "--infer": _N | {"default": 0, "help": "Metropolis steps per deal (default 0: uniform deals)"},
    "--seed": _N | {"help": "the same seed, the same rounds or playouts"},
    "--draw": _FLAG | {"help": "also draw the round"},
    "--json": _FLAG | {"help": "one JSON object instead"},
}


def _action(
    name: str, title: str, run: Callable[[Namespace], int], options: str, play: Any = None, **defaults: int
) -> tuple[str, str, Callable[[ArgumentParser], None]]:
    """Return a subcommand with these options, ``--seed``, ``--json``, and rules of new rounds."""

    def add(parser: ArgumentParser) -> None:
        if run is _evaluate:
            add_positions(parser, _NOTATION)
            add_limit_options(parser, None)
        for option in (*options.split(), "--seed", "--json"):
            parser.add_argument(option, **_OPTIONS[option])
        parser.set_defaults(run=run, play=play, **defaults)
        if run is not _evaluate:
            _add_rules(parser)

    return name, title, add


def _add_rules(parser: ArgumentParser) -> None:
    """Add an option for each rule that is not the usual one; ``--passing`` says whether cards are passed."""
    rules = parser.add_argument_group("rules")
    for flag in FLAGS:
        is_usual = getattr(_USUAL, flag)
        option = f"--{'no-' * is_usual}{flag.replace('_', '-')}".replace("no-no-", "")
        if flag != "pass_cards" or parser.get_default("passing") is None:
            text = f"{'not: ' * is_usual}{_MEANINGS.get(flag, '')}"
            rules.add_argument(option, dest=flag, action=f"store_{not is_usual}".lower(), help=text)
    rules.add_argument(
        "--moon", choices=MOONS, default=_USUAL.moon,
        help="a seat that takes all 26 points gets 0 and the others 26 (others, the default), -26 and they 0 "
        "(shooter), or 26 (none)",
    )  # fmt: skip


def _rules_of(args: Namespace) -> hearts.Rules:
    return hearts.Rules(**{name: getattr(args, name) for name in (*FLAGS, "moon", "match_points") if name in args})


# --- many rounds ------------------------------------------------------------------------------------------------------


def _players(names: list[str]) -> list[str | hearts.Player]:
    """Players by name, or of a user's classes, ``me.py:Under``; a class named twice is one player."""
    own: dict[str, hearts.Player] = {}
    for name in names:
        path, _, kind = name.rpartition(":")
        if not path.endswith(".py") or name in own:
            continue
        player_class = getattr(module_of(path), kind, None)
        if not isinstance(player_class, type) or not issubclass(player_class, hearts.Player):
            raise GamecoreError(f"{printable(path, 80)} has no hearts.Player class {printable(kind)}")
        try:
            own[name] = player_class()
        except Exception as error:
            raise GamecoreError(f"cannot make a player of {printable(name, 80)}: {explain(error)}") from error
    return [own.get(name, name) for name in names]


def _print(args: Namespace, result: Result, text: str | None = None) -> None:
    print(json.dumps(result.to_dict()) if args.json else text or result, flush=True)


def _play(args: Namespace) -> int:
    """Play rounds; print the result, and write it to the files of ``--csv``, ``--record`` and ``--plot``."""
    table, path, plot = (vars(args).get(name) for name in ("csv", "record", "plot"))
    check_writable(table, (b"round,0:", b'round,"0:'))
    if path is not None and not path.endswith(".npz"):
        raise GamecoreError(f"--record must be a file .npz, not {printable(path, 80)}")
    check_writable(path)
    save_plot = saver(plot)
    play = hearts.record if path is not None else args.play
    everybody = _players([*args.players, *vars(args).get("field", ())])
    others = everybody[len(args.players) :]
    named = {"rng": args.seed, "rules": _rules_of(args), "players": everybody[: len(args.players)]}
    named |= {"field": others[0] if len(others) == 1 else others}
    result = play(**{name: value for name, value in (vars(args) | named).items() if name in signature(play).parameters})
    _print(args, result)
    if table is not None:
        with file_errors("write", table):
            write_whole(table, [_csv(result)])
    if path is not None:
        result.save(path)
    save_plot(result)
    return OK


def _csv(result: hearts.Simulation) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["round", *(f"{seat}:{name}" for seat, name in enumerate(result.players))])
    writer.writerows([index, *points] for index, points in enumerate(result.points.tolist(), result.first))
    return text.getvalue().encode()


# --- rounds -----------------------------------------------------------------------------------------------------------


def _deal(args: Namespace) -> int:
    checked_integer(args.plies, "plies", 0, 52 if args.passing == "hold" else 56)
    round_ = hearts.Round.deal(args.seed, _rules_of(args), args.passing, None)
    who = any_player(_players([args.player])[0])
    for _ in range(args.plies):
        if round_.is_over:
            break
        round_ = round_.play(round_.ask(who))
    _print(args, round_, round_.to_text() + (f"\n{round_.draw()}" if args.draw else ""))
    return OK


def _evaluate(args: Namespace) -> int:
    status, limits = OK, limits_of(args)
    for round_ in (round_ for _, rounds, _ in sources(HeartsCommand(hearts.GAME), args) for round_ in rounds):
        view = round_.view(round_.to_move)
        estimates = hearts.evaluate_moves(
            view, limits, playouts=args.playouts, policy=args.policy, rng=args.seed, infer=args.infer
        )
        if args.json:
            text = json.dumps({"position": round_.to_text(), "seat": view.seat, "moves": plain(estimates)})
        elif args.draw:
            text = view.picture(estimates).text()
        else:
            text = "\n".join(f"{estimate} points for seat {view.seat}" for estimate in estimates)
        print(text, flush=True)
        if estimates[0].playouts < args.playouts:
            status = LIMIT_REACHED
    return status


_MANY: Final = "--rounds --first --workers --passing --plot"  # options of simulate and compare


class HeartsCommand(GameCommand[hearts.Round, Solution]):
    """``gamecore hearts``."""

    accepts = (f"the notation {_NOTATION}",)
    help = """\
players, some with options after colons:
  random                any legal card
  greedy                a decision tree of simple rules
  duck                  a better one, which stays below the trick
  intelligent           the source's: a playout per legal card
  literal               the source's pseudo-code as printed
  linear                learned weights, no search
  search:160            160 inferred deals per decision, played out by learned
                        weights: the strongest
  search:5ms            ... 5 ms per decision
  pimc:100              100 deals per decision, played out by greedy seats
  mc:100                ... by random seats
  pimc:100:duck         ... by duck seats
  pimc:100:infer=8      ... deals drawn by the likelihood of the play so far
  solver:100            as pimc; near the end it solves the deals exactly
  ismcts:1000           information-set tree search, 1000 iterations with
                        playouts by duck
  me.py:Under           a class of yours, derived from gamecore.hearts.Player

A round is given as RULES:PASSING:DEAL:PASSED:PLAYED:SEED, as `deal` prints it,
or as a file with one per line. Fewer points are better. A value is minus the
points of the seat to move: larger is better.

examples:
  gamecore hearts simulate --players pimc:100 greedy greedy greedy \\
      --rounds 1000 --seed 7 --workers 2
  gamecore hearts compare duck pimc:20 pimc:100 --field greedy \\
      --rounds 200 --seed 7 --workers 2
  gamecore hearts match --players duck greedy greedy greedy --seed 7
  gamecore hearts deal --seed 7 --plies 32 --player greedy |
      gamecore hearts solve --line --analyse
  gamecore hearts deal --seed 7 --passing left --plies 14 |
      gamecore hearts evaluate --seed 7 --draw"""
    subcommands = (
        _action("simulate", "many rounds", _play, f"--players --csv --record {_MANY}", hearts.simulate, rounds=10_000),
        _action("compare", "players on the same deals", _play, f"players --field {_MANY}", hearts.compare, rounds=1000),
        _action("match", "a match to 100 points", _play, "--players --to", hearts.match),
        _action("deal", "a round, as notation", _deal, "--passing --plies --player --draw"),
        _action(
            "evaluate", "the cards of the seat to move, by playouts", _evaluate, "--playouts --policy --infer --draw"
        ),
    )
    table_mb = 64

    def add_arguments(self, parser: ArgumentParser) -> None:
        text = "max_n: each for itself; paranoid: three against one; both (default): max_n with paranoid bounds"
        parser.add_argument("--method", choices=METHODS, default="both", help=text)

    def is_complete(self, solution: Solution, line: bool) -> bool:
        """Return True if all values are exact, whatever the line."""
        return solution.exact and (solution.paranoid_points is None or solution.paranoid_points.exact)

    def answer(self, position: hearts.Round, solution: Solution) -> str:
        seat = self.game.words.name(solution.to_move)
        value = solution.lower if solution.exact else Bounds(solution.lower, solution.upper)
        lines = [str(solution), f"value: {value} for {seat} by {solution.method}"]
        if solution.max_n_points is not None:
            lines.append("points of the seats by max_n: " + " ".join(map(str, solution.max_n_points)))
        paranoid = solution.paranoid_points
        if paranoid is not None and solution.method == "max_n":
            against = paranoid.lower if paranoid.exact else f"{paranoid.lower} to {paranoid.upper}"
            lines.append(f"points of {seat} with the others against it: {against}")
        return "\n".join(lines)


PART = HeartsCommand
