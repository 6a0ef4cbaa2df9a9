"""The duel: the source's versions and the native solver on the same deals, one group per n.

Deals are named by family, n and seed (`workloads.deals`), so that any figure can be made again.
"""

import pytest
from workloads import deals

from gamecore import Limits, duel, trace
from gamecore.reference import duel as reference


def reference_values(version, hands):
    return [reference.VERSIONS[version](frozenset(alice), frozenset(bob)) for alice, bob in hands]


def native(hands, limits=None):
    return [duel.solve(duel.Position(alice, bob), limits, line=False) for alice, bob in hands]


VERSIONS = [
    (5, 20, "full"),
    (5, 20, "memoised"),
    (5, 20, "alpha-beta"),
    (8, 5, "memoised"),
    (8, 5, "alpha-beta"),
    (8, 5, "tests"),
    (8, 5, "columns"),
    (10, 3, "alpha-beta"),
    (10, 3, "columns"),
    (12, 3, "columns"),
]


@pytest.mark.one_level
@pytest.mark.parametrize(("n", "count", "version"), VERSIONS)
def test_reference(benchmark, n, count, version):
    benchmark.group = f"duel n={n}, {count} random deals"
    hands = deals(n, count)
    values = benchmark.pedantic(reference_values, (version, hands), rounds=5)
    assert values == [solution.value for solution in native(hands)]
    traced = (trace(reference.VERSIONS[version], *map(frozenset, pair)) for pair in hands)
    nodes = sum(calls.total - calls.remembered for calls in traced)
    benchmark.extra_info.update(version=version, nodes=nodes, work=count)


@pytest.mark.parametrize(("n", "count"), [(5, 20), (8, 5), (10, 3), (12, 3)])
def test_native(benchmark, n, count):
    benchmark.group = f"duel n={n}, {count} random deals"
    solutions = benchmark(native, deals(n, count))
    benchmark.extra_info.update(version="native", nodes=sum(solution.nodes for solution in solutions), work=count)


@pytest.mark.parametrize(
    ("n", "count", "family", "table_mb"),
    [
        (17, 100, "random", 8),
        pytest.param(17, 30, "low", 8, marks=pytest.mark.one_level),
        pytest.param(17, 60, "low", 8, marks=pytest.mark.slow),
        pytest.param(20, 40, "random", 256, marks=pytest.mark.slow),
        pytest.param(23, 6, "random", 1024, marks=pytest.mark.slow),
    ],
)
def test_native_large(benchmark, n, count, family, table_mb):
    benchmark.group = f"duel n={n}, {count} {family} deals, table of at most {table_mb} MiB"
    solutions = benchmark.pedantic(native, (deals(n, count, family), Limits(table_mb=table_mb)), rounds=3)
    assert all(solution.exact for solution in solutions)
    benchmark.extra_info.update(version="native", work=count, nodes=sum(solution.nodes for solution in solutions))
