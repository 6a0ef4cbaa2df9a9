# The table of `search.pxi`: whole keys with a lower and an upper bound. It uses MATE, and what search.pxi takes from C.
#
# An entry is two words of key and one of data, which is 0 while the slot is free:
#
#   | version, 27 bits | locked | worth, 6 | upper + MATE + 1, 15 | lower + MATE + 1, 15 |
#
# Threads share a table without waiting. Who writes another key into a slot locks it, or does without if another thread
# has; the version then grows by one. A reader who finds one unlocked version before and after reading the key has seen
# one whole entry. The worth is the logarithm of the nodes that it took; a full window loses the entry of least worth.
cdef enum:
    BITS = 0x7FFF
    WORTH_SHIFT = 30
    LOCK_SHIFT = 36
    VERSION_SHIFT = 37

cdef struct Entry:
    uint64_t a, b, data

cdef struct Table:
    Entry* slots             # a key stands in one of `window` slots from its home on
    uint64_t count, used, most
    int window
    bint full                # no larger table can be had
    bint shared              # with other threads

cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x ^= x >> 32
    x *= <uint64_t>0xd6e8feb86659fd93
    x ^= x >> 32
    x *= <uint64_t>0xd6e8feb86659fd93
    return x ^ x >> 32


cdef inline uint64_t home_of(const Table* T, const Key* k) noexcept nogil:
    return kit_part(mixed(k.a ^ mixed(k.b)), T.count)


cdef inline int low_of(uint64_t data) noexcept nogil:
    return <int>(data & BITS) - MATE - 1


cdef inline int high_of(uint64_t data) noexcept nogil:
    return <int>(data >> 15 & BITS) - MATE - 1


cdef inline bint known(const Table* T, const Key* k, int* low, int* high) noexcept nogil:
    # Whether the table has a position; then its bounds.
    cdef uint64_t i = home_of(T, k), data
    cdef Entry* e
    cdef int n
    for n in range(T.window):
        e = T.slots + i
        data = load(&e.data, ACQUIRE)
        if data == 0:
            return False
        if load(&e.a, RELAXED) == k.a and load(&e.b, RELAXED) == k.b:
            fence(ACQUIRE)
            if data >> LOCK_SHIFT & 1 or (data ^ load(&e.data, RELAXED)) >> LOCK_SHIFT:
                return False
            low[0], high[0] = low_of(data), high_of(data)
            return True
        i = i + 1 if i + 1 < T.count else 0
    return False


cdef void keep(Table* T, const Key* k, int low, int high, uint64_t nodes) noexcept nogil:
    # Store bounds of a position that took so many nodes.
    cdef uint64_t i, data, old = 0, worth = 0, least = 64, locked = <uint64_t>1 << LOCK_SHIFT
    cdef Entry* e
    cdef Entry* place = NULL
    cdef bint found = False
    cdef int n
    if not T.full and T.used * 8 >= T.count * (5 if T.window > WINDOW else 4):
        resize(T, 2 * T.count)
    while nodes > 1:
        nodes >>= 1
        worth += 1
    i = home_of(T, k)
    for n in range(T.window):
        e = T.slots + i
        data = load(&e.data, ACQUIRE)
        found = data != 0 and load(&e.a, RELAXED) == k.a and load(&e.b, RELAXED) == k.b
        if data == 0 or found or (data >> WORTH_SHIFT & 63) < least:
            place, old, least = e, data, data >> WORTH_SHIFT & 63
        if data == 0 or found:
            break
        i = i + 1 if i + 1 < T.count else 0
    if old & locked:
        return
    if found:
        low, high, worth = max(low, low_of(old)), min(high, high_of(old)), max(worth, least)
    data = <uint64_t>(low + MATE + 1) | <uint64_t>(high + MATE + 1) << 15 | worth << WORTH_SHIFT
    if found:
        data |= old >> VERSION_SHIFT << VERSION_SHIFT
        if not T.shared:
            place.data = data
        else:
            swap(&place.data, &old, data, False, RELAXED, RELAXED)
        return
    data |= ((old >> VERSION_SHIFT) + 1) << VERSION_SHIFT
    T.used += old == 0
    if T.shared:
        if not swap(&place.data, &old, data | locked, False, ACQUIRE, RELAXED):
            return
        fence(RELEASE)
    store(&place.a, k.a, RELAXED)
    store(&place.b, k.b, RELAXED)
    store(&place.data, data, RELEASE)


cdef bint resize(Table* T, uint64_t count) noexcept nogil:
    # Move to a larger table, or mark this one full.
    cdef Entry* old = T.slots
    cdef uint64_t i, n = T.count
    cdef Key k
    cdef Entry* made = <Entry*>kit_table(count * sizeof(Entry)) if count <= T.most else NULL
    T.full = made == NULL
    if T.full:
        return False
    T.slots, T.count, T.used = made, count, 0
    for i in range(n):
        if old[i].data:
            k.a, k.b = old[i].a, old[i].b
            keep(T, &k, low_of(old[i].data), high_of(old[i].data), <uint64_t>1 << (old[i].data >> WORTH_SHIFT & 63))
    free(old)
    return True


