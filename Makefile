# Two commands: `make docs` builds the site, `make test` proves it. `make help` lists the rest.

# Settings
PY ?= python3
# An extra package index for torch. On Linux the default index serves builds for NVIDIA cards (several GB);
# PyTorch's install page names the index of the builds for the CPU: make test TORCH_CPU_INDEX=<that address>
TORCH_CPU_INDEX ?=
PORT ?= 8000
# Test processes side by side; a file's tests stay in one of them
WORKERS ?= 2

TORCH := torch==2.13.0
TORCH_ARGS := $(if $(TORCH_CPU_INDEX),--retries 0 --extra-index-url $(TORCH_CPU_INDEX))
RUN := .venv/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check
CHROMIUM := $(firstword $(foreach name,chromium chromium-browser google-chrome google-chrome-stable chrome,$(shell command -v $(name) 2>/dev/null)))

# Hides the notice about its successor that the theme prints at each build
export NO_MKDOCS_2_WARNING := 1
# One thread: the arrays are small, and the tests' times stay even
export OPENBLAS_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help docs test faults bench elsewhere check fonts serve browser stills captures notebooks lock clean

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

docs: writable .venv/docs.ok ## build the whole site into site/ (environment, figures, strict build)
	$(RUN) -m figures_src
	VITATTN_CACHE=true $(RUN) -m mkdocs build --strict

test: docs .venv/test.ok ## make docs, then the tests: core, figures, pages, examples, browser
	$(RUN) -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

faults: docs .venv/test.ok ## plant each seeded fault in a copy of the tree: its tests must fail (a run broken off goes on)
	$(RUN) -m tests.faults

bench: docs .venv/test.ok ## print weights and times of page and core, as ratios in one run
	$(RUN) -m tests.measured.bench
	$(RUN) -m tests.measured.page_lengths

elsewhere: ## build in unusual places (path, user, locale, day, other Pythons) and compare; two minutes each
	$(PY) -m tests.elsewhere $(PLACES)

check: .venv/docs.ok .venv/test.ok ## format, lint, types and spelling, make test and fonts, then HTML validity (Java), Lighthouse, reader view and Firefox (Node)
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m codespell_lib
	$(MAKE) test
	$(RUN) -m tests.gates.check_fonts
	@$(MAKE) --no-print-directory node_modules
	$(RUN) -m tests.gates.check_html
	$(RUN) -m tests.gates.check_lighthouse
	$(RUN) -m tests.gates.check_reader
	$(RUN) -m tests.gates.check_firefox
	$(RUN) -m tests.gates.check_film

fonts: docs .venv/test.ok ## look at every page in DejaVu, Liberation and Noto: no text on another, none cut off
	$(RUN) -m tests.gates.check_fonts

serve: .venv/docs.ok ## show the site at http://127.0.0.1:PORT and rebuild it when a file is saved
	$(RUN) -m figures_src
	VITATTN_CACHE=true $(RUN) -m mkdocs serve --livereload --dev-addr 127.0.0.1:$(PORT)

browser: ## install the system's own Chromium for the browser tests, or say which package to install
	@if [ -n "$(CHROMIUM)" ]; then echo "make browser: found $(CHROMIUM)"; \
	elif command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
		apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core; \
	elif command -v apt-get >/dev/null 2>&1; then \
		echo "make browser: run: sudo apt-get install chromium"; \
	elif command -v dnf >/dev/null 2>&1; then echo "make browser: run: sudo dnf install chromium"; \
	elif command -v pacman >/dev/null 2>&1; then echo "make browser: run: sudo pacman -S chromium"; \
	elif command -v brew >/dev/null 2>&1; then echo "make browser: run: brew install --cask chromium"; \
	else echo "make browser: install Chromium or Chrome, and put its folder on PATH."; fi

stills: docs .venv/test.ok .venv/stills.ok ## make the files to take away, the film and the pictures of README and links anew (needs a Chromium)
	$(RUN) -m figures_src.by_hand.stills
	$(RUN) -m figures_src.by_hand

captures: .venv-captures/ok ## run the trained model again (about 300 MB, half an hour) and compare with figures_src/inputs/captures/
	.venv-captures/bin/python -m figures_src.by_hand.captures.make --check

notebooks: .venv/test.ok ## run the notebook that trains a model anew and keep its outputs
	$(RUN) -m figures_src.by_hand.notebooks

lock: ## write all requirement locks anew from the .in files (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--no-emit-find-links requirements-test.in -o requirements-test.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--no-emit-find-links -c requirements-test.txt requirements-docs.in -o requirements-docs.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-deps --no-header --no-emit-index-url \
		--no-emit-find-links requirements-captures.in -o requirements-captures.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--no-emit-find-links requirements-stills.in -o requirements-stills.txt

clean: ## remove what the other commands made, the environment included
	rm -rf .venv .venv-captures node_modules build site .pytest_cache .ruff_cache .mypy_cache .hypothesis .cache test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: writable
writable:
	@test -w . || { echo "make: $(CURDIR) cannot be written, and make puts .venv, build and site there: copy it to where you may write"; exit 1; }

# The environment. Each .ok file marks one finished step; a changed lock runs its step again.
.venv/python.ok:
	@command -v $(PY) >/dev/null 2>&1 || { echo "make: $(PY) was not found: install Python 3.11 or newer, or name one: make PY=python3.12"; exit 1; }
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PY) is older than 3.11: install Python 3.11 or newer, or name one: make PY=python3.12"; exit 1; }
	@$(PY) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PY) has no venv module: install it (Debian and Ubuntu: apt-get install python3-venv)"; exit 1; }
	$(PY) -m venv .venv
	@touch $@

.venv/docs.ok: requirements-docs.txt .venv/python.ok
	$(PIP) --require-hashes -r requirements-docs.txt
	@touch $@

.venv/test.ok: requirements-test.txt Makefile .venv/docs.ok
	$(PIP) --require-hashes -r requirements-test.txt
	@echo "make: installing $(TORCH), which the tests compare with: about 200 MB from an index of CPU builds, on macOS and"
	@echo "make: Windows less; on Linux several GB from the default index (TORCH_CPU_INDEX in the README avoids it)."
	$(PIP) $(TORCH_ARGS) $(TORCH)
	@touch $@

.venv/stills.ok: requirements-stills.txt .venv/test.ok
	$(PIP) --require-hashes -r requirements-stills.txt
	@touch $@

.venv-captures/ok: requirements-captures.txt .venv/python.ok
	$(PY) -m venv .venv-captures
	.venv-captures/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-captures.txt
	@touch $@

# What `make check` takes from npm. Without npm nothing fails here: the checks name what they miss.
node_modules: package.json package-lock.json
	@if command -v npm >/dev/null 2>&1; then echo "npm ci"; npm ci --no-progress --loglevel=error && touch $@ || echo "make: npm ci failed"; \
	else echo "make: npm was not found: HTML validity, Lighthouse, reader view and Firefox cannot be checked."; fi
