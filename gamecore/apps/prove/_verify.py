"""Checks of proofs: every step by plain rules, and claims of searches by other searches."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gamecore import contract
from gamecore.apps.prove._certificate import LOWER, UPPER, Proof, Step, proof_of
from gamecore.apps.prove._prover import prover_of
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits
from gamecore.rng import seed_of
from gamecore.text import printable

DEFAULT_TABLE_MB: Final = 256

Claim = tuple[str, str, int]  #: a canonical position, ``lower`` or ``upper``, and the bound of its score


@dataclass(frozen=True)
class Verification(contract.Result):
    """Result of a check.

    Attributes:
        game, position, question, lower, upper: what is proved of what, as the proof says.
        steps: bounds that follow from the bounds after moves; each was checked.
        by_rules: bounds that the rules alone give.
        claims: bounds that searches gave.
        rechecked: claims that were searched for again.
        nodes: positions searched for that.
        faults: what is wrong, a sentence each; empty: nothing.
    """

    game: str
    position: str
    question: str
    lower: int
    upper: int
    steps: int
    by_rules: int
    claims: int
    rechecked: int
    nodes: int
    faults: tuple[str, ...]


def verify(
    path: str | os.PathLike[str],
    *,
    recheck: str | int = 0,
    seed: int = 0,
    table_mb: float = DEFAULT_TABLE_MB,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Check the proof that a store or a certificate holds.

    Every bound that follows from others is computed again by the game's plain rules. ``recheck`` says which searches
    are repeated, each from an empty table whose entries hold whole positions.

    Args:
        recheck: ``"all"``, or a number of claims, drawn by ``seed``.
        table_mb: of the tables of these searches.
        progress: called with the number of claims that were searched for, and of all that will be.

    Raises:
        OptionError: ``recheck`` is neither. GamecoreError: neither store nor certificate, or damaged.
    """
    if recheck != "all" and (isinstance(recheck, bool) or not isinstance(recheck, int) or recheck < 0):
        raise OptionError(f"recheck must be 'all' or a number of at least 0, not {printable(recheck)}", "recheck")
    table_bytes, rng = Limits(table_mb=table_mb).for_kernel(DEFAULT_TABLE_MB).table_bytes, random.Random(seed_of(seed))
    proof = proof_of(path)
    checker = _Checker(proof)
    checker.check()
    claims, nodes = sorted(checker.claims), 0
    count = min(recheck, len(claims)) if isinstance(recheck, int) else len(claims)
    chosen = rng.sample(claims, count)
    for done, claim in enumerate(chosen, start=1):
        holds, searched = search_again(proof.about["game"], claim, table_bytes)
        nodes += searched
        if not holds:
            checker.faults.append(f"{claim[0]}: another search does not find the {claim[1]} bound {claim[2]}")
        if progress is not None:
            progress(done, len(chosen))
    about = proof.about
    return Verification(
        about["game"], about["position"], about["question"], about["lower"], about["upper"], checker.steps,
        checker.by_rules, len(claims), len(chosen), nodes, tuple(checker.faults),
    )  # fmt: skip


class _Checker:
    """The steps of one proof."""

    def __init__(self, proof: Proof) -> None:
        self._proof = proof
        self._plain = prover_of(proof.about["game"]).plain
        self.steps = self.by_rules = 0
        self.claims: set[Claim] = set()
        self.faults: list[str] = []

    def check(self) -> None:
        """Check everything but ``claims``, which are left to be searched for."""
        self._check_keys()
        if self.faults:
            return
        self._check_root()
        reached = {0}.union(*(step.moves.values() for step in self._proof.steps))
        for number, step in enumerate(self._proof.steps):
            if number not in reached:
                self.faults.append(f"{step.key} is not part of the proof")
            self._check_step(step)

    def _check_keys(self) -> None:
        """Each position must occur once, in its canonical notation as the plain rules write it."""
        seen = set()
        for step in self._proof.steps:
            try:
                key = self._plain.canonical(step.key)
            except GamecoreError as error:
                self.faults.append(str(error))
                continue
            if key != step.key:
                self.faults.append(f"{step.key} is not canonical: it stands for {key}")
            if key in seen:
                self.faults.append(f"{step.key} occurs twice")
            seen.add(key)

    def _check_root(self) -> None:
        about, root = self._proof.about, self._proof.steps[0]
        asked = self._plain.canonical(about["position"])
        if asked != root.key:
            self.faults.append(f"the first position is {root.key}, not {asked}")
        if set(root.bounds) != {LOWER, UPPER}:
            self.faults.append("the first position has not both bounds")
            return
        try:
            value = self._plain.value(root.key, root.bounds[LOWER][0], root.bounds[UPPER][0])
        except GamecoreError as error:
            self.faults.append(str(error))
            return
        if value != (about["lower"], about["upper"]):
            said = f"{about['lower']} to {about['upper']}"
            self.faults.append(f"the proof says {said}, its steps say {value[0]} to {value[1]}")

    def _check_step(self, step: Step) -> None:
        legal = self._plain.after(step.key)
        for move, number in step.moves.items():
            if legal.get(move) != self._proof.steps[number].key:
                self.faults.append(f"{step.key}: {printable(move)} does not lead to {self._proof.steps[number].key}")
                return
        least, most = self._plain.most(step.key)
        for side, (bound, by_moves) in step.bounds.items():
            if not least <= bound <= most:
                self.faults.append(f"{step.key}: no score is as {'high' if bound > most else 'low'} as {bound}")
            elif by_moves:
                self._check_moves(step, side, bound, set(legal.values()))
                self.steps += 1
            elif bound == (least if side == LOWER else most):
                self.by_rules += 1
            else:
                self.claims.add((step.key, side, bound))
        if len(step.bounds) == 2 and step.bounds[LOWER][0] > step.bounds[UPPER][0]:
            self.faults.append(f"{step.key}: no score is from {step.bounds[LOWER][0]} to {step.bounds[UPPER][0]}")

    def _check_moves(self, step: Step, side: str, bound: int, legal: set[str]) -> None:
        """A lower bound needs one move that is good enough; an upper bound needs all moves, none of them better."""
        other = UPPER if side == LOWER else LOWER
        after = [self._proof.steps[number] for number in step.moves.values()]
        scores = {child.key: self._plain.before(child.bounds[other][0]) for child in after if other in child.bounds}
        if side == UPPER and scores.keys() != legal:
            self.faults.append(f"{step.key}: {len(legal - scores.keys())} legal moves have no bound")
        elif not scores or (max(scores.values()) < bound if side == LOWER else max(scores.values()) > bound):
            self.faults.append(f"{step.key}: the {side} bound {bound} does not follow from its moves")


def search_again(game: str, claim: Claim, table_bytes: int) -> tuple[bool, int]:
    """Search for a claim again; return whether the bound was found, and nodes."""
    key, side, bound = claim
    passed, nodes = prover_of(game).recheck(key, bound if side == LOWER else bound + 1, table_bytes)
    return passed == (side == LOWER), nodes
