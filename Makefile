# Thin front: CMake and Ninja do the work. `make help` lists what there is.
PREFIX ?= /usr/local
BUILD := build

.PHONY: all setup build demo test oracle fuzz e2e tsan-suite soak proof install clean help
.PHONY: bench bench-quick bench-scaling bench-profile bench-costs bench-compile bench-record bench-replay

all: build

setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: CMakeLists.txt | setup
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) >$(BUILD).log 2>&1 \
	    || { cat $(BUILD).log; exit 1; }
	@mkdir -p $(BUILD) && mv $(BUILD).log $(BUILD)/configure.log

build: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD)

demo: build
	@scripts/demo.sh $(BUILD)/bin/deadheat

test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j2

# The long forms of what `make test` does in minutes: about an hour and a half of processor time.
oracle: build
	@python3 -B test/oracle/oracle.py --deadheat $(BUILD)/bin/deadheat --seed 100 --traces 10000
	@python3 -B test/oracle/oracle.py --deadheat $(BUILD)/tiny/bin/deadheat --seed 200 --traces 10000
	@python3 -B test/oracle/programs.py --deadheat $(BUILD)/bin/deadheat --tiny $(BUILD)/tiny/bin/deadheat --judge $(BUILD)/test/oracle/judge --seed 1000000 --batches 60 --runs 3
	@python3 -B test/oracle/loops.py --plugin $(BUILD)/lib/deadheat/libdeadheat-plugin.so --bindir $$(llvm-config-19 --bindir) --seed 1000 --batches 60
	@python3 -B test/oracle/definitions.py --deadheat $(BUILD)/bin/deadheat --seed 300 --traces 10000
	@$(BUILD)/test/oracle/exhaustive 1
	@$(BUILD)/test/oracle/random 100000000 500000
	@$(BUILD)/test/oracle/random_tiny 200000000 500000
	@$(BUILD)/test/oracle/model_oracle --seed 100000 --programs 20000 --statements 12
	@$(BUILD)/test/oracle/model_instrument_oracle --small 4 --seed 100000 --programs 6000 --statements 10
	@$(BUILD)/test/model/model_run --all test/model/*.dh

# FUZZ=SECONDS for each of the three readers.
FUZZ ?= 120
fuzz: build
	@for form in binary text std; do test/fuzz/run.sh $(BUILD)/test/fuzz $$form $(FUZZ) || exit 1; done

# Real programs, from their Debian sources, with their own tests; E2E=NAMES for some of them only.
e2e: build
	@test/e2e/real/run.sh $(BUILD)/bin/deadheat $(BUILD)/real $(E2E)

# ThreadSanitizer's own tests, from the source of LLVM; TESTS=NAMES for some of them only.
tsan-suite: build
	@python3 -B test/e2e/tsan/suite.py --deadheat $(BUILD)/bin/deadheat --out $(BUILD)/real $(TESTS)

SOAK_MINUTES ?= 10
soak: build
	@python3 -B test/soak/soak.py --deadheat $(BUILD)/bin/deadheat --tiny $(BUILD)/tiny/bin/deadheat --judge $(BUILD)/test/oracle/judge --out $(BUILD)/soak --seconds $$(($(SOAK_MINUTES) * 60))

proof: setup
	@proof/check.sh

BENCH := python3 -B bench/run.py --deadheat $(BUILD)/bin/deadheat --out $(BUILD)/bench

# What was measured is kept, and an interrupted run goes on; FRESH=1 measures everything again, and
# PUBLISH=1 writes bench/RESULTS.md.
bench: build
	@$(BENCH) suite --rounds $(or $(ROUNDS),21) $(if $(FRESH),--fresh) $(if $(PUBLISH),--publish) $(if $(ONLY),--only $(ONLY))

bench-quick: build
	@$(BENCH) quick --rounds $(or $(ROUNDS),7)

bench-scaling: build
	@$(BENCH) scaling $(if $(FRESH),--fresh)

bench-profile: build
	@$(BENCH) profile --kernel "$(KERNEL)"

bench-costs: build
	@bench/costs/run.sh $(BUILD)/bin/deadheat

bench-compile: build
	@python3 -B bench/compile.py --deadheat $(BUILD)/bin/deadheat --out $(BUILD)/bench --rounds $(or $(ROUNDS),5)

bench-record: build
	@bench/record/run.sh $(BUILD)/bin/deadheat

bench-replay: build
	@cmake --build $(BUILD) --target replay_bench
	@bench/replay/run.sh $(BUILD)/bin/deadheat $(BUILD)

install: build
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf $(BUILD)

help:
	@echo 'make              build build/bin/deadheat, usable in place'
	@echo 'make demo         see it find a race'
	@echo 'make test         run all tests'
	@echo 'make oracle       the runtime against the definition of a race, for longer'
	@echo 'make fuzz         the readers of traces against broken input, for FUZZ=120 seconds each'
	@echo 'make e2e          real programs under the detector, with their own tests; E2E="lmdb redis" for some'
	@echo 'make tsan-suite   ThreadSanitizer'"'"'s own tests under Deadheat; TESTS="simple_race.c" for some'
	@echo 'make soak         everything at once for SOAK_MINUTES=10, with the judges watching'
	@echo 'make proof        check the proofs from scratch, and src/core and src/detect against them'
	@echo 'make bench-quick  all kernels beside ThreadSanitizer, in minutes'
	@echo 'make bench        all programs and all tools, in an hour or so; resumes; FRESH=1, ONLY=sor,zstd, ROUNDS=11'
	@echo 'make bench-scaling                 time and memory over threads and over input'
	@echo 'make bench-profile KERNEL=sor      where the overhead of a kernel goes'
	@echo 'make bench-costs  start-up, sleeping threads, locks, malloc: what the runtime costs by itself'
	@echo 'make bench-compile                 how long compiling takes, beside clang and ThreadSanitizer'
	@echo 'make bench-record what recording a run costs'
	@echo 'make bench-replay what judging a trace costs'
	@echo 'make install      PREFIX=/usr/local and DESTDIR= are honoured'
	@echo 'make clean        remove build/'
