# Every target does all its own set-up in .venv; only Python 3.11+ and make are needed.
# A stamp file per set of packages makes the second call fast.

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
WORKERS ?= 2
PYTEST = $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -p tests.figures

# Sources, tests and pages are UTF-8, whatever the system's own encoding is.
export PYTHONUTF8 = 1
export NO_MKDOCS_2_WARNING = 1
export EDGEWISE_CACHE_DIR ?= $(CURDIR)/$(VENV)/kernels
# Tests start hundreds of processes: each would compile our modules to bytecode anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-slow test-all bench lint docs generate docs-tables clean

help:
	@echo "make demo      profile a generated graph and write a report"
	@echo "make test      run the tests (ARGS=tests/io for a part of them)"
	@echo "make test-all  run the tests, then the long ones"
	@echo "make bench     measure beside other libraries"
	@echo "make lint      check style and types"
	@echo "make docs      build the documentation in site/"
	@echo "make generate  write the stubs and the tables in the docs (after a change of a table)"
	@echo "make clean     remove what these made"

demo: $(VENV)/ready-run
	$(BIN)/edgewise demo

test: $(VENV)/ready-test
	$(PYTEST) -m "not slow" $(ARGS)

test-slow: $(VENV)/ready-test
	$(PYTEST) -m slow $(ARGS)

test-all: test
	$(MAKE) test-slow

bench: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks gap

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

generate docs-tables: $(VENV)/ready-run
	$(BIN)/python -m docs.tables

docs: $(VENV)/ready-dev
	$(BIN)/python -m mkdocs build --strict --quiet
	@echo "The documentation is in site/index.html"

$(VENV)/ready-run: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Edgewise needs Python 3.11 or newer; none was found" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "$(PYTHON) -m venv failed; is its venv module installed?" >&2; exit 1; }
	@echo "Preparing $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(VENV)/ready-test: $(VENV)/ready-run
	@$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/ready-bench: $(VENV)/ready-run
	@$(PIP) --editable '.[bench]'
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready-run
	@$(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f edgewise-report.html
	find . -name __pycache__ -prune -exec rm -rf {} +
