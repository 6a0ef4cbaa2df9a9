"""Pictures of every kind, which all tests of pictures go through; ``gallery.txt`` has the texts of each."""

import random
import xml.etree.ElementTree as ET
from pathlib import Path

from gamecore import Limits, contract, draw, duel, hearts, hexapawn, rows

SVG = "{http://www.w3.org/2000/svg}"
DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
SMALL = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
BOARD = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])
CAPTURES = hexapawn.Position.from_rows(["      ", "pppppp", "PPPPPP", "      "])  # each one crosses another one
ROW = rows.Position([3, 9, 4, 1, 2], "greedy")


def deal(n, seed=5):
    cards = random.Random(seed).sample(DECK, 2 * n)
    return duel.Position(cards[:n], cards[n:])


def in_play(plays, passing="left"):
    round_ = hearts.Round.deal(rng=7, passing=passing)
    for _ in range(plays):
        round_ = round_.play(round_.ask("greedy"))
    return round_


def played(position, *moves):
    for move in moves:
        position = position.play(move)
    return position


def analysed(module, position, line=True, **limits):
    limits = Limits(**limits) if limits else None
    return position.picture(module.analyse(position, limits), module.solve(position).line if line else ())


def valued(position, *values):
    """A picture with these values of the legal moves, in turn."""
    legal = position.legal_moves()
    values = values * len(legal) if len(values) == 1 else values
    return position.picture([contract.MoveValue(value, value, move) for value, move in zip(values, legal, strict=True)])


def chosen():
    """A round of which two seats have chosen their cards to pass."""
    round_ = hearts.Round.deal(rng=7, passing="left", passer=None)
    return round_.pass_cards(0, round_.hands[0][:3]).pass_cards(2, round_.hands[2][-3:])


def seen(round_, values=None):
    """The view of the seat to move, with these or sampled values of its cards."""
    view = round_.view(round_.to_move)
    sampled = [hearts.Evaluation(card, *values) for card in view.hand] if values else None
    return view.picture(sampled or hearts.evaluate_moves(view, playouts=50, rng=1))


PICTURES = {
    "duel of 3": lambda: analysed(duel, SMALL),
    "duel of 12": lambda: analysed(duel, deal(12)),
    "duel, a card to match": lambda: analysed(duel, played(deal(12), duel.solve(deal(12)).line[0])),
    "duel, a forced card": lambda: analysed(duel, SMALL.play("HA")),
    "duel, a pass": lambda: analysed(duel, played(SMALL, "HA", "H3", "H2")),
    "duel, a line with a pass": lambda: played(SMALL, "HA", "H3").picture(line=("H2", "pass", "DQ")),
    "duel of 26, large values": lambda: valued(deal(26), *range(-364, -104, 10)),
    "duel of 26, bounds": lambda: analysed(duel, deal(26), line=False, nodes=100),
    "duel that is over": lambda: duel.Position([], ["H3", "D6"], "Bob", "DQ").picture(),
    "board": lambda: analysed(hexapawn, BOARD),
    "board, black to move": lambda: analysed(hexapawn, BOARD.flip()),
    "board 6 x 6": lambda: analysed(hexapawn, hexapawn.Position.start(6, 6)),
    "board, bounds": lambda: analysed(hexapawn, hexapawn.Position.start(8, 8), line=False, nodes=100),
    "board, many captures": lambda: valued(CAPTURES, -113),
    "board 64 x 1": lambda: hexapawn.Position.start(64, 1).picture(),
    "board 2 x 32": lambda: hexapawn.Position.start(2, 32).picture(),
    "row": lambda: analysed(rows, ROW),
    "deck": lambda: analysed(rows, rows.Position(rows.deck(7), "greedy", "sister")),
    "row of one float": lambda: rows.Position([-1.25e300], "cooperative").picture(line="L"),
    "row with moves": lambda: analysed(rows, ROW, line=False),
    "row, the opponent to move": lambda: ROW.play("R").picture(),
    "row with part of a line": lambda: ROW.picture(line="RL"),
    "row of 60": lambda: rows.Position(range(60)).picture(line=rows.solve(range(60)).line),
    "empty row": lambda: rows.Position([], mine=3, theirs=4).picture(),
    "row without solution": lambda: rows.Position([1.5, -2.25, 3.0, 1e9, -(2.0**62)]).picture(),
    "table": lambda: rows.table_picture(ROW.values, opponent="greedy"),
    "table of one": lambda: rows.table_picture([5]),
    "table of large numbers": lambda: rows.table_picture([10**12 + 7919 * k for k in range(9)], opponent="cooperative"),
    "table of 14 floats": lambda: rows.table_picture([k / 8 for k in range(14)], opponent="greedy", ties="left"),
    "trick": in_play(14).tricks[1].picture,
    "round": lambda: in_play(14).picture(),
    "round, values": lambda: in_play(32).picture(hearts.analyse(in_play(32))),
    "round, bounds": lambda: in_play(32).picture(hearts.analyse(in_play(32), Limits(nodes=50))),
    "round, passing": lambda: hearts.Round.deal(rng=7, passing="across", passer=None).picture(),
    "round, some have chosen": lambda: chosen().picture(),
    "round that is over": lambda: in_play(52).picture(),
    "view": lambda: seen(in_play(14)),
    "view with voids": lambda: in_play(47).view(3).picture(),
    "view, first trick": lambda: seen(in_play(0, passing="hold"), (-10.5, 0.5, 100)),
    "text": lambda: draw.text_picture(
        "1: |||\n2: ||", [contract.MoveValue(-1, 1, "1x1"), contract.MoveValue(1, 1, "2x2")], ("2x2", "1x1"),
        ("1x1", "2x2", "2x1"),
    ),
    "page, duel": lambda: duel.GAME.picture(deal(26), duel.analyse(deal(26), Limits(nodes=100)), width=320),
    "page, row": lambda: rows.GAME.picture(rows.Position(range(20)), rows.analyse(range(20)), width=320),
    "page, one seat": lambda: hearts.GAME.picture(in_play(47), seat=3, width=320),
    "page, all hands": lambda: hearts.GAME.picture(in_play(14), width=320),
}  # fmt: skip


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
    number = rng.choice(
        [lambda: rng.randint(-(2**40), 2**40), lambda: rng.uniform(-1, 1) * 10 ** rng.randint(-300, 300)]
    )
    row = rows.Position([number() for _ in range(rng.randint(0, 70))], "greedy", rng.choice(["me", "sister"]))
    return [(row, {"line": rows.solve(row).line}), (row, {"moves": rows.analyse(row)}), (row, {})]


#: Positions of each game with all that is drawn of them, from a source of randomness.
ANY = {
    "duel": lambda rng: drawn_anyhow(deal(rng.randint(1, 26), rng.random()), rng, 40, 364),
    "board": lambda rng: drawn_anyhow(hexapawn.Position.start(rng.randint(2, 8), rng.randint(1, 8)), rng, 12, 999),
    "row": any_row,
    "round": any_round,
}


def texts_of(picture):
    """The texts of a picture's SVG, in the order of painting."""
    return [element.text for element in elements(picture)[1] if element.tag == SVG + "text"]


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


def said_by(picture):
    return f"{picture}\n-- {' | '.join(texts_of(picture))}"


FILE = Path(__file__).with_name("gallery.txt")
TEXTS = dict(part.split("\n", 1) for part in FILE.read_text("utf-8").rstrip("\n").split("\n## ")[1:])

if __name__ == "__main__":
    lines = ["# A picture's text, and behind -- the texts of its SVG: python -m draw.gallery, in tests, writes them."]
    lines += [f"## {name}\n{said_by(make())}" for name, make in PICTURES.items()]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")
