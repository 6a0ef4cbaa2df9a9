"""Cython's plugin for coverage.py, which gives up where the first file that it is asked about is none of Cython's."""

from typing import Any

from Cython import Coverage


def coverage_init(registry: Any, options: dict[str, str]) -> None:
    """Called by coverage.py for each plugin that it was told of."""
    Coverage.Plugin._c_files_map = {}  # None until a C file has been read, and then searched all the same
    Coverage.coverage_init(registry, options)
