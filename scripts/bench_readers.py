"""Reads a trace of 10 million rows in random order with llac and with polars, each in a process of its own.

    scripts/bench_readers.py LLAC [full]

LLAC is the program. With `full` it reads 100 million rows, too, and tells how much memory that took (they need 4 GB of disk).
Needs numpy and polars.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

REPETITIONS = 5
ROWS = 10_000_000
MANY_ROWS = 100_000_000
ROWS_AT_ONCE = 1 << 18
HEADER = """\
# call-trace 1
# program: bench
# processors: 4
# experiment: transform
# formula: transform[0] + transform[1]*N
# variables: N
experiment processor P N time_s
"""
POLARS = """
import sys
import polars
table = polars.read_csv(sys.argv[1], separator=" ", comment_prefix="#")
assert table.height == int(sys.argv[2])
"""


def write_trace(path, rows, points):
    """Rows of about 35 bytes, whose N has so many values."""
    random = np.random.default_rng(1)
    with open(path, "wb") as file:
        file.write(HEADER.encode())
        for start in range(0, rows, ROWS_AT_ONCE):
            count = min(ROWS_AT_ONCE, rows - start)
            processor = random.integers(0, 4, count).tolist()
            n = ((1 + random.integers(0, points, count)) * (100_000_000 // points)).tolist()
            time_ns = random.integers(0, 2_000_000_000, count).tolist()
            seconds = [f"{its // 1_000_000_000}.{its % 1_000_000_000:09}" for its in time_ns]
            columns = zip(processor, n, seconds)
            file.write("".join(f"transform {p} 4 {n} {s}\n" for p, n, s in columns).encode())
        file.write(f"# end rows={rows}\n".encode())


def run(command, **environment):
    """Wall seconds, CPU seconds and MB of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[0]} failed")
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return wall_s, usage.ru_utime + usage.ru_stime, peak / 1e6


def compare(llac, folder):
    path = folder / "many.dat"
    write_trace(path, ROWS, 100_000_000)
    print(f"{ROWS} rows, {path.stat().st_size / 1e6:.0f} MB; whole processes, the fastest of {REPETITIONS} by turns")
    polars = [sys.executable, "-c", POLARS, path, str(ROWS)]
    readers = {
        "llac": lambda: run([llac, "-e", f"load {path}", "-e", "experiments"]),
        "polars, 1 thread": lambda: run(polars, POLARS_MAX_THREADS="1"),
        "polars, 2 threads": lambda: run(polars, POLARS_MAX_THREADS="2"),
    }
    taken = {name: [] for name in readers}
    for _ in range(REPETITIONS):
        for name, read in readers.items():
            taken[name].append(read())
    best = {name: [min(column) for column in zip(*all_of_it)] for name, all_of_it in taken.items()}
    for name, (wall_s, cpu_s, peak_mb) in best.items():
        print(f"{name:<20} {wall_s:6.2f} s wall {cpu_s:6.2f} s CPU {peak_mb:6.0f} MB")
    wall, cpu = (best["llac"][index] / best["polars, 2 threads"][index] for index in (0, 1))
    print(f"llac / polars, 2 threads: wall {wall:.2f} (to meet: 1.00), CPU {cpu:.2f} (to meet: 0.50)")


def bound(llac, folder):
    for label, points in [("1000 values of N", 1000), ("all N differ", 100_000_000)]:
        path = folder / "very-many.dat"
        write_trace(path, MANY_ROWS, points)
        wall_s, cpu_s, peak_mb = run([llac, "-e", f"load {path}", "-e", "experiments"])
        print(f"{MANY_ROWS} rows, {label}: {wall_s:.1f} s wall, {cpu_s:.1f} s CPU, {peak_mb:.0f} MB")
        path.unlink()


def main():
    llac = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        compare(llac, Path(folder))
        if "full" in sys.argv[2:]:
            bound(llac, Path(folder))


main()
