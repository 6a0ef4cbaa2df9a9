# Folding: the game in which both maximise, in linear time.  It uses `aligned` of cells.pxi.
#
# While three neighbours a <= b >= c stand in the row, they can be replaced by the one value a - b + c: whoever takes
# one end of the three takes the peak next to it as the answer, and so on to its far end.  A stack does it in one pass.
# What is left is a valley (falling, then rising), whose larger end is always best to take.
#
# The stack is of int64 for all integers.  Differences wrap: the caller proves the range.

cdef enum:
    CHUNK = 2048                   # values that rounds fold at once: two buffers stay in the first-level cache
    PROBE = 256                    # values by which a chunk is tried
    LEAST_ROUND = 64               # rounds on fewer values than this do not pay
    NARROW = 1 << 19               # |x| up to this: a chunk's totals fit int32
    LONGEST_PATIENCE = 64          # chunks through the stack after failed probes

cdef struct Folding:
    # The state of folding a row, from chunk to chunk.
    double bound                   # at least the sum of |x| so far
    int64_t skip                   # probes to go through the stack without trying rounds
    int64_t patience               # how many chunks of them next time
    bint peaks                     # whether the last chunk folded well

ctypedef fused rounded:            # the elements of rounds
    int32_t
    int64_t


cdef inline widest folded(widest a, widest b, widest c) noexcept nogil:
    if widest is double:
        return a - b + c
    else:
        return <int64_t>(<uint64_t>a - <uint64_t>b + <uint64_t>c)


cdef int64_t push(widest* stack, int64_t k, const number* x, int64_t n) noexcept nogil:
    # Push n values on a stack of k folded ones; the new height.  The top two are kept in registers while nothing folds.
    cdef int64_t t = 0
    cdef widest a, b, c
    while t < n and k < 2:
        stack[k] = <widest>x[t]
        k += 1
        t += 1
    if t == n:
        return k
    a = stack[k - 2]
    b = stack[k - 1]
    while t < n:
        c = <widest>x[t]
        while (b >= c) & (a <= b):  # one branch, not two: the values are random
            c = folded(a, b, c)
            k -= 2
            if k < 2:  # folded down to the bottom: take new values until there are two below the next one
                stack[k] = c
                k += 1
                t += 1
                while t < n and k < 2:
                    stack[k] = <widest>x[t]
                    k += 1
                    t += 1
                if t == n:
                    return k
                c = <widest>x[t]
            a = stack[k - 2]
            b = stack[k - 1]
        stack[k] = c
        k += 1
        t += 1
        a = b
        b = c
    return k


cdef widest valley(const widest* s, int64_t k) noexcept nogil:
    # The difference for the side to move on a valley: the larger end each time.
    cdef int64_t i = 0, j = k - 1
    cdef widest mine = 0, theirs = 0, end, sum
    while i <= j:
        if s[i] >= s[j]:
            end = s[i]
            i += 1
        else:
            end = s[j]
            j -= 1
        sum = folded(mine, 0, end)
        mine = theirs                  # the turn passes
        theirs = sum
    return folded(mine, theirs, 0) if not k & 1 else folded(theirs, mine, 0)


cdef void line_of_fold(
    const widest* x, int64_t n, widest* stack, int64_t* start, uint8_t* moves
) noexcept nogil:
    # The line of play: every folded value is a run taken whole from the end it is reached from.  start[k]: the place in
    # the row where the run of stack[k] begins.
    cdef int64_t t, k = 0, i = 0, j, run, length
    cdef widest c
    cdef bint right
    for t in range(n):
        c = x[t]
        start[k] = t
        while k >= 2 and stack[k - 1] >= c and stack[k - 2] <= stack[k - 1]:
            c = folded(stack[k - 2], stack[k - 1], c)
            k -= 2
        stack[k] = c
        k += 1
    start[k] = n
    j = k - 1
    while i <= j:
        right = not stack[i] >= stack[j]
        if right:
            run = j
            j -= 1
        else:
            run = i
            i += 1
        length = start[run + 1] - start[run]
        memset(moves, right, length)
        moves += length


# --- chunks -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t spread_of(const whole* x, int64_t n) noexcept nogil:
    # A power of two that no |x| exceeds.
    cdef int64_t t
    cdef whole bits = 0
    for t in range(n):
        bits |= x[t] ^ (x[t] >> (8 * sizeof(whole) - 1))
    return <uint64_t>2 << msb(<uint64_t>bits | 1)


cdef int64_t fold_by_rounds(rounded* a, int64_t n, int64_t* stack, int64_t k, Folding* state) noexcept nogil:
    # Fold a chunk of n values in a, which are overwritten, onto a stack of k; the new height, or -1 if rounds are not
    # worth while.  There is room for as much again behind a, and for a vector before it.
    cdef const Vectors* v = vectors(a)
    cdef rounded* b = a + CHUNK + 192
    cdef int64_t left = n, before
    if not state.peaks and v.round(a, PROBE, b) >= PROBE - PROBE // 4:
        state.skip = state.patience * (CHUNK // PROBE)
        state.patience = min(4 * state.patience, LONGEST_PATIENCE)
        return -1
    while left > LEAST_ROUND:
        before = left
        left = v.round(a, before, b)
        a, b = b, a
        if left > before - before // 16:
            break
    state.peaks = left < n // 2
    state.patience = 1
    return push(stack, k, a, left)


cdef int64_t fold_chunk(
    const whole* x, int64_t n, uint64_t spread, int64_t* stack, int64_t k, Folding* state
) noexcept nogil:
    # Fold a chunk by rounds, in int32 where its totals fit that; the new height, or -1 if rounds are not worth while.
    cdef int64_t memory[2 * (CHUNK + 256) + 8]
    cdef int32_t* narrow = <int32_t*>aligned(memory) + 64
    cdef int64_t* long_ones = <int64_t*>aligned(memory) + 64
    cdef int64_t t
    if spread <= NARROW:
        if VECTORS[1].round == NULL:
            return -1
        for t in range(n):
            narrow[t] = <int32_t>x[t]
        return fold_by_rounds(narrow, n, stack, k, state)
    if VECTORS[2].round == NULL:
        return -1
    for t in range(n):
        long_ones[t] = x[t]
    return fold_by_rounds(long_ones, n, stack, k, state)


cdef int64_t fold_whole(const whole* x, int64_t n, int64_t* stack, Folding* state, Watch* watch) noexcept nogil:
    # Fold n values onto an empty stack (with room for n); return its height, or -1 if the watch stops.  Rounds are for
    # rows with many peaks.  Unless the chunk before had many, the first values of a chunk are a probe.  After a failed
    # probe the next chunks use the stack without a probe, four times as many each time, so that falling, rising or
    # constant rows cost little more than with the stack alone.
    cdef int64_t at = 0, m, k = 0, height
    cdef uint64_t spread
    while at < n:
        # small steps for chunks without a probe: the row streams from memory
        m = min(n - at, PROBE if state.skip > 0 else CHUNK)
        if spend(watch, m):
            return -1
        spread = spread_of(x + at, m)
        state.bound += <double>spread * <double>m
        height = -1
        if state.skip > 0:
            state.skip -= 1
        elif m >= PROBE:
            height = fold_chunk(x + at, m, spread, stack, k, state)
        k = height if height >= 0 else push(stack, k, x + at, m)
        at += m
    return k


cdef int64_t fold_floats(const double* x, int64_t n, double* stack, Watch* watch) noexcept nogil:
    # Return the height of the stack, or -1 if the watch stops.
    cdef int64_t at = 0, k = 0, some
    while at < n:
        some = min(n - at, SLICE)
        if spend(watch, some):
            return -1
        k = push(stack, k, x + at, some)
        at += some
    return k
