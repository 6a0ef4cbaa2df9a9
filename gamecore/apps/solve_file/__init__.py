"""``gamecore solve-file``: solve a file of positions, and continue after an interruption."""
