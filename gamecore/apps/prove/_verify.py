"""Checks of proofs: every step by plain rules, and claims of searches by other searches."""

import itertools
import math
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gamecore import contract
from gamecore.apps.prove._certificate import LOWER, OTHER, UPPER, Proof, Step, proof_of
from gamecore.apps.prove._prover import prover_of
from gamecore.errors import GamecoreError
from gamecore.limits import Limits
from gamecore.rng import seed_of
from gamecore.text import checked_integer, printable

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
    path: str | os.PathLike[str], *, recheck: str | int = 0, seed: int = 0, table_mb: float = DEFAULT_TABLE_MB
) -> Verification:
    """Check the proof that a store or a certificate holds.

    Every bound that follows from others is computed again by the game's plain rules. ``recheck`` says which searches
    are repeated, each from an empty table whose entries hold whole positions.

    Args:
        recheck: ``"all"``, or a number of claims, drawn by ``seed``.
        table_mb: of the tables of these searches.

    Raises:
        OptionError: ``recheck`` is neither. GamecoreError: neither store nor certificate, or damaged.
    """
    most = math.inf if recheck == "all" else checked_integer(recheck, "recheck", 0)
    table_bytes, rng = Limits(table_mb=table_mb).for_kernel(DEFAULT_TABLE_MB).table_bytes, random.Random(seed_of(seed))
    proof = proof_of(path)
    about, checker, nodes = proof.about, _Checker(proof), 0
    claims = sorted(checker.claims)
    chosen = rng.sample(claims, int(min(most, len(claims))))
    for claim in chosen:
        holds, searched = search_again(about.game, claim, table_bytes)
        nodes += searched
        if not holds:
            checker.faults.append(f"{claim[0]}: another search does not find the {claim[1]} bound {claim[2]}")
    return Verification(
        about.game, about.position, about.question, about.lower, about.upper, checker.steps, checker.by_rules,
        len(claims), len(chosen), nodes, tuple(checker.faults),
    )  # fmt: skip


class _Checker:
    """What is right and wrong with a proof, but for ``claims``, which are left to be searched for."""

    def __init__(self, proof: Proof) -> None:
        self._proof, self._plain = proof, prover_of(proof.about.game).plain
        self.steps = self.by_rules = 0
        self.claims: list[Claim] = []
        root, *others = proof.steps
        needed = {after for step in proof.steps.values() for after in step.moves.values()}
        self.faults = [f"{key} is not part of the proof" for key in others if key not in needed]
        for faults in (self._root_faults(root), *itertools.starmap(self._step_faults, proof.steps.items())):
            try:
                self.faults.extend(faults)
            except GamecoreError as error:  # the rules refuse a position, or bounds
                self.faults.append(str(error))

    def _root_faults(self, root: str) -> Iterator[str]:
        about, bounds = self._proof.about, self._proof.steps[root].bounds
        asked, said = self._plain.canonical(about.position), (about.lower, about.upper)
        if asked != root:
            yield f"the first position is {root}, not {asked}"
        elif len(bounds) < 2:
            yield "the first position has not both bounds"
        elif (value := self._plain.value(root, bounds[LOWER][0], bounds[UPPER][0])) != said:
            yield f"the proof says {said[0]} to {said[1]}, its steps say {value[0]} to {value[1]}"

    def _step_faults(self, key: str, step: Step) -> Iterator[str]:
        canonical = self._plain.canonical(key)
        if canonical != key:
            yield f"{key} is not canonical: it stands for {canonical}"
            return
        legal = self._plain.after(key)
        for move, after in step.moves.items():
            if legal.get(move) != after:
                yield f"{key}: {printable(move)} does not lead to {after}"
                return
        least, most = self._plain.most(key)
        for side, (bound, by_moves) in step.bounds.items():
            if not least <= bound <= most:
                yield f"{key}: no score is as {'high' if bound > most else 'low'} as {bound}"
            elif by_moves:
                yield from self._conclusion_faults(key, side, bound, {*legal.values()})
                self.steps += 1
            elif bound == (least if side == LOWER else most):
                self.by_rules += 1
            else:
                self.claims.append((key, side, bound))
        if len(step.bounds) == 2 and step.bounds[LOWER][0] > step.bounds[UPPER][0]:
            yield f"{key}: no score is from {step.bounds[LOWER][0]} to {step.bounds[UPPER][0]}"

    def _conclusion_faults(self, key: str, side: str, bound: int, legal: set[str]) -> Iterator[str]:
        """A lower bound needs one move that is good enough; an upper bound needs all moves, none of them better."""
        steps, other = self._proof.steps, OTHER[side]
        after = {child: steps[child].bounds for child in steps[key].moves.values()}
        scores = {child: self._plain.before(after[child][other][0]) for child in after if other in after[child]}
        if side == UPPER and scores.keys() != legal:
            yield f"{key}: {len(legal - scores.keys())} legal moves have no bound"
        elif not scores or (max(scores.values()) < bound if side == LOWER else max(scores.values()) > bound):
            yield f"{key}: the {side} bound {bound} does not follow from its moves"


def search_again(game: str, claim: Claim, table_bytes: int) -> tuple[bool, int]:
    """Search for a claim again; return whether the bound was found, and nodes."""
    key, side, bound = claim
    passed, nodes = prover_of(game).recheck(key, bound if side == LOWER else bound + 1, table_bytes)
    return passed == (side == LOWER), nodes
