# Two commands for everybody: `make demo` and `make test`. Each makes what it needs. `make test-all` is what CI runs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
OLDEST := .venv-oldest
AUDIT := .venv-audit
FIGURES := fig3 10 11 $(addprefix supplement-,reliability ece-posterior ece-error scatter rankings differences ttts \
	baselines prior-strength ece-prior-strength uniform-informed) $(addprefix workshop-fig,1 2 3 4 5 6 7 8 9 10)
WORKERS ?= auto
SHUFFLED := $(if $(ORDER),-p randomly --randomly-seed=$(ORDER))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-all test-oldest check lint types imports lock audit format bench labels transcript papers card clean \
	docs reference pictures screens notebooks figures house

demo: $(VENV)/.demo
	rm -rf build/demo
	$(BIN)/labelwise demo --out build/demo --no-open

test: $(VENV)/.dev
	.ci/browser
	$(BIN)/python -m pytest --quiet -n $(WORKERS) $(SHUFFLED)

test-all: $(VENV)/.dev
	.ci/browser
	LABELWISE_TESTS=all $(BIN)/python -m pytest --quiet -n $(WORKERS) $(SHUFFLED)

# The same as `make test`, with the lowest versions of all libraries that pyproject.toml allows.
test-oldest: $(OLDEST)/.installed
	.ci/browser
	$(OLDEST)/bin/python -m pytest --quiet -n $(WORKERS)

check: lint types imports test-all

# The versions that CI installs, and whether any of them is known to be vulnerable.
lock: $(AUDIT)/.installed
	.ci/lock $(AUDIT)/bin/uv

audit: $(AUDIT)/.installed
	$(AUDIT)/bin/python .ci/audit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH)/.installed
	$(BENCH)/bin/python -m benchmarks.speed

labels: $(BENCH)/.installed
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps ssepy==0.1.1
	$(BENCH)/bin/python -m benchmarks.labels

house: $(VENV)/.dev
	@$(BIN)/python -m benchmarks.house

transcript: $(VENV)/.dev
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/whole_loop.sh "$${LABELWISE_DATA:-../shared/data}" > docs/transcript.md

papers: $(VENV)/.dev
	$(BIN)/python -m papers --data "$${LABELWISE_DATA:-../shared/data}" --out docs/reproduction.md

card: $(VENV)/.dev
	$(BIN)/labelwise study card --runs 10000 --out docs/coverage.md --json > src/labelwise/report/coverage.json

# The site, with its references made anew; nothing in it asks another host.
docs: $(VENV)/.docs reference
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=. $(BIN)/mkdocs build --quiet
	@echo "build/site/index.html"

reference: $(VENV)/.docs
	$(BIN)/python -m website.commands

pictures: $(VENV)/.dev
	$(BIN)/python -m website.pictures

screens: $(VENV)/.dev
	$(BIN)/python -m website.screens

notebooks: $(VENV)/.dev
	$(BIN)/python -m website.notebooks

figures: $(VENV)/.dev
	$(BIN)/python -m papers $(FIGURES) --data "$${LABELWISE_DATA:-../shared/data}" --charts docs/figures > /dev/null
	$(BIN)/python -m website.figures

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[docs]'
	touch $@

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[demo]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[dev]'
	touch $@

# The rivals bring gigabytes and their own versions of things: they get an environment of their own.
$(BENCH)/.installed: benchmarks/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[charts,postgres,simulate]' --requirement benchmarks/requirements.txt
	touch $@

$(OLDEST)/.installed: pyproject.toml .ci/oldest
	$(PYTHON) -m venv $(OLDEST)
	.ci/oldest > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint $(OLDEST)/constraints.txt
	touch $@

$(AUDIT)/.installed:
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check pip-audit uv
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) $(BENCH) $(OLDEST) $(AUDIT) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
