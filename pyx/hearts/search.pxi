# Perfect information: max^n and paranoid values of an open round, to the last card.
#
# A .pxi, not a .pxd: recursive functions declared inline are a tenth slower.
#
# max^n (Luckhardt and Irani 1986): every seat minimises its own final points; among cards equally good for it, the
# first in the order clubs, diamonds, spades, hearts and by rank.  Paranoid: one seat minimises its points, the other
# three maximise them: alpha-beta, by null windows (MTD(f)).
#
# Both tables are keyed at trick boundaries by all that affects the rest: the hands with played cards squeezed out
# (ranks are relative: "the second highest club left"), the place of the queen, the leader, whether hearts are broken,
# who can still shoot the moon and (with its bonus) who has no trick.  Values are stored less the points so far: rounds
# that differ only in the past share entries.  Squeezing keeps the order within a suit, and with it the tie-break of
# max^n; adjacent cards of one hand are one move.

cdef struct Entry:
    uint64_t key[4]                # the whole position
    int8_t value[4]                # max^n: the four values; paranoid: value[0] <= v <= value[1]
    int32_t filled

cdef struct Search:
    Rules rules
    uint64_t stakes                # cards that can change a score; all, if tricks count
    uint64_t special               # cards not interchangeable with their neighbours
    Entry* table
    uint64_t mask                  # entries - 1
    size_t size
    Node* nodes                    # of ismcts
    int64_t most_nodes
    int me                         # paranoid: the seat that minimises
    Watch* watch

cdef struct Key:
    uint64_t words[4]
    uint64_t index


cdef bint search_open(
    Search* z, const Rules* rules, uint64_t entries, int64_t nodes, Watch* watch
) noexcept nogil:
    # entries: a power of two.  False without memory.
    z.rules = rules[0]
    z.stakes = POINTS
    z.special = SQ
    if rules.flags & JACK_BONUS:
        z.stakes |= DJ
        z.special |= DJ
    if rules.flags & AVOID_BONUS:
        z.stakes = ALL
    z.mask = entries - 1
    z.size = entries * sizeof(Entry)
    z.table = <Entry*>pages_alloc(z.size)
    z.me = 0
    z.watch = watch
    z.most_nodes = nodes
    z.nodes = <Node*>pages_alloc(nodes * sizeof(Node)) if nodes else NULL
    if z.table == NULL or (nodes and z.nodes == NULL):
        search_close(z)
        return False
    return True


cdef void search_close(Search* z) noexcept nogil:
    pages_free(z.table, z.size)
    pages_free(z.nodes, z.most_nodes * sizeof(Node))
    z.table = NULL
    z.nodes = NULL


cdef inline uint64_t remaining(const Table* s) noexcept nogil:
    # Unplayed cards and the current trick's; bit 15 of each lane separates the suits.
    return (ALL & ~s.played) | s.cards | <uint64_t>0x8000800080008000


cdef inline uint64_t distinct(const Search* z, const Table* s, uint64_t m) noexcept nogil:
    # The lowest of each run of neighbours in m: the others are equivalent.
    cdef uint64_t rest, own, odd
    if not m & (m - 1):
        return m
    rest = remaining(s)
    own = extract(m, rest)
    odd = extract(z.special & rest, rest)
    return deposit(own & ~((own << 1) & ~(odd | odd << 1)), rest)


cdef inline int moon_state(const Search* z, uint64_t tally) noexcept nogil:
    # 0: nobody has points; 1 + s: only seat s; 5: nobody can shoot the moon.
    cdef int seat, found = 0
    if z.rules.flags & NO_MOON:
        return 5
    for seat in range(4):
        if tally >> (8 * seat) & 255:
            if found:
                return 5
            found = 1 + seat
    return found


cdef inline int so_far(const Search* z, const Table* s, int seat) noexcept nogil:
    # Points of the cards that a seat has taken.
    cdef int points = <int>(s.tally >> (8 * seat)) & 255
    if z.rules.flags & JACK_BONUS and s.tally >> (32 + 8 * seat) & 128:
        points -= 10
    return points


cdef inline int least(const Search* z, const Table* s, int seat) noexcept nogil:
    # A lower bound of the seat's final points.
    cdef int moon = moon_state(z, s.tally)
    cdef int bound = <int>(s.tally >> (8 * seat)) & 255
    if moon == 0 or moon == 1 + seat:
        bound = -26 if z.rules.flags & MOON_SHOOTER else 0
    if z.rules.flags & AVOID_BONUS and not s.tally >> (32 + 8 * seat) & 255:
        bound -= 5
    if z.rules.flags & JACK_BONUS and (not s.played & DJ or s.n or s.tally >> (32 + 8 * seat) & 128):
        bound -= 10
    return bound


cdef inline Key key_of(const Search* z, const Table* s, int who) noexcept nogil:
    # who: 4 for max^n, the minimising seat for paranoid.  Three hands and the suits' limits determine the fourth hand.
    # The words use 56 bits; the 14 bits of extra are stored above two of them.
    cdef Key k
    cdef uint64_t rest = remaining(s), w0, w1, w2, w3, extra
    cdef int seat
    extra = <uint64_t>(s.leader | who << 2 | moon_state(z, s.tally) << 5 | breaks_hearts(&z.rules, s.played) << 8)
    if z.rules.flags & AVOID_BONUS:
        for seat in range(4):
            if s.tally >> (32 + 8 * seat) & 255:
                extra |= <uint64_t>1 << (9 + seat)
    if rest & SQ:  # with the jack's bonus, a single special card could be either
        extra |= <uint64_t>1 << 13
    w0 = extract(s.hand[0], rest)
    w1 = extract(s.hand[1], rest)
    w2 = extract(s.hand[2], rest)
    # The fillers that part the suits, and the special cards.
    w3 = extract((z.special & rest) | <uint64_t>0x8000800080008000, rest)
    k.words[0] = w0
    k.words[1] = w1
    k.words[2] = w2 | extra >> 8 << 56
    k.words[3] = w3 | extra << 56
    k.index = mix64(w0 * <uint64_t>0x9E3779B97F4A7C15 + w1)
    k.index = mix64(k.index + k.words[2] * <uint64_t>0xC2B2AE3D27D4EB4F + k.words[3] * <uint64_t>0xD6E8FEB86659FD93)
    return k


cdef inline bint is_at(const Entry* entry, const Key* key) noexcept nogil:
    return (entry.key[0] == key.words[0] and entry.key[1] == key.words[1] and entry.key[2] == key.words[2]
            and entry.key[3] == key.words[3])


cdef void finish(Search* z, const Table* s, int8_t* out) noexcept nogil:
    # The score once no choice can change it.
    cdef Table t
    if s.count == 48:
        t = s[0]
        while t.count < 52:
            play(&t, t.hand[mover(&t)])
        score(t.tally, z.rules.flags, out)
    else:
        score(s.tally, z.rules.flags, out)


cdef void max_n(Search* z, const Table* s, int8_t* out) noexcept nogil:
    # Final points of the four seats; meaningless once the watch has stopped.
    cdef Table t
    cdef Key key
    cdef Entry* entry = NULL
    cdef int8_t value[4]
    cdef int who = mover(s), seat, bound, best = 127
    cdef uint64_t m, card
    if tick(z.watch):
        return
    if s.n == 0:
        if s.count >= 48 or not z.stakes & ~s.played:
            finish(z, s, out)
            return
        key = key_of(z, s, 4)
        entry = &z.table[key.index & z.mask]
        if entry.filled and is_at(entry, &key):
            for seat in range(4):
                out[seat] = entry.value[seat] + <int8_t>so_far(z, s, seat)
            return
    m = distinct(z, s, legal(&z.rules, s, s.hand[who]))
    bound = least(z, s, who)
    while m:
        card = m & (0 - m)
        m ^= card
        t = s[0]
        play(&t, card)
        max_n(z, &t, value)
        if z.watch.stop != RUNNING:
            return
        if value[who] < best:
            best = value[who]
            for seat in range(4):
                out[seat] = value[seat]
            if best <= bound:
                break
    if entry != NULL:
        memcpy(entry.key, key.words, sizeof(entry.key))
        entry.filled = 1
        for seat in range(4):
            entry.value[seat] = out[seat] - <int8_t>so_far(z, s, seat)


cdef inline int order_key(
    const Table* s, uint64_t m, uint64_t card, bint mine, bint me_wins
) noexcept nogil:
    # Good cards first: the minimising seat leads low, ducks high and discards points; the others load its tricks.
    cdef int rank = ctz(card) & 15
    cdef int cost = 13 if card == SQ else 1 if card & HEARTS else 0
    if s.n == 0:
        return -rank
    if not m & s.suit:
        if mine:
            return 8 * cost + rank
        return 8 * cost + rank if me_wins else rank - 8 * cost
    if mine:
        return rank if card < s.best else -rank
    return 20 + rank + 4 * cost if card < s.best and me_wins else -rank


cdef int sort_cards(const Search* z, const Table* s, uint64_t m, uint64_t* cards) noexcept nogil:
    cdef int keys[13]
    cdef int n = 0, i, k
    cdef uint64_t card
    while m:
        card = m & (0 - m)
        m ^= card
        k = order_key(s, m | card, card, mover(s) == z.me, s.winner == z.me)
        i = n
        while i and keys[i - 1] < k:
            keys[i] = keys[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        keys[i] = k
        cards[i] = card
        n += 1
    return n


cdef inline void note_bounds(Entry* entry, const Key* key, int lower, int upper) noexcept nogil:
    # Record that lower <= v <= upper, keeping what the entry knows of this position.
    if not entry.filled or not is_at(entry, key):
        memcpy(entry.key, key.words, sizeof(entry.key))
        entry.filled = 1
        entry.value[0] = -100
        entry.value[1] = 100
    entry.value[0] = <int8_t>max(lower, entry.value[0])
    entry.value[1] = <int8_t>min(upper, entry.value[1])


cdef int paranoid(Search* z, const Table* s, int alpha, int beta) noexcept nogil:
    # Final points of z.me, fail-soft: at most the value when >= beta, at least it when <= alpha.
    cdef Table t
    cdef Key key
    cdef Entry* entry = NULL
    cdef int8_t points[4]
    cdef uint64_t cards[13]
    cdef int who = mover(s), i, n, value, best, base = 0, lower, upper
    if tick(z.watch):
        return 0
    if s.n == 0:
        if s.count >= 48 or not z.stakes & ~s.played:
            finish(z, s, points)
            return points[z.me]
        lower = least(z, s, z.me)
        if lower >= beta:
            return lower
        upper = most_points(z, s)
        if upper <= alpha:
            return upper
        base = so_far(z, s, z.me)
        key = key_of(z, s, z.me)
        entry = &z.table[key.index & z.mask]
        if entry.filled and is_at(entry, &key):
            if entry.value[0] + base >= beta or entry.value[0] == entry.value[1]:
                return entry.value[0] + base
            if entry.value[1] + base <= alpha:
                return entry.value[1] + base
    n = sort_cards(z, s, distinct(z, s, legal(&z.rules, s, s.hand[who])), cards)
    best = 127 if who == z.me else -127
    lower = alpha
    upper = beta
    for i in range(n):
        t = s[0]
        play(&t, cards[i])
        value = paranoid(z, &t, lower, upper)
        if z.watch.stop != RUNNING:
            return 0
        if who == z.me:
            if value < best:
                best = value
            if best < upper:
                upper = best
        else:
            if value > best:
                best = value
            if best > lower:
                lower = best
        if lower >= upper:
            break
    if entry != NULL:
        note_bounds(entry, &key, best - base if best > alpha else -100, best - base if best < beta else 100)
    return best


cdef inline int most_points(const Search* z, const Table* s) noexcept nogil:
    # An upper bound of the final points of z.me.
    cdef uint64_t left = remaining(s) & ALL
    cdef int moon = moon_state(z, s.tally)
    cdef int bound = so_far(z, s, z.me) + popcount(left & HEARTS) + (13 if left & SQ else 0)
    if moon != 5 and moon != 1 + z.me and bound < 26:
        bound = 26
    return bound


cdef void open_bounds(const Search* z, const Table* s, int* lower, int* upper) noexcept nogil:
    # Bounds of the final points of z.me for any play.
    lower[0] = least(z, s, z.me)
    upper[0] = most_points(z, s)


cdef void paranoid_bounds(Search* z, const Table* s, int* lower, int* upper) noexcept nogil:
    # Null windows from the easier side until the bounds meet or the watch stops; what is proven stays.
    cdef int guess, window
    open_bounds(z, s, lower, upper)
    guess = lower[0]
    while lower[0] < upper[0]:
        window = guess + 1 if guess == lower[0] else guess
        guess = paranoid(z, s, window - 1, window)
        if z.watch.stop != RUNNING:
            return
        if guess < window:
            upper[0] = guess
        else:
            lower[0] = guess


cdef int max_n_line(Search* z, const Table* s, uint64_t* cards) noexcept nogil:
    # The cards of best play by max^n to the end; returns their number, too small if the watch has stopped.
    cdef Table t = s[0], child
    cdef int8_t value[4]
    cdef int who, best, count = 0
    cdef uint64_t m, card
    while t.count < 52:
        who = mover(&t)
        m = legal(&z.rules, &t, t.hand[who])
        card = m & (0 - m)
        if m != card and (t.n or z.stakes & ~t.played):
            m = distinct(z, &t, m)
            best = 127
            while m:
                child = t
                play(&child, m & (0 - m))
                max_n(z, &child, value)
                if z.watch.stop != RUNNING:
                    return count
                if value[who] < best:
                    best = value[who]
                    card = m & (0 - m)
                m &= m - 1
        play(&t, card)
        cards[count] = card
        count += 1
    return count
