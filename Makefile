SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := .make

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

$(STAMP)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing; install it with: apt-get install python3-venv" >&2; exit 1; }
	@mkdir -p $(STAMP)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(STAMP)/setup: $(STAMP)/venv pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --disable-pip-version-check --group dev -e .
	$(BIN)/pip install --quiet --disable-pip-version-check --group oracle || echo "open-spiel has no wheel for this Python: the OpenSpiel differential will be counted as skipped"
	@touch $@

$(STAMP)/client-python: $(STAMP)/setup clients/python/pyproject.toml $(wildcard proto/*/*/*/*.proto proto/google/rpc/*.proto)
	$(MAKE) -C clients/python --no-print-directory install PYTHON=$(CURDIR)/$(BIN)/python
	@touch $@

.PHONY: setup
setup: $(STAMP)/setup $(STAMP)/client-python ## make the virtual environment and install everything

.PHONY: test
test: setup ## run the tests
	$(BIN)/pytest -m 'not heavy'

.PHONY: check
check: lint types arch ## lint, types and walls, in under a minute

.PHONY: format
format: setup ## rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet . || true

.PHONY: lint
lint: setup ## ruff
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

.PHONY: types
types: setup ## mypy --strict
	$(BIN)/mypy

.PHONY: arch
arch: setup ## the walls between packages
	$(BIN)/lint-imports

.PHONY: clean
clean: ## remove what the targets made
	$(MAKE) -C clients/python --no-print-directory clean
	rm -rf $(VENV) $(STAMP) build dist demo-out .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

.PHONY: proto
proto: setup ## regenerate the checked-in stubs
	proto/generate.sh $(BIN)/python referee/pb referee.pb

.PHONY: proto-check
proto-check: setup ## buf lint, and stubs equal to what the proto files say
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf build -o /dev/null
	rm -rf $(STAMP)/pb && proto/generate.sh $(BIN)/python $(STAMP)/pb referee.pb
	diff -r -x __pycache__ $(STAMP)/pb/euchre referee/pb/euchre || { echo "the stubs are stale: run make proto and commit" >&2; exit 1; }
