"""Judge programs that solve a game: verdicts on generated cases, the smallest wrong case, growth of time.

``gamecore.judge("duel", function)`` and ``gamecore judge duel -- ./mine`` use it. A program reads the judge's format
from stdin and writes the answer to stdout. Each case runs in a process group of its own, which is killed at the end.
"""

from gamecore.apps.judge._each import COLUMNS, LINE, Program, compile_error, files_of, prepared, row
from gamecore.apps.judge._growth import Growth, Scaling, fit, scaling
from gamecore.apps.judge._judge import Case, Report, Verdict, case_of, cases, judge, judge_case, write_cases
from gamecore.apps.judge._judging import Judging, claimed_number, judging_of

__all__ = [
    "COLUMNS",
    "LINE",
    "Case",
    "Growth",
    "Judging",
    "Program",
    "Report",
    "Scaling",
    "Verdict",
    "case_of",
    "cases",
    "claimed_number",
    "compile_error",
    "files_of",
    "fit",
    "judge",
    "judge_case",
    "judging_of",
    "prepared",
    "row",
    "scaling",
    "write_cases",
]
