# `make` builds, `make demo` shows the whole chain, `make test` runs every test, `make bench` measures, `make corpus` tries much C,
# `make fuzz` random inputs.
.POSIX:
PREFIX = /usr/local
DESTINATIONS = PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" LIBDIR="$(LIBDIR)" MANDIR="$(MANDIR)"
.PHONY: build demo install uninstall wheel dist test bench corpus fuzz clean

build:
	cargo build --release --locked

demo: build
	scripts/demo.sh

test:
	scripts/test.sh

bench: build
	scripts/bench.sh

corpus: build
	scripts/corpus.sh

# A minute for each target: FUZZ="600 trace" takes ten for one.
fuzz:
	scripts/fuzz.sh $(FUZZ)

# Where cargo is not at hand, as under sudo, what was built is installed.
install:
	if command -v cargo >/dev/null; then $(MAKE) build; fi
	$(DESTINATIONS) scripts/install.sh

uninstall:
	$(DESTINATIONS) scripts/uninstall.sh

# Programs and Python package in one file for pip.
wheel: build
	python3 -m pip wheel --no-deps --wheel-dir target/wheels ./python

# Archive, Debian package and wheel of static programs, with checksums, in target/dist.
dist:
	packaging/build.sh target/dist

clean:
	cargo clean
