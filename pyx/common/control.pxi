# Control: a Python object with a Watch, an argument of kernel functions.  Kernels include this file, because a class of
# one compiled module cannot be declared for another without importing it at run time.

cdef class Control:
    """The limits of kernel calls, for all of them together, and a way to stop them from another thread.

    Args:
        seconds: from now on; below 0: no limit.
        nodes: work in the kernel's unit; 0: no limit.
    """
    cdef Watch watch

    def __cinit__(self, double seconds=-1.0, uint64_t nodes=0):
        watch_open(&self.watch)
        watch_start(&self.watch, seconds, nodes)

    cdef Watch* begin(self) noexcept:
        # The watch of a call, which begins with a look.
        self.watch.next_look = 0
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
        """Work of all calls."""
        return self.watch.nodes

    @property
    def stopped(self) -> bool:
        """True if a call ended early, by a limit or by `stop`; later calls end at once."""
        return self.watch.stop != RUNNING
