#!/bin/sh
# Measures: the cost of a measurement, a superstep, reading a trace, fitting, finding intervals. Each figure stands beside a limit
# that was measured in the same run.
set -eu
cd "$(dirname "$0")/.."
work=target/bench
mkdir -p "$work"

printf '== begin/end beside two clock reads and a store; supersteps on two processors\n'
cc -O2 -Icall-runtime/include call-runtime/bench/begin_end.c call-runtime/call-runtime.c -lm -pthread -o "$work/begin_end"
"$work/begin_end"
cc -O2 -Icall-runtime/include call-runtime/bench/bsp.c call-runtime/call-runtime.c -lm -pthread -o "$work/bsp"
CALL_PROCESSORS=2 "$work/bsp"
cc -O2 -Icall-runtime/include call-runtime/bench/bsplib.c call-runtime/call-runtime.c -lm -pthread -o "$work/bsplib"
CALL_PROCESSORS=2 "$work/bsplib"

printf '\n== reading 10 million rows\n'
cargo run --quiet --release --locked -p call-trace --example bench
printf '\n== fitting a million rows\n'
cargo run --quiet --release --locked -p call-fit --example bench
printf '\n== from the text of a trace to a model, a million rows\n'
cargo run --quiet --release --locked -p call-model --example bench

printf '\n== translating, beside cc -E\n'
cargo run --quiet --release --locked -p call-compiler --example bench
