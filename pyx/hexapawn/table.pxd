# The transposition table: proven bounds of positions, keyed by the whole position (see key.pxd).
#
# A bucket is a cache line of four entries (see entry.pxd).  In a full bucket a new entry takes the place of the least
# worthy of the first three, if that is worth less (took fewer nodes to find), else of the last.
#
# The table starts with 16 kB and grows when it is half full, up to a given size: it quadruples below 256 kB and doubles
# beyond.  A table of less than 2 MB has all its memory at once.  Bucket b of n splits into b and
# b + n, so that growing needs no second table.  Up to 256 kB it is on the heap; then it moves to a reserved region of
# the largest size, of which only the used part is touched.  A shared table does not grow during a search.  A thread
# that has added its share of entries ends its search as `full`; when all have ended, the table can grow.
#
# A reserved table (for searches of hours) has all its memory from the start and never grows.
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from common.table cimport log2_floor, pages_alloc, pages_free
from common.watch cimport TABLE_FULL, Watch, look, stop_for
from common.words cimport load_word
from hexapawn.board cimport Geometry
from hexapawn.entry cimport Entry, Span, entry_for, key_in, pack, read_entry, span_of, unpack, worth_in, write_entry
from hexapawn.key cimport Key, Packing, packing_init

cdef enum:
    SLOTS = 4                      # entries of a bucket
    BUCKET_WORDS = 8
    BUCKET_BYTES = 64
    FIRST_BUCKETS = 256
    HEAP_BUCKETS = 4096
    CLEAR_BETWEEN_LOOKS = 1 << 22  # bytes of fresh memory

cdef struct Table:
    uint64_t* words
    size_t bytes                   # allocated, maybe not all touched
    uint64_t mask                  # buckets in use - 1
    uint64_t most_buckets
    uint64_t entries
    uint64_t grow_at               # number of entries at which the table grows
    uint64_t replacements
    bint shared
    Watch* watch                   # watch of the current search
    Packing packing                # packing of keys


cdef inline bint table_init(Table* t, const Geometry* g, uint64_t most_bytes) noexcept nogil:
    # False if there is no memory.
    packing_init(&t.packing, g)
    cdef uint64_t buckets = <uint64_t>1 << max(log2_floor(most_bytes // BUCKET_BYTES), t.packing.dropped)
    t.most_buckets = buckets
    cdef uint64_t first = first_buckets(t)
    if buckets * BUCKET_BYTES >= <uint64_t>1 << 21:
        buckets = first
    t.bytes = buckets * BUCKET_BYTES
    t.words = <uint64_t*>pages_alloc(t.bytes)
    t.mask = first - 1
    t.entries = t.replacements = 0
    t.shared = False
    table_set_growth(t)
    return t.words != NULL


cdef inline bint table_reserve(Table* t) noexcept nogil:
    # Replace the table by an empty one that is reserved.  False if there is no memory.
    cdef size_t bytes = t.most_buckets * BUCKET_BYTES
    cdef uint64_t* words = <uint64_t*>pages_alloc(bytes)
    if words == NULL:
        return False
    pages_free(t.words, t.bytes)
    t.words = words
    t.bytes = bytes
    t.mask = t.most_buckets - 1
    t.entries = t.replacements = 0
    table_set_growth(t)
    return True


cdef inline uint64_t first_buckets(const Table* t) noexcept nogil:
    return min(t.most_buckets, max(<uint64_t>FIRST_BUCKETS, <uint64_t>1 << t.packing.dropped))


cdef inline void table_clear(Table* t) noexcept nogil:
    # Empty the table and keep its memory.
    memset(t.words, 0, (t.mask + 1) * BUCKET_BYTES)
    t.mask = first_buckets(t) - 1
    t.entries = t.replacements = 0
    table_set_growth(t)


cdef inline void table_set_growth(Table* t) noexcept nogil:
    t.grow_at = (t.mask + 1) * SLOTS // 2 if t.mask + 1 < t.most_buckets else <uint64_t>0xFFFFFFFFFFFFFFFF


cdef inline uint64_t* bucket_of(const Table* t, const Key* key) noexcept nogil:
    return t.words + BUCKET_WORDS * (key.right & t.mask)


# ---- entries

cdef inline bint entry_at(const Table* t, uint64_t number, int slot, Key* key, int* low, int* high) noexcept nogil:
    # Read the entry of a slot; False if it is free, or mixed from two entries.
    cdef Entry entry = read_entry(t.words + BUCKET_WORDS * number, slot)
    cdef Span span = unpack(entry.second)
    key[0] = key_in(&t.packing, number, &entry)
    low[0], high[0] = span.low, span.high
    return worth_in(entry.second) and (key.right ^ number) & t.mask == 0


cdef inline int find_slot(const uint64_t* bucket, const Entry* wanted, uint64_t* second) noexcept nogil:
    # The slot of this key, or -1; *second is the slot's second word.
    cdef Entry entry
    cdef int slot
    for slot in range(SLOTS):
        entry = read_entry(bucket, slot)
        if entry.first == wanted.first and (entry.second ^ wanted.second) >> 32 == 0:
            second[0] = entry.second
            return slot if worth_in(entry.second) else -1
    return -1


cdef inline int slot_to_fill(const uint64_t* bucket, uint32_t worth, uint32_t* replaced) noexcept nogil:
    # A free slot; else that of the least worthy of the first three, if it is worth less than the new entry; else the
    # last, whatever its worth: the newest entry is always kept.  *replaced is 0 for a free slot.
    cdef uint32_t least = worth
    cdef int slot, victim = SLOTS - 1
    for slot in range(SLOTS):
        replaced[0] = worth_in(load_word(bucket + 2 * slot + 1))
        if replaced[0] == 0:
            return slot
        if slot < SLOTS - 1 and replaced[0] < least:
            least = replaced[0]
            victim = slot
    return victim


cdef inline bint table_probe(const Table* t, const Key* key, int* low, int* high) noexcept nogil:
    # Tighten low and high by the table's bounds; False if there is no entry.
    cdef Entry wanted = entry_for(&t.packing, key)
    cdef Span span
    cdef uint64_t second
    if find_slot(bucket_of(t, key), &wanted, &second) < 0:
        return False
    span = unpack(second)
    low[0] = max(low[0], span.low)
    high[0] = min(high[0], span.high)
    return True


cdef inline void table_store(Table* t, const Key* key, int low, int high, uint32_t worth) noexcept nogil:
    cdef uint64_t* bucket = bucket_of(t, key)
    cdef Entry entry = entry_for(&t.packing, key)
    cdef Span span = span_of(low, high), stored
    cdef uint64_t second
    cdef uint32_t replaced
    cdef int slot = find_slot(bucket, &entry, &second)
    if slot >= 0:
        stored = unpack(second)
        span.low = max(span.low, stored.low)
        span.high = min(span.high, stored.high)
        entry.second |= pack(&span, max(worth, worth_in(second)))
        write_entry(bucket, slot, &entry)
        return
    entry.second |= pack(&span, worth)
    slot = slot_to_fill(bucket, worth, &replaced)
    write_entry(bucket, slot, &entry)
    if replaced:
        t.replacements += 1
        return
    t.entries += 1
    if t.entries >= t.grow_at:
        table_grow(t)


cdef inline void table_grow(Table* t) noexcept nogil:
    cdef uint64_t old_buckets = t.mask + 1
    cdef uint64_t new_buckets = min(4 * old_buckets if old_buckets < HEAP_BUCKETS else 2 * old_buckets, t.most_buckets)
    cdef size_t bytes = new_buckets * BUCKET_BYTES
    cdef uint64_t* words = t.words
    if t.shared:
        stop_for(t.watch, TABLE_FULL)
        return
    if bytes > t.bytes:
        if new_buckets > HEAP_BUCKETS:
            bytes = t.most_buckets * BUCKET_BYTES
        words = <uint64_t*>pages_alloc(bytes)
        while words == NULL and new_buckets > HEAP_BUCKETS and bytes > new_buckets * BUCKET_BYTES:
            bytes >>= 1
            words = <uint64_t*>pages_alloc(bytes)
        if words == NULL:
            t.most_buckets = old_buckets
            table_set_growth(t)
            return
        t.most_buckets = min(t.most_buckets, bytes // BUCKET_BYTES) if new_buckets > HEAP_BUCKETS else t.most_buckets
    if not split_buckets(t, words, new_buckets):
        return
    if words != t.words:
        pages_free(t.words, t.bytes)
        t.words = words
        t.bytes = bytes
    t.mask = new_buckets - 1
    table_set_growth(t)


cdef inline bint split_buckets(Table* t, uint64_t* new, uint64_t new_buckets) noexcept nogil:
    # Move the entries to their new buckets.  `new` may be the table itself: then entries either stay in their slot or
    # move to unused buckets.  False if the watch stopped it; entries moved before are lost until the table grows.
    cdef uint64_t b, home, cleared = 0
    cdef uint64_t* source
    cdef Entry entry, free
    cdef Key key
    cdef int slot
    free.first = free.second = 0
    for b in range(t.mask + 1):
        cleared += new_buckets // (t.mask + 1) * BUCKET_BYTES
        if cleared >= CLEAR_BETWEEN_LOOKS and t.words == new:
            cleared = 0
            if look(t.watch):
                return False
        source = t.words + BUCKET_WORDS * b
        for slot in range(SLOTS):
            entry = read_entry(source, slot)
            if worth_in(entry.second) == 0:
                continue
            key = key_in(&t.packing, b, &entry)
            home = key.right & (new_buckets - 1)
            if home == b and t.words == new:
                continue
            # Only this bucket's entries go to `home`, so that the same slot is free there.  An entry mixed from two
            # would go to a bucket of its own.
            if (key.right ^ b) & t.mask == 0:
                write_entry(new + BUCKET_WORDS * home, slot, &entry)
            else:
                t.entries -= 1
            if t.words == new:
                write_entry(source, slot, &free)
    return True
