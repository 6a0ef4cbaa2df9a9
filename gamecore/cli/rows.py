"""``gamecore rows``: solve a row from arguments, stdin, a .npy file, or a shuffled deck."""

import argparse
import json
import math
import warnings
from contextlib import suppress
from typing import Any

from gamecore.text import printable
from gamecore.cli.common import OK, read_text
from gamecore.errors import GamecoreError, ParseError

MAX_PRINTED_TABLE = 200


def register(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "rows",
        help="take values from the ends of a row",
        description="Two players in turn take the leftmost or the rightmost value of a row.",
        epilog="example:  gamecore rows 5 7 9 1 4 2 --opponent greedy --first sister --line --draw",
    )
    parser.add_argument(
        "values", nargs="*", metavar="VALUE", help="the row; or one .npy file; or - (also when there is none) for stdin"
    )
    parser.add_argument(
        "--opponent",
        default="optimal",
        metavar="WHO",
        help="optimal (default), greedy (takes the larger end) or cooperative (alias dumb)",
    )
    parser.add_argument(
        "--first", default="me", metavar="SIDE", help="who takes first: me (default) or opponent (sister)"
    )
    parser.add_argument(
        "--ties", default="right", metavar="END", help="the greedy opponent's end on a tie: right (default) or left"
    )
    parser.add_argument("--deck", type=int, metavar="SEED", help="play on a shuffled deck: 2..14, four of each")
    parser.add_argument("--line", action="store_true", help="also print the whole line of play, one letter a value")
    parser.add_argument("--draw", action="store_true", help="also draw who takes what, and when (at most 512 values)")
    parser.add_argument(
        "--table", action="store_true", help=f"also print the table (at most {MAX_PRINTED_TABLE} values)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve and print."""
    from gamecore import rows

    values = _values(args)
    line = args.line or args.draw
    solution = rows.solve(values, opponent=args.opponent, first=args.first, ties=args.ties, line=line)
    drawing = solution.draw(values) if args.draw else None  # before anything is printed: it refuses long rows
    table = None
    if args.table:
        if len(values) > MAX_PRINTED_TABLE:
            raise GamecoreError(f"--table prints at most {MAX_PRINTED_TABLE} values, not {len(values)}")
        table = rows.table(values, opponent=args.opponent, ties=args.ties).tolist()
    if args.json:
        result: dict[str, object] = {
            "opponent": solution.opponent,
            "first": solution.first,
            "mine": solution.mine,
            "theirs": solution.theirs,
            "difference": solution.difference,
            "best_moves": list(solution.best_moves),
        }
        if args.deck is not None:
            result["values"] = values
        if args.line:
            result["line"] = solution.line
        if table is not None:
            result["table"] = table
        print(json.dumps(result))
        return OK
    if args.deck is not None:
        print("values", *values)
    best = " or ".join(solution.best_moves) or "none"
    print(f"mine {solution.mine}  theirs {solution.theirs}  difference {solution.difference:+}  best {best}")
    if args.line:
        print(f"line {solution.line}")
    if drawing is not None:
        print(drawing)
    if table is not None:
        _print_table(table)
    return OK


def _print_table(table: list[list[Any]]) -> None:
    cells = [[str(cell) if j >= i else "" for j, cell in enumerate(line)] for i, line in enumerate(table)]
    width = max(len(cell) for line in cells for cell in line)
    for line in cells:
        print(" ".join(cell.rjust(width) for cell in line))


def _values(args: argparse.Namespace) -> Any:
    given: list[str] = args.values
    if args.deck is not None:
        if given:
            raise GamecoreError("either values or --deck, not both")
        from gamecore import rows

        return rows.deck(args.deck).tolist()
    if not given or given == ["-"]:
        text = read_text("-")
        return [
            _number(word, k, line)
            for line, words in enumerate(text.splitlines(), 1)
            for k, word in enumerate(words.split(), 1)
        ]
    if len(given) == 1 and given[0].endswith(".npy"):
        return _load(given[0])
    return [_number(word, k) for k, word in enumerate(given, 1)]


def _number(word: str, k: int, line: int | None = None) -> int | float:
    number = math.nan
    if word.isascii() and "_" not in word:  # Python reads other scripts' digits, and 1_000; people's files have none
        with suppress(ValueError):
            return int(word)
        with suppress(ValueError):
            number = float(word)
    if not math.isfinite(number):
        raise ParseError(f"value {k}: {printable(word)} is not a finite number", line)
    return number


def _load(path: str) -> Any:
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
