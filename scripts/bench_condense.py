"""Many rows condensed in parts, each the trace of one run: what that takes, and whether the numbers are right.

    scripts/bench_condense.py LLAC WORK [PARTS [ROWS]]

There are 10 parts of 100 million rows (a multiple of 16), of 2.8 GB each, one at a time in the folder WORK. Number, mean, least and most of each run and
point in the file of all parts have to be those that numpy finds; and of a smaller case, whose parts are there all at once, parts
condensed together have to be the same bytes as the traces condensed at once, with the constants that the traces have. Needs numpy."""

import csv
import json
import os
import struct
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

ROWS_AT_ONCE = 1 << 20
BLOCK_ROWS = 1 << 13  # as the runtime has them
POINTS = np.arange(1, 17) * 1000
CONSTANT_NS, PER_N_NS = 1000, 3
SMALL_ROWS = 300_000
HEADER = """\
# call-trace 1
# program: sum
# date: 2026-11-21T09:30:{part:02}Z
# host: node7
# kind: sequential
# processors: 1
# clock: TSC
# clock_resolution_ns: 10
# empty_pair_ns: 30
# body: binary
# run: part{part:02}
# experiment: f
# formula: f[0] + f[1]*N
# variables: N
# types: i64
experiment processor P N time_s
"""


def block(time_ns, n):
    count = len(n)
    numbers = np.zeros(count, "<u4").tobytes() * 2 + np.ones(count, "<u4").tobytes()
    body = numbers + bytes(-len(numbers) % 8) + time_ns.astype("<u8").tobytes() + n.astype("<i8").tobytes()
    return struct.pack("<8sQIIdQ", b"CLLBLOCK", 40 + len(body), count, 0, 1.0, 0) + body


def write_part(path, part, rows):
    """A trace whose times are 1000 ns + 3 N ns, each with a random factor, N changing from row to row. Returns the rows of each point, and
    sums, least and most of their times, in ns."""
    random = np.random.default_rng(part)
    sums, least, most = 0, np.inf, 0
    n = np.tile(POINTS, BLOCK_ROWS // len(POINTS))
    with open(path, "wb") as file:
        file.write(HEADER.format(part=part).encode())
        for start in range(0, rows, ROWS_AT_ONCE):
            count = min(ROWS_AT_ONCE, rows - start)
            factor = random.uniform(0.9, 1.1, count).reshape(-1, len(POINTS))
            time_ns = np.rint((CONSTANT_NS + PER_N_NS * POINTS) * factor).astype(np.int64)
            sums = sums + time_ns.sum(axis=0)
            least = np.minimum(least, time_ns.min(axis=0))
            most = np.maximum(most, time_ns.max(axis=0))
            time_ns = time_ns.reshape(-1)
            for first in range(0, count, BLOCK_ROWS):
                times = time_ns[first : first + BLOCK_ROWS]
                file.write(block(times, n[: len(times)]))
        file.write(f"# end rows={rows}\n".encode())
    return rows // len(POINTS), sums, least, most


def become_part(path, part, rows, expected):
    """Makes part 0 another part, each of whose times is `part` ns shorter, by what its header and its blocks say: so it takes no time."""
    with open(path, "r+b") as file:
        file.write(HEADER.format(part=part).encode())
        at = file.tell()
        for _ in range(0, rows, BLOCK_ROWS):
            file.seek(at + 8)
            size = struct.unpack("<Q", file.read(8))[0]
            file.seek(at + 32)
            file.write(struct.pack("<Q", part))
            at += size
    count, sums, least, most = expected
    return count, sums - count * part, least - part, most - part


def written_apart(*arguments):
    """`write_part` in a process of its own: what a process has at most counts that of the one that started it."""
    with ProcessPoolExecutor(1) as writer:
        return writer.submit(write_part, *arguments).result()


def run(*command, cwd):
    """Output, wall seconds, processor seconds and MB of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    unit = 1 if sys.platform == "darwin" else 1024
    return told, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6


def constants(llac, work, files):
    """Value and standard error of each constant, in seconds, what the text of the fit says, and what it took."""
    lines = ["-e", f"load {files}", "-e", "set repetitions mean", "-e", "fit f into fit.json"]
    _, wall_s, _, peak_mb = run(llac, *lines, cwd=work)
    rows = json.loads((work / "fit.json").read_text())["tables"][0]["rows"]
    return [(row["value_s"], row["standard_error_s"]) for row in rows], wall_s, peak_mb


def check(llac, work, file, expected):
    """The largest relative difference between the summaries of the file and what numpy has found in each part."""
    run(llac, "-e", f"load {file}", "-e", "show f 1000000 into all.summaries.csv", cwd=work)
    worst, seen = 0.0, 0
    with open(work / "all.summaries.csv") as table:
        for row in csv.DictReader(table):
            part = int(row["trace"].partition(":part")[2].partition(".")[0])
            count, *exact = expected[part]
            sum_ns, least_ns, most_ns = (column[int(row["N"]) // POINTS[0] - 1] for column in exact)
            assert int(row["count"]) == count, row
            for name, exact_ns in [("mean_s", sum_ns / count), ("shortest_s", least_ns), ("longest_s", most_ns)]:
                worst = max(worst, abs(float(row[name]) / (exact_ns / 1e9) - 1))
            seen += 1
    assert seen == len(expected) * len(POINTS), seen
    return worst


def large(llac, work, parts, rows):
    trace = work / "part.call.0.dat"
    # One after another, as the disk may not have room for all.
    first = written_apart(trace, 0, rows)
    expected, files = [], []
    for part in range(parts):
        expected.append(become_part(trace, part, rows, first))
        files.append(f"part{part}.parquet")
        its = trace.rename(work / f"part{part}.call.0.dat")
        _, wall_s, cpu_s, peak_mb = run(llac, "condense", its.name, "into", files[-1], cwd=work)
        its.rename(trace)
        print(f"part {part}: {rows} rows, {wall_s:.1f} s wall, {cpu_s:.1f} s CPU, {peak_mb:.0f} MB", flush=True)
    trace.unlink()
    _, wall_s, cpu_s, peak_mb = run(llac, "condense", *files, "into", "all.parquet", cwd=work)
    print(f"{parts} parts together: {wall_s:.2f} s wall, {cpu_s:.2f} s CPU, {peak_mb:.0f} MB, {(work / 'all.parquet').stat().st_size} bytes")
    found, wall_s, peak_mb = constants(llac, work, "all.parquet")
    constant_ns = CONSTANT_NS - (parts - 1) / 2
    print(f"fit: {wall_s:.2f} s wall, {peak_mb:.0f} MB; value and standard error, s: {found} for {constant_ns}e-9 and {PER_N_NS}e-9")
    worst = check(llac, work, "all.parquet", expected)
    print(f"numbers are those of numpy, means, least and most differ by {worst:.1e} of them at most")


def small(llac, work):
    traces, files = [], []
    for part in range(10):
        traces.append(f"small{part}.call.0.dat")
        written_apart(work / traces[-1], part, SMALL_ROWS)
        files.append(f"small{part}.parquet")
        run(llac, "condense", traces[-1], "into", files[-1], cwd=work)
    run(llac, "condense", *reversed(files), "into", "parts.parquet", cwd=work)
    run(llac, "condense", *traces, "into", "once.parquet", cwd=work)
    print("parts and all at once are the same bytes:", (work / "parts.parquet").read_bytes() == (work / "once.parquet").read_bytes())
    of_parts, of_traces = (constants(llac, work, its)[0] for its in ("parts.parquet", " ".join(traces)))
    differences = [abs(one / other - 1) for mine, its in zip(of_parts, of_traces) for one, other in zip(mine, its)]
    print(f"values and standard errors of parts differ from those of the traces by {max(differences):.1e} of them at most")
    for trace in traces:
        (work / trace).unlink()


def main():
    llac, work = (Path(argument).resolve() for argument in sys.argv[1:3])
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    rows = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000_000
    work.mkdir(parents=True, exist_ok=True)
    small(llac, work)
    large(llac, work, parts, rows)


main()
