/* Watch: the one way in which a long computation is bounded and interrupted, for the Cython and the C parts of a
   kernel.

   A kernel runs without the GIL.  It counts its work with gc_watch_tick (one node) or gc_watch_spend (many cells at
   once).  Every GC_WATCH_POLL units of work the clock is looked at; every GC_WATCH_SLICE_NS the GIL is taken for a
   moment, so that signal handlers run and other Python threads get their turn.  When a call answers "stop", the
   computation unwinds and keeps nothing that it has not proved.

   This is C and not Cython because the vector code of rows counts its work by it too. */
#ifndef GAMECORE_WATCH_H
#define GAMECORE_WATCH_H

#include <Python.h>
#include <stdint.h>
#ifdef _WIN32
#include <windows.h>
#undef near /* words of 16-bit compilers, which windows.h still takes away from everybody */
#undef far
#undef small
#else
#include <time.h>
#endif

#define GC_WATCH_POLL 4096         /* units of work between looks at the clock: well under a millisecond */
#define GC_WATCH_BULK 262144       /* the same where many units are counted at once */
#define GC_WATCH_SLICE_NS 50000000 /* nanoseconds between looks at the signals: the slice of a kernel */

enum { /* why a computation stops: */
       GC_RUNNING = 0,
       GC_NODE_LIMIT = 1,
       GC_TIME_LIMIT = 2,
       GC_CANCELLED = 3,   /* another thread asked for an end */
       GC_INTERRUPTED = 4, /* a signal handler raised */
       GC_TABLE_FULL = 5,  /* a table that threads share has to grow, which takes all of them */
       GC_RESOLVED = 6     /* another thread has found what was searched for */
};

typedef struct {
    uint64_t nodes;     /* work so far, in the kernel's own unit: positions, cells, rounds */
    uint64_t next_look; /* the work at which the next look is due */
    uint64_t node_limit;
    int64_t deadline;     /* of gc_now_ns(); the largest int64 when there is none */
    int64_t next_signals; /* when to look for signals again */
    int32_t stop;         /* GC_RUNNING, or the reason to stop */
    int32_t asked;        /* set by another thread that wants an end; seen at the next look */
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

/* A flag by which one thread asks another to stop: relaxed atomics, since nothing else is handed over with it. */
#if defined(__GNUC__) || defined(__clang__)
static int gc_load_flag(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static void gc_store_flag(int32_t *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }
#else
static int gc_load_flag(const int32_t *flag) { return *(const volatile int32_t *)flag; }
static void gc_store_flag(int32_t *flag, int value) { *(volatile int32_t *)flag = value; }
#endif

/* Take the GIL for a moment and run what signals have left to do; -1 when a handler raised (the exception
   stays set in this thread).  Other Python threads get their turn too. */
static int gc_signals(void)
{
    PyGILState_STATE state;
    int result;
    /* A daemon thread may still be here while the interpreter ends: it has no GIL to give any more, and would crash. */
    if (!Py_IsInitialized())
        return 0;
    state = PyGILState_Ensure();
    result = PyErr_CheckSignals();
    PyGILState_Release(state);
    return result;
}

/* With the GIL: -1 when an exception is waiting to be seen. */
static int gc_pending(void) { return PyErr_Occurred() ? -1 : 0; }

/* A new watch, not yet stopped.  Once for each watch, before gc_watch_start. */
static void gc_watch_open(gc_watch *watch) { gc_store_flag(&watch->asked, 0); }

/* Begin a computation.  seconds < 0: no deadline; node_limit 0: no limit of nodes.  A watch that was asked to stop
   stays asked, so that a batch ends at any of its items. */
static void gc_watch_start(gc_watch *watch, double seconds, uint64_t node_limit)
{
    int64_t now = gc_now_ns();
    watch->nodes = 0;
    watch->node_limit = node_limit ? node_limit : UINT64_MAX;
    watch->next_look = watch->node_limit > GC_WATCH_POLL ? GC_WATCH_POLL : watch->node_limit;
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
    watch->next_look = 0; /* from now on every tick looks, and is told to stop */
    return 1;
}

/* Look at the flag, the limits and, when it is time, the signals: 1 when the computation has to stop. */
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
    watch->next_look = watch->nodes + GC_WATCH_POLL;
    if (watch->next_look > watch->node_limit)
        watch->next_look = watch->node_limit;
    return 0;
}

/* Count one unit of work: 1 when the computation has to stop; once it has said so, it goes on saying so. */
static inline int gc_watch_tick(gc_watch *watch)
{
    if (watch->nodes >= watch->next_look && gc_watch_look(watch))
        return 1;
    watch->nodes += 1;
    return 0;
}

/* Count much work at once, before it is done: 1 when the computation has to stop instead.  The limit of work is held
   exactly.  Such work costs less than a nanosecond a unit, so that the clock is looked at once in GC_WATCH_BULK units.
 */
static inline int gc_watch_spend(gc_watch *watch, uint64_t work)
{
    if (work > watch->node_limit - watch->nodes) /* a reason that was given before stands */
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
