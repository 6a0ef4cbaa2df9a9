"""Vectorised Hearts environments: arrays of observations, legal cards and rewards.

gamecore.hearts._env validates and documents the arrays.  Rounds follow hearts/round.pxd: round i is the same as in the
kernel `hearts`.
"""
from cython cimport final, pymutex
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from common.bits cimport popcount
from common.rng cimport stream_key
from hearts.linear cimport WEIGHTS, linear_card, linear_start, silence
from hearts.policy cimport LINEAR, RANDOM, danger_pass, policy_card
from hearts.round cimport Round, exchange, random_card, round_deal, round_play, round_start
from hearts.rules cimport hearts_broken, legal, repair, rules_from, score, seat_to_move
from hearts.table cimport Table, table_play, table_start

cdef enum:
    VERSION = 1                    # of the observation's columns
    CARDS = 52                     # columns of a plane: C D S H, each from its 2
    PLANES = 13
    NUMBERS = 16                   # after the planes
    WIDTH = PLANES * CARDS + NUMBERS
    CALLER = -1                    # kind of a seat that the caller plays
    PLAYING = 4                    # passing: the pass is over

cdef struct Slot:
    Round round
    uint64_t by[4]                 # the cards that each seat has played
    uint64_t legal                 # actions of the seat to act
    uint64_t chosen                # cards that it has chosen to pass so far
    int64_t index
    int passing                    # the seat that must pass cards, or PLAYING
    bint follows                   # some seat has learned weights and needs:
    Table table                    # the round in play

cdef uint64_t SPREAD[256]          # eight bits as eight bytes of 0 or 1
cdef uint64_t CARD[CARDS]


cdef void fill_tables() noexcept:
    cdef int i, j
    cdef uint8_t each[8]
    for i in range(256):
        for j in range(8):
            each[j] = i >> j & 1
        memcpy(&SPREAD[i], each, 8)
    for i in range(CARDS):
        CARD[i] = <uint64_t>1 << (16 * (i // 13) + i % 13)


fill_tables()
linear_start()


cdef inline void write_plane(uint8_t* out, uint64_t cards) noexcept nogil:
    # 52 bytes of 0 or 1, and three more that the next plane or the numbers overwrite.
    cdef int suit
    for suit in range(4):
        memcpy(out + 13 * suit, &SPREAD[cards & 255], 8)
        memcpy(out + 13 * suit + 8, &SPREAD[cards >> 8 & 255], 8)
        cards >>= 16


cdef inline int actor(const Slot* slot) noexcept nogil:
    return slot.passing if slot.passing != PLAYING else seat_to_move(&slot.round.s)


cdef inline void put(Slot* slot, int seat, uint64_t card) noexcept nogil:
    slot.by[seat] |= card
    if slot.follows:
        table_play(&slot.table, card)
    round_play(&slot.round, card)


cdef inline void start_play(Slot* slot) noexcept nogil:
    # Begin play after the pass.
    cdef int i
    slot.passing = PLAYING
    round_start(&slot.round)
    if slot.follows:
        table_start(&slot.table, slot.round.first_leader)
        for i in range(4):
            slot.table.hand[i] = slot.round.s.hand[i]


cdef inline void pass_on(Slot* slot, uint64_t cards) noexcept nogil:
    # Pass for the current seat; after the last pass, exchange the cards and begin play.
    slot.round.passed[slot.passing] = cards
    slot.chosen = 0
    slot.passing += 1
    if slot.passing == PLAYING:
        exchange(&slot.round, slot.round.direction)
        start_play(slot)


cdef inline void answer(Slot* slot, int seat, int kind, const int8_t* weights) noexcept nogil:
    # A built-in player acts.
    cdef Round* round = &slot.round
    cdef uint64_t hand = round.s.hand[seat], m
    if slot.passing != PLAYING:
        pass_on(slot, repair(&round.g, 0, hand, 3) if kind == RANDOM else danger_pass(hand, 3))
        return
    m = legal(&round.rules, &round.s, hand)
    if kind == RANDOM:
        m = random_card(round, m)
    elif m & (m - 1):
        m = linear_card(weights, &slot.table, seat, hand, m, silence) if kind == LINEAR else policy_card(
            kind, &round.s, m)
    put(slot, seat, m)


cdef void observe(Slot* slot, uint8_t* out, uint8_t* may) noexcept nogil:
    # Write the observation and the legal cards of the seat to act; gamecore.hearts._env lists the columns.
    cdef Round* round = &slot.round
    cdef int me = actor(slot), i, seat
    cdef bint passes = slot.passing != PLAYING
    cdef uint64_t hand = round.s.hand[me], played = round.s.played
    cdef uint64_t on_table[4]
    cdef uint8_t* numbers = out + PLANES * CARDS
    cdef uint8_t room[CARDS + 3]
    slot.legal = hand & ~slot.chosen if passes else legal(&round.rules, &round.s, hand)
    write_plane(room, slot.legal)
    memcpy(may, room, CARDS)
    for i in range(4):
        on_table[i] = 0
    for i in range(round.s.n):
        on_table[(round.s.leader + i - me) & 3] = round.s.trick[i]
    write_plane(out, hand)
    for i in range(1, 4):
        write_plane(out + i * CARDS, on_table[i])
    for i in range(4):
        write_plane(out + (4 + i) * CARDS, slot.by[(me + i) & 3])
    write_plane(out + 8 * CARDS, slot.chosen if passes else round.passed[me])
    write_plane(out + 9 * CARDS, 0 if passes else round.passed[(me - round.direction) & 3])
    for i in range(1, 4):
        write_plane(out + (9 + i) * CARDS, round.seen.cannot[(me + i) & 3] & ~played)
    numbers[0] = VERSION
    numbers[1] = passes
    numbers[2] = <uint8_t>round.direction
    numbers[3] = <uint8_t>(round.s.count >> 2)
    numbers[4] = <uint8_t>(popcount(slot.chosen) if passes else round.s.n)
    numbers[5] = <uint8_t>(0 if passes else (round.s.leader - me) & 3)
    numbers[6] = hearts_broken(&round.rules, &round.s)
    numbers[7] = <uint8_t>me
    for i in range(4):
        seat = (me + i) & 3
        numbers[8 + i] = <uint8_t>(round.s.tally >> (8 * seat))
        numbers[12 + i] = <uint8_t>(round.s.tally >> (32 + 8 * seat)) & 127


def layout() -> tuple:
    """Version, planes, cards a plane, and numbers of an observation."""
    return VERSION, PLANES, CARDS, NUMBERS


@final
cdef class Env:
    """Rounds of (seed, first), (seed, first + 1), ... in ``count`` slots; slot k plays every count-th round.

    Args:
        flags: rules of play and scoring. passing: directions, repeated by round index.
        kinds: for each seat its policy, or -1 for the caller.
        weights: for each seat learned weights (int8), or None.
    """

    cdef Slot* slots
    cdef int64_t count
    cdef uint64_t key
    cdef bytes passing
    cdef const unsigned char* cycle
    cdef int64_t period
    cdef int flags
    cdef int kinds[4]
    cdef tuple kept                # references to the arrays of
    cdef const int8_t* weights[4]
    cdef bint follows
    cdef pymutex one_at_a_time     # concurrent steps would play cards that are not held

    def __cinit__(
        self, int64_t count, int flags, uint64_t seed, bytes passing, tuple kinds, tuple weights=(None,) * 4
    ):
        cdef const int8_t[::1] array
        self.slots = <Slot*>calloc(count, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError
        self.count = count
        self.flags = flags
        self.key = stream_key(seed)
        self.passing = passing
        self.cycle = passing
        self.period = len(passing)
        self.kept = weights
        self.follows = False
        for i in range(4):
            self.kinds[i] = kinds[i]
            self.weights[i] = NULL
            if kinds[i] == LINEAR:
                array = weights[i]
                if array.shape[0] < WEIGHTS:
                    raise ValueError(f"weights must be {WEIGHTS} numbers at least, not {array.shape[0]}")
                self.weights[i] = &array[0]
                self.follows = True

    def __dealloc__(self):
        free(self.slots)

    cdef void begin(self, Slot* slot, int64_t index) noexcept nogil:
        slot.index = index
        slot.chosen = 0
        memset(slot.by, 0, sizeof(slot.by))
        round_deal(&slot.round, self.key, <uint64_t>index)
        slot.round.direction = self.cycle[index % self.period]
        slot.passing = 0
        slot.follows = self.follows
        if not slot.round.direction:
            start_play(slot)

    cdef void go_on(self, Slot* slot) noexcept nogil:
        # Play to the next action of the caller, or to the end of the round.
        cdef int seat
        while slot.round.s.count < CARDS:
            seat = actor(slot)
            if self.kinds[seat] == CALLER:
                return
            answer(slot, seat, self.kinds[seat], self.weights[seat])

    def reset(self, int64_t first, uint8_t[:, ::1] observations, uint8_t[:, ::1] may, int8_t[::1] seats) -> None:
        """Begin rounds first, first + 1, ...; ``step`` documents the arrays."""
        cdef int64_t k
        with self.one_at_a_time:
            for k in range(self.count):
                rules_from(&self.slots[k].round.rules, self.flags)
                self.begin(&self.slots[k], first + k)
                self.go_on(&self.slots[k])
                observe(&self.slots[k], &observations[k, 0], &may[k, 0])
                seats[k] = <int8_t>actor(&self.slots[k])

    def step(self, const int64_t[::1] actions, uint8_t[:, ::1] observations, uint8_t[:, ::1] may,
             int8_t[:, ::1] rewards, uint8_t[::1] done, int8_t[::1] seats) -> int:
        """Take one action per slot; return -1, or the first slot with an illegal action: then nothing has changed.

        observations: (count, width) and may: (count, 52), of the seats to act, seats: (count,).
        rewards: (count, 4): minus the points of the rounds that have ended, done: (count,).
        """
        cdef int64_t bad
        with self.one_at_a_time:
            bad = self.illegal(actions)
            if bad < 0:
                self.act(actions, observations, may, rewards, done, seats)
        return bad

    cdef int64_t illegal(self, const int64_t[::1] actions) noexcept:
        # The first slot with an illegal action, or -1.
        cdef int64_t k
        for k in range(self.count):
            if not 0 <= actions[k] < CARDS or not self.slots[k].legal & CARD[actions[k]]:
                return k
        return -1

    cdef int act(self, const int64_t[::1] actions, uint8_t[:, ::1] observations, uint8_t[:, ::1] may,
                 int8_t[:, ::1] rewards, uint8_t[::1] done, int8_t[::1] seats) except -1:
        # `step` with legal actions.
        cdef int64_t k
        cdef Slot* slot
        cdef uint64_t card
        cdef int8_t points[4]
        cdef int i
        with nogil:
            for k in range(self.count):
                slot = &self.slots[k]
                card = CARD[actions[k]]
                if slot.passing == PLAYING:
                    put(slot, seat_to_move(&slot.round.s), card)
                else:
                    slot.chosen |= card
                    if popcount(slot.chosen) == 3:
                        pass_on(slot, slot.chosen)
                self.go_on(slot)
                done[k] = slot.round.s.count == CARDS
                memset(&rewards[k, 0], 0, 4)
                if done[k]:
                    score(slot.round.s.tally, self.flags, points)
                    for i in range(4):
                        rewards[k, i] = -points[i]
                    self.begin(slot, slot.index + self.count)
                    self.go_on(slot)
                observe(slot, &observations[k, 0], &may[k, 0])
                seats[k] = <int8_t>actor(slot)
        return 0

    def numbers(self, int64_t[::1] out) -> None:
        """Write the numbers of the current rounds: (count,)."""
        cdef int64_t k
        for k in range(self.count):
            out[k] = self.slots[k].index
