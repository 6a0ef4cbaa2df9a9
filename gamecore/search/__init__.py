"""Shared by all games' searches: one table over many positions, analyses in steps, threads on one table."""

from gamecore.search._refine import Refinement, Repeated
from gamecore.search._solver import Solver, analyse_once, search_moves, solve_once

__all__ = ["Refinement", "Repeated", "Solver", "analyse_once", "search_moves", "solve_once"]
