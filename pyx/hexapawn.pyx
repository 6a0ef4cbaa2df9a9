# Boards of at most 8 rows and 8 columns, and games of at most 121 plies: see hexapawn/board.pxd and bounds.pxd.
# setup.py compiles it once more with GC_WIDE=1, as hexapawn_wide: all other boards, and longer games.
include "hexapawn/solver.pxi"
