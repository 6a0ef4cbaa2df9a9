/* Watch: limits and interruption of long computations, for the Cython and the C parts of a kernel.

   A kernel runs without the GIL.  It counts its work with gc_watch_tick (one node) or gc_watch_spend (many cells at
   once).  Every GC_WATCH_POLL units of work the watch reads the clock, and sooner while units are slow: the first nodes
   in a large table wait for the system to clear its pages, for milliseconds each.  Every GC_WATCH_SLICE_NS the watch
   takes the GIL, so that signal handlers and other Python threads can run.  When a call returns 1 (stop), the
   computation unwinds and stores nothing unproven.

   The vector code of rows needs the watch too, hence C. */
#ifndef GAMECORE_WATCH_H
#define GAMECORE_WATCH_H

#include <Python.h>
#include <stdint.h>
#ifdef _WIN32
#include <windows.h>
#undef near /* windows.h defines these as macros, for 16-bit compilers */
#undef far
#undef small
#else
#include <time.h>
#endif

#define GC_WATCH_POLL 4096       /* most units of work between reads of the clock: well under a millisecond */
#define GC_WATCH_FIRST 4         /* units of work before the first one; the interval doubles up to GC_WATCH_POLL ... */
#define GC_WATCH_SLOW_NS 2000000 /* ... unless it took longer than this: then it shrinks to a quarter */
#define GC_WATCH_BULK 262144     /* the same for gc_watch_spend */
#define GC_WATCH_SLICE_NS 50000000 /* nanoseconds between checks of signals */

enum { /* reasons to stop */
       GC_RUNNING = 0,
       GC_NODE_LIMIT = 1,
       GC_TIME_LIMIT = 2,
       GC_CANCELLED = 3,   /* another thread cancelled the computation */
       GC_INTERRUPTED = 4, /* a signal handler raised an exception */
       GC_TABLE_FULL = 5,  /* the shared table must grow, which needs all threads to stop */
       GC_RESOLVED = 6     /* another thread has resolved a node on the current path */
};

typedef struct {
    uint64_t nodes;     /* work so far, in the kernel's unit: positions, cells, rounds */
    uint64_t next_look; /* work count of the next gc_watch_look */
    uint64_t interval;  /* from one look to the next */
    uint64_t node_limit;
    int64_t deadline;     /* by gc_now_ns(); the largest int64 for none */
    int64_t looked;       /* time of the last look */
    int64_t next_signals; /* time of the next check of signals */
    int32_t stop;         /* GC_RUNNING, or the reason to stop */
    int32_t asked;        /* cancel flag, set by any thread, read by gc_watch_look */
} gc_watch;

/* A monotonic clock in nanoseconds that needs no GIL. */
#ifdef _WIN32
static int64_t gc_now_ns(void)
{
    LARGE_INTEGER f, t;
    QueryPerformanceFrequency(&f);
    QueryPerformanceCounter(&t);
    return (int64_t)((double)t.QuadPart * 1e9 / (double)f.QuadPart);
}
#else
static int64_t gc_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
#endif

/* Flags between threads: relaxed atomics, since no other data depends on them. */
static int gc_load_flag(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static void gc_store_flag(int32_t *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }

/* Take the GIL and run pending signal handlers; -1 if one raised (its exception stays set in this thread).  Other
   Python threads can run meanwhile. */
static int gc_signals(void)
{
    PyGILState_STATE state;
    int result;
    /* A daemon thread may get here while the interpreter shuts down; taking the GIL would crash. */
    if (!Py_IsInitialized())
        return 0;
    state = PyGILState_Ensure();
    result = PyErr_CheckSignals();
    PyGILState_Release(state);
    return result;
}

/* Needs the GIL: -1 if an exception is set. */
static int gc_pending(void) { return PyErr_Occurred() ? -1 : 0; }

/* Initialise a watch; call once, before gc_watch_start. */
static void gc_watch_open(gc_watch *watch) { gc_store_flag(&watch->asked, 0); }

/* Start a computation.  seconds < 0: no deadline; node_limit 0: no limit.  A cancelled watch stays cancelled, so that
   all later items of a batch stop too. */
static void gc_watch_start(gc_watch *watch, double seconds, uint64_t node_limit)
{
    int64_t now = gc_now_ns();
    watch->nodes = 0;
    watch->node_limit = node_limit ? node_limit : UINT64_MAX;
    watch->interval = GC_WATCH_FIRST;
    watch->next_look = watch->node_limit > GC_WATCH_FIRST ? GC_WATCH_FIRST : watch->node_limit;
    watch->looked = now;
    watch->deadline = INT64_MAX;
    if (seconds >= 0 && seconds < 1e9) {
        watch->deadline = now + (int64_t)(seconds * 1e9);
        if (seconds == 0)
            watch->next_look = 0;
    }
    if (gc_load_flag(&watch->asked))
        watch->next_look = 0;
    watch->next_signals = now + GC_WATCH_SLICE_NS;
    watch->stop = GC_RUNNING;
}

static int gc_watch_stop_for(gc_watch *watch, int reason)
{
    watch->stop = reason;
    watch->next_look = 0; /* every later tick looks, and stops */
    return 1;
}

/* Check the cancel flag, the limits and, if due, the signals; 1: stop. */
static int gc_watch_look(gc_watch *watch)
{
    int64_t now;
    if (watch->stop != GC_RUNNING)
        return 1;
    if (watch->nodes >= watch->node_limit)
        return gc_watch_stop_for(watch, GC_NODE_LIMIT);
    if (gc_load_flag(&watch->asked))
        return gc_watch_stop_for(watch, GC_CANCELLED);
    now = gc_now_ns();
    if (now >= watch->deadline)
        return gc_watch_stop_for(watch, GC_TIME_LIMIT);
    if (now >= watch->next_signals) {
        watch->next_signals = now + GC_WATCH_SLICE_NS;
        if (gc_signals() != 0)
            return gc_watch_stop_for(watch, GC_INTERRUPTED);
    }
    if (now - watch->looked > GC_WATCH_SLOW_NS)
        watch->interval = watch->interval / 4 + 1;
    else if (watch->interval < GC_WATCH_POLL)
        watch->interval *= 2;
    watch->looked = now;
    watch->next_look = watch->nodes + watch->interval;
    if (watch->next_look > watch->node_limit)
        watch->next_look = watch->node_limit;
    return 0;
}

/* Count one unit of work; 1: stop, then and at every later call. */
static inline int gc_watch_tick(gc_watch *watch)
{
    if (watch->nodes >= watch->next_look && gc_watch_look(watch))
        return 1;
    watch->nodes += 1;
    return 0;
}

/* Count much work before doing it; 1: stop instead.  The node limit is never exceeded.  A unit of such work takes less
   than a nanosecond, so that the clock is read once in GC_WATCH_BULK units. */
static inline int gc_watch_spend(gc_watch *watch, uint64_t work)
{
    if (work > watch->node_limit - watch->nodes) /* keep an earlier reason to stop */
        return watch->stop != GC_RUNNING ? 1 : gc_watch_stop_for(watch, GC_NODE_LIMIT);
    if (watch->nodes >= watch->next_look) {
        if (gc_watch_look(watch))
            return 1;
        watch->next_look += GC_WATCH_BULK;
    }
    watch->nodes += work;
    return 0;
}

#endif
