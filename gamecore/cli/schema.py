"""``gamecore schema``: the JSON Schema of everything that gamecore writes as JSON."""

import argparse
import json
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

from gamecore._version import __version__
from gamecore.cli.common import OK
from gamecore.errors import OptionError
from gamecore.game import BUILT_IN as GAMES
from gamecore.schema import COUNT, TEXT, Schema, nullable, record
from gamecore.text import printable

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SOLVE_FILE: Final = "solve-file"
ROOMS: Final = (*GAMES, "explore", "prove")  # packages with a _schema

EPILOG = """\
NAME is a game (all of its schemas), solve-file (a line of its output), explore (answers and events of its server),
prove (lines of a run, its status, its check),
or one schema such as duel.solution:
GAME.position, GAME.solution and GAME.analysis are what to_dict() returns, GAME.command is what the command prints with
--json. Without a NAME: all of them. JSON Schema, draft 2020-12.

example:  gamecore schema duel.solution
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "schema",
        help="the JSON Schema of all that is written as JSON",
        description="Print the JSON Schema of what gamecore writes as JSON.",
        epilog=EPILOG,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="of a game or of a schema; default: all")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one JSON object."""
    print(json.dumps(schema_of(args.name), indent=2))
    return OK


def schemas(rooms: Iterable[str] = ROOMS) -> dict[str, Schema]:
    """The schemas by name: ``ROOM.WORD`` for each in a package's ``_schema``; of all, ``solve-file`` too."""
    found: dict[str, Schema] = {}
    for game in rooms:
        for name, value in vars(import_module(f"gamecore.{game}._schema")).items():
            if name.isupper() and not name.startswith("_") and isinstance(value, dict) and "type" in value:
                found[f"{game}.{name.lower().replace('_', '-')}"] = value
    return found | (_solve_file(found) if rooms is ROOMS else {})


def _solve_file(every: dict[str, Schema]) -> dict[str, Schema]:
    """The lines of a file that ``solve-file`` writes: its header, answers by game, and errors."""
    options: dict[str, Schema] = {
        "to_move": TEXT, "opponent": TEXT, "first": TEXT, "ties": TEXT, "line": {"type": "boolean"},
        "seconds": nullable({"type": "number"}), "nodes": nullable(COUNT),
    }  # fmt: skip
    header = record(
        {
            "gamecore": {"const": SOLVE_FILE},
            "format": {"const": 2},
            "version": TEXT,
            "game": {"enum": list(GAMES)},
            "options": record(options),
        }
    )
    place: dict[str, Schema] = {"index": COUNT, "input_line": {"type": "integer", "minimum": 1}, "key": TEXT}
    found = {f"{SOLVE_FILE}.header": header, f"{SOLVE_FILE}.error": record({**place, "error": TEXT})}
    for game in GAMES:
        solution = every[f"{game}.solution"]
        fields = {**place, "position": TEXT, **solution["properties"]}
        required = {*place, "position", *solution["required"]}
        found[f"{SOLVE_FILE}.{game}"] = record(fields, tuple(name for name in fields if name not in required))
    return found


def schema_of(name: str | None) -> Schema:
    """A schema to print: of one name, or of any of those that begin with it, which then stand under ``$defs``.

    Raises:
        OptionError: no such name.
    """
    game = (name or "").split(".")[0]
    every = schemas([game]) if game in ROOMS else schemas()
    if name in every:
        return {"$schema": DIALECT, "title": f"gamecore {__version__}: {name}", **every[name]}
    chosen = {key: one for key, one in every.items() if name is None or key.startswith(f"{name}.")}
    if not chosen:
        raise OptionError(f"there is no schema {printable(name)}; there are {', '.join((*ROOMS, SOLVE_FILE, *every))}")
    return {
        "$schema": DIALECT,
        "title": f"gamecore {__version__}" + (f": {name}" if name else ""),
        "anyOf": [{"$ref": f"#/$defs/{key}"} for key in chosen],
        "$defs": chosen,
    }
