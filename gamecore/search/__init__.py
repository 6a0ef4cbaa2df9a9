"""Shared by all games' searches: one table over many positions, analyses in steps, threads on one table."""

from gamecore.search._refine import Refinement, Repeated
from gamecore.search._solver import Solver, search_moves

__all__ = ["Refinement", "Repeated", "Solver", "search_moves"]
