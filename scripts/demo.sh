#!/bin/sh
# The whole chain on the Fourier transform of the CALL paper (Fig. 4 and 5): translate, compile, measure, fit, predict, compare, plot.
set -eu
cd "$(dirname "$0")/.."
project=$(pwd)
PATH=$project/target/release:$PATH
work=$project/target/demo
unsampled=262144
repeat=5
simulated_repeat=3

say() {
    printf '\n\033[1m%s\033[0m\n' "$*"
}

show() {
    printf '$ %s\n' "$*"
    "$@"
}

# In a folder with traces: fits them, compares with those of the size that was not sampled, and draws, as this script says.
analyse() {
    cp "$project/examples/fft/$2" "$project/examples/fft/fft.obsp" "$1"
    grep -v '^#' "$1/$2" | sed 's/^/llac> /'
    echo
    (cd "$1" && show llac "$2")
}

rm -rf "$work"
mkdir -p "$work/unsampled"
cp examples/fft/fft.c "$work"
cd "$work"
cores=$(getconf _NPROCESSORS_ONLN)

say "1. Translate examples/fft/fft.c and compile it with the embedded BSP machine"
show call fft.c
# shellcheck disable=SC2046 # call prints words
cc $(call cflags -O2) fft.call.c $(call libs) -o fft
echo "\$ cc \$(call cflags -O2) fft.call.c \$(call libs) -o fft"

say "2. Measure N = 1024 ... 131072 on 1 ... $cores processors, each $repeat times"
CALL_QUIET=1 ./fft.call.sh --repeat "$repeat" >measured.txt
echo "results checked against the definition of the transform: $(wc -l <measured.txt) times right"

say "3. Measure N = $unsampled, which is not among them"
(cd unsampled && CALL_QUIET=1 ../fft.call.sh --program ../fft --repeat "$repeat" "$unsampled" >../unsampled.txt)

say "4. Fit, and compare the prediction for N = $unsampled with the measurement"
analyse . measured.llac

simulate() {
    mkdir -p simulated/unsampled
    cp "$project/examples/fft/cluster.xml" simulated
    for host in $(seq 0 31); do echo "n-$host.x"; done >simulated/hosts
    # shellcheck disable=SC2046
    smpicc $(call cflags --mpi -O2) fft.call.c $(call libs --mpi) -o simulated/fft
    launcher="smpirun -np %P -platform $work/simulated/cluster.xml -hostfile $work/simulated/hosts"
    launcher="$launcher --cfg=smpi/host-speed:1Gf --cfg=smpi/cpu-threshold:0 --log=root.threshold:error"
    (cd simulated && CALL_QUIET=1 CALL_COUNTERS=off ../fft.call.sh --program ./fft --launcher "$launcher" --repeat "$simulated_repeat" >measured.txt)
    (cd simulated/unsampled &&
        CALL_QUIET=1 CALL_COUNTERS=off ../../fft.call.sh --program ../fft --launcher "$launcher" --repeat "$simulated_repeat" "$unsampled" >../unsampled.txt)
    analyse simulated simulated.llac
}

if command -v smpicc >/dev/null && command -v smpirun >/dev/null; then
    say "5. The same on a simulated cluster (SimGrid): P = 1 ... 32, a table like Table 3 of the paper"
    simulate
else
    say "5. SimGrid is not installed (Debian: libsimgrid-dev): the table for 1 ... 32 processors is left out"
fi

say "Files written, in $work:"
find . -type f | sed 's|^\./||' | sort
