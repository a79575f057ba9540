# `make` builds, `make demo` shows the whole chain, `make test` runs every test, `make bench` measures, `make corpus` tries much C.
.POSIX:
PREFIX = /usr/local
.PHONY: build demo install uninstall wheel test bench corpus clean

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

install: build
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install.sh

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall.sh

# Programs and Python package in one file for pip.
wheel: build
	python3 -m pip wheel --no-deps --wheel-dir target/wheels ./python

clean:
	cargo clean
