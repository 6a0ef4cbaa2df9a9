"""A whole engine for gamecore's hearts protocol (docs/hearts-engines.md): it plays its lowest legal card.

gamecore hearts compare duck "engine:python examples/hearts_engine.py" --field greedy --rounds 200 --seed 7
"""

import sys

RANKS = "23456789TJQKA"
hand: list[str] = []  # my cards, as dealt; what was played is not taken out: `go` lists the legal ones


def answer(line: str) -> str | None:
    """What to write after a line, or None."""
    word, *rest = line.split()
    if word == "hearts":  # the first line: hearts VERSION
        return "ready 1"
    if word == "round":  # round seat S passing P rules R seed N totals A B C D hand CARD...
        hand[:] = rest[rest.index("hand") + 1 :]
    if word == "pass":  # three cards for a neighbour: my highest
        return "pass " + " ".join(sorted(hand, key=lambda card: RANKS.index(card[1]))[-3:])
    if word == "go":  # go CARD...: my legal cards
        return "card " + min(rest, key=lambda card: RANKS.index(card[1]))
    return None  # passed, played, end: this engine does not care


for line in sys.stdin:
    if line.strip() == "quit":
        break
    if reply := answer(line):
        print(reply, flush=True)
