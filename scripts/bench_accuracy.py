"""How well predictions hold on a busy machine: eight kernels of PolyBench/C, measured at small sizes, predicted at others that were
held out, once by the time on the wall and once by the time of the processor. docs/accuracy.md has a table that it made.

Arguments: the folder with `llac` and `call`, the one with PolyBench/C 4.2.1, and one for what is built and measured. With `--judge` the
traces that are there are judged again. BUSY processes run beside the measurements (4), each size is measured REPETITIONS times (7)."""

import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

programs, polybench, work = (Path(argument).resolve() for argument in sys.argv[1:4])
busy_processes = int(os.environ.get("BUSY", "4"))
repetitions = int(os.environ.get("REPETITIONS", "7"))
environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "CALL_QUIET": "1"}

# What the loops do, and the smallest and largest size that is fitted.
CUBES, SQUARES, STENCIL = (24, 240), (200, 1600), (64, 640)
KERNELS = {
    "gemm": ("linear-algebra/blas", "k[0] + k[1]*ni*nj + k[2]*ni*nj*nk", "ni", CUBES),
    "2mm": ("linear-algebra/kernels", "k[0] + k[1]*ni*(nj + nl) + k[2]*ni*nj*(nk + nl)", "ni", CUBES),
    "atax": ("linear-algebra/kernels", "k[0] + k[1]*m + k[2]*m*n", "n", SQUARES),
    "jacobi-2d": ("stencils", "k[0] + k[1]*tsteps*n + k[2]*tsteps*n*n", "n", STENCIL),
    "lu": ("linear-algebra/solvers", "k[0] + k[1]*n*n + k[2]*n*n*n", "n", CUBES),
    "floyd-warshall": ("medley", "k[0] + k[1]*n*n + k[2]*n*n*n", "n", CUBES),
    "seidel-2d": ("stencils", "k[0] + k[1]*tsteps*n + k[2]*tsteps*n*n", "n", STENCIL),
    "trisolv": ("linear-algebra/solvers", "k[0] + k[1]*n + k[2]*n*n", "n", SQUARES),
}
FITTED, INSIDE, BEYOND = 12, 6, (1.25, 1.5, 2.0)
RESPONSES = {"wall": "time", "CPU": "task-clock"}


def sizes(smallest, largest):
    """Sizes that are fitted, and those that are held out."""
    at = lambda share: round(smallest * (largest / smallest) ** share)
    fitted = [at(k / (FITTED - 1)) for k in range(FITTED)]
    inside = [at((k + 0.5) / INSIDE) for k in range(INSIDE)]
    return fitted, [size for size in inside if size not in fitted] + [round(factor * largest) for factor in BEYOND]


def annotated(kernel):
    """The kernel with directives, its size from the command line."""
    folder, formula, *_ = KERNELS[kernel]
    source = polybench / folder / kernel / f"{kernel}.c"
    text = source.read_text()
    begin = f"#pragma cll k {formula} counters task-clock"
    text = text.replace("#pragma scop", begin).replace("#pragma endscop", "#pragma cll end k")
    head, tail = text.rsplit("  return 0;", 1)
    (work / f"{kernel}.c").write_text(f"{head}#pragma cll report all\n  return 0;{tail}")
    return source.parent


def build(kernel):
    size = "atoi(argv[1])"
    names = [f"-D{name}={size}" for name in ("N", "M", "NI", "NJ", "NK", "NL")]
    command = ["call", "cc", "cc", "-O2", "-DPOLYBENCH_USE_C99_PROTO", "-DTSTEPS=10", *names, "-I", annotated(kernel)]
    command += ["-I", polybench / "utilities", f"{kernel}.c", polybench / "utilities" / "polybench.c", "-lm", "-o", kernel]
    subprocess.run(command, cwd=work, env=environment, check=True)


def measure():
    """All sizes of all kernels in an order of their own each time, as another one could be in step with what else runs."""
    work.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        build(kernel)
    runs = []
    for kernel, (*_, limits) in KERNELS.items():
        for folder, some in zip(("fitted", "held"), sizes(*limits)):
            runs += [(kernel, folder, size) for size in some for _ in range(repetitions)]
    random.Random(1).shuffle(runs)
    beside = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy_processes)]
    try:
        for kernel, folder, size in runs:
            its = environment | {"CALL_OUTPUT": str(work / folder)}
            subprocess.run([f"./{kernel}", str(size)], cwd=work, env=its, check=True)
    finally:
        for process in beside:
            process.kill()


def compared(kernel, response):
    """Rows of `compare`: medians of held-out sizes beside their predictions."""
    names = [f"{folder}/{kernel}.call.*.dat time={response}" for folder in ("fitted", "held")]
    lines = ["-e", f"load {names[0]}", "-e", f"compare k {names[1]}"]
    told = subprocess.run(["llac", "--format", "json", *lines], cwd=work, env=environment, check=True, capture_output=True)
    return json.loads(told.stdout)["results"][-1]["tables"][0]["rows"]


def single_measurements(kernel, variable, response):
    """Size and time of each held-out measurement."""
    for trace in (work / "held").glob(f"{kernel}.call.*.dat"):
        lines = [line.split() for line in trace.read_text().splitlines() if not line.startswith("#")]
        row = dict(zip(*lines))
        yield int(row[variable]), float(row["time_s"]) if response == "time" else 1e-9 * float(row[response])


def share(hits):
    hits = list(hits)
    return f"{sum(hits)} of {len(hits)}"


def judge():
    print("| kernel | time | error inside | error beyond | points in interval | measurements in interval | width |")
    print("|---|---|---|---|---|---|---|")
    everything = {name: [] for name in RESPONSES}
    for kernel, (*_, variable, limits) in KERNELS.items():
        for name, response in RESPONSES.items():
            rows = {row[variable]: row for row in compared(kernel, response)}
            is_in = lambda size, time_s: rows[size]["lower_s"] <= time_s <= rows[size]["upper_s"]
            points = [(size, abs(row["error_percent"]), is_in(size, row["measured_s"])) for size, row in rows.items()]
            singles = [is_in(*its) for its in single_measurements(kernel, variable, response)]
            widths = [row["upper_s"] / row["lower_s"] for row in rows.values() if row["lower_s"] > 0]
            everything[name].append((points, singles, limits[1]))
            errors = [errors_of(points, limits[1], beyond) for beyond in (False, True)]
            cells = [kernel, name, *errors, share(hit for *_, hit in points), share(singles), f"{statistics.median(widths):.3g}"]
            print(f"| {' | '.join(cells)} |")
    for name, judged in everything.items():
        points = [point for points, *_ in judged for point in points]
        errors = [error for _, error, _ in points]
        hits = [hit for *_, hit in points]
        singles = [hit for _, singles, _ in judged for hit in singles]
        print(f"\n{name}: median error {statistics.median(errors):.1f} %, worst {max(errors):.0f} %; {share(hits)} points and", end=" ")
        print(f"{share(singles)} measurements in their intervals ({100*sum(hits)/len(hits):.0f} %, {100*sum(singles)/len(singles):.0f} %)")


def errors_of(points, largest, beyond):
    """Median and worst error of the sizes inside the fitted range, or beyond it, in percent."""
    errors = [error for size, error, _ in points if (size > largest) == beyond]
    return f"{statistics.median(errors):.1f}, {max(errors):.0f} %"


if "--judge" not in sys.argv:
    measure()
judge()
