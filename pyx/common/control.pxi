# Control: a Python object with a Watch, an argument of kernel functions.  Kernels include this file, because a class of
# one compiled module cannot be declared for another without importing it at run time.

cdef class Control:
    """The limits of kernel calls, and a way to stop them from another thread.

    Args:
        seconds: time limit of each call; below 0: no limit.
        nodes: limit of each call's work, in the kernel's unit; 0: no limit.
    """
    cdef Watch watch
    cdef double seconds
    cdef uint64_t limit

    def __cinit__(self, double seconds=-1.0, uint64_t nodes=0):
        self.seconds = seconds
        self.limit = nodes
        watch_open(&self.watch)
        watch_start(&self.watch, seconds, nodes)

    cdef Watch* begin(self) noexcept:
        # Restart the watch for a call.
        watch_start(&self.watch, self.seconds, self.limit)
        return &self.watch

    cdef int end(self) except -1:
        # Raise the exception of a signal handler that raised during the call.
        if self.watch.stop == INTERRUPTED:
            raise_pending()
        return 0

    def stop(self):
        """Stop the current and all later calls; from any thread, maybe repeatedly."""
        store_flag(&self.watch.asked, 1)

    @property
    def nodes(self) -> int:
        """Work of the last call."""
        return self.watch.nodes

    @property
    def stopped(self) -> bool:
        """True if the last call ended early, by a limit or by `stop`."""
        return self.watch.stop != RUNNING
