"""What results of duel and Hexapawn say: the best move so far, and the same values in drawings and pictures."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, duel, games, hexapawn

BADGE = "{http://www.w3.org/2000/svg}text[@text-anchor='middle'][@font-weight='bold']"
SMALL = st.builds(lambda n, seed: duel.random(n, rng=seed), st.integers(1, 7), st.integers(0, 10**9)) | st.builds(
    lambda rows, columns, seed: hexapawn.random(rows, columns, rng=seed),
    st.integers(3, 5), st.integers(3, 4), st.integers(0, 10**9),
)  # fmt: skip


@given(SMALL)
@settings(max_examples=150)
def test_result_drawing_and_picture_agree(position):
    """All values belong to the side to move, which every result names."""
    game = duel if isinstance(position, duel.Position) else hexapawn
    solution, analysis = game.solve(position), game.analyse(position)
    assert analysis.to_move == solution.to_move == position.to_move
    assert (solution.winner == position.to_move) == (solution.value > 0)
    if position.is_over:
        return
    *_, moves, line = position.draw(analysis, solution.line, color=False, symbols=False).splitlines()
    assert moves == f"moves  {'   '.join(map(str, analysis))}   (for {position.to_move})"
    assert line == "line   " + " ".join(solution.line)
    svg = position.picture(analysis).svg
    assert f"values for {position.to_move}" in svg
    badges = [element.text for element in ET.fromstring(svg).iterfind(f".//{BADGE}") if element.text[0] in "+-"]
    assert sorted(badges) == sorted(f"{entry.value:+d}" for entry in analysis)


@pytest.mark.parametrize(
    ("game", "options"),
    [("duel", {"n": 20}), ("duel", {"n": 26})]
    + [("hexapawn", {"rows": size, "columns": size, "plies": 4}) for size in (6, 7, 8)],
)
def test_the_best_move_so_far_beats_a_greedy_player(game, options):
    game, won = games()[game], 0
    greedy = game.players["greedy"].choose
    for number in range(4):
        for mine in game.sides:
            position = game.random(**{"plies": 0, **options}, rng=[number, *options.values()])
            while not position.is_over:
                if position.to_move == mine:
                    solution = game.solve(position, Limits(nodes=1000))
                    move = solution.best_move or solution.best_so_far
                else:
                    move = greedy(position, None, None).move
                position = position.play(move)
            won += position.winner == mine
    assert won >= 7
