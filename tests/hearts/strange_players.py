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


class Fails(Lowest):
    """Raises when it could play a certain card."""

    def __init__(self, card):
        self.card = card

    def choose(self, view):
        if self.card in view.legal_moves():
            raise RuntimeError("cannot bear it")
        return super().choose(view)


class Uncopied(Lowest):
    """Can be neither copied nor pickled."""

    def __reduce__(self):
        raise TypeError("not me")
