#!/bin/sh
# Everything that must hold: formats, lints, documentation, tests. The last line counts the tests.
set -u
cd "$(dirname "$0")/.."

scripts/install-test-tools.sh || exit 1
# Tests of the MPI transport fail rather than pass by when there is no MPI.
CALL_TEST_REQUIRE_MPI=1
export CALL_TEST_REQUIRE_MPI

failed=0
step() {
    printf '\n== %s\n' "$*"
    "$@" || { printf '== failed: %s\n' "$*"; failed=1; }
}

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
RUSTDOCFLAGS='-D warnings' step cargo doc --locked --workspace --no-deps --quiet

# Runs over MPI mostly wait.
RUST_TEST_THREADS=4
export RUST_TEST_THREADS

log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '\n== cargo test\n'
{ cargo test --locked --workspace --no-fail-fast 2>&1; echo "status $?"; } | tee "$log" | grep --line-buffered -v '^status '
[ "$(tail -n 1 "$log")" = 'status 0' ] || failed=1

awk -v failed="$failed" '
    /^test result:/ { passed += $4; lost += $6 }
    END {
        if (lost == 0 && failed != 0) print "the tests pass, another check failed: see above"
        printf "%d passed, %d failed\n", passed, lost + (lost == 0 && failed != 0)
    }' "$log"
exit "$failed"
