"""Shared by all games' searches: one table over many positions, analyses in steps, threads on one table."""

from gamecore.search._refine import Refinement, Repeated
from gamecore.search._solver import QUESTIONS, Solver, analyse_once, check_question, search_moves, solve_once

__all__ = [
    "QUESTIONS", "Refinement", "Repeated", "Solver", "analyse_once", "check_question", "search_moves", "solve_once",
]  # fmt: skip
