#!/bin/sh
# Installs the programs that the tests need and that are missing: Open MPI, MPICH and SimGrid, for programs on more processors; libotf2
# with its tools, and EZTrace, whose archives llac reads; clang with its runtime of OpenMP, which tells what threads do; gfortran; gdb, which has to stop at the lines of the user's source; valgrind, which looks for
# wrong uses of memory; CMake and pkg-config, which have to find what is installed; tmux, a terminal of any width for llac; npm, which
# bundles the viewer of pages, and two browsers that look at them; pandas and a notebook kernel, in which the Python package has to
# work, and Dask, whose workers condense traces; pip and venv, which have to install it. Open MPI and MPICH stand side by side, and the tests call each by its own name
# (mpicc.openmpi, mpicc.mpich).
set -eu

packages=''
command -v cc >/dev/null || packages="$packages gcc libc6-dev"
command -v c++ >/dev/null || packages="$packages g++"
command -v clang >/dev/null || packages="$packages clang"
# Without what clang only recommends it knows neither OpenMP nor coverage.
clang_links() {
    echo 'int main(void) { return 0; }' | clang "$1" -x c -o /dev/null - 2>/dev/null
}
clang_links -fopenmp || packages="$packages libomp-dev"
clang_links -fprofile-instr-generate || packages="$packages libclang-rt-dev"
command -v gfortran >/dev/null || packages="$packages gfortran"
command -v mpicc.openmpi >/dev/null && command -v mpirun.openmpi >/dev/null || packages="$packages openmpi-bin libopenmpi-dev"
command -v mpicc.mpich >/dev/null && command -v mpirun.mpich >/dev/null || packages="$packages mpich libmpich-dev"
command -v smpicc >/dev/null && command -v smpirun >/dev/null || packages="$packages libsimgrid-dev"
[ -f /usr/include/otf2/otf2.h ] || packages="$packages libopen-trace-format2-dev"
command -v otf2-print >/dev/null || packages="$packages otf2-tools"
command -v eztrace >/dev/null || packages="$packages eztrace"
command -v gdb >/dev/null || packages="$packages gdb"
command -v valgrind >/dev/null || packages="$packages valgrind"
command -v cmake >/dev/null || packages="$packages cmake"
command -v pkg-config >/dev/null || packages="$packages pkg-config"
command -v tmux >/dev/null || packages="$packages tmux"
command -v npm >/dev/null || packages="$packages nodejs npm"
command -v chromium >/dev/null || packages="$packages chromium"
command -v firefox-esr >/dev/null || packages="$packages firefox-esr"
# The Python of the system has the packages of the distribution; another one may stand before it on the PATH.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pandas, nbclient, ipykernel' 2>/dev/null && break
    [ "$python" = python3 ] || packages="$packages python3-pandas python3-nbclient python3-ipykernel"
done
for python in python3 /usr/bin/python3; do
    "$python" -c 'import distributed' 2>/dev/null && break
    [ "$python" = python3 ] || packages="$packages python3-distributed"
done
# The test of the wheel makes an environment of its own, and gets the build back end from PyPI.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pip, venv, ensurepip' 2>/dev/null && break
    [ "$python" = python3 ] || packages="$packages python3-pip python3-venv"
done
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
