# Whole rounds among built-in players.

cdef extern from "simd/hearts_avx512.h" nogil:
    ctypedef struct Table "gch_table":
        int flags
        uint64_t first_ban
        uint64_t breakers
        uint64_t preset
        uint64_t first_lead
        uint64_t lone_queen
        uint64_t key
        const unsigned char* cycle
        uint64_t period
    int vectors "gch_vectors"() noexcept
    void random_rounds "gch_random_rounds"(int8_t* points, int64_t rounds, uint64_t first, const Table* t) noexcept
    void random_rounds_v "gch_random_roundsv"(int8_t* points, int64_t rounds, uint64_t first, const Table* t) noexcept
    uint64_t play_only "gch_play_only"(int64_t rounds, const Table* t) noexcept
    uint64_t play_only_v "gch_play_onlyv"(int64_t rounds, const Table* t) noexcept

cdef bint HAS_VECTORS = vectors() != 0

cdef void play_round(Game* game, const Spec* specs, int direction, int64_t* decisions, Solver* z,
                     Watch* watch) noexcept nogil:
    # From the pass to the last card; the game has been dealt.
    cdef uint64_t m, card
    cdef int seat
    if direction:
        for seat in range(4):
            game.passed[seat] = choose_pass(game, &specs[seat], seat, direction, watch)
        game_pass(game, direction)
    game_start(game)
    while game.s.count < 52:
        seat = seat_to_move(&game.s)
        m = legal(&game.rules, &game.s, game.s.hand[seat])
        decisions[seat] += (m & (m - 1)) != 0
        card = choose(game, &specs[seat], m, z, watch)
        if watch.stop != RUNNING:
            return
        game_play(game, card)


def run(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, tuple specs, bytes passing,
        int32_t[::1] stop, double seconds, int64_t[::1] decisions) -> int:
    """Play rounds first, first + 1, ... into the rows of points (int8, seat by seat); how many were finished.

    passing: directions (0 to 3) of the rounds in turn, by index.  Ends early when stop[0] is set
    or, after a whole round, when the seconds (if not below 0) are over.  decisions: four counters to add to.
    """
    cdef Game game
    cdef Spec spec[4]
    cdef Watch watch
    cdef Solver z
    cdef bint solving = False
    cdef int64_t done = 0, total = points.shape[0]
    cdef int64_t counts[4]
    cdef uint64_t key = stream_key(seed)
    cdef int64_t deadline = now_ns() + <int64_t>(seconds * 1e9)
    cdef const unsigned char* cycle = passing
    cdef uint64_t period = len(passing)
    cdef int i, direction
    cdef int pause = 63            # how often to look at the clock: after every round where players search
    for i in range(4):
        spec_from(&spec[i], specs[i])
        if spec[i].kind >= INTELLIGENT:
            pause = 0
        counts[i] = 0
        solving = solving or spec[i].kind == SOLVER
    watch_open(&watch); watch_start(&watch, -1.0, 0)
    memset(&game, 0, sizeof(Game))
    rules_from(&game.rules, flags)
    game.stop = &stop[0]
    if not solver_open(&z, &game.rules, TABLE_ENTRIES if solving else 1, &watch):
        raise MemoryError
    with nogil:
        while done < total and load_flag(&stop[0]) == 0:
            game_deal(&game, key, first + <uint64_t>done)
            direction = cycle[(first + <uint64_t>done) % period]
            play_round(&game, spec, direction, counts, &z, &watch)
            if watch.stop != RUNNING or tick(&watch):
                break
            score(game.s.tally, flags, &points[done, 0])
            done += 1
            if seconds >= 0 and done & pause == 0 and now_ns() >= deadline:
                break
    solver_close(&z)
    for i in range(4):
        decisions[i] += counts[i]
    if watch.stop == INTERRUPTED:
        raise_pending()
    return done


cdef void table_from(Table* t, int flags, uint64_t seed, const unsigned char* cycle, uint64_t period) noexcept nogil:
    cdef Rules r
    rules_from(&r, flags)
    t.flags = flags
    t.first_ban = r.first_ban
    t.breakers = r.breakers
    t.preset = r.preset
    t.first_lead = r.first_lead
    t.lone_queen = SQ if flags & HEARTS_FOR_QUEEN else 0
    t.key = stream_key(seed)
    t.cycle = cycle
    t.period = period


def has_vectors() -> bool:
    """Whether this level plays random rounds in AVX-512 vectors on this processor."""
    return HAS_VECTORS


def run_random(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, bytes passing, int32_t[::1] stop,
               double seconds, bint use_vectors=True) -> int:
    """``run`` for four random players, without counting decisions: the same points, many times faster."""
    cdef Table t
    cdef int64_t done = 0, total = points.shape[0], part
    cdef int64_t deadline = now_ns() + <int64_t>(seconds * 1e9)
    table_from(&t, flags, seed, passing, len(passing))
    use_vectors = use_vectors and HAS_VECTORS
    with nogil:
        while done < total and load_flag(&stop[0]) == 0:
            part = total - done if total - done < 16384 else 16384
            if use_vectors:
                random_rounds_v(&points[done, 0], part, first + <uint64_t>done, &t)
            else:
                random_rounds(&points[done, 0], part, first + <uint64_t>done, &t)
            done += part
            if seconds >= 0 and now_ns() >= deadline:
                break
    return done


def play_random(int64_t rounds, uint64_t seed, int flags, bint use_vectors=True) -> int:
    """Random play of a few deals again and again, without dealing or scoring: for benchmarks; a sum of tallies."""
    cdef Table t
    cdef uint64_t total
    cdef const unsigned char* hold = b"\0"
    table_from(&t, flags, seed, hold, 1)
    with nogil:
        total = play_only_v(rounds, &t) if use_vectors and HAS_VECTORS else play_only(rounds, &t)
    return total


def trace(uint64_t seed, uint64_t index, int flags, int direction) -> tuple:
    """A random round as a record: (hands dealt, cards passed by each seat, seats, cards, legal cards, points).

    Hands and legal cards are 52-bit; seats, cards and legal cards have 52 entries each, in the order of play.
    """
    cdef Game game
    cdef uint64_t m, card
    cdef int i
    memset(&game, 0, sizeof(Game))
    rules_from(&game.rules, flags)
    game_deal(&game, stream_key(seed), index)
    hands = tuple([from_lanes(game.s.hand[i]) for i in range(4)])
    if direction:
        for i in range(4):
            game.passed[i] = repair(&game.g, 0, game.s.hand[i], 3)
        game_pass(&game, direction)
    game_start(&game)
    seats, cards, masks = [], [], []
    while game.s.count < 52:
        m = legal(&game.rules, &game.s, game.s.hand[seat_to_move(&game.s)])
        card = random_card(&game, m)
        seats.append(seat_to_move(&game.s))
        cards.append(lane_index(card))
        masks.append(from_lanes(m))
        game_play(&game, card)
    cdef int8_t points[4]
    score(game.s.tally, flags, points)
    passed = tuple([from_lanes(game.passed[i]) for i in range(4)])
    return hands, passed, seats, cards, masks, (points[0], points[1], points[2], points[3])
