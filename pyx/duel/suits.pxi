# Rename suits, so that positions that differ only by suit names share a key.
#
# This is a .pxi because its tables are filled at import.
#
# Renaming the suits of a whole state (both hands and the last card) is a symmetry: it keeps matches, ranks and points.
# So the key of any renamed state is valid.
#
# A suit's signature is a sum over the columns of random numbers, chosen by the holder of the suit's card and each
# side's number of cards of the rank.  It does not depend on suit names.  Suits are renamed in descending order of their
# signatures.  Suits of equal signatures keep their order, so that states that differ only by names may get two keys.
# This costs time but is never wrong, since both keys belong to states with the same answer.  It is rare: a key that is
# unique over all 24 orders saves another 0.2% of the nodes of random deals.
#
# One word holds four signatures of 16 bits.  Carries between them depend on names, which also only costs time.

cdef extern from "simd/duel_columns.h" nogil:
    ctypedef struct Nibbles "gc_duel_nibbles":              # a hand's suits of each rank, a byte a rank
        pass
    ctypedef struct Renaming "gc_duel_renaming":            # renaming of a nibble
        uint8_t to[32]
    Nibbles spread "gc_duel_spread"(uint64_t hand) noexcept
    Nibbles rename "gc_duel_rename"(Nibbles nibbles, const Renaming* renaming) noexcept
    void join "gc_duel_join"(Nibbles mover, Nibbles other, uint8_t* columns) noexcept       # room for 16 columns
    uint64_t sum_signatures "gc_duel_signatures"(const uint64_t* words, const uint8_t* columns) noexcept
    int comparisons "gc_duel_comparisons"(uint64_t signatures) noexcept

cdef uint64_t SIGNATURE[256]           # four signatures, by content of a column
cdef uint64_t SIGNATURE_MATCHED[256]   # added if the last card has this rank
cdef uint64_t SIGNATURE_ROW[17]        # added by the last card's suit as a bit; 0 or 16: none
cdef Renaming IN_ORDER[64]             # by the six comparisons of four signatures
cdef Renaming PUSHED_DOWN[16]          # moves the cards of a set of suits to its lowest suits


cdef void fill_signatures(uint64_t* state) noexcept:
    cdef uint64_t cell[3][5][5]                         # by owner (nobody, mover, other), then the numbers of cards
    cdef uint64_t cell_matched[3][5][5]
    cdef uint64_t alone[3]                              # for ranks that one side holds: cards count one by one
    cdef uint64_t row
    cdef int owner, mine, theirs, content, suit
    alone[0] = 0
    alone[1] = splitmix64(state) & 0xffff
    alone[2] = splitmix64(state) & 0xffff
    row = splitmix64(state) & 0xffff
    for owner in range(3):
        for mine in range(5):
            for theirs in range(5):
                cell[owner][mine][theirs] = splitmix64(state) & 0xffff if mine and theirs else alone[owner]
                cell_matched[owner][mine][theirs] = splitmix64(state) & 0xffff
    for suit in range(4):
        SIGNATURE_ROW[1 << suit] = row << (16 * suit)
    for content in range(1, 256):
        mine = popcount(content & 15)
        theirs = popcount(content >> 4)
        for suit in range(4):
            owner = 1 if content >> suit & 1 else 2 if content >> (4 + suit) & 1 else 0
            SIGNATURE[content] += cell[owner][mine][theirs] << (16 * suit)
            SIGNATURE_MATCHED[content] += cell_matched[owner][mine][theirs] << (16 * suit)


cdef void fill_renamings() noexcept:
    cdef int place[4]
    cdef int code, suits, suit, left
    for code in range(64):                              # bits: later signature larger: (0 1)(0 2)(0 3)(1 2)(1 3)(2 3)
        place[0] = (code & 1) + (code >> 1 & 1) + (code >> 2 & 1)
        place[1] = 1 - (code & 1) + (code >> 3 & 1) + (code >> 4 & 1)
        place[2] = 2 - (code >> 1 & 1) - (code >> 3 & 1) + (code >> 5 & 1)
        place[3] = 3 - (code >> 2 & 1) - (code >> 4 & 1) - (code >> 5 & 1)
        IN_ORDER[code].to[16] = 16
        for suits in range(16):
            for suit in range(4):
                if suits >> suit & 1:
                    IN_ORDER[code].to[suits] |= 1 << place[suit]
    for code in range(16):
        for suits in range(16):
            left = popcount(suits & code)
            PUSHED_DOWN[code].to[suits] = suits & ~code
            for suit in range(4):
                if code >> suit & 1 and left:
                    PUSHED_DOWN[code].to[suits] |= 1 << suit
                    left -= 1
