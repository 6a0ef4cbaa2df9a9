# The transposition table: proven bounds of positions, keyed by the whole position (see key.pxd).
#
# A bucket is a cache line of 64 bytes.  In the module hexapawn it has five entries, split over words and half words,
# and a head:
#
#   five words          lower 17 bits of right | left (47)
#   five half words     upper 19 bits of right | bounds + 1 (13)
#   head, a half word   worth of each entry (5 x 4) | version (11) | locked (1)
#
# In hexapawn_wide it has four entries of two words, and no head:
#
#   first word          lower 12 bits of right | left (52)
#   second word         upper 32 bits of right | worth (9) | bounds + 1 (23)
#
# An entry whose bounds + 1 are 0 is free.
#
# The table starts with 16 kB and doubles when it is half full, up to a given size.  Bucket b of n splits into b and
# b + n, so that growing needs no second table.  Up to 256 kB it is on the heap; then it moves to a reserved region of
# the largest size, of which only the used part is touched.
#
# In the module hexapawn threads may share a table.  A writer locks the bucket, or skips the store if it is locked.  The
# head's version changes with every store: a reader that finds the same unlocked head before and after has read one
# whole entry.  (The version wraps after 2048 stores; an undetected mix would also have to form the wanted key.)  A
# shared table does not grow during a search.  A thread that has added its share of entries ends its search as `full`;
# when all have ended, the table can grow.
#
# A full bucket overwrites the entry that took the fewest nodes to find.
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from common.bits cimport msb
from common.table cimport log2_floor, pages_alloc, pages_free
from common.watch cimport TABLE_FULL, Watch, look, stop_for
from common.words cimport load_word
from hexapawn.board cimport WIDE, Geometry
from hexapawn.bounds cimport MATE
from hexapawn.key cimport LEFT_8, LEFT_16, Key, Packing, packing_init

cdef extern from "simd/hexapawn.h" nogil:
    uint32_t load_half "gc_load_half"(const uint32_t* p) noexcept
    void store_half "gc_store_half"(uint32_t* p, uint32_t half) noexcept
    uint64_t load_word_first "gc_load_word_first"(const uint64_t* p) noexcept
    uint32_t load_half_first "gc_load_half_first"(const uint32_t* p) noexcept
    void store_word_last "gc_store_word_last"(uint64_t* p, uint64_t word) noexcept
    void store_half_last "gc_store_half_last"(uint32_t* p, uint32_t half) noexcept
    bint exchange_half "gc_exchange_half"(uint32_t* p, uint32_t seen, uint32_t half) noexcept

cdef enum:
    BUCKET_WORDS = 8
    BUCKET_BYTES = 64
    FIRST_BUCKETS = 256
    HEAP_BUCKETS = 4096
    HEAD = 5                       # index of the head among a bucket's half words
    LOCKED = 1
    VERSION = 0xFFE
    WORTH_SHIFT = 12

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

cdef struct Entry:
    uint64_t word
    uint64_t rest                  # the half word or the second word
    uint32_t worth


cdef inline uint32_t worth_of(uint64_t nodes) noexcept nogil:
    # The worth of an entry by the nodes of its search; full buckets keep the entries of highest worth.
    cdef uint32_t work = msb(nodes | 1)
    if not WIDE:
        return min(work, <uint32_t>15)
    else:
        return work


cdef inline int slots_of() noexcept nogil:
    if not WIDE:
        return 5
    else:
        return 4


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
    t.entries = 0
    t.replacements = 0
    t.shared = False
    table_set_growth(t)
    return t.words != NULL


cdef inline uint64_t first_buckets(const Table* t) noexcept nogil:
    return min(t.most_buckets, max(<uint64_t>FIRST_BUCKETS, <uint64_t>1 << t.packing.dropped))


cdef inline void table_clear(Table* t) noexcept nogil:
    # Empty the table and keep its memory.
    memset(t.words, 0, (t.mask + 1) * BUCKET_BYTES)
    t.mask = first_buckets(t) - 1
    t.entries = 0
    t.replacements = 0
    table_set_growth(t)


cdef inline void table_set_growth(Table* t) noexcept nogil:
    t.grow_at = (t.mask + 1) * slots_of() // 2 if t.mask + 1 < t.most_buckets else <uint64_t>0xFFFFFFFFFFFFFFFF


cdef inline uint64_t* bucket_of(const Table* t, const Key* key) noexcept nogil:
    return t.words + BUCKET_WORDS * (key.right & t.mask)


# ---- packed bounds: few scores are possible, and first <= last

cdef struct Span:
    # Bounds as the numbers of the least and the greatest possible score.
    int first
    int last


cdef inline int spans() noexcept nogil:
    # The number of distinct scores, from a loss in 0 plies to a win in 1; hexapawn_wide has enough for 64 squares.
    if not WIDE:
        return 125
    else:
        return 2047


cdef inline int number_of(int score, bint is_low) noexcept nogil:
    # The number of a score, from 0.  An impossible score is rounded up for a low, down for a high: losses take an even
    # number of plies, wins an odd one.  Scores beyond the span become weaker bounds.
    cdef int mate = MATE
    cdef int losses = (spans() + 1) // 2
    if score <= 0:
        return min((score + mate + is_low) >> 1, losses - is_low)
    return max(spans() - ((mate - score + 2 - is_low) >> 1), losses - is_low)


cdef inline int score_at(int number) noexcept nogil:
    cdef int mate = MATE
    if number < (spans() + 1) // 2:
        return 2 * number - mate
    return mate + 1 - 2 * (spans() - number)


cdef inline bint span_of(Span* span, int low, int high) noexcept nogil:
    # False if no possible score lies from low to high: such bounds cannot be packed.
    span.first = number_of(low, True)
    span.last = number_of(high, False)
    return 0 <= span.first <= span.last < spans()


cdef inline uint64_t pack_bounds(const Span* span) noexcept nogil:
    # Pack a span for which span_of was True to a number from 1.  In hexapawn, pairs of large difference use the codes
    # that other pairs leave free in a table of 63 x 128.
    cdef int width = span.last - span.first
    if not WIDE:
        if width > 62:
            return <uint64_t>((125 - width) << 7 | span.last) + 1
        return <uint64_t>(width << 7 | span.first) + 1
    else:
        return <uint64_t>(span.first << 11 | span.last) + 1


cdef inline void unpack_bounds(Span* span, uint64_t bounds) noexcept nogil:
    bounds -= 1
    if not WIDE:
        span.first = bounds & 127
        span.last = bounds >> 7
        if span.first + span.last > 124:
            span.last, span.first = span.first, span.first - (125 - span.last)
        else:
            span.last += span.first
    else:
        span.first = bounds >> 11
        span.last = bounds & 0x7FF


# ---- entries

cdef inline uint32_t* halves_of(const uint64_t* bucket) noexcept nogil:
    return <uint32_t*>(bucket + 5)


cdef inline void entry_for(Entry* entry, const Table* t, const Key* key) noexcept nogil:
    # Make an entry of this key, without bounds.
    cdef uint64_t right = key.right >> t.packing.dropped
    if not WIDE:
        entry.word = key.left | right << LEFT_8
        entry.rest = right >> (64 - LEFT_8) << 13
    else:
        entry.word = key.left | right << LEFT_16
        entry.rest = right >> (64 - LEFT_16) << 32


cdef inline Key key_in(const Entry* entry, const Table* t, uint64_t bucket) noexcept nogil:
    # The key of an entry; bits that entries do not store are the lowest bits of the bucket's number.
    cdef Key key
    cdef uint64_t right
    if not WIDE:
        key.left = entry.word & ((<uint64_t>1 << LEFT_8) - 1)
        right = entry.word >> LEFT_8 | entry.rest >> 13 << (64 - LEFT_8)
    else:
        key.left = entry.word & ((<uint64_t>1 << LEFT_16) - 1)
        right = entry.word >> LEFT_16 | entry.rest >> 32 << (64 - LEFT_16)
    key.right = right << t.packing.dropped | bucket & ((<uint64_t>1 << t.packing.dropped) - 1)
    return key


cdef inline void read_entry(Entry* entry, const uint64_t* bucket, int slot) noexcept nogil:
    if not WIDE:
        entry.word = load_word(bucket + slot)
        entry.rest = load_half(halves_of(bucket) + slot)
        entry.worth = load_half(halves_of(bucket) + HEAD) >> (WORTH_SHIFT + 4 * slot) & 15
    else:
        entry.word = bucket[2 * slot]
        entry.rest = bucket[2 * slot + 1]
        entry.worth = entry.rest >> 23 & 511


cdef inline void write_entry(const Entry* entry, uint64_t* bucket, int slot) noexcept nogil:
    # The caller is the only writer of this bucket.
    cdef uint32_t head
    if not WIDE:
        head = load_half(halves_of(bucket) + HEAD)
        store_word_last(bucket + slot, entry.word)
        store_half_last(halves_of(bucket) + slot, <uint32_t>entry.rest)
        head = head & ~(<uint32_t>15 << (WORTH_SHIFT + 4 * slot)) | entry.worth << (WORTH_SHIFT + 4 * slot)
        store_half(halves_of(bucket) + HEAD, head)
    else:
        bucket[2 * slot] = entry.word
        bucket[2 * slot + 1] = entry.rest & ~(<uint64_t>511 << 23) | <uint64_t>entry.worth << 23


cdef inline uint64_t bounds_in(const Entry* entry) noexcept nogil:
    # 0 if the slot is free.
    if not WIDE:
        return entry.rest & 0x1FFF
    else:
        return entry.rest & 0x7FFFFF


cdef inline bint entry_at(const Table* t, uint64_t number, int slot, Key* key, int* low, int* high) noexcept nogil:
    # Read the entry of a slot; False if it is free.
    cdef Entry entry
    cdef Span span
    read_entry(&entry, t.words + BUCKET_WORDS * number, slot)
    if bounds_in(&entry) == 0:
        return False
    key[0] = key_in(&entry, t, number)
    unpack_bounds(&span, bounds_in(&entry))
    low[0] = score_at(span.first)
    high[0] = score_at(span.last)
    return True


cdef inline int find_slot(const uint64_t* bucket, const Entry* wanted) noexcept nogil:
    # The slot of this key, or -1.  Of two keys with the same first word, which is very rare, only the first is found.
    # The key 0 also matches a free slot.
    cdef uint64_t word = wanted.word
    cdef int slot
    if not WIDE:
        # Unrolled by hand: a loop takes three times the instructions.
        if load_word(bucket) == word:
            slot = 0
        elif load_word(bucket + 1) == word:
            slot = 1
        elif load_word(bucket + 2) == word:
            slot = 2
        elif load_word(bucket + 3) == word:
            slot = 3
        elif load_word(bucket + 4) == word:
            slot = 4
        else:
            return -1
        return slot if (load_half(halves_of(bucket) + slot) ^ wanted.rest) < 0x2000 else -1
    else:
        for slot in range(4):
            if bucket[2 * slot] == word and (bucket[2 * slot + 1] ^ wanted.rest) >> 32 == 0:
                return slot
        return -1


cdef inline int free_slot(const uint64_t* bucket) noexcept nogil:
    # -1: none is free.
    cdef int slot
    for slot in range(slots_of()):
        if not WIDE:
            if load_half(halves_of(bucket) + slot) & 0x1FFF == 0:
                return slot
        else:
            if bucket[2 * slot + 1] & 0x7FFFFF == 0:
                return slot
    return -1


cdef inline int slot_to_replace(const uint64_t* bucket, uint32_t worth) noexcept nogil:
    # The slot of the entry of least worth.  A new entry of less worth than all others takes the last slot: the newest
    # entry is always kept.
    cdef uint32_t here, least = worth
    cdef uint32_t head = load_half(halves_of(bucket) + HEAD) >> WORTH_SHIFT
    cdef int slot, victim = slots_of() - 1
    for slot in range(slots_of() - 1):
        if not WIDE:
            here = head >> (4 * slot) & 15
        else:
            here = bucket[2 * slot + 1] >> 23 & 511
        if here < least:
            least = here
            victim = slot
    return victim


cdef inline bint table_probe(const Table* t, const Key* key, int* low, int* high) noexcept nogil:
    # Tighten low and high by the table's bounds; False if there is no entry.
    cdef uint64_t* bucket = bucket_of(t, key)
    cdef Entry wanted, entry
    cdef Span span
    cdef int slot
    cdef uint32_t head
    entry_for(&wanted, t, key)
    slot = find_slot(bucket, &wanted)
    if slot < 0:
        return False
    if not WIDE:
        if t.shared:
            head = load_half_first(halves_of(bucket) + HEAD)
            entry.word = load_word_first(bucket + slot)
            entry.rest = load_half_first(halves_of(bucket) + slot)
            if head & LOCKED or load_half(halves_of(bucket) + HEAD) != head or entry.word != wanted.word or (
                    entry.rest ^ wanted.rest) > 0x1FFF:
                return False       # another thread is writing to the bucket
        else:
            entry.rest = load_half(halves_of(bucket) + slot)
    else:
        entry.rest = bucket[2 * slot + 1]
    if bounds_in(&entry) == 0:
        return False
    unpack_bounds(&span, bounds_in(&entry))
    low[0] = max(low[0], score_at(span.first))
    high[0] = min(high[0], score_at(span.last))
    return True


cdef inline bint table_store(Table* t, const Key* key, int low, int high, uint32_t worth) noexcept nogil:
    # False if no possible score lies within these bounds and those of the key's entry, which stays.
    cdef uint64_t* bucket = bucket_of(t, key)
    cdef uint64_t entries = t.entries
    cdef uint32_t head
    cdef bint possible
    if not WIDE:
        if t.shared:
            head = load_half(halves_of(bucket) + HEAD)
            if head & LOCKED or not exchange_half(halves_of(bucket) + HEAD, head, head | LOCKED):
                return True        # another thread is writing to the bucket: this entry is lost
            possible = store_in(t, bucket, key, low, high, worth)
            head = load_half(halves_of(bucket) + HEAD) & ~<uint32_t>(VERSION | LOCKED) | ((head + 2) & VERSION)
            store_half_last(halves_of(bucket) + HEAD, head)
        else:
            possible = store_in(t, bucket, key, low, high, worth)
    else:
        possible = store_in(t, bucket, key, low, high, worth)
    if t.entries > entries and t.entries >= t.grow_at:
        table_grow(t)
    return possible


cdef inline bint store_in(Table* t, uint64_t* bucket, const Key* key, int low, int high, uint32_t worth) noexcept nogil:
    # See table_store.
    cdef Entry wanted, entry
    cdef Span span, stored
    cdef int slot
    if not span_of(&span, low, high):
        return False
    entry_for(&wanted, t, key)
    wanted.worth = worth
    slot = find_slot(bucket, &wanted)
    if slot >= 0:
        read_entry(&entry, bucket, slot)
        if bounds_in(&entry):
            unpack_bounds(&stored, bounds_in(&entry))
            span.first = max(span.first, stored.first)
            span.last = min(span.last, stored.last)
            if span.first > span.last:
                return False
            wanted.worth = max(worth, entry.worth)
            wanted.rest |= pack_bounds(&span)
            write_entry(&wanted, bucket, slot)
            return True
    wanted.rest |= pack_bounds(&span)
    slot = free_slot(bucket)
    if slot >= 0:
        write_entry(&wanted, bucket, slot)
        t.entries += 1
        return True
    t.replacements += 1
    write_entry(&wanted, bucket, slot_to_replace(bucket, worth))
    return True


cdef inline void table_grow(Table* t) noexcept nogil:
    cdef uint64_t buckets = t.mask + 1
    if t.shared:
        stop_for(t.watch, TABLE_FULL)
        return
    table_grow_to(t, min(4 * buckets if buckets < HEAP_BUCKETS else 2 * buckets, t.most_buckets))


cdef inline void table_grow_to(Table* t, uint64_t new_buckets) noexcept nogil:
    # new_buckets: the old number times any power of two.
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
    cdef uint64_t b, home
    cdef uint64_t* source
    cdef uint64_t* target
    cdef Entry entry, free
    cdef int slot
    free.word = free.rest = free.worth = 0
    for b in range(t.mask + 1):
        if (b & 0xFFFF) == 0xFFFF and t.words == new and look(t.watch):
            return False
        source = t.words + BUCKET_WORDS * b
        for slot in range(slots_of()):
            read_entry(&entry, source, slot)
            if bounds_in(&entry) == 0:
                continue
            home = key_in(&entry, t, b).right & (new_buckets - 1)
            target = new + BUCKET_WORDS * home
            if target == source:
                continue
            # Only this bucket's entries go to target, so that the same slot is free there.
            write_entry(&entry, target, slot)
            if t.words == new:
                write_entry(&free, source, slot)
    return True
