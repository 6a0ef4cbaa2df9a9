"""``gamecore schema``: the JSON Schema of everything that gamecore writes as JSON."""

import argparse
import json
from importlib import import_module
from typing import Any, Final

from gamecore._version import __version__
from gamecore.cli._answers import FORMAT
from gamecore.cli.common import OK
from gamecore.errors import OptionError
from gamecore.game import Game, games
from gamecore.schema import COUNT, FLAG, NUMBER, TEXT, Schema, nullable, of_game, record
from gamecore.text import printable

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SOLVE_FILE: Final = "solve-file"
TOOLS: Final = ("explore", "judging", "prove")  # packages with a _schema

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
        help="the JSON Schema of everything written as JSON",
        description="Print the JSON Schema of what gamecore writes as JSON.",
        epilog=EPILOG,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="of a game or of a schema; default: all")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one JSON object."""
    print(json.dumps(schema_of(args.name), indent=2))
    return OK


def schemas(only: str | None = None) -> dict[str, Schema]:
    """Return the schemas by name, ``GAME.WORD`` or ``TOOL.WORD``; ``only``: of one game or tool."""
    found: dict[str, Schema] = {}
    known = games()
    for name, game in known.items():
        if only in (None, name):
            found |= {f"{name}.{word}": one for word, one in of_game(game).items()}
    for tool in TOOLS:
        if only in (None, tool):
            parts = vars(import_module(f"gamecore.{tool}._schema")).items()
            found |= {f"{tool}.{word.lower().replace('_', '-')}": one for word, one in parts if _is_schema(word, one)}
    return found | (_solve_file(known, found) if only is None else {})


def _is_schema(name: str, value: object) -> bool:
    return name.isupper() and not name.startswith("_") and isinstance(value, dict) and "type" in value


def _solve_file(known: dict[str, Game], every: dict[str, Schema]) -> dict[str, Schema]:
    """Return the lines of a file that ``solve-file`` writes: its header, answers by game, and errors."""
    options: dict[str, Schema] = {
        **{option.name: TEXT for game in known.values() for option in game.text_options},
        "line": FLAG,
        "seconds": nullable(NUMBER),
        "nodes": nullable(COUNT),
    }
    header: dict[str, Schema] = {
        "gamecore": {"const": SOLVE_FILE},
        "format": {"const": FORMAT},
        "version": TEXT,
        "game": {"enum": list(known)},
        "options": record(options),
    }
    place: dict[str, Schema] = {"index": COUNT, "input_line": {"type": "integer", "minimum": 1}, "key": TEXT}
    found = {f"{SOLVE_FILE}.header": record(header), f"{SOLVE_FILE}.error": record({**place, "error": TEXT})}
    for game in known:
        solution = every[f"{game}.solution"]["properties"]
        found[f"{SOLVE_FILE}.{game}"] = record({**place, "position": TEXT, **solution})
    return found


def schema_of(name: str | None) -> Schema:
    """Return the schema of a name, or one with all schemas whose names begin with it under ``$defs``.

    Raises:
        OptionError: no such name.
    """
    room, rooms = (name or "").split(".")[0], (*games(), *TOOLS)
    every = schemas(room if room in rooms else None)
    if name in every:
        return {"$schema": DIALECT, "title": f"gamecore {__version__}: {name}", **every[name]}
    chosen = {key: one for key, one in every.items() if name is None or key.startswith(f"{name}.")}
    if not chosen:
        raise OptionError(f"there is no schema {printable(name)}; there are {', '.join((*rooms, SOLVE_FILE, *every))}")
    return {
        "$schema": DIALECT,
        "title": f"gamecore {__version__}" + (f": {name}" if name else ""),
        "anyOf": [{"$ref": f"#/$defs/{key}"} for key in chosen],
        "$defs": chosen,
    }
