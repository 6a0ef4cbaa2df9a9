"""The kernels compiled for CPU level v3; `gamecore._dispatch` chooses between levels."""
