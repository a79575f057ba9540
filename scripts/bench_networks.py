"""How well the transform of examples/fft is predicted on more processors than were measured, on three simulated networks: a flat switch,
a fat tree with 16 hosts a leaf and half as many links above them, a dragonfly of 4 groups of 4 chassis of 4 routers of 4 hosts. Fitted on up
to 16 processors and N < 2^18; predicted from 32 processors and N = 2^18 on. docs/accuracy.md has a table that it made.

g and L are measured with the two patterns that differ most in what they ask of a network: a total exchange, as the probe does, in which
few bytes cross any cut, and one with the partner on the other half, in which all do.

Arguments: the folder with `llac` and `call`, and one for what is built and measured; what is there already is not measured again. NETWORKS
names some of `flat fat-tree dragonfly`; POINTS are the predicted ones, as P:N, with N as the exponent of 2. SMPI takes 64 bytes a value
and processor: 4 GB for 256:18."""

import json
import os
import subprocess
import sys
from pathlib import Path

programs, work = (Path(argument).resolve() for argument in sys.argv[1:3])
examples = Path(__file__).resolve().parent.parent / "examples" / "fft"
environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "CALL_QUIET": "1"}

LINKS = 'prefix="n-" suffix=".x" radical="0-255" speed="1Gf" bw="25Gbps" lat="1.5us"'
NETWORKS = {
    "flat": "",
    "fat-tree": 'topology="FAT_TREE" topo_parameters="2;16,16;1,8;1,1"',
    "dragonfly": 'topology="DRAGONFLY" topo_parameters="4,1;4,1;4,1;4"',
}
LAUNCHER = "smpirun -np %P -platform cluster.xml --cfg=smpi/host-speed:1Gf --cfg=smpi/cpu-threshold:0 --log=root.threshold:error"
FITTED = (1, 2, 4, 8, 16)
networks = os.environ.get("NETWORKS", " ".join(NETWORKS)).split()
DEFAULT_POINTS = "32:18 64:18 128:18 256:18 32:19 64:19"
points = [tuple(map(int, point.split(":"))) for point in os.environ.get("POINTS", DEFAULT_POINTS).split()]
probed = sorted({2, 4, 8, 16} | {processors for processors, _ in points})

# `total` and `halves` send as much from and to each processor; h is in bytes.
PATTERNS = """#include <pub.h>
#include <stdlib.h>
#pragma cll parallel PUB gbsp
int main(int argc, char **argv)
{
    t_bsp bsp, *gbsp = &bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, gbsp);
    int P = bsp_nprocs(gbsp), pid = bsp_pid(gbsp);
    char *room = calloc(1 << 21, 1);
    for (int h = 1 << 16; h <= 1 << 21; h *= 2) {
        for (int k = 0; k < 3; k++) {
            bsp_sync(gbsp);
            #pragma cll sync halves halves[0] + halves[1]*h
            bsp_hpsend(gbsp, pid ^ P / 2, room, h);
            bsp_oblsync(gbsp, 1);
            #pragma cll end halves
        }
    }
    for (int h = 1 << 16; h <= 1 << 20; h *= 16) {
        for (int k = 0; k < 2; k++) {
            bsp_sync(gbsp);
            #pragma cll sync total total[0] + total[1]*h
            for (int other = 1; other < P; other++) {
                bsp_hpsend(gbsp, (pid + other) % P, room, h / (P - 1));
            }
            bsp_sync(gbsp);
            #pragma cll end total
        }
    }
    #pragma cll report all
    bsplib_done();
    return 0;
}
"""

def run(*command, folder):
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build():
    """The program with fewer repetitions, which the simulated network does not need, and the probe."""
    folder = work / "programs"
    if (folder / "fft").exists() and (folder / "patterns").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    text = (examples / "fft.c").read_text()
    for name, value in (("TRANSFORMS", 3), ("CHECKED_PLACES", 1), ("LARGEST_CHECKED_WHOLE", 1)):
        head, tail = text.split(f"#define {name} ", 1)
        text = f"{head}#define {name} {value}\n{tail.split(chr(10), 1)[1]}"
    (folder / "fft.c").write_text(text)
    (folder / "patterns.c").write_text(PATTERNS)
    for name in ("patterns", "fft"):
        run("call", f"{name}.c", folder=folder)
        libraries = f"$(call cflags --mpi -O2) {name}.call.c $(call libs --mpi)"
        run("sh", "-c", f"smpicc {libraries} -o {name}", folder=folder)
    return folder


def simulate(folder, name, processors, *arguments, into):
    """The traces of one run; those that are there are taken."""
    if not (folder / into).exists():
        (folder / "new").mkdir(exist_ok=True)
        environment["CALL_OUTPUT"] = "new"
        run("sh", "-c", f"{LAUNCHER.replace('%P', str(processors))} {work}/programs/{name} {' '.join(arguments)}", folder=folder)
        (folder / "new").rename(folder / into)


def measure(network):
    folder = work / network
    folder.mkdir(exist_ok=True)
    cluster = f'<cluster id="c" {LINKS} {NETWORKS[network]}/>'
    doctype = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    (folder / "cluster.xml").write_text(f'{doctype}\n<platform version="4.1">\n{cluster}\n</platform>\n')
    for processors in FITTED:
        simulate(folder, "fft", processors, into=f"fitted-{processors}")
    for processors, exponent in points:
        simulate(folder, "fft", processors, str(2**exponent), into=f"held-{processors}-{exponent}")
    for processors in probed:
        simulate(folder, "patterns", processors, into=f"probed-{processors}")
    return folder


def shortest(folder, processors):
    """The shortest of the repetitions on the slowest processor, for each pattern and h."""
    times = {}
    for file in (folder / f"probed-{processors}").glob("*.dat"):
        for line in file.read_text().splitlines():
            words = line.split()
            if words and words[0] in ("halves", "total"):
                times.setdefault((words[0], int(words[3])), {}).setdefault(words[1], []).append(float(words[4]))
    return {key: min(map(max, zip(*each.values()))) for key, each in times.items()}


def write_machine(folder):
    """g and L of the exchange between halves, which is that of the transform."""
    text = 'schema_version = 1\nname = "simulated"\n[provenance]\nkind = "measured"\nsource = "patterns"\ndate = "2026-11-23"\n'
    for processors in probed:
        times = shortest(folder, processors)
        g = (times["halves", 1 << 21] - times["halves", 1 << 20]) / (1 << 20)
        latency = max(times["halves", 1 << 16] - g * (1 << 16), 1e-7)
        total = (times["total", 1 << 20] - times["total", 1 << 16]) / ((1 << 20) - (1 << 16))
        print(f"{folder.name}: P = {processors}, g {g:.3g} between halves, {total:.3g} in a total exchange; L {latency:.3g}")
        text += f"[[bsp]]\nprocessors = {processors}\nrate_flop_per_s = 1e9\ng_s_per_byte = {g:.6g}\nlatency_s = {latency:.6g}\n"
    (folder / "machine.toml").write_text(text)


def judge(folder):
    """Formula and blocks alone, then the blocks with the machine's g and L, beside what was measured."""
    write_machine(folder)
    program = (examples / "fft.obsp").read_text().replace(" costs D", "").replace("fft(n)", "known(n)")
    (folder / "known.obsp").write_text(program.replace("program fft(N) predicts f", "program known(N)"))
    held = " ".join(f"held-{processors}-{exponent}/fft.call.0.dat" for processors, exponent in points)
    fitted = " ".join(f"fitted-{processors}/fft.call.0.dat" for processors in FITTED)
    sizes = ",".join(str(2**exponent) for exponent in sorted({exponent for _, exponent in points}))
    at = f"N={sizes} P={','.join(map(str, sorted({processors for processors, _ in points})))}"
    lines = ["set repetitions minimum", f"load {fitted}", f"compare f {held}", f"program {examples / 'fft.obsp'}",
             f"predict fft {at}", "program known.obsp", "machine use machine.toml", f"predict known {at} relation=max"]
    print(run("llac", *(word for line in lines for word in ("-e", line)), folder=folder))


def main():
    build()
    for network in networks:
        judge(measure(network))


main()
