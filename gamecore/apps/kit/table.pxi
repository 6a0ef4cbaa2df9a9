# The table of `search.pxi`: whole keys with a lower and an upper bound.
#
# An entry is three words, or two if `key` returns one. Its data is 0 while the slot is free:
#
#   | worth, 6 bits | upper + GC_EDGE, 15 | lower + GC_EDGE, 15 |
#
# The others are the words of the key, XORed with a multiple of the data: threads share a table without locks, and words
# of two entries are no third one for a reader (Hyatt and Mann's lockless hashing). The worth is the logarithm of the
# nodes that the bounds took; a full window loses the entry of least worth. With keys of one word, a window is a line of
# the processor's caches: a look-up waits for memory once. A table beyond the caches is slower: it grows only if the
# search comes back to positions that it has lost.
from libc.stdlib cimport free as gc_free

cdef enum:
    GC_MATE = 10000
    GC_EDGE = 10001          # -GC_EDGE and GC_EDGE: no bound
    GC_LINE = 64             # bytes of a line of the caches
    GC_WINDOW = 4 * GC_WORDS  # slots where a key may be
    GC_RELEASED = 1 << 16    # entries that are given back together
    GC_BITS = 0x7FFF
    GC_WORTH_SHIFT = 30
    GC_CHEAP = 16 << 20      # bytes of a table that is worth its memory in any case
    GC_GHOSTS = 4096
    GC_STORED = 512          # sampled keys between decisions
    GC_PAYS = 16             # a larger table pays if one of so many keys was stored before and lost

cdef struct gc_Entry:
    uint64_t data
    uint64_t key[GC_WORDS]

cdef struct gc_Table:
    gc_Entry* slots          # a key stands in one of `window` slots from its home on
    void* memory             # with the slots, which begin with a line
    uint64_t count, used, most
    int window
    bint full                # it has its largest size
    uint64_t stored, missed  # of a sample of keys, see gc_pays
    uint64_t ghosts[GC_GHOSTS]

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    static void *gc_zeroed(size_t bytes)           /* in huge pages where the system has them */
    {
        char *memory = (char *)calloc(1, bytes);
    #ifdef MADV_HUGEPAGE
        if (memory && bytes > 1 << 22)
            madvise((void *)(((uintptr_t)memory + 4095) & ~(uintptr_t)4095), bytes - 4096, MADV_HUGEPAGE);
    #endif
        return memory;
    }
    static void gc_release(void *memory, size_t bytes)   /* whole pages at the beginning of it */
    {
        uintptr_t first = ((uintptr_t)memory + 4095) & ~(uintptr_t)4095;
        uintptr_t last = ((uintptr_t)memory + bytes) & ~(uintptr_t)4095;
        if (last > first)
            madvise((void *)first, last - first, MADV_DONTNEED);
    }
    static inline uint64_t gc_part(uint64_t x, uint64_t n) { return (uint64_t)((unsigned __int128)x * n >> 64); }
    static inline uint64_t gc_hash(uint64_t a, uint64_t b)
    {
        unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    static inline uint64_t gc_load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void gc_store(uint64_t *p, uint64_t x) { __atomic_store_n(p, x, __ATOMIC_RELAXED); }
    """
    void* gc_zeroed(size_t) noexcept nogil
    void gc_release(void*, size_t) noexcept nogil
    uint64_t gc_part(uint64_t, uint64_t) noexcept nogil
    uint64_t gc_hash(uint64_t, uint64_t) noexcept nogil
    uint64_t gc_load(const uint64_t*) noexcept nogil
    void gc_store(uint64_t*, uint64_t) noexcept nogil
    int gc_leading_zeros "__builtin_clzll"(uint64_t) noexcept nogil


cdef inline uint64_t gc_home(const gc_Table* T, uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t home = gc_part(gc_hash(a, b), T.count)
    return home & ~<uint64_t>(GC_WINDOW - 1) if GC_WORDS == 1 else home      # four entries of 16 bytes: a line


cdef inline int gc_low_of(uint64_t data) noexcept nogil:
    return <int>(data & GC_BITS) - GC_EDGE


cdef inline int gc_high_of(uint64_t data) noexcept nogil:
    return <int>(data >> 15 & GC_BITS) - GC_EDGE


cdef inline uint64_t gc_mask_of(uint64_t data) noexcept nogil:
    return data * <uint64_t>0x9e3779b97f4a7c15


cdef inline Key gc_key_in(const gc_Entry* e) noexcept nogil:
    cdef Key k
    k.a, k.b = e.key[0] ^ gc_mask_of(e.data), e.key[GC_WORDS - 1] ^ gc_mask_of(e.data) if GC_WORDS == 2 else 0
    return k


cdef inline bint gc_has(gc_Entry* e, uint64_t data, const Key* k) noexcept nogil:
    # Return whether an entry with this data is that of a key.
    cdef uint64_t mask = gc_mask_of(data)
    return gc_load(&e.key[0]) ^ mask == k.a and (GC_WORDS == 1 or gc_load(&e.key[GC_WORDS - 1]) ^ mask == k.b)


cdef inline bint gc_known(const gc_Table* T, const Key* k, int* low, int* high) noexcept nogil:
    # Return whether the table has a position; then set its bounds.
    cdef uint64_t i = gc_home(T, k.a, k.b), data
    cdef int n
    for n in range(T.window):
        data = gc_load(&T.slots[i].data)
        if data == 0:
            return False
        if gc_has(T.slots + i, data, k):
            low[0], high[0] = gc_low_of(data), gc_high_of(data)
            return True
        i = i + 1 if i + 1 < T.count else 0
    return False


cdef inline bint gc_is_sampled(const gc_Table* T, uint64_t h) noexcept nogil:
    # Return True for one of so many keys that GC_GHOSTS of them fill the table four times.
    return <uint32_t>h * T.count >> 34 < <uint64_t>GC_GHOSTS


cdef inline void gc_sample(gc_Table* T, uint64_t h, const gc_Entry* lost) noexcept nogil:
    # Count, of a sample, the keys that are stored for the first time, and those that were stored before and lost.
    cdef Key k = gc_key_in(lost)
    cdef uint64_t other = gc_hash(k.a, k.b)
    if gc_is_sampled(T, h):
        T.stored += 1
        T.missed += T.ghosts[h >> 52] == h
    if gc_is_sampled(T, other):
        T.ghosts[other >> 52] = other


cdef inline bint gc_pays(gc_Table* T) noexcept nogil:
    # Return whether to grow: a small table when it is half full, a large one only if positions are searched again
    # because it has lost them.
    if T.window > GC_WINDOW:                      # it loses none
        return T.used * 8 >= T.count * 5
    if T.count * sizeof(gc_Entry) < GC_CHEAP:
        return T.used * 2 >= T.count
    if T.stored < GC_STORED:
        return False
    cdef bint pays = T.missed * GC_PAYS >= T.stored
    T.stored = T.missed = 0
    return pays


cdef void gc_keep(gc_Table* T, const Key* k, int low, int high, uint64_t nodes) noexcept nogil:
    # Store bounds of a position that took so many nodes.
    cdef uint64_t h = gc_hash(k.a, k.b), i, data, mask, old = 0, least = 64, worth = 63 - gc_leading_zeros(nodes | 1)
    cdef gc_Entry* place = NULL
    cdef bint same = False
    cdef int n
    if not T.full and gc_pays(T):
        gc_grow(T, 2 * T.count)
    i = gc_home(T, k.a, k.b)
    for n in range(T.window):
        data = gc_load(&T.slots[i].data)
        same = data != 0 and gc_has(T.slots + i, data, k)
        if data == 0 or same or data >> GC_WORTH_SHIFT < least:
            place, old, least = T.slots + i, data, data >> GC_WORTH_SHIFT
        if data == 0 or same:
            break
        i = i + 1 if i + 1 < T.count else 0
    if same:
        low, high, worth = max(low, gc_low_of(old)), min(high, gc_high_of(old)), max(worth, least)
    elif old and not T.full:
        gc_sample(T, h, place)
    T.used += old == 0
    data = <uint64_t>(low + GC_EDGE) | <uint64_t>(high + GC_EDGE) << 15 | worth << GC_WORTH_SHIFT
    mask = gc_mask_of(data)
    gc_store(&place.key[0], k.a ^ mask)
    if GC_WORDS == 2:
        gc_store(&place.key[GC_WORDS - 1], k.b ^ mask)
    gc_store(&place.data, data)


cdef bint gc_allocate(gc_Table* T, uint64_t count) noexcept nogil:
    # Give a table so many free slots; return False if memory lacks.
    cdef void* memory = gc_zeroed(count * sizeof(gc_Entry) + GC_LINE)
    if memory == NULL:
        return False
    T.memory, T.slots = memory, <gc_Entry*>((<size_t>memory + GC_LINE - 1) & ~<size_t>(GC_LINE - 1))
    T.count, T.used, T.missed = count, 0, 0
    return True


cdef void gc_grow(gc_Table* T, uint64_t count) noexcept nogil:
    # Move to a larger table, or mark this one full. Homes keep their order: the new table fills from its beginning, as
    # the old one is given back, so that both together never need more memory than the new one.
    cdef void* memory = T.memory
    cdef gc_Entry* old = T.slots
    cdef uint64_t i, n = T.count
    cdef Key k
    T.full = count > T.most or not gc_allocate(T, count)
    if T.full:
        return
    for i in range(n):
        if i % GC_RELEASED == 0:
            gc_release(old, i * sizeof(gc_Entry))
        if old[i].data:
            k = gc_key_in(old + i)
            gc_keep(T, &k, gc_low_of(old[i].data), gc_high_of(old[i].data), <uint64_t>1 << (old[i].data >> GC_WORTH_SHIFT))
    gc_free(memory)
