"""The same as ``hexapawn`` for large boards and long games: see ``needs_wide``."""

from gamecore.kernels.baseline.hexapawn import Solver as Solver
from gamecore.kernels.baseline.hexapawn import perft as perft
from gamecore.kernels.baseline.hexapawn import position_key as position_key
