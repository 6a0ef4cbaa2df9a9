# Threads that search one position together, on one table.
#
# Names from elsewhere: Search, open_children, lookup_child, search_win_test, search_points_test (search.pxi);
# load_word, store_word (common.words); lookup, store (duel.table); tick, load_flag, store_flag, RUNNING
# (common.watch); opposite, UNKNOWN, ... (duel.state).  This is a .pxi because a function that calls itself cannot be
# inline.
#
# Every thread does the whole computation: the same tests in the same order, since what is next follows from answers,
# which are the same for all.  They help one another by the table, and by three things more:
#
#  - A test's outcome is told to all as soon as one of them knows it; the others leave the test and go on to the next.
#  - In large states a thread marks the child that it searches, and the others put that child off until they have
#    done the rest (ABDADA, Weill 1996, simplified).  The first child of a state that should win is not put off: most
#    often it decides, and then the rest would be for nothing; threads go into it together and part further down.
#  - Now and then a thread asks the table about all states on its path: where another thread has found the outcome of
#    one, what is searched below it is for nothing, and the thread leaves it.  Without this 20 cards each take 1.15
#    times the states that one thread searches, with it 1.06 times (two threads).
#
# Marks are hints: a lost or a false one costs time only.  What is found and when depends on the threads' pace, so the
# number of nodes does; answers do not.

cdef enum:
    LOOK_EVERY = 256               # states between two looks at those further up
    SHARED_CARDS = 26              # fewest cards of a state whose children are marked
    MARK_BITS = 12                 # log2 of the number of marks
    MOST_TESTS = 4096              # of one position and its line: an amount each, and each card of each move

cdef struct Shared:
    int32_t outcomes[MOST_TESTS]   # of each test, for the mover of its first state; UNKNOWN until a thread knows it
    uint64_t marks[1 << MARK_BITS]     # by hash: the check of the state that a thread searches, or 0
    int32_t full                   # a thread wants the table to grow: all leave (see duel.table)


cdef inline void begin_test(Search* search) noexcept nogil:
    search.test += 1
    if search.test >= MOST_TESTS:
        search.shared = NULL       # on alone


cdef inline bint to_leave(Search* search) noexcept nogil:
    # Whether another thread has the outcome of the test, or the table is to grow.
    return load_flag(&search.shared.outcomes[search.test]) != UNKNOWN or load_flag(&search.shared.full)


cdef int search_test_together(Search* search, State* s) noexcept nogil:
    # As search_win_test or search_points_test: the outcome, whoever finds it first.
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
    # As search_state.  `should_win`: that is expected of the mover, since the state's parent is searched for its sake.
    cdef uint8_t order[52]
    cdef int count, left, put_off, turn, i, j, result = LOSES
    cdef bint win_test = search.needed == 1
    cdef TranspositionTable* table = &search.table
    cdef State* child
    if popcount(s.mover | s.other) < SHARED_CARDS:
        return search_win_test(search, s, children) if win_test else search_points_test(search, s, children)
    if tick(&search.watch) or to_leave(search):
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
    for turn in range(2):                   # in the second turn, what others were searching in the first
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
    # The depth of the first state on the path whose outcome (search.found) another thread has stored, or -1.
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
