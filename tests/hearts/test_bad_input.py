"""What the functions of hearts refuse, by the name of the argument."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hearts.strange_players import Uncopied  # pytest's pythonpath has the folder of tests

from gamecore import GamecoreError, OptionError, ParseError, hearts
from gamecore.reference.hearts import DECK

DEALT = [DECK[seat::4] for seat in range(4)]
UNPASSED = hearts.Round.deal(7, passing="left", passer=None)
ROUND = hearts.Round.deal(7)
VIEW = ROUND.view(ROUND.to_move)
END = hearts.random("hold", rng=4, plies=36)
DUCKS, DATA = ["duck"] * 4, ROUND.to_dict()

# By function: its arguments (positional ones in a tuple, or named ones), and what the error says.
REFUSED = {
    hearts.Rules: [
        ({"jack_of_diamonds": 1}, "jack_of_diamonds"), ({"moon": "nobody"}, "moon"), ({"cycle": ("up",)}, "passing"),
        ({"cycle": ()}, "cycle"), ({"match_points": 0}, "match_points"),
    ],
    hearts.Round: [
        (([["C2"]] * 4,), "13 cards"), (([DECK[:13]] * 4,), "two hands"), (("C2",), "4 lists"), (([7] * 4,), "4 lists"),
        ({"passing": "left", "passed": [7] * 4}, "pass 3 cards, not 7"), ({"passed": "C2"}, "four seats"),
        ({"played": 7}, "list of cards"), ({"played": ["C3"]}, "cannot play C3"), ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"), ({"index": 1.5}, "index"),
    ],
    hearts.Round.deal: [
        ({"passing": "up"}, "'up'"), ((7, hearts.Rules(pass_cards=False), "left"), "pass_cards"), ((-1,), "rng"),
        ({"rules": "none"}, "rules"), ({"index": -1}, "index"),
    ],
    hearts.Round.from_dict: [
        (({**DATA, **change},), "a round of hearts|rules of hearts")
        for change in (
            {"dealt": [["C2"]] * 4}, {"rules": {"moon": 1}}, {"passed": [1, 2, 3, 4]}, {"seed": 1.0}, {"index": True}
        )
    ],
    hearts.Rules.from_dict: [
        (({**DATA["rules"], **change},), "rules of hearts")
        for change in ({"moon": "me"}, {"cycle": [1]}, {"cycle": []}, {"pass_cards": 1}, {"match_points": 0}, {"x": 1})
    ],
    hearts.random: [(("up",), "'up'")],
    ROUND.view: [((5,), "seat")],
    hearts.simulate: [
        ((DUCKS[1:],), "4 players, not 3"), (([*DUCKS, "duck"],), "4 players, not 5"), (("greedy",), "4 players"),
        ((None,), "list of 4 players"), (([*DUCKS[1:], "gready"],), "unknown player 'gready'"),
        (([*DUCKS[1:], 7],), "not 7"), ({"rounds": -1}, "rounds"), ({"rounds": 1.5}, "rounds"),
        ({"workers": 0}, "workers"), ({"first": -1}, "first"), ({"passing": "up"}, "passing"),
        ({"rng": "seven"}, "rng"), ({"rules": {}}, "rules"),
    ],
    hearts.compare: [
        ({"players": "duck"}, "players must be a list"), ({"players": []}, "players must be a list"),
        ({"players": ["duck", "duck"]}, r"players\[1\]: duck stands twice"), ({"players": ["duck", 7]}, "not 7"),
        ({"field": ["duck"]}, "field must be"), ({"field": "nobody"}, "nobody"), ({"field": 7}, "field must be"),
        ({"rounds": -1}, "rounds"), ({"first": "x"}, "first"), ({"workers": 0}, "workers"), ({"rules": 1}, "rules"),
        ({"passing": "up"}, "passing"),
        ({"players": [Uncopied()], "executor": ThreadPoolExecutor(1)}, r"players\[0\], Uncopied, cannot be copied"),
        ({"players": ["duck", Uncopied()], "workers": 2}, "Uncopied, cannot be sent to another process: TypeError"),
    ],
    hearts.solve: [
        ({"method": "best"}, "method"), ((ROUND.view(0),), "Round"), ((UNPASSED,), "have to pass cards first"),
    ],
    hearts.analyse: [({"method": []}, "method")],
    hearts.solve_many: [({"method": "best"}, "method")],
    hearts.evaluate_moves: [
        ((ROUND,), "View"), ((ROUND.view((ROUND.to_move + 1) % 4),), "no move"), ({"playouts": 0}, "playouts"),
        ({"policy": "bold"}, "policy"), ((UNPASSED.view(0),), "still being passed"),
        ((replace(VIEW, hand=VIEW.hand[1:]),), "cards do not add up"),
        ((replace(VIEW, trick=((1, "C2"), (2, "C3"))),), "contradicts itself"),
    ],
    hearts.player: [
        (("linear:5",), "no option 'playouts'"), (("linear:infer=2",), "no option 'infer'"),
        (("linear:policy=duck",), "no option 'policy'"), (("search:0",), "playouts must be a whole number from 1"),
        (("search:5ms:infer=65",), "infer"), (("search:-1ms",), "seconds"),
        (("search:xms",), "seconds must be a number, not 'x'"), (("search:5ms:seconds=3",), "given twice"),
        (("search:222:seconds=1",), r"search has playouts \(222\) or seconds \(1\), not both"),
        (("search:10:duck",), "no option 'policy'"), (("pimc:10:linear:epsilon=0.1",), "epsilon must be 0"),
        (("nobody",), "unknown player"), (("greedy:5",), "no option 'playouts'"), (("pimc:0",), "playouts"),
        (("pimc:x",), "playouts must be a number"), (("pimc:5:playouts=7",), "given twice"),
        (("pimc:5:bold",), "unknown policy 'bold'"), (("pimc:5:duck:7",), "too much"),
        (("pimc:5:depth=7",), "no option 'depth'"), (("pimc:5:solve_at=7",), "no option 'solve_at'"),
        (("pimc:5:epsilon=2",), "epsilon"), (("ismcts:0",), "playouts"), (("ismcts:5:max",), "policy"),
        (("ismcts:5:solve_at=4",), "solve_at"),
        (("search:2:passes=luck",), "passes must be one of playouts, danger, not 'luck'"),
    ],
}  # fmt: skip
GOOD = {
    hearts.Round: {"dealt": DEALT}, hearts.Round.deal: {"rng": 7}, hearts.simulate: {"players": DUCKS, "rounds": 5},
    hearts.compare: {"players": ["duck", "greedy"], "rounds": 5}, hearts.solve: {"position": END},
    hearts.analyse: {"position": END}, hearts.solve_many: {"positions": [END]}, hearts.evaluate_moves: {"view": VIEW},
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "arguments", "message"), [(call, *case) for call, cases in REFUSED.items() for case in cases]
)
def test_bad_input(call, arguments, message):
    kinds = {
        hearts.simulate: OptionError, hearts.compare: OptionError, hearts.Round.from_dict: ParseError,
        hearts.Rules.from_dict: ParseError,
    }  # fmt: skip
    with pytest.raises(kinds.get(call, GamecoreError), match=message):
        call(*arguments) if isinstance(arguments, tuple) else call(**{**GOOD.get(call, {}), **arguments})
