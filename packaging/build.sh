#!/bin/sh
# `packaging/build.sh FOLDER [PART…]`: what users download. FOLDER gets an archive, a Debian package, a wheel (PARTs: archive, deb, wheel)
# and SHA256SUMS. The programs are those of $BINARIES, else they are built (packaging/programs.sh). The same sources and tools give the same
# bytes.
set -eu
mkdir -p "$1"
output=$(cd "$1" && pwd)
shift
parts=" ${*:-archive deb wheel} "
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
# All dates are that of the last change.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
if [ -z "${BINARIES:-}" ]; then
    packaging/programs.sh "$work"
    BINARIES=$work/bin
fi
for program in call llac; do
    if readelf -d "$BINARIES/$program" 2>/dev/null | grep -q NEEDED; then
        echo "$BINARIES/$program needs libraries of this system: packages have static programs (packaging/programs.sh)" >&2
        exit 1
    fi
done
# Each computer has its own MPI.
MPICC=
export BINARIES MPICC
rm -f "$output/SHA256SUMS"

# staged PREFIX [LIBDIR]: an installation below $work/root. Of libraries that the programs contain the licences stand beside.
staged() {
    rm -rf "$work/root"
    DESTDIR="$work/root" PREFIX="$1" LIBDIR="${2:-}" scripts/install.sh >/dev/null
    rm "$work/root$1/share/doc/call/installed"
    for library in libc6-dev musl-dev libopen-trace-format2-dev; do
        if [ -f "/usr/share/doc/$library/copyright" ]; then
            install -m 644 "/usr/share/doc/$library/copyright" "$work/root$1/share/doc/call/LICENCE-$library.txt"
        fi
    done
}

wants() { case $parts in *" $1 "*) ;; *) false ;; esac; }

if wants archive; then
    # A folder that may be moved anywhere.
    name=call-$version-linux-$machine
    staged "/$name"
    tar --create --format=ustar --directory="$work/root" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$output/$name.tar.gz"
fi

if wants deb; then
    architecture=$(dpkg --print-architecture)
    staged /usr "/usr/lib/$(${CC:-cc} -print-multiarch)"
    . packaging/deb.sh
    package "$work/root" "$version" "$architecture" "$output/call-llac_${version}_$architecture.deb"
fi

if wants wheel; then
    # Static programs run with any C library.
    WHEEL_PLATFORM=${WHEEL_PLATFORM-manylinux_2_17_$machine.musllinux_1_1_$machine} \
        python3 -m pip wheel --quiet --no-deps --wheel-dir "$output" ./python
fi

cd "$output"
sha256sum call* >"$work/sums"
mv "$work/sums" SHA256SUMS
cat SHA256SUMS
