#!/bin/sh
# Installs the programs that the tests need and that are missing: Open MPI and SimGrid, for programs on more processors; gdb, which has to
# stop at the lines of the user's source; CMake and pkg-config, which have to find what is installed.
set -eu

packages=''
command -v cc >/dev/null || packages="$packages gcc libc6-dev"
command -v mpicc >/dev/null && command -v mpirun >/dev/null || packages="$packages openmpi-bin libopenmpi-dev"
command -v smpicc >/dev/null && command -v smpirun >/dev/null || packages="$packages libsimgrid-dev"
command -v gdb >/dev/null || packages="$packages gdb"
command -v cmake >/dev/null || packages="$packages cmake"
command -v pkg-config >/dev/null || packages="$packages pkg-config"
[ -n "$packages" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    printf 'installing%s\n' "$packages"
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
else
    printf 'missing: install%s (Debian: sudo apt-get install%s)\n' "$packages" "$packages" >&2
    exit 1
fi
