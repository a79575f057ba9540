"""How well the radar of examples/radar is predicted: all 20 allocations of 1 to 4 and 1 to 5 processors run under SMPI, a model is made of the 14
on the border, and its predictions are set beside the 6 inside; then the best allocation, among all 20.

Arguments: the folder with `llac` and `call`, and one for what is built and measured. REPETITIONS are further rounds in which computing takes what it
takes on this computer (default 0); of these a line each. SIZES are channels, rows, columns and frames."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

programs, work = (Path(argument).resolve() for argument in sys.argv[1:3])
examples = Path(__file__).resolve().parent.parent / "examples"
environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "CALL_QUIET": "1"}
repetitions = int(os.environ.get("REPETITIONS", "0"))
sizes = os.environ.get("SIZES", "4 60 64 10").split()

LAUNCHER = "smpirun -platform cluster.xml -hostfile hosts --cfg=smpi/host-speed:1Gf --log=root.threshold:error".split()
PLANTED = ["--cfg=smpi/simulate-computation:no"]
TIMED = ["--cfg=smpi/cpu-threshold:0"]
NANOSECONDS = "50"
P0, P1 = range(1, 5), range(1, 6)
allocations = [(p0, p1) for p0 in P0 for p1 in P1]
border = [(p0, p1) for p0, p1 in allocations if p0 in (P0[0], P0[-1]) or p1 in (P1[0], P1[-1])]
inside = [its for its in allocations if its not in border]


def run(*command):
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def table(name, *command):
    answer = json.loads(run("llac", "--format", "json", *command))
    return next(table["rows"] for result in answer["results"] for table in result["tables"] if table["name"] == name)


def build():
    work.mkdir(parents=True, exist_ok=True)
    for name in ("radar.c", "stages.h"):
        shutil.copy(examples / "radar" / name, work)
    shutil.copy(examples / "fft" / "cluster.xml", work)
    (work / "hosts").write_text("".join(f"n-{host}.x\n" for host in range(32)))
    environment["CC"] = "smpicc"
    run("call", "-q", "radar.c")
    run("sh", "-c", "smpicc $(call cflags --mpi -O2) radar.call.c $(call libs --mpi) -o radar")


def trace(allocation):
    return f"radar.{allocation[0]}.{allocation[1]}.dat"


def measure(setting, nanoseconds):
    """The run time of each allocation, seconds."""
    times = {}
    for p0, p1 in allocations:
        for old in work.glob("radar.call.*.dat"):
            old.unlink()
        shown = run(*LAUNCHER, *setting, "-np", str(p0 + p1 + 1), "./radar", str(p0), str(p1), "1", *sizes, nanoseconds)
        if not shown.endswith("right\n"):
            sys.exit(shown)
        (work / "radar.call.0.dat").rename(work / trace((p0, p1)))
        times[p0, p1] = table("efficiency", "waits", trace((p0, p1)))[0]["run_time_s"]
    return times


def predict():
    """Of each allocation the row of the prediction, and the allocations that are as good as the best."""
    files = [trace(its) for its in border]
    rows = table("run_times", "waits", "model", *files, "p0=1..4", "p1=1..5")
    band = table("allocations", "best", "allocation", *files, "total=12", "p0=1..4", "p1=1..5")
    return {(row["p0"], row["p1"]): row for row in rows}, [(row["p0"], row["p1"]) for row in band]


def judge(times, rows, band):
    errors = [abs(rows[its]["predicted_s"] / times[its] - 1) for its in inside]
    held = sum(rows[its]["lower_s"] <= times[its] <= rows[its]["upper_s"] for its in inside)
    best = min(times, key=times.get)
    return (f"mean error {100 * sum(errors) / len(errors):.2f} %, largest {100 * max(errors):.2f} %, {held} of 6 within their intervals; best {best}"
            f" {'in' if best in band else 'NOT IN'} {band}")


build()
times = measure(PLANTED, NANOSECONDS)
rows, band = predict()
print("p0 p1   measured  predicted  error  sum")
for its in allocations:
    row = rows[its]
    error = 100 * (row["predicted_s"] / times[its] - 1)
    place = "unseen" if its in inside else ""
    print(f"{its[0]:2} {its[1]:2} {1e3 * times[its]:7.2f} ms {1e3 * row['predicted_s']:7.2f} ms {error:5.1f} %  {row['sum']}  {place}".rstrip())
print(judge(times, rows, band))
for repetition in range(repetitions):
    times = measure(TIMED, "0")
    print(f"timed {repetition + 1}: {judge(times, *predict())}", flush=True)
