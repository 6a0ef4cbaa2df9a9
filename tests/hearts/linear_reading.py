"""The linear policy implemented from its description, from a View, card by card and without the kernel."""

import math

RANKS = "23456789TJQKA"
SUITS = "CDSH"  # in the order of the kernel's lanes
FOLLOW, LEAD, DISCARD = 0, 24000, 36672  # where the rows of 16 and of 64 begin
SIZES_FOLLOW = {"winning": 624, "queen": 324, "moon": 144, "length": 168, "trick": 52, "voids": 36, "unseen": 56,
                "below": 24, "above": 72}  # fmt: skip
SIZES_LEAD = {"queen": 27, "trick": 13, "moon": 12, "length": 56, "unseen": 56, "voids": 16, "below": 9, "above": 9}
SIZES_DISCARD = {"queen": 27, "moon": 36, "trick": 13, "points": 16, "length": 56, "unseen": 56, "voids": 16,
                 "below": 9, "above": 9}  # fmt: skip


def starts(sizes, begin, width):
    """The offset of each block of rows, and the end."""
    found = {}
    for name, rows in sizes.items():
        found[name] = begin
        begin += rows * width
    return found, begin


F, END = starts(SIZES_FOLLOW, FOLLOW, 16)
assert END == LEAD
L, END = starts(SIZES_LEAD, LEAD, 64)
assert END == DISCARD
D, END = starts(SIZES_DISCARD, DISCARD, 64)
MODEL = END


class Situation:
    """The inputs of the policy: a hand, the finished tricks as (leader, cards), and the current trick."""

    def __init__(self, seat, hand, tricks, leader, trick):
        self.seat, self.hand, self.leader, self.trick = seat, list(hand), leader, list(trick)
        self.number = len(tricks)
        self.gone = [card for _, cards in tricks for card in cards] + self.trick
        self.voids = {suit: set() for suit in SUITS}
        self.taken = [0] * 4
        for first, cards in [*tricks, (leader, self.trick)]:
            for place, card in enumerate(cards):
                if card[0] != cards[0][0]:
                    self.voids[cards[0][0]].add((first + place) % 4)
        for first, cards in tricks:
            self.taken[(first + self.best_of(cards)) % 4] += sum(map(worth, cards))
        self.unseen = [suit + rank for suit in SUITS for rank in RANKS
                       if suit + rank not in self.gone and suit + rank not in self.hand]  # fmt: skip

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
        if self.trick and self.count(self.hand, self.trick[0][0]):
            return self._following(rank, below, above, guarded)
        card_at = 16 * suit + rank
        led = SUITS.index(self.trick[0][0]) if self.trick else -1
        if self.trick:
            block = D
            rows = [block["queen"] + 64 * guarded, block["moon"] + 64 * (self.moon() * 3 + len(self.trick) - 1),
                    block["trick"] + 64 * self.number, block["points"] + 64 * (led * 4 + self.points())]  # fmt: skip
        else:
            block = L
            rows = [block["queen"] + 64 * guarded, block["trick"] + 64 * self.number, block["moon"] + 64 * self.moon()]
        for other, name in enumerate(SUITS):
            if other != led:
                rows += [block["length"] + 64 * (14 * other + self.count(self.hand, name)),
                         block["unseen"] + 64 * (14 * other + self.count(self.unseen, name)),
                         block["voids"] + 64 * (4 * other + len(self.voids[name] - {self.seat}))]  # fmt: skip
        return [row + card_at for row in rows] + [block["below"] + 64 * stage + 16 * suit + below,
                                                  block["above"] + 64 * stage + 16 * suit + above]  # fmt: skip

    def _following(self, rank, below, above, guarded):
        name, n = self.trick[0][0], len(self.trick) - 1
        led = SUITS.index(name)
        winning = RANKS.index(self.trick[self.best_of(self.trick)][1])
        later = {(self.leader + place) % 4 for place in range(len(self.trick) + 1, 4)}
        voids = len(self.voids[name] & later)
        at, points = led * 3 + n, self.points()
        rows = [F["winning"] + 16 * ((at * 13 + winning) * 4 + points), F["queen"] + 16 * (at * 27 + guarded),
                F["moon"] + 16 * (at * 12 + self.moon()),
                F["length"] + 16 * ((led * 14 + self.count(self.hand, name)) * 3 + n),
                F["trick"] + 16 * (led * 13 + self.number), F["voids"] + 16 * (at * 3 + voids),
                F["unseen"] + 16 * (led * 14 + self.count(self.unseen, name))]  # fmt: skip
        at = at * 2 + (points > 0)
        return [row + rank for row in rows] + [F["below"] + 16 * at + below, F["above"] + 16 * (at * 3 + voids) + above]

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


def worth(card):
    return 13 if card == "SQ" else int(card[0] == "H")


def of_view(view):
    """The situation that a view shows."""
    tricks = [(trick.leader, list(trick.cards)) for trick in view.tricks]
    leader = view.trick[0][0] if view.trick else view.to_move
    return Situation(view.seat, view.hand, tricks, leader, [card for _, card in view.trick])
