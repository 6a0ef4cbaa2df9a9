# Control: what Python holds of a Watch, for kernels whose functions take one as an argument.  A text that kernels
# include, because a class of one compiled module cannot be declared for another without importing it at run time.

cdef class Control:
    """Bounds one or several calls of this kernel, and stops them from another thread.

    Args:
        seconds: time for each call; below 0: no bound.
        nodes: work for each call, in the kernel's unit; 0: no bound.
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
        # The watch, started anew for a call.
        watch_start(&self.watch, self.seconds, self.limit)
        return &self.watch

    cdef int end(self) except -1:
        # After a call: raise what a signal handler raised meanwhile.
        if self.watch.stop == INTERRUPTED:
            raise_pending()
        return 0

    def stop(self):
        """Ask the call that is running, and all later ones, to end early; from any thread, any number of times."""
        store_flag(&self.watch.asked, 1)

    @property
    def nodes(self) -> int:
        """Work of the last call."""
        return self.watch.nodes

    @property
    def stopped(self) -> bool:
        """Whether the last call ended early: a limit was reached, or it was asked to stop."""
        return self.watch.stop != RUNNING
