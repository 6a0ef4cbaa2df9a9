# Whole rounds among built-in players.
#
# It uses Control, search.pxi, players.pxi, random.pxi and core.pxi, and of hearts.pyx the names of hearts.round and
# hearts.rules.

cdef extern from "simd/hearts_avx512.h" nogil:
    int vectors "gch_vectors"() noexcept
    int64_t random_vectors "gch_random_rounds"(
        int8_t* points, int64_t rounds, uint64_t first, const Rules* rules, uint64_t key, const unsigned char* cycle,
        uint64_t period) noexcept

cdef bint HAS_VECTORS = vectors() != 0


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


def run(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, tuple specs, bytes passing,
        Control control, int64_t[::1] decisions) -> int:
    """Play rounds first, first + 1, ... into the rows of points; return the number of finished rounds.

    passing: directions (0 to 3), repeated by round index.  decisions: four counters to add to.
    """
    cdef Round round
    cdef Spec spec[4]
    cdef Watch* watch = control.begin()
    cdef Search z
    cdef bint linear = True
    cdef int64_t done = 0, total = points.shape[0]
    cdef int64_t counts[4]
    cdef uint64_t key = stream_key(seed), work = 1
    cdef const unsigned char* cycle = passing
    cdef uint64_t period = len(passing)
    cdef int i, direction
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
            if linear:
                linear_round(&round, spec[0].weights, direction, counts)
            else:
                play_round(&round, spec, direction, counts, &z, watch)
            if watch.stop != RUNNING:
                break
            score(round.t.tally, flags, &points[done, 0])
            done += 1
        search_close(&z)
    for i in range(4):
        decisions[i] += counts[i]
    control.end()
    return done


def has_vectors() -> bool:
    """Whether this level plays random rounds in AVX-512 vectors on this processor."""
    return HAS_VECTORS


def run_random(int8_t[:, ::1] points, uint64_t seed, uint64_t first, int flags, bytes passing, Control control,
               bint use_vectors=True) -> int:
    """``run`` for four random players: the same points, many times faster; decisions are not counted."""
    cdef Rules rules
    cdef Watch* watch = control.begin()
    cdef int64_t done = 0, total = points.shape[0], part, in_vectors = 0
    cdef uint64_t key = stream_key(seed), period = len(passing)
    cdef const unsigned char* cycle = passing
    rules_from(&rules, flags)
    use_vectors = use_vectors and HAS_VECTORS
    with nogil:
        while done < total:
            part = min(total - done, 16384)
            if spend(watch, <uint64_t>part):
                break
            if use_vectors:
                in_vectors = random_vectors(&points[done, 0], part, first + <uint64_t>done, &rules, key, cycle, period)
            if in_vectors < part:
                random_rounds(&points[done + in_vectors, 0], part - in_vectors, first + <uint64_t>(done + in_vectors),
                              &rules, key, cycle, period)
            done += part
    control.end()
    return done


def trace(uint64_t seed, uint64_t index, int flags, int direction) -> tuple:
    """A random round as a record: (hands dealt, cards passed by each seat, seats, cards, legal cards, points).

    Hands and legal cards are 52-bit; seats, cards and legal cards have 52 entries each, in the order of play.
    """
    cdef Round round
    cdef uint64_t m, card
    cdef int i
    memset(&round, 0, sizeof(Round))
    rules_from(&round.rules, flags)
    round_deal(&round, stream_key(seed), index)
    hands = tuple([from_lanes(round.t.hand[i]) for i in range(4)])
    if direction:
        for i in range(4):
            round.passed[i] = repair(&round.g, 0, round.t.hand[i], 3)
        exchange(&round, direction)
    round_start(&round)
    seats, cards, masks = [], [], []
    while round.t.count < 52:
        m = legal_cards(&round)
        card = random_card(&round, m)
        seats.append(mover(&round.t))
        cards.append(lane_index(card))
        masks.append(from_lanes(m))
        round_play(&round, card)
    cdef int8_t points[4]
    score(round.t.tally, flags, points)
    passed = tuple([from_lanes(round.passed[i]) for i in range(4)])
    return hands, passed, seats, cards, masks, (points[0], points[1], points[2], points[3])
