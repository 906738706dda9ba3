# netconv: `make demo` shows it at work, `make test` runs the whole suite.

SWIFT ?= swift
PREFIX ?= /usr/local
# The development profile, which Package.swift describes: what shows answers, and tests, are built in it, in a folder that no
# other flags reach. Without the plugin, for which SwiftPM would compile netconv a second time.
DEVELOPMENT = .build-dev
DEVELOPING = NETCONV_DEVELOPMENT=1 NETCONV_WITHOUT_PLUGIN=1
PROFILE = -c release -debug-info-format none --scratch-path $(DEVELOPMENT)
SWIFT_BUILD = $(DEVELOPING) $(SWIFT) build $(PROFILE)
# Of the test product alone: SwiftPM would build the programs of packages that netconv only imports, too.
SWIFT_TEST = $(DEVELOPING) $(SWIFT) test $(PROFILE) --disable-testable-imports --disable-xctest \
  --test-product netconvPackageTests
# What was built, printing what fails and the total alone.
RUN_TESTS = $(SWIFT_TEST) --skip-build --quiet
NETCONV = $(DEVELOPMENT)/release/netconv
# As it is shipped, but for the libraries inside: for what takes hours, and for what is measured.
RELEASE_TEST = NETCONV_WITHOUT_PLUGIN=1 $(SWIFT) test -c release --disable-testable-imports --disable-xctest
RELEASE = .build/release/netconv
DEMO = $(DEVELOPMENT)/demo
VENV ?= $(HOME)/.cache/netconv/venv
CPU_LEVELS ?= base v3 v4 neon
# Tests that run the engines: a module of them, and of the readers' and the library's those that call them.
ENGINE_TESTS = ExecutionTests|ImageFiltersTests|$(shell grep -lE 'import Execution|Netconv\.(verify|run)' Tests/ReadersTests/*.swift \
  Tests/NetconvKitTests/*.swift | sed 's,Tests/\(.*\)/\(.*\)\.swift,\1.\2,' | paste -s -d '|' -)
# On a Mac libpng and libjpeg are Homebrew's, which compilers do not look for.
ifeq ($(shell uname),Darwin)
export CPATH := $(CPATH):$(shell brew --prefix 2>/dev/null)/include
export LIBRARY_PATH := $(LIBRARY_PATH):$(shell brew --prefix 2>/dev/null)/lib
endif
# Stand-ins for Apple's frameworks; a Mac has these itself, and tests no emitted packages.
STANDINS = --package-path Tests/StandIns --scratch-path .build-standins
ifeq ($(shell uname),Linux)
WITH_STANDINS = NETCONV_STANDINS=$(CURDIR)/.build-standins/release
BUILT_STANDINS = built-standins
endif

.PHONY: all build demo test test-levels lint install uninstall interop applications bench microbench clean dependencies

all: build

dependencies:
	@Tools/install-dependencies.sh

build: dependencies
	$(SWIFT_BUILD) --product netconv

# What tests start besides.
.PHONY: built-programs
built-programs: build
	@for product in FaultShim ConfinementProbe filter-sliders; do \
	  $(SWIFT_BUILD) --product $$product --quiet || exit 1; \
	done

# All tests, and what they start.
.PHONY: built-tests
built-tests: built-programs $(BUILT_STANDINS)
	$(SWIFT_BUILD) --product netconvPackageTests

# The program with optimisation.
.PHONY: release
release: dependencies
	NETCONV_WITHOUT_PLUGIN=1 $(SWIFT) build -c release --product netconv

demo: build
	@rm -rf $(DEMO)
	$(NETCONV) convert Samples/deep-mnist/deep-mnist.h5 $(DEMO)
	@echo
	$(NETCONV) inspect $(DEMO)
	@echo
	$(NETCONV) verify $(DEMO) --min-accuracy 0.992

# Suites that contain a pattern: those that take more of a walk in `make test-slow`, and in `make proof`.
suites = $(shell grep -lrE '$(1)' Tests Fuzzing/Tests --include='*.swift' \
  | xargs sed -nE 's/^(@Suite.* )?struct (\w+Tests).*/\2/p' | paste -s -d '|' -)
SLOW_TESTS = $(call suites,\.slow\b)
PROOF_TESTS = $(call suites,Sampling\.|\.slow\b)|AgreementTests|FaultBenchTests

# What `make test` leaves out because compilers and many processes are started for it; CI runs it.
.PHONY: test-slow
test-slow: built-tests
	NETCONV_SLOW=1 $(WITH_STANDINS) $(RUN_TESTS) --filter '$(SLOW_TESTS)'

test: built-tests
	$(WITH_STANDINS) $(RUN_TESTS)

# CPU seconds of each test module, in CONTRIBUTING.md.
.PHONY: test-times
test-times: built-tests
	$(WITH_STANDINS) python3 Tools/check/times.py . $(SWIFT_TEST) --skip-build

# Lines of code of each module; AGAINST=commit shows how they changed since.
AGAINST ?=
.PHONY: lines
lines:
	@python3 Tools/check/lines.py . $(if $(AGAINST),--against $(AGAINST))

# What a change usually breaks, in a minute: the changed modules, their tests and the fast ones of their users.
# CHECK takes options: `make check CHECK='--seconds 120'`.
CHECK ?=
.PHONY: check
check: dependencies
	python3 Tools/check/check.py . --build '$(SWIFT_BUILD)' --test '$(SWIFT_TEST)' $(CHECK)

# The engines once more on every set of vector instructions that this CPU has.
test-levels: built-programs
	@tested=0; for level in $(CPU_LEVELS); do \
	  status=0; \
	  NETCONV_CPU=$$level $(NETCONV) verify Samples/lenet-blobs --limit 1 --quiet || status=$$?; \
	  case $$status in \
	  0) echo "NETCONV_CPU=$$level"; tested=$$((tested + 1)); \
	    NETCONV_CPU=$$level $(SWIFT_TEST) --filter '$(ENGINE_TESTS)' || exit 1;; \
	  64) echo "NETCONV_CPU=$$level: not on this CPU, skipped";; \
	  *) echo "NETCONV_CPU=$$level: $(NETCONV) exits with $$status" >&2; exit 1;; \
	  esac; \
	done; \
	if [ $$tested = 0 ]; then echo "none of the levels $(CPU_LEVELS) is on this CPU" >&2; exit 1; fi

# What needs too long for every change, before a release: all of the tests that `make test` takes a part of, each verb on
# each model that says it is huge, the engines on each set of vector instructions, additions that are compiled and tried, the
# size of the installed program, HDF5 files of all kinds, pages in a browser, each system call that can fail, each bit of
# small outputs, a short search for bytes that parsers do not stand, and sanitizers.
.PHONY: proof
proof: built-tests
	NETCONV_PROOF=1 $(WITH_STANDINS) $(RUN_TESTS) --filter '$(PROOF_TESTS)'
	$(MAKE) test-levels
	$(MAKE) shipped
	$(MAKE) additions
	$(MAKE) size
	$(MAKE) wheel-test
	$(MAKE) action
	$(MAKE) reproducible
	$(MAKE) hdf5
	$(MAKE) onnx
	$(MAKE) tflite
	$(MAKE) coreml
	$(MAKE) emulation
	$(MAKE) pages-proof
	$(MAKE) shards
	$(MAKE) fuzz TIME=20
	$(MAKE) fuzz TARGET=bit-flips
	$(MAKE) sanitize

# Networks in C on aarch64 and on the big-endian s390x, by emulation; the packages are named in the script.
.PHONY: emulation
emulation: release
	Tools/emulation/emulate.sh $(RELEASE)

# The optimised program against the tests that show most of what users see, and what both programs make of every fixture.
.PHONY: shipped
shipped: release built-programs
	$(SWIFT_BUILD) --product netconvPackageTests
	NETCONV_PROGRAM=$(CURDIR)/$(RELEASE) $(SWIFT_TEST) --skip-build --filter 'TranscriptTests|SilentErrorBenchTests'
	python3 Tools/digests/digests.py $(RELEASE) . >$(DEVELOPMENT)/digests-release
	python3 Tools/digests/digests.py $(NETCONV) . >$(DEVELOPMENT)/digests-development
	diff $(DEVELOPMENT)/digests-release $(DEVELOPMENT)/digests-development

.PHONY: mutants
# Whether the tests find small mistakes, and whether some are found by those of `make proof` alone: hours. MUTANTS takes
# options: `make mutants MUTANTS='--count 5 --only Relations'`.
MUTANTS ?=
mutants: dependencies $(BUILT_STANDINS)
	$(WITH_STANDINS) python3 Tools/mutants/mutants.py . --build '$(SWIFT_BUILD)' --test '$(SWIFT_TEST)' \
	  --proof '$(PROOF_TESTS)' $(MUTANTS)

# One verification in parts, by GNU parallel and by Dask, each against one run; and a job of Kubernetes against its schema.
.PHONY: shards
shards: build $(VENV)/shards
	rm -rf $(DEVELOPMENT)/shards
	$(VENV)/bin/python Tools/shards/shards.py $(NETCONV) . $(DEVELOPMENT)/shards

# Pages of every fixture and of large architectures in Chromium (Debian's), whose checks are in Tools/pages. PAGES takes
# options: `make pages-proof PAGES='--only hostile --screenshots .build/screenshots'`.
PAGES ?=
.PHONY: pages-proof pages-case screenshots
pages-proof: build $(VENV)/pages
	Tools/pages/install-chromium.sh
	$(VENV)/bin/python Tools/pages/pages.py $(NETCONV) . $(PAGES)

# A few of them, once: seconds, for every change.
pages-case: build $(VENV)/pages
	Tools/pages/install-chromium.sh
	$(VENV)/bin/python Tools/pages/pages.py $(NETCONV) . --kind sample --only transposed --quick

# The two pictures that the README shows.
screenshots: build $(VENV)/pages
	Tools/pages/install-chromium.sh
	$(VENV)/bin/python Tools/pages/screenshots.py $(NETCONV) .

# FILES HDF5 files of every kind that h5py writes, and DAMAGED damaged ones through the program, from SEED on.
FILES ?= 10000
DAMAGED ?= 10000
.PHONY: hdf5
hdf5: built-programs $(VENV)/interop
	rm -rf $(DEVELOPMENT)/hdf5
	$(VENV)/bin/python Tools/hdf5/make_files.py $(DEVELOPMENT)/hdf5 $(FILES) $(SEED)
	NETCONV_HDF5_FILES=$(CURDIR)/$(DEVELOPMENT)/hdf5 NETCONV_HDF5_HELPER=$(CURDIR)/$(NETCONV) \
	  $(SWIFT_TEST) --filter HDF5Tests.HDF5GeneratedTests
	python3 Tools/hdf5/damaged.py $(NETCONV) Tests/Fixtures $(DAMAGED) $(SEED)

# Looks for bytes that make a parser trap, hang, or contradict itself: TIME seconds for each target, or for TARGET alone.
# RUNS=1000000 counts executions in place of seconds.
# The parsers are built a second time, instrumented for libFuzzer and AddressSanitizer, which Apple's toolchain lacks.
TARGET ?=
TIME ?= 60
RUNS ?=
# TARGET=bit-flips inverts each bit of small outputs, one at a time, in each container.
.PHONY: fuzz
ifeq ($(TARGET),bit-flips)
fuzz: built-programs
	NETCONV_FLIPS=all $(SWIFT_TEST) --filter NetconvKitTests.OutputBitFlipTests
else
fuzz: dependencies
	NETCONV_FUZZ=1 NETCONV_WITHOUT_PLUGIN=1 $(SWIFT) build -c release --product Fuzzer --scratch-path .build-fuzz
	Fuzzing/fuzz.sh .build-fuzz $(if $(RUNS),-runs=$(RUNS),-max_total_time=$(TIME)) $(TARGET)
endif

# Tests of engines, readers, writers and C in builds that find wrong addresses, races, and what C leaves undefined. The
# processes that read HDF5 and pictures have fewer addresses than sanitizers take, and may not make their calls: their tests
# are left out there, but for those of undefined behaviour.
SANITIZERS ?= address thread undefined
CONFINED_TESTS = HDF5Tests.(HDF5ProcessTests|HDF5GeneratedTests)|PicturesTests.PictureProcessTests
SANITIZED ?= MemoryTests,ModelIRTests,OperatorsTests,HDF5Tests,DigestsTests,ZlibTests,PicklesTests,ProtocolBuffersTests,FlatBuffersTests,PicturesTests,ImageFiltersTests,DatasetsTests,ReadersTests,WritersTests,ExecutionTests
comma := ,
# Writers share their work by Swift's Mutex, which the sanitizer of races does not see: it takes what that guards for races.
sanitize-thread: SANITIZED := $(subst WritersTests$(comma),,$(SANITIZED))
.PHONY: sanitize sanitize-address sanitize-thread sanitize-undefined
sanitize: sanitize-c $(addprefix sanitize-,$(SANITIZERS))

# C alone, in small cases: kernels in two threads, checksums, pictures, the window that libhdf5 reads through.
.PHONY: sanitize-c
sanitize-c: dependencies
	SWIFT=$(SWIFT) Tools/sanitize/sanitize.sh .build-sanitize

sanitize-address sanitize-thread: sanitize-%: dependencies
	NETCONV_TESTS=$(SANITIZED) LSAN_OPTIONS=suppressions=$(CURDIR)/Tools/sanitize/leaks.txt:print_suppressions=0 \
	  TSAN_OPTIONS=suppressions=$(CURDIR)/Tools/sanitize/races.txt \
	  $(RELEASE_TEST) --sanitize=$* --scratch-path .build-$* --skip '$(CONFINED_TESTS)'

sanitize-undefined: dependencies
	NETCONV_TESTS=$(SANITIZED) $(RELEASE_TEST) -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined \
	  --scratch-path .build-undefined

# An operator, an activation and a container that nobody needs, added to a copy, compiled and tried.
.PHONY: additions
additions: dependencies
	python3 Tools/additions/additions.py .

# Writes what the documentation says of the code, and what netconv prints where a page shows it.
.PHONY: docs
docs: built-programs
	NETCONV_WRITE_DOCS=1 $(SWIFT_TEST) --filter \
	  'KerasLayerTableTests|TensorFlowOperationTableTests|ONNXOperationTableTests|TFLiteOperationTableTests|ONNXOperatorTableTests|TFLiteOperatorTableTests|CoreMLOperatorTableTests|CoreMLOperationTableTests|COperatorTableTests|SilentErrorBenchTests|TranscriptTests|CatalogueTests'
	python3 Tools/interop/documentation.py $(NETCONV) . --only shell --write

# Copies of a schema in those that refer to it.
.PHONY: schemas
schemas:
	Tools/bundle_schemas.py

# The stand-ins and their tests; they are a package of their own.
.PHONY: standins
standins:
	$(SWIFT) test -c release $(STANDINS) --disable-testable-imports --disable-xctest

.PHONY: built-standins
built-standins:
	$(SWIFT) build -c release $(STANDINS)

# Emitted packages alone.
.PHONY: standins-test
standins-test: built-tests
	NETCONV_SLOW=1 $(WITH_STANDINS) $(RUN_TESTS) --filter EmissionTests

# All 10,000 test images of MNIST through emitted packages; `make proof` takes 300.
.PHONY: predictions
predictions: built-tests
	NETCONV_IMAGES=10000 $(WITH_STANDINS) $(RUN_TESTS) --filter EmissionTests.PredictionTests

# The length of sentences too: in pages, help, messages and comments.
lint:
	$(SWIFT) format lint --strict --recursive Sources Emitted Plugins Tests Fuzzing Tools Samples Benchmarks \
	  Package.swift
	python3 -m unittest discover --quiet --start-directory Tools/words
	python3 Tools/words/words.py .

# One program with Swift's runtime, libhdf5, zlib, libpng, libjpeg, libcrypto and the C++ library inside; of the system it
# needs glibc 2.31 or newer (GLIBC=system: the one that is here). With STATIC=.build C and C++ are not compiled once more,
# and it takes the place of the program that is there.
STATIC ?= .build-static
GLIBC ?=
static_build = SWIFT=$(SWIFT) GLIBC=$(GLIBC) Tools/packaging/static.sh $(1) $(abspath $(STATIC))
.PHONY: static
static: dependencies
	$(call static_build,netconv)

# The program, man pages and completions made from its commands, schemas, Docs, and the licences of all that is inside.
INSTALLATION = SWIFT=$(SWIFT) Tools/packaging/install.sh
install: static
	$(INSTALLATION) install $(STATIC) "$(DESTDIR)" "$(PREFIX)"

uninstall:
	$(INSTALLATION) uninstall $(STATIC) "$(DESTDIR)" "$(PREFIX)"

# A wheel with the program inside, for pip and uv; published by nobody from here.
PACKAGES ?= .build/packages
.PHONY: wheel wheel-test
wheel: static
	mkdir -p $(PACKAGES)
	strip -o $(PACKAGES)/netconv $(STATIC)/release/netconv
	SWIFT=$(SWIFT) Tools/packaging/licenses.sh $(STATIC) >$(PACKAGES)/THIRD-PARTY.txt
	python3 Tools/packaging/wheel.py $(PACKAGES)/netconv $$(Tools/packaging/version.sh) $(PACKAGES)/THIRD-PARTY.txt \
	  $(PACKAGES)

# The wheel in a clean environment, and its module against the program, numpy, twine, auditwheel and mypy.
wheel-test: wheel $(VENV)/python
	$(VENV)/bin/python Tools/python/wheel_test.py $(PACKAGES)/netconv-$$(Tools/packaging/version.sh)-*.whl .

# A package for the Debian that this is, with Debian's libraries.
.PHONY: deb
deb: dependencies
	SWIFT=$(SWIFT) Tools/packaging/deb.sh $(abspath $(STATIC)) $(PACKAGES)

# The tests that start the program, with the installed one inside Debian 11, 12 and 13; and the steps of the container
# file. Both need root and debootstrap.
.PHONY: systems container
systems: static built-programs
	$(SWIFT_BUILD) --product netconvPackageTests
	SWIFT_TEST='$(SWIFT_TEST)' Tools/packaging/systems.sh $(STATIC)/release/netconv

container: wheel
	Tools/packaging/container.sh $(PACKAGES)

# The steps of action.yml, as GitHub would run them.
.PHONY: action
action: build $(VENV)/python
	$(VENV)/bin/python Tools/packaging/action_test.py $(NETCONV) .

# Two builds in two folders, from nothing, and whether they are the same bytes.
.PHONY: reproducible
reproducible: dependencies
	SWIFT=$(SWIFT) Tools/packaging/reproducible.sh

# How large the program is and what is in it, beside a program with nothing but the same libraries; fails over the limit.
.PHONY: size
size: static
	NETCONV_SIZE=1 $(call static_build,Libraries)
	python3 Tools/size/size.py $(STATIC)

# A package whose build converts a checkpoint, built from nothing but netconv's sources.
.PHONY: sample
sample: dependencies
	$(SWIFT) run --package-path Samples/BuildPlugin

# Checks against h5py, numpy, einops, jsonschema, zipfile and unzip, in an environment of their own, against the
# libraries that each target's files are for, as far as they can be installed, and of emitted packages' predictions.
interop: build predictions families $(VENV)/interop $(VENV)/consumers $(VENV)/onnx
	$(VENV)/bin/python Tools/interop/interop.py $(NETCONV) .
	$(VENV)/onnx/bin/python Tools/onnx/written.py $(NETCONV) $(wildcard Samples/*/*.h5 Samples/*/*.pt Tests/Fixtures/onnx/*.onnx)
	$(VENV)/onnx/bin/python Tools/onnx/written.py $(NETCONV) $(wildcard Samples/*/*.h5) --dtype int8
	$(VENV)/bin/python Tools/tflite/written.py $(NETCONV) $(wildcard Samples/*/*.h5 Samples/*/*.pt Tests/Fixtures/keras/*.h5)

# The rules of Samples/rules against transformers, mlx-lm, mlx-whisper, gguf and diffusers; less than two minutes.
.PHONY: families
families: build $(VENV)/families
	$(VENV)/families/bin/python Tools/families/families.py $(NETCONV) .

$(VENV)/families: Tools/families/requirements.txt
	rm -rf $@
	python3 -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check "$(TORCH_CPU)" 2>/dev/null \
	  || $@/bin/pip install --quiet --disable-pip-version-check torch
	$@/bin/pip install --quiet --disable-pip-version-check -r $<

# Pairs of weights whose relation is known, and whether `relate` finds it.
relations: build $(VENV)/interop $(VENV)/consumers
	$(VENV)/bin/python Tools/relate/pairs.py $(NETCONV) $(DEVELOPMENT)/relations

# Ports with a planted mistake each, and whether `relate` names it; a quarter of an hour.
.PHONY: planted
planted: build $(VENV)/families
	$(VENV)/families/bin/python Tools/relate/planted.py $(NETCONV) $(DEVELOPMENT)/planted

# Random models of Keras over sequences, each in three forms; COUNT of them, from SEED on.
COUNT ?= 500
SEED ?= 1
.PHONY: random relations
random: release $(VENV)/random
	$(VENV)/random/bin/python Tools/random/random_models.py $(RELEASE) --count $(COUNT) --seed $(SEED)

$(VENV)/random: Tools/fixtures/requirements.txt
	rm -rf $@
	python3 -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check -r $<

# ONNX's cases of single operators, random graphs, COUNT of them from SEED on, and what is written as ONNX, against onnxruntime.
.PHONY: onnx
onnx: build $(VENV)/onnx
	$(VENV)/onnx/bin/python Tools/onnx/node_cases.py $(NETCONV)
	$(VENV)/onnx/bin/python Tools/onnx/random_graphs.py $(NETCONV) --count $(COUNT) --seed $(SEED)
	$(VENV)/onnx/bin/python Tools/onnx/random_volumes.py $(NETCONV) --count $(COUNT) --seed $(SEED)
	$(VENV)/onnx/bin/python Tools/onnx/written.py $(NETCONV)

# What is written as TensorFlow Lite, against its interpreter.
.PHONY: tflite
tflite: build $(VENV)/consumers
	$(VENV)/bin/python Tools/tflite/written.py $(NETCONV)

# What is written as Core ML, loaded and computed by coremltools.
.PHONY: coreml
coreml: build $(VENV)/coreml
	$(VENV)/coreml/bin/python Tools/coreml/written.py $(NETCONV)

$(VENV)/coreml: Tools/coreml/requirements.txt
	rm -rf $@
	python3 -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check -r $<

$(VENV)/onnx: Tools/onnx/requirements.txt
	rm -rf $@
	python3 -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check -r $<

# The network of Samples/tensorflow-deep-mnist as TensorFlow saves it, trained on the MNIST files in IDX_DIR.
STEPS ?= 5000
.PHONY: tensorflow-deep-mnist
tensorflow-deep-mnist: idx-files $(VENV)/tensorflow
	$(VENV)/bin/python Samples/tensorflow-deep-mnist/train.py "$(IDX_DIR)" .build/tensorflow-deep-mnist --steps $(STEPS)

.PHONY: idx-files
idx-files:
	@test -n "$(IDX_DIR)" || { echo "IDX_DIR=… names the folder with the MNIST files in IDX format" >&2; exit 64; }

# Hours, and gigabytes in $(APPLICATIONS).
APPLICATIONS ?= $(VENV)/checkpoints
applications: release $(VENV)/applications $(BUILT_STANDINS)
	$(VENV)/bin/python Tools/applications/applications.py $(RELEASE) --scratch $(APPLICATIONS)
	$(VENV)/bin/python Tools/applications/graphs.py $(RELEASE) --scratch $(APPLICATIONS)
	$(VENV)/bin/python Tools/applications/emission.py $(RELEASE) --scratch $(APPLICATIONS) --page Docs/applications.md \
	  $(if $(BUILT_STANDINS),--standins .build-standins/release)

# Emitted packages on this Mac's GPU, and a report of one page, apple-report.md. Not run here: on Linux the script runs
# over the stand-ins, which proves nothing but the script.
.PHONY: apple
apple: build $(BUILT_STANDINS)
	python3 Tools/apple/apple.py $(NETCONV) $(if $(BUILT_STANDINS),--standins .build-standins/release)

# Every fixture once more from the versions that made it, and which of them come out otherwise. The scripts run in a
# copy of the repository. FIXTURES takes options: `make fixtures FIXTURES='--only keras/'`.
FIXTURES ?=
FIXTURES_VENV ?= $(VENV)/../fixtures
.PHONY: fixtures
fixtures: $(FIXTURES_VENV)/main/installed
	$(FIXTURES_VENV)/main/bin/python Tools/fixtures/fixtures.py . --environments $(FIXTURES_VENV) $(FIXTURES)

$(FIXTURES_VENV)/main/installed: Tools/fixtures/requirements.txt
	test -x $(@D)/bin/python || python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet -r $<
	touch $@

# Side by side with the programs one would use instead. Inputs are made once, 10 GB in $(BENCH_INPUTS).
# BENCH takes options: `make bench BENCH='--runs 3 --only verify,run-*'`.
BENCH_INPUTS ?= $(VENV)/../bench
BENCH ?=
RUN_BENCH = Tools/bench/bench.py $(STATIC)/release/netconv . --inputs $(BENCH_INPUTS) --swift $(SWIFT)

bench: static $(VENV)/bench $(VENV)/tensorflow
	$(call static_build,filter-sliders)
	$(VENV)/bin/python $(RUN_BENCH) $(BENCH)

# Rearrangements and kernels alone, against what one core can do; needs no more than Python.
microbench: dependencies
	python3 $(RUN_BENCH) --only rearrangements,kernels --strict $(BENCH)

# Rows that need TensorFlow are skipped where it cannot be installed.
$(VENV)/tensorflow: $(VENV)/bench
	$(VENV)/bin/pip install --quiet tensorflow-cpu keras || echo "without TensorFlow"
	touch $@

# A build of PyTorch for CPUs is a tenth as large as the usual one; where there is none, the usual one has to do.
TORCH_CPU ?= torch==2.13.0+cpu

$(VENV)/consumers: Tools/interop/consumers/requirements.txt $(VENV)/interop
	$(VENV)/bin/pip install --quiet "$(TORCH_CPU)" 2>/dev/null || $(VENV)/bin/pip install --quiet torch \
	  || echo "without torch"
	sed '/^#/d' $< | while read -r library; do \
	  $(VENV)/bin/pip install --quiet $$library || echo "without $$library"; \
	done
	touch $@

$(VENV)/%: Tools/%/requirements.txt
	test -x $(VENV)/bin/python || python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet -r $<
	touch $@

clean:
	rm -rf .build $(DEVELOPMENT) .build-fuzz .build-static .build-micro .build-standins Samples/BuildPlugin/.build
