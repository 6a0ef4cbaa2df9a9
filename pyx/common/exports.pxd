# Export of transposition table entries, to searches on other machines and to disk.
#
# Entries are exported if their search took at least `least` nodes.  A record is three words:
#
#   words 0, 1   the position
#   word 2       nodes, at most 2**32 - 1 (32) | data of the game (32)
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    const uint64_t NO_EXPORTS "0xffffffffffffffffULL"

cdef enum:
    RECORD_WORDS = 3
    RECORD_BYTES = 24

cdef struct Exports:
    uint64_t least                 # fewest nodes of an exported entry
    uint64_t* words                # room for `room` records; NULL before exports_open
    int64_t count
    int64_t room


cdef inline void exports_init(Exports* x) noexcept nogil:
    x.least = NO_EXPORTS
    x.words = NULL
    x.count = x.room = 0


cdef inline void exports_close(Exports* x) noexcept nogil:
    free(x.words)
    exports_init(x)


cdef inline bint exports_open(Exports* x, uint64_t least, int64_t room) noexcept nogil:
    # Start to export, or change `least` and keep the records.  False if there is no memory.
    if x.words == NULL:
        x.words = <uint64_t*>malloc(room * RECORD_BYTES)
        if x.words == NULL:
            return False
        x.room = room
    x.least = least
    return True


cdef inline void thin(Exports* x) noexcept nogil:
    # Keep the costlier records: double `least` until half of the room is free.
    cdef int64_t i, kept
    cdef int k
    while 2 * x.count > x.room:
        x.least *= 2
        kept = 0
        for i in range(x.count):
            if x.words[RECORD_WORDS * i + 2] >> 32 >= x.least:
                for k in range(RECORD_WORDS):
                    x.words[RECORD_WORDS * kept + k] = x.words[RECORD_WORDS * i + k]
                kept += 1
        x.count = kept


cdef inline void exports_add(Exports* x, uint64_t first, uint64_t second, uint64_t low_bits,
                             uint64_t nodes) noexcept nogil:
    cdef uint64_t* record
    if x.count == x.room:
        thin(x)
        if nodes < x.least:
            return
    record = x.words + RECORD_WORDS * x.count
    record[0] = first
    record[1] = second
    record[2] = min(nodes, <uint64_t>0xffffffff) << 32 | low_bits
    x.count += 1
