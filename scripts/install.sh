#!/bin/sh
# `make install PREFIX=…`: programs, headers, the runtime as libraries, what pkg-config and CMake ask for, the manual, manual pages and
# what shells need to complete words. DESTDIR is put before all folders when packages are made; LIBDIR, MANDIR, BASHDIR, ZSHDIR and FISHDIR
# may name those of libraries, manual pages and completions. What lies below PREFIX may be moved as a whole.
set -eu
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
prefix=${prefix%/}
libdir=${LIBDIR:-$prefix/lib}
libdir=${libdir%/}
root=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
cc=${CC:-cc}
# Empty: no library for MPI, of which each computer has its own.
mpicc=${MPICC-mpicc}
binaries=${BINARIES:-${CARGO_TARGET_DIR:-target}/release}
for program in call llac; do
    [ -x "$binaries/$program" ] || { echo "$binaries/$program is not there: run make first" >&2; exit 1; }
done
# What `make uninstall` removes; a folder ends with a stroke.
list=share/doc/call/installed
mkdir -p "$root/share/doc/call"
: >"$root/$list"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# Notes a file; what does not lie below the prefix stands in the list with its whole path.
note() { printf '%s\n' "${1#"$prefix"/}" >>"$root/$list"; }

# put FILE FOLDER [MODE]
put() {
    mkdir -p "${DESTDIR:-}$2"
    install -m "${3:-644}" "$1" "${DESTDIR:-}$2/"
    note "$2/$(basename "$1")"
}

# The way from a folder back to the prefix, which stays right when all of it is moved; a folder elsewhere stays where it is.
back() {
    case $1 in
    "$prefix"/*) printf '%s' "$2"; printf '%s' "${1#"$prefix"}" | sed 's|/[^/]*|/..|g' ;;
    *) printf '%s' "$prefix" ;;
    esac
}

# filled TEMPLATE FOLDER NAME: a file of `packaging` with what it leaves open, put into the folder.
filled() {
    sed "s|@BACK@|$(back "$2" "$4")|; s|@VERSION@|$version|; s|@LIBRARY@|${3%.pc}|" "packaging/$1" >"$temporary/$3"
    put "$temporary/$3" "$2"
}

# library NAME COMPILER SOURCE
library() {
    # The archive has the name of its member.
    "$2" -O2 -fPIC -c -o "$temporary/$1.o" "call-runtime/$3"
    rm -f "$temporary/lib$1.a"
    ar rcsD "$temporary/lib$1.a" "$temporary/$1.o"
    put "$temporary/lib$1.a" "$libdir"
    # shellcheck disable=SC2016 # pkg-config expands it
    filled call.pc.in "$libdir/pkgconfig" "$1.pc" '${pcfiledir}'
}

for program in call llac; do put "$binaries/$program" "$prefix/bin" 755; done
# One word for build systems that want one.
for compiler in cc mpicc oshcc; do
    ln -sf call "$root/bin/call-$compiler"
    note "$prefix/bin/call-$compiler"
done
for header in call-runtime/include/*; do put "$header" "$prefix/include/call"; done
library call "$cc" call-runtime.c
if [ -n "$mpicc" ] && command -v "$mpicc" >/dev/null; then
    library call-mpi "$mpicc" call-runtime-mpi.c
else
    echo "libcall-mpi.a is left out${mpicc:+: $mpicc is not here}"
fi
# shellcheck disable=SC2016 # CMake expands it
filled CALLConfig.cmake.in "$libdir/cmake/CALL" CALLConfig.cmake '${CALL_FOLDER}'
filled CALLConfigVersion.cmake.in "$libdir/cmake/CALL" CALLConfigVersion.cmake ''
for page in README.md docs/*.md docs/fft.svg call-runtime/FORMAT.md LICENSE-* packaging/THIRD-PARTY-LICENCES.txt; do
    put "$page" "$prefix/share/doc/call"
done
mkdir "$temporary/pages"
for program in call llac; do "$binaries/$program" manual "$temporary/pages"; done
for page in "$temporary"/pages/*; do put "$page" "${MANDIR:-$prefix/share/man}/man1"; done
# complete SHELL FOLDER BEFORE AFTER
complete() {
    for program in call llac; do
        "$binaries/$program" completions "$1" >"$temporary/$3$program$4"
        put "$temporary/$3$program$4" "$2"
    done
}
complete bash "${BASHDIR:-$prefix/share/bash-completion/completions}" "" ""
complete zsh "${ZSHDIR:-$prefix/share/zsh/site-functions}" _ ""
complete fish "${FISHDIR:-$prefix/share/fish/vendor_completions.d}" "" .fish
for folder in "$prefix/include/call" "$libdir/cmake/CALL" "$prefix/share/doc/call"; do note "$folder/"; done
echo "installed to $root"
