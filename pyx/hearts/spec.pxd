# Parameters of built-in players, and estimates of cards by playouts.
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

cdef enum:
    # Kinds of players, numbered as in gamecore.hearts._players; policies (hearts/policy.pxd) are kinds, too.
    INTELLIGENT = 3
    LITERAL = 4
    PLAYOUTS = 5                   # mc and pimc
    SOLVER = 6
    SEARCH = 8                     # playouts by learned weights, over inferred worlds
    ISMCTS = 9                     # information-set tree search
    MOST_NODES = 1 << 20           # of its tree; playouts go on without new nodes

cdef enum Passing:
    BY_CHANCE                      # three random cards
    BY_ORDER                       # the first three
    BY_DANGER                      # the three most dangerous
    BY_PLAYOUTS                    # the best of six dangerous cards by playouts
    BY_STAGES                      # all sets of three by playouts with learned weights, in stages

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
    int infer                      # Metropolis steps per world; 0: uniform worlds
    int solve_at                   # cards left from which worlds are solved instead of played out
    int64_t nanoseconds            # search, ismcts: per decision; 0: use playouts
    const int8_t* weights          # learned weights of the policy, or NULL
    const int8_t* behaviour        # ... of the model of good players
    Passing passing                # how it passes cards
    bint by_policy                  # its kind is a policy with an arm in policy_card

cdef struct Estimate:
    int cards
    uint64_t card[13]
    double total[13]
    double square[13]
    int count[13]                  # playouts of each card
    bint dropped[13]               # search: no more playouts
    double prior[13]               # points expected by the policy, less their mean
