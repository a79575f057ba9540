#!/bin/sh
# `scripts/fuzz.sh [SECONDS [TARGET…]]`: tries random inputs on each target (all) for so long (60), and
# ends with status 1 if one fails; the input that made it fail stays in target/fuzz as a file. Needs a C++ compiler.
# EXECUTIONS=N ends each target after N inputs at the latest. What each did stands in target/fuzz/figures.tsv.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- formula translator counts trace waits import machine session request program replay

# Coverage that stable Rust can have; libFuzzer wants no more.
coverage='-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters'
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS="$coverage --cfg fuzzing"
# Not for build scripts and macros, which a target keeps apart.
target=$(rustc -vV | sed -n 's/^host: //p')
cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --target "$target"

# Folders with inputs to start from.
seeds() {
    case $1 in
        counts) echo scripts/counts/own ;;
        import) echo crates/exchange/tests/files ;;
        machine) echo crates/machine/machines ;;
        translator) echo call-compiler/tests/ok call-compiler/tests/err ;;
        waits) echo fuzz/seeds/waits fuzz/seeds/replay ;;
        *) echo "fuzz/seeds/$1" ;;
    esac
}

failed=0
for name in "$@"; do
    printf '\n== %s, %s s\n' "$name" "$seconds"
    corpus=target/fuzz/corpus/$name
    log=target/fuzz/$name.log
    mkdir -p "$corpus"
    # shellcheck disable=SC2046 # folders are words
    set -- "$corpus" $(seeds "$name") -max_total_time="$seconds" -max_len=4096 -len_control=0 -rss_limit_mb=2048 \
        -timeout=10 -artifact_prefix="target/fuzz/$name-" -print_final_stats=1
    [ -z "${EXECUTIONS:-}" ] || set -- "$@" -runs="$EXECUTIONS"
    [ ! -e "fuzz/$name.dict" ] || set -- "$@" -dict="fuzz/$name.dict"
    if ! "target/fuzz/$target/release/$name" "$@" 2>"$log"; then
        failed=1
        grep -aE 'SUMMARY|ERROR|panicked|Test unit' "$log" || :
    fi
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%s executions\n' "${executed:-no}"
    printf '%s\t%s\t%s\n' "$name" "${executed:-0}" "$seconds" >>target/fuzz/figures.tsv
done
exit $failed
