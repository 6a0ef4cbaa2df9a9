# Watch: the one way a long search is bounded and interrupted.
#
# A kernel runs without the GIL and calls `tick` once a node.  Once in POLL nodes `tick` looks at the clock; twenty
# times a second it takes the GIL for a moment, so that Ctrl-C answers and other threads run.  When `tick` says stop,
# the search unwinds without storing what it has not proved; afterwards, with the GIL, `raise_pending` raises the
# KeyboardInterrupt (or whatever a signal handler raised) if that was the reason.
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from "simd/clock.h" nogil:
    int64_t now_ns "gc_now_ns"() noexcept
    int signals "gc_signals"() noexcept
    int load_flag "gc_load_flag"(const int32_t* flag) noexcept
    void store_flag "gc_store_flag"(int32_t* flag, int value) noexcept

cdef extern from "simd/clock.h":
    int raise_pending "gc_pending"() except -1

cdef enum:
    POLL = 4096                    # nodes between looks at the clock: well under a millisecond
    RUNNING = 0
    LIMIT_REACHED = 1
    INTERRUPTED = 2

cdef struct Watch:
    uint64_t nodes                 # nodes so far
    uint64_t next_look             # the node count at which `look` is due
    uint64_t node_limit
    int64_t deadline               # of now_ns(); the largest int64 when there is none
    int64_t next_signals           # when to look for signals again
    int stop                       # RUNNING, LIMIT_REACHED or INTERRUPTED
    int32_t asked                  # set by another thread that wants an end (store_flag); seen at the next look


cdef inline void watch_start(Watch* watch, double seconds, uint64_t node_limit) noexcept nogil:
    # seconds < 0: no deadline; node_limit 0: no limit of nodes.
    cdef int64_t now = now_ns()
    watch.nodes = 0
    watch.node_limit = node_limit if node_limit else <uint64_t>0xFFFFFFFFFFFFFFFF
    watch.next_look = POLL if watch.node_limit > POLL else watch.node_limit
    watch.deadline = <int64_t>0x7FFFFFFFFFFFFFFF
    if 0 <= seconds < 1e9:
        watch.deadline = now + <int64_t>(seconds * 1e9)
        if seconds == 0:
            watch.next_look = 0
    watch.next_signals = now + 50_000_000
    watch.stop = RUNNING
    store_flag(&watch.asked, 0)


cdef inline bint look(Watch* watch) noexcept nogil:
    cdef int64_t now
    if watch.stop != RUNNING:
        return True
    if watch.nodes >= watch.node_limit or load_flag(&watch.asked):
        return stop_for(watch, LIMIT_REACHED)
    now = now_ns()
    if now >= watch.deadline:
        return stop_for(watch, LIMIT_REACHED)
    if now >= watch.next_signals:
        watch.next_signals = now + 50_000_000
        if signals() != 0:
            return stop_for(watch, INTERRUPTED)
    watch.next_look = watch.nodes + POLL
    if watch.next_look > watch.node_limit:
        watch.next_look = watch.node_limit
    return False


cdef inline bint stop_for(Watch* watch, int reason) noexcept nogil:
    watch.stop = reason
    watch.next_look = 0            # from now on every tick comes here
    return True


cdef inline bint tick(Watch* watch) noexcept nogil:
    # Count one node; True when the search has to stop (once it has said so, it goes on saying so).
    if watch.nodes >= watch.next_look:
        if look(watch):
            return True
    watch.nodes += 1
    return False
