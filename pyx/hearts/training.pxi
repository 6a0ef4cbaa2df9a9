# Training: judged decisions as samples, their rows of weights, and the three forms of the policy for comparison.
#
# It uses Control, search.pxi, players.pxi and core.pxi, and of hearts.pyx the names of hearts.round and hearts.rules.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from common.bits cimport ctz, mix64, popcount
from hearts.linear cimport (
    DISCARD, LEAD, LINEAR_VECTORS, LINEAR_WIDE, MOST_ROWS, NOISES, WEIGHTS, Context, best_by, context_of, noises,
    silence
)
from hearts.rules cimport LANE
from hearts.table cimport Table, mover, table_of

cdef struct Sample:
    # A decision: the table in its seat's view, and the estimated points of each of its cards.
    uint64_t hand
    uint64_t legal
    uint64_t first
    uint64_t best
    uint64_t cards
    uint64_t played
    int32_t voids
    int8_t leader
    int8_t winner
    int8_t n
    int8_t count
    int8_t owner
    int8_t owned
    uint8_t cards_judged
    uint8_t card[13]               # places in a word
    float points[13]


def sample_bytes() -> int:
    """Bytes of a sample."""
    return sizeof(Sample)


def linear_layout() -> tuple:
    """(weights of a model, where leading and discarding begin, weights that 1 is stored as, levels of vectors)."""
    return WEIGHTS, LEAD, DISCARD, SCALE, LINEAR_VECTORS + LINEAR_WIDE


cdef void take_sample(Sample* out, const Table* t, int seat, uint64_t m, const Estimate* e) noexcept nogil:
    cdef int i
    memset(out, 0, sizeof(Sample))
    out.hand = t.hand[seat]
    out.legal = m
    out.first, out.best, out.cards, out.played = t.first, t.best, t.cards, t.played
    out.voids = t.voids
    out.leader, out.winner, out.n, out.count = <int8_t>t.leader, <int8_t>t.winner, <int8_t>t.n, <int8_t>t.count
    out.owner, out.owned = <int8_t>t.owner, <int8_t>t.owned
    out.cards_judged = <uint8_t>e.cards
    for i in range(e.cards):
        out.card[i] = <uint8_t>ctz(e.card[i])
        out.points[i] = <float>(e.total[i] / e.count[i])


cdef void table_from(const Sample* x, Table* t) noexcept nogil:
    memset(t, 0, sizeof(Table))
    t.first, t.best, t.cards, t.played = x.first, x.best, x.cards, x.played
    t.voids, t.leader, t.winner, t.n, t.count, t.owner, t.owned = (
        x.voids, x.leader, x.winner, x.n, x.count, x.owner, x.owned)
    t.hand[mover(t)] = x.hand


cdef int judged_round(
    Round* round, const Spec* judging, const Spec* mix, int kinds, uint32_t explore, Sample* out, Search* z,
    Watch* watch
) noexcept nogil:
    # A round after the pass: each seat plays the judge's best cards or, with chance 1/2, is one of the mix; sometimes a
    # random card.  Every decision is judged; returns their number.
    cdef Stream choices, g
    cdef Table t
    cdef State view
    cdef Unseen unseen
    cdef Estimate e
    cdef uint64_t known[4]
    cdef uint64_t m, card, word
    cdef uint32_t half
    cdef int who[4]
    cdef int seat, found = 0
    stream_start(&choices, mix64(round.key + 77), round.index)
    for seat in range(4):
        word = stream_next(&choices)
        half = <uint32_t>word
        who[seat] = -1 if word >> 63 or not kinds else <int>bounded(&half, <uint32_t>kinds)
    while round.s.count < 48:
        seat = seat_to_move(&round.s)
        m = card = legal(&round.rules, &round.s, round.s.hand[seat])
        if m & (m - 1):
            view_of(round, seat, &view)
            known_to(round, seat, known)
            unseen_start(&unseen, &view, seat, &round.seen, known)
            stream_start(&g, mix64(round.key + 99 + <uint64_t>round.s.count), round.index)
            if judging.policy == LINEAR:
                learned_estimate(
                    round, &view, &unseen, seat, distinct(z, &view, m), judging, False, &g, &e, z, watch)
            else:
                estimate(round, &view, &unseen, seat, distinct(z, &view, m), judging, &g, &e, z, watch)
            if watch.stop != RUNNING:
                return found
            if e.cards > 1:
                table_of(round, &t)
                take_sample(&out[found], &t, seat, m, &e)
                found += 1
            card = best_estimate(&e)
            if who[seat] >= 0:
                card = choose(round, &mix[who[seat]], m, z, watch)
            word = stream_next(&choices)
            if <uint32_t>word < explore:
                half = <uint32_t>(word >> 32)
                card = pick(m, &half)
        round_play(round, card)
    return found


def judged_rounds(uint8_t[:, ::1] out, uint64_t seed, uint64_t first, int64_t rounds, int flags, bytes passing,
                  tuple judging, tuple mix, double explore, Control control) -> int:
    """Play rounds and judge all decisions; return the number of samples in out (at most 48 per round).

    judging: the player (mc, pimc or search) whose playouts judge; mix: the players in half of the seats.
    """
    cdef Spec judge_spec
    cdef Spec spec[8]
    cdef Round round
    cdef Search z
    cdef Watch* watch = control.begin()
    cdef int64_t found = 0, i
    cdef int kinds = len(mix), direction, k
    cdef uint32_t chance = <uint32_t>(explore * 4294967295.0)
    cdef uint64_t key = stream_key(seed)
    cdef const unsigned char* cycle = passing
    cdef uint64_t period = len(passing)
    if out.shape[1] != sizeof(Sample) or out.shape[0] < 48 * rounds or kinds > 8:
        raise ValueError("samples do not fit")
    spec_from(&judge_spec, judging)
    for k in range(kinds):
        spec_from(&spec[k], mix[k])
    memset(&round, 0, sizeof(Round))
    rules_from(&round.rules, flags)
    if not search_open(&z, &round.rules, TABLE_ENTRIES, 0, watch):
        raise MemoryError
    with nogil:
        for i in range(rounds):
            round_deal(&round, key, first + <uint64_t>i)
            direction = cycle[(first + <uint64_t>i) % period]
            if direction:
                for k in range(4):
                    round.passed[k] = danger_pass(round.s.hand[k], 3)
                exchange(&round, direction)
            round_start(&round)
            found += judged_round(&round, &judge_spec, spec, kinds, chance, <Sample*>&out[found, 0], &z, watch)
            if watch.stop != RUNNING:
                break
        search_close(&z)
    control.end()
    return found


def rows_of(const uint8_t[:, ::1] samples, int32_t[:, ::1] out, int32_t[::1] sizes, float[::1] points) -> int:
    """The weights that each judged card of samples adds up: how many cards.

    out: (cards, MOST_ROWS + 2) int32, a row a card: where its weights stand, then WEIGHTS for none; sizes: cards of
    each sample; points: of each card.
    """
    cdef Table t
    cdef Context c
    cdef const Sample* x
    cdef int64_t s, at = 0
    cdef int i, k, place, suit, below, base
    cdef uint64_t unseen
    if samples.shape[1] != sizeof(Sample) or out.shape[1] != MOST_ROWS + 2:
        raise ValueError("samples do not fit")
    with nogil:
        for s in range(samples.shape[0]):
            x = <const Sample*>&samples[s, 0]
            table_from(x, &t)
            context_of(&t, mover(&t), x.hand, x.legal, &c)
            sizes[s] = x.cards_judged
            for i in range(x.cards_judged):
                place = x.card[i]
                suit = place & 48
                base = suit if c.led < 0 else 0
                unseen = c.unseen & (LANE << suit)
                below = popcount(unseen & ((<uint64_t>1 << place) - 1))
                for k in range(c.rows):
                    out[at, k] = c.row[k] + (place if c.led < 0 else place & 15)
                out[at, c.rows] = c.below + base + below
                out[at, c.rows + 1] = c.above + base + popcount(unseen) - below
                for k in range(c.rows + 2, MOST_ROWS + 2):
                    out[at, k] = WEIGHTS
                points[at] = x.points[i]
                at += 1
    return at


def linear_forms(const int8_t[::1] weights, const uint8_t[:, ::1] samples, int form, int noise=-1) -> tuple:
    """(best card, scores of the legal cards) of each sample, by place, in a form: 0 scalar, 1 AVX2, 2 AVX-512.

    noise: where the noise begins in its table; below 0: none.
    """
    cdef Table t
    cdef Context c
    cdef const Sample* x
    cdef int16_t scores[64]
    cdef int64_t s
    cdef uint64_t m
    cdef const int8_t* added = noises + noise % NOISES if noise >= 0 else silence
    if weights.shape[0] < WEIGHTS or samples.shape[1] != sizeof(Sample):
        raise ValueError("samples do not fit")
    best, found = [], []
    for s in range(samples.shape[0]):
        x = <const Sample*>&samples[s, 0]
        table_from(x, &t)
        context_of(&t, mover(&t), x.hand, x.legal, &c)
        best.append(ctz(best_by(form, &weights[0], &c, x.legal, added, scores)))
        m = x.legal
        while m:
            found.append(scores[ctz(m)])
            m &= m - 1
    return best, found
