"""Every input that fuzzing starts from, or once failed on, through its target; and a little fuzzing by chance."""

import os
import random

import pytest
import targets  # pytest's pythonpath has tools/fuzz
from command import ROOT

CORPUS = ROOT / "tests" / "data" / "corpus"


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_corpus(name):
    for path in sorted((CORPUS / name).iterdir()):
        targets.TARGETS[name](path.read_bytes())


ALPHABET = b" \n\r\tPp.|,:=-0123456789CDHSTJQKA\x00\x1b\xff"


def mutated(rng, data):
    """Some bytes changed, added, doubled or dropped."""
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(data) + 1), rng.randint(1, 6)
        doubled = data[at : at + rng.randint(1, 20)] * rng.randint(1, 3)
        piece = rng.choice([bytes(rng.choices(ALPHABET, k=rng.randint(1, 3))), b"", rng.randbytes(1), doubled])
        data = data[:at] + piece + data[at + rng.choice([0, 1, length]) :]
    return data[:1000]


#: Targets that write files or play rounds are tried less often here.
TIMES = {"prove_store": 60, "prove_certificate": 300, "play_saved": 400}


@pytest.mark.parametrize("name", targets.PARSERS)
def test_parsers_by_chance(name):
    rng = random.Random(name)
    seeds = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    for _ in range(TIMES.get(name, 1500) // (5 if "GAMECORE_SANITIZED" in os.environ else 1)):
        data = mutated(rng, rng.choice(seeds))
        try:
            targets.TARGETS[name](data)
        except BaseException as error:
            error.add_note(f"{name} of {data!r}")
            raise


@pytest.mark.parametrize("name", targets.KERNELS)
def test_kernels_by_chance(name, oracle):
    """They are held against the independent solvers, which need a compiler."""
    rng = random.Random(name)
    for _ in range(20 if name.endswith("plain") else 8):
        targets.TARGETS[name](rng.randbytes(60))
