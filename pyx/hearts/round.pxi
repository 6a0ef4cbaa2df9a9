# Core: one round as Python drives it (gamecore.hearts.Round is its validated face).

cdef void spec_from(Spec* spec, tuple numbers):
    spec.kind, spec.playouts, spec.policy, spec.epsilon, spec.infer, spec.solve_at = numbers


@final
cdef class Core:
    """A round in play; cards are indices from 0 to 51 and 52-bit hands."""

    cdef Game game

    def __init__(self, int flags, hands, int direction=0):
        """A round with these four hands (52-bit), before anybody has passed."""
        memset(&self.game, 0, sizeof(Game))
        rules_from(&self.game.rules, flags)
        for i in range(4):
            self.game.s.hand[i] = to_lanes(hands[i])
        self.game.direction = direction
        stream_start(&self.game.g, 0, 0)

    @staticmethod
    def deal(int flags, uint64_t seed, uint64_t index) -> Core:
        """The round that a simulation with this seed plays at this index, before anybody has passed."""
        cdef Core core = Core.__new__(Core)
        memset(&core.game, 0, sizeof(Game))
        rules_from(&core.game.rules, flags)
        game_deal(&core.game, stream_key(seed), index)
        return core

    @staticmethod
    def from_view(int flags, int seat, uint64_t hand, int leader, bytes order, int direction, uint64_t passed) -> Core:
        """What a seat has seen: its hand now, the first leader, every card played, and what it passed on."""
        cdef Core core = Core.__new__(Core)
        cdef int index
        memset(&core.game, 0, sizeof(Game))
        rules_from(&core.game.rules, flags)
        core.game.direction = direction
        core.game.passed[seat] = to_lanes(passed)
        core.game.first_leader = core.game.s.leader = leader
        for index in order:
            game_play(&core.game, lane_card(index))
        core.game.s.hand[seat] = to_lanes(hand)
        return core

    def copy(self) -> Core:
        """An independent round in the same state."""
        cdef Core core = Core.__new__(Core)
        core.game = self.game
        return core

    def hands(self) -> tuple:
        """The four hands, 52-bit."""
        return tuple([from_lanes(self.game.s.hand[i]) for i in range(4)])

    def hand(self, int seat) -> int:
        """One hand."""
        return from_lanes(self.game.s.hand[seat])

    def pass_choice(self, int seat, tuple spec, int direction) -> int:
        """What the built-in player would pass on from this seat (a random one draws from the round's stream)."""
        cdef Spec numbers
        cdef Watch watch
        cdef uint64_t cards
        spec_from(&numbers, spec)
        watch_open(&watch); watch_start(&watch, -1.0, 0)
        with nogil:
            cards = choose_pass(&self.game, &numbers, seat, direction, &watch)
        if watch.stop == INTERRUPTED:
            raise_pending()
        return from_lanes(cards)

    def pass_on(self, passed, int direction) -> None:
        """Hand the four sets of cards on."""
        for i in range(4):
            self.game.passed[i] = to_lanes(passed[i])
        game_pass(&self.game, direction)

    def start(self) -> int:
        """Begin play; the leader's seat."""
        game_start(&self.game)
        return self.game.s.leader

    def to_move(self) -> int:
        """The seat to move (meaningless when all cards are out)."""
        return seat_to_move(&self.game.s)

    def count(self) -> int:
        """Cards played."""
        return self.game.s.count

    def legal(self) -> int:
        """The legal cards of the seat to move, 52-bit."""
        return from_lanes(legal(&self.game.rules, &self.game.s, self.game.s.hand[seat_to_move(&self.game.s)]))

    def play(self, int index) -> None:
        """Play a card that is legal."""
        game_play(&self.game, lane_card(index))

    def choose(self, tuple spec) -> int:
        """The card that a built-in player plays here."""
        cdef Spec numbers
        cdef Watch watch
        cdef uint64_t m, card
        cdef Solver z
        spec_from(&numbers, spec)
        watch_open(&watch); watch_start(&watch, -1.0, 0)
        if not solver_open(&z, &self.game.rules, TABLE_ENTRIES if numbers.kind == SOLVER else 1, &watch):
            raise MemoryError
        with nogil:
            m = legal(&self.game.rules, &self.game.s, self.game.s.hand[seat_to_move(&self.game.s)])
            card = choose(&self.game, &numbers, m, &z, &watch)
            solver_close(&z)
        if watch.stop == INTERRUPTED:
            raise_pending()
        return lane_index(card)

    def possible(self, int seat) -> bool:
        """Whether any deal of the unseen cards agrees with all that this seat has seen."""
        cdef Unseen unseen
        cdef State view
        cdef uint64_t known[4]
        cdef int i, cards = 0
        view_of(&self.game, seat, &view)
        known_to(&self.game, seat, known)
        unseen_start(&unseen, &view, seat, &self.game.seen, known)
        for i in range(3):
            if unseen.need[i] < 0:
                return False
            cards += unseen.need[i]
        if cards != popcount(unseen.pool):
            return False
        return not unseen.constrained or unseen.ways[0][unseen.need[0]][unseen.need[1]] > 0.0

    def luck(self) -> tuple:
        """Where the random streams of the round stand: all that hands and cards do not say."""
        return (self.game.key, self.game.index, self.game.g.a, self.game.g.b, self.game.half[0], self.game.half[1])

    def set_luck(self, luck) -> None:
        """Put the streams where ``luck`` said they stood."""
        self.game.key, self.game.index, self.game.g.a, self.game.g.b, self.game.half[0], self.game.half[1] = luck

    def tally(self) -> int:
        """Points, tricks and jack so far: byte s the points of seat s, byte 4 + s its tricks, + 128 for the jack."""
        return self.game.s.tally

    def score(self) -> tuple:
        """Points of the four seats, as the rules count them at the end."""
        cdef int8_t points[4]
        score(self.game.s.tally, self.game.rules.flags, points)
        return points[0], points[1], points[2], points[3]

    def barred(self) -> tuple:
        """For every seat the cards (52-bit) that its play has shown it not to hold."""
        return tuple([from_lanes(self.game.seen.cannot[i] & ~self.game.s.played) for i in range(4)])

    def worlds(self, int seat, int count, uint64_t seed, int infer=0, int policy=1) -> list:
        """Determinizations for a seat: for each the four hands, 52-bit; infer: steps of the chain between two."""
        cdef Stream g
        cdef Unseen unseen
        cdef State world
        cdef uint64_t known[4]
        cdef Chain chain
        cdef int i, _j
        view_of(&self.game, seat, &world)
        known_to(&self.game, seat, known)
        unseen_start(&unseen, &world, seat, &self.game.seen, known)
        stream_start(&g, stream_key(seed), 0)
        out = []
        if infer:
            chain_start(&chain, &self.game, seat, policy, &unseen, &g, &world)
        for i in range(count):
            if infer:
                for _j in range(infer):
                    chain_step(&chain, &self.game, &unseen, &g, &world)
            else:
                unseen_deal(&unseen, &g, &world)
            out.append((from_lanes(world.hand[0]), from_lanes(world.hand[1]),
                        from_lanes(world.hand[2]), from_lanes(world.hand[3])))
        return out

    def evaluate(self, int seat, tuple spec, uint64_t seed, double seconds=-1.0) -> list:
        """(card, sum of points, sum of squares, playouts) for each legal card of the seat, which is to move."""
        cdef Spec numbers
        cdef Watch watch
        cdef State view
        cdef Stream g
        cdef Unseen unseen
        cdef Estimate e
        cdef Solver z
        cdef uint64_t known[4]
        cdef uint64_t m
        cdef int i
        spec_from(&numbers, spec)
        watch_open(&watch); watch_start(&watch, seconds, 0)
        if not solver_open(&z, &self.game.rules, TABLE_ENTRIES if numbers.kind == SOLVER else 1, &watch):
            raise MemoryError
        with nogil:
            view_of(&self.game, seat, &view)
            known_to(&self.game, seat, known)
            unseen_start(&unseen, &view, seat, &self.game.seen, known)
            stream_start(&g, stream_key(seed), 0)
            m = legal(&self.game.rules, &view, view.hand[seat])
            estimate(&self.game, &view, &unseen, seat, m, &numbers, &g, &e, &z, &watch)
            solver_close(&z)
        if watch.stop == INTERRUPTED:
            raise_pending()
        return [(lane_index(e.card[i]), e.total[i], e.square[i], e.playouts) for i in range(e.cards)]


@final
cdef class Stopper:
    """Ends a ``solve`` that runs in another thread, as a limit would; for one solve at a time."""

    cdef Watch* watch              # of the solve that is on; looked at with the GIL

    def __cinit__(self):
        self.watch = NULL

    def stop(self) -> None:
        """Ask it to end."""
        if self.watch != NULL:
            store_flag(&self.watch.asked, 1)


def solve(Core core, double seconds, uint64_t nodes, uint64_t entries, bint want_max_n, bint want_paranoid,
          Stopper stopper=None) -> tuple:
    """Perfect information for the seat to move: (rows, nodes, stopped); a row a legal card.

    A row is (card, the four final points by max^n or None, paranoid lower and upper bound for the seat or None twice).
    entries: of the table, a power of two.  Raises MemoryError when there is none for the table.
    """
    cdef Solver z
    cdef Watch watch
    cdef State t
    cdef int8_t value[4]
    cdef int lower, upper
    cdef int seat = seat_to_move(&core.game.s)
    cdef uint64_t m = legal(&core.game.rules, &core.game.s, core.game.s.hand[seat]), card
    if not solver_open(&z, &core.game.rules, entries, &watch):
        raise MemoryError
    z.me = seat
    watch_open(&watch); watch_start(&watch, seconds, nodes)
    rows = []
    if stopper is not None:
        stopper.watch = &watch
    try:
        while m:
            card = m & (0 - m)
            m ^= card
            t = core.game.s
            play(&t, card)
            vector = bounds = None
            if want_max_n and watch.stop == RUNNING:
                with nogil:
                    max_n(&z, &t, value)
                if watch.stop == RUNNING:
                    vector = (value[0], value[1], value[2], value[3])
            if want_paranoid:
                with nogil:
                    paranoid_bounds(&z, &t, &lower, &upper)
                bounds = (lower, upper)
            if watch.stop == INTERRUPTED:
                raise_pending()
            rows.append((lane_index(card), vector, bounds))
    finally:
        if stopper is not None:
            stopper.watch = NULL
        solver_close(&z)
    return rows, watch.nodes, watch.stop != RUNNING
