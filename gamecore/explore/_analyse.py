"""The searches behind the page's streams, as jobs of :class:`gamecore.explore._searches.Searches`."""

import math
import time
from collections.abc import Iterator
from typing import Any, Final

from gamecore.errors import OptionError
from gamecore.explore import _bounds
from gamecore.explore._errors import plain
from gamecore.explore._explorer import Explorer, Json, Refinement, count_of
from gamecore.explore._searches import Search
from gamecore.hearts import Round
from gamecore.hearts._outlook import Decision, Outlook, Prospect, marginals, passes, review

_LINES_SECONDS: Final = 1.0  # for the lines of play after all values are known, where the limit leaves less
_SURE: Final = 2.0  # standard errors
_FIRST_PORTION: Final = 50  # playouts
_PORTION_SECONDS: Final = 0.1


def _start(search: Search, position: Any, **limits: Any) -> None:
    search.emit(
        "start",
        {
            "id": search.id,
            "game": search.game,
            "position": search.position,
            "to_move": position.to_move,
            "limits": limits,
        },
    )


def _end(search: Search, reason: str, **more: Any) -> None:
    search.progress(always=True)
    search.finish("end", {"reason": reason, **search.effort(), **more})


# --- values of moves -------------------------------------------------------------------------------------------------


def values(search: Search, explorer: Explorer, position: Any, seconds: float, table_mb: float) -> None:
    """Every legal move's value, tightening; then the line that each leads to."""
    _start(search, position, seconds=seconds, table_mb=table_mb)
    deadline = time.perf_counter() + seconds
    try:
        refinement = explorer.refinement(position, table_mb)
    except OptionError as error:  # there is nothing to be solved, and that is no mistake of the page's
        search.emit("note", {"message": plain(str(error))})
        _end(search, "exact")
        return
    told: Json = {}
    for number, analysis in enumerate(explorer.steps(refinement, seconds), 1):
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        data = explorer.values(position, analysis)
        if data != told:
            search.emit("values", data)
            told = data
        search.progress(round=number)
    until = max(deadline, time.perf_counter() + _LINES_SECONDS)
    for entry in analysis:
        left = until - time.perf_counter()
        line = refinement.line(entry.move, left) if entry.exact and left > 0 else ()
        search.nodes, search.table_bytes = refinement.nodes, refinement.table_bytes
        if search.stopped:
            return
        if line:
            search.emit("line", {"move": entry.move, "line": list(line)})
    _end(search, "exact" if analysis.exact else "limit")


def refuted(search: Search, explorer: Explorer, position: Any, move: str, seconds: float) -> None:
    """What is wrong with a move: its value, the best one's, and how the other side answers."""
    refinement = explorer.refinement(position, _bounds.DEFAULT_TABLE_MB)
    analysis = explorer.analysed(refinement, seconds)
    data = {entry["move"]: entry for entry in explorer.values(position, analysis)["moves"]}[move]
    best = next((one for one in analysis if one.move in analysis.best_moves), None)
    line = _line(refinement, analysis, move)
    answer = {
        "move": move,
        "value": {name: data[name] for name in ("lower", "upper", "exact", "value", "text", "words")},
        "best": best
        and {
            "move": best.move,
            "value": explorer.value(best, position),
            "line": _line(refinement, analysis, best.move),
        },
        "cost": data["cost"],
        "cost_text": data["cost_text"],
        "verdict": data["verdict"],
        "line": line,
        "reply": line[1] if len(line) > 1 else None,
    }
    search.finish("answer", answer)


def _line(refinement: Refinement, analysis: Any, move: str) -> list[str]:
    exact = any(entry.exact and entry.move == move for entry in analysis)
    return list(refinement.line(move, _LINES_SECONDS)) if exact else []


# --- hearts: what a seat can know ------------------------------------------------------------------------------------


def outlook(search: Search, round_: Round, seat: int, seconds: float, playouts: int, policy: str, seed: int) -> None:
    """What playouts say of a seat's cards, with their distributions, and who may hold the unseen cards."""
    _start(search, round_, seconds=seconds, playouts=playouts)
    deadline = time.perf_counter() + seconds
    worlds = _FIRST_PORTION * 4
    search.emit("marginals", marginals_data(round_, seat, worlds, seed))
    judged = None
    if not round_.is_over and not round_.passing_seats and round_.to_move == seat:
        judged = Outlook(round_, policy, seed)
        portion = _FIRST_PORTION
        while judged.worlds < playouts and time.perf_counter() < deadline and not search.stopped:
            begun = time.perf_counter()
            judged.add(min(portion, playouts - judged.worlds))
            search.nodes = judged.worlds * len(judged.moves)
            if judged.worlds:
                search.emit("outlook", outlook_data(judged, policy))
            search.progress(worlds=judged.worlds)
            if time.perf_counter() - begun < _PORTION_SECONDS:
                portion *= 2
    if not search.stopped:
        search.emit("marginals", marginals_data(round_, seat, 10 * worlds, seed))
        _end(search, "limit" if judged is not None else "exact")


def outlook_data(judged: Outlook, policy: str) -> Json:
    """The data of an event ``outlook``."""
    return {"moves": [_prospect(one) for one in judged.prospects()], "playouts": judged.worlds, "policy": policy}


def _prospect(one: Prospect) -> Json:
    histogram = [[points, count, *_share(count, one.playouts)] for points, count in one.histogram]
    sure = one.behind > _SURE * one.behind_stderr and one.playouts > 1
    return {
        "move": one.move,
        "mean": one.mean,
        "stderr": _finite(one.stderr),
        "playouts": one.playouts,
        "text": f"{one.mean:.2f}",
        "words": f"{one.mean:.2f} points on average, give or take {one.stderr:.2f}",
        "histogram": histogram,
        "verdict": "best" if one.behind == 0 else "wrong" if sure else "open",
        "cost": one.behind,
        "cost_stderr": _finite(one.behind_stderr),
        "cost_text": "best" if one.behind == 0 else _cost_text(one),
    }


def _cost_text(one: Prospect) -> str:
    return f"costs {one.behind:.2f} points, give or take {one.behind_stderr:.2f}"


def _share(count: int, playouts: int) -> tuple[float, float]:
    share = count / playouts
    return round(share, 6), round((share * (1 - share) / playouts) ** 0.5, 6)


def _finite(number: float) -> float | None:
    return None if math.isnan(number) else number


def marginals_data(round_: Round, seat: int, worlds: int, seed: int) -> Json:
    """The data of an event ``marginals``."""
    found = marginals(round_, seat, worlds, seed)
    cards = [
        {
            "card": card,
            "seats": list(chances),
            "stderr": list(found.stderr(card)),
            "known": chances.index(1.0) if 1.0 in chances else None,
        }
        for card, chances in found.cards.items()
    ]
    return {"seat": seat, "worlds": found.worlds, "cards": cards}


def reviewed(search: Search, explorer: Explorer, round_: Round, seat: int | None, playouts: int, seed: int) -> None:
    """The decisions of a round, one by one, and which of them cost most; of one seat, its own."""
    _start(search, round_, playouts=playouts)
    costs: list[tuple[float, int]] = []
    for number, decision in enumerate(_decisions(search, round_, seat, playouts, seed), 1):
        search.nodes += playouts * len(decision.prospects)
        search.emit("decision", _decision(number, decision, explorer.text(decision.position, seat)))
        search.progress(ply=decision.ply)
        costs.append((-decision.chosen.behind, number))
    if not search.stopped:
        _end(search, "exact", order=[number for _, number in sorted(costs)])


def _decisions(search: Search, round_: Round, seat: int | None, playouts: int, seed: int) -> Iterator[Decision]:
    for decision in review(round_, playouts, seed=seed):
        if search.stopped:
            return
        if seat in (None, decision.seat):
            yield decision


def _decision(number: int, decision: Decision, position: str) -> Json:
    best, chosen = decision.prospects[0], decision.chosen
    options = [{"move": one.move, "mean": one.mean, "stderr": _finite(one.stderr)} for one in decision.prospects]
    data = _prospect(chosen)
    return {
        "number": number,
        "ply": decision.ply,
        "trick": decision.trick,
        "seat": decision.seat,
        "played": decision.played,
        "best": best.move,
        "mean_played": chosen.mean,
        "mean_best": best.mean,
        "cost": chosen.behind,
        "stderr": _finite(chosen.behind_stderr),
        "verdict": data["verdict"],
        "cost_text": data["cost_text"],
        "position": position,
        "options": options,
    }


def passing(search: Search, round_: Round, seat: int, playouts: int, seed: int) -> None:
    """Which three cards to pass on."""
    _start(search, round_, playouts=playouts)
    greedy = "-".join(round_.ask_pass(seat, "greedy"))
    for known in passes(round_, seat, playouts, seed):
        if search.stopped:
            return
        search.nodes = sum(one.playouts for one in known)
        candidates = [
            {
                "move": one.move,
                "cards": one.move.split("-"),
                "mean": one.mean,
                "stderr": _finite(one.stderr),
                "playouts": one.playouts,
                "text": f"{one.mean:.2f}",
                "words": f"{count_of(round(one.mean, 2), 'point')} on average",
            }
            for one in known
        ]
        search.emit("candidates", {"candidates": candidates, "greedy": greedy})
        search.progress()
    if not search.stopped:
        _end(search, "limit")
