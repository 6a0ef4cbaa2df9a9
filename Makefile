# Needs Python >= 3.11, make and a C compiler; everything else goes into .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find pyx -type f) setup.py pyproject.toml
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

ARGS ?=

.PHONY: help demo test test-all lint bench bench-quick baseline compare counts counts-check ab trials history signatures \
	icount icount-save peers docs wasm site sanitize tsan fuzz soak coverage aarch64 workflows format format-check clean

help:
	@echo "make demo        solve real positions of every game"
	@echo "make test        the test suite (make test-all: its rare and long part too, and the benchmarks)"
	@echo "make lint        ruff, mypy --strict, cython-lint"
	@echo "make docs        the documentation site, links checked, into site/"
	@echo "make bench       the benchmark suites: each version of each algorithm, side by side"
	@echo "make bench-quick the same for the source's versions alone, in half a minute"
	@echo "make baseline    run them in three sessions and save these (.benchmarks/; ARGS=--release: the release's figures)"
	@echo "make compare     run them likewise and judge them against the sessions saved last (ARGS='-k duel': a part)"
	@echo "make counts      accept other work: rewrite benchmarks/counts.json"
	@echo "make counts-check  compare benchmarks/counts.json at each CPU level, untimed"
	@echo "make ab          two versions side by side: A=v0.1.0 B=HEAD K=hexapawn (tags, revisions, wheels, directories, .)"
	@echo "make trials      show that the comparison bites: sabotaged kernels, delays, equal builds under load"
	@echo "make history     draw docs/results/history.svg from benchmarks/results"
	@echo "make signatures  rewrite tests/data/signatures.json: node counts, table stores, checksums of play"
	@echo "make icount      instructions of each kernel under valgrind, against the stored ones (make icount-save)"
	@echo "make wasm        kernels as WebAssembly, held to the signatures in Node's Pyodide (emscripten, npm, Python 3.11)"
	@echo "make site        the documentation with the explorer in it, which needs no server: static files in site/"
	@echo "make peers       measure us beside OpenSpiel and numba, write docs/results/peers.md"
	@echo "make sanitize    all tests under AddressSanitizer and UndefinedBehaviorSanitizer, at every CPU level, in a copy"
	@echo "make tsan        the tests of threads under ThreadSanitizer, in a copy"
	@echo "make fuzz        coverage-guided fuzzing of every parser and kernel, SECONDS=300 in all"
	@echo "make soak        all games against independent solvers in C and themselves, for SECONDS=300"
	@echo "make coverage    lines of Python that the tests run"
	@echo "make aarch64     build for aarch64 and run its tests under emulation (ARGS=--needs: what that needs)"
	@echo "make workflows   the public host's workflows against their schemas, and by zizmor"
	@echo "make format      format Python and C (make format-check: say what is not formatted)"
	@echo "make clean       remove everything that was built"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "gamecore needs Python 3.11 or later; $(PYTHON) is older: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade "pip>=23.2"
	$(PIP) --constraint tools/build-constraints.txt setuptools Cython

# The stamps say which extras are in .venv. What pip builds is what setup.py has just built, in sight.
.stamp-install: $(SOURCES) | $(BIN)/python
	$(BIN)/python setup.py --quiet build_ext --inplace
	$(PIP) --no-build-isolation --editable .
	@touch $@

.stamp-test: .stamp-install
	$(PIP) --no-build-isolation --editable ".[test,peers,docs,explore-test]"
	@touch $@

.stamp-lint: pyproject.toml | $(BIN)/python
	$(BIN)/python tools/extras.py lint | xargs $(PIP)
	@touch $@

.stamp-docs: .stamp-install
	$(BIN)/python tools/extras.py docs | xargs $(PIP)
	@touch $@

demo: .stamp-install
	$(BIN)/python examples/demo.py

# Tests run on all cores, those of a file in one process: its fixtures are made once.
# A test that hangs has its stacks printed after nine minutes; after ten it fails, and the run ends.
TESTS := $(BIN)/pytest --numprocesses auto --dist loadfile -o faulthandler_timeout=540 \
    --timeout 600 --timeout-method thread --max-worker-restart 0
test: .stamp-test
	$(TESTS)

test-all: demo .stamp-test
	$(TESTS) -m ""
	$(BIN)/pytest --benchmark

lint: format-check
	$(BIN)/ruff check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint pyx
	$(BIN)/python tools/prose.py
	$(BIN)/python tools/audit.py

docs: .stamp-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html is the front page; $(BIN)/mkdocs serve shows it while you write"

wasm: .stamp-install
	$(BIN)/python tools/wasm.py test

site: docs
	$(BIN)/python tools/wasm.py site
	@echo "python -m http.server --directory site shows it: /explore/ is the page"

bench: .stamp-test
	$(BIN)/pytest --benchmark

# The source's versions beside the native ones, few rounds: half a minute.
bench-quick: .stamp-test
	$(BIN)/pytest --benchmark -q --benchmark-max-time=0.1 --benchmark-min-rounds=1 \
	    -k "(test_duel and (5- or 8-)) or test_versions or (test_start and not large \
	    and not size10 and not size11 and not size12 and not (native and (size4 or size5 or size6)))"

baseline: .stamp-test
	$(BIN)/python benchmarks/compare.py save $(ARGS)

compare: .stamp-test
	$(BIN)/python benchmarks/compare.py compare $(ARGS)

# Two CPU levels at once, each level's report whole. No plugin but pytest-benchmark is needed.
COUNTS := PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/pytest -p pytest_benchmark.plugin --benchmark
counts: .stamp-test
	$(COUNTS) --counts=write -q $(ARGS)

counts-check: .stamp-test
	@levels=$$($(BIN)/python -c "from gamecore import kernels; print(*kernels.available_levels(), sep='\n')") && \
	echo "$$levels" | xargs -P 2 -I LEVEL sh -c \
	    'out=$$(GAMECORE_SIMD=LEVEL $(COUNTS) --counts=check -p no:cacheprovider -q $(ARGS) 2>&1); \
	    status=$$?; echo "$$out"; exit $$status'

A ?= HEAD
B ?= .
K ?=
ab: .stamp-install
	$(BIN)/python benchmarks/ab.py "$(A)" "$(B)" -k "$(K)" $(ARGS)

trials: .stamp-install
	$(BIN)/python benchmarks/trials.py $(ARGS)

history: .stamp-test
	$(BIN)/python benchmarks/plot.py benchmarks/results/*.json -o docs/results/history.svg

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
	$(BIN)/python tools/extras.py fuzz | xargs $(PIP)
	@touch $@

SECONDS ?= 300
fuzz: .stamp-fuzz
	$(BIN)/python tools/fuzz/fuzz.py --seconds $(SECONDS) $(ARGS)

soak: .stamp-install
	$(BIN)/python tools/soak.py --seconds $(SECONDS) $(ARGS)

.stamp-coverage: .stamp-test
	$(BIN)/python tools/extras.py coverage | xargs $(PIP)
	@touch $@

coverage: .stamp-coverage
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered

aarch64: .stamp-install
	$(BIN)/python tools/aarch64.py $(ARGS)

workflows: .stamp-lint
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor --offline --no-progress --quiet --config=.github/zizmor.yml .github

C_FILES := $(wildcard pyx/simd/*.h tests/oracles/*.c)
format: .stamp-lint
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i $(C_FILES)

format-check: .stamp-lint
	$(BIN)/ruff format --check --quiet .
	$(BIN)/clang-format --dry-run --Werror $(C_FILES)

clean:
	rm -rf $(VENV) build dist site *.egg-info .stamp-* .mypy_cache .ruff_cache .pytest_cache
	find gamecore -name '*.so' -delete
