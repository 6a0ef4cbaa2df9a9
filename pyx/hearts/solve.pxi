# Perfect information for one round: Python's entry to search.pxi.
#
# It uses Control, search.pxi and core.pxi, and of hearts.pyx the names of hearts.round and hearts.rules.

def solve(Core core, Control control, uint64_t entries, bint want_max_n, bint want_paranoid, bint want_line) -> tuple:
    """Perfect information for the seat to move: (rows, line, nodes, stopped); one row per legal card.

    A row is (card, the four final points by max^n or None, paranoid bounds of the seat's points or None, bounds of its
    points for any play).  line: the cards of best play by max^n to the end, or None; its nodes are limited but not
    counted.  entries: of the table, a power of two.  Raises MemoryError without memory for the table.
    """
    cdef Search z
    cdef Watch* watch = control.begin()
    cdef Table t, first
    cdef int8_t value[4]
    cdef uint64_t cards[52]
    cdef int lower, upper, lowest, highest, best = 127, count, i
    cdef int seat = mover(&core.round.t)
    cdef uint64_t m = legal_cards(&core.round), card, nodes
    cdef bint stopped
    if not search_open(&z, &core.round.rules, entries, 0, watch):
        raise MemoryError
    z.me = seat
    rows = []
    line = None
    try:
        while m:
            card = m & (0 - m)
            m ^= card
            t = core.round.t
            play(&t, card)
            vector = bounds = None
            if want_max_n and watch.stop == RUNNING:
                with nogil:
                    max_n(&z, &t, value)
                if watch.stop == RUNNING:
                    vector = (value[0], value[1], value[2], value[3])
                    if value[seat] < best:
                        best = value[seat]
                        first = t
                        cards[0] = card
            if want_paranoid:
                with nogil:
                    paranoid_bounds(&z, &t, &lower, &upper)
                bounds = (lower, upper)
            control.end()
            open_bounds(&z, &t, &lowest, &highest)
            rows.append((lane_index(card), vector, bounds, (lowest, highest)))
        nodes = watch.nodes
        stopped = watch.stop != RUNNING
        if want_line and want_max_n and not stopped:
            with nogil:
                count = 1 + max_n_line(&z, &first, cards + 1)
            control.end()
            if count == 52 - core.round.t.count:
                line = tuple([lane_index(cards[i]) for i in range(count)])
    finally:
        search_close(&z)
    return rows, line, nodes, stopped
