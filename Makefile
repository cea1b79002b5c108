# make run    set up what is missing and serve the site        make check  lint, types, rules, docs
# make test   set up what is missing and run the whole suite   make bench  the benchmarks
# make docs   write the generated pages anew

VENV := .venv
BIN := $(VENV)/bin
UV := uv==0.13.9
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	if $$p -c '$(NEW_ENOUGH)' 2>/dev/null; then echo $$p; break; fi; done)

EACH_CORE := --numprocesses auto --maxprocesses 4 --dist loadfile

ifdef PORT
export PORT
endif
.PHONY: run test check bench docs runtime development browser

run: runtime
	@exec $(BIN)/python manage.py serve

# A process a core; the browser tests after the others, since Chromium takes what it can get.
test: development browser
	@$(BIN)/python -m pytest -m "not browser" $(EACH_CORE)
	@if command -v chromium >/dev/null; then $(BIN)/python -m pytest -m browser $(EACH_CORE); fi

check: development
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python manage.py makemigrations --check --dry-run
	@$(BIN)/python manage.py docs_pages --check
	@$(BIN)/python -m config.settings_page --check

bench: development
	@$(BIN)/python -m benchmarks

docs: development
	@$(BIN)/python manage.py docs_pages
	@$(BIN)/python -m config.settings_page

runtime:
	@$(call install,requirements.txt)

development:
	@$(call install,requirements-dev.txt)

# Makes the virtual environment and installs a file of pinned packages, unless its state, known by
# its hash, was installed before. uv comes from the package index and takes a tenth of pip's time.
define install
set -e; \
fail() { echo "$$1" >&2; exit 1; }; \
if ! $(BIN)/python -c '$(NEW_ENOUGH)' 2>/dev/null; then \
	[ -n "$(PYTHON)" ] || fail "Plumbline needs Python 3.11 or newer; name one with PYTHON=…"; \
	$(PYTHON) -c '$(NEW_ENOUGH)' 2>/dev/null || fail "$(PYTHON) is not Python 3.11 or newer."; \
	[ -w . ] || fail "The folder $(CURDIR) cannot be written."; \
	echo "Making $(VENV) …"; \
	$(PYTHON) -m venv --clear $(VENV) >/dev/null || \
		fail "$(VENV) could not be made; on Debian: apt-get install python3-venv"; \
fi; \
state="$$(cat requirements.txt $(1) | sha256sum)"; \
if [ "$$state" != "$$(cat $(VENV)/$(1).installed 2>/dev/null)" ]; then \
	[ -w $(VENV) ] || fail "The folder $(CURDIR)/$(VENV) cannot be written."; \
	echo "Installing the packages of $(1) …"; \
	[ -x $(BIN)/uv ] || $(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV) || \
		fail "uv could not be installed from the package index."; \
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r $(1) || \
		fail "The packages of $(1) could not be installed."; \
	echo "$$state" > $(VENV)/$(1).installed; \
fi
endef

# The browser tests drive Debian's Chromium, and the page's reducer is tested with Node. Where they
# cannot be installed these tests are left out, which a person may accept and a CI run may not.
browser:
	@missing=""; \
	command -v chromium >/dev/null || missing="chromium fonts-dejavu-core"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	if [ -n "$$missing" ]; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing $$missing …"; \
			{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
				--no-install-recommends $$missing; } >/dev/null; \
		elif [ "$(CI)" = true ]; then \
			echo "Not installed: $$missing. These tests may not be left out in CI." >&2; exit 1; \
		else \
			echo "Some tests are left out, for want of: $$missing."; \
		fi; \
	fi
