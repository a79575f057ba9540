#!/bin/sh
# Measures: the cost of a measurement, a superstep, a recorded call of MPI, reading a trace, fitting, finding intervals. Each figure
# stands beside a limit that was measured in the same run. With the argument `runtime` only the first three, which are C; with `full`
# also what takes minutes and gigabytes.
set -eu
cd "$(dirname "$0")/.."
work=target/bench
source=call-runtime/bench
rm -rf "$work/pairs"
mkdir -p "$work/pairs"
compile() {
    "$@" -O2 -Icall-runtime/include -I"$source"
}
absent() {
    printf '(without %s: sudo apt-get install %s)\n' "$1" "$2"
}

printf '== begin/end beside two clock readings and a store\n'
compile cc -fPIC -shared -DIN_SHARED_OBJECT "$source/begin_end_call.c" call-runtime/call-runtime.c -lm -pthread -o "$work/pairs/begin_end.so"
peers=''
session=''
if pkg-config --exists otf2 2>/dev/null; then
    peers="$peers -DWITH_OTF2 $source/begin_end_otf2.c $(pkg-config --cflags --libs otf2)"
else
    absent OTF2 'libopen-trace-format2-dev pkg-config'
fi
if pkg-config --exists lttng-ust 2>/dev/null && command -v lttng-sessiond >/dev/null; then
    peers="$peers -DWITH_LTTNG $source/begin_end_lttng.c $(pkg-config --cflags --libs lttng-ust)"
    session=call-bench-$$
else
    absent LTTng-UST 'liblttng-ust-dev lttng-tools pkg-config'
fi
# shellcheck disable=SC2086 # files and flags
compile cc "$source/begin_end.c" "$source/begin_end_call.c" call-runtime/call-runtime.c $peers -lm -pthread -ldl -o "$work/begin_end"

# A session daemon of our own, unless one is there.
end_session() {
    lttng --no-sessiond destroy "$session" >/dev/null 2>&1 || :
    if [ -s "$work/sessiond.pid" ]; then
        kill "$(cat "$work/sessiond.pid")" 2>/dev/null || :
        rm -f "$work/sessiond.pid"
    fi
}
if [ -n "$session" ]; then
    trap end_session EXIT
    trap 'exit 1' INT TERM
    lttng --no-sessiond list >/dev/null 2>&1 || lttng-sessiond --daemonize --no-kernel --pidfile "$PWD/$work/sessiond.pid" >/dev/null 2>&1 || :
    if ! { lttng --no-sessiond create "$session" --output "$PWD/$work/pairs/lttng" &&
        lttng --no-sessiond enable-event --userspace 'call_bench:*' --session "$session" &&
        lttng --no-sessiond start "$session"; } >/dev/null 2>"$work/lttng.err"; then
        printf '(no session of LTTng: see %s)\n' "$work/lttng.err"
    fi
fi
printf '\n-- measurements are kept in memory: new memory in long rounds; to meet: 1.2 in short rounds, 1.6 in long ones\n'
(cd "$work/pairs" && CALL_SAVE=never ../begin_end "$PWD")
rm -rf "$work/pairs/otf2"
printf '\n-- measurements are saved to disk, as usual\n'
(cd "$work/pairs" && ../begin_end "$PWD")
if [ -n "$session" ]; then
    end_session
    trap - EXIT INT TERM
fi
rm -rf "$work/pairs"

printf '\n== supersteps of PUB and BSPlib on two processors\n'
compile cc "$source/bsp.c" call-runtime/call-runtime.c -lm -pthread -o "$work/bsp"
compile cc "$source/bsplib.c" call-runtime/call-runtime.c -lm -pthread -o "$work/bsplib"
CALL_PROCESSORS=2 "$work/bsp"
CALL_PROCESSORS=2 "$work/bsplib"
over_mpi() {
    implementation=$1
    shift
    if command -v "mpicc.$implementation" >/dev/null && command -v "mpirun.$implementation" >/dev/null; then
        printf '\n== the same over MPI: %s\n' "$implementation"
        compile "mpicc.$implementation" "$source/bsp.c" call-runtime/call-runtime-mpi.c -lm -pthread -o "$work/bsp-$implementation"
        compile "mpicc.$implementation" -DWITH_MPI "$source/bsplib.c" call-runtime/call-runtime-mpi.c -lm -pthread -o "$work/bsplib-$implementation"
        "mpirun.$implementation" "$@" -n 2 "$work/bsp-$implementation"
        "mpirun.$implementation" "$@" -n 2 "$work/bsplib-$implementation"
        printf '\n== recording the calls of MPI, beside OTF2: %s\n' "$implementation"
        otf2=''
        if pkg-config --exists otf2 2>/dev/null; then
            otf2="-DWITH_OTF2 $(pkg-config --cflags --libs otf2)"
        fi
        rm -rf "$work/events"
        mkdir -p "$work/events"
        # shellcheck disable=SC2086 # flags
        compile "mpicc.$implementation" "$source/events.c" call-runtime/call-runtime-mpi.c $otf2 -lm -pthread -o "$work/events-$implementation"
        (cd "$work/events" && CALL_QUIET=1 CALL_EVENTS=1 "mpirun.$implementation" "$@" -n 1 "../events-$implementation" "$PWD")
        rm -rf "$work/events"
    else
        absent "$implementation" "$([ "$implementation" = openmpi ] && echo openmpi-bin || echo mpich) lib$implementation-dev"
    fi
}
over_mpi openmpi --allow-run-as-root --oversubscribe
over_mpi mpich
[ "${1:-}" != runtime ] || exit 0

printf '\n== reading 10 million rows\n'
cargo run --quiet --release --locked -p call-trace --example bench_reading
python=${PYTHON:-python3}
if "$python" -c 'import numpy, polars' 2>/dev/null; then
    printf '\n== the same beside polars\n'
    cargo build --quiet --release --locked -p llac
    "$python" scripts/bench_readers.py "${CARGO_TARGET_DIR:-target}/release/llac" "$@"
else
    printf '(without polars: pip install numpy polars, or set PYTHON to a Python that has them)\n'
fi
printf '\n== fitting a million rows\n'
cargo run --quiet --release --locked -p call-fit --example bench_fitting
printf '\n== from the text of a trace to a model, a million rows\n'
cargo run --quiet --release --locked -p call-model --example bench_modelling

if "$python" -c 'import pwlf, ruptures' 2>/dev/null; then
    printf '\n== three intervals beside pwlf and ruptures\n'
    cargo build --quiet --release --locked -p call-fit --example bench_fitting
    "$python" crates/fit/references/peers.py "${CARGO_TARGET_DIR:-target}/release/examples/bench_fitting"
else
    printf '(without pwlf and ruptures: pip install numpy pwlf ruptures, or set PYTHON to a Python that has them)\n'
fi
printf '\n== finding a formula, beside the 18, 34 and 63 ms of Extra-P for one, two and three variables\n'
cargo run --quiet --release --locked -p call-search --example find

printf '\n== evaluating model programs for up to a million processors\n'
cargo run --quiet --release --locked -p call-bsp --example bench_obsp

printf '\n== translating, beside cc -E\n'
cargo run --quiet --release --locked -p call-compiler --example bench_translating

printf '\n== counting the statements of files that grow: microseconds for each block\n'
cargo run --quiet --release --locked -p call-compiler --example bench_proposing

printf '\n== recording supersteps with their call stacks\n'
"$python" scripts/bench_recording.py "${CARGO_TARGET_DIR:-target}/release" "$work/recording"

if [ "${1:-}" = full ]; then
    printf '\n== the probe of machines beside lscpu, STREAM and MPI\n'
    "$python" scripts/bench_probe.py "${CARGO_TARGET_DIR:-target}/release" "$work"
fi
