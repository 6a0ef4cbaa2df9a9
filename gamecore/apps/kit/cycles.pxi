# Every position of a game with cycles, for the game whose file stands before it.
#
# A position's number is its slot in a table of keys. A first pass lists the positions, and counts the moves to each; a
# second one, over the same moves, writes down from where each is reached. Then values spread backwards, the shortest
# games first: a position wins as soon as one move loses for the other side, and loses as soon as all moves win. What is
# left is a draw. A move that wins at once decides: then no move of the position is written down.
#
# A later search from another position adds to the table: values that are known spread into it.

cdef enum:
    GC_CYCLES_MOVES = 22000  # most moves of a position: values and numbers of moves share 16 bits
    GC_OPEN = 10001          # and above: this, and the number of moves that do not lose
    GC_FREE = -32768         # no position
    GC_LISTED = -32767
    GC_LINKED = -32766       # listed by the second pass
    GC_CYCLES_FIRST = 4096

if CYCLES and MOST_MOVES > GC_CYCLES_MOVES:
    raise gc_Error(f"MOST_MOVES must be at most {GC_CYCLES_MOVES} with CYCLES = True, not {MOST_MOVES}")


cdef struct gc_Line:         # a position
    uint64_t key[GC_WORDS]

cdef struct gc_All:
    gc_Line* lines           # [count] these three, by number
    int16_t* values
    uint32_t* first          # moves to the position and those before; then the end of its part of `before`
    uint32_t* before         # [edges] from where moves lead to each position
    State* stack             # positions whose moves are not followed yet
    uint64_t count, used, edges, waiting, capacity, most, needed, at
    int phase, level, deepest


cdef uint64_t gc_slot(const gc_All* A, const Key* k) noexcept nogil:
    # The number of a position, or where it goes.
    cdef uint64_t i = gc_part(gc_hash(k.a, k.b), A.count)
    while A.values[i] != GC_FREE and (
        A.lines[i].key[0] != k.a or (GC_WORDS == 2 and A.lines[i].key[GC_WORDS - 1] != k.b)
    ):
        i = i + 1 if i + 1 < A.count else 0
    return i


cdef bint gc_fits(gc_Search* S, gc_All* A, uint64_t count, uint64_t capacity, uint64_t edges) noexcept nogil:
    # Stop the search if tables of these sizes are too large.
    A.needed = count * (sizeof(gc_Line) + 6) + capacity * sizeof(State) + edges * 4
    if A.needed > A.most or edges > <uint64_t>0xFFFFFFF * 16:
        S.stop = GC_TABLE_FULL
    return S.stop == 0


cdef void gc_enlarge(gc_Search* S, gc_All* A) noexcept nogil:
    # Move to a table with a quarter more slots; homes keep their order.
    cdef gc_All old = A[0]
    cdef uint64_t i, j, count = max(old.count + old.count // 4, <uint64_t>GC_CYCLES_FIRST)
    cdef Key k
    if not gc_fits(S, A, count, A.capacity, 0):
        return
    A.lines = <gc_Line*>gc_zeroed(count * sizeof(gc_Line))
    A.values, A.first = <int16_t*>gc_realloc(NULL, count * 2), <uint32_t*>gc_zeroed(count * 4)
    if A.lines == NULL or A.values == NULL or A.first == NULL:
        gc_free(A.lines)
        gc_free(A.values)
        gc_free(A.first)
        A[0], S.stop = old, GC_NO_MEMORY
        return
    A.count = count
    for i in range(count):
        A.values[i] = GC_FREE
    for i in range(old.count):
        if i % GC_RELEASED == 0:
            gc_release(old.lines, i * sizeof(gc_Line))
            gc_release(old.values, i * 2)
            gc_release(old.first, i * 4)
        if old.values[i] != GC_FREE:
            k.a, k.b = old.lines[i].key[0], old.lines[i].key[GC_WORDS - 1] if GC_WORDS == 2 else 0
            j = gc_slot(A, &k)
            A.lines[j], A.values[j], A.first[j] = old.lines[i], old.values[i], old.first[i]
    gc_free(old.lines)
    gc_free(old.values)
    gc_free(old.first)


cdef void gc_push(gc_Search* S, gc_All* A, const State* s) noexcept nogil:
    cdef State* stack
    if A.waiting == A.capacity:
        if not gc_fits(S, A, A.count, 2 * A.capacity + 64, A.edges):
            return
        stack = <State*>gc_realloc(A.stack, (2 * A.capacity + 64) * sizeof(State))
        if stack == NULL:
            S.stop = GC_NO_MEMORY
            return
        A.stack, A.capacity = stack, 2 * A.capacity + 64
    A.stack[A.waiting] = s[0]
    A.waiting += 1


cdef uint64_t gc_discover(gc_Search* S, gc_All* A, const State* s, const Key* k) noexcept nogil:
    # Return the number of a position, whose moves will be followed once in each pass.
    cdef int wanted = GC_FREE if A.phase == 1 else GC_LISTED
    cdef uint64_t i
    if A.phase == 1 and A.used * 5 >= A.count * 4:
        gc_enlarge(S, A)
        if S.stop:
            return 0
    i = gc_slot(A, k)
    if A.values[i] == wanted:
        if A.phase == 1:
            A.lines[i].key[0] = k.a
            if GC_WORDS == 2:
                A.lines[i].key[GC_WORDS - 1] = k.b
            A.used += 1
        A.values[i] = GC_LISTED if A.phase == 1 else GC_LINKED
        gc_push(S, A, s)
    return i


cdef void gc_follow(gc_Search* S, gc_All* A) noexcept nogil:
    # Follow all moves of a position from the stack.
    cdef State own = A.stack[A.waiting - 1]
    cdef Key k = gc_key(&own)
    cdef int i, end, place = 0, still = 0, count = moves(&own, S.moves)
    cdef bint wins = False
    cdef gc_Child* child
    cdef uint64_t number, mine
    if count <= 0 or count > MOST_MOVES or count > GC_CYCLES_MOVES:
        S.stop = GC_NO_MOVE if count <= 0 else GC_TOO_MANY
        return
    if not gc_reserve(S, count + 1):
        return
    for i in range(count):
        child = S.stack + place
        child.state = own
        gc_gain(&child.state, S.moves[i])
        end = result(&child.state)
        gc_check(S, end, 0)
        wins |= end == LOSS
        still += end == DRAW
        if end == ONGOING:
            child.key = gc_key(&child.state)
            gc_fetch(A.lines + gc_part(gc_hash(child.key.a, child.key.b), A.count))
            gc_fetch(A.values + gc_part(gc_hash(child.key.a, child.key.b), A.count))
            place += 1
        if S.stop:
            return
    A.waiting -= 1
    mine = gc_slot(A, &k)
    for i in range(place):
        child = S.stack + i
        number = gc_discover(S, A, &child.state, &child.key)
        if S.stop:
            return
        if not wins and A.phase == 1:
            A.first[number] += 1
        elif not wins:
            A.before[A.first[number]] = mine
            A.first[number] += 1
            still += 1
    if A.phase == 2:
        A.values[mine] = GC_MATE - 1 if wins else GC_OPEN + still if still else 1 - GC_MATE
        A.deepest = max(A.deepest, 0 if still and not wins else 1)


cdef void gc_spread(gc_All* A, uint64_t number) noexcept nogil:
    # Tell the positions before one that is decided.
    cdef bint lost = A.values[number] < 0
    cdef uint64_t i
    cdef int16_t* value
    for i in range(A.first[number - 1] if number else 0, A.first[number]):
        value = A.values + A.before[i]
        if value[0] >= GC_OPEN:
            value[0] -= 1
            if lost or value[0] == GC_OPEN:
                value[0] = GC_MATE - A.level - 1 if lost else A.level + 1 - GC_MATE
                A.deepest = max(A.deepest, A.level + 1)


cdef void gc_every_value(gc_Search* S, gc_All* A) noexcept nogil:
    # Go on until all values are known, or a limit stops it.
    cdef uint64_t i, total
    cdef State root = S.stack[0].state
    cdef Key k = gc_key(&root)
    if A.phase == 0:
        A.phase, A.edges = 1, 0
        gc_memset(A.first, 0, A.count * 4)
        gc_discover(S, A, &root, &k)
    while 0 < A.phase < 3 and S.stop == 0:
        if S.nodes >= S.next_look and gc_must_stop(S, 0):
            break
        if A.waiting:
            S.nodes += 1
            gc_follow(S, A)
        elif A.phase == 1:                         # parts of `before`
            for i in range(A.count):
                total = A.edges
                A.edges += A.first[i]
                A.first[i] = total
            if not gc_fits(S, A, A.count, A.capacity, A.edges):
                break
            A.before = <uint32_t*>gc_realloc(NULL, A.edges * 4 + 4)
            if A.before == NULL:
                S.stop = GC_NO_MEMORY
                break
            A.phase = 2
            gc_discover(S, A, &root, &k)
        else:
            gc_free(A.stack)
            A.stack, A.capacity, A.phase, A.level, A.at = NULL, 0, 3, 1, 0
    while A.phase == 3 and S.stop == 0:
        if A.at % GC_RELEASED == 0 and gc_must_stop(S, 0):
            break
        if A.values[A.at] == GC_MATE - A.level or A.values[A.at] == A.level - GC_MATE:
            gc_spread(A, A.at)
        A.at += 1
        if A.at == A.count:
            A.at, A.level = 0, A.level + 1
            if A.level > A.deepest or A.level == GC_MATE - 1:
                A.phase = 0
    if A.phase == 0:
        for i in range(A.count):
            if A.values[i] >= GC_OPEN:
                A.values[i] = 0
        gc_free(A.before)
        A.before, A.edges = NULL, 0


cdef class gc_Cycles(gc_Solver):
    """A searcher of a game with cycles, as :class:`gamecore.apps.kit._search.ExactSearcher`, with the game's keys."""

    cdef gc_All A
    cdef object root

    def __init__(self, table_bytes=512 << 20):
        self.A.most = table_bytes

    def __dealloc__(self):
        self.forget()

    def forget(self):
        """Forget all positions."""
        cdef gc_All* A = &self.A
        gc_free(A.lines)
        gc_free(A.values)
        gc_free(A.first)
        gc_free(A.before)
        gc_free(A.stack)
        cdef uint64_t most = A.most
        gc_memset(A, 0, sizeof(gc_All))
        A.most = most

    @property
    def table_bytes(self):
        cdef gc_All* A = &self.A
        return A.count * (sizeof(gc_Line) + 6) + A.capacity * sizeof(State) + A.edges * 4

    def search(self, state, double seconds, uint64_t nodes, test=None, last=None):
        """Find the value; a search that a limit stopped goes on with the next one. Positions are counted twice."""
        cdef int end = self.begin(state, seconds, nodes)
        cdef Key k
        cdef State first = self.S.stack[0].state
        while end == ONGOING and self.S.stop == 0:
            k = gc_key(&first)
            if self.A.phase == 0 and self.A.count and self.A.values[gc_slot(&self.A, &k)] != GC_FREE:
                end = self.A.values[gc_slot(&self.A, &k)]
                break
            if self.A.phase == 0:
                self.root = state
            self.S.stack[0].state = gc_state_of(self.root)
            with nogil:
                gc_every_value(self.S, &self.A)
        if self.S.stop == GC_TABLE_FULL:
            needed = f"{self.A.used} positions need {self.A.needed / 1048576:.1f} MiB or more"
            self.forget()
            raise gc_Error(f"{gc_WHY[GC_TABLE_FULL]}: {needed}")
        if self.S.stop > GC_INTERRUPTED:
            self.forget()
        self.finish()
        return -GC_MATE if end == ONGOING else end, GC_MATE if end == ONGOING else end, self.S.nodes

    def solve_all(self, state, double seconds):
        """See :meth:`gc_Solver.solve_all`."""
        cdef uint64_t i, j = 0
        value, upper, _ = self.search(state, seconds, 0)
        if value != upper:
            return None
        cdef bytearray keys = bytearray(16 * self.A.used), values = bytearray(2 * self.A.used)
        for i in range(self.A.count):
            if self.A.values[i] != GC_FREE:
                (<uint64_t*><char*>keys)[2 * j] = self.A.lines[i].key[0]
                if GC_WORDS == 2:
                    (<uint64_t*><char*>keys)[2 * j + 1] = self.A.lines[i].key[GC_WORDS - 1]
                (<int16_t*><char*>values)[j] = self.A.values[i]
                j += 1
        return value, keys, values
