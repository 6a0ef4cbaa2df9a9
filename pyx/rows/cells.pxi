# The O(n^2) games on one row, two turns (two diagonals of the table) at a time.
#
# V(i, L) is what I still get when I am to move on the interval of L values that starts at i.  With j = i + L + 1
#     V(i, L+2) = max(x[i] + m(i+1, L), x[j] + m(i, L))
# where m(i, L) is V after the opponent has moved on the interval i .. i+L:
#     OPTIMAL      min(V(i+1, L), V(i, L))
#     COOPERATIVE  max(V(i+1, L), V(i, L))
#     GREEDY       V(i+1, L) if x[i] > x[i+L] else V(i, L)        the larger end, the right one on a tie
# The cells of one length are an array d[0 .. n-L]; a double step turns it into the cells of length L+2, n-L-1 of them.
#
# Here are the recurrence on single cells and the order of the work.  Vectors do the bulk of it: simd/rows_dp.h has the
# same recurrence in stages (long rows) and by moving lanes (short ones).  The caller proves that sums of |x| fit the
# elements.

cdef enum:
    DONE = 0
    STOPPED = 1                    # the watch says why
    NO_MEMORY = 2
    # A stage's double steps are 1/24 of its cells: more would waste cells past the end, fewer restripe too often.
    STAGE_PARTS = 24
    TRIANGLE = 32                  # double steps whose every choice is kept at once in a line of play
    SLICE = 1 << 18                # values between looks at the watch, where a pass over a row is no kernel of its own
    LOOK = 1 << 16                 # vectors between looks at the watch on long rows; a multiple of any number of lanes


cdef inline char* aligned(void* memory) noexcept nogil:
    # The first cache line from here on.
    return <char*>((<size_t>memory + 63) & ~<size_t>63)


cdef inline number reply(int mode, number v0, number v1, number left, number right) noexcept nogil:
    # m for one cell: V after the opponent's move on an interval with the end values left and right, where v1 is V
    # without the left one and v0 without the right one.
    ARMS(3)
    if mode == OPTIMAL:
        return v0 if v0 < v1 else v1
    if mode == COOPERATIVE:
        return v0 if v0 > v1 else v1
    return v1 if left > right else v0


cdef inline void double_step(int mode, const number* x, number* d, int64_t n, int64_t L) noexcept nogil:
    cdef const number* xj = x + L + 1
    cdef number m0 = reply(mode, d[0], d[1], x[0], x[L]), m1, a, b
    cdef int64_t i
    for i in range(n - L - 1):
        m1 = reply(mode, d[i + 1], d[i + 2], x[i + 1], xj[i])
        a = x[i] + m1
        b = xj[i] + m0
        d[i] = a if a > b else b
        m0 = m1


cdef void advance_plain(int mode, const number* x, number* d, int64_t n, int64_t L, int64_t target) noexcept nogil:
    # From the cells d of length L to those of length target (same parity), without vectors: the twin of `advance` for
    # tests, and for rows of a few values.
    ARMS(3)
    while L < target:
        if mode == OPTIMAL:
            double_step(OPTIMAL, x, d, n, L)
        elif mode == COOPERATIVE:
            double_step(COOPERATIVE, x, d, n, L)
        else:
            double_step(GREEDY, x, d, n, L)
        L += 2


cdef inline int64_t begin(const number* x, number* d, int64_t n, int64_t length) noexcept nogil:
    # Fill d with the cells of the shortest length of the parity of `length`, which is returned: V of one value, or of
    # two (the larger).
    cdef int64_t i
    if length & 1:
        memcpy(d, x, n * sizeof(number))
        return 1
    for i in range(n - 1):
        d[i] = x[i] if x[i] > x[i + 1] else x[i + 1]
    return 2


cdef int64_t begin_in_slices(const number* x, number* d, int64_t n, int64_t length, Watch* watch) noexcept nogil:
    # `begin`, with looks at the watch; 0 if it stops.
    cdef int64_t start = 0, shortest = 2 - (length & 1)
    while start < n:
        if start and look(watch):
            return 0
        begin(x + start, d + start, min(SLICE + shortest - 1, n - start), length)
        start += SLICE
    return shortest


# --- checkpoints ------------------------------------------------------------------------------------------------------

cdef struct Marks:
    # Copies of the array of cells at some lengths, shortest first.
    char* data
    int64_t* length
    int64_t* offset
    int64_t count, room, used, size


cdef int marks_start(Marks* m, size_t size) noexcept nogil:
    # Allocate room for the checkpoints of a row of n values: about 12n cells.
    memset(m, 0, sizeof(Marks))
    m.data = <char*>malloc(size)
    m.size = size if m.data != NULL else 0
    return DONE if m.data != NULL else NO_MEMORY


cdef void marks_free(Marks* m) noexcept nogil:
    free(m.data)
    free(m.length)
    free(m.offset)


cdef bint grow(void** array, size_t size) noexcept nogil:
    cdef void* larger = realloc(array[0], size)
    if larger != NULL:
        array[0] = larger
    return larger != NULL


cdef int mark(Marks* m, int64_t length, const number* d, int64_t cells) noexcept nogil:
    cdef int64_t size = cells * sizeof(number), pad = PAD * sizeof(number), room
    if m.count == m.room:
        room = 2 * m.room if m.room else 64
        if not grow(<void**>&m.length, room * sizeof(int64_t)) or not grow(<void**>&m.offset, room * sizeof(int64_t)):
            return NO_MEMORY
        m.room = room
    if m.used + size + pad > m.size:
        if not grow(<void**>&m.data, m.size + m.size // 2 + size + pad):
            return NO_MEMORY
        m.size += m.size // 2 + size + pad
    memcpy(m.data + m.used, d, size)
    m.length[m.count] = length
    m.offset[m.count] = m.used
    m.count += 1
    m.used += size
    return DONE


# --- from one length to another ---------------------------------------------------------------------------------------

cdef inline int64_t stage_steps(const Vectors* v, int64_t n, int64_t L, int64_t target) noexcept nogil:
    # How many double steps the stage from length L makes; 0 where a stage does not pay.
    cdef int64_t cells = n - L + 1, steps = cells // STAGE_PARTS // K * K
    return 0 if cells < v.lanes * STAGE_LANES or (target - L) // 2 < steps else steps


cdef bint stripe(
    const Vectors* v, const number* x, int64_t S, int64_t count, int64_t valid, number* out, Watch* watch
) noexcept nogil:
    # v.stripe with looks at the watch; False if it stops.
    cdef int64_t u = 0
    while u < count:
        if u and look(watch):
            return False
        v.stripe(x + u, S, min(count - u, <int64_t>LOOK), valid - u, out + u * v.lanes)
        u += LOOK
    return True


cdef bint long_pass(
    const Vectors* v, int mode, number* D, const number* X, const number* J, int64_t top, number* above, Watch* watch
) noexcept nogil:
    # A pass with looks at the watch; False if it stops.
    cdef int lanes = v.lanes, p
    cdef size_t size = lanes * sizeof(number)
    cdef int64_t bottom
    for p in range(K):
        memcpy(above + p * lanes, D + (top - 1) * lanes, size)
        memcpy(above + (K + p) * lanes, D + (top - 1) * lanes, size)
        memcpy(above + (2 * K + p) * lanes, J + (top + 2 * p) * lanes, size)
    while top:
        bottom = max(top - LOOK, <int64_t>0)
        if look(watch):
            return False
        v.part(mode, D, X, J, top, bottom, above)
        top = bottom
    return True


cdef int stage(
    const Vectors* v, int mode, const number* x, number* d, int64_t n, int64_t L, int64_t steps, number* room,
    Watch* watch
) noexcept nogil:
    # From the cells d of length L to those of length L + 2 * steps, by passes over stripes (see simd/rows_dp.h).
    cdef int lanes = v.lanes
    cdef int64_t S = (n - L + 1 - 2 * K + lanes - 1) // lanes, width = S + 2 * K, q = 0
    cdef number* D = room + 3 * K * lanes
    cdef number* X = D + (width + lanes) * lanes
    cdef number* J = X + (width + lanes) * lanes
    if not (stripe(v, d, S, width, n - L + 1, D, watch) and stripe(v, x, S, width, n, X, watch)
            and stripe(v, x + L, S, width + 2 * steps + 1, n - L, J, watch)):
        return STOPPED
    while q < steps:
        if spend(watch, K * (n - L - 2 * q - K)):
            return STOPPED
        if q:  # the halo: the next lane's first vectors, one lane down
            memcpy(D + S * lanes, D + 1, 2 * K * lanes * sizeof(number))
        if width <= LOOK:
            v.part(mode, D, X, J + 2 * q * lanes, width, 0, NULL)
        elif not long_pass(v, mode, D, X, J + 2 * q * lanes, width, room, watch):
            return STOPPED
        q += K
    v.unstripe(D, S, n - L - 2 * steps + 1, d)
    return DONE


cdef int stages(
    int mode, const number* x, number* d, int64_t n, int64_t* L, int64_t target, Marks* marks, Watch* watch
) noexcept nogil:
    # Stages, as long as they pay, from length L[0] on, which moves on; a checkpoint before each if marks are wanted.
    cdef const Vectors* v = vectors(x)
    cdef int64_t steps = stage_steps(v, n, L[0], target)
    cdef int64_t width = (n - L[0] + 1) // v.lanes + 2 * K + 2 + v.lanes
    cdef int status = DONE
    cdef void* memory
    if not steps:
        return DONE
    # The first stage needs most: three arrays, and the state of a long pass.
    memory = malloc((3 * (width + K) + 2 * steps + 2) * v.lanes * sizeof(number) + 64)
    if memory == NULL:
        return NO_MEMORY
    while steps and status == DONE:
        if marks != NULL:
            status = mark(marks, L[0], d, n - L[0] + 1)
        if status == DONE:
            status = stage(v, mode, x, d, n, L[0], steps, <number*>aligned(memory), watch)
        L[0] += 2 * steps
        steps = stage_steps(v, n, L[0], target)
    free(memory)
    return status


cdef int advance(
    int mode, const number* x, number* d, int64_t n, int64_t L, int64_t target, Marks* marks, Watch* watch
) noexcept nogil:
    # From the cells d of length L to those of length target (same parity), leaving checkpoints if marks are wanted.
    # x and d have PAD elements more, which mean nothing.
    cdef const Vectors* v = vectors(x)
    cdef int64_t end = target
    cdef int status = stages(mode, x, d, n, &L, target, marks, watch)
    while L < target and status == DONE:
        if marks != NULL:
            status = mark(marks, L, d, n - L + 1)
            end = min(target, L + 2 * TRIANGLE)
        while n - L >= v.lanes and end - L >= 4 and not spend(watch, 2 * (n - L - 2)):
            v.shift(mode, x, d, n, L)
            L += 4
        while L < end and status == DONE:
            if watch.stop != RUNNING or spend(watch, n - L - 1):
                status = STOPPED
            else:
                advance_plain(mode, x, d, n, L, L + 2)
                L += 2
    return status
