# Changes of the move-ordering weights, to share with other searches of the same board.
#
# The weights of both histories and the estimates have consecutive numbers; each part starts at a multiple of four.
# `last_shared` holds each weight at the last synchronisation; changes are differences from it.  A change is one word:
#
#   63        32 31          0
#   number       difference (signed)
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t

from common.words cimport load_weight, load_weights, store_weight
from hexapawn.estimate cimport MOST
from hexapawn.order cimport HISTORY_FULL
from hexapawn.search cimport Engine

cdef struct Part:
    int16_t* weights
    int64_t count
    int most                       # weights stay between -most and most
    int64_t first                  # number of the part's first weight


cdef inline void parts_of(Engine* e, Part* parts) noexcept nogil:
    # Patterns, replies and estimates.
    cdef int i
    parts[0].weights, parts[0].most = e.history.patterns, HISTORY_FULL
    parts[0].count = <int64_t>1 << (64 - e.history.pattern_shift)
    parts[1].weights, parts[1].most = e.history.replies, HISTORY_FULL
    parts[1].count = <int64_t>e.history.codes * e.history.codes
    parts[2].weights, parts[2].most = e.estimates.weights, MOST
    parts[2].count = 0 if e.estimates.weights == NULL else <int64_t>1 << (64 - e.estimates.shift)
    parts[0].first = 0
    for i in range(1, 3):
        parts[i].first = (parts[i - 1].first + parts[i - 1].count + 3) & ~<int64_t>3


cdef inline int64_t all_weights(Engine* e) noexcept nogil:
    # The number of weights, gaps included.
    cdef Part parts[3]
    parts_of(e, parts)
    return parts[2].first + parts[2].count


cdef inline int64_t collect_changes(Engine* e, int16_t* last_shared, uint64_t* words, int64_t room) noexcept nogil:
    # Write the changes since the last call and return their count.  If fewer than 4 words are free, there may be more.
    cdef Part parts[3]
    cdef int64_t i, j, end, count = 0
    cdef int part, weight
    cdef int16_t* known
    cdef const int16_t* weights
    parts_of(e, parts)
    for part in range(3):
        known = last_shared + parts[part].first
        weights = parts[part].weights
        i = 0
        while i < parts[part].count:
            end = min(i + 4, parts[part].count)
            # Compare four weights together: few have changed.
            if end == i + 4 and load_weights(weights + i) == load_weights(known + i):
                i = end
                continue
            if count + 4 > room:
                return count
            for j in range(i, end):
                weight = load_weight(weights + j)
                if weight != known[j]:
                    words[count] = <uint64_t>(parts[part].first + j) << 32 | <uint32_t>(weight - known[j])
                    known[j] = <int16_t>weight
                    count += 1
            i = end
    return count


cdef inline int within(int weight, int most) noexcept nogil:
    return max(-most, min(most, weight))


cdef inline int64_t apply_changes(Engine* e, int16_t* last_shared, const uint64_t* words, int64_t count,
                                  int sign) noexcept nogil:
    # Add (sign 1) or subtract (sign -1) other searches' changes; return how many had a valid weight number.
    cdef Part parts[3]
    cdef int64_t i, place, taken = 0
    cdef int part, change
    cdef int16_t* weight
    parts_of(e, parts)
    for i in range(count):
        place = words[i] >> 32
        change = sign * within(<int32_t><uint32_t>words[i], 2 * MOST)
        part = 2 if place >= parts[2].first else 1 if place >= parts[1].first else 0
        if place - parts[part].first >= parts[part].count:
            continue
        weight = parts[part].weights + (place - parts[part].first)
        store_weight(weight, within(load_weight(weight) + change, parts[part].most))
        last_shared[place] = <int16_t>within(last_shared[place] + change, parts[part].most)
        taken += 1
    return taken
