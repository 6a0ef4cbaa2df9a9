"""Random positions of all sizes and kinds, each from a ``random.Random``: for the oracles' test, soak and fuzzing."""

import contextlib
import random
from typing import Any

import numpy as np

from gamecore import GamecoreError, duel, hearts, hexapawn
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
HEARTS = [card for card in DECK if card[0] == "H"]


def deal(n: int, family: str, seed: int) -> duel.Position:
    """Return a deal of n cards each: of the whole deck ("random"), or its 2n lowest cards ("low"), harder ones."""
    cards = random.Random(f"{family}-{n}-{seed}").sample(DECK[: 2 * n] if family == "low" else DECK, 2 * n)
    return duel.Position(cards[:n], cards[n:])


def random_duel(rng: random.Random, n: int) -> duel.Position:
    """Return a position whose larger hand has n cards: hands and last card of chance, or a deal that was played on."""
    deck = DECK[: 4 * rng.randint(-(-(2 * n + 1) // 4), 13)]  # few numbers, so that most cards fit
    while rng.random() < 0.4:
        cards = rng.sample(deck, min(len(deck), 2 * n + 4))
        position = duel.Position(cards[: len(cards) // 2], cards[len(cards) // 2 :])
        while max(len(position.alice), len(position.bob)) > n and not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
        if not position.is_over:
            return position
    cards = rng.sample(deck, 2 * n + 1)
    hands = [cards[:n], cards[n : n + (n if rng.random() < 0.5 else rng.randint(1, n))]]
    rng.shuffle(hands)
    return duel.Position(*hands, rng.choice(["Alice", "Bob"]), cards[-1] if rng.random() < 0.6 else None)


# Rows, columns, and how many plies at least have been played, so that the oracle answers within tenths of a second.
SMALL_BOARDS = (
    (2, 1, 0), (2, 8, 0), (2, 32, 0), (3, 3, 0), (3, 4, 0), (3, 5, 0), (3, 6, 0), (3, 7, 2), (3, 8, 6), (3, 9, 8),
    (4, 2, 0), (4, 3, 0), (4, 4, 0), (4, 5, 4), (5, 2, 0), (5, 3, 0), (5, 4, 4), (5, 5, 9), (6, 3, 0), (6, 4, 6),
    (7, 3, 0), (8, 2, 0), (8, 3, 3), (9, 2, 0), (10, 3, 6), (12, 1, 0), (12, 2, 0), (16, 2, 0), (20, 1, 0), (64, 1, 0),
)  # fmt: skip
LARGE_BOARDS = ((4, 5), (5, 4), (5, 5), (3, 8), (3, 9), (8, 3), (9, 3), (6, 4), (4, 6), (6, 5), (2, 20), (5, 6), (6, 6))


def random_board(rng: random.Random, height: int, width: int, plies: int = 2) -> hexapawn.Position:
    """Return a position of a random game, its end now and then and often turned, or pawns at random."""
    while rng.random() < 0.3 and (height * width <= 16 or plies == 2):
        pawns = rng.uniform(0.15, 0.45)
        rows = ["".join(rng.choices("Pp ", (pawns, pawns, 1 - 2 * pawns), k=width)) for _ in range(height)]
        with contextlib.suppress(GamecoreError):
            return hexapawn.Position.from_rows(rows, rng.choice(["white", "black"]))
    game = [hexapawn.Position.start(height, width)]
    while not game[-1].is_over:
        game.append(game[-1].play(rng.choice(game[-1].legal_moves())))
    position = rng.choice(game[min(plies, len(game) - 1) :])
    return position if rng.random() < 0.5 else position.flip()


WIDTHS = (3, 20, 1 << 7, 1 << 13, 1 << 29, 1 << 40, 1 << 56)
LENGTHS = ((1, 9), (10, 99), (100, 700))
BOUNDS = (15, 31, 52, 62, 63)  #: at these powers of two types become too narrow for sums or values


def random_row(rng: random.Random, n: int) -> list[int]:
    """Return values of one of several sizes, now and then with many equal ones or a slope."""
    width = rng.choice([width for width in WIDTHS if n * width < 1 << 62])
    values = [rng.randint(-width if rng.random() < 0.5 else 0, width) for _ in range(n)]
    if rng.random() < 0.2:
        values.sort(reverse=rng.random() < 0.5)
    if rng.random() < 0.2:
        values = [value & 1 for value in values]
    return values


def row_of_bound(rng: random.Random, n: int, bound: int) -> list[int]:
    """Return n values whose magnitudes add up to ``bound``: of all sizes, or one large among small ones."""
    most = rng.choice([bound, 50])
    cuts = sorted(rng.choice([cut, bound - cut]) for cut in (rng.randint(0, most) for _ in range(n - 1)))
    values = [after - before for before, after in zip([0, *cuts], [*cuts, bound], strict=True)]
    negative = rng.choice([0.0, 0.5, 1.0])
    assert sum(values) == bound
    return [-value if rng.random() < negative else value for value in values]


def row_with_value(rng: random.Random, n: int, value: int) -> list[int]:
    """Return n small values, and some that are exactly this one or its negative, as far as totals fit int64."""
    row = [rng.randint(-9, 9) for _ in range(n)]
    for at in rng.sample(range(n), min(n, rng.randint(1, 4), ((1 << 63) - 1 - 9 * n) // value)):
        row[at] = rng.choice([value, -value])
    return row


def as_input(rng: random.Random, row: list[int]) -> Any:
    """Return the row as a list, as an array of int64, or of any type that holds its values."""
    fitting = []
    for kind in ("i1", "u1", "<i2", "u2", ">i4", "u4", "i8", "u8"):
        with contextlib.suppress(OverflowError):
            np.array(row, kind)
            fitting.append(kind)
    array = np.array(row, rng.choice(fitting))
    if len(row) % 2:  # elements at odd addresses, as a view into a file's bytes may have them
        array = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(array.dtype)
    return rng.choice([row, np.array(row, np.int64), array])


def begun_round(rng: random.Random) -> hearts.Round:
    """Return a deal under random rules, before or after the pass; one in seven with hands that are long in hearts."""
    rules = hearts.Rules(**{name: rng.random() < 0.5 for name in FLAGS[1:]}, moon=rng.choice(MOONS))
    if rng.random() < 0.15:
        strong = ["CA", "SQ", *rng.sample(HEARTS, 11)]
        rest = rng.sample([card for card in DECK if card not in strong], 39)
        hands = [strong, rest[:13], rest[13:26], rest[26:]]
        return hearts.Round(rng.sample(hands, 4), rules, seed=rng.getrandbits(64))
    round_ = hearts.Round.deal(rng.getrandbits(64), rules, rng.choice(tuple(DIRECTIONS)), None)
    while round_.passing_seats:
        round_ = round_.play("-".join(rng.sample(round_.hands[round_.to_move], 3)))
    return round_


def next_card(rng: random.Random, round_: hearts.Round, style: str) -> str:
    """Return a card by chance or by a player, or in a style that makes moons likely, or keeps hearts unbroken."""
    legal = round_.legal_moves()
    if style == "moons":  # the seat with most points plays high, the others low
        cards = sorted(legal, key=lambda card: ("23456789TJQKA".index(card[1]), rng.random()))
        return cards[-1 if round_.taken[round_.to_move] == max(round_.taken) else 0]
    if style == "unbroken":
        return min(legal, key=lambda card: (card[0] == "H" or card == "SQ", rng.random()))
    return rng.choice(legal) if style == "chance" else round_.ask(style)
