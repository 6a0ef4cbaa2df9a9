"""A game that goes round: pass, or take the only object, which loses."""

from gamecore import kit


class Passing:
    CYCLES = True

    def start(self):
        return (1,)

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return (state[0] - move,)

    def result(self, state):
        return None if state[0] else kit.WIN


GAME = kit.make(Passing)
