"""The linear policy implemented from its description, from a View, card by card and without the kernel."""

import math

import numpy as np

from gamecore.hearts._players import learned_weights
from gamecore.reference.hearts import DECK

RANKS = "23456789TJQKA"
SUITS = "CDSH"  # in the order of the kernel's lanes
SUITS_OFF = {"length": (4, 14), "unseen": (4, 14), "voids": (4, 4), "below": (9,), "above": (9,)}
#: The weights in their order: of each kind of decision the width of a row, and what the rows of each block stand for.
BLOCKS = {
    "follow": (16, {
        "winning": (4, 3, 13, 4), "queen": (4, 3, 27), "moon": (4, 3, 12), "length": (4, 14, 3), "trick": (4, 13),
        "voids": (4, 3, 3), "unseen": (4, 14), "below": (4, 3, 2), "above": (4, 3, 2, 3),
    }),
    "lead": (64, {"queen": (27,), "trick": (13,), "moon": (12,), **SUITS_OFF}),
    "discard": (64, {"queen": (27,), "moon": (12, 3), "trick": (13,), "points": (4, 4), **SUITS_OFF}),
}  # fmt: skip
LAYOUT, MODEL = {}, 0  # where each block begins, and how many weights a model has
for kind, (width, shapes) in BLOCKS.items():
    for block, shape in shapes.items():
        LAYOUT[kind, block] = MODEL, width, shape
        MODEL += width * math.prod(shape)

LEARNED = np.asarray(learned_weights())
#: Of the learned policy and its model of others; with few different weights many cards are equal.
WEIGHTS = LEARNED, *(
    np.random.default_rng(most).integers(-most, most + 1, len(LEARNED), dtype=np.int64).astype(np.int8)
    for most in (0, 1, 127)
)  # fmt: skip


def row_of(kind, block, *index):
    """Where a row of weights begins."""
    (begin, width, shape), row = LAYOUT[kind, block], 0
    for number, size in zip(index, shape, strict=True):
        row = row * size + number
    return begin + width * row


def linear(weights):
    """The kernel's numbers of the player linear with these weights."""
    return 7, 0, 7, 0, 0, 0, 0, weights


class Situation:
    """The inputs of the policy, from the view of the seat to move."""

    def __init__(self, view):
        self.seat, self.hand, self.gone, self.taken = view.seat, view.hand, view.played, view.points
        self.number, self.trick = len(view.tricks), [card for _, card in view.trick]
        self.leader = view.trick[0][0] if view.trick else view.seat
        self.unseen = [card for card in DECK if card not in self.gone and card not in self.hand]
        self.voids = {suit: set() for suit in SUITS}
        for leader, cards in [*((trick.leader, trick.cards) for trick in view.tricks), (self.leader, self.trick)]:
            for place, card in enumerate(cards):
                if card[0] != cards[0][0]:
                    self.voids[cards[0][0]].add((leader + place) % 4)

    @staticmethod
    def best_of(cards):
        same = [card for card in cards if card[0] == cards[0][0]]
        return cards.index(max(same, key=lambda card: RANKS.index(card[1])))

    def count(self, cards, suit):
        return sum(card[0] == suit for card in cards)

    def queen(self):
        where = 1 if "SQ" in self.hand else 0 if "SQ" in self.gone else 2
        spades = self.count(self.hand, "S")
        return where, (where * 3 + ("SK" in self.hand) + ("SA" in self.hand)) * 3 + (spades >= 3) + (spades >= 5)

    def moon(self):
        owners = [seat for seat in range(4) if self.taken[seat]]
        if not owners:
            return 0
        if len(owners) > 1:
            return 7
        size = 0 if self.taken[owners[0]] < 5 else 1 if self.taken[owners[0]] < 13 else 2
        if owners[0] == self.seat:
            return 1 + size
        winning = bool(self.trick) and (self.leader + self.best_of(self.trick)) % 4 == owners[0]
        return (8 if winning else 4) + size

    def points(self):
        if "SQ" in self.trick:
            return 3
        return min(2, self.count(self.trick, "H"))

    def places(self, card):
        """Every place in the weights that a card's score adds up."""
        suit, rank = SUITS.index(card[0]), RANKS.index(card[1])
        below = sum(one[0] == card[0] and RANKS.index(one[1]) < rank for one in self.unseen)
        above = self.count(self.unseen, card[0]) - below
        where, guarded = self.queen()
        stage = where * 3 + (0 if self.number < 4 else 1 if self.number < 8 else 2)
        moon, points, n = self.moon(), self.points(), len(self.trick) - 1
        led = SUITS.index(self.trick[0][0]) if self.trick else -1
        rows = [("queen", guarded), ("trick", self.number)]
        if self.trick and self.count(self.hand, self.trick[0][0]):
            name, winning = self.trick[0][0], RANKS.index(self.trick[self.best_of(self.trick)][1])
            voids = len(self.voids[name] & {(self.leader + place) % 4 for place in range(n + 2, 4)})
            rows = [("winning", led, n, winning, points), ("queen", led, n, guarded), ("moon", led, n, moon),
                    ("length", led, self.count(self.hand, name), n), ("trick", led, self.number),
                    ("voids", led, n, voids), ("unseen", led, self.count(self.unseen, name))]  # fmt: skip
            kind, suit, at = "follow", 0, (led, n, points > 0)
            last = ("below", *at), ("above", *at, voids)
        else:
            kind, last = "discard" if self.trick else "lead", (("below", stage), ("above", stage))
            rows += [("moon", moon, n), ("points", led, points)] if self.trick else [("moon", moon)]
            for other, name in enumerate(SUITS):
                if other != led:
                    rows += [("length", other, self.count(self.hand, name)),
                             ("unseen", other, self.count(self.unseen, name)),
                             ("voids", other, len(self.voids[name] - {self.seat}))]  # fmt: skip
        columns = [rank] * len(rows) + [below, above]
        return [row_of(kind, *row) + 16 * suit + at for row, at in zip([*rows, *last], columns, strict=True)]

    def score(self, weights, card):
        return sum(int(weights[place]) for place in self.places(card))

    def best(self, weights, legal):
        """The card of the highest score, the first of equals in the order C D S H and by rank."""
        order = sorted(legal, key=lambda card: (SUITS.index(card[0]), RANKS.index(card[1])))
        return max(order, key=lambda card: self.score(weights, card))

    def chance(self, weights, legal, card):
        """Of a card, by the softmax of the scores (differences over 20 count as 20)."""
        own = self.score(weights, card)
        return 1 / sum(math.exp(max(-20, min(20, (self.score(weights, one) - own) / 16))) for one in legal)
