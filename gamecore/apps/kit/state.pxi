# The bytes of a state as a key, for a game without a `key` of its own.
from libc.string cimport memcpy as gc_memcpy, memset as gc_memset

cdef Key gc_significant      # the bytes of a state that belong to a field; what lies between fields may be anything


cdef inline Key gc_bytes(const State* s) noexcept nogil:
    cdef Key k
    gc_memset(&k, 0, sizeof(Key))
    gc_memcpy(&k, s, min(sizeof(State), sizeof(Key)))
    k.a &= gc_significant.a
    k.b &= gc_significant.b
    return k


cdef inline Key gc_smaller_key(Key k, State mirrored) noexcept nogil:
    cdef Key other = key(&mirrored)
    return other if other.a < k.a or (other.a == k.a and other.b < k.b) else k


cdef gc_find_significant_bytes():
    # A byte belongs to a field if a change of it changes the dict that Cython makes of the struct.
    cdef State s
    cdef size_t i
    gc_memset(&s, 0, sizeof(State))
    cdef object cleared = s, changed
    for i in range(min(sizeof(State), sizeof(Key))):
        (<uint8_t*>&s)[i] = 1
        changed = s
        if changed != cleared:
            (<uint8_t*>&gc_significant)[i] = 255
        (<uint8_t*>&s)[i] = 0


gc_find_significant_bytes()
