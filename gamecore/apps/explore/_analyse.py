"""The searches behind the page's answers, as jobs of :class:`gamecore.apps.explore._searches.Searches`."""

import time
from typing import Any, Final

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import plain
from gamecore.apps.explore._estimates import Estimates
from gamecore.apps.explore._searches import Search
from gamecore.apps.explore._shown import Shown
from gamecore.errors import OptionError
from gamecore.game import Json
from gamecore.rng import generator
from gamecore.search import Refinement

_QUIET_SECONDS: Final = 0.15  # of a search, before playouts estimate what is not proven
_PORTION_SECONDS: Final = 0.2  # of playouts, after a step of a search
_PUZZLE_SECONDS: Final = 4.0
_PUZZLE_STEP: Final = 0.3
_LINES_SECONDS: Final = 1.0  # for lines of play after all values are known, where the limit leaves less


def _start(search: Search, shown: Shown, limits: Json) -> None:
    facts = {"id": search.id, "game": search.game, "position": search.position}
    search.emit("start", {**facts, "to_move": shown.position.to_move, "limits": limits})


def _end(search: Search, **more: Any) -> None:
    search.progress(always=True)
    search.finish("end", {"reason": "exact", **more, **search.effort()})


def values(search: Search, shown: Shown, seconds: float, table_mb: float) -> None:
    """Send the bounds of every legal move as they tighten; then the line after each move."""
    _start(search, shown, {"seconds": seconds, "table_mb": table_mb})
    deadline = time.perf_counter() + seconds
    try:
        refinement = shown.game.refine(shown.position, table_mb)
    except OptionError as error:  # there is nothing to search for: no mistake of the page
        search.emit("note", {"message": plain(str(error))})
        _end(search)
        return
    sent: Json = {}
    estimates = Estimates(shown.game, shown.position) if len(shown.game.sides) == 2 else None
    for analysis in refinement.steps(seconds):
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        data = shown.values(analysis)
        if data != sent:
            search.emit("values", data)
            sent = data
        search.progress()
        if (
            estimates
            and search.seconds > _QUIET_SECONDS
            and not analysis.exact
            and estimates.add(search, _PORTION_SECONDS)
        ):
            search.emit("estimates", {"playouts": estimates.playouts, "shares": estimates.shares})
    until = max(deadline, time.perf_counter() + _LINES_SECONDS)
    for entry in analysis:
        left = until - time.perf_counter()
        line = refinement.line(entry.move, left) if entry.exact and left > 0 else ()
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        if line:
            search.emit("line", {"move": entry.move, "line": list(line)})
    _end(search, reason="exact" if analysis.exact else "limit")


def puzzle(search: Search, shown: Shown, seed: int) -> None:
    """Find a random position with one best move, if possible one where no other move wins."""
    game, rng, choice = shown.game, generator(seed), None
    deadline = time.perf_counter() + _PUZZLE_SECONDS
    while time.perf_counter() < deadline and not search.stopped:
        position = game.random(rng=rng)
        if position.is_over or len(position.legal_moves()) < 2:
            continue
        analysis = game.refine(position).run(_PUZZLE_STEP)
        if not analysis.exact or len(analysis.best_moves) != 1:
            continue
        choice = shown.at(position), "find the best move"
        values = sorted(game.words.order(entry, position)[0] for entry in analysis)
        if values[-2] <= 0 < values[-1]:
            choice = shown.at(position), "find the only move that wins"
            break
    if choice is None:
        raise OptionError("no puzzle was found in time; ask again")
    search.finish("answer", {"task": f"{game.words.turn(choice[0].position)}; {choice[1]}", "view": choice[0].view()})


def refuted(search: Search, shown: Shown, move: str, seconds: float) -> None:
    """Send a move's value, the best move's value, and the line of play after each."""
    refinement = shown.game.refine(shown.position, _bounds.DEFAULT_TABLE_MB)
    analysis = refinement.run(seconds)
    data = {entry["move"]: entry for entry in shown.values(analysis)["moves"]}[move]
    entries = {entry.move: entry for entry in analysis}
    best = next((entry for entry in analysis if entry.move in analysis.best_moves), None)
    line = _line(refinement, analysis, move)
    answer = {
        "move": move,
        "value": shown.value(entries[move]),
        "best": best
        and {"move": best.move, "value": shown.value(best), "line": _line(refinement, analysis, best.move)},
        **{name: data[name] for name in ("cost", "cost_text", "verdict")},
        "line": line,
        "reply": line[1] if len(line) > 1 else None,
    }
    search.finish("answer", answer)


def _line(refinement: Refinement, analysis: Any, move: str) -> list[str]:
    exact = any(entry.exact and entry.move == move for entry in analysis)
    return list(refinement.line(move, _LINES_SECONDS)) if exact else []
