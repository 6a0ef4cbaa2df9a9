"""Walks through all of a game by the moves of the reference."""

from gamecore.reference.hexapawn import opponent_arrived, successors


def perft(configuration, depth):
    """The number of sequences of ``depth`` moves."""
    if depth == 0:
        return 1
    return 0 if opponent_arrived(configuration) else sum(perft(after, depth - 1) for after in successors(configuration))


def reachable(configuration):
    """Every configuration that play can reach, this one included."""
    seen, waiting = set(), [configuration]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += [] if opponent_arrived(current) else successors(current)
    return seen
