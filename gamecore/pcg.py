"""NumPy's default random numbers where NumPy is not installed: the same seeds give the same positions.

``SeedSequence`` and ``PCG64`` as their authors define them, and of ``Generator`` what positions are made with.
"""

import operator
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final

_WORD: Final = 0xFFFFFFFF
_LONG: Final = (1 << 64) - 1
_WIDE: Final = (1 << 128) - 1
_STEP: Final = 0x2360ED051FC65DA44385DF649FCCF645


def _words(entropy: Any) -> list[int]:
    """Return 32-bit words of an integer, lowest first, or of a sequence of integers."""
    if isinstance(entropy, (str, bytes, float, bool)):
        raise TypeError
    if isinstance(entropy, Iterable):
        return [word for one in entropy for word in _words(one)]
    number = operator.index(entropy)
    if number < 0:
        raise ValueError
    return [number >> at & _WORD for at in range(0, max(1, number.bit_length()), 32)]


class _Hash:
    """The hash of ``SeedSequence``, whose constant changes with each word."""

    def __init__(self, constant: int, factor: int) -> None:
        self.constant, self.factor = constant, factor

    def __call__(self, word: int) -> int:
        word ^= self.constant
        self.constant = self.constant * self.factor & _WORD
        word = word * self.constant & _WORD
        return word ^ word >> 16


def _mix(x: int, y: int) -> int:
    word = (0xCA01F9DD * x - 0x4973F715 * y) & _WORD
    return word ^ word >> 16


def _seeded(words: Sequence[int]) -> list[int]:
    """Return eight 32-bit words of state."""
    mixed = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [mixed(word) for word in (*words, 0, 0, 0, 0)[:4]]
    for source in range(4):
        for target in set(range(4)) - {source}:
            pool[target] = _mix(pool[target], mixed(pool[source]))
    for word in words[4:]:
        for target in range(4):
            pool[target] = _mix(pool[target], mixed(word))
    drawn = _Hash(0x8B51F9DD, 0x58F38DED)
    return [drawn(pool[k % 4]) for k in range(8)]


class Generator:
    """Random numbers as ``numpy.random.default_rng`` gives them.

    Raises:
        TypeError, ValueError: ``entropy`` is not None, an integer of at least 0 or a sequence of them.
    """

    def __init__(self, entropy: Any = None) -> None:
        low = _seeded(_words(secrets.randbits(128) if entropy is None else entropy))
        long = [low[k] | low[k + 1] << 32 for k in range(0, 8, 2)]
        self._increment = (long[2] << 64 | long[3]) << 1 & _WIDE | 1
        self._state = self._increment + (long[0] << 64 | long[1])
        self._spare: int | None = None
        self._advance()

    def _advance(self) -> None:
        self._state = (self._state * _STEP + self._increment) & _WIDE

    def _long(self) -> int:
        self._advance()
        word, turn = (self._state >> 64 ^ self._state) & _LONG, self._state >> 122
        return (word >> turn | word << 64 - turn) & _LONG

    def _word(self) -> int:
        if self._spare is None:
            long = self._long()
            self._spare = long >> 32
            return long & _WORD
        word, self._spare = self._spare, None
        return word

    def _below(self, count: int) -> int:
        """Return a number from 0 to ``count - 1``, by Lemire's method, in 32 or 64 bits."""
        if count == 1:
            return 0
        bits, draw = (32, self._word) if count <= 1 << 32 else (64, self._long)
        mask = (1 << bits) - 1
        product = draw() * count
        while product & mask < (1 << bits) % count:
            product = draw() * count
        return product >> bits

    def integers(self, low: int, high: int | None = None, size: int | None = None, dtype: object = None) -> Any:
        """Return a number from ``low`` (0 when it is alone) to ``high - 1``, or a list of ``size`` of them."""
        low, high = (0, low) if high is None else (low, high)
        if size is not None:
            return [low + self._below(high - low) for _ in range(size)]
        return low + self._below(high - low)

    def permutation(self, items: Sequence[int]) -> list[int]:
        """Return the items in random order."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            mask = (1 << last.bit_length()) - 1
            while (other := self._word() & mask) > last:
                pass
            found[last], found[other] = found[other], found[last]
        return found
