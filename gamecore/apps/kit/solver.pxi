# What Python sees of a game's module: its rules, and searches. A state is the tuple of the numbers of `State`.

cdef State gc_probe
cdef Key gc_significant      # the bytes of a state that belong to a field; what lies between fields may be anything


cdef inline Key gc_bytes(const State* s) noexcept nogil:
    # The bytes of a state as a key, for a game without a `key` of its own.
    cdef Key k
    gc_memset(&k, 0, sizeof(Key))
    gc_memcpy(&k, s, min(sizeof(State), sizeof(Key)))
    k.a &= gc_significant.a
    k.b &= gc_significant.b
    return k


cdef inline Key gc_key(const State* s) noexcept nogil:
    # The smaller key of a state and its mirror image.
    cdef Key k = gc_own_key(s), other
    cdef State image
    if GC_HAS_MIRRORED:
        image = mirrored(s)
        other = gc_own_key(&image)
        if other.a < k.a or (other.a == k.a and other.b < k.b):
            return other
    return k


cdef State gc_first() noexcept:
    cdef State s
    gc_memset(&s, 0, sizeof(State))
    start(&s)
    return s


cdef tuple gc_numbers_of(dict fields):
    return tuple([int(n) for value in fields.values() for n in (value if isinstance(value, list) else [value])])


cdef State gc_state_of(state) except *:
    numbers = iter(state)
    return {name: [next(numbers) for _ in range(n)] if n else next(numbers) for name, n in gc_lengths.items()}


gc_lengths = {}              # of arrays, by the field's name; 0: a number
for gc_name, gc_value in (<dict>gc_first()).items():
    gc_lengths[gc_name] = len(gc_value) if isinstance(gc_value, list) else 0
    if not all([isinstance(n, int) for n in (gc_value if isinstance(gc_value, list) else [gc_value])]):
        raise gc_Error(f"{gc_name} must be a whole number, or an array of 16 bits or more")
for gc_value in range(min(sizeof(State), sizeof(Key))):
    gc_memset(&gc_probe, 0, sizeof(State))
    (<uint8_t*>&gc_probe)[<int>gc_value] = 255
    (<uint8_t*>&gc_significant)[<int>gc_value] = 255 if any(gc_numbers_of(gc_probe)) else 0


class gc_Rules:
    # The functions of the rules, as a class in Python has them.
    most_moves = MOST_MOVES

    def start(self):
        return gc_numbers_of(gc_first())

    def valid(self, state):
        cdef State s = gc_state_of(state)
        return valid(&s)

    def moves(self, state):
        cdef State s = gc_state_of(state)
        cdef bytearray memory = bytearray(GC_MOVES_BYTES)
        cdef Move* listed = <Move*><char*>memory
        cdef int i, count = moves(&s, listed)
        if count > MOST_MOVES:
            raise gc_Error(gc_WHY[GC_TOO_MANY])
        if any([listed[i] != <uint16_t>listed[i] for i in range(count)]):
            raise gc_Error(gc_WHY[GC_NO_NUMBER])
        return [listed[i] for i in range(count)]

    def play(self, state, Move move):
        cdef State s = gc_state_of(state)
        cdef int gain = gc_gain(&s, move)
        return gc_numbers_of(s) if gc_outcome else (gc_numbers_of(s), gain)

    def result(self, state):
        cdef State s = gc_state_of(state)
        cdef int end = result(&s)
        return None if end == ONGOING else end

    def key(self, state, bint own=False):
        cdef State s = gc_state_of(state)
        cdef Key k = gc_own_key(&s) if own else gc_key(&s)
        return k.a, k.b

    def bounds(self, state):
        cdef State s = gc_state_of(state)
        cdef int low = -gc_edge, high = gc_edge
        bounds(&s, &low, &high)
        return low, high

    def fields(self, state):
        """Return what the file's ``write`` and ``draw`` take."""
        return gc_state_of(state)


cdef class gc_Solver:
    """A :class:`gamecore.apps.kit._search.Searcher`.

    A solver made with ``main``, while that one does not search, helps it: it searches in the same table, in another
    thread.
    """

    full = False
    cdef gc_Search* S
    cdef bytearray memory, moves
    cdef gc_Shared together
    cdef gc_Solver main

    def __cinit__(self, table_bytes=512 << 20, gc_Solver main=None):
        self.memory, self.moves = bytearray(sizeof(gc_Search)), bytearray(GC_MOVES_BYTES)
        cdef gc_Search* S = <gc_Search*><char*>self.memory
        self.S, self.main = S, main
        S.moves = <Move*><char*>self.moves
        if not gc_reserve(S, 64):
            raise MemoryError
        if main is not None:
            S.table, S.shared = main.S.table, main.S.shared
            return
        S.table.window = GC_WINDOW
        S.table.most = S.table.count = max(<uint64_t>table_bytes // sizeof(gc_Entry), <uint64_t>GC_WINDOW)
        while S.table.count >= 2 * GC_FIRST_SLOTS:     # doubling ends at the size that was asked for
            S.table.count //= 2
        if not gc_allocate(&S.table, S.table.count):
            raise MemoryError

    def __dealloc__(self):
        if self.S != NULL:
            gc_free(self.S.stack)
            if self.main is None:
                gc_free(self.S.table.memory)

    @property
    def table_bytes(self):
        return self.S.table.count * sizeof(gc_Entry)

    def stop(self):
        gc_raise_flag(&self.S.asked)

    def helper(self):
        return gc_Solver(0, self.main or self)

    def share(self, bint together=True):
        """Let helpers into the table, which gets its full size, until the next search ends.

        They search one position ``together``, or each its own.
        """
        cdef gc_Search* S = self.S
        gc_memset(&self.together, 0, sizeof(gc_Shared))
        S.shared = &self.together if together else NULL
        if S.table.count < S.table.most:
            gc_grow(&S.table, S.table.most)
        S.table.full = True

    cdef int begin(self, state, double seconds, uint64_t nodes) except? -1:
        # Set limits and the root; return its result.
        cdef gc_Search* S = self.S
        S.stack[0].state = gc_state_of(state)
        S.nodes = S.next_look = S.stop = 0
        S.interval = 1
        S.last_look = gc_now()
        S.deadline = S.last_look + seconds if seconds >= 0 else 1e300
        S.next_signals = S.last_look + 0.05
        S.node_limit = nodes if nodes else <uint64_t>-1
        cdef int end = result(&S.stack[0].state)
        gc_check(S, end, 0)
        return end

    cdef finish(self):
        if self.S.stop == GC_INTERRUPTED:
            gc_raise_pending()
        if self.S.stop == GC_NO_MEMORY:
            raise MemoryError
        if self.S.stop in gc_WHY:
            needed = f": {self.S.listed} positions need {self.S.needed / 1048576.0:.1f} MiB or more"
            raise gc_Error(f"{gc_WHY[self.S.stop]}{needed * (self.S.stop == GC_TABLE_FULL)}; {gc_CAN_TELL}")

    def search(self, state, double seconds, uint64_t nodes, test=None, last=None):
        cdef int first = ONGOING if test is None else max(-GC_EDGE - 1, min(test, GC_EDGE + 1))
        cdef int beyond = first if last is None else max(-GC_EDGE - 1, min(last, GC_EDGE + 1))
        cdef int end = self.begin(state, seconds, nodes), lower = end, upper = end
        if end == ONGOING:
            lower, upper = -gc_edge, gc_edge
            with nogil:
                gc_prove(self.S, &lower, &upper, first, beyond)
        self.S.shared = NULL
        self.finish()
        return max(lower, -GC_MATE), min(upper, GC_MATE), self.S.nodes

    def solve_all(self, state, double seconds):
        """Return the value of a state, and the table's contents; None at the time limit.

        The table, empty before, has all positions that play can reach. Its contents are bytes: two 64-bit words a key,
        and 16 bits a value, in the machine's order.
        """
        cdef gc_Entry* e
        cdef uint64_t i, j = 0
        cdef int value = self.begin(state, seconds, 0)
        if value == ONGOING:
            self.S.table.window = 1 << 30
            with nogil:
                value = gc_exact_value(self.S)
        self.finish()
        if self.S.stop:
            return None
        cdef bytearray keys = bytearray(16 * self.S.table.used), values = bytearray(2 * self.S.table.used)
        for i in range(self.S.table.count):
            e = self.S.table.slots + i
            if e.data:
                (<Key*><char*>keys)[j] = gc_key_in(e)
                (<int16_t*><char*>values)[j] = gc_low_of(e.data)
                j += 1
        return value, keys, values
