"""A match to 100 points: :func:`match`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gamecore.batch.stream import hand_over
from gamecore.hearts._players import AnyPlayer, players_of
from gamecore.hearts._rules import SEATS, Rules, check_count, check_rules
from gamecore.hearts._simulate import PlayedRounds
from gamecore.hearts._tables import Tally, Work, names_of, play_round, play_rounds
from gamecore.rng import seed_of

if TYPE_CHECKING:
    from gamecore.rng import Rng


@dataclass(frozen=True, eq=False)
class Match(PlayedRounds):
    """A match that was played to its end: its rounds, in order."""

    FIELDS: ClassVar[tuple[str, ...]] = ("players", "rounds", "seed", "rules", "points", "totals", "winners")

    @property
    def totals(self) -> tuple[int, ...]:
        """Final score of the four seats."""
        return tuple(int(total) for total in self.points.sum(axis=0, dtype=np.int64))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the fewest points: more than one when they are level."""
        totals = self.totals
        return tuple(seat for seat in SEATS if totals[seat] == min(totals))

    def summary(self) -> str:
        """The running score, a line a round, and who won."""
        width = max(6, *(len(name) for name in self.players))
        cycle = self.rules.cycle if self.rules.pass_cards else ("hold",)
        lines = [" round passing  " + " ".join(f"{name:>{width}}" for name in self.players)]
        for number, totals in enumerate(np.cumsum(self.points, axis=0, dtype=np.int64).tolist()):
            scores = " ".join(f"{total:>{width}}" for total in totals)
            lines.append(f"{number + 1:>6} {cycle[number % len(cycle)]:<8} {scores}")
        lines.append(self._won_by())
        return "\n".join(lines)

    def _won_by(self) -> str:
        return "won by " + " and ".join(f"seat {seat} ({self.players[seat]})" for seat in self.winners)

    def _repr_html_(self) -> str:
        """The running score as a table, for notebooks."""
        from gamecore.draw.html import table

        totals = np.cumsum(self.points, axis=0, dtype=np.int64).tolist()
        lines = [(number, *line) for number, line in enumerate(totals, start=1)]
        return table(("round", *self.players), lines, self._won_by())


def match(
    players: Sequence[AnyPlayer], rng: "Rng" = None, *, rules: Rules | None = None, max_rounds: int = 10_000
) -> Match:
    """Play rounds, passing as ``rules.cycle`` says, until a seat has ``rules.match_points``; fewest points win.

    Its rounds are the first ones of ``simulate(players, rng=rng, rules=rules, passing="cycle")``.

    Args:
        players, rng, rules: as in :func:`simulate`.
        max_rounds: the match ends there in any case.

    Raises:
        OptionError, PlayerError: as in :func:`simulate`; the error's ``partial`` (and that of a KeyboardInterrupt) is
            the Match of the rounds finished before.
    """
    table, rules = players_of(players), check_rules(rules)
    check_count("max_rounds", max_rounds, 1, 1_000_000)
    work = Work(table, seed_of(rng), rules, rules.directions("cycle"))
    points = np.empty((max_rounds, 4), np.int8)
    totals = np.zeros(4, np.int64)
    played = 0

    def result() -> Match:
        return Match(points[:played].copy(), names_of(table), work.seed, rules)

    try:
        while played < max_rounds and totals.max() < rules.match_points:
            if work.built_in:
                play_rounds(work.call, points[played : played + 1], played)
            else:
                points[played] = play_round(work, played, Tally(), tuple(totals.tolist()))
            totals += points[played]
            played += 1
    except BaseException as error:
        hand_over(error, result)
        raise
    return result()
