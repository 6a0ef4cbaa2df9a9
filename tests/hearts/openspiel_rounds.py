"""Replay of the engine's random rounds in OpenSpiel's hearts: same players, legal cards and returns at every step."""

from gamecore import kernels

FLAGS = (  # in the order of the kernel's bits
    "no_pts_on_first_trick", "can_lead_any_club", "must_break_hearts", "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs", "jd_bonus", "avoid_all_tricks_bonus",
)  # fmt: skip
CARDS_OF_BYTE = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]


def cards_of(mask):
    """Indices of the set bits, lowest first."""
    return [8 * place + bit for place in range(7) for bit in CARDS_OF_BYTE[mask >> (8 * place) & 255]]


def load_game(pyspiel, bits):
    flags = ",".join(f"{name}={'true' if bits >> place & 1 else 'false'}" for place, name in enumerate(FLAGS))
    return pyspiel.load_game(f"hearts({flags})")


def replay(game, bits, direction, rounds, seed, level=None):
    """Steps that were compared; an AssertionError names the round that differs."""
    kernel = kernels.kernel("hearts", level)
    steps = 0
    for index in range(rounds):
        hands, passed, seats, cards, masks, points = kernel.trace(seed, index, bits, direction)
        state = game.new_initial_state()
        apply, legal = state.apply_action, state.legal_actions
        apply(direction)
        for column in zip(*map(cards_of, hands), strict=True):
            for card in column:
                apply(card)
        if direction:
            for seat in range(4):
                for card in cards_of(passed[seat]):
                    apply(card)
        for seat, card, mask in zip(seats, cards, masks, strict=True):
            assert state.current_player() == seat, (bits, direction, index)
            assert sum([1 << one for one in legal()]) == mask, (bits, direction, index)
            apply(card)
        assert state.is_terminal()
        assert [26 - got for got in state.returns()] == list(points), (bits, direction, index)
        steps += 52
    return steps
