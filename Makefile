# Needs Python >= 3.11, make and a C compiler; everything else goes into .venv by itself.
# MAINTAINING.md has the commands that are rarer than these targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find pyx -type f) setup.py pyproject.toml
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BUILD = $(BIN)/python setup.py --quiet build_ext --inplace && $(PIP) --no-build-isolation --no-deps --editable .

ARGS ?=

.PHONY: help demo test test-all lint format docs pictures bench counts accept ab lock clean

help:
	@echo "make demo        build for this processor, and solve real positions of every game"
	@echo "make test        the test suite, with the packages of requirements/test.txt"
	@echo "make test-all    its rare and long part too, with other people's libraries, and the benchmarks"
	@echo "make night-PART  what runs by night: address, thread, fuzz, soak, clang, portable, mutants"
	@echo "make lint        formatting, ruff, mypy --strict, cython-lint, the workflows (make format: reformat)"
	@echo "make docs        the documentation site, links checked, into site/"
	@echo "make pictures    every picture of the documentation, drawn anew"
	@echo "make bench       the benchmark suites: each version of each algorithm, side by side; K=duel: a part"
	@echo "make counts      compare the benchmarks' exact work with benchmarks/counts.json at each CPU level, untimed"
	@echo "make accept      write counts.json, icount.json and tests/data/signatures.json anew, and show what changed"
	@echo "make ab          two versions side by side: A=v0.3.0 B=HEAD K=hexapawn (tags, revisions, wheels, directories, .)"
	@echo "make lock        refresh requirements/*.txt: versions and hashes"
	@echo "make clean       remove everything that was built"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "gamecore needs Python 3.11 or later; $(PYTHON) is older: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Which knows --group.
.stamp-pip: | $(BIN)/python
	$(PIP) --upgrade "pip>=25.1,<27"
	@touch $@

# The stamps say what is in .venv. setup.py compiles, in sight; pip finds all of it compiled.
# For make demo: of each kernel the highest level that this processor runs.
.stamp-demo: export GAMECORE_LEVELS = best
.stamp-demo: $(SOURCES) requirements/demo.txt | $(BIN)/python
	$(PIP) --no-compile --require-hashes --requirement requirements/demo.txt
	$(BUILD)
	@touch $@

.stamp-install: $(SOURCES) requirements/test.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement requirements/test.txt
	$(BUILD)
	@touch $@ .stamp-demo

.stamp-all: .stamp-install | .stamp-pip
	$(PIP) --group test-all
	@touch $@

.stamp-lint: pyproject.toml | .stamp-pip
	$(PIP) --group lint
	@touch $@

.stamp-docs: .stamp-install | .stamp-pip
	$(PIP) --group docs
	@touch $@

demo: .stamp-demo
	$(BIN)/python examples/demo.py

# Tests run on all cores, those of a file in one process: its fixtures are made once. Files stay in order: short last.
# A test that hangs has its stacks printed after nine minutes; after ten it fails, and the run ends.
TESTS := $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder -o faulthandler_timeout=540 \
    --timeout 600 --timeout-method thread --max-worker-restart 0
test: .stamp-install
	$(TESTS) $(ARGS)

test-all: demo .stamp-all
	$(TESTS) -m ""
	$(BIN)/pytest --benchmark

C_FILES := $(wildcard pyx/simd/*.h tests/oracles/*.c)
lint: .stamp-lint
	$(BIN)/ruff format --check --quiet .
	$(BIN)/clang-format --dry-run --Werror $(C_FILES)
	$(BIN)/ruff check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint pyx
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor --offline --no-progress --quiet --config=.github/zizmor.yml .github

format: .stamp-lint
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i $(C_FILES)

docs: .stamp-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html is the front page; $(BIN)/mkdocs serve shows it while you write"

# Two are drawn from figures that the pages have; times in hearts-compare.png are of this machine.
pictures: .stamp-all
	$(BIN)/python examples/pictures.py docs/pictures
	$(BIN)/python examples/hexapawn_table.py --draw docs/results/hexapawn.md
	$(BIN)/python examples/hearts_strength.py --page docs/hearts.md --plot docs/results/hearts.png
	GAMECORE_PICTURES=1 $(BIN)/pytest -q tests/explore/test_page_play.py -m "" -k "duel and 1280"

bench: .stamp-install
	$(BIN)/pytest --benchmark -q -k "$(K)" $(ARGS)

# Two CPU levels at once, each level's report whole. No plugin but pytest-benchmark is needed.
COUNTS := PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/pytest -p pytest_benchmark.plugin --benchmark
counts: .stamp-install
	@levels=$$($(BIN)/python -c "from gamecore import kernels; print(*kernels.available_levels(), sep='\n')") && \
	echo "$$levels" | xargs -P 2 -I LEVEL sh -c \
	    'out=$$(GAMECORE_SIMD=LEVEL $(COUNTS) --counts=check -p no:cacheprovider -q $(ARGS) 2>&1); \
	    status=$$?; echo "$$out"; exit $$status'

accept: .stamp-all
	$(COUNTS) --counts=write -q $(ARGS)
	$(BIN)/python tools/icount.py --write
	$(BIN)/python tests/signatures.py --write
	git diff --stat benchmarks tests/data

A ?= HEAD
B ?= .
K ?=
ab: .stamp-install
	$(BIN)/python benchmarks/ab.py "$(A)" "$(B)" -k "$(K)" $(ARGS)

# What runs by night, each part by itself: make night-fuzz SECONDS=60
SECONDS ?= 1800
night-address: .stamp-install
	$(BIN)/python tools/sanitize.py address --jobs 2 $(ARGS)

night-thread: .stamp-install
	$(BIN)/python tools/sanitize.py thread $(ARGS)

night-fuzz: .stamp-install | .stamp-pip
	$(PIP) --group fuzz
	$(BIN)/python tools/fuzz/fuzz.py --seconds $(SECONDS) $(ARGS)

night-soak: .stamp-install
	$(BIN)/python tools/soak.py --seconds $(SECONDS) $(ARGS)

night-mutants: .stamp-all
	$(BIN)/python tools/mutants.py $(ARGS)

# All kernels by another compiler, and without vectors: in copies, since a build replaces the modules.
KERNEL_TESTS := tests/duel tests/hexapawn tests/search tests/rows tests/hearts tests/kit tests/test_oracles.py
night-clang: .stamp-install
	rm -rf build/clang && mkdir -p build/clang && git ls-files -z | xargs -0 cp --parents -t build/clang
	cd build/clang && CC=clang ../../$(BIN)/python setup.py --quiet build_ext --inplace
	cd build/clang && CC=clang PYTHONPATH="$$PWD" ../../$(BIN)/python -m pytest -q --numprocesses auto $(KERNEL_TESTS)

night-portable: .stamp-install
	rm -rf build/portable && mkdir -p build/portable && git ls-files -z | xargs -0 cp --parents -t build/portable
	cd build/portable && GAMECORE_NO_SIMD=1 ../../$(BIN)/python setup.py --quiet build_ext --inplace
	cd build/portable && PYTHONPATH="$$PWD" ../../$(BIN)/python -m pytest -q --numprocesses auto $(KERNEL_TESTS)

# For Python 3.11 and later on every system. UV_DEFAULT_INDEX and the like choose a mirror; no index is written down.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --custom-compile-command "make lock"
lock: | .stamp-pip
	$(PIP) --group lock
	$(LOCK) --group test --output-file requirements/test.txt
	$(LOCK) --group build --output-file requirements/build.txt
	$(LOCK) --group demo --output-file requirements/demo.txt

clean:
	rm -rf $(VENV) build dist site *.egg-info .stamp-* .mypy_cache .ruff_cache .pytest_cache
	find gamecore -name '*.so' -delete
