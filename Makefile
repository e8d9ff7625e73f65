# `make run` needs Python 3.11 or later and nothing else; no root.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test bench lint types clean

run: .venv/.stamp
	@exec $(BIN)/python -m config.supervisor

test: .venv/.stamp-dev
	@exec $(BIN)/python -m tests.run

# Speed side by side with trec_eval (on PATH or named by TREC_EVAL) and others: docs/performance.md.
bench: .venv/.stamp-dev
	@exec $(BIN)/python -m bench $(SUBSETS)

lint: .venv/.stamp-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/.stamp-dev
	$(BIN)/mypy

clean:
	rm -rf .venv staticfiles build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# What is pinned is what was tried together. `make run` leaves the tools of development out.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--constraint constraints.txt --editable

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	$(PYTHON) -m venv .venv

.venv/.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[server,postgres,s3]'
	@touch $@

# One call for everything, since each resolves all anew.
.venv/.stamp-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[server,postgres,s3,dev]'
	@touch .venv/.stamp $@
