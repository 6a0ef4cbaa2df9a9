# What a game's file may use; `gamecore kit build` puts it before the file.
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

KIND = "outcome"           # what the file may say otherwise
CYCLES = False
NAME = RULES = ""

cdef enum:
    LOSS = -10000          # of the side to move, in games of win, draw and loss
    DRAW = 0
    WIN = 10000
    ONGOING = 32767        # the game is not over

ctypedef int Move           # from 0 to 65535; wider, so that others are seen

cdef struct Key:           # a whole position: two positions with one key have one value
    uint64_t a, b


cdef inline int popcount(uint64_t x) noexcept nogil:
    x -= x >> 1 & <uint64_t>0x5555555555555555
    x = (x & <uint64_t>0x3333333333333333) + (x >> 2 & <uint64_t>0x3333333333333333)
    return <int>((x + (x >> 4) & <uint64_t>0x0f0f0f0f0f0f0f0f) * <uint64_t>0x0101010101010101 >> 56)
