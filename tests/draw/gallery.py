"""Pictures of every kind, which all tests of pictures go through."""

import random
import xml.etree.ElementTree as ET

from gamecore import Limits, contract, draw, duel, hearts, hexapawn, rows

SVG = "{http://www.w3.org/2000/svg}"
DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
SMALL = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
BOARD = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])


def deal(n, seed=5):
    cards = random.Random(seed).sample(DECK, 2 * n)
    return duel.Position(cards[:n], cards[n:])


def in_play(plays, passing="left"):
    round_ = hearts.Round.deal(rng=7, passing=passing)
    for _ in range(plays):
        round_ = round_.play(round_.ask("greedy"))
    return round_


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
    values = [rng.randint(-(2**40), 2**40) for _ in range(rng.randint(0, 70))]
    row = rows.Position(values, "greedy", rng.choice(["me", "sister"]))
    return [(row, {"line": rows.solve(row).line}), (row, {"moves": rows.analyse(row)}), (row, {})]


#: Positions of each game with all that is drawn of them, from a source of randomness.
ANY = {
    "duel": lambda rng: drawn_anyhow(deal(rng.randint(1, 26), rng.random()), rng, 40, 364),
    "board": lambda rng: drawn_anyhow(hexapawn.Position.start(rng.randint(2, 8), rng.randint(1, 8)), rng, 12, 999),
    "row": any_row,
    "round": any_round,
}


def a_duel():
    position = deal(12)
    return position.picture(duel.analyse(position), duel.solve(position).line)


def a_reply():
    position = deal(12)
    line = duel.solve(position).line
    after = position.play(line[0])
    return after.picture(duel.analyse(after), line[1:])


def a_pass():
    position = SMALL.play("HA").play("H3").play("H2")
    assert position.legal_moves() == ("pass",)
    return position.picture(duel.analyse(position), ("pass", "DQ"))


def a_view():
    round_ = in_play(14)
    view = round_.view(round_.to_move)
    return view.picture(hearts.evaluate_moves(view, playouts=50, rng=1))


def a_first_view():
    """A whole hand with values as wide as any."""
    round_ = in_play(0, passing="hold")
    view = round_.view(round_.to_move)
    return view.picture([hearts.Evaluation(card, -10.5, 0.5, 100) for card in view.hand])


def a_choice():
    round_ = hearts.Round.deal(rng=7, passing="left", passer=None)
    return round_.pass_cards(0, round_.hands[0][:3]).pass_cards(2, round_.hands[2][-3:]).picture()


def of_26():
    position = deal(26)
    values = range(-364, -104, 10)
    moves = zip(values, position.legal_moves(), strict=True)
    return position.picture([contract.MoveValue(value, value, move) for value, move in moves])


def crossing_captures():
    """Two ranks of pawns face to face: every capture crosses another one and shares its end with a third."""
    position = hexapawn.Position.from_rows(["      ", "pppppp", "PPPPPP", "      "])
    return position.picture([contract.MoveValue(-113, -113, move) for move in position.legal_moves()])


def row_with_line(position):
    return position.picture(line=rows.solve(position).line)


PICTURES = {
    "duel of 3": lambda: SMALL.picture(duel.analyse(SMALL), duel.solve(SMALL).line),
    "duel of 12": a_duel,
    "duel, a card to match": a_reply,
    "duel, a pass": a_pass,
    "duel of 26, large values": of_26,
    "duel of 26, bounds": lambda: deal(26).picture(duel.analyse(deal(26), Limits(nodes=100))),
    "duel that is over": lambda: duel.Position([], ["H3", "D6"], "Bob", "DQ").picture(),
    "board": lambda: BOARD.picture(hexapawn.analyse(BOARD), hexapawn.solve(BOARD).line),
    "board, black to move": lambda: BOARD.flip().picture(hexapawn.analyse(BOARD.flip())),
    "board 6 x 6": lambda: hexapawn.Position.start(6, 6).picture(
        line=hexapawn.solve(hexapawn.Position.start(6, 6)).line
    ),
    "board, bounds": lambda: hexapawn.Position.start(8, 8).picture(
        hexapawn.analyse(hexapawn.Position.start(8, 8), Limits(nodes=100))
    ),
    "board 64 x 1": lambda: hexapawn.Position.start(64, 1).picture(),
    "board 2 x 32": lambda: hexapawn.Position.start(2, 32).picture(),
    "row": lambda: row_with_line(rows.Position([5, 7, 9, 1, 4, 2], "greedy")),
    "deck": lambda: row_with_line(rows.Position(rows.deck(7), "greedy", "sister")),
    "row of one float": lambda: row_with_line(rows.Position([-1.25e300], "cooperative")),
    "row with moves": lambda: rows.Position([5, 7, 9]).picture(rows.analyse([5, 7, 9])),
    "empty row": lambda: rows.Position([], mine=3, theirs=4).picture(),
    "row without solution": lambda: rows.Position([1.5, -2.25, 3.0, 1e9, -(2.0**62)]).picture(),
    "trick": in_play(14).tricks[1].picture,
    "round": lambda: in_play(14).picture(),
    "round, values": lambda: in_play(32).picture(hearts.analyse(in_play(32))),
    "round, bounds": lambda: in_play(32).picture(hearts.analyse(in_play(32), Limits(nodes=50))),
    "round, passing": lambda: hearts.Round.deal(rng=7, passing="across", passer=None).picture(),
    "round that is over": lambda: in_play(52).picture(),
    "view": a_view,
    "view with voids": lambda: in_play(47).view(3).picture(),
    "view, first trick": a_first_view,
    "round, some have chosen": a_choice,
    "board, many captures": crossing_captures,
    "text": lambda: draw.text_picture(
        "1: |||\n2: ||",
        [contract.MoveValue(-1, 1, "1x1"), contract.MoveValue(1, 1, "2x2")],
        ("2x2", "1x1"),
        ("1x1", "2x2", "2x1"),
    ),
    "page, duel": lambda: duel.GAME.picture(deal(26), duel.analyse(deal(26), Limits(nodes=100)), width=320),
    "page, row": lambda: rows.GAME.picture(rows.Position(range(20)), rows.analyse(range(20)), width=320),
    "page, one seat": lambda: hearts.GAME.picture(in_play(47), seat=3, width=320),
    "page, all hands": lambda: hearts.GAME.picture(in_play(14), width=320),
}


def elements(picture):
    """The root, and all that is drawn in the order of painting: groups are opened, hidden values left out."""
    root = ET.fromstring(picture.svg)
    assert root.tag == SVG + "svg"

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
