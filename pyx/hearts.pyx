"""Hearts: rounds, playouts, built-in players and open-hand search.  gamecore.hearts validates all arguments.

Python's cards are indices, 4 * rank + suit in C D H S, and 52-bit hands; the kernel's are bits in lanes of 16
(simd/hearts_cards.h).
"""
from cython cimport final
from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.string cimport memset

from common.bits cimport popcount
from common.rng cimport Stream, stream_key, stream_next, stream_start
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, raise_pending, spend, store_flag, watch_open, watch_start
)
from hearts.determinize cimport Unseen, unseen_deal, unseen_start
from hearts.linear cimport WEIGHTS, linear_start, noise_start
from hearts.round cimport (
    PASS_WORDS, Round, exchange, from_lanes, known_to, lane_card, lane_index, random_card, round_deal, round_play,
    round_start, to_lanes, view_of
)
from hearts.rules cimport HEARTS_FOR_QUEEN, SQ, Rules, State, legal, play, repair, rules_from, score, seat_to_move

include "common/control.pxi"
include "hearts/search.pxi"
include "hearts/beliefs.pxi"
include "hearts/learned.pxi"
include "hearts/ismcts.pxi"
include "hearts/players.pxi"
include "hearts/core.pxi"
include "hearts/solve.pxi"
include "hearts/simulate.pxi"

linear_start()
noise_start()
exps_start()
