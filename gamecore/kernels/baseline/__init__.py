"""The kernels compiled for CPU level baseline; `gamecore.kernels` chooses between levels."""
