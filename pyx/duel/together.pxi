# Search one position with several threads on one table.
#
# All threads run the same tests in the same order: the next test follows from earlier answers, which are the same for
# all.  Threads share the table and three more facts:
#
#  - The first thread that finishes a test publishes its result; the others leave the test and start the next.
#  - In large states a thread marks the child that it searches, and other threads defer marked children (ABDADA, Weill
#    1996, simplified).  The first child of a state that should win is not deferred, since it usually decides the
#    state; threads search it together and separate further down.
#  - From time to time a thread looks up all states on its path.  If another thread has resolved one, the subtree is
#    redundant and the thread leaves it.  With two threads and 20 cards each, this reduces the nodes from 1.15 to 1.06
#    times those of one thread.
#
# Marks are hints: a lost or false mark only costs time.  The node count depends on the threads' timing, the answers do
# not.

cdef enum:
    LOOK_EVERY = 256               # nodes between two checks of the path for resolved states
    SHARED_CARDS = 26              # fewest cards of a state whose children are marked
    MARK_BITS = 12                 # log2 of the number of marks
    # More than the tests of a position and its line: one for each of at most 364 amounts, and for each card of each
    # move, from hands that get smaller: 51 + 50 + ... + 1.
    MOST_TESTS = 2048

cdef struct Shared:
    int32_t outcomes[MOST_TESTS]   # result of each test for its first state's mover, UNKNOWN until published
    uint64_t marks[1 << MARK_BITS]     # checks of the states that threads search, by hash; 0: none
    int32_t full                   # the table must grow: all threads leave (see duel.table)


cdef inline bint is_redundant(Search* search) noexcept nogil:
    # True if another thread has finished the test, or the table must grow.
    return load_flag(&search.shared.outcomes[search.test]) != UNKNOWN or load_flag(&search.shared.full)


cdef int search_test_together(Search* search, State* s) noexcept nogil:
    # Like search_win_test or search_points_test; returns the result of the first thread that finds it.
    cdef int32_t* outcome = &search.shared.outcomes[search.test]
    cdef int result
    search.depth = 0
    search.resolved = -1
    search.next_look = search.watch.nodes + LOOK_EVERY
    result = search_together(search, s, search.children, True)
    if result != UNKNOWN:
        store_flag(outcome, result)
    elif search.watch.stop == RUNNING:
        result = load_flag(outcome)
    return result


cdef int search_together(Search* search, State* s, State* children, bint should_win) noexcept nogil:
    # Like search_state.  `should_win`: the mover is expected to win.
    cdef uint8_t order[52]
    cdef int count, left, put_off, turn, i, j, result = LOSES
    cdef bint win_test = search.needed == 1
    cdef TranspositionTable* table = &search.table
    cdef State* child
    if popcount(s.mover | s.other) < SHARED_CARDS:
        return search_win_test(search, s, children) if win_test else search_points_test(search, s, children)
    if tick(&search.watch) or is_redundant(search):
        return UNKNOWN
    search.path[search.depth] = s
    if search.watch.nodes >= search.next_look:
        search.next_look = search.watch.nodes + LOOK_EVERY
        search.resolved = first_resolved(search)
        if search.resolved >= 0:
            return UNKNOWN
    left = open_children(search, s, children, &count, order, win_test)
    if left < 0:
        result = WINS
        left = 0
    for turn in range(2):                   # the second turn searches the deferred children
        put_off = 0
        for i in range(left):
            child = &children[order[i]]
            j = lookup_child(search, child, s, win_test)
            if j == UNKNOWN:
                if turn == 0 and (i > 0 or not should_win) and is_marked(search, child):
                    order[put_off] = order[i]
                    put_off += 1
                    continue
                mark(search, child)
                search.depth += 1
                j = search_together(search, child, children + count, should_win == (child.attacks == s.attacks))
                search.depth -= 1
                unmark(search, child)
                if j == UNKNOWN:
                    if search.resolved != search.depth:
                        return UNKNOWN
                    search.resolved = -1
                    return search.found
                if child.attacks != s.attacks:
                    j = opposite(j)
            if j == WINS:
                result = WINS
                break
        if result == WINS:
            break
        left = put_off
    store(table, s, search.needed, result)
    return result


cdef inline int first_resolved(Search* search) noexcept nogil:
    # The depth of the first state on the path that another thread has resolved (to search.found), or -1.
    cdef int depth
    for depth in range(search.depth):
        search.found = lookup(&search.table, &search.path[depth].key, search.path[depth], search.needed)
        if search.found != UNKNOWN:
            return depth
    return -1


cdef inline uint64_t* mark_of(Search* search, const State* s) noexcept nogil:
    return &search.shared.marks[s.key.check >> (64 - MARK_BITS)]


cdef inline bint is_marked(Search* search, const State* s) noexcept nogil:
    return load_word(mark_of(search, s)) == s.key.check


cdef inline void mark(Search* search, const State* s) noexcept nogil:
    store_word(mark_of(search, s), s.key.check)


cdef inline void unmark(Search* search, const State* s) noexcept nogil:
    if is_marked(search, s):
        store_word(mark_of(search, s), 0)
