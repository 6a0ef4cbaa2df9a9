"""Proofs of single positions that take longer than a sitting and more than a machine: kept in a store, resumed after
any end, spread over threads, processes or a cluster, and checked afterwards.

``docs/prove.md`` says how it works; ``gamecore prove`` is the same as a command.
"""

from gamecore.apps.prove._certificate import export
from gamecore.apps.prove._prover import Engine, PlainRules, Prover, prover_of
from gamecore.apps.prove._run import Status, run, status
from gamecore.apps.prove._verify import Verification, verify

__all__ = [
    "Engine",
    "PlainRules",
    "Prover",
    "Status",
    "Verification",
    "export",
    "prover_of",
    "run",
    "status",
    "verify",
]
