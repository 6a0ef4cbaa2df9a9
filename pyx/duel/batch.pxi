# Solve many positions in one call, to avoid a Python call per position.

cdef struct Batch:
    # Columns with an item for each position.
    const uint64_t* movers         # input: hands of mover and other, and the last card
    const uint64_t* others
    const int8_t* lasts
    const int8_t* table_bits       # log2 of the most slots, by number of cards
    double seconds                 # limits of each position
    uint64_t nodes
    bint want_lines
    int16_t* lower                 # output: bounds of the mover's value
    int16_t* upper
    int64_t* searched              # nodes
    int64_t* nanoseconds
    int64_t* table_bytes
    int64_t* line_end              # end of each position's line in `lines`
    int8_t* lines                  # cards, or PASS; grows as needed, freed by the caller
    int64_t lines_used
    int64_t lines_room


cdef bint solve_position(Search* search, Batch* batch, int64_t i) noexcept nogil:
    # Solve position i with an empty table and a started watch.  False if there is no memory for the line.
    cdef uint64_t mover = batch.movers[i], other = batch.others[i]
    cdef int lower, upper, plies
    cdef int8_t* room
    batch.line_end[i] = batch.lines_used
    batch.searched[i] = batch.table_bytes[i] = 0
    if mover == 0 or other == 0:            # the game is over
        batch.lower[i] = batch.upper[i] = <int16_t>(points_of(other) if mover == 0 else -points_of(mover))
        return True
    prove_bounds(search, mover, other, batch.lasts[i], &lower, &upper)
    batch.lower[i] = <int16_t>lower
    batch.upper[i] = <int16_t>upper
    if batch.want_lines and lower == upper:
        if batch.lines_used + MAX_PLIES > batch.lines_room:
            room = <int8_t*>realloc(batch.lines, 2 * batch.lines_room + 4096)
            if room == NULL:
                return False
            batch.lines = room
            batch.lines_room = 2 * batch.lines_room + 4096
        plies = principal_variation(search, mover, other, batch.lasts[i], lower, batch.lines + batch.lines_used)
        if plies > 0:
            batch.lines_used += plies
            batch.line_end[i] = batch.lines_used
    batch.searched[i] = search.watch.nodes
    batch.table_bytes[i] = <int64_t>sizeof(uint64_t) << search.table.bits
    return True


cdef bint solve_positions(Search* search, Watch* pace, Batch* batch, int64_t count) noexcept nogil:
    # Solve all positions until `pace`, the batch's watch without limits, stops.  (The search's watch restarts with each
    # position and would never check signals while positions are small.)  False if there is no memory for lines.
    cdef int64_t i, begun = now_ns(), ended
    for i in range(count):
        if look(pace):
            break
        set_size(&search.table, batch.table_bits[popcount(batch.movers[i]) + popcount(batch.others[i])])
        watch_start(&search.watch, batch.seconds, batch.nodes)
        search.table.deadline = search.watch.deadline
        if not solve_position(search, batch, i):
            return False
        if search.watch.stop == INTERRUPTED:
            break
        memset(search.table.slots, 0, sizeof(uint64_t) << search.table.bits)
        ended = now_ns()
        batch.nanoseconds[i] = ended - begun
        begun = ended
    return True
