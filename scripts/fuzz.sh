#!/bin/sh
# `scripts/fuzz.sh [SECONDS [TARGET…]]`: tries random inputs on each target (formula, trace, import, session) for so long (60). What
# makes one fail stays in target/fuzz/TARGET as a file. Needs a C++ compiler.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- formula trace import session

# Coverage that stable Rust can have; libFuzzer wants no more.
coverage='-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters'
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS="$coverage --cfg fuzzing"
# Not for build scripts and macros, which a target keeps apart.
target=$(rustc -vV | sed -n 's/^host: //p')
cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --target "$target"

for name in "$@"; do
    printf '\n== %s, %s s\n' "$name" "$seconds"
    corpus=target/fuzz/$name/corpus
    mkdir -p "$corpus"
    for seed in fuzz/seeds/"$name"/*; do
        if [ -e "$seed" ]; then cp "$seed" "$corpus"; fi
    done
    "target/fuzz/$target/release/$name" "$corpus" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
        -artifact_prefix="target/fuzz/$name/" -print_final_stats=1 2>&1 | grep -E 'SUMMARY|ERROR|panicked|stat::number_of_executed|Test unit' || :
done
