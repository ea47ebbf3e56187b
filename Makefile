# Everything a person types. `make` alone lists it.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
PYTHON_IN_VENV := $(VENV)/bin/python
PIP_INSTALL := $(PYTHON_IN_VENV) -m pip install --disable-pip-version-check --require-hashes
# Of what pip prints, the names of the packages while it fetches them, and that it unpacks them.
NAMES_OF_PACKAGES := sed -un -e 's/^Collecting \([^ ;]*\).*/  \1/p' -e 's/^Installing collected packages.*/  unpacking all of them/p'
LLAMA_VENV := .venv-llama
FOREIGN_VENVS := .venv-foreign
FOREIGN_PROGRAMS := scout concordia sotopia
# Three processes for two cores: they often wait for processes that they start, and for time.
TEST_WORKERS ?= $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 )))
# A module runs in one of them, so that what its tests share is made once.
PYTEST = $(PYTHON_IN_VENV) -m pytest --numprocesses $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder
SOURCES := apps benchmarks clients/python migrations smallville_api tests tools manage.py
LOCK := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header

.PHONY: help run test test-fast test-guides test-long test-browser test-all test-llama test-foreign examples check static format client lock costs picture clean

# Tests start many processes of the service. They load compiled modules in place of compiling them.
unexport PYTHONDONTWRITEBYTECODE

help: ## List what can be asked for
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: $(VENV)/.installed ## Bring Smallville to life and serve it on http://127.0.0.1:$PORT (8000)
	@exec $(PYTHON_IN_VENV) manage.py serve

test: $(VENV)/.installed-dev ## Run the tests, on TEST_WORKERS processes with a PostgreSQL each (10 minutes)
	@exec $(PYTEST) --ignore tests/long --ignore tests/browser --ignore tests/guides $(TESTS)

test-fast: $(VENV)/.installed-dev ## Run the tests that need no database and no process (a minute)
	@exec $(PYTEST) --numprocesses auto -m "not django_db" tests/unit tests/architecture tests/contract

test-guides: $(VENV)/.installed-dev ## Run all blocks of README and guides, compare their outputs (4 minutes); ARGS=--record writes them
	@exec $(PYTEST) --numprocesses 2 --durations 0 --durations-min 1 tests/guides $(ARGS)

examples: $(VENV)/.installed-dev ## Record the examples of requests and responses in the OpenAPI document from the acceptance tests
	@exec $(PYTHON_IN_VENV) -m pytest -q -p no:randomly tests/acceptance/api --record-examples $(addprefix --ignore tests/acceptance/api/,test_bad_input.py test_rights.py test_schema.py test_text.py test_tokens.py)

test-long: $(VENV)/.installed-dev ## Run the tests that need hours of game time
	@exec $(PYTEST) tests/long

test-browser: $(VENV)/.installed-dev ## Run the tests of the page in Chromium, which has to be installed (2 minutes)
	@exec $(PYTEST) --numprocesses 2 tests/browser

test-all: $(VENV)/.installed-dev ## Run all of these tests
	@# In one session, so that no process waits for the last tests of a tier. The page has another:
	@# the event loop of its driver stays in the process.
	@$(PYTEST) --ignore tests/browser --durations 30 tests
	@$(MAKE) --no-print-directory test-browser

test-llama: $(VENV)/.installed-dev $(LLAMA_VENV)/.installed ## People live by SmolLM2 on llama.cpp (130 MB are installed); no part of `test`; ARGS="-k hour" is the first hour
	@LLAMA_PYTHON=$(LLAMA_VENV)/bin/python $(PYTHON_IN_VENV) -m pytest -p no:randomly --durations 0 --durations-min 1 tests/llama/living.py $(ARGS)

test-foreign: $(VENV)/.installed-dev $(FOREIGN_PROGRAMS:%=$(FOREIGN_VENVS)/%/.installed) ## Exports read by Inspect Scout, concordia-log and Sotopia (1.2 GB are installed); no part of `test`
	@FOREIGN_VENVS=$(FOREIGN_VENVS) $(PYTHON_IN_VENV) -m pytest tests/foreign/reading.py

check: static test-all ## All that must hold before a change is handed in: static checks and tests

static: $(VENV)/.installed-dev ## Formatting, lint, types, layers, missing migrations
	@$(VENV)/bin/ruff format --check $(SOURCES)
	@$(VENV)/bin/ruff check $(SOURCES)
	@$(VENV)/bin/mypy $(filter-out migrations,$(SOURCES))
	@$(VENV)/bin/lint-imports
	@$(PYTHON_IN_VENV) -m pytest -q tests/generated_client/checked_types.py
	@# Named one by one: for an app whose folder of migrations is missing, Django is silent.
	@$(PYTHON_IN_VENV) manage.py makemigrations --check --dry-run \
		$$($(PYTHON_IN_VENV) -c 'from smallville_api.settings import MIGRATION_MODULES as m; print(*m)')

format: $(VENV)/.installed-dev ## Rewrite the sources as the formatter wants them
	@$(VENV)/bin/ruff format $(SOURCES)
	@$(VENV)/bin/ruff check --fix $(SOURCES)

client: $(VENV)/.installed-dev ## Write what is generated of the Python client, from the OpenAPI document
	@exec $(PYTHON_IN_VENV) manage.py write_python_client

lock: $(VENV)/.installed-dev ## Pin every dependency, with hashes and without the address of an index
	@test -x $(VENV)/bin/uv || $(PYTHON_IN_VENV) -m pip install --quiet --disable-pip-version-check uv
	@$(LOCK) pyproject.toml --output-file requirements-production.txt
	@$(LOCK) pyproject.toml --group embedded --output-file requirements.txt
	@$(LOCK) pyproject.toml --group embedded --group dev --output-file requirements-dev.txt
	@$(LOCK) --group llama --no-deps --output-file requirements-llama.txt
	@$(LOCK) --group scout --output-file requirements-scout.txt
	@$(LOCK) --group sotopia --output-file requirements-sotopia.txt
	@# Its program for logs needs the standard library only, and runs on Python 3.11 too.
	@$(LOCK) --group concordia --python-version 3.12 --no-deps --output-file requirements-concordia.txt
	@# Installed into the service's own environment, so with its versions.
	@$(LOCK) --group parquet --constraint requirements.txt --output-file requirements-parquet.txt
	@$(LOCK) --group evaluation --constraint requirements.txt --output-file requirements-evaluation.txt

costs: $(VENV)/.installed-dev ## Measure what LLM tasks and presets cost and write docs/benchmarks (an hour)
	@$(PYTHON_IN_VENV) -m benchmarks.cost_of_tasks 3 --write after
	@$(PYTHON_IN_VENV) -m benchmarks.cost_of_tasks --write after
	@$(PYTHON_IN_VENV) -m benchmarks.cost_of_tasks --table
	@$(PYTHON_IN_VENV) -m benchmarks.cost_of_presets --agents 3
	@$(PYTHON_IN_VENV) -m benchmarks.cost_of_presets

picture: $(VENV)/.installed ## Draw docs/pictures/smallville.png from the map of worlds/smallville
	@$(PYTHON_IN_VENV) -m worlds.drawing.picture worlds/smallville docs/pictures/smallville.png

clean: ## Remove what was installed and cached; the town in .smallville stays
	@rm -rf $(VENV) $(LLAMA_VENV) $(FOREIGN_VENVS) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.installed: requirements.txt | $(VENV)/.made
	@echo "Installing what the service needs into $(VENV), once."
	@$(PIP_INSTALL) --requirement requirements.txt | $(NAMES_OF_PACKAGES)
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt | $(VENV)/.made
	@echo "Installing what development needs into $(VENV), once."
	@$(PIP_INSTALL) --requirement requirements-dev.txt | $(NAMES_OF_PACKAGES)
	@touch $@ $(VENV)/.installed

# Apart from the service's own environment: none of its packages are needed there.
$(LLAMA_VENV)/.installed: requirements-llama.txt $(VENV)/.made
	@$(PYTHON_IN_VENV) -m venv $(LLAMA_VENV)
	@$(LLAMA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--require-hashes --requirement requirements-llama.txt
	@touch $@

# A program each, since their packages exclude each other.
$(FOREIGN_VENVS)/%/.installed: requirements-%.txt $(VENV)/.made
	@$(PYTHON_IN_VENV) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--ignore-requires-python --require-hashes --requirement requirements-$*.txt
	@touch $@

# The first Python that is new enough makes the environment; PYTHON=... names another.
$(VENV)/.made:
	@for candidate in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
		if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			found="$$candidate"; break; \
		fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
		echo "Smallville needs Python 3.11 or newer: install it, or name it as in 'make run PYTHON=/path/to/python3.12'." >&2; \
		exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "This Python cannot make virtual environments: install its venv module (on Debian and Ubuntu: apt-get install python3-venv)." >&2; \
		exit 1; \
	fi; \
	echo "Making the environment $(VENV) with $$("$$found" --version), once."; \
	"$$found" -m venv $(VENV)
	@touch $@
