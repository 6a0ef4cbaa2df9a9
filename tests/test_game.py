"""What :mod:`gamecore.game` offers: the members of a game, its words, options, files of positions, guesses."""

import argparse
import importlib
import inspect
import json
import pickle
import sys
from pathlib import Path

import pytest

from gamecore import duel, games, hearts, hexapawn, rows
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game import Game, Option, _registry, as_position, guess, load, options_of, parse_many, takes

EXAMPLES = Path(__file__).parents[1] / "examples"

DEAL, BOARD = "2\nDQ H2\nH3 D6\n", "3\n3\nppp\n\nPPP\n"


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


@pytest.mark.parametrize(("game", "text", "count"), [
    (duel.GAME, DEAL + "\nDQ:H3D6:B:DK\n" + DEAL, 3),
    (hexapawn.GAME, BOARD + "ppp/3/PPP:b\n\n" + BOARD, 3),
    (rows.GAME, "5 7 9\n2\n1 4\ngreedy:me:0:0:5,7\n", 3),
    (rows.GAME, "2\n2\n  \n  \n5", 1),  # also an empty board, whose text is shorter
    (hearts.GAME, hearts.random(rng=1).to_text() + "\n\n", 1),
], ids=lambda item: getattr(item, "name", ""))  # fmt: skip
def test_a_file_is_parsed_and_its_game_is_guessed(game, text, count):
    lines = text.split("\n")
    positions = list(parse_many(game, lines))
    assert [type(position) for position in positions] == [game.Position] * count
    guessed, again = guess(enumerate(lines, 1))
    assert guessed is game
    assert [line for _, line in again] == lines
    with pytest.raises(ParseError, match=f"line {len(lines) + 1}"):
        list(parse_many(game, [*lines, "x:x"]))


def test_a_guess_reads_no_more_lines_than_needed():
    for text in ("", "\n \n", "x", "3\n3\nppp\n"):
        with pytest.raises(ParseError, match="the input is empty" if not text.strip() else "which game this is"):
            guess(enumerate(text.split("\n"), 1))
    lines = iter(list(enumerate((BOARD * 50).splitlines(), 1)))
    assert guess(lines)[0] is hexapawn.GAME
    assert next(lines)[0] == 6


def test_options_on_the_command_line():
    parser = argparse.ArgumentParser()
    for option in (Option("kind", "Kind", "any"), Option("n", "Cards", 6, 1, 26, flag="cards")):
        option.add_to(parser)
    assert vars(parser.parse_args([])) == {"kind": "any", "n": 6}
    assert vars(parser.parse_args(["--kind", "wild", "--cards", "026"])) == {"kind": "wild", "n": 26}
    for wrong in ("0", "27", "1_0", "x"):
        with pytest.raises(SystemExit):
            parser.parse_args(["--cards", wrong])


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


def test_a_position_or_its_text():
    position = duel.deal(2, rng=1)
    assert as_position(duel.GAME, position) is position
    assert as_position(duel.GAME, position.to_text()) == position
    for wrong in (None, 5, rows.Position([1])):
        with pytest.raises(OptionError, match="a duel position or its text is needed"):
            as_position(duel.GAME, wrong)


# --- members ----------------------------------------------------------------------------------------------------------

MEMBERS = {
    "name", "title", "rules", "sides", "example", "words", "Position", "start", "random", "parse", "solve", "analyse",
    "refine", "batch", "players", "picture",
}  # fmt: skip


def public_members(kind):
    """Names without underscore that a class and its bases declare or define."""
    names = {name for base in kind.__mro__[:-1] for name in {**vars(base), **inspect.get_annotations(base)}}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("kind", [Game, *map(type, games().values())])
def test_a_game_has_these_members(kind):
    assert public_members(kind) == MEMBERS


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "options"), [
    ("duel", {"n": 4}), ("hexapawn", {}), ("rows", {}), ("rows", {"opponent": "cooperative"}),
    ("hearts", {"passing": "hold", "plies": 40}), ("nim", {"plies": 2}), ("tictactoe", {"plies": 4}),
])  # fmt: skip
def test_words(game, options, monkeypatch):
    """Sides, moves and values in words, each on a line; a person is "you", and nobody else."""
    for folder in (EXAMPLES, EXAMPLES / "kit"):
        monkeypatch.syspath_prepend(str(folder))
    game = games()[game] if game in games() else importlib.import_module(game).GAME
    for seed in range(8):
        position = game.random(rng=seed, **options)
        while True:
            check_words(game.words, position, game.analyse(position))
            if position.is_over:
                break
            position = position.play(position.legal_moves()[-1])


def check_words(words, position, analysis):
    me, moves = position.to_move, position.legal_moves()
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


def test_the_end_of_a_game_addresses_the_person(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    game = load(str(EXAMPLES / "kit" / "tictactoe.py"))
    position = game.start()
    while not position.is_over:
        position = position.play(position.legal_moves()[0])
    assert [game.words.turn(position, "B"), game.words.turn(position)] == ["you lose", "B loses"]
