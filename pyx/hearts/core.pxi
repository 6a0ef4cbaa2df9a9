# Core: one round, driven from Python by gamecore.hearts.Round.
#
# It uses Control, search.pxi, beliefs.pxi and players.pxi, and of hearts.pyx the names of hearts.round, .rules,
# .determinize and .linear.

cdef int spec_from(Spec* spec, tuple numbers) except -1:
    # Six numbers; for learned players also nanoseconds, both models' weights (one int8 array) and whether to pass
    # without playouts. InternalError for a player or a policy that is not in the kernel.
    cdef const int8_t[::1] weights
    cdef bint plain = len(numbers) > 8 and numbers[8]
    spec.kind, spec.playouts, spec.policy, spec.epsilon, spec.infer, spec.solve_at = numbers[:6]
    if spec.policy not in (RANDOM, LINEAR) and not has_arm(spec.policy):
        raise InternalError(f"policy {spec.policy}: the kernel has no such policy")
    spec.by_policy = has_arm(spec.kind)
    if not spec.by_policy and spec.kind not in (
        RANDOM, INTELLIGENT, LITERAL, PLAYOUTS, SOLVER, LINEAR, SEARCH, ISMCTS
    ):
        raise InternalError(f"player {spec.kind}: the kernel has no such player")
    spec.nanoseconds = 0
    spec.weights = spec.behaviour = NULL
    if len(numbers) > 6:
        spec.nanoseconds = numbers[6]
        weights = numbers[7]
        if weights.shape[0] != 2 * WEIGHTS:
            raise ValueError(f"weights must be {2 * WEIGHTS} numbers, not {weights.shape[0]}")
        spec.weights = &weights[0]
        spec.behaviour = &weights[WEIGHTS]
    elif spec.kind == LINEAR or spec.kind == SEARCH or spec.policy == LINEAR or spec.infer:
        raise ValueError("a learned player needs weights")
    spec.passing = passing_of(spec, plain)
    return 0


cdef Passing passing_of(const Spec* spec, bint plain) noexcept:
    # How a player passes cards; plain: without playouts.
    if spec.kind == RANDOM or spec.kind == INTELLIGENT:
        return BY_CHANCE
    if spec.kind == LITERAL:
        return BY_ORDER
    if spec.kind == SEARCH or spec.kind == ISMCTS:
        return BY_DANGER if plain else BY_STAGES
    if spec.kind == PLAYOUTS or spec.kind == SOLVER:
        return BY_STAGES if spec.policy == LINEAR and not plain else BY_PLAYOUTS
    return BY_DANGER


cdef void skip_words(Stream* g, int words) noexcept nogil:
    cdef int _i
    for _i in range(words):
        stream_next(g)


cdef uint64_t legal_cards(const Round* round) noexcept nogil:
    return legal(&round.rules, &round.t, round.t.hand[mover(&round.t)])


@final
cdef class Core:
    """A round in play; cards are indices from 0 to 51 and 52-bit hands.

    Args:
        flags: rules of play and scoring, as bits.
        hands: the four hands before the pass; None: dealt from the stream.
        seed, index: of the stream.
    """

    cdef Round round

    def __cinit__(self, int flags, hands=None, uint64_t seed=0, uint64_t index=0):
        memset(&self.round, 0, sizeof(Round))
        rules_from(&self.round.rules, flags)
        round_deal(&self.round, stream_key(seed), index)
        if hands is not None:
            for i in range(4):
                self.round.t.hand[i] = to_lanes(hands[i])

    @staticmethod
    def from_view(int flags, int seat, uint64_t hand, int leader, bytes order, int direction, uint64_t passed,
                  uint64_t received=0) -> Core:
        """A round from one seat's view: its current hand, the first leader, played, passed and received cards."""
        cdef Core core = Core(flags, (0, 0, 0, 0))
        cdef int index
        core.round.direction = direction
        core.round.passed[seat] = to_lanes(passed)
        if direction:
            core.round.passed[(seat - direction) & 3] = to_lanes(received)
        core.round.first_leader = leader
        start(&core.round.t, leader)
        for index in order:
            round_play(&core.round, lane_card(index))
        core.round.t.hand[seat] = to_lanes(hand)
        return core

    def copy(self) -> Core:
        """An independent round in the same state."""
        cdef Core core = Core.__new__(Core, 0)
        core.round = self.round
        return core

    def hands(self) -> tuple:
        """The four hands, 52-bit."""
        return tuple([from_lanes(self.round.t.hand[i]) for i in range(4)])

    def hand(self, int seat) -> int:
        """One hand."""
        return from_lanes(self.round.t.hand[seat])

    def start(self, passed, int direction, int random_passes=4) -> None:
        """Pass the four sets of cards (all 0 for direction 0) and begin play.

        random_passes: number of passes that were drawn from the round's stream.
        """
        if direction:
            for i in range(4):
                self.round.passed[i] = to_lanes(passed[i])
            exchange(&self.round, direction)
            skip_words(&self.round.g, PASS_WORDS * random_passes)
        round_start(&self.round)

    def to_move(self) -> int:
        """The seat to move; at the end, the winner of the last trick."""
        return mover(&self.round.t)

    def count(self) -> int:
        """Cards played."""
        return self.round.t.count

    def legal(self) -> int:
        """The legal cards of the seat to move, 52-bit."""
        return from_lanes(legal_cards(&self.round))

    def play(self, int index, bint at_random=True) -> None:
        """Play a legal card.

        at_random: advance the round's stream as a random player's choice does, to keep later choices independent.
        """
        if at_random:
            random_card(&self.round, legal_cards(&self.round))
        round_play(&self.round, lane_card(index))

    def choose(self, tuple spec, Control control) -> int:
        """The card that a built-in player chooses; the round does not change."""
        cdef Spec numbers
        cdef Search z
        cdef Round round = self.round
        cdef Watch* watch = control.begin()
        cdef uint64_t m, card
        spec_from(&numbers, spec)
        if not players_open(&z, &round.rules, &numbers, 1, watch):
            raise MemoryError
        with nogil:
            m = legal_cards(&round)
            card = choose(&round, &numbers, m, &z, watch)
            search_close(&z)
        control.end()
        return lane_index(card)

    def choose_pass(self, int seat, tuple spec, int direction, Control control, int random_passes=-1) -> int:
        """The three cards that a built-in player passes from a seat, 52-bit; the round does not change.

        random_passes: number of earlier passes drawn from the round's stream; below 0: one per lower seat.
        """
        cdef Spec numbers
        cdef Round round = self.round
        cdef Watch* watch = control.begin()
        cdef uint64_t cards
        spec_from(&numbers, spec)
        skip_words(&round.g, PASS_WORDS * (seat if random_passes < 0 else random_passes))
        with nogil:
            cards = choose_pass(&round, &numbers, seat, direction, watch)
        control.end()
        return from_lanes(cards)

    def possible(self, int seat) -> bool:
        """Whether some deal of the unseen cards is consistent with this seat's view."""
        cdef Unseen unseen
        cdef Table view
        cdef uint64_t known[4]
        cdef int i, cards = 0
        view_of(&self.round, seat, &view)
        known_to(&self.round, seat, known)
        unseen_start(&unseen, &view, seat, &self.round.seen, known)
        for i in range(3):
            if unseen.need[i] < 0:
                return False
            cards += unseen.need[i]
        if cards != popcount(unseen.pool):
            return False
        return not unseen.constrained or unseen.ways[0][unseen.need[0]][unseen.need[1]] > 0.0

    def tally(self) -> int:
        """Points, tricks and jack so far: byte s the points of seat s, byte 4 + s its tricks, + 128 for the jack."""
        return self.round.t.tally

    def score(self) -> tuple:
        """Points of the four seats at the end of the round."""
        cdef int8_t points[4]
        score(self.round.t.tally, self.round.rules.flags, points)
        return points[0], points[1], points[2], points[3]

    def barred(self) -> tuple:
        """For each seat the unplayed cards (52-bit) that its play has shown it not to hold."""
        return tuple([from_lanes(self.round.seen.cannot[i] & ~self.round.t.played) for i in range(4)])

    def worlds(self, int seat, int count, uint64_t seed, int infer=0, const int8_t[::1] weights=None) -> list:
        """Determinizations for a seat, each as four 52-bit hands.

        infer: Metropolis steps per world, by the likelihood of the play; it needs weights.
        """
        cdef Stream g
        cdef Unseen unseen
        cdef Table world
        cdef uint64_t known[4]
        cdef Beliefs beliefs
        cdef int _i
        if infer and (weights is None or weights.shape[0] != 2 * WEIGHTS):
            raise ValueError("inference needs weights")
        view_of(&self.round, seat, &world)
        known_to(&self.round, seat, known)
        unseen_start(&unseen, &world, seat, &self.round.seen, known)
        stream_start(&g, stream_key(seed), 0)
        out = []
        if infer:
            beliefs_start(&beliefs, &self.round, seat, &weights[WEIGHTS], &unseen, &g, &world)
        for _i in range(count):
            draw_world(&beliefs, &self.round, &unseen, infer, &g, &world)
            out.append((from_lanes(world.hand[0]), from_lanes(world.hand[1]),
                        from_lanes(world.hand[2]), from_lanes(world.hand[3])))
        return out

    def evaluate(self, int seat, tuple spec, uint64_t seed, Control control) -> list:
        """(card, sum of points, sum of squares, playouts) for each legal card of the seat, which is to move.

        A search returns rows for distinct cards only.
        """
        cdef Spec numbers
        cdef Table view
        cdef Stream g
        cdef Unseen unseen
        cdef Estimate e
        cdef Search z
        cdef Watch* watch = control.begin()
        cdef uint64_t known[4]
        cdef uint64_t m
        cdef int i
        spec_from(&numbers, spec)
        if not players_open(&z, &self.round.rules, &numbers, 1, watch):
            raise MemoryError
        with nogil:
            view_of(&self.round, seat, &view)
            known_to(&self.round, seat, known)
            unseen_start(&unseen, &view, seat, &self.round.seen, known)
            stream_start(&g, stream_key(seed), 0)
            m = legal_cards(&self.round)
            judge(&self.round, &view, &unseen, seat, m, &numbers, &g, &e, &z, watch)
            search_close(&z)
        control.end()
        return [(lane_index(e.card[i]), e.total[i], e.square[i], e.count[i]) for i in range(e.cards)]
