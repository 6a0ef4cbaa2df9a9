# Needs Python >= 3.11, make and a C compiler; everything else goes into .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard pyx/*.pyx pyx/*.pxd pyx/*.pxi pyx/simd/*.h) setup.py pyproject.toml

ARGS ?=

.PHONY: help demo test test-quick lint bench baseline compare signatures icount icount-save peers docs \
	sanitize tsan fuzz soak coverage clean

help:
	@echo "make demo        solve real positions of every game"
	@echo "make test        the whole test suite (make test-quick: without the slow part)"
	@echo "make lint        ruff, mypy --strict, cython-lint"
	@echo "make docs        the documentation site, links checked, into site/"
	@echo "make bench       the benchmark suites: each version of each algorithm, side by side"
	@echo "make baseline    run them and save benchmarks/results/<version>.json"
	@echo "make compare     run them and compare with the last saved baseline (ARGS='-k duel': a part)"
	@echo "make signatures  rewrite tests/data/signatures.json: node counts, table stores, checksums of play"
	@echo "make icount      instructions of each kernel under valgrind, against the stored ones (make icount-save)"
	@echo "make peers       measure us beside OpenSpiel and numba, write docs/results/peers.md"
	@echo "make sanitize    all tests under AddressSanitizer and UndefinedBehaviorSanitizer, at every CPU level, in a copy"
	@echo "make tsan        the tests of threads under ThreadSanitizer, in a copy"
	@echo "make fuzz        coverage-guided fuzzing of every parser and kernel, SECONDS=300 in all"
	@echo "make soak        all games against plain Python and their own invariants, for SECONDS=300"
	@echo "make coverage    lines of Python and of the kernels that the tests run, in a copy"
	@echo "make clean       remove everything that was built"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "gamecore needs Python 3.11 or later; $(PYTHON) is older: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=23.2" "setuptools>=77"

# The stamps say which extras are in .venv; a changed kernel builds anew.
.stamp-install: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.stamp-test: .stamp-install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test,peers,docs]"
	@touch $@

.stamp-lint: pyproject.toml | $(BIN)/python
	$(BIN)/python tools/extras.py lint | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

.stamp-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python tools/extras.py docs | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

demo: .stamp-install
	$(BIN)/python examples/demo.py

test: .stamp-test
	$(BIN)/pytest

test-quick: .stamp-test
	$(BIN)/pytest -m "not slow"

lint: .stamp-lint
	$(BIN)/ruff check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint pyx
	$(BIN)/python tools/audit.py

docs: .stamp-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html is the front page; $(BIN)/mkdocs serve shows it while you write"

bench: .stamp-test
	$(BIN)/pytest --benchmark

baseline: .stamp-test
	$(BIN)/python benchmarks/baseline.py save $(ARGS)

compare: .stamp-test
	$(BIN)/python benchmarks/baseline.py compare $(ARGS)

signatures: .stamp-test
	$(BIN)/python tools/signatures.py --write

icount: .stamp-install
	$(BIN)/python tools/icount.py

icount-save: .stamp-install
	$(BIN)/python tools/icount.py --write

peers: .stamp-test
	$(BIN)/python benchmarks/peers/measure.py

# Special builds go into copies of the tree under build/, never in place.
sanitize: .stamp-test
	$(BIN)/python tools/sanitize.py address $(ARGS)

tsan: .stamp-test
	$(BIN)/python tools/sanitize.py thread $(ARGS)

.stamp-fuzz: .stamp-install
	$(BIN)/python tools/extras.py fuzz | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

SECONDS ?= 300
fuzz: .stamp-fuzz
	$(BIN)/python tools/fuzz/fuzz.py --seconds $(SECONDS) $(ARGS)

soak: .stamp-install
	$(BIN)/python tools/soak.py --seconds $(SECONDS) $(ARGS)

.stamp-coverage: .stamp-test
	$(BIN)/python tools/extras.py coverage | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

coverage: .stamp-coverage
	$(BIN)/python tools/coverage_report.py $(ARGS)

clean:
	rm -rf $(VENV) build dist site *.egg-info .stamp-* .mypy_cache .ruff_cache .pytest_cache
	find gamecore -name '*.so' -delete
