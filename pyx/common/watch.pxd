# Watch: limits and interruption of long computations (explained in simd/watch.h).
#
# A kernel calls `watch_open` once, `watch_start` for each computation, and `tick` once a node (or `spend` for many
# cells at once), without the GIL.  Afterwards, if `watch.stop` is INTERRUPTED, it takes the GIL and calls
# `raise_pending`, which raises the signal handler's exception, such as KeyboardInterrupt.
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from "simd/watch.h" nogil:
    enum:
        POLL "GC_WATCH_POLL"
        SLICE_NS "GC_WATCH_SLICE_NS"
        RUNNING "GC_RUNNING"
        NODE_LIMIT "GC_NODE_LIMIT"
        TIME_LIMIT "GC_TIME_LIMIT"
        CANCELLED "GC_CANCELLED"
        INTERRUPTED "GC_INTERRUPTED"
        TABLE_FULL "GC_TABLE_FULL"
        RESOLVED "GC_RESOLVED"

    ctypedef struct Watch "gc_watch":
        uint64_t nodes
        uint64_t next_look
        uint64_t interval
        uint64_t node_limit
        int64_t deadline
        int64_t looked
        int64_t next_signals
        int32_t stop
        int32_t asked

    int64_t now_ns "gc_now_ns"() noexcept
    int signals "gc_signals"() noexcept
    int load_flag "gc_load_flag"(const int32_t* flag) noexcept
    void store_flag "gc_store_flag"(int32_t* flag, int value) noexcept
    void watch_open "gc_watch_open"(Watch* watch) noexcept
    void watch_start "gc_watch_start"(Watch* watch, double seconds, uint64_t node_limit) noexcept
    bint stop_for "gc_watch_stop_for"(Watch* watch, int reason) noexcept
    bint look "gc_watch_look"(Watch* watch) noexcept
    bint tick "gc_watch_tick"(Watch* watch) noexcept
    bint spend "gc_watch_spend"(Watch* watch, uint64_t work) noexcept

cdef extern from "simd/watch.h":
    int raise_pending "gc_pending"() except -1
