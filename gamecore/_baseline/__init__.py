"""The kernels compiled for CPU level baseline; `gamecore._dispatch` chooses between levels."""
