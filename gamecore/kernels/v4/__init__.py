"""The kernels compiled for CPU level v4; `gamecore.kernels` chooses between levels."""

from gamecore.kernels import require

require("v4")
