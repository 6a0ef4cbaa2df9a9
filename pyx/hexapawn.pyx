# Boards of at most 8 rows and 8 columns, and games short enough for scores of 8 bits: see hexapawn/board.pxd.
include "hexapawn/solver.pxi"
