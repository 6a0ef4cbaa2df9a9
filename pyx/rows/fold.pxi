# Folding: the game in which both maximise, in linear time.  It uses `aligned` of cells.pxi.
#
# While three neighbours a <= b >= c stand in the row, they can be replaced by the one value a - b + c: whoever takes
# one end of the three takes the peak next to it as the answer, and so on to its far end.  A stack does it in one pass.
# What is left is a valley (falling, then rising), whose larger end is always best to take.
#
# The stack is of int64.  Differences wrap: the caller proves the range.

cdef enum:
    CHUNK = 2048                   # values that rounds fold at once: two buffers stay in the first-level cache
    PROBE = 256                    # values by which a chunk is tried
    LEAST_ROUND = 64               # rounds on fewer values than this do not pay
    SMALL = 1 << 25                # |x| up to this: five rounds fit int32, without a look for the largest value
    LONGEST_PATIENCE = 64          # chunks through the stack after failed probes

cdef struct Folding:
    # The state of folding a row, from chunk to chunk.
    double bound                   # at least the sum of |x| so far
    int64_t skip                   # probes to go through the stack without trying rounds
    int64_t patience               # how many chunks of them next time
    bint peaks                     # whether the last chunk folded well


cdef inline int64_t folded(int64_t a, int64_t b, int64_t c) noexcept nogil:
    return <int64_t>(<uint64_t>a - <uint64_t>b + <uint64_t>c)


cdef int64_t push(int64_t* stack, int64_t k, const number* x, int64_t n) noexcept nogil:
    # Push n values on a stack of k folded ones; the new height.  The top two are kept in registers while nothing folds.
    cdef int64_t t = 0
    cdef int64_t a, b, c
    while t < n and k < 2:
        stack[k] = x[t]
        k += 1
        t += 1
    if t == n:
        return k
    a = stack[k - 2]
    b = stack[k - 1]
    while t < n:
        c = x[t]
        while (b >= c) & (a <= b):  # one branch, not two: the values are random
            c = folded(a, b, c)
            k -= 2
            if k < 2:  # folded down to the bottom: take new values until there are two below the next one
                stack[k] = c
                k += 1
                t += 1
                while t < n and k < 2:
                    stack[k] = x[t]
                    k += 1
                    t += 1
                if t == n:
                    return k
                c = x[t]
            a = stack[k - 2]
            b = stack[k - 1]
        stack[k] = c
        k += 1
        t += 1
        a = b
        b = c
    return k


cdef int64_t valley(const int64_t* s, int64_t k) noexcept nogil:
    # The difference for the side to move on a valley: the larger end each time.
    cdef int64_t i = 0, j = k - 1
    cdef int64_t mine = 0, theirs = 0, end, sum
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


# --- chunks -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t spread_of(const number* x, int64_t n) noexcept nogil:
    # A power of two that no |x| exceeds.
    cdef int64_t t
    cdef number bits = 0
    for t in range(n):
        bits |= x[t] ^ (x[t] >> (8 * sizeof(number) - 1))
    return <uint64_t>2 << msb(<uint64_t>bits | 1)


cdef wide* by_rounds(wide* a, int64_t* left, uint64_t width) noexcept nogil:
    # Fold `left` values in a by rounds while they pay; return where the new values are.  width: the largest minus the
    # least value, which a round may double, and which stays below 2**32.  There is room for a vector before a, and for
    # as many values behind it.
    cdef wide* b = a + CHUNK + 192
    cdef int64_t before
    while left[0] > LEAST_ROUND and width < <uint64_t>1 << 31:
        before = left[0]
        left[0] = vectors(a).round(a, before, b)
        a, b = b, a
        width *= 2
        if left[0] > before - before // 16:
            break
    return a


cdef inline bint pays(wide* a, Folding* state) noexcept nogil:
    # Whether rounds pay on the chunk in a, by a round over its first values; if they do not, put off the next probe.
    if state.peaks or vectors(a).round(a, PROBE, a + CHUNK + 192) < PROBE - PROBE // 4:
        state.patience = 1
        return True
    state.skip = state.patience * (CHUNK // PROBE)
    state.patience = min(4 * state.patience, LONGEST_PATIENCE)
    return False


cdef int64_t fold_chunk(
    const number* x, int64_t n, uint64_t spread, int64_t* stack, int64_t k, Folding* state
) noexcept nogil:
    # Fold a chunk by rounds; the new height, or -1 if they do not pay.  The first rounds are on int32 if the values
    # are near one another: adding a number to all values adds it to all folded ones.
    cdef int64_t memory[3 * (CHUNK + 256) + 8]
    cdef int64_t* long_ones = <int64_t*>aligned(memory) + 64
    cdef int32_t* short_ones = <int32_t*>(long_ones + 2 * (CHUNK + 192))
    cdef int64_t low = -<int64_t>spread, high = spread, left = n, t
    if VECTORS[1].round == NULL:
        return -1
    if spread > SMALL:
        low = high = x[0]
        for t in range(n):
            low = min(low, <int64_t>x[t])
            high = max(high, <int64_t>x[t])
    if <uint64_t>high - <uint64_t>low < <uint64_t>1 << 31:
        high -= INT32_MAX
        for t in range(n):
            short_ones[t] = <int32_t>(<uint32_t>x[t] - <uint32_t>high)
        if not pays(short_ones, state):
            return -1
        short_ones = by_rounds(short_ones, &left, <uint64_t>(high + INT32_MAX - low))
        for t in range(left):
            long_ones[t] = short_ones[t] + high
    else:
        for t in range(n):
            long_ones[t] = x[t]
        if not pays(long_ones, state):
            return -1
    long_ones = by_rounds(long_ones, &left, 0)
    state.peaks = left < n // 2
    return push(stack, k, long_ones, left)


cdef int64_t fold_row(const number* x, int64_t n, int64_t* stack, Folding* state, Watch* watch) noexcept nogil:
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
