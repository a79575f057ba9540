"""Runs that are killed at random, many of them while they report: whatever files they leave, in whatever order these are loaded, each
row counts once, none is invented, and of each thread no more than its last buffer is lost. tests/tests/kept.rs checks other BSP programs so.

Arguments: the folder with `llac` and `call`, one for what is built, and the number of runs (200)."""

import csv
import mmap
import os
import random
import shutil
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

programs, work = (Path(argument).resolve() for argument in sys.argv[1:3])
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 200
environment = os.environ | {
    "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    "OMP_NUM_THREADS": "3",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
STEPS = 12_000  # of each thread before each of the two reports
BUFFER = 256 * 1024 // 40  # a record with one variable has 40 bytes
PROCESSORS = 3

PROGRAM = """
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
HEADERS
int main(int argc, char **argv)
{
    int file = open("progress", O_RDWR);
    volatile unsigned long long *done = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int me = 0;
    (void)argc, (void)argv;
    START
#pragma cll parallel KIND
    for (int part = 0; part < 2; part++) {
        REGION
        {
            NUMBER
            for (int k = part*STEPS; k < (part + 1)*STEPS; k++) {
#pragma cll f f[0]*k
                done[8*me] = (unsigned long long)k;
#pragma cll end f
                done[8*me] = (unsigned long long)k + 1;
            }
        }
#pragma cll report all
        done[64] = (unsigned long long)part + 1;
    }
    STOP
    return 0;
}
""".replace("STEPS", str(STEPS))

KINDS = {
    "sequential": ("cc", "", [], {}),
    "OpenMP": (
        "cc",
        "-fopenmp",
        [],
        {"HEADERS": "#include <omp.h>", "REGION": "#pragma omp parallel firstprivate(me)", "NUMBER": "me = omp_get_thread_num();"},
    ),
    "MPI": (
        "mpicc",
        "",
        ["mpirun", "-n", str(PROCESSORS)],
        {"HEADERS": "#include <mpi.h>", "START": "MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &me);", "STOP": "MPI_Finalize();"},
    ),
    "BSPlib": (
        "cc",
        "",
        [],
        {"HEADERS": "#include <bsp.h>", "START": f"bsp_begin({PROCESSORS}); me = bsp_pid();", "STOP": "bsp_end();"},
    ),
}


def build(kind):
    compiler, flags, _, words = KINDS[kind]
    text = PROGRAM.replace("KIND", kind)
    for word in ("HEADERS", "START", "STOP", "REGION", "NUMBER"):
        text = text.replace(word, words.get(word, ""))
    (work / f"{kind}.c").write_text(text)
    command = ["call", "cc", compiler, "-O1", *flags.split(), f"{kind}.c", "-o", kind]
    subprocess.run(command, cwd=work, env=environment, check=True)


def members(session):
    told = subprocess.run(["ps", "-o", "pid=", "-s", str(session)], capture_output=True, text=True).stdout
    return [int(process) for process in told.split()]


def kill(child):
    """All processes of the run at once, or one of them first, so that its launcher ends the others."""
    processes = members(child.pid)
    random.shuffle(processes)
    for process in processes:
        try:
            os.kill(process, 9)
        except ProcessLookupError:
            pass
    child.wait()
    while members(child.pid):
        time.sleep(0.001)


def killed(kind, folder, whole_s, form):
    """Kills a run somewhere, every second time within a report; returns what each processor had measured."""
    (folder / "progress").write_bytes(bytes(4096))
    with open(folder / "progress", "r+b") as file:
        progress = mmap.mmap(file.fileno(), 4096)
    done = lambda at: struct.unpack_from("Q", progress, 64 * at)[0]
    command = [*KINDS[kind][2], str(work / kind)]
    its = environment | {"CALL_QUIET": "1", "CALL_TRACE": form}
    child = subprocess.Popen(command, cwd=folder, env=its, start_new_session=True, stderr=subprocess.DEVNULL)
    if random.random() < 0.5:
        time.sleep(random.uniform(0, 1.1 * whole_s))
    else:
        steps = STEPS * random.choice([1, 2])
        processors = range(1 if kind == "sequential" else PROCESSORS)
        while child.poll() is None and any(done(at) < steps for at in processors):
            time.sleep(0.0002)
        time.sleep(random.uniform(0, 0.05))
    kill(child)
    return [done(at) for at in range(PROCESSORS)]


def rows(folder, form):
    """How often each measurement of each processor is there, all files that are left loaded in any order."""
    names = [path.name for path in folder.glob("*.dat")]
    random.shuffle(names)
    if not names:
        return names, Counter()
    table = "rows.summaries.csv" if form == "summary" else "rows.csv"
    lines = ["-e", f"load {' '.join(names)}", "-e", f"show f 1000000 into {table}"]
    told = subprocess.run(["llac", *lines], cwd=folder, env=environment, capture_output=True, text=True)
    if told.returncode != 0:
        return names, Counter() if "no samples" in told.stderr else sys.exit(f"{names}: {told.stderr}")
    counted = Counter()
    with open(folder / table) as file:
        for row in csv.DictReader(file):
            counted[int(row["processor"]), int(row["k"])] += int(row.get("count", 1))
    return names, counted


def main():
    work.mkdir(parents=True, exist_ok=True)
    random.seed(7)
    totals, mixtures = Counter(), Counter()
    whole_s = {}
    for kind in KINDS:
        build(kind)
    for run in range(runs):
        kind = list(KINDS)[run % len(KINDS)]
        folder = work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if kind not in whole_s:
            start = time.monotonic()
            (folder / "progress").write_bytes(bytes(4096))
            subprocess.run([*KINDS[kind][2], str(work / kind)], cwd=folder, env=environment, check=True, capture_output=True)
            whole_s[kind] = time.monotonic() - start
            shutil.rmtree(folder)
            folder.mkdir()
        form = random.choice(["text", "binary", "summary"])
        done = killed(kind, folder, whole_s[kind], form)
        names, counted = rows(folder, form)
        reports = sum("unfinished" not in name for name in names)
        mixtures[reports, len(names) - reports] += 1
        repeated = sum(count - 1 for count in counted.values())
        of_processor = Counter(processor for processor, _ in counted)
        invented = sum(k > done[processor] for processor, k in counted)
        lost = [max(0, count - of_processor[processor]) for processor, count in enumerate(done)]
        # What is summed up goes to the disk every second, whatever its size.
        too_many = sum(count > BUFFER for count in lost) if form != "summary" else 0
        totals.update(runs=1, measured=sum(done), counted=sum(of_processor.values()), repeated=repeated, invented=invented)
        totals.update(lost=sum(lost), lost_beyond_a_buffer=too_many)
        if repeated or invented or too_many:
            print(f"run {run}, {kind}, {form}: {repeated} repeated, {invented} invented, lost {lost} of {done}, files {sorted(names)}")
        if (run + 1) % 20 == 0 or run + 1 == runs:
            print(", ".join(f"{name} {count}" for name, count in totals.items()), flush=True)
    print("reports and unfinished files left:", ", ".join(f"{key[0]}+{key[1]}: {count}" for key, count in sorted(mixtures.items())))


main()
