"""The searches behind the page's answers, as jobs of :class:`gamecore.apps.explore._searches.Searches`."""

import itertools
import time
from typing import Final

import numpy as np

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import plain
from gamecore.apps.explore._searches import Search
from gamecore.apps.explore._shown import Shown
from gamecore.contract import MoveValue, Playable
from gamecore.errors import OptionError
from gamecore.game import Game, Json, random_move
from gamecore.limits import Limits
from gamecore.rng import generator
from gamecore.search import Refinement

_QUIET_SECONDS: Final = 0.15  # of a search, before playouts estimate what is not proven
_PORTION_SECONDS: Final = 0.2  # of playouts, after a step of a search
_PLAYOUTS: Final = 1000  # of each move
_PLIES: Final = 500  # of a playout; a longer one counts as a draw, for a game with cycles may have no end
_PUZZLE_SECONDS: Final = 4.0
_PUZZLE_STEP: Final = 0.3
_PUZZLE_MOVES: Final = 4  # to choose among
_PUZZLE_TRIES: Final = 100
_LINES_SECONDS: Final = 1.0  # for lines of play after all values are known, where the limit leaves less


def values(search: Search, shown: Shown, seconds: float, table_mb: float) -> None:
    """Send the bounds of every legal move as they tighten; then the line after each move."""
    seconds = search.within(seconds)
    start: Json = {"id": search.id, "game": search.game, "position": search.position}
    start |= {"to_move": shown.position.to_move, "limits": {"seconds": seconds, "table_mb": table_mb}}
    search.emit("start", start)
    deadline = time.perf_counter() + seconds
    try:
        refinement = shown.game.refine(shown.position, table_mb)
    except OptionError as error:  # there is nothing to search for: no mistake of the page
        search.emit("note", {"message": plain(str(error))})
        _end(search, "exact")
        return
    sent: Json = {}
    estimates: Json = {"playouts": 0, "won": dict.fromkeys(shown.position.legal_moves(), 0.0), "rng": generator(0)}
    for analysis in refinement.steps(seconds):
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        data = shown.values(analysis)
        if data != sent:
            search.emit("values", data)
            sent = data
        search.progress()
        if search.seconds > _QUIET_SECONDS and not analysis.exact and len(shown.game.sides) == 2:
            _estimate(search, shown, estimates)
    until = max(deadline, time.perf_counter() + search.within(_LINES_SECONDS, 1 / 2))
    for entry in analysis:
        left = until - time.perf_counter()
        line = refinement.line(entry.move, left) if entry.exact and left > 0 else ()
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        if line:
            search.emit("line", {"move": entry.move, "line": list(line)})
    _end(search, "exact" if analysis.exact else "limit")


def _end(search: Search, reason: str) -> None:
    search.progress(always=True)
    search.finish("end", {"reason": reason, **search.effort()})


def _estimate(search: Search, shown: Shown, estimates: Json) -> None:
    """Play random games for some time; send the share that each move won, where a draw counts a half."""
    before, deadline = estimates["playouts"], time.perf_counter() + search.within(_PORTION_SECONDS, 1 / 4)
    won = estimates["won"]
    while estimates["playouts"] < _PLAYOUTS and time.perf_counter() < deadline and not search.stopped:
        for move in won:
            won[move] += _playout(shown, move, estimates["rng"])
        estimates["playouts"] += 1
    if estimates["playouts"] > before:
        count = estimates["playouts"]
        search.emit("estimates", {"playouts": count, "shares": {move: sum_ / count for move, sum_ in won.items()}})


def _playout(shown: Shown, move: str, rng: np.random.Generator) -> float:
    game, end = shown.game, shown.position.play(move)
    for _ in range(_PLIES):
        if end.is_over:
            value = _score(game, end, shown.position.to_move)
            return 1.0 if value > 0 else 0.5 if value == 0 else 0.0
        end = end.play(random_move(end, Limits(), rng).move)
    return 0.5


def puzzle(search: Search, shown: Shown, seed: int) -> None:
    """Find a random position with one best move among at least four, if possible one where no other move wins.

    Games that rarely have four moves get fewer after ``_PUZZLE_TRIES`` positions.
    """
    game, rng, choice, rank = shown.game, generator(seed), None, (1, True)
    deadline = time.perf_counter() + search.within(_PUZZLE_SECONDS, 4)
    for tries in itertools.count():
        if search.stopped or time.perf_counter() > deadline or (choice and tries > _PUZZLE_TRIES):
            break
        position = game.random(rng=rng)
        moves = min(len(position.legal_moves()), _PUZZLE_MOVES)
        if (moves, True) <= rank:
            continue
        analysis = game.refine(position).run(_PUZZLE_STEP)
        if not analysis.exact or len(analysis.best_moves) != 1:
            continue
        second, best = sorted(game.words.order(entry, position)[0] for entry in analysis)[-2:]
        wins = second <= 0 < best
        if (moves, wins) > rank:
            choice, rank = position, (moves, wins)
        if rank == (_PUZZLE_MOVES, True):
            break
    if choice is None:
        raise OptionError("no puzzle was found in time; ask again")
    task = "find the only move that wins" if rank[1] else "find the best move"
    search.finish("answer", {"task": f"{game.words.turn(choice)}; {task}", "view": shown.at(choice).view()})


def second(shown: Shown, best: str, seconds: float) -> str:
    """Return the best of the moves that are not best and let nobody win at once; ``best`` if there is none."""
    game, position = shown.game, shown.position
    analysis = game.refine(position, _bounds.DEFAULT_TABLE_MB).run(seconds)
    others = [entry for entry in analysis if entry.move not in (best, *analysis.best_moves)]
    for entry in sorted(others, key=lambda entry: game.words.order(entry, position), reverse=True):
        after = position.play(entry.move)
        ends = [end for end in (after, *map(after.play, after.legal_moves())) if end.is_over]
        if all(_score(game, end, position.to_move) >= 0 for end in ends):
            return str(entry.move)
    return best


def _score(game: Game, end: Playable, side: object) -> float:
    """Return the value of a finished game of two sides for one of them."""
    return game.words.order(game.solve(end), end)[0] * (1 if end.to_move == side else -1)


def refuted(search: Search, shown: Shown, move: str, seconds: float) -> None:
    """Send a move's value, the best move's value, and the line of play after each."""
    refinement = shown.game.refine(shown.position, _bounds.DEFAULT_TABLE_MB)
    analysis = refinement.run(search.within(seconds))
    data = {entry["move"]: entry for entry in shown.values(analysis)["moves"]}[move]
    entries = {entry.move: entry for entry in analysis}
    best = next((entry for entry in analysis if entry.move in analysis.best_moves), None)
    most = search.within(_LINES_SECONDS)
    line = _line(refinement, entries[move], most)
    answer = {
        "move": move,
        "value": shown.value(entries[move]),
        "best": best and {"move": best.move, "value": shown.value(best), "line": _line(refinement, best, most)},
        **{name: data[name] for name in ("cost", "cost_text", "verdict")},
        "line": line,
        "reply": line[1] if len(line) > 1 else None,
    }
    search.finish("answer", answer)


def solved(search: Search, shown: Shown, seconds: float) -> None:
    """Send every field of the position's solution by its name, as ``to_dict`` has them."""
    limits = Limits(seconds=search.within(seconds), table_mb=_bounds.DEFAULT_TABLE_MB)
    search.finish("answer", {"fields": shown.game.solve(shown.position, limits).to_dict()})


def _line(refinement: Refinement, entry: MoveValue[float], seconds: float) -> list[str]:
    return list(refinement.line(entry.move, seconds)) if entry.exact else []
