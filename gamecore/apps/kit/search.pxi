# The search of `gamecore.apps.kit`, for the game whose file stands before it. `_build.py` adds what the file left out.
#
# Fail-soft alpha-beta over a table of whole keys with a lower and an upper bound. Children are bounded and looked up
# before one is searched; those that cannot beat alpha are not. Scores are of the side to move. In games of win, draw
# and loss a win in n plies is GC_MATE - n and a loss in n plies is n - GC_MATE, so that a step towards the root brings
# a score one nearer to 0. In games of points a move adds what `play` returns. There, nothing is taken for a bound that
# was not proven: a value out of range is found.
#
# The path from the root is a list of frames, and the children of its positions lie on one stack, both on the heap.
from cpython.time cimport monotonic as gc_now
from libc.stdlib cimport realloc as gc_realloc
from libc.string cimport memcpy as gc_memcpy, memset as gc_memset

from gamecore.apps.kit._search import CAN_TELL as gc_CAN_TELL
from gamecore.errors import GamecoreError as gc_Error

cdef extern from *:
    """
    static int gc_pending(void) { return PyErr_Occurred() ? -1 : 0; }
    static inline int gc_load_flag(const int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
    static inline void gc_raise_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }
    """
    bint gc_load_flag(const int*) noexcept nogil
    void gc_raise_flag(int*) noexcept nogil
    int gc_check_signals "PyErr_CheckSignals"() noexcept
    int gc_raise_pending "gc_pending"() except -1
    void gc_fetch "__builtin_prefetch"(const void*) noexcept nogil

cdef enum:
    GC_POLL = 4096           # most nodes between looks at the clock
    GC_MOVES_BYTES = 4 * (MOST_MOVES + 64)  # moves above MOST_MOVES do no harm before they are refused
    GC_FIRST_SLOTS = 8192
    GC_APART = 12            # plies from the root in which threads avoid each other
    GC_MARKS = 4096
    GC_LEAST = -(1 << 29)    # below all scores
    GC_ORDER = 1 << 17       # of a weight: `order` counts for more than all else
    GC_DEEPEST = 1000        # plies that a search follows
    GC_MOST_BYTES = 4096     # of a state: copies of it are on the stack while Python calls the rules

cdef enum:                   # why a search stops
    GC_LIMIT = 1             # of nodes or time; or it is cancelled, or another thread has the value
    GC_INTERRUPTED
    GC_RESOLVED              # another thread has answered a position on the path
    GC_TABLE_FULL
    GC_NO_MEMORY
    GC_TOO_DEEP              # the rest are mistakes in the rules
    GC_NO_MOVE
    GC_TOO_MANY
    GC_NO_NUMBER
    GC_OUT_OF_RANGE
    GC_REVERSED
    GC_TOO_LONG
    GC_KEY_TAKEN

cdef int64_t gc_late = <int64_t>1 << 60, gc_closed = -4 * gc_late  # weights: searched later, and never
cdef bint gc_outcome = KIND != "score"
cdef int gc_edge = GC_MATE if gc_outcome else GC_EDGE    # without a bound

gc_WHY = {
    GC_TABLE_FULL: "the positions do not fit into the table: give more table_mb (--table-mb)",
    GC_TOO_DEEP: f"a game of more than {GC_DEEPEST} plies: is there a cycle? Then say CYCLES = True",
    GC_NO_MOVE: "there is no move, but result says that the game goes on",
    GC_TOO_MANY: f"there are more moves than MOST_MOVES = {MOST_MOVES}",
    GC_NO_NUMBER: "moves must be numbers from 0 to 65535",
    GC_OUT_OF_RANGE: "result must be LOSS, DRAW, WIN or ONGOING" if gc_outcome
    else f"points must be from {-GC_MATE} to {GC_MATE}, those of a result below {GC_MATE}",
    GC_REVERSED: "bounds are wrong: the lower one is above the upper one",
    GC_TOO_LONG: f"a game of more than {GC_MATE - 2} plies has no value",
    GC_KEY_TAKEN: "a key must not be 0x9e3779b97f4a7c15, which stands for none",
}

if not GC_HAS_KEY and sizeof(State) > sizeof(Key):
    raise gc_Error(f"a State of more than {sizeof(Key)} bytes needs a key")
if GC_GAINS == 0 and not gc_outcome:
    raise gc_Error("with KIND = 'score', play must be an int function: what the move gains")
if sizeof(State) > GC_MOST_BYTES:
    raise gc_Error(f"a State must have at most {GC_MOST_BYTES} bytes, not {sizeof(State)}")
if not 0 < MOST_MOVES <= 1 << 20:
    raise gc_Error(f"MOST_MOVES must be from 1 to {1 << 20}, not {MOST_MOVES}")


cdef struct gc_Shared:       # of threads on one table
    int finished             # one of them has the value; read and written atomically
    uint64_t marks[GC_MARKS]  # positions that are being searched

cdef struct gc_Child:        # a position after a move that does not end the game
    State state
    Key key
    int64_t weight
    int gain, low, high
    uint16_t move

cdef struct gc_Frame:        # a position on the path
    uint64_t own, first      # its place on the stack, and that of its first child
    int count, at, leader    # children, the one that is being searched, and the first one that was
    int alpha, beta, best
    int low, high            # the window of that child
    uint64_t before          # nodes before its search
    bint apart               # other threads are avoided here

cdef struct gc_Search:
    gc_Table table
    uint64_t nodes, next_look, interval, node_limit
    double deadline, next_signals, last_look
    int stop, asked          # `asked`, by any thread: read and written atomically
    uint64_t listed, needed  # after GC_TABLE_FULL: positions, and bytes for them
    gc_Shared* shared        # NULL while searching alone
    int resolved, answer     # after GC_RESOLVED: the ply whose position has an answer, and the answer
    gc_Frame frames[GC_DEEPEST + 1]
    gc_Child* stack          # [0] is the root
    uint64_t capacity
    Move* moves
    int32_t history[65536]


cdef bint gc_must_stop(gc_Search* S, int depth) noexcept nogil:
    # Look at limits, other threads and signals.
    cdef double now = gc_now()
    cdef gc_Frame* f
    cdef int d, low, high
    if S.nodes >= S.node_limit or now >= S.deadline or gc_load_flag(&S.asked):
        S.stop = S.stop or GC_LIMIT
    elif S.shared != NULL and gc_load_flag(&S.shared.finished):
        S.stop = S.stop or GC_LIMIT
    elif S.stop == 0 and now >= S.next_signals:
        S.next_signals = now + 0.05
        with gil:
            if gc_check_signals() != 0:
                S.stop = GC_INTERRUPTED
    if S.stop == 0 and S.shared != NULL:
        for d in range(min(depth, GC_APART)):
            f = &S.frames[d]
            if gc_known(&S.table, &S.stack[f.own].key, &low, &high) and (low >= f.beta or high <= f.alpha):
                S.stop, S.resolved, S.answer = GC_RESOLVED, d, low if low >= f.beta else high
                break
    # A look every two milliseconds or so: nodes may be slow.
    S.interval = min(2 * S.interval, GC_POLL)
    if now - S.last_look > 0.002:
        S.interval = max(<uint64_t>(S.interval * 0.001 / (now - S.last_look)), <uint64_t>1)
    S.last_look = now
    S.next_look = min(S.nodes + S.interval, S.node_limit)
    return S.stop != 0


cdef inline int gc_parent_score(int value, int gain) noexcept nogil:
    # The score of a move: `value` is that of the position after it, for the other side.
    if gc_outcome:
        return 1 - value if value > 0 else -1 - value if value < 0 else 0
    return gain - value


cdef inline int gc_child_score(int value, int gain) noexcept nogil:
    # The inverse: what the position after a move must be worth.
    if gc_outcome:
        return -1 - value if value > 0 else 1 - value if value < 0 else 0
    return gain - value


cdef inline void gc_check(gc_Search* S, int end, int gain) noexcept nogil:
    # Stop the search if the rules cannot give this result, or gain.
    if gc_outcome:
        if end != ONGOING and end != LOSS and end != DRAW and end != WIN:
            S.stop = GC_OUT_OF_RANGE
    elif not (-GC_MATE <= gain <= GC_MATE and (end == ONGOING or -GC_MATE < end < GC_MATE)):
        S.stop = GC_OUT_OF_RANGE


cdef inline void gc_check_bounds(gc_Search* S, int* low, int* high) noexcept nogil:
    # Stop the search if a proven bound says that the value is out of range; widen what is no bound.
    if not gc_outcome and (low[0] > GC_MATE or high[0] < -GC_MATE):
        S.stop = GC_OUT_OF_RANGE
    elif low[0] > high[0]:
        S.stop = GC_REVERSED
    elif gc_outcome and (low[0] == -1 or high[0] == 1):     # the next would pass 0, which is a draw
        S.stop = GC_TOO_LONG
    low[0], high[0] = max(low[0], -gc_edge), min(high[0], gc_edge)


cdef inline bint gc_is_open(gc_Frame* f, const gc_Child* child) noexcept nogil:
    # Raise the best score to what a child's bounds prove; return whether the child must be searched.
    cdef int most = gc_parent_score(child.low, child.gain)
    if gc_outcome or child.high < gc_edge:
        f.best = max(f.best, gc_parent_score(child.high, child.gain))
    if (gc_outcome or child.low > -gc_edge) and most <= max(f.alpha, f.best):
        f.best = max(f.best, most)                # not above alpha: an upper bound is enough
        return False
    return f.best < f.beta


cdef bint gc_reserve(gc_Search* S, uint64_t count) noexcept nogil:
    cdef gc_Child* stack
    if count > S.capacity:
        stack = <gc_Child*>gc_realloc(S.stack, 2 * count * sizeof(gc_Child))
        if stack == NULL:
            S.stop = GC_NO_MEMORY
            return False
        S.stack, S.capacity = stack, 2 * count
    return True


cdef inline bint gc_look_up(gc_Search* S, gc_Frame* f, gc_Child* child) noexcept nogil:
    # Narrow a child's bounds by those of the table; return whether the child must be searched.
    cdef int low, high
    if gc_known(&S.table, &child.key, &low, &high):
        child.low, child.high = max(child.low, low), min(child.high, high)
    return gc_is_open(f, child)


cdef int gc_list_moves(gc_Search* S, const State* s) noexcept nogil:
    # Write the legal moves and return how many; stop the search if the rules cannot have them.
    cdef int i, count = moves(s, S.moves)
    if count <= 0 or count > MOST_MOVES:
        S.stop = GC_NO_MOVE if count <= 0 else GC_TOO_MANY
        return 0
    for i in range(count):
        if S.moves[i] != <uint16_t>S.moves[i]:
            S.stop = GC_NO_NUMBER
    return count


cdef void gc_open(gc_Search* S, int depth, uint64_t own, int alpha, int beta) noexcept nogil:
    # Make a frame for the position at `own`: its best score is that of moves that end the game, its children are the
    # positions after the other moves; with a window, only those that can be above it, with their weights.
    cdef gc_Frame* f = &S.frames[depth]
    cdef gc_Child* child
    cdef int i, count, end
    if S.nodes >= S.next_look and gc_must_stop(S, depth):
        return
    if depth == GC_DEEPEST:
        S.stop = GC_TOO_DEEP
        return
    S.nodes += 1
    f.own, f.alpha, f.beta, f.best, f.at = own, alpha, beta, GC_LEAST, -1
    f.first, f.count = 1 if depth == 0 else S.frames[depth - 1].first + S.frames[depth - 1].count, 0
    f.apart = S.shared != NULL and depth < GC_APART
    count = gc_list_moves(S, &S.stack[own].state)
    if S.stop or not gc_reserve(S, f.first + count):
        return
    child = S.stack + f.first
    for i in range(count):
        gc_memcpy(&child.state, &S.stack[own].state, sizeof(State))
        child.gain = gc_gain(&child.state, S.moves[i])
        end = result(&child.state)
        gc_check(S, end, child.gain)
        child.low, child.high = -gc_edge, gc_edge
        if end != ONGOING:
            f.best = max(f.best, gc_parent_score(end, child.gain))
        elif alpha < beta:
            bounds(&child.state, &child.low, &child.high)
            gc_check_bounds(S, &child.low, &child.high)
        if end == ONGOING and (alpha >= beta or gc_is_open(f, child)):
            child.move, child.key = S.moves[i], gc_key(&child.state)
            gc_fetch(S.table.slots + gc_home(&S.table, child.key.a, child.key.b))
            f.count += 1
            child += 1
        elif f.best >= beta:
            return
        if (S.interval == 1 or i & 63 == 63) and S.nodes < S.node_limit and gc_must_stop(S, depth):
            return
    if S.stop or alpha >= beta:
        return
    for i in range(f.count):                      # while their slots are on the way from memory
        child = S.stack + f.first + i
        child.weight = <int64_t>GC_ORDER * order(&S.stack[own].state, child.move) + S.history[child.move]
    for i in range(f.count):
        child = S.stack + f.first + i
        if not gc_look_up(S, f, child):
            child.weight = gc_closed
            if f.best >= beta:
                return
        elif gc_outcome and (child.low > -GC_MATE or child.high < GC_MATE):
            child.weight += 2 * gc_parent_score(child.low, child.gain)


cdef bint gc_next(gc_Search* S, gc_Frame* f) noexcept nogil:
    # Go to the next child that must be searched; return False if there is none.
    cdef gc_Child* children = S.stack + f.first
    cdef bint later = f.apart and f.at >= 0
    cdef int best
    while f.best < f.beta and f.count:
        best = gc_heaviest(children, f.count)
        while later and children[best].weight > -gc_late and gc_is_marked(S, &children[best].key):
            children[best].weight -= 2 * gc_late      # another thread searches it: later
            best = gc_heaviest(children, f.count)
        if children[best].weight == gc_closed:
            return False
        if f.at < 0:
            f.leader = best
        f.at, children[best].weight = best, gc_closed
        if not later or gc_look_up(S, f, children + best):
            return True
    return False


cdef inline int gc_heaviest(const gc_Child* children, int count) noexcept nogil:
    cdef int best = 0, i
    for i in range(1, count):
        if children[i].weight > children[best].weight:
            best = i
    return best


cdef inline uint64_t* gc_mark_of(const gc_Search* S, const Key* k) noexcept nogil:
    return S.shared.marks + (gc_hash(k.a, k.b) & (GC_MARKS - 1))


cdef inline bint gc_is_marked(const gc_Search* S, const Key* k) noexcept nogil:
    return gc_load(gc_mark_of(S, k)) == k.a + k.b


cdef inline void gc_mark(gc_Search* S, gc_Frame* f, bint searching) noexcept nogil:
    # Tell other threads whether this one searches the child.
    cdef Key* k = &S.stack[f.first + f.at].key
    if f.apart:
        gc_store(gc_mark_of(S, k), k.a + k.b if searching else 0)


cdef void gc_take(gc_Search* S, gc_Frame* f, int value) noexcept nogil:
    # Store the value that the search of the child returned, and raise the best score.
    cdef gc_Child* child = S.stack + f.first + f.at
    cdef int low = value if value > f.low else -gc_edge, high = value if value < f.high else gc_edge
    gc_check_bounds(S, &low, &high)
    if S.stop:
        return
    gc_keep(&S.table, &child.key, low, high, S.nodes - f.before)
    f.best = max(f.best, gc_parent_score(value, child.gain))
    if f.best >= f.beta:                          # remember the move that cut, and against the one that was tried first
        S.history[child.move] += 8 - S.history[child.move] // 2048
        if f.at != f.leader:
            S.history[S.stack[f.first + f.leader].move] -= 8 + S.history[S.stack[f.first + f.leader].move] // 2048


cdef int gc_alphabeta(gc_Search* S, int alpha, int beta) noexcept nogil:
    # A bound of the score of the root, which is not over: exact between alpha and beta. 0 after a stop.
    cdef gc_Frame* f = &S.frames[0]
    cdef gc_Child* child
    cdef int depth = 0, value
    gc_open(S, 0, 0, alpha, beta)
    while True:
        if S.stop:
            while depth > (S.resolved if S.stop == GC_RESOLVED else 0):
                depth -= 1
                gc_mark(S, &S.frames[depth], False)
            if S.stop != GC_RESOLVED:
                return 0
            f, S.stop = &S.frames[depth], 0
            f.best, f.count = S.answer, 0
        f = &S.frames[depth]
        if gc_next(S, f):
            gc_mark(S, f, True)
            child = S.stack + f.first + f.at
            f.low, f.high = gc_child_score(f.beta, child.gain), gc_child_score(max(f.alpha, f.best), child.gain)
            f.before = S.nodes
            depth += 1
            gc_open(S, depth, f.first + f.at, f.low, f.high)
        elif depth == 0:
            return f.best
        else:
            value = f.best
            depth -= 1
            gc_mark(S, &S.frames[depth], False)
            gc_take(S, &S.frames[depth], value)


cdef void gc_prove(gc_Search* S, int* lower, int* upper, int first, int last) noexcept nogil:
    # Narrow the bounds of the root until they meet, or a limit stops the search; unless `first` is ONGOING, until the
    # value is known to be below `first`, at least `last`, or between.
    cdef int value = 0, low, high, alpha, beta
    cdef Key k = gc_key(&S.stack[0].state)
    S.stack[0].key = k
    while True:
        if gc_known(&S.table, &k, &low, &high):
            lower[0], upper[0] = max(lower[0], low), min(upper[0], high)
        if lower[0] >= upper[0] or (first != ONGOING and (lower[0] >= last or upper[0] < first)):
            break
        if first != ONGOING:
            alpha, beta = first - 1, last
        elif gc_outcome and lower[0] < 1 and upper[0] > -1:
            alpha, beta = -1, 1                  # who wins
        else:
            value = max(lower[0], min(upper[0], value))
            beta = value + 1 if value == lower[0] else value
            alpha = beta - 1
        value = gc_alphabeta(S, alpha, beta)
        low, high = value if value > alpha else -gc_edge, value if value < beta else gc_edge
        gc_check_bounds(S, &low, &high)
        if S.stop:
            return
        lower[0], upper[0] = max(lower[0], low), min(upper[0], high)
        gc_keep(&S.table, &k, lower[0], upper[0], S.nodes)
    if S.shared != NULL:
        gc_raise_flag(&S.shared.finished)


cdef int gc_exact_value(gc_Search* S) noexcept nogil:
    # The exact score of the root, which is not over; the table gets every position that play can reach from it.
    cdef gc_Frame* f
    cdef gc_Child* child
    cdef int depth = 0, low, high
    S.stack[0].key = gc_key(&S.stack[0].state)
    gc_open(S, 0, 0, -GC_LEAST, -GC_LEAST)
    while S.stop == 0:
        f = &S.frames[depth]
        f.at += 1
        if f.at < f.count:
            child = S.stack + f.first + f.at
            if gc_known(&S.table, &child.key, &low, &high):
                f.best = max(f.best, gc_parent_score(low, child.gain))
            else:
                depth += 1
                gc_open(S, depth, f.first + f.at, -GC_LEAST, -GC_LEAST)
            continue
        low = high = f.best
        gc_check_bounds(S, &low, &high)
        gc_keep(&S.table, &S.stack[f.own].key, f.best, f.best, 0)
        if S.table.full:
            S.stop, S.listed, S.needed = GC_TABLE_FULL, S.table.used, S.table.used * sizeof(gc_Entry) * 8 // 5
        if depth == 0:
            return f.best
        depth -= 1
        S.frames[depth].best = max(S.frames[depth].best, gc_parent_score(f.best, S.stack[f.own].gain))
    return 0
