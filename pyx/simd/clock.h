/* A monotonic clock in nanoseconds that needs no GIL. */
#ifndef GAMECORE_CLOCK_H
#define GAMECORE_CLOCK_H

#include <Python.h>
#include <stdint.h>
#ifdef _WIN32
#include <windows.h>
static int64_t gc_now_ns(void)
{
    LARGE_INTEGER f, t;
    QueryPerformanceFrequency(&f);
    QueryPerformanceCounter(&t);
    return (int64_t)((double)t.QuadPart * 1e9 / (double)f.QuadPart);
}
#else
#include <time.h>
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

#endif
