# Memory of transposition tables: zeroed, aligned to cache lines, huge pages when large (see simd/pages.h).
# Each game's kernel defines its entries; sizes are powers of two, so that an AND makes an index.
from libc.stdint cimport uint64_t

cdef extern from "simd/pages.h" nogil:
    void* pages_alloc "gc_pages_alloc"(size_t size) noexcept           # NULL if there is no memory
    void pages_free "gc_pages_free"(void* pages, size_t size) noexcept  # size: as for pages_alloc


cdef inline int log2_floor(uint64_t x) noexcept nogil:
    # The largest k with 2**k <= x; 0 for 0.
    cdef int k = 0
    while x > 1:
        x >>= 1
        k += 1
    return k
