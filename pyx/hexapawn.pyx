# Boards of at most 8 rows and 8 columns, and games that a score of 8 bits can say: see hexapawn/board.pxd.
include "hexapawn/solver.pxi"
