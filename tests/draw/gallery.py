"""Pictures of every kind, which all tests of pictures go through: ``gallery.txt`` has the input and the texts of each.

A line with ``$`` is a recipe: a position and options. ``moves`` are values of moves: ``all``, the bounds after a number
of ``nodes``, or numbers. ``line`` is the ``best`` line, or moves. ``view`` is a seat whose view is drawn, ``trick`` the
number of a trick, ``table`` draws a row's table. ``width`` and ``seat`` draw as for the page, ``color`` for a terminal.

Behind ``--`` stand the texts of the SVG from top to bottom, with a star where the rim is golden; behind ``->`` its
arrows between named places, with a star if they are golden.
"""

import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

from gamecore import Limits, contract, draw, duel, hearts, hexapawn, rows
from gamecore.draw.canvas import GOLD
from gamecore.game import guess

SVG = "{http://www.w3.org/2000/svg}"
FILE = Path(__file__).with_name("gallery.txt")


def picture_of(recipe):
    """Draw what a line behind ``$`` says."""
    text, *words = recipe.split()
    if text == "text":  # as a user's game draws its positions
        values = [contract.MoveValue(-1, 1, "1x1"), contract.MoveValue(1, 1, "2x2")]
        return draw.text_picture("1: |||\n2: ||", values, ("2x2", "1x1"), ("1x1", "2x2", "2x1"))
    options = dict(word.split("=") for word in words)
    game = guess([(1, text)])[0]
    position = game.Position.from_text(text)
    if "table" in options:
        return rows.table_picture(position.values, opponent=position.opponent, ties=position.ties)
    if "trick" in options:
        return position.tricks[int(options["trick"])].picture()
    if "view" in options:
        position = position.view(int(options["view"]))
    moves, line = values_of(game, position, options.get("moves")), options.get("line", "")
    line = game.solve(position).line if line == "best" else line.split(",") if line else ()
    if "width" in options:
        seat = int(options["seat"]) if "seat" in options else None
        return game.picture(position, moves, seat=seat, width=int(options["width"]))
    return position.picture(moves, *([line] if line else []))


def values_of(game, position, which):
    """The values of moves that a recipe names."""
    is_view = isinstance(position, hearts.View)
    if which == "all":
        return hearts.evaluate_moves(position, playouts=50, rng=1) if is_view else game.analyse(position)
    if which is None or which.endswith("nodes"):
        return game.analyse(position, Limits(nodes=int(which.removesuffix("nodes")))) if which else ()
    if is_view:
        return [hearts.Evaluation(card, float(which), 0.5, 100) for card in position.hand]
    legal, values = position.legal_moves(), [int(value) for value in which.split(",")]
    values = values * len(legal) if len(values) == 1 else values
    return [contract.MoveValue(value, value, move) for value, move in zip(values, legal, strict=True)]


def drawn_anyhow(start, rng, plies, most):
    """A position after random moves, and what is drawn of it: nothing, values with a line, and how it came about."""
    position, line = start, []
    for _ in range(rng.randint(0, plies)):
        if not position.is_over:
            line.append(rng.choice(position.legal_moves()))
            position = position.play(line[-1])
    value = rng.randint(-most, most)
    moves = [contract.MoveValue(value, value, move) for move in position.legal_moves()]
    return [(position, {}), (position, {"moves": moves, "line": position.legal_moves()[-1:]}), (start, {"line": line})]


def any_round(rng):
    start = hearts.Round.deal(rng=rng.randrange(2**32), passing=rng.choice(["hold", "left"]))
    (round_, _), (_, shown), _ = drawn_anyhow(start, rng, 52, 26)
    return [(round_, {"moves": shown["moves"]}), (round_.view(rng.randrange(4)), {})]


def any_row(rng):
    most = rng.choice([9, 2**40, 2**56])
    row = rows.Position(
        [rng.randint(-most, most) for _ in range(rng.randint(0, 70))], "greedy", rng.choice(["me", "sister"])
    )
    return [(row, {"line": rows.solve(row).line}), (row, {"moves": rows.analyse(row)}), (row, {})]


#: Positions of each game with all that is drawn of them, from a source of randomness.
ANY = {
    "duel": lambda rng: drawn_anyhow(duel.deal(rng.randint(1, 26), rng=rng.randrange(2**32)), rng, 40, 364),
    "board": lambda rng: drawn_anyhow(hexapawn.Position.start(rng.randint(2, 8), rng.randint(1, 8)), rng, 12, 999),
    "row": any_row,
    "round": any_round,
}


def elements(picture):
    """The root, and all that is drawn in the order of painting: groups are opened, hidden values left out."""
    root = ET.fromstring(picture.svg)

    def opened(group, color):
        for child in group:
            if child.tag == SVG + "g" and child.get("display") != "none":
                yield from opened(child, child.get("color", color))
            elif child.tag != SVG + "g" and (group is root or child.tag != SVG + "title"):
                for name in ("fill", "stroke"):
                    if child.get(name) == "currentColor":
                        child.set(name, color)
                yield child

    return root, list(opened(root, None))


def numbers_of(element, *names):
    return [float(element.get(name, 0)) for name in names]


def said_by(recipe):
    """What the file has below the recipe."""
    picture, texts, arrows, places, star = picture_of(recipe.removesuffix(" color=")), [], [], [], ""
    if recipe.endswith(" color="):
        return picture.text(color=True, symbols=True).replace("\x1b", "^[")
    for element in elements(picture)[1]:
        if element.tag == SVG + "rect":
            star = "*" if element.get("stroke") == GOLD else ""
            places.append((element.get("data-place"), *numbers_of(element, "x", "y", "width", "height")))
        elif element.tag == SVG + "text":
            texts.append((*numbers_of(element, "y", "x"), f"{element.text}{star}"))
            star = ""
        elif element.tag == SVG + "line" and element.get("stroke") != "#ffffff":
            ends = numbers_of(element, "x1", "y1"), numbers_of(element, "x2", "y2")
            start, end = (
                next(place for place, left, top, width, height in places
                     if place and left <= x <= left + width and top <= y <= top + height)
                for x, y in ends
            )  # fmt: skip
            arrows.append(f"{start}>{end}{'*' if element.get('stroke') == GOLD else ''}")
    lines = [str(picture), f"-- {' | '.join(text for *_, text in sorted(texts))}"]
    return "\n".join(lines + ([f"-> {' '.join(arrows)}"] if arrows else []))


#: The recipe and the expected texts of each picture, by name.
SAID = {}
for _part in FILE.read_text("utf-8").rstrip("\n").split("\n## ")[1:]:
    _name, _recipe, _text = _part.split("\n", 2)
    SAID[_name] = _recipe.removeprefix("$ "), _text
PICTURES = {name: partial(picture_of, recipe) for name, (recipe, _) in SAID.items() if not recipe.endswith(" color=")}
