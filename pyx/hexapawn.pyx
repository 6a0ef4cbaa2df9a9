# Boards of at most 8 rows and 8 columns, and games of at most 121 plies: see hexapawn/board.pxd and bounds.pxd.
include "hexapawn/solver.pxi"
