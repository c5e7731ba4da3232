# make demo: train on real data, certify the trained layer.   make test: everything that CI checks.
# make bench: the tables of speed in the docs.   make gpu: the same on a GPU.
# The first two set up what they need in .venv first; PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= python3
BIN := .venv/bin
SETUP := .venv/.complete

.PHONY: setup demo test lint types docs ledger pytest coverage bench bench-exact bench-engine bench-slices gpu clean
.DEFAULT_GOAL := test

setup: $(SETUP)

# Marked complete only after the install has succeeded, so that a broken attempt is made again.
$(SETUP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; choose one with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[nn,data,plot,test,docs]'
	@touch $@

demo: setup
	rm -rf runs/demo
	$(BIN)/ewsnn train --out runs/demo
	$(BIN)/ewsnn check runs/demo

# Types and docs keep one core each, so they run side by side; pytest comes last, and alone, on all cores.
test: setup
	$(MAKE) --jobs=2 lint types docs
	$(MAKE) pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/pyright

docs: ledger
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -c docs . _build/html

# Also writes the page of the docs that maps statements to checks.
ledger: setup
	$(BIN)/python -m proofs_checks --markdown docs/reference/paper_map.md

# Last, so that its summary is the last line of `make test`. A file stays on one core, since what it compiles is kept.
pytest: setup
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

coverage: setup
	$(BIN)/python -m pytest --cov --cov-report=term

bench: bench-exact bench-engine bench-slices

# The exact side beside its peers, which live in an environment of their own.
bench-exact: .venv-bench/.complete
	.venv-bench/bin/python -m ewsmath.benchmarks --repeats 9 --profile --json docs/results/exact_speed.json

# The engine beside its opponents; other libraries are installed in .venv-peers. Over an hour, so a file for each group.
GROUPS := deep uea length depth-one signature accuracy
bench-engine: setup
	for group in $(GROUPS); do \
		$(BIN)/ewsnn bench engine --only $$group --json docs/results/engine_$$group.json || exit 1; \
	done

bench-slices: setup
	$(BIN)/python -m ewsnn.benchmarks.slices --json docs/results/slices.json

# On a machine with a GPU, from a plain checkout: tests and benchmarks, and the GPU table of the docs.
gpu:
	PYTHONPATH=. $(PYTHON) -m ewsnn.benchmarks.gpu

.venv-bench/.complete: pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .venv-bench _build dist build
