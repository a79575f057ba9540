#!/bin/sh
# `make install PREFIX=…`: programs, headers, the runtime as libraries, what pkg-config and CMake ask for, the manual, manual pages and
# what shells need to complete words. DESTDIR is put before all folders when packages are made; MANDIR, BASHDIR, ZSHDIR and FISHDIR may
# name those of manual pages and completions.
set -eu
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
cc=${CC:-cc}
binaries=${BINARIES:-${CARGO_TARGET_DIR:-target}/release}
# What `make uninstall` removes.
list=share/doc/call/installed
mkdir -p "$root/share/doc/call"
: >"$root/$list"

put() {
    mkdir -p "$root/$2"
    cp "$1" "$root/$2/"
    echo "$2/$(basename "$1")" >>"$root/$list"
}

library() {
    mkdir -p "$root/lib/pkgconfig"
    object=$(mktemp)
    "$2" -O2 -fPIC -c -o "$object" "call-runtime/$3"
    rm -f "$root/lib/lib$1.a"
    ar rcs "$root/lib/lib$1.a" "$object"
    rm -f "$object"
    sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|; s|@LIBRARY@|$1|" packaging/call.pc.in >"$root/lib/pkgconfig/$1.pc"
    printf 'lib/lib%s.a\nlib/pkgconfig/%s.pc\n' "$1" "$1" >>"$root/$list"
}

put "$binaries/call" bin
put "$binaries/llac" bin
# One word for build systems that want one.
for compiler in cc mpicc oshcc; do
    ln -sf call "$root/bin/call-$compiler"
    echo "bin/call-$compiler" >>"$root/$list"
done
for header in call-runtime/include/*.h; do put "$header" include/call; done
library call "$cc" call-runtime.c
if command -v mpicc >/dev/null; then
    library call-mpi mpicc call-runtime-mpi.c
else
    echo "mpicc is not here: libcall-mpi.a is left out"
fi
put packaging/CALLConfig.cmake lib/cmake/CALL
cat >"$root/lib/cmake/CALL/CALLConfigVersion.cmake" <<CMAKE
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
CMAKE
echo lib/cmake/CALL/CALLConfigVersion.cmake >>"$root/$list"
for page in README.md docs/*.md docs/fft.svg call-runtime/FORMAT.md; do put "$page" share/doc/call; done
pages=${MANDIR:-$prefix/share/man}/man1
mkdir -p "${DESTDIR:-}$pages"
made=$(mktemp -d)
for program in call llac; do "$binaries/$program" manual "$made"; done
for page in "$made"/*; do
    cp "$page" "${DESTDIR:-}$pages/"
    echo "$pages/$(basename "$page")" >>"$root/$list"
done
rm -r "$made"
complete() {
    mkdir -p "${DESTDIR:-}$2"
    for program in call llac; do
        "$binaries/$program" completions "$1" >"${DESTDIR:-}$2/$3$program$4"
        echo "$2/$3$program$4" >>"$root/$list"
    done
}
complete bash "${BASHDIR:-$prefix/share/bash-completion/completions}" "" ""
complete zsh "${ZSHDIR:-$prefix/share/zsh/site-functions}" _ ""
complete fish "${FISHDIR:-$prefix/share/fish/vendor_completions.d}" "" .fish
echo "installed to $root"
