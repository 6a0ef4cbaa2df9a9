# Watch: limits and interruption of long computations.
#
# A kernel runs without the GIL.  It calls `watch_open` once, `watch_start` for each computation, and counts its work
# with `tick` (one node) or `spend` (many cells at once).  Every POLL units of work the watch reads the clock, and
# sooner while units are slow: the first nodes in a large table wait for the system to clear its pages, for milliseconds
# each.  Every SLICE_NS the watch takes the GIL, so that signal handlers and other Python threads can run.  When a call
# returns True, the computation unwinds and stores nothing unproven.
#
# Afterwards, if `watch.stop` is INTERRUPTED, the kernel takes the GIL and calls `raise_pending`, which raises the
# signal handler's exception, such as KeyboardInterrupt.
from libc.stdint cimport INT64_MAX, UINT64_MAX, int32_t, int64_t, uint64_t

cdef extern from "simd/watch.h" nogil:
    int64_t now_ns "gc_now_ns"() noexcept
    int signals "gc_signals"() noexcept
    int load_flag "gc_load_flag"(const int32_t* flag) noexcept
    void store_flag "gc_store_flag"(int32_t* flag, int value) noexcept

cdef extern from "simd/watch.h":
    int raise_pending "gc_pending"() except -1

cdef enum:
    POLL = 4096                    # most units of work between reads of the clock: well under a millisecond
    FIRST = 4                      # units of work before the first one; the interval doubles up to POLL ...
    SLOW_NS = 2000000              # ... unless it took longer than this: then it shrinks to a quarter
    BULK = 262144                  # POLL for `spend`
    SLICE_NS = 50000000            # nanoseconds between checks of signals

cdef enum:                         # reasons to stop
    RUNNING = 0
    NODE_LIMIT = 1
    TIME_LIMIT = 2
    CANCELLED = 3                  # another thread cancelled the computation
    INTERRUPTED = 4                # a signal handler raised an exception
    TABLE_FULL = 5                 # the shared table must grow, which needs all threads to stop
    RESOLVED = 6                   # another thread has resolved a node on the current path

cdef struct Watch:
    uint64_t nodes                 # work so far, in the kernel's unit: positions, cells, rounds
    uint64_t next_look             # work count of the next `look`
    uint64_t interval              # from one look to the next
    uint64_t node_limit
    int64_t deadline               # by now_ns(); INT64_MAX for none
    int64_t looked                 # time of the last look
    int64_t next_signals           # time of the next check of signals
    int32_t stop                   # RUNNING, or the reason to stop
    int32_t asked                  # cancel flag, set by any thread, read by `look`


cdef inline void watch_open(Watch* watch) noexcept nogil:
    store_flag(&watch.asked, 0)


cdef inline void watch_start(Watch* watch, double seconds, uint64_t node_limit) noexcept nogil:
    # Start a computation.  seconds < 0: no deadline; node_limit 0: no limit.  A cancelled watch stays cancelled, so
    # that all later items of a batch stop too.
    cdef int64_t now = now_ns()
    watch.nodes = 0
    watch.node_limit = node_limit if node_limit else UINT64_MAX
    watch.interval = FIRST
    watch.next_look = min(<uint64_t>FIRST, watch.node_limit)
    watch.looked = now
    watch.deadline = INT64_MAX
    if 0 <= seconds < 1e9:
        watch.deadline = now + <int64_t>(seconds * 1e9)
    if seconds == 0 or load_flag(&watch.asked):
        watch.next_look = 0
    watch.next_signals = now + SLICE_NS
    watch.stop = RUNNING


cdef inline bint stop_for(Watch* watch, int reason) noexcept nogil:
    watch.stop = reason
    watch.next_look = 0            # every later tick looks, and stops
    return True


cdef inline bint look(Watch* watch) noexcept nogil:
    # Check the cancel flag, the limits and, if due, the signals; True: stop.
    cdef int64_t now
    if watch.stop != RUNNING:
        return True
    if watch.nodes >= watch.node_limit:
        return stop_for(watch, NODE_LIMIT)
    if load_flag(&watch.asked):
        return stop_for(watch, CANCELLED)
    now = now_ns()
    if now >= watch.deadline:
        return stop_for(watch, TIME_LIMIT)
    if now >= watch.next_signals:
        watch.next_signals = now + SLICE_NS
        if signals() != 0:
            return stop_for(watch, INTERRUPTED)
    if now - watch.looked > SLOW_NS:
        watch.interval = watch.interval // 4 + 1
    elif watch.interval < POLL:
        watch.interval *= 2
    watch.looked = now
    watch.next_look = min(watch.nodes + watch.interval, watch.node_limit)
    return False


cdef inline bint tick(Watch* watch) noexcept nogil:
    # Count one unit of work; True: stop, then and at every later call.
    if watch.nodes >= watch.next_look and look(watch):
        return True
    watch.nodes += 1
    return False


cdef inline bint spend(Watch* watch, uint64_t work) noexcept nogil:
    # Count much work before doing it; True: stop instead.  The node limit is never exceeded.  A unit of such work takes
    # less than a nanosecond, so that the clock is read once in BULK units.
    if work > watch.node_limit - watch.nodes:  # keep an earlier reason to stop
        return watch.stop != RUNNING or stop_for(watch, NODE_LIMIT)
    if watch.nodes >= watch.next_look:
        if look(watch):
            return True
        watch.next_look += BULK
    watch.nodes += work
    return False
