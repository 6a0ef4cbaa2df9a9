"""What a numba user would write: the sources' algorithms over integers, compiled by numba.

Rows are int64 arrays; a hand of the duel is a 52-bit integer (bit 4 * rank + suit); a Hexapawn board is two integers,
the mover's pawns and the other's, with the mover always moving up.
"""

import numba
import numpy as np


def against(is_greedy):
    """Return what computes my total in O(n^2) with one rolling array: ``is_greedy`` is a constant when it compiles."""

    @numba.njit
    def mine(row):
        n = len(row)
        best = row.copy()
        if n % 2 == 0:
            for i in range(n - 1):
                best[i] = max(row[i], row[i + 1])
        for length in range(2 - n % 2, n, 2):
            for i in range(n - length - 1):
                j = i + length + 1
                if is_greedy:
                    left = best[i + 2] if row[i + 1] > row[j] else best[i + 1]
                    right = best[i + 1] if row[i] > row[j - 1] else best[i]
                else:
                    left, right = max(best[i + 2], best[i + 1]), max(best[i + 1], best[i])
                best[i] = max(row[i] + left, row[j] + right)
        return best[0]

    return mine


greedy, cooperative = (
    against(True),
    against(False),
)  # the opponent takes the larger end (a tie: the right one), or helps


@numba.njit
def greedy_decks(decks):
    """:func:`greedy` for each row of a batch."""
    mine = np.empty(len(decks), np.int64)
    for k in range(len(decks)):
        mine[k] = greedy(decks[k])
    return mine


@numba.njit
def optimal(row):
    """The difference when both maximise, by folding a <= b >= c into a - b + c; O(n)."""
    stack = np.empty_like(row)
    top = 0
    for value in row:
        while top >= 2 and stack[top - 2] <= stack[top - 1] and stack[top - 1] >= value:
            value = stack[top - 2] - stack[top - 1] + value
            top -= 2
        stack[top] = value
        top += 1
    low, high, difference, sign = 0, top - 1, 0, 1
    while low <= high:
        if stack[low] >= stack[high]:
            difference += sign * stack[low]
            low += 1
        else:
            difference += sign * stack[high]
            high -= 1
        sign = -sign
    return difference


@numba.njit
def duel_fits(last):
    """The cards that share suit or number with a card."""
    return (np.int64(0x1111111111111) << (last & 3)) | (np.int64(15) << (last & ~3))


@numba.njit
def duel_points(hand):
    """What a loser pays."""
    total = 0
    for card in range(52):
        if hand >> card & 1:
            total += (card >> 2) + 1
    return total


@numba.njit
def duel_search(mover, other, last, alpha, beta, known):
    """The source's second hint: alpha-beta over a dictionary of bounds; the value if it lies between alpha and beta."""
    key = (mover, other, last)
    lower, upper = -400, 400
    if key in known:
        lower, upper = known[key]
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    alpha, beta = max(alpha, lower), min(beta, upper)
    legal = mover if last < 0 else mover & duel_fits(last)
    best = -400
    if legal == 0:
        # int64(-1), for numba takes a plain -1 to be a type of its own: another function
        best = -duel_search(other, mover, np.int64(-1), -beta, -alpha, known)
    else:
        for card in range(52):
            if legal >> card & 1:
                rest = mover ^ (np.int64(1) << card)
                if rest == 0:
                    value = duel_points(other)
                else:
                    value = -duel_search(other, rest, card, -beta, -max(alpha, best), known)
                best = max(best, value)
                if best >= beta:
                    break
    if best >= beta:
        known[key] = (best, upper)
    elif best <= alpha:
        known[key] = (lower, best)
    else:
        known[key] = (best, best)
    return best


def duel(mover, other):
    """The value for the mover."""
    pair, triple = numba.types.UniTuple(numba.int64, 2), numba.types.UniTuple(numba.int64, 3)
    known = numba.typed.Dict.empty(triple, pair)
    return duel_search(mover, other, -1, -400, 400, known)


@numba.njit
def turned(pawns, rows, cols):
    """The board upside down: the other side moves up now."""
    line = (np.int64(1) << cols) - 1
    found = np.int64(0)
    for row in range(rows):
        found |= (pawns >> (cols * row) & line) << (cols * (rows - 1 - row))
    return found


@numba.njit
def hexapawn_search(mover, other, rows, cols, known):
    """The source's third version: every position once, in a dictionary."""
    if other & ((np.int64(1) << cols) - 1):
        return 0
    key = (mover, other)
    if key in known:
        return known[key]
    most, best = -1000, -1000  # the longest of the mover's losses, the best of its wins (as the source counts)
    moves, losing = 0, True
    for square in range(rows * cols - cols):
        if not mover >> square & 1:
            continue
        for side in range(-1, 2):
            column, target = square % cols + side, square + cols + side
            if column < 0 or column >= cols:
                continue
            bit = np.int64(1) << target
            if (side == 0 and (mover | other) & bit) or (side != 0 and not other & bit):
                continue
            after = mover ^ (np.int64(1) << square) ^ bit
            value = hexapawn_search(turned(other & ~bit, rows, cols), turned(after, rows, cols), rows, cols, known)
            moves += 1
            if value > 0:
                most = max(most, value)
            else:
                losing = False
                best = max(best, value)
    if moves == 0:
        result = 0
    elif losing:
        result = -(most + 1)
    else:
        result = -(best - 1)
    known[key] = result
    return result


def hexapawn(rows, cols):
    """The value of a start position."""
    known = numba.typed.Dict.empty(numba.types.UniTuple(numba.int64, 2), numba.int64)
    line = (1 << cols) - 1
    return hexapawn_search(line, line << cols * (rows - 1), rows, cols, known)
