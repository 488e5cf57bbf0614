# Build, test, show. `make` alone lists the targets.
#
# `demo` builds the program without SQL: DataFusion would be most of the time. `test` builds DataFusion once, in the release
# profile; clippy and the docs share one more pass that only checks types. Two rules keep it so: the crates of LARGE are
# always named together (alone they select other features of shared dependencies, which builds them again), and always with
# --release. The small crates are tested in the dev profile for its overflow checks and debug assertions.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo test verify perft bench docs audit clean toolchain readers python python-test duckdb clients cluster-test page page-test page-shots

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)

SMALL := -p halfmove-bitboard -p halfmove-techniques -p halfmove-rules -p halfmove-mailbox -p halfmove-game -p halfmove-codecs -p halfmove-engine -p halfmove-lab --features halfmove-rules/std,halfmove-rules/serde
LARGE := --release -p halfmove-functions -p halfmove-archive -p halfmove-sql -p halfmove-server -p halfmove-cli -p halfmove-python -p halfmove-duckdb

# nextest where it is installed. Neither of the two runs doc tests.
NEXTEST := $(shell $(CARGO) nextest --version >/dev/null 2>&1 && echo yes)
ifeq ($(NEXTEST),yes)
RUN_TESTS := $(CARGO) nextest run --locked --tests
RUN_IGNORED := $(CARGO) nextest run --locked --no-fail-fast --tests --run-ignored only
IGNORED_ARGS :=
else
RUN_TESTS := $(CARGO) test --locked --tests
RUN_IGNORED := $(CARGO) test --locked --no-fail-fast --tests
IGNORED_ARGS := -- --ignored
endif

# The large collections that `verify` and `perft` read, and the largest perft count that they check: 5,000,000 leaves in
# `verify` and a billion in `perft`, unless HALFMOVE_PERFT_NODES is set.
HALFMOVE_DATA ?=
HALFMOVE_PERFT_NODES ?=

say = @printf '\n==> %s\n' $(1)

help: ## List the targets
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14
	@echo
	@echo 'They need the toolchain of rust-toolchain.toml (rustup installs it) and a C compiler (for zstd).'
	@echo '`demo` compiles for a few minutes, once; `test` compiles DataFusion, too, which takes many.'

demo: toolchain ## Build the program without SQL, import 20,816 games, search, explore, show, export, serve
	$(call say,'build the program$(,) without SQL')
	$(CARGO) build --locked --release -p halfmove-cli --no-default-features --features server
	@HALFMOVE="$(TARGET)/release/halfmove" DEMO="$(TARGET)/demo" bash demo/demo.sh

test: toolchain readers ## Format, lints, tests, doc tests, docs; warnings are errors
	$(call say,'format$(,) and the lock files of fuzz and bench/peers$(,) which are not built here')
	$(CARGO) fmt --all --check
	$(CARGO) update --quiet --workspace --locked --manifest-path fuzz/Cargo.toml
	$(CARGO) update --quiet --workspace --locked --manifest-path bench/peers/Cargo.toml
	$(call say,'the small crates (neither Arrow nor a query engine): tests$(,) and the direction of the arrows between all crates; bench: pages and records')
	$(RUN_TESTS) $(SMALL) -p halfmove-bench
	$(call say,'the small crates: doc tests')
	$(CARGO) test --locked --doc $(SMALL)
	$(call say,'clippy (type-checks DataFusion once)')
	$(CARGO) clippy --locked --release --workspace --all-targets -- -D warnings
	$(call say,'docs')
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --release --workspace --no-deps
	$(call say,'functions$(,) archive$(,) sql$(,) server$(,) cli$(,) python$(,) duckdb: tests (builds DataFusion once)')
	PYTHON="$$($(ASK_READERS) && echo "$(PYTHON)")" $(RUN_TESTS) $(LARGE)
	$(call say,'functions$(,) archive$(,) sql$(,) server$(,) cli$(,) duckdb: doc tests')
	$(CARGO) test --locked --doc $(LARGE)
	@$(ASK_READERS) || echo $(NO_READERS) >&2

verify: toolchain clients ## The long tests, on the large collections in HALFMOVE_DATA
	@if [ ! -d "$(HALFMOVE_DATA)" ]; then \
	    echo 'verify: HALFMOVE_DATA names no folder; run: make verify HALFMOVE_DATA=/path/to/collections' >&2; \
	    echo '  It holds large/*.pgn.zst, medium/, smoke/, suites/{perft,movegen,polyglot,fen,tactics,mates,endgames}/' >&2; \
	    echo '  and the answers in expected/{explorer_*,smoke_200,stats}.tsv. CONTRIBUTING.md, "The large collections", says more.' >&2; \
	    exit 2; \
	fi
	HALFMOVE_DATA="$(abspath $(HALFMOVE_DATA))" HALFMOVE_PERFT_NODES=$(or $(HALFMOVE_PERFT_NODES),5000000) \
	    $(RUN_IGNORED) --release --workspace $(IGNORED_ARGS)
	$(call say,'archives in object stores$(,) and the program without SQL')
	$(RUN_TESTS) --release -p halfmove-archive -p halfmove-sql --features halfmove-archive/object-store$(,)halfmove-sql/object-store
	$(RUN_TESTS) --release -p halfmove-cli --no-default-features --features server
	@$(MAKE) --no-print-directory page-test
	@$(MAKE) --no-print-directory python-test
	@$(MAKE) --no-print-directory cluster-test

perft: toolchain ## Each count of the perft suites in HALFMOVE_DATA up to a billion leaves, by two ways
	@if [ ! -d "$(HALFMOVE_DATA)/suites/perft" ]; then \
	    echo 'perft: HALFMOVE_DATA names no folder with suites/perft; run: make perft HALFMOVE_DATA=/path/to/collections' >&2; \
	    echo '  HALFMOVE_PERFT_NODES sets the largest count, 1000000000 if it is not given.' >&2; \
	    exit 2; \
	fi
	HALFMOVE_DATA="$(abspath $(HALFMOVE_DATA))" HALFMOVE_PERFT_NODES=$(or $(HALFMOVE_PERFT_NODES),1000000000) \
	    $(CARGO) test --locked --release -p halfmove-rules --test rules -- --ignored --nocapture perft_counts_of_the_whole_suites

bench: toolchain ## Measure, beside pgn-extract and python-chess where they are installed (bench/README.md)
	CARGO="$(CARGO)" HALFMOVE_DATA="$(HALFMOVE_DATA)" bash bench/run.sh

docs: toolchain ## The book and the API reference, in target/book and target/doc
	@command -v mdbook >/dev/null || { \
	    echo '==> mdbook is not installed: cargo install --locked mdbook'; $(CARGO) install --locked mdbook; }
	mdbook build docs --dest-dir "$(abspath $(TARGET)/book)"
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --release --workspace --no-deps
	@echo "book: $(TARGET)/book/index.html   API: $(TARGET)/doc/halfmove_archive/index.html"

# The page is committed as it is built, so that the program builds without Node. These three need Node 20 and npm; the last two
# a Chromium, too: Debian's, or the one that HALFMOVE_BROWSER names.
WEB_READY = cd web && npm ci --no-audit --no-fund --silent
HAVE_NODE = node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null && npm --version >/dev/null 2>&1
HALFMOVE ?=

page: ## Build the page, web/dist, which is committed (needs Node)
	@$(HAVE_NODE) || { echo 'page: Node 20 and npm are needed: https://nodejs.org' >&2; exit 1; }
	$(WEB_READY) && npm run --silent check && npm run --silent build

page-test: ## Test the page, in a browser against the program (skipped without Node or Chromium)
	$(call say,'the page: types$(,) units$(,) the committed build$(,) and a browser')
	@if ! $(HAVE_NODE); then echo '==> SKIPPED: without Node 20 and npm the page is not tested' >&2; exit 0; fi; \
	if ! ($(WEB_READY)); then echo '==> SKIPPED: npm cannot install the tools of web/package-lock.json; the page is not tested' >&2; exit 0; fi; \
	(cd web && npm run --silent check && npm run --silent test && node --test test/dist.mjs) || exit 1; \
	if ! node web/test/has-browser.mjs; then echo '==> SKIPPED: without Chromium (apt install chromium) the page is not opened in a browser' >&2; exit 0; fi; \
	program="$(HALFMOVE)"; \
	if [ -z "$$program" ]; then \
	    $(CARGO) build --locked --release -p halfmove-cli --no-default-features --features server || exit 1; program="$(TARGET)/release/halfmove"; \
	fi; \
	HALFMOVE="$$(realpath "$$program")" node --test web/test/page.mjs web/test/copy.mjs web/test/panels.mjs web/test/access.mjs web/test/reading.mjs web/test/words.mjs

# The recipes and the notebooks need Python, and Java for Spark; pip installs their engines in target/cluster. CLUSTER_ARCHIVE names an
# archive on which to measure them instead.
CLUSTER_ARCHIVE ?=

cluster-test: toolchain ## Test Daft on Ray, Spark and Sail on archives, killing workers; run the notebooks (3 GB by pip)
	$(call say,'recipes for clusters$(,) and notebooks')
	$(CARGO) build --locked $(LARGE)
	sh docs/recipes/tests/run.sh "$(TARGET)/release" "$(TARGET)/cluster" $(CLUSTER_ARCHIVE)

page-shots: ## Photograph the page for the documentation, from HALFMOVE (needs Node and Chromium)
	$(WEB_READY)
	HALFMOVE="$(realpath $(or $(HALFMOVE),$(TARGET)/release/halfmove))" node web/test/shots.mjs

audit: toolchain ## Licenses, duplicates, origins and advisories of all dependencies
	@command -v cargo-deny >/dev/null || { \
	    echo '==> cargo-deny is not installed: cargo install --locked cargo-deny'; \
	    $(CARGO) install --locked cargo-deny; }
	$(CARGO) deny --locked check licenses bans sources
	@$(CARGO) deny fetch db || { \
	    echo 'audit: the advisory database could not be fetched (it is a git repository on GitHub):' >&2; \
	    echo '  licenses, bans and sources are checked, advisories are not.' >&2; exit 1; }
	$(CARGO) deny --locked check advisories

clean: ## Remove all that was built
	$(CARGO) clean

toolchain:
	@command -v $(CARGO) >/dev/null || { \
	    echo 'cargo is not installed. Install rustup (https://rustup.rs), then run make again.' >&2; exit 1; }
	@command -v cc >/dev/null || { \
	    if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	        echo '==> there is no C compiler: apt-get install gcc libc6-dev'; \
	        apt-get update -q && apt-get install -qy --no-install-recommends gcc libc6-dev; \
	    else \
	        echo 'There is no C compiler (cc). Install one: "apt install gcc libc6-dev", "dnf install gcc" or' >&2; \
	        echo '"xcode-select --install"; then run make again.' >&2; exit 1; \
	    fi; }

# A Python with other readers of archives, a client of Lichess's explorer, and what our package for Python is compared with, for the tests that ask them: PYTHON if it has them, else one of our own. Beside it, the
# versions of DuckDB that load our extension.
READERS := duckdb polars pyarrow deltalake berserk chess mypy
PYTHON ?= $(abspath $(TARGET)/venv/bin/python3)
DUCKDBS := $(TARGET)/duckdb
DUCKDB_VERSIONS := 1.4.4 1.5.6 2.0.1
HAVE_PACKAGES = "$(PYTHON)" -c 'import $(subst $() ,$(,) ,$(READERS))' 2>/dev/null
HAVE_DUCKDBS = for version in $(DUCKDB_VERSIONS); do test -d "$(DUCKDBS)/$$version/duckdb" || exit 1; done
ASK_READERS = { $(HAVE_PACKAGES) && ($(HAVE_DUCKDBS)); }
NO_READERS = '==> SKIPPED: without Python$(,) $(READERS)$(,) and DuckDB $(DUCKDB_VERSIONS) in $(DUCKDBS)$(,) other readers are not asked about our files$(,) and neither the package for Python nor the extension for DuckDB is tested'

clients: toolchain ## Build licheszter, a client of the server in Rust, which `verify` asks, in target/clients
	@$(CARGO) build --quiet --locked --release --manifest-path crates/server/tests/licheszter/Cargo.toml --target-dir "$(TARGET)/clients" || \
	    echo '==> SKIPPED: licheszter, a client in Rust, cannot be built, and is not asked' >&2

readers: ## Install other readers of archives, which tests ask, in target/venv and target/duckdb
	@$(HAVE_PACKAGES) || { \
	    echo '==> other readers of archives for the tests: pip install $(READERS), in $(TARGET)/venv'; \
	    python3 -m venv "$(TARGET)/venv" && "$(TARGET)/venv/bin/pip" install -q $(READERS); } || true
	@($(HAVE_DUCKDBS)) || { \
	    echo '==> DuckDB $(DUCKDB_VERSIONS) for the tests of our extension: pip install, in $(DUCKDBS)'; \
	    for version in $(DUCKDB_VERSIONS); do \
	        "$(PYTHON)" -m pip install -q --no-deps --upgrade --target "$(DUCKDBS)/$$version" "duckdb==$$version" || exit 1; \
	    done; } || true
	@$(ASK_READERS) || echo $(NO_READERS) >&2

MATURIN = "$(TARGET)/venv/bin/maturin"

python: toolchain ## Build the package for Python: a wheel in target/wheels
	@test -x $(MATURIN) || { \
	    echo '==> pip install maturin, in $(TARGET)/venv'; \
	    python3 -m venv "$(TARGET)/venv" && "$(TARGET)/venv/bin/pip" install -q 'maturin>=1.13,<2'; }
	@rm -f "$(TARGET)"/wheels/halfmove-*.whl
	$(MATURIN) build --release --locked --manifest-path crates/python/Cargo.toml --out "$(TARGET)/wheels"
	@ls -l "$(TARGET)/wheels"

python-test: ## Build the wheel, and test it in a virtual environment with nothing else, then with PyArrow (skipped without Python)
	$(call say,'the wheel for Python')
	@if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then \
	    echo '==> SKIPPED: without Python 3.10 and its module venv the wheel is not built and tested' >&2; exit 0; fi; \
	$(MAKE) --no-print-directory python && python3 crates/python/tests/wheel.py "$(TARGET)"/wheels/halfmove-*.whl

duckdb: toolchain ## Build the extension for DuckDB: target/halfmove.duckdb_extension
	$(CARGO) build --locked --release -p halfmove-duckdb --lib --example extension
	@library="$(TARGET)/release/libhalfmove_duckdb.so"; test -f "$$library" || library="$(TARGET)/release/libhalfmove_duckdb.dylib"; \
	"$(TARGET)/release/examples/extension" "$$library" "$(TARGET)/halfmove.duckdb_extension"
	@ls -l "$(TARGET)/halfmove.duckdb_extension"

# A comma inside an argument of `call`.
, := ,
