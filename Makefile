# `make run` and `make test` are all a newcomer needs; `make help` lists the rest.
# Needs CPython 3.11 to 3.15, GNU make (3.81 is enough) and a package index; no compiler, no git.

PYTHON ?= python3
ARGS ?=
UV := uv==0.13.7

BIN := .venv/bin
DEPENDENCIES := .venv/dependencies.stamp
PACKAGE := .venv/package.stamp
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-user --no-deps

# The environment sees its own packages only: a sourced ROS setup, for one, sets PYTHONPATH.
unexport PYTHONPATH PYTHONHOME
# Tests start hundreds of processes: without stored byte code each compiles every module it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install run test nightly mutants fuzz references bench notebooks page format lock upgrade clean FORCE
.PHONY: compile check-lint check-format check-imports check-types check-tests check-evidence check-portable

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo '  ARGS="..." is handed on by run, test (to pytest), fuzz, references and bench; PYTHON=python3.12 chooses the Python'

run: install ## prepare .venv and run the main job
	@$(BIN)/remora run $(ARGS)

test: install check-lint check-format check-imports compile check-types check-tests check-evidence check-portable ## prepare .venv and run every check
	@echo "make test: everything passed."

# Random examples that differ from night to night; --hypothesis-seed in ARGS repeats one.
nightly: install ## the property tests with new random examples, ten times as many
	@REMORA_HYPOTHESIS=nightly $(BIN)/pytest -m hypothesis -o timeout=3600 $(ARGS)

mutants: install ## the kept mutations of the sources, and the share that tests catch
	@$(BIN)/python tests/mutants/run_mutants.py $(ARGS)

install: $(PACKAGE) ## only prepare .venv
	@:

fuzz: install ## 2,000 random scenarios, files and messages of each kind, many broken on purpose
	@PYTHONPATH=tests $(BIN)/python -m fuzz $(ARGS)

references: install ## solve the references of the check-cases again, without the package
	@PYTHONPATH=evidence/tests/checkcases $(BIN)/python -m reference $(ARGS)

bench: install ## speed figures, next to MuJoCo
	@$(BIN)/remora bench $(ARGS)

notebooks: install ## the notebooks of the examples, executed; ARGS="01_first_dive" one of them
	@$(BIN)/python examples/make_notebooks.py $(ARGS)

page: ## bundle the mission page again from viewer/ (needs Node.js and npm)
	cd viewer && npm ci --no-audit --no-fund && node build.mjs

format: install ## let ruff mend and format the sources
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

clean: ## remove .venv, caches and build results
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	find src evidence tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The checks of `make test`, in this order; the first that fails stops the rest.
check = @echo "== $(1)"; $(2) || { echo "make test: FAILED at $(1)" >&2; exit 1; }

check-lint: install
	$(call check,ruff check,$(BIN)/ruff check .)

check-format: install
	$(call check,ruff format --check (mend with: make format),$(BIN)/ruff format --check .)

check-imports: install
	$(call check,import rules (lint-imports),$(BIN)/lint-imports --no-logo)

# Compiling and checking types take one core each, so they run side by side. The generic kernels, needed last, yield to
# everything else, and only those that most portable tests need are compiled: the tests compile what is missing.
# Kernels are locked while they are compiled: pytest waits for those that are not ready.
WARM_UP := $(BIN)/python tests/compiled_kernels.py </dev/null >/dev/null 2>&1

compile: install
	@$(WARM_UP) &
	@NUMBA_CPU_NAME=generic nice $(WARM_UP) batch_kernel general_kernels &

check-types: install
	$(call check,types (mypy),$(BIN)/mypy)

check-tests: install
	$(call check,tests (pytest),$(BIN)/pytest $(if $(ARGS),$(ARGS),tests))

# A process of its own, as for each stage: what tests compile stays in the memory of a worker. With ARGS, the stage
# before has taken the tests that they choose.
check-evidence: install
	$(if $(ARGS),,$(call check,tests of the evidence (pytest),$(BIN)/pytest evidence/tests))

# The numerical tests once more, with code for a processor without fused multiply-add and wide registers: a result that
# stands on the rounding of one processor fails here.
PORTABLE := tests/plant/test_exact_solutions.py tests/plant/test_four_backends.py tests/plant/test_energy.py \
  tests/plant/test_order.py tests/plant/test_symmetries.py tests/plant/test_actuator_lag.py \
  tests/plant/test_derivatives.py \
  evidence/tests/checkcases/test_reference_solutions.py tests/identification/test_output_error.py \
  tests/identification/test_nonlinear_parameters.py tests/identification/test_regression.py \
  tests/run/test_loop.py tests/control/docking/test_docking_solvers.py

check-portable: install
	$(call check,numerical tests for a generic processor,REMORA_NO_WARM_UP=1 NUMBA_CPU_NAME=generic $(BIN)/pytest $(PORTABLE))

# How .venv is made. It is built from nothing when the lock changes, when an earlier install was interrupted
# (no stamp), when the folder was moved (the stamp holds its path), when its Python is gone, or when PYTHON=...
# asks for another version. A change of pyproject.toml alone only installs the package again.
VERSION := import sys; print("%d.%d" % sys.version_info[:2])
FOUND := $(shell [ "$$(cat $(DEPENDENCIES) 2>/dev/null)" = "$$(pwd -P)" ] && $(BIN)/python -c '$(VERSION)' 2>/dev/null)
WANTED := $(if $(filter-out file,$(origin PYTHON)),$(shell "$(PYTHON)" -c '$(VERSION)' 2>/dev/null),$(FOUND))
REBUILD := $(if $(FOUND),$(if $(filter $(FOUND),$(WANTED)),,FORCE),FORCE)

# The Pythons for which every package of the lock has wheels. PyPy and free-threaded Pythons are left out: Numba.
PYTHONS := CPython 3.11 to 3.15
SUPPORTED := import sys, sysconfig; \
  sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15) or sys.implementation.name != "cpython" \
  or bool(sysconfig.get_config_var("Py_GIL_DISABLED")))
define require_python
@command -v "$(PYTHON)" >/dev/null || { \
  echo "Remora needs $(PYTHONS), but '$(PYTHON)' was not found. Install it, or name yours: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
@"$(PYTHON)" -c '$(SUPPORTED)' || { \
  echo "Remora needs $(PYTHONS), but '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1). Name another: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
endef

$(DEPENDENCIES): requirements.lock $(REBUILD)
	$(require_python)
	@echo "Preparing .venv with $$("$(PYTHON)" --version): a minute or two, once."
	@"$(PYTHON)" -m venv --clear .venv
	@$(PIP_INSTALL) --only-binary :all: -r requirements.lock
	@pwd -P > $@

$(PACKAGE): pyproject.toml src/remora/__init__.py evidence/pyproject.toml evidence/hatch_build.py $(DEPENDENCIES)
	@$(PIP_INSTALL) --no-build-isolation --editable . --editable evidence
	@$(BIN)/python -m pip check --disable-pip-version-check || { \
	  echo "requirements.lock does not fit pyproject.toml: run make lock, then try again." >&2; exit 1; }
	@$(BIN)/python -I -c 'import remora, remora_evidence'
	@touch $@

# The lock: one file for every Python and system, without hashes or index hosts. uv is fetched into a temporary
# folder; it reads UV_DEFAULT_INDEX and its kin, not the settings of pip. The build backend is locked with the rest.
LOCK := pip compile --quiet --no-cache --universal --python-version 3.11 --group dev --no-emit-index-url \
  --no-emit-find-links --custom-compile-command "make lock" --output-file requirements.lock

lock: ## write requirements.lock again, keeping the pins that still fit
	$(require_python)
	@tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && "$(PYTHON)" -m venv "$$tools" && \
	"$$tools/bin/python" -m pip install --quiet --disable-pip-version-check --no-user $(UV) && \
	"$$tools/bin/uv" $(LOCK) $(LOCK_OPTIONS) --python "$$tools/bin/python" pyproject.toml

upgrade: ## write requirements.lock again with the newest versions
	@$(MAKE) lock LOCK_OPTIONS=--upgrade
