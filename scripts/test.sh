#!/bin/sh
# Everything that must hold: formats, lints, documentation, tests. The last line counts the tests.
set -u
cd "$(dirname "$0")/.."

scripts/install-test-tools.sh || exit 1
# Tests of the MPI transport fail rather than pass by when there is no MPI.
CALL_TEST_REQUIRE_MPI=1
export CALL_TEST_REQUIRE_MPI
# The runtime is compiled once for each set of flags.
PATH=$PWD/tests/compilers:$PATH
CALL_TEST_OBJECTS=${CARGO_TARGET_DIR:-$PWD/target}/tmp/runtime-objects
export PATH CALL_TEST_OBJECTS
# A process of MPI that starts looks for devices and networks, which takes half of its time: here it has memory to share.
HWLOC_COMPONENTS=-linuxio,-pci
OMPI_MCA_pml=ob1
OMPI_MCA_btl=self,vader
PMIX_MCA_gds=hash
export HWLOC_COMPONENTS OMPI_MCA_pml OMPI_MCA_btl PMIX_MCA_gds

# A first build has nothing to go on from, and what a later one could go on from takes a sixth of its time.
if [ ! -e "${CARGO_TARGET_DIR:-target}" ]; then
    CARGO_INCREMENTAL=0
    export CARGO_INCREMENTAL
fi

failed=0
step() {
    printf '\n== %s\n' "$*"
    "$@" || { printf '== failed: %s\n' "$*"; failed=1; }
}

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
RUSTDOCFLAGS='-D warnings' step cargo doc --locked --workspace --no-deps --quiet

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
step cargo test --locked --workspace --tests --no-run
printf '\n== cargo test\n'
cargo test --locked --workspace --tests --no-run --message-format=json >"$logs/messages" 2>"$logs/errors" || failed=1
# A program of tests runs in the folder of its package, as under cargo, and what it prints stays together. The longest takes
# 5 minutes; one that hangs is ended and named.
run_programs() {
    python3 scripts/test-programs.py "$1" <"$logs/messages" >"$logs/$1" || return 1
    LOGS=$logs xargs -L 1 sh -c '
        log=$LOGS/$(basename "$2").log
        (cd "$1" && $NICE timeout -k 10 3600 "$2") >"$log" 2>&1 || echo "test result: FAILED: $2 ended with $?" >>"$log"
        echo "     Ran $2"' run <"$logs/$1"
}
# One program after another of those that start others: where more processes wait busily than there are cores, as those of MPI do, they
# waste them. Half of the time they wait for clocks and for each other, and what only computes has the cores then.
trap 'trap - INT TERM; kill 0' INT TERM
export RUST_TEST_THREADS NICE
RUST_TEST_THREADS=2 NICE='nice -n 19'
run_programs computing &
computing=$!
RUST_TEST_THREADS=3 NICE=
run_programs starting || failed=1
wait "$computing" || failed=1
cat "$logs"/*.log
grep -qs '^test result: FAILED' "$logs"/*.log && failed=1
cargo test --locked --workspace --doc --no-fail-fast >"$logs/doc.log" 2>&1 || failed=1
cat "$logs/doc.log"

cat "$logs"/*.log | awk -v failed="$failed" '
    /^test result:/ { passed += $4; lost += $6 }
    END {
        if (lost == 0 && failed != 0) print "the tests pass, another check failed: see above"
        printf "%d passed, %d failed\n", passed, lost + (lost == 0 && failed != 0)
    }'
exit "$failed"
