"""Panels of the page for a round, from the view of one seat or with all hands open."""

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gamecore.batch import is_cancelled
from gamecore.game import Json, Option, Panel
from gamecore.hearts._outlook import Decision, Outlook, Prospect, marginals, passes, review
from gamecore.hearts._players import POLICIES
from gamecore.hearts._position import Round

Events = Iterator[tuple[str, Json]]

_SURE: Final = 2.0  # standard errors
_FIRST_PORTION: Final = 50  # playouts
_PORTION_SECONDS: Final = 0.1


# --- positions -------------------------------------------------------------------------------------------------------


def python(position: Round, seat: int | None) -> str:
    """Return Python code that prints the answers, for one seat or with all hands open."""
    if seat is None:
        lines = ["from gamecore import Limits, hearts", ""]
        lines.append(f'round_ = hearts.Round.from_text("{position.to_text()}")')
        lines.append("print(hearts.analyse(round_, Limits(seconds=5)))")
    else:
        lines = ["from gamecore import hearts", "from gamecore.hearts import Rules, Trick, View", ""]
        lines += [f"view = {position.view(seat)!r}", "print(view.draw())"]
        if _plays(position, seat):
            lines.append('print(*hearts.evaluate_moves(view, playouts=1000, rng=0), sep="\\n")')
    return "\n".join(lines) + "\n"


def _plays(position: Round, seat: int) -> bool:
    """Return True if a seat has a card to play now."""
    return not position.is_over and not position.passing_seats and position.to_move == seat


# --- a decision ------------------------------------------------------------------------------------------------------


def outlook(position: Round, seat: int, seconds: float, *, playouts: int, policy: str, seed: int) -> Events:
    """Yield estimates of a seat's cards with distributions, and the chances of the unseen cards' holders."""
    deadline = time.perf_counter() + seconds
    worlds = _FIRST_PORTION * 4
    yield "marginals", _marginals(position, seat, worlds, seed)
    plays = _plays(position, seat)
    if plays:
        judged, portion = Outlook(position, policy, seed), _FIRST_PORTION
        while judged.worlds < playouts and time.perf_counter() < deadline and not is_cancelled():
            begun = time.perf_counter()
            judged.add(min(portion, playouts - judged.worlds))
            if judged.worlds:
                moves = [_prospect(one) for one in judged.prospects()]
                yield "outlook", {"moves": moves, "playouts": judged.worlds, "policy": policy}
            yield "progress", {"nodes": judged.worlds * len(judged.moves), "worlds": judged.worlds}
            if time.perf_counter() - begun < _PORTION_SECONDS:
                portion *= 2
    if not is_cancelled():
        yield "marginals", _marginals(position, seat, 10 * worlds, seed)
        done = judged.worlds >= playouts if plays else True
        yield "end", {"reason": "chances" if not plays else "playouts" if done else "limit"}


def _marginals(position: Round, seat: int, worlds: int, seed: int) -> Json:
    found = marginals(position, seat, worlds, seed)
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


def _prospect(one: Prospect) -> Json:
    histogram = [[points, count, *_share(count, one.playouts)] for points, count in one.histogram]
    sure = one.behind > _SURE * one.behind_stderr and one.playouts > 1
    cost = f"costs {one.behind:.2f} points, give or take {one.behind_stderr:.2f}"
    return {
        **_mean(one),
        "playouts": one.playouts,
        "text": f"{one.mean:.2f}",
        "words": f"{one.mean:.2f} points on average, give or take {one.stderr:.2f}",
        "histogram": histogram,
        "verdict": "best" if one.behind == 0 else "wrong" if sure else "open",
        "cost": one.behind,
        "cost_stderr": _finite(one.behind_stderr),
        "cost_text": "best" if one.behind == 0 else cost,
    }


def _mean(one: Any) -> Json:
    return {"move": one.move, "mean": one.mean, "stderr": _finite(one.stderr)}


def _share(count: int, playouts: int) -> tuple[float, float]:
    share = count / playouts
    return round(share, 6), round((share * (1 - share) / playouts) ** 0.5, 6)


def _finite(number: float) -> float | None:
    return None if math.isnan(number) else number


# --- a round in review -----------------------------------------------------------------------------------------------


def reviewed(position: Round, seat: int | None, seconds: float, *, playouts: int, seed: int) -> Events:
    """Yield the decisions of a round (of one seat, or of all), then their order by cost."""
    costs: list[tuple[float, int]] = []
    nodes = 0
    for decision in review(position, playouts, seed=seed):
        if is_cancelled():
            return
        if seat in (None, decision.seat):
            number, nodes = len(costs) + 1, nodes + playouts * len(decision.prospects)
            yield "decision", _decision(number, decision)
            yield "progress", {"nodes": nodes, "ply": decision.ply}
            costs.append((-decision.chosen.behind, number))
    yield "end", {"order": [number for _, number in sorted(costs)]}


def _decision(number: int, decision: Decision) -> Json:
    best, chosen = decision.prospects[0], decision.chosen
    judged = _prospect(chosen)
    return {
        "number": number,
        "ply": decision.ply,
        "trick": decision.trick,
        "seat": decision.seat,
        "played": decision.played,
        "best": best.move,
        "mean_played": chosen.mean,
        "mean_best": best.mean,
        "stderr": judged["cost_stderr"],
        **{name: judged[name] for name in ("verdict", "cost", "cost_text")},
        "position": decision.position,
        "options": [_mean(one) for one in decision.prospects],
    }


# --- passing ---------------------------------------------------------------------------------------------------------


def passing(position: Round, seat: int | None, seconds: float, *, playouts: int, seed: int) -> Events:
    """Yield sets of three cards to pass, best first; with all hands open for the seat to move."""
    seat = position.to_move if seat is None else seat
    greedy = "-".join(position.ask_pass(seat, "greedy"))
    for known in passes(position, seat, playouts, seed):
        candidates = [
            {
                **_mean(one),
                "cards": one.move.split("-"),
                "playouts": one.playouts,
                "text": f"{one.mean:.2f}",
                "words": f"{one.mean:.2f} points on average",
            }
            for one in known
        ]
        yield "candidates", {"candidates": candidates, "greedy": greedy}
        yield "progress", {"nodes": sum(one.playouts for one in known)}
    yield "end", {"reason": "limit"}


def _passes(position: Round, seat: int | None) -> bool:
    return bool(position.passing_seats) if seat is None else seat in position.passing_seats


_SEED: Final = Option("seed", "Seed", 0, 0, (1 << 31) - 1)
PANELS: Final[Mapping[str, Panel]] = {
    "outlook": Panel(
        "Points by card",
        outlook,
        (
            Option("playouts", "Playouts", 10_000, 1, 100_000),
            Option("policy", "Policy of all seats", "greedy", choices=tuple(POLICIES)),
            _SEED,
        ),
        stream=True,
        applies=lambda position, seat: seat is not None,
    ),
    "review": Panel(
        "Review",
        reviewed,
        (Option("playouts", "Playouts", 200, 2, 2000), _SEED),
        stream=True,
        applies=lambda position, seat: bool(position.played),
    ),
    "passing": Panel(
        "Passing",
        passing,
        (Option("playouts", "Playouts", 400, 2, 5000), _SEED),
        stream=True,
        applies=_passes,
    ),
}
