"""All JSON that the command prints is as ``gamecore schema`` says, and nothing else is."""

import argparse
import functools
import io
import json
from pathlib import Path

import jsonschema
import pytest

from gamecore import cli, hearts
from gamecore.cli import build_parser
from gamecore.cli.schema import schema_of, schemas
from gamecore.game import BUILT_IN as GAMES

ROUND = hearts.random(rng=3, plies=44).to_text()
BIG_DEAL = "CAC3C5C7C9CJCKD2D4D6D8:C2C4C6C8CTCQDAD3D5D7D9:A:-"
FOUR = ["--players", "random", "greedy", "duck", "random", "--seed", "7"]

# What is asked of each command, and the schema of each line that it prints.
ASKED = [
    ("duel.command", ["duel", "DQH2HA:H3D6S3:A:-"]),
    ("duel.command", ["duel", "DQH2HA:H3D6S3:A:-", "--analyse", "--line"]),
    ("duel.command", ["duel", "0:D6S3:B:DQ", "--analyse"]),
    ("duel.command", ["duel", BIG_DEAL, "--node-limit", "2", "--analyse"]),
    ("hexapawn.command", ["hexapawn", "--start", "4x4"]),
    ("hexapawn.command", ["hexapawn", "ppp/3/PPP:w", "--analyse", "--line"]),
    ("hexapawn.command", ["hexapawn", "--start", "8x8", "--node-limit", "5", "--analyse"]),
    ("rows.command", ["rows", "5", "7", "9"]),
    ("rows.command", ["rows", "5", "7", "9", "--table", "--line", "--analyse", "--opponent", "greedy"]),
    ("rows.command", ["rows", "1.5", "2.25", "--analyse", "--table", "--first", "opponent"]),
    ("rows.command", ["rows", "--deck", "3"]),
    ("rows.command", ["rows", "optimal:me:3:4:-", "--analyse"]),
    ("hearts.simulation", ["hearts", "simulate", *FOUR, "--rounds", "50"]),
    ("hearts.simulation", ["hearts", "simulate", *FOUR, "--rounds", "0", "--passing", "cycle"]),
    ("hearts.comparison", ["hearts", "compare", "duck", "greedy", "--rounds", "3"]),
    ("hearts.match", ["hearts", "match", *FOUR]),
    ("hearts.position", ["hearts", "deal", "--seed", "7"]),
    ("hearts.position", ["hearts", "deal", "--seed", "7", "--passing", "left", "--plies", "9"]),
    ("hearts.command", ["hearts", "solve", ROUND]),
    ("hearts.command", ["hearts", "solve", ROUND, "--analyse", "--line", "--method", "paranoid"]),
    ("hearts.command", ["hearts", "solve", ROUND, "--analyse", "--node-limit", "1"]),
    ("hearts.command-evaluate", ["hearts", "evaluate", ROUND, "--playouts", "5"]),
]
FILES = {
    "duel": "3\nDQ H2 HA\nH3 D6 S3\n1\nC2\nXX\n",
    "hexapawn": "ppp/3/PPP:w\nnonsense:w\nppp/3/PPP:b\n",
    "rows": "5 7 9\n1.5 2.5\n1 x\n",
    "hearts": f"{ROUND}\n{ROUND}:x\n",
}


@functools.cache
def validator(name=None):
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def parsers(parser, path=()):
    yield path, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                yield from parsers(one, (*path, name))


def test_every_command_that_prints_json_is_asked():
    with_json = {path for path, parser in parsers(build_parser()) if "--json" in parser._option_string_actions}
    with_json -= {path for path in with_json if path[0] == "prove"}  # prints lines of several kinds: test_prove.py
    with_json -= {("judge",)}  # needs a program: tests/judging
    asked = {tuple(argv[:2] if argv[0] == "hearts" else argv[:1]) for _, argv in ASKED}
    assert with_json == asked


@pytest.mark.parametrize(("name", "argv"), ASKED)
def test_what_commands_print(name, argv, capsys):
    status = cli.main([*argv, "--json"])
    out = capsys.readouterr().out
    assert status == (3 if "--node-limit" in argv else 0)
    assert out.count("\n") == 1
    found = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    validator(name).validate(found)
    validator().validate(found)
    for damaged in ({**found, "more": 1}, dict(list(found.items())[1:]), [found]):
        assert not validator(name).is_valid(damaged)


@pytest.mark.parametrize("game", FILES)
def test_lines_of_solve_file(game, tmp_path, capsys):
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text(FILES[game], encoding="ascii")
    cli.main(["solve-file", str(file), "-o", str(out), "--on-error", "return"])
    capsys.readouterr()
    header, *answers = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    validator("solve-file.header").validate(header)
    assert header["game"] == game
    kinds = []
    for answer in answers:
        kinds.append("error" if "error" in answer else game)
        validator(f"solve-file.{kinds[-1]}").validate(answer)
        validator("solve-file").validate(answer)
    assert set(kinds) == {"error", game}


@pytest.mark.parametrize("name", [None, *GAMES, "solve-file", "duel.solution", "hearts.match"])
def test_the_command(name, capsys):
    assert cli.main(["schema", *filter(None, [name])]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    if name is None:
        assert set(schema["$defs"]) == set(schemas())


def test_every_game_has_the_schemas_of_the_contract(monkeypatch, capsys):
    """A registered game too."""
    monkeypatch.setattr("gamecore.game._registry._registered", {})
    nim = ["--game", str(Path(__file__).parents[2] / "examples" / "nim.py")]
    assert cli.main([*nim, "schema", "nim.command"]) == 0
    expected = jsonschema.Draft202012Validator(json.loads(capsys.readouterr().out))
    for game in (*GAMES, "nim"):
        assert {f"{game}.{word}" for word in ("position", "solution", "analysis", "command")} <= set(schemas())
    assert cli.main(["nim", "A:3.4.5", "--analyse", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected.validate(found)
    assert not expected.is_valid({**found, "best_move": 7})
    assert "nim" in schema_of("solve-file.header")["properties"]["game"]["enum"]


@pytest.mark.parametrize("name", ["chess", "duel.nothing", "solution", "", "\x1b[2J"])
def test_no_such_schema(name, capsys):
    assert cli.main(["schema", name]) == 2
    err = capsys.readouterr().err
    assert err.startswith("gamecore: there is no schema ")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def objects(schema):
    """All schemas of objects in a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_no_object_has_fields_that_are_not_named():
    every = schemas()
    found = list(objects([one for name, one in every.items() if not name.startswith("explore.")]))
    assert len(found) > 20
    assert all(one["additionalProperties"] is False for one in found)
    of_a_game = [one for name, one in every.items() if name.startswith("explore.")]  # what only one game has
    assert all(one.get("additionalProperties") is not None or one == {"type": "object"} for one in objects(of_a_game))


def test_positions_from_stdin(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"3\nDQ H2 HA\nH3 D6 S3\n\n1\nC2\nC3\n")))
    assert cli.main(["duel", "--json"]) == 0
    for line in capsys.readouterr().out.splitlines():
        validator("duel.command").validate(json.loads(line))
