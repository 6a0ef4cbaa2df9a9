"""Hearts: rounds, playouts, built-in players and open-hand search.  gamecore.hearts validates all arguments.

Python's cards are indices, 4 * rank + suit in C D H S, and 52-bit hands; the kernel's are bits in lanes of 16
(simd/hearts_cards.h).

Read first hearts/rules.pxd (legal cards, choices, the deal), table.pxd (a trick) and round.pxd (a round with its random
stream). Then players in the order of their thought: policy.pxd (greedy, duck), linear.pxd (the learned policy),
players.pxi (playouts, and which player does what), determinize.pxd and beliefs.pxi (unseen hands), learned.pxi
(`search`), ismcts.pxi; search.pxi solves open hands. random.pxi plays random rounds alone, core.pxi, solve.pxi and
simulate.pxi are the entries from Python. Vectors: simd/hearts_linear.h (the learned policy) and hearts_avx512.h (random
rounds), each with a scalar twin in Cython. Tuned by measurement: BLOCK, BEHIND, PRIOR_WORLDS and PRIOR_POINTS in
learned.pxi, SLIPS_PERCENT, OTHERS_PERCENT and BURN_IN in beliefs.pxi, EXPLORE in ismcts.pxi, TOGETHER in random.pxi and
GCH_FLIGHT in hearts_avx512.h. Learned: the weights, whose rows linear.pxd lists.
"""
from cython cimport final
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from common.bits cimport popcount
from common.rng cimport Stream, stream_key, stream_next, stream_start
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, raise_pending, spend, store_flag, watch_open, watch_start
)
from hearts.determinize cimport Unseen, unseen_start
from hearts.linear cimport WEIGHTS, linear_start, noise_start
from hearts.round cimport (
    PASS_WORDS, Round, exchange, from_lanes, known_to, lane_card, lane_index, pass_cards, random_card, round_deal,
    round_play, round_start, to_lanes, view_of
)
from hearts.rules cimport HEARTS, Rules, deal, either, pick, repair, rules_from, score, suit_of, worth
from hearts.table cimport Table, holder, legal, mover, play, start

include "common/control.pxi"
include "hearts/search.pxi"
include "hearts/beliefs.pxi"
include "hearts/learned.pxi"
include "hearts/ismcts.pxi"
include "hearts/players.pxi"
include "hearts/random.pxi"
include "hearts/core.pxi"
include "hearts/solve.pxi"
include "hearts/simulate.pxi"

linear_start()
noise_start()
exps_start()
