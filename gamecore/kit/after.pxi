# The search of `gamecore.kit`, for the game whose file stands before it. `gamecore kit build` adds what the file left
# out: key, order, bounds.
#
# Fail-soft alpha-beta over a table of whole keys with a lower and an upper bound. Children are looked up before one is
# searched. Scores are of the side to move. In games of win, draw and loss (OUTCOME) a win in n plies is MATE - n and a
# loss in n plies is n - MATE, so that a step towards the root brings a score one nearer to 0. In games of points a move
# adds what `play` returns.
from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    #include <time.h>
    static double kit_now(void)
    {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    }
    static int kit_pending(void) { return PyErr_Occurred() ? -1 : 0; }
    """
    double kit_now() noexcept nogil
    void fetch "__builtin_prefetch"(const void* place) noexcept nogil
    int check_signals "PyErr_CheckSignals"() noexcept
    int raise_pending "kit_pending"() except -1

cdef enum:
    MATE = 10000
    POLL = 4096              # nodes between looks at the clock
    FIRST_SLOTS = 8192
    NODE_LIMIT = 1           # why a search stops
    TIME_LIMIT = 2
    CANCELLED = 3
    INTERRUPTED = 4
    TOO_DEEP = 5
    TABLE_FULL = 6

cdef struct Entry:
    uint64_t a, b
    int16_t lower, upper
    int32_t used

cdef struct Search:
    Entry* slots             # linear probing, at most 5/8 full
    uint64_t mask, used, most
    uint64_t nodes, next_look, node_limit
    double deadline, next_signals
    int stop, asked
    bint full                # no larger table can be had
    int32_t history[65536]


# Plies that a search follows: a longer game has a cycle, or needs more than 3 MiB of stack.
cdef int DEEPEST = min(1000, (3 << 20) // (MOST_MOVES * (sizeof(State) + sizeof(Key) + 10) + 256))


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x ^= x >> 32
    x *= <uint64_t>0xd6e8feb86659fd93
    x ^= x >> 32
    x *= <uint64_t>0xd6e8feb86659fd93
    return x ^ x >> 32


cdef inline uint64_t home_of(const Search* S, const Key* k) noexcept nogil:
    return mixed(k.a ^ mixed(k.b)) & S.mask


cdef inline Entry* slot_of(Search* S, const Key* k) noexcept nogil:
    # The entry of a key, or the free slot where it belongs.
    cdef uint64_t i = home_of(S, k)
    while S.slots[i].used and (S.slots[i].a != k.a or S.slots[i].b != k.b):
        i = (i + 1) & S.mask
    return S.slots + i


cdef inline Entry* claim(Search* S, const Key* k) noexcept nogil:
    # The entry of a key, made if there is none; a full table gives up another one.
    cdef Entry* e = slot_of(S, k)
    if e.used:
        return e
    if S.used * 8 >= (S.mask + 1) * 5:
        if not S.full:
            grow(S)
            e = slot_of(S, k)
        if S.full:
            e = S.slots + home_of(S, k)
    S.used += not e.used
    e.a, e.b, e.lower, e.upper, e.used = k.a, k.b, -MATE, MATE, 1
    return e


cdef void grow(Search* S) noexcept nogil:
    # Double the table, or mark it full.
    cdef uint64_t count = S.mask + 1, i
    cdef Entry* old = S.slots
    cdef Key k
    cdef Entry* new = <Entry*>calloc(2 * count, sizeof(Entry)) if 2 * count <= S.most else NULL
    if new == NULL:
        S.full = True
        return
    S.slots, S.mask = new, 2 * count - 1
    for i in range(count):
        if old[i].used:
            k.a, k.b = old[i].a, old[i].b
            slot_of(S, &k)[0] = old[i]
    free(old)


cdef bint must_stop(Search* S) noexcept nogil:
    # Look at limits, other threads and signals.
    cdef double now = kit_now()
    if S.stop == 0:
        if S.nodes >= S.node_limit:
            S.stop = NODE_LIMIT
        elif S.asked:
            S.stop = CANCELLED
        elif S.deadline >= 0 and now >= S.deadline:
            S.stop = TIME_LIMIT
        elif now >= S.next_signals:
            S.next_signals = now + 0.05
            with gil:
                if check_signals() != 0:
                    S.stop = INTERRUPTED
    S.next_look = min(S.nodes + POLL, S.node_limit)
    return S.stop != 0


cdef inline int lifted(int value, int gain) noexcept nogil:
    # The score of a move: `value` is that of the position after it, for the other side.
    if OUTCOME:
        return 1 - value if value > 0 else -1 - value if value < 0 else 0
    return gain - value


cdef inline int lowered(int value, int gain) noexcept nogil:
    # The inverse: what the position after a move must be worth.
    if OUTCOME:
        return -1 - value if value > 0 else 1 - value if value < 0 else 0
    return gain - value


cdef int alphabeta(Search* S, const State* s, int alpha, int beta, int depth) noexcept nogil:
    # A bound of the score of a position that is not over: exact between alpha and beta. 0 after a stop.
    cdef Move move[MOST_MOVES]
    cdef int weight[MOST_MOVES]
    cdef int gain[MOST_MOVES]
    cdef State child[MOST_MOVES]
    cdef Key keys[MOST_MOVES]
    cdef int count, i, j, best = -MATE, value, low, high, end, ended = 0, todo = 0
    cdef Entry* e
    if S.nodes >= S.next_look and must_stop(S):
        return 0
    if depth > DEEPEST:
        S.stop = TOO_DEEP
        return 0
    S.nodes += 1
    count = moves(s, move)
    for i in range(count):                       # ends of the game first: they may save the rest
        child[ended] = s[0]
        gain[ended] = gain_of(&child[ended], move[i])
        end = result(&child[ended])
        if end != ONGOING:
            best = max(best, lifted(end, gain[ended]))
            if best >= beta:
                return best
            continue
        move[ended] = move[i]
        keys[ended] = key_of(&child[ended])
        fetch(S.slots + home_of(S, &keys[ended]))
        ended += 1
    for i in range(ended):                       # then what the table knows
        low, high = -MATE, MATE
        e = slot_of(S, &keys[i])
        if e.used:
            low, high = e.lower, e.upper
        elif BOUNDED:
            bounds(&child[i], &low, &high)
        best = max(best, lifted(high, gain[i]))
        if best >= beta:
            return best
        if lifted(low, gain[i]) <= best:
            continue
        weight[todo] = 8 * order(s, move[i]) + S.history[move[i]]
        if OUTCOME and (low > -MATE or high < MATE):
            weight[todo] += 2 * lifted(low, gain[i])
        child[todo], keys[todo], move[todo], gain[todo] = child[i], keys[i], move[i], gain[i]
        todo += 1
    for i in range(todo):
        j = heaviest(weight, i, todo)
        if j != i:
            child[i], child[j] = child[j], child[i]
            keys[i], keys[j] = keys[j], keys[i]
            weight[i], weight[j] = weight[j], weight[i]
            move[i], move[j] = move[j], move[i]
            gain[i], gain[j] = gain[j], gain[i]
        low, high = lowered(beta, gain[i]), lowered(max(alpha, best), gain[i])
        value = alphabeta(S, &child[i], low, high, depth + 1)
        if S.stop:
            return 0
        e = claim(S, &keys[i])
        if value > low:
            e.upper = min(e.upper, value) if value < high else e.upper
            e.lower = max(e.lower, value)
        else:
            e.upper = min(e.upper, value)
        best = max(best, lifted(value, gain[i]))
        if best >= beta:
            reward(S, move, i)
            return best
    return best


cdef inline int heaviest(const int* weight, int i, int count) noexcept nogil:
    cdef int found = i, j
    for j in range(i + 1, count):
        if weight[j] > weight[found]:
            found = j
    return found


cdef inline void reward(Search* S, const Move* move, int i) noexcept nogil:
    # Remember the move that cut, and against the one that was tried first.
    cdef int32_t* good = &S.history[move[i]]
    good[0] += 8 - good[0] // 2048
    if i:
        S.history[move[0]] -= 8 + S.history[move[0]] // 2048


cdef void prove(Search* S, const State* s, int* lower, int* upper) noexcept nogil:
    # Narrow the bounds of a position by null windows until they meet, or a limit stops the search.
    cdef int value, guess = 0, beta
    cdef Key k = key_of(s)
    cdef Entry* e = slot_of(S, &k)
    if e.used:
        lower[0], upper[0] = max(lower[0], <int>e.lower), min(upper[0], <int>e.upper)
    if OUTCOME and lower[0] < 1 and upper[0] > -1 and lower[0] < upper[0]:      # who wins
        value = alphabeta(S, s, -1, 1, 0)
        if S.stop:
            return
        if value >= 1:
            lower[0] = max(lower[0], value)
        elif value <= -1:
            upper[0] = min(upper[0], value)
        else:
            lower[0] = upper[0] = 0
    guess = max(lower[0], min(upper[0], 0))
    while lower[0] < upper[0]:
        beta = guess + 1 if guess == lower[0] else guess
        value = alphabeta(S, s, beta - 1, beta, 0)
        if S.stop:
            return
        if value < beta:
            upper[0] = min(upper[0], value)
        else:
            lower[0] = max(lower[0], value)
        guess = value
    e = claim(S, &k)
    e.lower, e.upper = lower[0], upper[0]


cdef int exact_value(Search* S, const State* s, int depth) noexcept nogil:
    # The exact score of a position that is not over; the table gets every position that play can reach from it.
    cdef Move move[MOST_MOVES]
    cdef State child
    cdef Key k = key_of(s)
    cdef Entry* e = slot_of(S, &k)
    cdef int count, i, best = -MATE, gain, end
    if e.used:
        return e.lower
    if S.nodes >= S.next_look and must_stop(S):
        return 0
    S.nodes += 1
    count = moves(s, move)
    for i in range(count):
        child = s[0]
        gain = gain_of(&child, move[i])
        end = result(&child)
        if end == ONGOING:
            if depth == DEEPEST:
                S.stop = TOO_DEEP
            else:
                end = exact_value(S, &child, depth + 1)
            if S.stop:
                return 0
        best = max(best, lifted(end, gain))
    e = claim(S, &k)
    if S.full:
        S.stop = TABLE_FULL
    e.lower = e.upper = best
    return best


cdef class Solver:
    """A table, and searches that share it. States are dicts of the fields of ``State``."""

    cdef Search* S

    def __cinit__(self, table_bytes=512 << 20):
        self.S = <Search*>calloc(1, sizeof(Search))
        if self.S == NULL:
            raise MemoryError
        self.S.most = <uint64_t>table_bytes // sizeof(Entry)
        self.S.mask = FIRST_SLOTS - 1
        self.S.slots = <Entry*>calloc(FIRST_SLOTS, sizeof(Entry))
        if self.S.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.S != NULL:
            free(self.S.slots)
            free(self.S)

    @property
    def table_bytes(self):
        """Memory of the table."""
        return (self.S.mask + 1) * sizeof(Entry)

    def stop(self):
        """End the search that runs in another thread."""
        self.S.asked = True

    cdef begin(self, double seconds, uint64_t nodes):
        cdef Search* S = self.S
        cdef double now = kit_now()
        S.nodes = S.next_look = 0
        S.stop = S.asked = False
        S.deadline = now + seconds if seconds >= 0 else -1
        S.next_signals = now + 0.05
        S.node_limit = nodes if nodes else <uint64_t>-1

    cdef finish(self):
        if self.S.stop == INTERRUPTED:
            raise_pending()
        if self.S.stop == TOO_DEEP:
            raise RecursionError(f"a game of more than {DEEPEST} plies: is there a cycle?")
        if self.S.stop == TABLE_FULL:
            raise MemoryError(f"the positions do not fit into {self.table_bytes >> 20} MiB")

    def search(self, State s, double seconds, uint64_t nodes):
        """Return (lower, upper, nodes) of a position; ``seconds`` below 0 and ``nodes`` 0 are no limits."""
        cdef int lower = -MATE, upper = MATE, end = result(&s)
        if end != ONGOING:
            return end, end, 0
        self.begin(seconds, nodes)
        with nogil:
            prove(self.S, &s, &lower, &upper)
        self.finish()
        return lower, upper, self.S.nodes

    def solve_all(self, State s, double seconds):
        """Return (value, positions), or None at the time limit. The table, empty before, then holds all positions."""
        cdef int value = result(&s)
        if value == ONGOING:
            self.begin(seconds, 0)
            with nogil:
                value = exact_value(self.S, &s, 0)
            self.finish()
            if self.S.stop:
                return None
        return value, self.S.used

    def entries(self):
        """Return the table as bytes: two 64-bit words a key, and 16 bits a value, in the machine's order."""
        cdef bytearray keys = bytearray(16 * self.S.used), values = bytearray(2 * self.S.used)
        cdef uint64_t* key = <uint64_t*><char*>keys
        cdef int16_t* value = <int16_t*><char*>values
        cdef uint64_t i, j = 0
        for i in range(self.S.mask + 1):
            if self.S.slots[i].used:
                key[2 * j], key[2 * j + 1], value[j] = self.S.slots[i].a, self.S.slots[i].b, self.S.slots[i].lower
                j += 1
        return keys, values


# The rules for Python. A state is a dict of the fields of ``State``.

def kit_start():
    cdef State s
    start(&s)
    return s


def kit_moves(State s):
    cdef Move move[MOST_MOVES + 256]
    cdef int i, count = moves(&s, move)
    if count > MOST_MOVES:
        raise ValueError(f"{count} moves are more than MOST_MOVES")
    return [move[i] for i in range(count)]


def kit_play(State s, Move move):
    cdef int gain = gain_of(&s, move)
    return s, gain


def kit_result(State s):
    cdef int end = result(&s)
    return None if end == ONGOING else end


def kit_key(State s):
    cdef Key k = key_of(&s)
    return k.a, k.b
