# What the search is about: tests, and their states.
#
# A test is a question about a position: does the *attacker* win with at least `needed` points left in the *defender's*
# hand?  Either side may be the attacker, and either may be to move.  The test with needed = 1 asks who wins; it is
# called the *win test*, and all others *points tests*.
from libc.stdint cimport uint64_t

cdef enum:
    # The outcome of a test, for the side to move of a state: it wants a win with enough points if it is the attacker,
    # and to prevent that if it is the defender.
    UNKNOWN = 0
    LOSES = 1
    WINS = 2

cdef extern from "simd/duel_sum.h" nogil:
    ctypedef struct Hash "gc_duel_hash":
        uint64_t index             # says in which slot of the table to look
        uint64_t check             # says whether what stands there is of this state
    void add "gc_duel_add"(Hash* sum, const Hash* word) noexcept

cdef struct State:
    uint64_t mover                 # the hand of the side to move
    uint64_t other                 # the other hand
    Hash key                       # of the state in the test that is under way (see key.pxi)
    Hash win_key                   # of the same position in the win test
    int last                       # index of the card to be matched; -1: the mover is free to play any card
    int points                     # in the defender's hand; not kept in the win test
    int attacks                    # 1 when the mover is the attacker, 0 when it is the defender
    int isolated                   # bit 0: the mover holds isolated cards, bit 1: the other does (see key.pxi)
    int mover_suits                # the suits of each hand, as nibbles
    int other_suits
    uint64_t mover_reach           # the cards that share suit or number with some card of the hand
    uint64_t other_reach


cdef inline int opposite(int result) noexcept nogil:
    # A result that is not UNKNOWN, for the other side.
    return WINS + LOSES - result
