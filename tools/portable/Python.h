/* Stands in for CPython's header where the C of pyx/simd is compiled without a Python: what watch.h asks of it, with
   nothing behind it. */
#ifndef GAMECORE_NO_PYTHON_H
#define GAMECORE_NO_PYTHON_H

#include <stdint.h>

typedef int PyGILState_STATE;
static inline int Py_IsInitialized(void) { return 0; }
static inline PyGILState_STATE PyGILState_Ensure(void) { return 0; }
static inline void PyGILState_Release(PyGILState_STATE state) { (void)state; }
static inline int PyErr_CheckSignals(void) { return 0; }
static inline void *PyErr_Occurred(void) { return 0; }

#endif
