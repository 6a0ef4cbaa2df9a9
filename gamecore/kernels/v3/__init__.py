"""The kernels compiled for CPU level v3; `gamecore.kernels` chooses between levels."""

from gamecore.kernels import require

require("v3")
