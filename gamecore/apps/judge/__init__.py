"""Judge programs that solve a game: verdicts on generated cases, the smallest wrong case, growth of time.

``gamecore.judge("duel", function)`` and ``gamecore judge duel -- ./mine`` use it. A program reads the judge's format
from stdin and writes the answer to stdout. Each case runs in a process group of its own, which is killed at the end.
"""

from gamecore.apps.judge._each import COLUMNS, Prepared, Submission, files_of, heading, prepared
from gamecore.apps.judge._growth import Growth, Scaling, fit, scaling
from gamecore.apps.judge._judge import (
    Case,
    Report,
    Verdict,
    case_of,
    cases,
    checked_folder,
    judge,
    judge_case,
    judge_cases,
    write_cases,
)
from gamecore.apps.judge._judging import Judging, claimed_number, judging_of

__all__ = [
    "COLUMNS",
    "Case",
    "Growth",
    "Judging",
    "Prepared",
    "Report",
    "Scaling",
    "Submission",
    "Verdict",
    "case_of",
    "cases",
    "checked_folder",
    "claimed_number",
    "files_of",
    "fit",
    "heading",
    "judge",
    "judge_case",
    "judge_cases",
    "judging_of",
    "prepared",
    "scaling",
    "write_cases",
]
