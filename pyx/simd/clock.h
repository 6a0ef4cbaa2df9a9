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

/* Take the GIL for a moment and run what signals have left to do; -1 when a handler raised (the exception
   stays set in this thread).  Other Python threads get their turn too. */
static int gc_signals(void)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int result = PyErr_CheckSignals();
    PyGILState_Release(state);
    return result;
}

/* With the GIL: -1 when an exception is waiting to be seen. */
static int gc_pending(void) { return PyErr_Occurred() ? -1 : 0; }

#endif
