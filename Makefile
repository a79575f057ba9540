# `make` builds, `make demo` shows the whole chain, `make test` runs every test, `make bench` measures, `make corpus` tries much C.
.POSIX:
PREFIX = /usr/local
.PHONY: build demo install test bench corpus clean

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

clean:
	cargo clean
