# Every target sets up what it needs, in a fresh clone, with Python >= 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

# Tests and the bench start thousands of processes: each would compile all that it loads once more.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test attack check mypy pyright bench docs screenshots where clean

demo: $(READY)  ## play a small world into a log and show who knew what, when
	@$(BIN)/whoknew demo

test: $(READY)  ## all tests, on all processors; ARGS="-k name" picks some
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(ARGS)

attack: $(READY)  ## MINUTES=10 of kills, damage and hostile peers; SEED=n, ONLY=name, ROUND=k for one again
	$(BIN)/python tests/adversity $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY)) $(if $(ROUND),--round $(ROUND))

check: $(READY)  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory -j 2 --output-sync=target mypy pyright

mypy pyright: $(READY)
	$(BIN)/$@

bench: $(READY)  ## how fast, beside the limit in the same run; QUICK=1 for a smoke of each
	$(BIN)/python tests/bench $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(AGAINST),--against $(AGAINST))

docs: $(READY)  ## a site in site/: the documents, every command's help, a reference of all public names
	$(BIN)/properdocs build --strict --quiet

screenshots: $(READY)  ## every view of the page in site/screenshots/, at four widths, light and dark
	$(BIN)/python docs/screenshots.py

where: $(READY)  ## where something is decided: WORDS="largest request"; without, every file
	@$(BIN)/python docs/where.py "$$WORDS"

$(READY): pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c .ci/constraints.txt -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
