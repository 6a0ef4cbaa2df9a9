"""``gamecore duel``: the judge's two lines."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

from gamecore.cli.games import GameCommand
from gamecore.duel import Position, Solution
from gamecore.duel._solve import DEFAULT_TABLE_MB


class DuelCommand(GameCommand[Position, Solution]):
    """``gamecore duel``: the judge's two lines."""

    table_mb = DEFAULT_TABLE_MB
    accepts = ("the notation ALICE:BOB:MOVER:LAST", "the judge's text: n, then a line with each hand")
    help = """\
input, as many deals as you like:      output for each, the judge's two lines:
  3                                      Alice
  DQ H2 HA                               9
  H3 D6 S3

or one position as an argument: hands, side to move (A or B) and the card to
match (- for none):
  gamecore duel DQH2:D6S3:A:H3

A card is its suit (C D H S) and its number (A 2-9 T J Q K). The two lines are
the winner and the points that the loser pays. Values belong to the side to
move, which is named beside them. After a limit the two lines are the winner
and LOW..HIGH points, or ? and bounds of the value if the winner is unknown.

17 cards each take up to 0.6 s, 20 up to 8 s, 23 up to 70 s. The whole deck (26)
needs --table-mb 8192 --threads 2: of seven deals, five took 30 s to 16 minutes
of one thread, two were open after 22 and 49 minutes.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line --analyse"""

    def answer(self, position: Position, solution: Solution) -> str:
        if solution.exact:
            return f"{solution.winner}\n{solution.points}"
        if solution.winner:
            low, high = sorted((abs(solution.lower), abs(solution.upper)))
            return f"{solution.winner}\n{low}..{high}"
        return f"?\n{self.game.words.short(solution)} for {solution.to_move}"


PART = DuelCommand
