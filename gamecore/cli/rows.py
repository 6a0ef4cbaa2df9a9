"""``gamecore rows``: solve a row from arguments, a file, stdin, a position's notation, or a shuffled deck."""

import argparse
import warnings
from typing import TYPE_CHECKING, Any

from gamecore.cli.common import LIMIT_REACHED, OK, add_limit_options, as_json, limits_of, read_text, unproven
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError
from gamecore.text import SEPARATOR

if TYPE_CHECKING:
    from gamecore.rows import Position, Solution

MAX_PRINTED_TABLE = 200

EPILOG = """\
Values are integers, or floats if one of them has a point or an exponent. A position in notation says itself who plays:
OPPONENT:MOVER:MINE:THEIRS:VALUES, as in  gamecore rows greedy:me:0:0:5,7,9

example:  gamecore rows 5 7 9 1 4 2 --opponent greedy --first sister --line --draw
"""


def register(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "rows",
        help="take values from the ends of a row",
        description="Two players in turn take the leftmost or the rightmost value of a row.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "values",
        nargs="*",
        metavar="VALUE",
        help="the row; a position's notation; a file of numbers, text or .npy; or - (also if there is none) for stdin",
    )
    parser.add_argument(
        "--opponent", metavar="WHO", help="optimal (default), greedy (takes the larger end) or cooperative (alias dumb)"
    )
    parser.add_argument("--first", metavar="SIDE", help="who takes first: me (default) or opponent (sister)")
    parser.add_argument("--ties", metavar="END", help="the greedy opponent's end on a tie: right (default) or left")
    parser.add_argument("--deck", type=int, metavar="SEED", help="play on a shuffled deck: 2..14, four of each")
    parser.add_argument("--line", action="store_true", help="also print the whole line of play, one letter a value")
    parser.add_argument("--analyse", action="store_true", help="also print each move with its value, best first")
    parser.add_argument("--draw", action="store_true", help="also draw who takes what, and when (at most 512 values)")
    parser.add_argument(
        "--table", action="store_true", help=f"also print the table (at most {MAX_PRINTED_TABLE} values)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_limit_options(parser, None)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve and print; nothing is printed before everything is known."""
    from gamecore import rows

    limits = limits_of(args)
    position = _position(args)
    solution = rows.solve(position, limits, line=args.line or args.draw or args.json)
    analysis = rows.analyse(position, limits) if args.analyse else None
    drawing = position.draw(line=solution.line) if args.draw else None
    table = _table(position) if args.table else None
    if args.json:
        print(as_json(position, solution, analysis, **({} if table is None else {"table": table})))
    else:
        if args.deck is not None:
            print("values", *position.values)
        print(as_text(solution))
        if args.line:
            print(f"line {solution.line or '-' if solution.exact else unproven(solution)}")
        for entry in analysis or ():
            print(f"{entry} for {_whose(solution)}")
        if drawing is not None:
            print(drawing)
        if table is not None:
            _print_table(table)
    return OK if solution.exact and (analysis is None or analysis.exact) else LIMIT_REACHED


def as_text(solution: "Solution") -> str:
    """One line: both totals, the value and whose it is, the best moves."""
    best = " or ".join(solution.best_moves) or "none"
    value = f"value {Bounds.__str__(solution)} for {_whose(solution)}"
    return f"mine {solution.mine}  theirs {solution.theirs}  {value}  best {best}" if solution.exact else value


def _whose(solution: "Solution") -> str:
    return "me" if solution.to_move == "me" else "the opponent"


def _table(position: "Position") -> list[list[Any]]:
    from gamecore import rows

    if len(position.values) > MAX_PRINTED_TABLE:
        raise GamecoreError(f"--table prints at most {MAX_PRINTED_TABLE} values, not {len(position.values)}")
    opponent: Any = position.opponent
    found: list[list[Any]] = rows.table(position.values, opponent=opponent, ties=position.ties).tolist()
    return found


def _print_table(table: list[list[Any]]) -> None:
    cells = [[str(cell) if j >= i else "" for j, cell in enumerate(line)] for i, line in enumerate(table)]
    width = max(len(cell) for line in cells for cell in line)
    for line in cells:
        print(" ".join(cell.rjust(width) for cell in line))


def _position(args: argparse.Namespace) -> "Position":
    """The position that the arguments ask for.

    Raises:
        GamecoreError: bad options, a file that cannot be read, values that are no row. ParseError: a bad text.
    """
    from gamecore import rows
    from gamecore.rows._text import read_row

    given: list[str] = args.values
    options = {"opponent": args.opponent, "to_move": args.first, "ties": args.ties}
    chosen: dict[str, Any] = {name: option for name, option in options.items() if option is not None}
    if args.deck is not None:
        if given:
            raise GamecoreError("either values or --deck, not both")
        return rows.Position(rows.deck(args.deck), **chosen)
    if len(given) == 1 and given[0].endswith(".npy"):
        return _started(load(given[0]), chosen)
    if not given or given == ["-"] or (len(given) == 1 and not _is_value(given[0])):
        lines = [line for line in read_text(given[0] if given else "-").splitlines() if line.strip()]
    else:
        lines = [" ".join(given)]
    if len(lines) == 1 and SEPARATOR in lines[0]:
        if chosen:
            raise GamecoreError("--opponent, --first and --ties are for bare values: a notation has them in it")
        return rows.Position.from_text(lines[0])
    return _started(read_row(lines, numbered=len(lines) > 1), chosen)


def _is_value(word: str) -> bool:
    """Whether a lone argument is a number or a notation, and not the name of a file."""
    return SEPARATOR in word or word.lstrip("+-").replace(".", "", 1)[:1].isdigit()


def _started(values: Any, options: dict[str, Any]) -> "Position":
    from gamecore import rows
    from gamecore.rows._input import numbers

    return rows.Position(numbers(values), **options)  # a row that is empty is not played


def load(path: str) -> Any:
    """The array of a .npy file.

    Raises:
        GamecoreError: it cannot be read, or is not one.
    """
    import numpy as np

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that Python 2 wrote: our messages are one line
            array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise GamecoreError(f"cannot read {path!a}: {error.strerror or 'not a .npy file'}") from None
    except MemoryError:
        raise GamecoreError(f"cannot read {path!a}: it says that it is larger than the memory there is") from None
    except Exception:  # a damaged header is parsed as Python, a zip as a zip: many kinds of error say the same
        raise GamecoreError(f"cannot read {path!a}: not a .npy file of numbers") from None
    if not isinstance(array, np.ndarray):
        raise GamecoreError(f"cannot read {path!a}: not a .npy file of numbers")
    return array
