# `make` builds, `make demo` shows the whole chain, `make test` runs every test, `make bench` measures.
.POSIX:
.PHONY: build demo test bench clean

build:
	cargo build --release --locked

demo: build
	scripts/demo.sh

test:
	scripts/test.sh

bench: build
	scripts/bench.sh

clean:
	cargo clean
