/* What common/watch.pxd needs of the system and of CPython: a clock, flags between threads, signals. */
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

/* A monotonic clock in nanoseconds that needs no GIL. */
static int64_t gc_now_ns(void)
{
#ifdef _WIN32
    LARGE_INTEGER f, t;
    QueryPerformanceFrequency(&f);
    QueryPerformanceCounter(&t);
    return (int64_t)((double)t.QuadPart * 1e9 / (double)f.QuadPart);
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
#endif
}

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

#endif
