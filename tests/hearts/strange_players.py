"""Players that the tests of isolation run in processes of their own, which import them by name."""

import gc
import os
import random
import time

from gamecore import hearts


class Lowest(hearts.Player):
    def choose(self, view):
        return view.legal_moves()[0]


class Dies(hearts.Player):
    def choose(self, view):
        os._exit(3)


class Hangs(hearts.Player):
    def choose(self, view):
        time.sleep(3600)


class Raises(hearts.Player):
    def choose(self, view):
        raise RuntimeError("no idea \x1b[2J")


class Lies(hearts.Player):
    def choose(self, view):
        return {"card": "SQ"}


class NotMade(hearts.Player):
    def __init__(self):
        raise RuntimeError("cannot be made")


class Peeks(hearts.Player):
    """Looks for other people's hands among all objects of its process."""

    def choose(self, view):
        rounds = [thing for thing in gc.get_objects() if isinstance(thing, hearts.Round)]
        return "SQ" if rounds else view.legal_moves()[0]


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
