# All other boards, and longer games: the same template, compiled with GC_WIDE=1.
include "hexapawn/solver.pxi"
