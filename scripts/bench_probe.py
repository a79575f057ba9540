"""The probe beside its peers, in one run: sizes of caches as lscpu tells them, the bandwidth that a STREAM-like program sees, and
messages as MPI_Send and MPI_Recv take them. Arguments: the folder with `llac` and `call`, and one for what is built."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

programs, work = (Path(argument).resolve() for argument in sys.argv[1:3])
sources = Path(__file__).resolve().parent.parent / "llac" / "probe" / "bench"
# A folder of one's own machines is left alone.
environment = os.environ | {
    "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
LAUNCHER = "mpirun.openmpi --oversubscribe -n %P"


def told(*command):
    return subprocess.run(command, cwd=work, env=environment, check=True, capture_output=True, text=True).stdout


def row(what, probe, peer, ratio=True):
    tail = f"{probe / peer:6.2f}" if ratio else ""
    print(f"  {what:28} {probe:12.4g} {peer:12.4g} {tail}")


has_mpi = all(shutil.which(name) for name in ("mpicc.openmpi", "mpirun.openmpi"))
options = ["--launcher", LAUNCHER, "--compiler", "mpicc.openmpi", "--processors", "2"] if has_mpi else []
told("llac", "machine", "probe", *options, "probed", "into", "probed.toml", "--replace")
machine = tomllib.loads((work / "probed.toml").read_text())
caches = [level for level in machine["memory"] if "size_bytes" in level]

print(f"  {'':28} {'probe':>12} {'peer':>12}  ratio")
sizes = {}
for line in told("lscpu", "--bytes", "--caches=TYPE,ONE-SIZE").splitlines()[1:]:
    kind, size = line.split()
    if kind != "Instruction":
        sizes[f"L{len(sizes) + 1}"] = int(size)
for level in caches:
    if level["name"] in sizes:
        row(f"{level['name']}, bytes (lscpu)", level["size_bytes"], sizes[level["name"]])
        row(f"{level['name']}, bytes served", level["served_bytes"], sizes[level["name"]])

told("cc", "-O3", "-fopenmp-simd", sources / "stream.c", "-o", "stream")
array_bytes = max(1 << 27, 4 * max(level["size_bytes"] for level in caches))
for line in told("./stream", str(array_bytes)).splitlines():
    kernel, rate = line.split()
    row(f"memory, bytes/s (STREAM {kernel})", machine["memory"][-1]["bandwidth_bytes_per_s"], float(rate))

if has_mpi:
    told("mpicc.openmpi", "-O2", sources / "ping_pong.c", "-o", "ping_pong")
    messages = {message["bytes"]: message["time_s"] for message in machine["message"]}
    for line in told(*LAUNCHER.replace("%P", "2").split(), "./ping_pong").splitlines():
        size, time_s = line.split()
        row(f"message of {size} bytes, s (MPI)", messages[int(size)], float(time_s))
else:
    print("  (without Open MPI: sudo apt-get install openmpi-bin libopenmpi-dev)")
