# Each target sets up by itself when needed. `make demo` and `make test` are all that a newcomer needs.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
OUT ?= demo-output

.PHONY: setup setup-bench demo test test-browser test-long bench lint types contracts docs clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	touch $@

setup-bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,bench]"

demo: setup
	rm -rf $(OUT)
	$(BIN)/plybook simulate kingdoms --players 4 --games 1000 --seed 7 --bots greedy --out $(OUT)/logs/kingdoms.jsonl
	$(BIN)/plybook run $(OUT)/logs/kingdoms.jsonl --lake $(OUT)/lake --out $(OUT)/report
	@echo
	@echo "Open $(OUT)/report/index.html in a browser."

test: setup
	$(BIN)/python -m pytest -m "not long and not browser"

# Opens the report in Debian's chromium, which must be there: apt-get install chromium
test-browser: setup
	$(BIN)/python -m pytest -m browser

test-long: setup
	$(BIN)/python -m pytest -m long

bench: setup-bench
	$(BIN)/python -m tests.bench

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python -m pipeline.docs
	$(BIN)/python -m tests.warehouse.cookbook

clean:
	rm -rf $(VENV) $(OUT) .mypy_cache .ruff_cache .pytest_cache
