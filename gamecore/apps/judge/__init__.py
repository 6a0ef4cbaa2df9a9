"""Judge programs that solve a game: verdicts on generated cases, the smallest wrong case, growth of time.

``gamecore.judge("duel", function)`` and ``gamecore judge duel -- ./mine`` use it. A program reads the judge's format
from stdin and writes the answer to stdout. Each case runs in a process group of its own, which is killed at the end.
"""

from gamecore.apps.judge._growth import Growth, Scaling, fit, scaling
from gamecore.apps.judge._judge import Case, Report, Verdict, case_of, cases, judge, judge_case, write_cases
from gamecore.apps.judge._judging import Judging, claimed_number, judging_of

__all__ = [
    "Case",
    "Growth",
    "Judging",
    "Report",
    "Scaling",
    "Verdict",
    "case_of",
    "cases",
    "claimed_number",
    "fit",
    "judge",
    "judge_case",
    "judging_of",
    "scaling",
    "write_cases",
]
