# `make` builds, `make demo` shows the whole chain, `make test` runs every test, `make bench` measures, `make corpus` tries much C.
.POSIX:
.PHONY: build demo test bench corpus clean

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

clean:
	cargo clean
