# What a built-in player is, and what playouts say of the cards that it may play.
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

cdef enum:
    # Kinds of players, by the numbers of gamecore.hearts._players; the policies (hearts/policy.pxd) are kinds too.
    INTELLIGENT = 3
    LITERAL = 4
    PLAYOUTS = 5                   # mc and pimc
    SOLVER = 6
    SEARCH = 8                     # playouts by learned weights, over worlds that explain the play
    ISMCTS = 9                     # information-set tree search
    MOST_NODES = 1 << 20           # of its tree; playouts go on without new nodes

cdef struct Node:
    uint64_t card                  # the last card of the history
    double total                   # points of the seat that played it
    uint32_t visits
    uint32_t available             # iterations in which it was legal
    uint32_t child                 # the first one, 0: none
    uint32_t sibling               # the next one

cdef struct Spec:
    int kind
    int playouts
    int policy
    uint32_t epsilon               # chance of a random card in a playout, of 2**32
    int infer                      # worlds weighed by how well they explain the play: candidates per world kept
    int solve_at                   # cards left from which worlds are solved instead of played out
    int64_t nanoseconds            # search: for a decision; 0: as many playouts as are asked for
    const int8_t* weights          # learned ones, or NULL: of the policy,
    const int8_t* behaviour        # ... and of what good players are seen to do
    bint plain_pass                # search: pass on the most dangerous cards, without playouts

cdef struct Estimate:
    int cards
    uint64_t card[13]
    double total[13]
    double square[13]
    int count[13]                  # playouts of each card
    bint dropped[13]               # a search has stopped looking at it
    double prior[13]               # points, less their mean, that the policy expects of it
