"""What :mod:`gamecore.game` offers: the members of a game, its words, options, files of positions, guesses."""

import inspect
import json
import pickle
import sys
from pathlib import Path

import nim  # pytest's pythonpath has the folders of examples
import pytest
import tictactoe

from gamecore import cli, duel, games, hearts, hexapawn, rows
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Game, Option, _registry, load, options_of, takes
from gamecore.rng import generator

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_options_are_declared_or_read_from_the_signature():
    def start(*, rng=None, piles=3, kind="any", plies=None, ratio=0.5):
        return piles

    assert options_of(start) == (Option("piles", "Piles", 3), Option("kind", "Kind", "any"))
    declared = Option("piles", "Number of piles", 3, 1, 9)
    assert options_of(takes(declared)(start)) == (declared,)
    for game in games().values():
        position = game.start(**{option.name: option.default for option in options_of(game.start)}, rng=1)
        assert position == game.start(rng=1)
        for wrong in ({"nonsense": 1}, *({option.name: -1} for option in options_of(game.start))):
            with pytest.raises(OptionError, match=next(iter(wrong))):
                game.start(**wrong)


class Dealt(nim.Nim):
    """A game that begins with random piles."""

    def start(self, *, rng=None, most: int = 5):
        return nim.Position(tuple(generator(rng).integers(1, most + 1, 3).tolist()))


def test_a_random_position_begins_with_a_deal_of_the_same_source():
    positions = [Dealt().random(rng=seed // 2, most=99) for seed in range(20)]
    assert positions[::2] == positions[1::2]
    assert len({Dealt().random(rng=seed, most=99, plies=0) for seed in range(10)}) == 10


class Percent(nim.Nim):
    """A game with signs that argparse formats, and with an option that rows has, too."""

    name, rules = "percent", "Leave 50% of a pile (or less)."

    def parse(self, text, *, opponent="me", output="-", position="any"):
        return nim.Position.from_text(text)


def test_a_game_shares_options_of_the_command_and_may_have_any_signs_in_its_texts(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(_registry, "_registered", {"percent": Percent()})
    for words in ((), ("play",), ("play", "percent"), ("solve-file",), ("percent",)):
        with pytest.raises(SystemExit, match="0"):
            cli.main([*words, "--help"])
    assert cli.main(["percent", "A:3.4", "--opponent", "you", "--position", "x", "--game-output", "y"]) == 0
    file = tmp_path / "rows.txt"
    file.write_text("5 7 9 1\n")
    assert cli.main(["solve-file", str(file), "-o", f"{file}.out", "--opponent", "nobody"]) == 2
    assert capsys.readouterr().err.startswith("gamecore: --opponent must be one of ")


def test_a_file_is_loaded_once_and_takes_no_other_module_away(tmp_path, monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    path = tmp_path / "json.py"  # named as a module that is in use
    path.write_text((EXAMPLES / "nim.py").read_text(encoding="utf-8"))
    loaded = load(str(path))
    assert load(str(tmp_path / ".." / tmp_path.name / "json.py")) is loaded
    assert sys.modules["json"] is json
    assert pickle.loads(pickle.dumps(loaded.start())) == loaded.start()
    path.with_name("bad.py").write_text("1 / 0\n")
    for _ in range(2):  # what failed is not kept
        with pytest.raises(GamecoreError, match="ZeroDivisionError"):
            load(str(path.with_name("bad.py")))


# --- members ----------------------------------------------------------------------------------------------------------

MEMBERS = {
    "name", "title", "rules", "sides", "example", "words", "Position", "start", "random", "parse", "solve", "analyse",
    "parse_many", "refine", "batch", "players", "picture", "part",
}  # fmt: skip


@pytest.mark.parametrize("kind", [Game, *map(type, games().values())])
def test_a_game_has_these_members(kind):
    names = {name for base in kind.__mro__[:-1] for name in {**vars(base), **inspect.get_annotations(base)}}
    assert {name for name in names if not name.startswith("_")} == MEMBERS


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "options"), [
    (duel.GAME, {"n": 4}), (hexapawn.GAME, {}), (rows.GAME, {}), (rows.GAME, {"opponent": "cooperative"}),
    (hearts.GAME, {"passing": "hold", "plies": 40}), (nim.GAME, {"plies": 2}), (tictactoe.GAME, {"plies": 4}),
], ids=lambda item: getattr(item, "name", ""))  # fmt: skip
def test_words(game, options):
    """Sides, moves and values in words, each on a line; a person is "you", and nobody else."""
    words = game.words
    for seed in range(8):
        positions = [game.random(rng=seed, **options)]
        while not positions[-1].is_over:
            positions.append(positions[-1].play(positions[-1].legal_moves()[-1]))
        for position in positions:
            me, moves, analysis = position.to_move, position.legal_moves(), game.analyse(position)
            assert words.name(me, me) == "you" != words.name(me)
            texts = [words.side(position), words.turn(position), words.turn(position, me)]
            texts += [words.move(position, move) for move in moves]
            for entry in analysis:
                cost, text = words.cost(analysis[0], entry, position)
                assert cost is None or cost >= 0
                texts += [text, words.value(entry, position), words.short(entry)]
            assert all(text and text.isprintable() for text in texts)
            assert len({words.move(position, move) for move in moves}) == len(moves)
            orders = [words.order(entry, position) for entry in analysis]
            assert orders == sorted(orders, reverse=True)  # best first
            if analysis:
                assert words.bounds_from_moves(analysis, position) == Bounds(analysis[0].lower, analysis[0].upper)
