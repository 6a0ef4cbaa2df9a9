# Every position of a game with cycles, for the game whose file stands before it.
#
# A position's number is its slot in a table of keys. A first pass lists the positions, and counts the moves to each; a
# second one, over the same moves, writes down from where each is reached. Then values spread backwards, the shortest
# games first: a position wins as soon as one move loses for the other side, and loses as soon as all moves win. What is
# left is a draw. Where a move wins at once, nothing else counts: no move from there, and none to it, is written down.
#
# A later search from another position adds to the table: values that are known spread into it.

cdef enum:
    GC_CYCLES_MOVES = 22000  # most moves of a position: values and numbers of moves share 16 bits
    GC_FREE = 0              # no position
    GC_OPEN = 10001          # and above: this, and the number of moves that do not lose; in the end a draw
    GC_WON = GC_MATE - 1     # by a move that wins at once
    GC_LISTED = -32768       # by the first pass
    GC_LISTED_WON = -32767
    GC_LINKED = -32766       # by the second pass
    GC_CYCLES_FIRST = 4096

if CYCLES and MOST_MOVES > GC_CYCLES_MOVES:
    raise gc_Error(f"MOST_MOVES must be at most {GC_CYCLES_MOVES} with CYCLES = True, not {MOST_MOVES}")


cdef packed struct gc_Line:  # a position
    uint64_t key[GC_WORDS]
    uint32_t first           # moves to it and to those before; then the end of its part of `before`
    int16_t value

cdef struct gc_All:
    gc_Line* lines           # [count]
    uint8_t* before          # [edges] numbers of `width` bytes, the lowest one first: from where each is reached
    State* stack             # positions whose moves are not followed yet
    uint64_t count, used, edges, waiting, capacity, most, needed, at
    int phase, level, deepest, width


cdef inline gc_Line* gc_line(const gc_All* A, const Key* k) noexcept nogil:
    # A position, or the slot where it goes.
    cdef uint64_t i = gc_part(gc_hash(k.a, k.b), A.count)
    cdef gc_Line* line = A.lines + i
    while line.value != GC_FREE and (line.key[0] != k.a or (GC_WORDS == 2 and line.key[GC_WORDS - 1] != k.b)):
        i = i + 1 if i + 1 < A.count else 0
        line = A.lines + i
    return line


cdef inline int gc_score(const gc_Line* line) noexcept nogil:
    return 0 if line.value >= GC_OPEN else line.value


cdef bint gc_fits(gc_Search* S, gc_All* A, uint64_t count, uint64_t capacity, uint64_t edges) noexcept nogil:
    # Stop the search if tables of these sizes are too large.
    A.width = 4 if count >> 24 else 3
    A.needed = count * sizeof(gc_Line) + capacity * sizeof(State) + edges * A.width
    if A.needed > A.most or max(count, edges) > <uint64_t>0xFFFFFFFF:
        S.stop = GC_TABLE_FULL
    return S.stop == 0


cdef void gc_resize(gc_Search* S, gc_All* A, uint64_t count) noexcept nogil:
    # Move to a table with so many slots; homes keep their order, so that the old one can go meanwhile.
    cdef gc_All old = A[0]
    cdef uint64_t i
    cdef Key k
    if not gc_fits(S, A, count, A.capacity, 0):
        return
    A.lines = <gc_Line*>gc_zeroed(count * sizeof(gc_Line))
    if A.lines == NULL:
        A.lines, S.stop = old.lines, GC_NO_MEMORY
        return
    A.count = count
    for i in range(old.count):
        if i % GC_RELEASED == 0:
            gc_release(old.lines, i * sizeof(gc_Line))
        if old.lines[i].value != GC_FREE:
            k.a, k.b = old.lines[i].key[0], old.lines[i].key[GC_WORDS - 1] if GC_WORDS == 2 else 0
            gc_line(A, &k)[0] = old.lines[i]
    gc_free(old.lines)


cdef void gc_push(gc_Search* S, gc_All* A, const State* s) noexcept nogil:
    cdef uint64_t capacity = A.capacity + A.capacity // 4 + 64
    cdef State* stack
    if A.waiting == A.capacity:
        if not gc_fits(S, A, A.count, capacity, A.edges):
            return
        stack = <State*>gc_realloc(A.stack, capacity * sizeof(State))
        if stack == NULL:
            S.stop = GC_NO_MEMORY
            return
        A.stack, A.capacity = stack, capacity
    A.stack[A.waiting] = s[0]
    A.waiting += 1


cdef gc_Line* gc_discover(gc_Search* S, gc_All* A, const State* s, const Key* k) noexcept nogil:
    # Return a position, whose moves will be followed once in each pass.
    cdef gc_Line* line = gc_line(A, k)
    if A.phase == 1 and line.value == GC_FREE:
        if (A.used + 1) * 5 > A.count * 4:
            gc_resize(S, A, max(A.count + A.count // 4, <uint64_t>GC_CYCLES_FIRST))
            if S.stop:
                return line
            line = gc_line(A, k)
        gc_memcpy(line.key, k, sizeof(line.key))
        line.value = GC_LISTED
        A.used += 1
        gc_push(S, A, s)
    elif A.phase == 2 and (line.value == GC_LISTED or line.value == GC_LISTED_WON):
        line.value = GC_LINKED if line.value == GC_LISTED else GC_WON
        gc_push(S, A, s)
    return line


cdef inline void gc_write(const gc_All* A, uint64_t edge, uint64_t number) noexcept nogil:
    cdef int k
    for k in range(A.width):
        A.before[edge * A.width + k] = number >> 8 * k


cdef inline uint64_t gc_read(const gc_All* A, uint64_t edge) noexcept nogil:
    cdef const uint8_t* at = A.before + edge * A.width
    return at[0] | at[1] << 8 | at[2] << 16 | (<uint64_t>at[3] << 24 if A.width == 4 else 0)


cdef void gc_follow(gc_Search* S, gc_All* A) noexcept nogil:
    # Follow all moves of a position from the stack.
    cdef State own = A.stack[A.waiting - 1]
    cdef Key k = gc_key(&own)
    cdef int i, end, place = 0, still = 0, still_open = 0, count = moves(&own, S.moves)
    cdef bint wins = False
    cdef gc_Child* child
    cdef gc_Line* line
    cdef gc_Line* mine
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
        if S.stop:
            return
        wins |= end == LOSS
        still += end == DRAW
        if end == ONGOING:
            child.key = gc_key(&child.state)
            line = A.lines + gc_part(gc_hash(child.key.a, child.key.b), A.count)
            gc_fetch(line)
            gc_fetch(<char*>line + 64)
            place += 1
    A.waiting -= 1
    mine = gc_line(A, &k)
    for i in range(place):
        line = gc_discover(S, A, &S.stack[i].state, &S.stack[i].key)
        if S.stop:
            return
        if not wins and A.phase == 1:
            line.first += 1
        elif not wins and line.value != GC_WON:
            S.stack[still_open].weight = line - A.lines
            gc_fetch(A.before + <uint64_t>line.first * A.width)
            still_open += 1
    for i in range(still_open):
        line = A.lines + S.stack[i].weight
        gc_write(A, line.first, mine - A.lines)
        line.first += 1
    still += still_open
    if A.phase == 2 and not wins:
        mine.value = GC_OPEN + still if still else 2 - GC_MATE if place else 1 - GC_MATE
    elif A.phase == 1 and wins:
        gc_line(A, &k).value = GC_LISTED_WON


cdef void gc_between(gc_Search* S, gc_All* A) noexcept nogil:
    # After the first pass: a table without room for more, and parts of `before`.
    cdef uint64_t i, total
    cdef gc_Line* line
    gc_resize(S, A, A.used + A.used // 16 + 1)
    A.edges = 0
    for i in range(A.count):
        line, total = A.lines + i, A.edges
        if line.value != GC_WON and line.value != GC_LISTED_WON:
            A.edges += line.first
        line.first = total
    if S.stop or not gc_fits(S, A, A.count, A.capacity, A.edges):
        return
    A.before = <uint8_t*>gc_zeroed(A.edges * A.width + 1)
    if A.before == NULL:
        S.stop = GC_NO_MEMORY
    A.phase = 2


cdef void gc_spread(gc_All* A, uint64_t number) noexcept nogil:
    # Tell the positions before one that is decided.
    cdef bint lost = A.lines[number].value < 0
    cdef uint64_t i
    cdef gc_Line* line
    cdef uint64_t begin = A.lines[number - 1].first if number else 0, end = A.lines[number].first
    for i in range(begin, end):
        gc_fetch(A.lines + gc_read(A, i))
    for i in range(begin, end):
        line = A.lines + gc_read(A, i)
        if line.value >= GC_OPEN:
            line.value -= 1
            if lost or line.value == GC_OPEN:
                line.value = GC_MATE - A.level - 1 if lost else A.level + 1 - GC_MATE
                A.deepest = max(A.deepest, A.level + 1)


cdef void gc_every_value(gc_Search* S, gc_All* A) noexcept nogil:
    # Go on until all values are known, or a limit stops it.
    cdef uint64_t i
    cdef State root = S.stack[0].state
    cdef Key k = gc_key(&root)
    if A.phase == 0:
        A.phase = 1
        for i in range(A.count):
            A.lines[i].first = 0
        if A.count == 0:
            gc_resize(S, A, GC_CYCLES_FIRST)
        if S.stop == 0:
            gc_discover(S, A, &root, &k)
    while A.phase < 3 and S.stop == 0:
        if S.nodes >= S.next_look and gc_must_stop(S, 0):
            break
        if A.waiting:
            S.nodes += 1
            gc_follow(S, A)
        elif A.phase == 1:
            gc_between(S, A)
            if S.stop == 0:
                gc_discover(S, A, &root, &k)
        else:
            gc_free(A.stack)
            A.stack, A.capacity, A.phase, A.level, A.at, A.deepest = NULL, 0, 3, 1, 0, max(A.deepest, 2)
    while A.phase == 3 and S.stop == 0:
        if A.at % GC_RELEASED == 0 and gc_must_stop(S, 0):
            break
        if A.lines[A.at].value == GC_MATE - A.level or A.lines[A.at].value == A.level - GC_MATE:
            gc_spread(A, A.at)
        A.at += 1
        if A.at == A.count:
            A.at, A.level = 0, A.level + 1
            if A.level > A.deepest or A.level == GC_MATE - 1:
                gc_free(A.before)
                A.before, A.edges, A.phase = NULL, 0, 0


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
        cdef uint64_t most = self.A.most
        gc_free(self.A.lines)
        gc_free(self.A.before)
        gc_free(self.A.stack)
        gc_memset(&self.A, 0, sizeof(gc_All))
        self.A.most = most

    @property
    def table_bytes(self):
        return self.A.count * sizeof(gc_Line) + self.A.capacity * sizeof(State) + self.A.edges * self.A.width

    def search(self, state, double seconds, uint64_t nodes, test=None, last=None):
        """Find the value; a search that a limit stopped goes on with the next one. Positions are counted twice."""
        cdef int end = self.begin(state, seconds, nodes)
        cdef State first = self.S.stack[0].state
        cdef Key k
        while end == ONGOING and self.S.stop == 0:
            k = gc_key(&first)
            if self.A.phase == 0 and self.A.count and gc_line(&self.A, &k).value != GC_FREE:
                end = gc_score(gc_line(&self.A, &k))
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
            if self.A.lines[i].value != GC_FREE:
                gc_memcpy(<char*>keys + 16 * j, self.A.lines[i].key, sizeof(self.A.lines[i].key))
                (<int16_t*><char*>values)[j] = gc_score(self.A.lines + i)
                j += 1
        return value, keys, values
