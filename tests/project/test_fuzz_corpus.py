"""Every input that fuzzing starts from, or once failed on, through its target; and a little fuzzing by chance."""

import random

import pytest
import targets  # pytest's pythonpath has tools/fuzz
from command import ROOT

CORPUS = ROOT / "tests" / "data" / "corpus"


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_corpus(name):
    for path in sorted((CORPUS / name).iterdir()):
        targets.TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", targets.KERNELS)
def test_kernels_by_chance(name, oracle):
    """They are held against the independent solvers, which need a compiler."""
    rng = random.Random(name)
    for _ in range(20 if name.endswith("plain") else 8):
        targets.TARGETS[name](rng.randbytes(60))
