"""Checks of proofs: every step by plain rules, and claims of searches by other searches."""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gamecore import contract
from gamecore.apps.prove._certificate import LOWER, UPPER, Proof, Step, proof_of
from gamecore.apps.prove._prover import prover_of
from gamecore.errors import GamecoreError
from gamecore.limits import Limits
from gamecore.rng import seed_of
from gamecore.text import checked_integer, printable

DEFAULT_TABLE_MB: Final = 256
_ALL: Final = 1 << 62  # claims

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
    most = _ALL if recheck == "all" else checked_integer(recheck, "recheck", 0)
    table_bytes, rng = Limits(table_mb=table_mb).for_kernel(DEFAULT_TABLE_MB).table_bytes, random.Random(seed_of(seed))
    proof = proof_of(path)
    about, checker, nodes = proof.about, _Checker(proof), 0
    claims = sorted(checker.claims)
    chosen = rng.sample(claims, min(most, len(claims)))
    for claim in chosen:
        holds, searched = search_again(about["game"], claim, table_bytes)
        nodes += searched
        if not holds:
            checker.faults.append(f"{claim[0]}: another search does not find the {claim[1]} bound {claim[2]}")
    return Verification(
        about["game"], about["position"], about["question"], about["lower"], about["upper"], checker.steps,
        checker.by_rules, len(claims), len(chosen), nodes, tuple(checker.faults),
    )  # fmt: skip


class _Checker:
    """What is right and wrong with a proof, but for ``claims``, which are left to be searched for."""

    def __init__(self, proof: Proof) -> None:
        self._proof, self._plain = proof, prover_of(proof.about["game"]).plain
        self.steps = self.by_rules = 0
        self.claims: set[Claim] = set()
        self.faults = list(self._key_faults())
        if not self.faults:
            self.faults += self._root_faults()
            reached = {0}.union(*(step.moves.values() for step in proof.steps))
            for number, step in enumerate(proof.steps):
                if number not in reached:
                    self.faults.append(f"{step.key} is not part of the proof")
                self.faults += self._step_faults(step)

    def _key_faults(self) -> Iterator[str]:
        """Each position must occur once, in its canonical notation as the plain rules write it."""
        seen = set()
        for step in self._proof.steps:
            try:
                key = self._plain.canonical(step.key)
            except GamecoreError as error:
                yield str(error)
                continue
            if key != step.key:
                yield f"{step.key} is not canonical: it stands for {key}"
            if key in seen:
                yield f"{step.key} occurs twice"
            seen.add(key)

    def _root_faults(self) -> Iterator[str]:
        about, root = self._proof.about, self._proof.steps[0]
        asked = self._plain.canonical(about["position"])
        if asked != root.key:
            yield f"the first position is {root.key}, not {asked}"
        if set(root.bounds) != {LOWER, UPPER}:
            yield "the first position has not both bounds"
            return
        try:
            value = self._plain.value(root.key, root.bounds[LOWER][0], root.bounds[UPPER][0])
        except GamecoreError as error:
            yield str(error)
            return
        if value != (about["lower"], about["upper"]):
            said = f"{about['lower']} to {about['upper']}"
            yield f"the proof says {said}, its steps say {value[0]} to {value[1]}"

    def _step_faults(self, step: Step) -> Iterator[str]:
        legal, steps = self._plain.after(step.key), self._proof.steps
        for move, number in step.moves.items():
            if legal.get(move) != steps[number].key:
                yield f"{step.key}: {printable(move)} does not lead to {steps[number].key}"
                return
        least, most = self._plain.most(step.key)
        for side, (bound, by_moves) in step.bounds.items():
            if not least <= bound <= most:
                yield f"{step.key}: no score is as {'high' if bound > most else 'low'} as {bound}"
            elif by_moves:
                yield from self._conclusion_faults(step, side, bound, set(legal.values()))
                self.steps += 1
            elif bound == (least if side == LOWER else most):
                self.by_rules += 1
            else:
                self.claims.add((step.key, side, bound))
        if len(step.bounds) == 2 and step.bounds[LOWER][0] > step.bounds[UPPER][0]:
            yield f"{step.key}: no score is from {step.bounds[LOWER][0]} to {step.bounds[UPPER][0]}"

    def _conclusion_faults(self, step: Step, side: str, bound: int, legal: set[str]) -> Iterator[str]:
        """A lower bound needs one move that is good enough; an upper bound needs all moves, none of them better."""
        other = UPPER if side == LOWER else LOWER
        after = [self._proof.steps[number] for number in step.moves.values()]
        scores = {child.key: self._plain.before(child.bounds[other][0]) for child in after if other in child.bounds}
        if side == UPPER and scores.keys() != legal:
            yield f"{step.key}: {len(legal - scores.keys())} legal moves have no bound"
        elif not scores or (max(scores.values()) < bound if side == LOWER else max(scores.values()) > bound):
            yield f"{step.key}: the {side} bound {bound} does not follow from its moves"


def search_again(game: str, claim: Claim, table_bytes: int) -> tuple[bool, int]:
    """Search for a claim again; return whether the bound was found, and nodes."""
    key, side, bound = claim
    passed, nodes = prover_of(game).recheck(key, bound if side == LOWER else bound + 1, table_bytes)
    return passed == (side == LOWER), nodes
