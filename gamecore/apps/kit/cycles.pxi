# Every position of a game with cycles, for the game whose file stands before it.
#
# A position's number is its slot in a table of keys. A first pass lists the positions, counts the moves to each, and
# notes by which moves it came to new ones. A second pass takes these moves again, and follows all moves only where none
# wins at once: it writes down from where each position is reached. Then values spread backwards, the shortest games
# first: a position wins as soon as one move loses for the other side, and loses as soon as all moves win. What is left
# is a draw. Where a move wins at once, nothing else counts: no move from there, and none to it, is written down.
#
# Keys lie apart from what is known of positions: most look-ups are answered by one line of the caches, which is fetched
# while the other moves are made. Moves that lead to one key count once, as far as a small table sees it.
#
# A later search from another position adds to the table: values that are known spread into it.

cdef extern from *:
    """
    #define GC_NO_KEY 0x9e3779b97f4a7c15u
    """
    uint64_t GC_NO_KEY       # stands for a free slot

cdef enum:
    GC_CYCLES_MOVES = 22000  # most moves of a position: values and numbers of moves share 16 bits
    GC_OPEN = 10001          # and above: this, and the number of moves that do not lose; in the end a draw
    GC_WON = GC_MATE - 1     # by a move that wins at once
    GC_CYCLES_FIRST = 4096
    GC_SEEN = 256

if CYCLES and MOST_MOVES > GC_CYCLES_MOVES:
    raise gc_Error(f"MOST_MOVES must be at most {GC_CYCLES_MOVES} with CYCLES = True, not {MOST_MOVES}")


cdef packed struct gc_Fact:  # what is known of a position
    uint32_t first           # moves to it and to those before; then the end of its part of `before`
    int16_t value

cdef struct gc_Seen:         # a move of the position that was expanded as number `by`
    Key key
    uint64_t by

cdef struct gc_All:
    uint64_t* keys           # [count * GC_WORDS], the first word XORed with GC_NO_KEY
    gc_Fact* facts           # [count]
    uint8_t* before          # [edges] numbers of `width` bytes, the lowest one first: from where each is reached
    State* stack             # [capacity] positions whose moves are not followed yet
    uint8_t* notes           # [room] of each position that was followed, see gc_list
    uint64_t count, used, edges, waiting, capacity, noted, room, most, at, expanded
    int phase, level, deepest, width
    gc_Seen seen[GC_SEEN]


cdef inline uint64_t gc_slot(const gc_All* A, const Key* k) noexcept nogil:
    # The slot of a position, or where it goes.
    cdef uint64_t i = gc_part(gc_hash(k.a, k.b), A.count), a = k.a ^ GC_NO_KEY
    cdef const uint64_t* keys = A.keys
    while keys[i * GC_WORDS] and (keys[i * GC_WORDS] != a or (GC_WORDS == 2 and keys[i * GC_WORDS + 1] != k.b)):
        i = i + 1 if i + 1 < A.count else 0
    return i


cdef inline int gc_score(const gc_Fact* fact) noexcept nogil:
    return 0 if fact.value >= GC_OPEN else fact.value


cdef inline Key gc_key_at(const gc_All* A, uint64_t slot) noexcept nogil:
    cdef Key k
    k.a, k.b = A.keys[slot * GC_WORDS] ^ GC_NO_KEY, A.keys[(slot + 1) * GC_WORDS - 1] if GC_WORDS == 2 else 0
    return k


cdef inline uint64_t gc_size(const gc_All* A) noexcept nogil:
    cdef uint64_t table = A.count * (8 * GC_WORDS + sizeof(gc_Fact))
    return table + A.capacity * sizeof(State) + A.room + A.edges * A.width


cdef bint gc_fits(gc_Search* S, gc_All* A) noexcept nogil:
    # Stop the search if tables of these sizes are too large.
    A.width = 4 if A.count >> 24 else 3
    if gc_size(A) > A.most or max(A.count, A.edges) > <uint64_t>0xFFFFFFFF:
        S.stop, S.listed, S.needed = GC_TABLE_FULL, A.used, gc_size(A)
    return S.stop == 0


cdef void gc_resize(gc_Search* S, gc_All* A, uint64_t count) noexcept nogil:
    # Move to a table with so many slots; homes keep their order, so that the old one can go meanwhile.
    cdef gc_All old = A[0]
    cdef uint64_t i, slot
    cdef Key k
    A.count = count
    if not gc_fits(S, A):
        return
    A.keys, A.facts = <uint64_t*>gc_zeroed(8 * GC_WORDS * count), <gc_Fact*>gc_zeroed(count * sizeof(gc_Fact))
    if A.keys == NULL or A.facts == NULL:
        S.stop = GC_NO_MEMORY
    for i in range(old.count if S.stop == 0 else 0):
        if i % GC_RELEASED == 0:
            gc_release(old.keys, 8 * GC_WORDS * i)
            gc_release(old.facts, i * sizeof(gc_Fact))
        if old.keys[i * GC_WORDS]:
            k = gc_key_at(&old, i)
            slot = gc_slot(A, &k)
            gc_memcpy(A.keys + slot * GC_WORDS, old.keys + i * GC_WORDS, 8 * GC_WORDS)
            A.facts[slot] = old.facts[i]
    gc_free(old.keys)
    gc_free(old.facts)


cdef void* gc_larger(gc_Search* S, gc_All* A, void* memory, uint64_t* capacity, uint64_t size) noexcept nogil:
    # Give an array a quarter more room.
    cdef void* larger = NULL
    capacity[0] += capacity[0] // 4 + 64
    if gc_fits(S, A):
        larger = gc_realloc(memory, capacity[0] * size)
        if larger == NULL:
            S.stop = GC_NO_MEMORY
    return larger if larger != NULL else memory


cdef void gc_push(gc_Search* S, gc_All* A, const State* s) noexcept nogil:
    if A.waiting == A.capacity:
        A.stack = <State*>gc_larger(S, A, A.stack, &A.capacity, sizeof(State))
    if S.stop == 0:
        A.stack[A.waiting] = s[0]
        A.waiting += 1


cdef void gc_note(gc_Search* S, gc_All* A, uint64_t number) noexcept nogil:
    # Seven bits a byte, the lowest ones first.
    if A.noted == A.room:
        A.notes = <uint8_t*>gc_larger(S, A, A.notes, &A.room, 1)
    if S.stop == 0:
        A.notes[A.noted] = number & 127 | (number > 127) << 7
        A.noted += 1
        if number > 127:
            gc_note(S, A, number >> 7)


cdef uint64_t gc_noted(gc_All* A) noexcept nogil:
    # The next number of the notes.
    cdef uint64_t low = A.notes[A.at]
    A.at += 1
    return low if low < 128 else low - 128 + 128 * gc_noted(A)


cdef inline void gc_write(const gc_All* A, uint64_t edge, uint64_t number) noexcept nogil:
    cdef int k
    for k in range(A.width):
        A.before[edge * A.width + k] = number >> 8 * k


cdef inline uint64_t gc_read(const gc_All* A, uint64_t edge) noexcept nogil:
    cdef const uint8_t* at = A.before + edge * A.width
    return at[0] | at[1] << 8 | at[2] << 16 | (<uint64_t>at[3] << 24 if A.width == 4 else 0)


cdef void gc_add(gc_Search* S, gc_All* A, uint64_t slot, const State* s, const Key* k) noexcept nogil:
    # Put a new position into the table and on the stack.
    A.keys[slot * GC_WORDS] = k.a ^ GC_NO_KEY
    if GC_WORDS == 2:
        A.keys[slot * GC_WORDS + 1] = k.b
    A.used += 1
    if k.a == GC_NO_KEY:
        S.stop = GC_KEY_TAKEN
    gc_push(S, A, s)


cdef int gc_expand(gc_Search* S, gc_All* A, const State* own, const Key* k, int* lost, int* drawn) noexcept nogil:
    # Make all moves of a position, whose own slot will be needed, too; count those that end the game. Put the children
    # that go on, each once, on the stack of the search, and return how many there are.
    cdef int i, end, n = 0, count = gc_list_moves(S, own)
    cdef uint64_t h
    cdef gc_Child* child
    cdef gc_Seen* seen
    if S.stop or not gc_reserve(S, count + 1):
        return 0
    gc_fetch(A.keys + gc_part(gc_hash(k.a, k.b), A.count) * GC_WORDS)
    A.expanded += 1
    for i in range(count):
        child = S.stack + n
        child.state, child.move = own[0], S.moves[i]
        gc_gain(&child.state, child.move)
        end = result(&child.state)
        gc_check(S, end, 0)
        lost[0] += end == LOSS
        drawn[0] += end == DRAW
        if end == ONGOING:
            child.key = gc_key(&child.state)
            h = gc_hash(child.key.a, child.key.b)
            seen = A.seen + (h & (GC_SEEN - 1))
            if seen.by != A.expanded or seen.key.a != child.key.a or seen.key.b != child.key.b:
                seen.by, seen.key = A.expanded, child.key
                gc_fetch(A.keys + gc_part(h, A.count) * GC_WORDS)
                n += 1
    return n


cdef void gc_list(gc_Search* S, gc_All* A, State own) noexcept nogil:
    # Follow a position in the first pass. Note twice the number of new positions, and 1 if it wins at once; then moves.
    cdef Key k = gc_key(&own)
    cdef int i, fresh = 0, lost = 0, drawn = 0, n = gc_expand(S, A, &own, &k, &lost, &drawn)
    cdef gc_Child* child
    if (A.used + n) * 5 > A.count * 4 and S.stop == 0:
        gc_resize(S, A, A.count + A.count // 4 + n)
    if S.stop:
        return
    for i in range(n):
        child = S.stack + i
        child.weight = gc_slot(A, &child.key)
        child.gain = A.keys[child.weight * GC_WORDS] == 0
        if child.gain:
            fresh += 1
            gc_add(S, A, child.weight, &child.state, &child.key)
        if not lost:
            gc_fetch(A.facts + child.weight)
    gc_note(S, A, 2 * fresh + (lost > 0))
    for i in range(n):
        if S.stack[i].gain:
            gc_note(S, A, S.stack[i].move)
        if not lost:
            A.facts[S.stack[i].weight].first += 1
    if lost and S.stop == 0:
        A.facts[gc_slot(A, &k)].value = GC_WON


cdef void gc_link(gc_Search* S, gc_All* A, State own) noexcept nogil:
    # Follow a position in the second pass.
    cdef int i, n, lost = 0, still = 0
    cdef uint64_t mine, note = gc_noted(A)
    cdef State after
    cdef gc_Fact* fact
    cdef Key k
    for i in range(note >> 1):
        after = own
        gc_gain(&after, gc_noted(A))
        gc_push(S, A, &after)
    if note % 2 or S.stop:
        return
    k = gc_key(&own)
    n = gc_expand(S, A, &own, &k, &lost, &still)
    if S.stop:
        return
    for i in range(n):
        S.stack[i].weight = gc_slot(A, &S.stack[i].key)
        gc_fetch(A.facts + S.stack[i].weight)
    mine = gc_slot(A, &k)
    for i in range(n):
        fact = A.facts + S.stack[i].weight
        if fact.value != GC_WON:
            gc_fetch(A.before + <uint64_t>fact.first * A.width)
    for i in range(n):
        fact = A.facts + S.stack[i].weight
        if fact.value != GC_WON:
            gc_write(A, fact.first, mine)
            fact.first += 1
            still += 1
    A.facts[mine].value = GC_OPEN + still if still else 2 - GC_MATE if n else 1 - GC_MATE


cdef void gc_between(gc_Search* S, gc_All* A) noexcept nogil:
    # After the first pass: a table without room for more, and parts of `before`.
    cdef uint64_t i, total, edges = 0
    gc_resize(S, A, A.used + A.used // 16 + 1)
    if S.stop:
        return
    for i in range(A.count):
        total = edges
        if A.facts[i].value != GC_WON:
            edges += A.facts[i].first
        A.facts[i].first = total
    A.edges = edges
    if not gc_fits(S, A):
        return
    A.before = <uint8_t*>gc_zeroed(A.edges * A.width + 1)
    if A.before == NULL:
        S.stop = GC_NO_MEMORY
    A.phase, A.at = 2, 0


cdef void gc_spread(gc_All* A, uint64_t number) noexcept nogil:
    # Tell the positions before one that is decided.
    cdef bint lost = A.facts[number].value < 0
    cdef uint64_t i
    cdef gc_Fact* fact
    cdef uint64_t begin = A.facts[number - 1].first if number else 0, end = A.facts[number].first
    for i in range(begin, end):
        gc_fetch(A.facts + gc_read(A, i))
    for i in range(begin, end):
        fact = A.facts + gc_read(A, i)
        if fact.value >= GC_OPEN:
            fact.value -= 1
            if lost or fact.value == GC_OPEN:
                fact.value = GC_MATE - A.level - 1 if lost else A.level + 1 - GC_MATE
                A.deepest = max(A.deepest, A.level + 1)


cdef void gc_every_value(gc_Search* S, gc_All* A) noexcept nogil:
    # Go on until all values are known, or a limit stops it.
    cdef uint64_t i
    cdef State root = S.stack[0].state
    cdef Key k = gc_key(&root)
    if A.phase == 0:
        A.phase, A.noted = 1, 0
        for i in range(A.count):
            A.facts[i].first = 0
        if A.count == 0:
            gc_resize(S, A, GC_CYCLES_FIRST)
        if S.stop == 0:
            gc_add(S, A, gc_slot(A, &k), &root, &k)
    while A.phase < 3 and S.stop == 0:
        if S.nodes >= S.next_look and gc_must_stop(S, 0):
            break
        if A.waiting:
            S.nodes, A.waiting = S.nodes + 1, A.waiting - 1
            if A.phase == 1:
                gc_list(S, A, A.stack[A.waiting])
            else:
                gc_link(S, A, A.stack[A.waiting])
        elif A.phase == 1:
            gc_between(S, A)
            if S.stop == 0:
                gc_push(S, A, &root)
        else:
            gc_free(A.stack)
            gc_free(A.notes)
            A.stack, A.capacity, A.notes, A.room = NULL, 0, NULL, 0
            A.phase, A.level, A.at, A.deepest = 3, 1, 0, max(A.deepest, 2)
    while A.phase == 3 and S.stop == 0:
        if A.at % GC_RELEASED == 0 and gc_must_stop(S, 0):
            break
        if A.facts[A.at].value == GC_MATE - A.level or A.facts[A.at].value == A.level - GC_MATE:
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
        gc_free(self.A.keys)
        gc_free(self.A.facts)
        gc_free(self.A.before)
        gc_free(self.A.stack)
        gc_free(self.A.notes)
        gc_memset(&self.A, 0, sizeof(gc_All))
        self.A.most = most

    @property
    def table_bytes(self):
        return gc_size(&self.A)

    def search(self, state, double seconds, uint64_t nodes, test=None, last=None):
        """Find the value; a search that a limit stopped goes on with the next one. Positions are counted twice."""
        cdef int end = self.begin(state, seconds, nodes)
        cdef State first = self.S.stack[0].state
        cdef Key k
        while end == ONGOING and self.S.stop == 0:
            k = gc_key(&first)
            if self.A.phase == 0 and self.A.count and self.A.keys[gc_slot(&self.A, &k) * GC_WORDS]:
                end = gc_score(self.A.facts + gc_slot(&self.A, &k))
                break
            if self.A.phase == 0:
                self.root = state
            self.S.stack[0].state = gc_state_of(self.root)
            with nogil:
                gc_every_value(self.S, &self.A)
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
            if self.A.keys[i * GC_WORDS]:
                (<Key*><char*>keys)[j] = gc_key_at(&self.A, i)
                (<int16_t*><char*>values)[j] = gc_score(self.A.facts + i)
                j += 1
        return value, keys, values
