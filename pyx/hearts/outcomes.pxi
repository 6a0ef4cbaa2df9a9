# Outcomes: points of all four seats in every playout, for players that use more than their own mean.
#
# It uses Control, beliefs.pxi, learned.pxi, players.pxi and core.pxi, and of hearts.pyx the names of hearts.determinize
# and hearts.round.

cdef int64_t play_outcomes(const Round* round, const State* view, const Unseen* unseen, int me, const uint64_t* card,
                           const Spec* spec, Stream* g, int8_t[:, :, ::1] out, Watch* watch) noexcept nogil:
    # Points of all seats after each card, over the same worlds; returns the number of worlds played out.
    cdef const Rules* r = &round.rules
    cdef State world = view[0], s
    cdef Table base, t
    cdef Beliefs beliefs
    cdef int types[4]
    cdef int64_t j
    cdef int i, _k
    cdef bint learned = spec.policy == LINEAR
    cdef bint infers = spec.infer != 0 and view.count != 0
    cdef uint64_t stakes = stakes_of(r)
    table_of(round, &base)
    for i in range(4):
        types[i] = BY_WEIGHTS
    if infers:
        beliefs_start(&beliefs, round, me, LINEAR, spec.behaviour, unseen, g, &world)
    for j in range(out.shape[0]):
        if infers:
            for _k in range(spec.infer):
                beliefs_step(&beliefs, round, unseen, g, &world)
            for i in range(4):
                types[i] = BY_WEIGHTS if i == me else type_of(&beliefs, i, g)
        else:
            unseen_deal(unseen, g, &world)
        for i in range(<int>out.shape[1]):
            if tick(watch):
                return j
            if learned:
                t = base
                t.hand[0], t.hand[1], t.hand[2], t.hand[3] = world.hand[0], world.hand[1], world.hand[2], world.hand[3]
                table_play(&t, card[i])
                linear_playout(r, spec.weights, &t, types, stakes, g)
                score(t.tally, r.flags, &out[j, i, 0])
            else:
                s = world
                play(&s, card[i])
                playout(r, &s, spec.policy, spec.epsilon, g)
                score(s.tally, r.flags, &out[j, i, 0])
    return out.shape[0]


def outcomes(Core core, int seat, tuple spec, uint64_t seed, int8_t[:, :, ::1] out, Control control) -> int:
    """Play worlds out after each legal card of the seat to move; return the number of worlds played out.

    out: (worlds, cards, 4): final points of the seats; cards by suit in C D S H, each from its lowest.
    """
    cdef Spec numbers
    cdef State view
    cdef Stream g
    cdef Unseen unseen
    cdef Watch* watch = control.begin()
    cdef uint64_t known[4]
    cdef uint64_t card[13]
    cdef uint64_t m = legal_cards(&core.round)
    cdef int64_t done
    cdef int i
    spec_from(&numbers, spec)
    if out.shape[1] != popcount(m) or out.shape[2] != 4:
        raise ValueError("out does not have the shape of the legal cards")
    for i in range(<int>out.shape[1]):
        card[i] = m & (0 - m)
        m &= m - 1
    with nogil:
        view_of(&core.round, seat, &view)
        known_to(&core.round, seat, known)
        unseen_start(&unseen, &view, seat, &core.round.seen, known)
        stream_start(&g, stream_key(seed), 0)
        done = play_outcomes(&core.round, &view, &unseen, seat, card, &numbers, &g, out, watch)
    control.end()
    return done
