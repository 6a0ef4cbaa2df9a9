# Whole rounds among built-in players.
#
# It uses Control, search.pxi, players.pxi, random.pxi and core.pxi, and of hearts.pyx the names of hearts.round and
# hearts.rules.

cdef extern from "simd/hearts_avx512.h" nogil:
    int vectors "gch_vectors"() noexcept
    int64_t random_vectors "gch_random_rounds"(
        int8_t* points, int64_t rounds, uint64_t first, const Rules* rules, uint64_t key, const unsigned char* cycle,
        uint64_t period, Played* log) noexcept

cdef bint HAS_VECTORS = vectors() != 0

cdef enum:
    AT_ONCE = 128                  # rounds of random players that are recorded together: they stay in the first cache


cdef void play_round(Round* round, const Spec* specs, int direction, int64_t* decisions, Search* z,
                     Watch* watch) noexcept nogil:
    # Play a dealt round from the pass to the last card.
    cdef uint64_t m, card
    cdef int seat
    if direction:
        for seat in range(4):
            round.passed[seat] = choose_pass(round, &specs[seat], seat, direction, watch)
        exchange(round, direction)
    round_start(round)
    while round.t.count < 52:
        seat = mover(&round.t)
        m = legal(&round.rules, &round.t, round.t.hand[seat])
        decisions[seat] += (m & (m - 1)) != 0
        card = choose(round, &specs[seat], m, z, watch)
        if watch.stop != RUNNING:
            return
        round_play(round, card)


cdef void linear_round(Round* round, const int8_t* weights, int direction, int64_t* decisions) noexcept nogil:
    # play_round for four `linear` with equal weights: the same cards, faster.
    cdef int i
    if direction:
        for i in range(4):
            round.passed[i] = danger_pass(round.t.hand[i], 3)
        exchange(round, direction)
    start(&round.t, holder(round.t.hand))
    linear_rest(&round.rules, weights, &round.t, decisions)


cdef int record_in(Record* record, tuple arrays) except -1:
    # Record into these arrays from their first row on; with deals NULL, nothing is recorded.
    cdef uint64_t[:, ::1] deals, passes
    cdef uint8_t[:, ::1] cards, seats
    record.deals = NULL
    if arrays is not None and len(arrays[0]):
        deals, passes, cards, seats = arrays
        record.deals, record.passes = &deals[0, 0], &passes[0, 0]
        record.cards, record.seats = &cards[0, 0], &seats[0, 0]
    return 0


def run(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, tuple specs, bytes passing,
        Control control, int64_t[::1] decisions, tuple log=None) -> int:
    """Play rounds first, first + 1, ... into the rows of points; return the number of finished rounds.

    passing: directions (0 to 3), repeated by round index.  decisions: four counters to add to.  log: arrays of a
    Record to fill.
    """
    cdef Round round
    cdef Spec spec[4]
    cdef Watch* watch = control.begin()
    cdef Search z
    cdef bint linear = log is None
    cdef int64_t done = 0, total = points.shape[0]
    cdef int64_t counts[4]
    cdef uint64_t key = stream_key(seed), work = 1
    cdef const unsigned char* cycle = passing
    cdef uint64_t period = len(passing)
    cdef int i, direction
    cdef Played played
    cdef Record record
    record_in(&record, log)
    for i in range(4):
        spec_from(&spec[i], specs[i])
        if spec[i].kind == INTELLIGENT:
            work = 64              # it does not count its playouts
        counts[i] = 0
        linear = linear and spec[i].kind == LINEAR and spec[i].weights == spec[0].weights
    memset(&round, 0, sizeof(Round))
    rules_from(&round.rules, flags)
    if not players_open(&z, &round.rules, spec, 4, watch):
        raise MemoryError
    with nogil:
        while done < total and not spend(watch, work):
            round_deal(&round, key, first + <uint64_t>done)
            direction = cycle[(first + <uint64_t>done) % period]
            played.dealt = round.t.hand
            if linear:
                linear_round(&round, spec[0].weights, direction, counts)
            else:
                play_round(&round, spec, direction, counts, &z, watch)
            if watch.stop != RUNNING:
                break
            score(round.t.tally, flags, &points[done, 0])
            done += 1
            if record.deals != NULL:
                played.passed = round.passed
                log_plays(&played, round.order, <uint32_t>round.first_leader)
                append(&record, &played, 1)
        search_close(&z)
    for i in range(4):
        decisions[i] += counts[i]
    control.end()
    return done


def has_vectors() -> bool:
    """Whether this level plays random rounds in AVX-512 vectors on this processor."""
    return HAS_VECTORS


def run_random(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, bytes passing, Control control,
               bint use_vectors=True, tuple log=None) -> int:
    """``run`` for four random players: the same points, many times faster; decisions are not counted."""
    cdef Rules rules
    cdef Watch* watch = control.begin()
    cdef int64_t done = 0, total = points.shape[0], part, in_vectors = 0
    cdef uint64_t key = stream_key(seed), period = len(passing)
    cdef const unsigned char* cycle = passing
    cdef Played played[AT_ONCE]
    cdef Played* rows = NULL
    cdef Record record
    record_in(&record, log)
    if record.deals != NULL:
        rows = played
    rules_from(&rules, flags)
    use_vectors = use_vectors and HAS_VECTORS
    with nogil:
        while done < total:
            part = min(total - done, 16384 if rows == NULL else AT_ONCE)
            if spend(watch, <uint64_t>part):
                break
            if use_vectors:
                in_vectors = random_vectors(&points[done, 0], part, first + <uint64_t>done, &rules, key, cycle, period,
                                            rows)
            if in_vectors < part:
                random_rounds(&points[done + in_vectors, 0], part - in_vectors, first + <uint64_t>(done + in_vectors),
                              &rules, key, cycle, period, NULL if rows == NULL else rows + in_vectors)
            if rows != NULL:
                append(&record, rows, part)
            done += part
    control.end()
    return done
