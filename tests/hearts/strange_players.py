"""Players that several tests use; worker processes import them by name."""

import random

from gamecore import hearts


class Lowest(hearts.Player):
    """The first legal card; passes as greedy."""

    def choose(self, view):
        return view.legal_moves()[0]


class First(Lowest):
    """`literal` in Python."""

    def pass_cards(self, view):
        return view.hand[:3]


class Lucky(hearts.Player):
    """Plays and passes at random, from the seed that each round gives it."""

    def begin_round(self, view, seed, totals):
        self.rng = random.Random(seed)

    def choose(self, view):
        return self.rng.choice(view.legal_moves())

    def pass_cards(self, view):
        return self.rng.sample(view.hand, 3)


class Fails(First):
    """From the fifth trick, with the queen of spades in hand, it raises or answers what it was told."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, view):
        if "SQ" not in view.hand or len(view.tricks) < 4:
            return super().choose(view)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Uncopied(Lowest):
    """Can be neither copied nor pickled."""

    def __reduce__(self):
        raise TypeError("not me")
