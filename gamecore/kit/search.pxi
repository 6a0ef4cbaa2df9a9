# The search of `gamecore.kit`, for the game whose file stands before it. `gamecore kit build` adds what the file left
# out: key, order, bounds, valid.
#
# Fail-soft alpha-beta over a table of whole keys with a lower and an upper bound. Children are looked up before one is
# searched. Scores are of the side to move. In games of win, draw and loss (OUTCOME) a win in n plies is MATE - n and a
# loss in n plies is n - MATE, so that a step towards the root brings a score one nearer to 0. In games of points a move
# adds what `play` returns.
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gamecore.errors import GamecoreError

cdef extern from *:
    """
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <time.h>
    static double kit_now(void)
    {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    }
    static int kit_pending(void) { return PyErr_Occurred() ? -1 : 0; }
    static void *kit_table(size_t bytes)           /* zeroed, in huge pages where the system has them */
    {
        char *found = (char *)calloc(1, bytes);
    #ifdef MADV_HUGEPAGE
        if (found && bytes > 1 << 22)
            madvise((void *)(((uintptr_t)found + 4095) & ~(uintptr_t)4095), bytes - 4096, MADV_HUGEPAGE);
    #endif
        return found;
    }
    static inline uint64_t kit_part(uint64_t x, uint64_t n) { return (uint64_t)((unsigned __int128)x * n >> 64); }
    """
    double kit_now() noexcept nogil
    int check_signals "PyErr_CheckSignals"() noexcept
    int raise_pending "kit_pending"() except -1
    void* kit_table(size_t bytes) noexcept nogil
    uint64_t kit_part(uint64_t x, uint64_t n) noexcept nogil
    void fetch "__builtin_prefetch"(const void* place) noexcept nogil
    int RELAXED "__ATOMIC_RELAXED", ACQUIRE "__ATOMIC_ACQUIRE", RELEASE "__ATOMIC_RELEASE"
    uint64_t load "__atomic_load_n"(const uint64_t* p, int order) noexcept nogil
    void store "__atomic_store_n"(uint64_t* p, uint64_t x, int order) noexcept nogil
    bint swap "__atomic_compare_exchange_n"(uint64_t* p, uint64_t* old, uint64_t x, bint weak, int, int) noexcept nogil
    void fence "__atomic_thread_fence"(int order) noexcept nogil

cdef enum:
    MATE = 10000
    POLL = 4096              # nodes between looks at the clock
    FIRST_SLOTS = 8192
    WINDOW = 8               # slots where a key may be
    SLACK = 64               # moves above MOST_MOVES that do no harm before they are refused
    APART = 12               # plies from the root in which threads avoid each other
    MARKS = 4096
    LATE = 1 << 29

cdef enum:                   # why a search stops
    NODE_LIMIT = 1
    TIME_LIMIT = 2
    CANCELLED = 3
    INTERRUPTED = 4
    RESOLVED = 5             # another thread has answered this position, or one above it
    TABLE_FULL = 6
    TOO_DEEP = 7             # the rest are mistakes in the rules
    NO_MOVE = 8
    TOO_MANY = 9
    OUT_OF_RANGE = 10

# Plies that a search follows: a longer game has a cycle, or needs more than 3 MiB of stack.
cdef int DEEPEST = min(1000, (3 << 20) // (MOST_MOVES * (sizeof(State) + sizeof(Key) + 10) + 400))

WHY = {
    TABLE_FULL: "the positions do not fit into the table: give more table_mb",
    TOO_DEEP: f"a game of more than {DEEPEST} plies: is there a cycle? Then say CYCLES = True",
    NO_MOVE: "there is no move, but result says that the game goes on",
    TOO_MANY: f"there are more moves than MOST_MOVES = {MOST_MOVES}",
    OUT_OF_RANGE: "result must be LOSS, DRAW, WIN or ONGOING" if OUTCOME else "points must be from -10000 to 10000",
}


include "table.pxi"


cdef struct Shared:          # of threads on one table
    int finished             # one of them has the value
    uint64_t marks[MARKS]    # positions that are being searched

cdef struct Node:            # on the way from the root
    Key key
    int alpha, beta

cdef struct Search:
    Table table
    uint64_t nodes, next_look, node_limit
    double deadline, next_signals
    int stop, asked
    Shared* shared           # NULL while searching alone
    Node path[APART]
    int resolved, answer     # after RESOLVED: the ply whose position has an answer (-1: all), and the answer
    int32_t history[65536]


cdef bint must_stop(Search* S, int depth) noexcept nogil:
    # Look at limits, other threads and signals.
    cdef double now = kit_now()
    cdef int d, low, high
    if S.stop == 0:
        if S.nodes >= S.node_limit:
            S.stop = NODE_LIMIT
        elif S.asked:
            S.stop = CANCELLED
        elif S.deadline >= 0 and now >= S.deadline:
            S.stop = TIME_LIMIT
        elif S.shared != NULL and S.shared.finished:
            S.stop, S.resolved = RESOLVED, -1
        elif now >= S.next_signals:
            S.next_signals = now + 0.05
            with gil:
                if check_signals() != 0:
                    S.stop = INTERRUPTED
    if S.stop == 0 and S.shared != NULL:
        for d in range(min(depth, APART)):
            if known(&S.table, &S.path[d].key, &low, &high) and (low >= S.path[d].beta or high <= S.path[d].alpha):
                S.stop, S.resolved, S.answer = RESOLVED, d, low if low >= S.path[d].beta else high
                break
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


cdef inline int checked(Search* S, int value, int gain) noexcept nogil:
    # Return the value; stop the search if it, or a gain, is one that the rules cannot give.
    if value == ONGOING:
        value = 0
    if OUTCOME:
        if value != 0 and value != MATE and value != -MATE:
            S.stop = OUT_OF_RANGE
    elif not (-MATE <= gain <= MATE and -MATE <= value <= MATE and -MATE <= gain - value <= MATE):
        S.stop = OUT_OF_RANGE
    return value


cdef inline int made(Search* S, State* s, Move move, int* gain) noexcept nogil:
    # Make a move; return the result.
    gain[0] = gain_of(s, move)
    cdef int end = result(s)
    checked(S, end, gain[0])
    return end


cdef inline int listed(Search* S, const State* s, Move* move) noexcept nogil:
    # The moves of a position that is not over; how many.
    cdef int count = moves(s, move)
    if count <= 0 or count > MOST_MOVES:
        S.stop = NO_MOVE if count <= 0 else TOO_MANY
        return 0
    return count


cdef int alphabeta(Search* S, const State* s, const Key* own, int alpha, int beta, int depth) noexcept nogil:
    # A bound of the score of a position that is not over: exact between alpha and beta. 0 after a stop.
    cdef Move move[MOST_MOVES + SLACK]
    cdef int weight[MOST_MOVES]
    cdef int gain[MOST_MOVES]
    cdef State child[MOST_MOVES]
    cdef Key keys[MOST_MOVES]
    cdef int count, i, j, best = -MATE, value, low, high, end, ended = 0, todo = 0
    cdef bint apart = S.shared != NULL and depth < APART
    cdef uint64_t before
    if S.nodes >= S.next_look and must_stop(S, depth):
        return 0
    if depth > DEEPEST:
        S.stop = TOO_DEEP
        return 0
    S.nodes += 1
    if apart:
        S.path[depth].key, S.path[depth].alpha, S.path[depth].beta = own[0], alpha, beta
    count = listed(S, s, move)
    for i in range(count):                       # ends of the game first: they may save the rest
        child[ended] = s[0]
        end = made(S, &child[ended], move[i], &gain[ended])
        if end != ONGOING:
            best = max(best, lifted(end, gain[ended]))
            if best >= beta:
                return best
            continue
        move[ended] = move[i]
        keys[ended] = key_of(&child[ended])
        fetch(S.table.slots + home_of(&S.table, &keys[ended]))
        ended += 1
    if S.stop:
        return 0
    for i in range(ended):                       # then what the table knows
        if not known(&S.table, &keys[i], &low, &high):
            low, high = -MATE, MATE
            if BOUNDED:
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
        while apart and i > 0 and weight[j] > -LATE and load(mark_of(S, &keys[j]), RELAXED) == keys[j].a + keys[j].b:
            weight[j] -= 2 * LATE                # another thread searches it: later
            j = heaviest(weight, i, todo)
        if j != i:
            child[i], child[j] = child[j], child[i]
            keys[i], keys[j] = keys[j], keys[i]
            weight[i], weight[j] = weight[j], weight[i]
            move[i], move[j] = move[j], move[i]
            gain[i], gain[j] = gain[j], gain[i]
        if apart and i > 0 and known(&S.table, &keys[i], &low, &high):      # perhaps by now
            best = max(best, lifted(high, gain[i]))
            if best >= beta:
                return best
            if lifted(low, gain[i]) <= best:
                continue
        low, high = lowered(beta, gain[i]), lowered(max(alpha, best), gain[i])
        before = S.nodes
        if apart:
            store(mark_of(S, &keys[i]), keys[i].a + keys[i].b, RELAXED)
        value = alphabeta(S, &child[i], &keys[i], low, high, depth + 1)
        if apart:
            store(mark_of(S, &keys[i]), 0, RELAXED)
        if S.stop == RESOLVED and S.resolved == depth:
            S.stop = 0
            return S.answer
        if not OUTCOME:
            checked(S, value, gain[i])
        if S.stop:
            return 0
        keep(&S.table, &keys[i], value if value > low else -MATE, value if value < high else MATE, S.nodes - before)
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


cdef inline uint64_t* mark_of(const Search* S, const Key* k) noexcept nogil:
    return S.shared.marks + (mixed(k.a ^ mixed(k.b)) & (MARKS - 1))


cdef inline void reward(Search* S, const Move* move, int i) noexcept nogil:
    # Remember the move that cut, and against the one that was tried first.
    cdef int32_t* good = &S.history[move[i]]
    good[0] += 8 - good[0] // 2048
    if i:
        S.history[move[0]] -= 8 + S.history[move[0]] // 2048


cdef void prove(Search* S, const State* s, int* lower, int* upper, int test) noexcept nogil:
    # Narrow the bounds of a position by null windows until they meet, or the value is at least `test` (if it is not
    # ONGOING) or below it, or a limit stops the search.
    cdef int value = 0, low, high, alpha, beta
    cdef Key k = key_of(s)
    while True:
        if known(&S.table, &k, &low, &high):
            lower[0], upper[0] = max(lower[0], low), min(upper[0], high)
        if lower[0] >= upper[0] or (test != ONGOING and (lower[0] >= test or upper[0] < test)):
            break
        if test != ONGOING:
            alpha, beta = test - 1, test
        elif OUTCOME and lower[0] < 1 and upper[0] > -1:
            alpha, beta = -1, 1                  # who wins
        else:
            value = max(lower[0], min(upper[0], value))
            beta = value + 1 if value == lower[0] else value
            alpha = beta - 1
        value = alphabeta(S, s, &k, alpha, beta, 0)
        if S.stop:
            return
        if value > alpha:
            lower[0] = max(lower[0], value)
        if value < beta:
            upper[0] = min(upper[0], value)
        keep(&S.table, &k, lower[0], upper[0], S.nodes)
    if S.shared != NULL:
        S.shared.finished = True


cdef int exact_value(Search* S, const State* s, const Key* own, int depth) noexcept nogil:
    # The exact score of a position that is not over; the table gets every position that play can reach from it.
    cdef Move move[MOST_MOVES + SLACK]
    cdef State child[MOST_MOVES]
    cdef Key keys[MOST_MOVES]
    cdef int gain[MOST_MOVES]
    cdef int count, i, end, value, high, best = -MATE, todo = 0
    if S.nodes >= S.next_look and must_stop(S, 0):
        return 0
    if depth > DEEPEST:
        S.stop = TOO_DEEP
        return 0
    S.nodes += 1
    count = listed(S, s, move)
    for i in range(count):
        child[todo] = s[0]
        end = made(S, &child[todo], move[i], &gain[todo])
        if end != ONGOING:
            best = max(best, lifted(end, gain[todo]))
            continue
        keys[todo] = key_of(&child[todo])
        fetch(S.table.slots + home_of(&S.table, &keys[todo]))
        todo += 1
    for i in range(todo):
        if S.stop:
            return 0
        if not known(&S.table, &keys[i], &value, &high):
            value = exact_value(S, &child[i], &keys[i], depth + 1)
        if not OUTCOME:
            checked(S, value, gain[i])
        best = max(best, lifted(value, gain[i]))
    if S.stop:
        return 0
    keep(&S.table, own, best, best, 0)
    if S.table.full:
        S.stop = TABLE_FULL
    return best


cdef class Solver:
    """A table, and searches that share it. States are dicts of the fields of ``State``.

    A solver made with ``main`` helps that one: it searches in the same table, in another thread.
    """

    cdef Search* S
    cdef Shared together
    cdef Solver main

    def __cinit__(self, table_bytes=512 << 20, Solver main=None):
        cdef Search* S = <Search*>calloc(1, sizeof(Search))
        self.S, self.main = S, main
        if S == NULL:
            raise MemoryError
        if main is not None:
            S.table, S.shared = main.S.table, main.S.shared
            return
        S.table.window = WINDOW
        S.table.most = S.table.count = max(<uint64_t>table_bytes // sizeof(Entry), <uint64_t>WINDOW)
        while S.table.count >= 2 * FIRST_SLOTS:        # doubling ends at the size that was asked for
            S.table.count //= 2
        S.table.slots = <Entry*>kit_table(S.table.count * sizeof(Entry))
        if S.table.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.S != NULL and self.main is None:
            free(self.S.table.slots)
        free(self.S)

    @property
    def table_bytes(self):
        """Memory of the table."""
        return self.S.table.count * sizeof(Entry)

    def stop(self):
        """End the current search, and all later ones; from any thread."""
        self.S.asked = True

    cdef begin(self, double seconds, uint64_t nodes):
        cdef Search* S = self.S
        cdef double now = kit_now()
        S.nodes = S.next_look = 0
        S.stop = 0
        S.deadline = now + seconds if seconds >= 0 else -1
        S.next_signals = now + 0.05
        S.node_limit = nodes if nodes else <uint64_t>-1

    cdef finish(self):
        if self.S.stop == INTERRUPTED:
            raise_pending()
        if self.S.stop in WHY:
            raise GamecoreError(WHY[self.S.stop])

    @property
    def is_shared(self):
        """Whether helpers may use the table."""
        return self.S.table.shared

    def share(self, bint on, bint together=True):
        """Let helpers into the table, which gets its full size, or search alone again.

        They search one position ``together``, or each its own.
        """
        cdef Search* S = self.S
        memset(&self.together, 0, sizeof(Shared))
        S.shared, S.table.shared = NULL, False
        if on:
            if S.table.count < S.table.most:
                resize(&S.table, S.table.most)
            S.shared, S.table.shared, S.table.full = &self.together if together else NULL, True, True

    def search(self, State s, double seconds, uint64_t nodes, test=None):
        """Return (lower, upper, nodes) of a position; ``seconds`` below 0 and ``nodes`` 0 are no limits.

        With a test, it ends as soon as the value is known to be at least that, or below it.
        """
        cdef int lower = -MATE, upper = MATE, end = result(&s), wanted = ONGOING if test is None else test
        self.begin(seconds, nodes)
        if end != ONGOING:
            checked(self.S, end, 0)
            self.finish()
            return end, end, 0
        with nogil:
            prove(self.S, &s, &lower, &upper, wanted)
        self.finish()
        return lower, upper, self.S.nodes

    def solve_all(self, State s, double seconds):
        """Return the value, or None at the time limit. The table, empty before, then holds all positions."""
        cdef int value = result(&s)
        cdef Key k = key_of(&s)
        if value == ONGOING:
            self.S.table.window = 1 << 30
            self.begin(seconds, 0)
            with nogil:
                value = exact_value(self.S, &s, &k, 0)
            self.finish()
            if self.S.stop:
                return None
        return value

    def entries(self):
        """Return the table as bytes: two 64-bit words a key, and 16 bits a value, in the machine's order."""
        cdef bytearray keys = bytearray(16 * self.S.table.used), values = bytearray(2 * self.S.table.used)
        cdef uint64_t* key = <uint64_t*><char*>keys
        cdef int16_t* value = <int16_t*><char*>values
        cdef uint64_t i, j = 0
        for i in range(self.S.table.count):
            if self.S.table.slots[i].data:
                key[2 * j], key[2 * j + 1], value[j] = self.S.table.slots[i].a, self.S.table.slots[i].b, low_of(self.S.table.slots[i].data)
                j += 1
        return keys, values


# The rules for Python. A state is a dict of the fields of ``State``.

def kit_start():
    cdef State s
    memset(&s, 0, sizeof(State))
    start(&s)
    return s


def kit_valid(State s):
    return valid(&s)


def kit_moves(State s):
    cdef Move move[MOST_MOVES + SLACK]
    cdef int i, count = moves(&s, move)
    if count > MOST_MOVES:
        raise GamecoreError(WHY[TOO_MANY])
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
