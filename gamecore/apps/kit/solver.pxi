# What Python sees of a game's module: searches and rules.

cdef class gc_Solver:
    """A table, and searches that share it. States are dicts of the fields of ``State``.

    A solver made with ``main``, while that one does not search, helps it: it searches in the same table, in another
    thread.
    """

    cdef gc_Search* S
    cdef gc_Shared together
    cdef gc_Solver main

    def __cinit__(self, table_bytes=512 << 20, gc_Solver main=None):
        cdef gc_Search* S = <gc_Search*>gc_calloc(1, sizeof(gc_Search))
        self.S, self.main = S, main
        if S == NULL:
            raise MemoryError
        S.moves = <Move*>gc_malloc((MOST_MOVES + GC_SLACK) * sizeof(Move))
        if S.moves == NULL or not gc_reserve(S, 64):
            raise MemoryError
        if main is not None:
            S.table, S.shared = main.S.table, main.S.shared
            return
        S.table.window = GC_WINDOW
        S.table.most = S.table.count = max(<uint64_t>table_bytes // sizeof(gc_Entry), <uint64_t>GC_WINDOW)
        while S.table.count >= 2 * GC_FIRST_SLOTS:     # doubling ends at the size that was asked for
            S.table.count //= 2
        S.table.slots = <gc_Entry*>gc_zeroed(S.table.count * sizeof(gc_Entry))
        if S.table.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.S != NULL:
            if self.main is None:
                gc_free(self.S.table.slots)
            gc_free(self.S.moves)
            gc_free(self.S.stack)
            gc_free(self.S)

    @property
    def table_bytes(self):
        """Memory of the table."""
        return self.S.table.count * sizeof(gc_Entry)

    def stop(self):
        """End the current search, and all later ones; from any thread."""
        gc_store_flag(&self.S.asked, True, gc_RELAXED)

    cdef begin(self, const State* s, double seconds, uint64_t nodes):
        cdef gc_Search* S = self.S
        gc_memcpy(&S.stack[0].state, s, sizeof(State))
        S.nodes = S.next_look = S.stop = 0
        S.interval = 1
        S.last_look = gc_now()
        S.deadline = S.last_look + seconds if seconds >= 0 else -1
        S.next_signals = S.last_look + 0.05
        S.node_limit = nodes if nodes else <uint64_t>-1

    cdef finish(self):
        if self.S.stop == GC_INTERRUPTED:
            gc_raise_pending()
        if self.S.stop == GC_NO_MEMORY:
            raise MemoryError
        if self.S.stop in gc_WHY:
            raise gc_Error(gc_WHY[self.S.stop])

    @property
    def is_shared(self):
        """Whether helpers may use the table."""
        return self.S.table.shared

    def share(self, bint on, bint together=True):
        """Let helpers into the table, which gets its full size, or search alone again.

        They search one position ``together``, or each its own.
        """
        cdef gc_Search* S = self.S
        gc_memset(&self.together, 0, sizeof(gc_Shared))
        S.shared, S.table.shared = NULL, False
        if on:
            if S.table.count < S.table.most:
                gc_grow(&S.table, S.table.most)
            S.shared, S.table.shared, S.table.full = &self.together if together else NULL, True, True

    def search(self, State s, double seconds, uint64_t nodes, test=None):
        """Return (lower, upper, nodes) of a position; ``seconds`` below 0 and ``nodes`` 0 are no limits.

        With a test, it ends as soon as the value is known to be at least that, or below it.
        """
        cdef int lower = -gc_edge, upper = gc_edge, end = result(&s), wanted = ONGOING if test is None else test
        self.begin(&s, seconds, nodes)
        if end != ONGOING:
            gc_check(self.S, end, 0)
            self.finish()
            return end, end, 0
        with nogil:
            gc_prove(self.S, &lower, &upper, wanted)
        self.finish()
        return max(lower, -GC_MATE), min(upper, GC_MATE), self.S.nodes

    def solve_all(self, State s, double seconds):
        """Return the value, or None at the time limit. The table, empty before, then holds all positions."""
        cdef int value = result(&s)
        self.begin(&s, seconds, 0)
        if value == ONGOING:
            self.S.table.window = 1 << 30
            with nogil:
                value = gc_exact_value(self.S)
        else:
            gc_check(self.S, value, 0)
        self.finish()
        return None if self.S.stop else value

    def entries(self):
        """Return the table as bytes: two 64-bit words a key, and 16 bits a value, in the machine's order."""
        cdef gc_Entry* e
        cdef bytearray keys = bytearray(16 * self.S.table.used), values = bytearray(2 * self.S.table.used)
        cdef uint64_t* key = <uint64_t*><char*>keys
        cdef int16_t* value = <int16_t*><char*>values
        cdef uint64_t i, j = 0
        for i in range(self.S.table.count):
            e = self.S.table.slots + i
            if e.data:
                key[2 * j], key[2 * j + 1], value[j] = e.a, e.b, gc_low_of(e.data)
                j += 1
        return keys, values


# The rules for Python. A state is a dict of the fields of ``State``.

def gc_facts():
    """Return what the file says of the game."""
    return {"kind": KIND, "cycles": CYCLES, "title": NAME, "text": RULES}


def gc_start():
    cdef State s
    gc_memset(&s, 0, sizeof(State))
    start(&s)
    return s


def gc_valid(State s):
    return valid(&s)


def gc_moves(State s):
    cdef Move* listed = <Move*>gc_malloc((MOST_MOVES + GC_SLACK) * sizeof(Move))
    cdef int i, count
    if listed == NULL:
        raise MemoryError
    try:
        count = moves(&s, listed)
        if count > MOST_MOVES:
            raise gc_Error(gc_WHY[GC_TOO_MANY])
        return [listed[i] for i in range(count)]
    finally:
        gc_free(listed)


def gc_play(State s, Move move):
    cdef int gain = gc_gain(&s, move)
    return s, gain


def gc_result(State s):
    cdef int end = result(&s)
    return None if end == ONGOING else end


def gc_key_of(State s):
    cdef Key k = gc_key(&s)
    return k.a, k.b
