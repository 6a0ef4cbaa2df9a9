# Tests, and their states.
#
# A test is a question about a position: does the *attacker* win with at least `needed` points left in the *defender's*
# hand?  Either side may be the attacker, and either may be to move.  The test with needed = 1 asks who wins; it is
# called the *win test*, and all others *points tests*.
from libc.stdint cimport uint64_t

cdef enum:
    # The result of a test for one side, a state's mover unless a function says that it is the attacker: an attacker
    # succeeds by winning enough points, a defender by preventing that.
    UNKNOWN = 0
    LOSES = 1
    WINS = 2

cdef extern from "simd/duel_sum.h" nogil:
    ctypedef struct Hash "gc_duel_hash":
        uint64_t index             # index of the state's pair of slots in the table
        uint64_t check             # identifies the state's entry
    void add "gc_duel_add"(Hash* sum, const Hash* word) noexcept

cdef struct State:
    uint64_t mover                 # the hand of the side to move
    uint64_t other                 # the other hand
    Hash key                       # key in the current test (see key.pxi)
    Hash win_key                   # key of the same position in the win test
    int last                       # index of the card to match; -1: the mover may play any card
    int points                     # points in the defender's hand; unused in the win test
    int attacks                    # 1 if the mover is the attacker, 0 if it is the defender
    int isolated                   # bit 0: the mover holds isolated cards, bit 1: the other side does (see key.pxi)
    int mover_suits                # the suits of each hand, as nibbles
    int other_suits
    uint64_t mover_reach           # the cards that share suit or number with some card of the hand
    uint64_t other_reach


cdef inline int opposite(int result) noexcept nogil:
    # The other side's result; not for UNKNOWN.
    return WINS + LOSES - result
