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
# A process of MPI that starts looks for devices and networks, which takes half of its time: here it has memory to share. One that
# waits lets others compute: there are more of them than cores.
HWLOC_COMPONENTS=-linuxio,-pci
OMPI_MCA_pml=ob1
OMPI_MCA_btl=self,vader
PMIX_MCA_gds=hash
OMPI_MCA_mpi_yield_when_idle=1
MPIR_CVAR_POLLS_BEFORE_YIELD=1
export HWLOC_COMPONENTS OMPI_MCA_pml OMPI_MCA_btl PMIX_MCA_gds OMPI_MCA_mpi_yield_when_idle MPIR_CVAR_POLLS_BEFORE_YIELD

failed=0
step() {
    printf '\n== %s\n' "$*"
    "$@" || { printf '== failed: %s\n' "$*"; failed=1; }
}

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
RUSTDOCFLAGS='-D warnings' step cargo doc --locked --workspace --no-deps --quiet

# One program of tests after another: where more processes wait busily than there are cores, as those of MPI do, they waste them.
RUST_TEST_THREADS=3
export RUST_TEST_THREADS

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
step cargo test --locked --workspace --tests --no-run
printf '\n== cargo test\n'
cargo test --locked --workspace --tests --no-run --message-format=json 2>"$logs/errors" |
    python3 scripts/test-programs.py >"$logs/programs" || failed=1
# A program of tests runs in the folder of its package, as under cargo, and what it prints stays together. The longest takes
# 5 minutes; one that hangs is ended and named.
LOGS=$logs xargs -L 1 sh -c '
    log=$LOGS/$(basename "$2").log
    (cd "$1" && timeout -k 10 3600 "$2") >"$log" 2>&1 || echo "test result: FAILED: $2 ended with $?" >>"$log"
    echo "     Running $2"; cat "$log"' run <"$logs/programs" || failed=1
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
