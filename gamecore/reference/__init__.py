"""The sources' own algorithms in plain Python: the oracle of the tests, the baseline of the benchmarks."""
