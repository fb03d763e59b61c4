# Two commands for everybody: `make demo` and `make test`. Each makes what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check lint types imports format bench labels transcript reproduction card clean

demo: $(VENV)/.demo
	rm -rf build/demo
	$(BIN)/labelwise demo --out build/demo --no-open

test: $(VENV)/.dev
	.ci/browser
	$(BIN)/python -m pytest --quiet -n auto

check: lint types imports test

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

transcript: $(VENV)/.dev
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/whole_loop.sh "$${LABELWISE_DATA:-../shared/data}" > docs/transcript.md

reproduction: $(VENV)/.dev
	$(BIN)/labelwise reproduce --data "$${LABELWISE_DATA:-../shared/data}" --out docs/reproduction.md

card: $(VENV)/.dev
	$(BIN)/labelwise card --runs 10000 --out docs/coverage.md --json > src/labelwise/report/coverage.json

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[demo]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[dev]'
	touch $@

# The rivals bring gigabytes and their own versions of things: they get an environment of their own.
$(BENCH)/.installed: benchmarks/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[simulate,charts]' --requirement benchmarks/requirements.txt
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) $(BENCH) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
