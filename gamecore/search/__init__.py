"""Shared by all games' searches: one table over many positions, analyses in steps, threads on one table."""

from gamecore.search._search import MAX_THREADS, Search, analyse_once, nodes_alone, search_moves, solve_once
from gamecore.search._solver import Refinement, Repeated, Solver

__all__ = [
    "MAX_THREADS", "Refinement", "Repeated", "Search", "Solver", "analyse_once", "nodes_alone", "search_moves",
    "solve_once",
]  # fmt: skip
