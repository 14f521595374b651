SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := .make
PROTO := $(shell find proto -name '*.proto')
DEALS ?= 1000000
JOBS ?= 2
FIRST ?= 0
MESSAGES ?= 100000
MATCHES ?= 2000
MINUTES ?= 10
PAIR_DEALS ?= 2
SOAK ?= 30
KILLS ?= 1000
HAVE_NODE := command -v node >/dev/null && command -v npm >/dev/null
# A go that is older than clients/go needs can neither read its go.mod nor fetch a newer one.
HAVE_GO := command -v go >/dev/null && (cd clients/go && go list -m) >/dev/null 2>&1
HAVE_JAVA := command -v mvn >/dev/null && command -v javac >/dev/null && [ "$$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -ge 17 ]
# A cargo that is older than clients/rust needs says so only after it has fetched everything.
HAVE_RUST := rustc --version 2>/dev/null | grep -qE '^rustc ([2-9]|1\.(89|9[0-9]|[1-9][0-9]{2}))\b' && command -v cargo >/dev/null && command -v cc >/dev/null
# What C++ needs are a compiler, tools and libraries: the script names the packages that are missing.
CPP_MISSING := clients/cpp/missing.sh
# Where a make above this one shares out jobs already, they are shared with it.
AT_ONCE = $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs $(JOBS)) --output-sync=target
TESTS := $(BIN)/pytest -n $(JOBS) --dist worksteal

# The tests start hundreds of programs, and each compiles the package anew where no bytecode is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

$(STAMP)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing; install it with: apt-get install python3-venv" >&2; exit 1; }
	@mkdir -p $(STAMP)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(STAMP)/run: $(STAMP)/venv pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --disable-pip-version-check --group proto -e .
	@touch $@

$(STAMP)/client-python: $(STAMP)/run clients/python/pyproject.toml proto/generate.sh $(PROTO)
	$(MAKE) -C clients/python --no-print-directory setup PYTHON=$(CURDIR)/$(BIN)/python
	@touch $@

# Without node nothing is stamped: node may be there the next time. The stamp has a line of its own, as
# make -n runs the lines that call make.
$(STAMP)/client-node: clients/node/package-lock.json
	@mkdir -p $(STAMP)
	@if $(HAVE_NODE); then $(MAKE) -C clients/node --no-print-directory setup; \
	 else echo "node and npm are missing: the Node client and the JavaScript verifier are skipped"; fi
	@if $(HAVE_NODE); then touch $@; fi

# The stubs and the two bots; without go nothing is stamped, as above.
$(STAMP)/client-go: $(PROTO) $(shell find clients/go -name '*.go' -not -path '*/internal/pb/*') clients/go/go.mod clients/go/tools/go.mod clients/go/Makefile
	@mkdir -p $(STAMP)
	@if $(HAVE_GO); then $(MAKE) -C clients/go --no-print-directory build; \
	 else echo "SKIPPED: the Go client (go is missing or too old)"; fi
	@if $(HAVE_GO); then touch $@; fi

# The stubs, the jar and the two bots; without a JDK nothing is stamped, as above.
$(STAMP)/client-java: $(PROTO) $(shell find clients/java/src -type f) clients/java/pom.xml clients/java/Makefile
	@mkdir -p $(STAMP)
	@if $(HAVE_JAVA); then $(MAKE) -C clients/java --no-print-directory build; \
	 else echo "SKIPPED: the Java client (mvn or a JDK of 17 or newer is missing)"; fi
	@if $(HAVE_JAVA); then touch $@; fi

# The two bots; without Rust nothing is stamped, as above.
$(STAMP)/client-rust: $(PROTO) $(shell find clients/rust/src -name '*.rs') clients/rust/Cargo.toml clients/rust/build.rs clients/rust/Makefile
	@mkdir -p $(STAMP)
	@if $(HAVE_RUST); then $(MAKE) -C clients/rust --no-print-directory build; \
	 else echo "SKIPPED: the Rust client (rustc 1.89, cargo or cc is missing)"; fi
	@if $(HAVE_RUST); then touch $@; fi

# The stubs, the library and the two bots; where packages are missing nothing is stamped, as above.
$(STAMP)/client-cpp: $(PROTO) $(shell find clients/cpp/src clients/cpp/include clients/cpp/bots -type f) clients/cpp/CMakeLists.txt clients/cpp/Makefile
	@mkdir -p $(STAMP)
	@missing=$$($(CPP_MISSING) build | paste -sd ' '); \
	 if [ -z "$$missing" ]; then $(MAKE) -C clients/cpp --no-print-directory build; \
	 else echo "SKIPPED: the C++ client (missing: $$missing)"; fi
	@if [ -z "$$($(CPP_MISSING) build)" ]; then touch $@; fi

$(STAMP)/dev: $(STAMP)/run
	$(BIN)/pip install --quiet --disable-pip-version-check --group dev
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[openspiel]' 2>/dev/null || \
	  echo "open-spiel has no wheel for this Python: the tests beside OpenSpiel will be counted as skipped"
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[rl]' 2>/dev/null || \
	  echo "pettingzoo or numpy has no wheel for this Python: the tests of the environment will be counted as skipped"
	@if command -v java >/dev/null; then $(BIN)/pip install --quiet --disable-pip-version-check --group pages; \
	 else echo "java is missing: the page of a run will not be checked by the checker of the W3C"; fi
	@touch $@

.PHONY: tools
tools: $(STAMP)/dev $(STAMP)/client-python ## make the virtual environment, with all that the Python side needs

# One pip after the other in one environment, then the clients beside one another: none shares a folder.
.PHONY: setup
setup: tools ## make the virtual environment, install everything and build every client (JOBS=n)
	@$(MAKE) --no-print-directory $(AT_ONCE) clients-built

.PHONY: clients-built
clients-built: $(addprefix $(STAMP)/client-,cpp rust java go node)

.PHONY: demo
demo: $(STAMP)/run $(STAMP)/client-python $(STAMP)/client-node ## a sealed match between two languages, verified offline
	clients/demo.sh $(BIN) demo-out

.PHONY: test
test: clients-test ## run the tests (JOBS=n)
	$(TESTS) -m 'not heavy'

.PHONY: cases
cases: tools ## lint the corpus and run it against the referee
	$(BIN)/euchre-conformance lint
	$(BIN)/euchre-conformance run -t referee:

.PHONY: mutants
mutants: tools ## wrong referees, each of which the corpus must catch
	$(BIN)/pytest tests/mutants

.PHONY: two-engines
two-engines: tools ## a million random deals in the referee and in the oracle (DEALS=n JOBS=n FIRST=chunk)
	$(BIN)/python -m tests.property.two_engines --deals $(DEALS) --jobs $(JOBS) --first $(FIRST)

.PHONY: prove
prove: tools ## the corpus, proven: a table a part, and proof.json
	$(BIN)/euchre-conformance prove -o proof.json
	$(BIN)/pytest -q tests/property/test_openspiel.py

.PHONY: book
book: tools ## write RULEBOOK.md, and the rule book and positions that euchre-referee reads
	$(BIN)/euchre-conformance rulebook
	$(BIN)/euchre-conformance book
	$(BIN)/euchre-conformance positions

.PHONY: adapters
adapters: setup ## run the adapters of ours over the corpus, where their languages are here
	.ci/adapters
	$(BIN)/pytest tests/conformance/test_adapters.py tests/conformance/test_adapters_wrong.py -m 'heavy or not heavy'

.PHONY: docs
docs: setup ## run the command blocks of the pages, each page in a fresh folder
	$(BIN)/python -m tests.docs

.PHONY: fingerprints
fingerprints: tools ## every number of every knob told from its answers alone; some minutes
	EVERY_NUMBER=1 $(BIN)/pytest tests/conformance/test_every_number.py -m heavy

.PHONY: e2e
e2e: setup ## real servers, real clients, real kills
	$(BIN)/pytest tests/e2e

.PHONY: storm
storm: setup ## two thousand deals while connections are cut and processes killed: nobody is blamed
	$(BIN)/python -m tests.adversaries.storm

.PHONY: kills
kills: tools ## a thousand kill -9 of a referee under load: nothing acknowledged is lost (KILLS=n)
	$(BIN)/python -m tests.adversaries.kills --kills $(KILLS)

.PHONY: director-kills
director-kills: tools ## two hundred kill -9 of a director, its workers and its bots over an event (KILLS=n)
	$(BIN)/python -m tests.adversaries.directors --kills $(if $(filter file,$(origin KILLS)),200,$(KILLS))

.PHONY: swiss
swiss: tools ## a Swiss of sixteen teams, played, published and verified offline
	.ci/event $(BIN) swiss

.PHONY: individual
individual: tools ## an individual event of twelve players, played, published and verified offline
	.ci/event $(BIN) individual

.PHONY: fuzz-wire
fuzz-wire: tools ## a hundred thousand messages and ten megabytes of files that nobody should send (MESSAGES=n)
	$(BIN)/python -m tests.adversaries.fuzz --messages $(MESSAGES)

.PHONY: league
league: tools ## two thousand matches in bad weather, replayed offline (MATCHES=n MINUTES=n)
	$(BIN)/python -m tests.adversaries.league --matches $(MATCHES) --minutes $(MINUTES)

.PHONY: soak
soak: tools ## half an hour of matches made and finished, and what the referee still holds (SOAK=minutes)
	$(BIN)/python -m tests.adversaries.soak --minutes $(SOAK)

.PHONY: matrix
matrix: setup ## every client against every other over sealed deals, verified twice (PAIR_DEALS=n)
	$(BIN)/python -m tests.clients.matrix --deals $(PAIR_DEALS)

.PHONY: clients
clients: clients-lint clients-test ## lint and test every client whose toolchain is here
	$(MAKE) -C clients/python --no-print-directory test PYTHON=$(CURDIR)/$(BIN)/python

.PHONY: clients-lint
clients-lint: setup ## lint every client whose toolchain is here (JOBS=n)
	@$(MAKE) --no-print-directory $(AT_ONCE) $(addprefix lint-of-,$(CLIENTS))

.PHONY: clients-test
clients-test: setup ## test every client whose toolchain is here (JOBS=n)
	@$(MAKE) --no-print-directory $(AT_ONCE) $(addprefix test-of-,$(CLIENTS))

# The longest first, so that none is waited for alone at the end.
CLIENTS := cpp rust java node go verifier-go

.PHONY: $(addprefix lint-of-,$(CLIENTS))
$(addprefix lint-of-,$(CLIENTS)): lint-of-%:
	+@$(call WHERE_IT_CAN,$*,lint,the lint)

.PHONY: $(addprefix test-of-,$(CLIENTS))
$(addprefix test-of-,$(CLIENTS)): test-of-%:
	+@$(call WHERE_IT_CAN,$*,test,the tests)

# What each client needs, and what is said where that is not here.
CAN_node := $(HAVE_NODE)
CAN_go := $(HAVE_GO)
CAN_java := $(HAVE_JAVA)
CAN_rust := $(HAVE_RUST)
CAN_cpp := [ -z "$$($(CPP_MISSING))" ]
CAN_verifier-go := command -v go >/dev/null
LACKS_node := node and npm are missing
LACKS_go := go is missing or too old
LACKS_java := mvn or a JDK of 17 or newer is missing
LACKS_rust := rustc 1.89, cargo or cc is missing
LACKS_cpp := missing: $$($(CPP_MISSING) | paste -sd ' ')
LACKS_verifier-go := go is missing
WHERE_IT_CAN = if $(CAN_$(1)); then $(MAKE) -C clients/$(1) --no-print-directory $(2); \
	 else echo "SKIPPED: $(3) of clients/$(1) ($(LACKS_$(1)))"; fi

.PHONY: bench
bench: tools ## measure; prints ratios and writes benchmarks/out/*.json
	$(BIN)/python -m benchmarks

.PHONY: ci
ci: clients-lint ## the heavier gates (JOBS=n)
	$(MAKE) --no-print-directory --jobs $(JOBS) --output-sync=target gates
	$(TESTS) -m heavy --durations=20

# Any of these may run beside another: none changes what is installed here.
.PHONY: gates
gates: docs proven check proto-check matrix swiss individual

.PHONY: proven
proven: tools
	$(BIN)/euchre-conformance prove --quiet

.PHONY: check
check: lint types arch ## lint, types and walls, in under a minute

.PHONY: format
format: tools ## rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet . || true

.PHONY: lint
lint: tools ## ruff, and the adapters with the tools of their languages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	.ci/adapters

.PHONY: types
types: tools ## mypy --strict
	$(BIN)/mypy

.PHONY: arch
arch: tools ## the walls between packages
	$(BIN)/lint-imports

.PHONY: clean
clean: ## remove what the targets made
	$(MAKE) -C clients/python --no-print-directory clean PYTHON=$(PYTHON)
	$(MAKE) -C clients/go --no-print-directory clean
	$(MAKE) -C clients/java --no-print-directory clean
	$(MAKE) -C clients/rust --no-print-directory clean
	$(MAKE) -C clients/cpp --no-print-directory clean
	rm -rf clients/node/node_modules clients/verifier-go/verifier-go $(VENV) $(STAMP) build dist demo-out events-out proof.json .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .euchre-conformance

.PHONY: proto
proto: tools ## regenerate the checked-in stubs
	proto/generate.sh $(BIN)/python referee/pb referee.pb euchre/referee
	proto/generate.sh $(BIN)/python conformance/pb conformance.pb euchre/conformance

.PHONY: proto-check
proto-check: tools ## buf lint, and stubs equal to what the proto files say
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf build -o /dev/null
	rm -rf $(STAMP)/pb && proto/generate.sh $(BIN)/python $(STAMP)/pb/referee referee.pb euchre/referee
	proto/generate.sh $(BIN)/python $(STAMP)/pb/conformance conformance.pb euchre/conformance
	@for home in referee conformance; do diff -r -x __pycache__ $(STAMP)/pb/$$home/euchre $$home/pb/euchre \
	  || { echo "the stubs are stale: run make proto and commit" >&2; exit 1; }; done
