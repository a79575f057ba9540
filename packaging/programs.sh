#!/bin/sh
# `packaging/programs.sh FOLDER`: builds both programs for packages into FOLDER/bin: static, so they run on any Linux of this architecture,
# and the same bytes wherever the sources and the tools stand. With the musl target of Rust they are linked with musl, else with glibc
# (STATIC_TARGET names another target). libotf2 is part of them where it is there as a static library.
set -eu
cd "$(dirname "$0")/.."
sources=$PWD
machine=$(uname -m)
target=${STATIC_TARGET:-}
if [ -z "$target" ]; then
    target=$machine-unknown-linux-musl
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || target=$machine-unknown-linux-gnu
fi
build=${CARGO_TARGET_DIR:-$sources/target}
case $build in /*) ;; *) build=$sources/$build ;; esac
cargo=${CARGO_HOME:-$HOME/.cargo}
# Paths of this machine would differ on another.
RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$build=target --remap-path-prefix=$sources=. --remap-path-prefix=$cargo=cargo"
CFLAGS="-ffile-prefix-map=$build=target -ffile-prefix-map=$sources=. -ffile-prefix-map=$cargo=cargo"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export RUSTFLAGS CFLAGS SOURCE_DATE_EPOCH
# A shared library cannot be a part of them.
if ! ${CC:-cc} -print-file-name=libopen-trace-format2.a | grep -q / && [ -z "${OTF2_CONFIG+set}" ]; then
    OTF2_CONFIG=
    export OTF2_CONFIG
fi
cargo build --release --locked --target "$target" -p call-compiler -p llac
mkdir -p "$1/bin"
for program in call llac; do
    cp "$build/$target/release/$program" "$1/bin/"
done
echo "built for $target"
