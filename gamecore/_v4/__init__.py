"""The kernels compiled for CPU level v4; `gamecore._dispatch` chooses between levels."""
