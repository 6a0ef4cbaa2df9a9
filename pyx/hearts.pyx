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
from libc.math cimport exp, log, sqrt
from libc.stdint cimport int16_t, int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from common.bits cimport ctz, deposit, extract, mix64, popcount
from common.rng cimport Stream, bounded, stream_key, stream_next, stream_start
from common.table cimport pages_alloc, pages_free
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, now_ns, raise_pending, spend, store_flag, tick, watch_open, watch_start,
)
from hearts.determinize cimport Unseen, unseen_deal, unseen_start
from hearts.linear cimport (
    SCALE, WEIGHTS, Context, context_of, linear_card, linear_start, next_noise, noise_start, scores_of, silence,
)
from hearts.policy cimport DUCK, GREEDY, LINEAR, RANDOM, danger_pass, has_arm, policy_card
from hearts.round cimport (
    PASS_WORDS, Round, deal_others, decision_stream, exchange, from_lanes, known_to, lane_card, lane_index, pass_cards,
    random_card, round_deal, round_play, round_start, to_lanes, view_of,
)
from hearts.rules cimport (
    ALL, AVOID_BONUS, DJ, HEARTS, JACK_BONUS, MOON_SHOOTER, NO_MOON, POINTS, SQ, Played, Record, Rules, append,
    breaks_hearts, deal, either, nth, pick, repair, rules_from, score, suit_of, worth,
)
from hearts.spec cimport (
    BY_CHANCE, BY_DANGER, BY_ORDER, BY_PLAYOUTS, BY_STAGES, INTELLIGENT, ISMCTS, LITERAL, MOST_NODES, PLAYOUTS, SEARCH,
    SOLVER, Estimate, Node, Passing, Spec,
)
from hearts.table cimport Table, holder, legal, mover, play, start

from gamecore.errors import InternalError

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
