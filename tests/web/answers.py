"""Answers of all games as plain values, on what works without NumPy; run as a program, it prints them as JSON."""

import json
import sys

from gamecore import Limits, duel, hearts, hexapawn, rows
from gamecore.explore._api import Api
from gamecore.game import games

ROWS = ("optimal:me:0:0:5,7,9,1,4,2", "greedy-left:opponent:3:1:7,2,9,7", "greedy:me:0.0:0.0:0.1,0.7,1e+16,-0.5,0.3")
PANELS = {"table": {}, "cell": {"i": 1, "j": 3}, "opponents": {}, "counts": {}}


def answers():
    """Everything, by what it was asked for."""
    found = {}
    for name, game in games().items():
        for seed in range(4):
            found[f"{name} {seed}"] = game.random(rng=seed).to_text()
    for game, position in ((duel, duel.deal(6, rng=1)), (hexapawn, hexapawn.Position.start(4, 5))):
        found[game.__name__] = [game.solve(position).value, [(one.move, one.value) for one in game.analyse(position)]]
    for text in (*ROWS, *(one.replace("greedy-left", "cooperative").replace("greedy", "optimal") for one in ROWS)):
        solved = rows.solve(text)
        moves = [(one.move, one.value) for one in rows.analyse(text)]
        found[text] = [solved.value, solved.line, solved.best_moves, solved.nodes, moves]
        cut = rows.solve(rows.Position([1.5, 2.25] * 30, rows.Position.from_text(text).opponent), Limits(nodes=1))
        found[f"{text} cut off"] = [cut.lower, cut.upper]
        for panel, options in PANELS.items():
            body = {"game": "rows", "position": text, "panel": panel, "seconds": 1, "options": options}
            found[f"{text} {panel}"] = Api().call("/api/panel", body, "test")
    found["rows.play"] = [rows.play([5, 7, 9, 1], opponent=one).line for one in ("greedy", "dp")]
    round_ = hearts.Round.deal(rng=3)
    for player in ("greedy", "linear", "search:20"):
        found[f"hearts {player}"] = round_.ask(player)
    round_ = hearts.Round.deal(rng=7, passing="hold")
    for _ in range(17):
        round_ = round_.play(round_.legal_moves()[len(round_.legal_moves()) // 2])
    for policy in ("random", "greedy", "duck", "linear"):  # so many playouts that the watch reads the clock
        evaluated = hearts.evaluate_moves(round_.view(round_.to_move), playouts=1000, rng=2, policy=policy)
        found[f"evaluate_moves {policy}"] = [(one.move, one.mean) for one in evaluated]
    found["hello"] = [one | {"start": ""} for one in Api().call("/api/hello", {}, "test")["games"]]  # sealed by chance
    for name, game in games().items():
        body = {"game": name, "position": game.example, "width": 400}
        found[f"{name} picture"] = Api().call("/api/picture", body, "test")
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answers()))
