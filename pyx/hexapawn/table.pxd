# The transposition table: proven bounds of positions, keyed by the whole position.
#
# A bucket is a cache line of 64 bytes.
#
#   int8_t   four entries of two words      own (56 bits) | low (8)      opp without its far row (56) | high (8)
#   int16_t  three entries                  own, opp (2 words each), then three pairs of 16-bit low and high
#
# `own` of a stored position never stands on the far row and never is empty, so an entry whose own is 0 is free.
#
# The table starts with 16 kB and doubles when it is half full, up to a given size: bucket b of n splits into b and
# b + n, so that growing needs no second table.  Up to 256 kB it lies on the heap, where a page costs nothing; then it
# moves to a reserved region as large as it may become, of which only the part in use is ever touched.
# Threads may share a table in the int8_t layout, where an entry is read and written whole.  It does not grow meanwhile:
# a thread that has filled its part of the half ends its search and is `full`; when all have, it can grow.
# When it is full, it replaces the entry with the fewest rows left to walk: the one that is cheapest to find again.
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t
from libc.string cimport memset

from common.bits cimport popcount
from common.table cimport log2_floor, pages_alloc, pages_free
from common.watch cimport LIMIT_REACHED, Watch, look, stop_for
from hexapawn.board cimport Geometry, Layout, stride_of

cdef extern from "simd/hexapawn.h" nogil:
    void load_pair "gc_load_pair"(const uint64_t* p, uint64_t* a, uint64_t* b) noexcept
    void store_pair "gc_store_pair"(uint64_t* p, uint64_t a, uint64_t b) noexcept
    bint pairs_are_whole "gc_pairs_are_whole"() noexcept

cdef extern from "simd/words.h" nogil:
    uint64_t load_word "gc_load_word"(const uint64_t* p) noexcept
    void store_word "gc_store_word"(uint64_t* p, uint64_t word) noexcept

cdef enum:
    BUCKET_WORDS = 8
    BUCKET_BYTES = 64
    FIRST_BUCKETS = 256
    HEAP_BUCKETS = 4096

cdef struct Table:
    uint64_t* words
    size_t bytes                   # allocated (a region may be touched in part only)
    uint64_t mask                  # buckets in use - 1
    uint64_t most_buckets
    uint64_t entries
    uint64_t grow_at               # number of entries
    uint64_t replacements
    bint shared
    bint full                      # shared, and to grow before the search goes on
    Watch* watch                   # of the search that is on


cdef inline int slots_of(Layout tag) noexcept nogil:
    if Layout is int8_t:
        return 4
    else:
        return 3


cdef inline uint64_t position_hash(uint64_t own, uint64_t opp) noexcept nogil:
    cdef uint64_t x = own * <uint64_t>0x9E3779B97F4A7C15
    x ^= (opp + <uint64_t>0x632BE59BD9B4E019) * <uint64_t>0xC2B2AE3D27D4EB4F
    x ^= x >> 29
    x *= <uint64_t>0xBF58476D1CE4E5B9
    return x ^ (x >> 32)


cdef inline bint table_init(Table* t, uint64_t most_bytes, Layout tag) noexcept nogil:
    # False when there is no memory.
    cdef uint64_t buckets = <uint64_t>1 << log2_floor(most_bytes // BUCKET_BYTES)
    t.most_buckets = buckets
    cdef uint64_t first = min(buckets, <uint64_t>FIRST_BUCKETS)
    if buckets * BUCKET_BYTES >= <uint64_t>1 << 21:
        buckets = first
    t.bytes = buckets * BUCKET_BYTES
    t.words = <uint64_t*>pages_alloc(t.bytes)
    t.mask = first - 1
    t.entries = 0
    t.replacements = 0
    t.shared = t.full = False
    table_set_growth(t, tag)
    return t.words != NULL


cdef inline void table_clear(Table* t, Layout tag) noexcept nogil:
    # As new, but in the memory that it has.
    memset(t.words, 0, (t.mask + 1) * BUCKET_BYTES)
    t.mask = min(t.most_buckets, <uint64_t>FIRST_BUCKETS) - 1
    t.entries = 0
    t.replacements = 0
    table_set_growth(t, tag)


cdef inline void table_set_growth(Table* t, Layout tag) noexcept nogil:
    t.grow_at = (t.mask + 1) * slots_of(tag) // 2 if t.mask + 1 < t.most_buckets else <uint64_t>0xFFFFFFFFFFFFFFFF


cdef inline uint64_t* bucket_of(const Table* t, uint64_t h) noexcept nogil:
    return t.words + BUCKET_WORDS * (h & t.mask)


cdef inline void read_entry(uint64_t* bucket, int slot, uint64_t* own, uint64_t* opp, int* low, int* high,
                            Layout tag) noexcept nogil:
    cdef uint64_t a, b
    cdef int16_t* bounds
    load_pair(bucket + 2 * slot, &a, &b)
    if Layout is int8_t:
        own[0] = (a << 8) >> 8
        opp[0] = b << 8
        low[0] = <int8_t>(a >> 56)
        high[0] = <int8_t>(b >> 56)
    else:
        bounds = <int16_t*>(bucket + 6)
        own[0] = a
        opp[0] = b
        low[0] = bounds[2 * slot]
        high[0] = bounds[2 * slot + 1]


cdef inline void write_entry(uint64_t* bucket, int slot, uint64_t own, uint64_t opp, int low, int high,
                             Layout tag) noexcept nogil:
    cdef int16_t* bounds
    if Layout is int8_t:
        store_pair(bucket + 2 * slot, own | (<uint64_t><uint8_t>low << 56),
                   (opp >> 8) | (<uint64_t><uint8_t>high << 56))
    else:
        bounds = <int16_t*>(bucket + 6)
        bucket[2 * slot] = own
        bucket[2 * slot + 1] = opp
        bounds[2 * slot] = <int16_t>low
        bounds[2 * slot + 1] = <int16_t>high


cdef inline int find_slot(const uint64_t* bucket, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    # The slot of this position, or -1.
    cdef int slot
    if Layout is int8_t:
        for slot in range(4):
            if ((load_word(bucket + 2 * slot) ^ own) << 8) == 0 and (load_word(bucket + 2 * slot + 1) << 8) == opp:
                return slot
    else:
        for slot in range(3):
            if bucket[2 * slot] == own and bucket[2 * slot + 1] == opp:
                return slot
    return -1


cdef inline bint table_probe(const Table* t, uint64_t own, uint64_t opp, uint64_t h, int* low, int* high,
                             Layout tag) noexcept nogil:
    # Tighten low and high by what is known.
    cdef uint64_t* bucket = bucket_of(t, h)
    cdef uint64_t a, b
    cdef int known_low, known_high
    cdef int slot = find_slot(bucket, own, opp, tag)
    if slot < 0:
        return False
    read_entry(bucket, slot, &a, &b, &known_low, &known_high, tag)
    if a != own or b != opp:
        return False               # another thread has replaced it in between
    low[0] = max(low[0], known_low)
    high[0] = min(high[0], known_high)
    return True


cdef inline int rows_left(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    # Rows that the pawns of both sides could still walk, in all: it falls by one or more with every ply.
    cdef int row, walk = 0
    for row in range(1, g.rows):
        walk += popcount(own & ~(g.board << (row * stride_of(g, tag)))) + popcount(opp >> (row * stride_of(g, tag)))
    return walk


cdef inline void table_store(Table* t, const Geometry* g, uint64_t own, uint64_t opp, uint64_t h, int low, int high,
                             Layout tag) noexcept nogil:
    cdef uint64_t* bucket = bucket_of(t, h)
    cdef uint64_t a, b
    cdef int slot, known_low, known_high, walk, fewest, victim
    slot = find_slot(bucket, own, opp, tag)
    if slot >= 0:
        read_entry(bucket, slot, &a, &b, &known_low, &known_high, tag)
        if a == own and b == opp:
            low = max(low, known_low)
            high = min(high, known_high)
        write_entry(bucket, slot, own, opp, low, high, tag)
        return
    for slot in range(slots_of(tag)):
        read_entry(bucket, slot, &a, &b, &known_low, &known_high, tag)
        if a == 0:
            write_entry(bucket, slot, own, opp, low, high, tag)
            t.entries += 1
            if t.entries >= t.grow_at:
                table_grow(t, tag)
            return
    # A newcomer that is worth less than the others takes the last slot, so that the newest is always kept.
    t.replacements += 1
    fewest = rows_left(g, own, opp, tag)
    victim = slots_of(tag) - 1
    for slot in range(slots_of(tag) - 1):
        read_entry(bucket, slot, &a, &b, &known_low, &known_high, tag)
        walk = rows_left(g, a, b, tag)
        if walk < fewest:
            fewest = walk
            victim = slot
    write_entry(bucket, victim, own, opp, low, high, tag)


cdef inline void table_grow(Table* t, Layout tag) noexcept nogil:
    cdef uint64_t buckets = t.mask + 1
    if t.shared:
        t.full = True
        stop_for(t.watch, LIMIT_REACHED)
        return
    table_grow_to(t, min(4 * buckets if buckets < HEAP_BUCKETS else 2 * buckets, t.most_buckets), tag)


cdef inline void table_grow_to(Table* t, uint64_t new_buckets, Layout tag) noexcept nogil:
    # new_buckets: old ones times any power of two.
    cdef uint64_t old_buckets = t.mask + 1
    cdef size_t bytes = new_buckets * BUCKET_BYTES
    cdef uint64_t* words = t.words
    if bytes > t.bytes:
        if new_buckets > HEAP_BUCKETS:
            bytes = t.most_buckets * BUCKET_BYTES
        words = <uint64_t*>pages_alloc(bytes)
        while words == NULL and new_buckets > HEAP_BUCKETS and bytes > new_buckets * BUCKET_BYTES:
            bytes >>= 1
            words = <uint64_t*>pages_alloc(bytes)
        if words == NULL:
            t.most_buckets = old_buckets
            table_set_growth(t, tag)
            return
        t.most_buckets = min(t.most_buckets, bytes // BUCKET_BYTES) if new_buckets > HEAP_BUCKETS else t.most_buckets
    if not split_buckets(t.words, old_buckets, words, new_buckets, t.watch, tag):
        return
    if words != t.words:
        pages_free(t.words, t.bytes)
        t.words = words
        t.bytes = bytes
    t.mask = new_buckets - 1
    table_set_growth(t, tag)


cdef inline bint split_buckets(uint64_t* old, uint64_t old_buckets, uint64_t* new, uint64_t new_buckets, Watch* watch,
                               Layout tag) noexcept nogil:
    # old and new may be the same: what stays in its bucket stays in its slot, the rest goes to untouched buckets.
    # False when the watch stopped it, which a large table needs: what has moved by then is forgotten, or found again
    # when the table grows after all.
    cdef uint64_t b, own, opp, home
    cdef uint64_t* source
    cdef uint64_t* target
    cdef int slot, low, high
    for b in range(old_buckets):
        if (b & 0xFFFF) == 0xFFFF and old == new and look(watch):
            return False
        source = old + BUCKET_WORDS * b
        for slot in range(slots_of(tag)):
            read_entry(source, slot, &own, &opp, &low, &high, tag)
            if own == 0:
                continue
            home = position_hash(own, opp) & (new_buckets - 1)
            target = new + BUCKET_WORDS * home
            if target == source:
                continue
            # Only this bucket's entries come to target, so the slot of the same number is free there.
            write_entry(target, slot, own, opp, low, high, tag)
            if old == new:
                write_entry(source, slot, 0, 0, 0, 0, tag)
    return True
