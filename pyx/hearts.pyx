"""Hearts: rounds, playouts and built-in players.  Trusts its caller: gamecore.hearts validates.

Cards cross this boundary as the project writes them, index 4 * rank + suit in C D H S and 52-bit hands; inside
they are bits in lanes of 16 (simd/hearts_cards.h).
"""
from cython cimport final
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.math cimport exp, log
from libc.string cimport memcpy, memset

from common.bits cimport ctz, deposit, extract, mix64, popcount
from common.watch cimport INTERRUPTED, RUNNING, Watch, load_flag, now_ns, raise_pending, store_flag, tick, watch_open, watch_start
from hearts.core cimport (
    ALL, AVOID_BONUS, C2, DJ, HEARTS, HEARTS_FOR_QUEEN, JACK_BONUS, MOON_SHOOTER, POINTS, SQ, Rules, Seen, State,
    deal, hearts_broken, legal, nth, observe, pick, play, repair, rules_from, score, seat_to_move, start, subset,
    suit_of
)
from hearts.deal cimport Unseen, unseen_deal, unseen_start
from hearts.policy cimport (
    DUCK, GREEDY, RANDOM, danger_pass, policy_card
)
from common.rng cimport Stream, bounded, stream_key, stream_next, stream_start

include "hearts/game.pxi"
include "hearts/solver.pxi"
include "hearts/players.pxi"
include "hearts/round.pxi"
include "hearts/run.pxi"
