"""What it costs to record supersteps with their call stacks, beside the same runs that record none, in turn; to meet: 2 us a superstep ten
functions deep, 1.2 times the run of examples/query. And what a profile of a million supersteps, 4000 of 256 processors, takes; to meet: 10 s
and 500 MB.

Arguments: the folder with `llac` and one for what is built."""

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

programs, work = (Path(argument).resolve() for argument in sys.argv[1:3])
project = Path(__file__).resolve().parent.parent
runtime = project / "call-runtime"
work.mkdir(parents=True, exist_ok=True)
os.chdir(work)

ROUNDS = 15
SUPERSTEPS = 300_000


def compiled(source):
    program = work / source.stem
    include = f"-I{runtime / 'include'}"
    libraries = [runtime / "call-runtime.c", "-lm", "-pthread", "-Wno-unknown-pragmas"]
    subprocess.run(["cc", "-O2", include, source, *libraries, "-o", program], check=True)
    return program


def seconds(command, **variables):
    started = time.monotonic()
    environment = os.environ | {name: str(value) for name, value in variables.items()}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.monotonic() - started


def both(command, processors):
    """Medians of runs without and with records, in turn."""
    pairs = [
        [seconds(command, CALL_SUPERSTEPS=wanted, CALL_PROCESSORS=processors) for wanted in (0, 1)]
        for _ in range(ROUNDS)
    ]
    return [statistics.median(times) for times in zip(*pairs)]


without, recorded = both([compiled(runtime / "bench/deep.c"), str(SUPERSTEPS)], 1)
print(f"a superstep at depth 10: {1e6 * (recorded - without) / SUPERSTEPS:.3f} us more (to meet: 2)")
without, recorded = both([compiled(project / "examples/query/query.c"), "4", "960000"], 2)
print(f"query: {without:.3f} s, recorded {recorded:.3f} s, {recorded / without:.3f} times (to meet: 1.2)")

PROCESSORS, STEPS = 256, 4000
with open("million.dat", "w") as trace:
    trace.write(f"# call-trace 1\n# program: million\n# processors: {PROCESSORS}\n# experiment: E\n# variables:\nexperiment processor P time_s\n")
    for processor in range(PROCESSORS):
        trace.write(f"# supersteps of processor {processor}, clock common\n")
        for place in range(16):
            trace.write(f"# place {place + 1}: bsp_sync a.c:{place + 1} in f{place % 4} < g{place % 2} < main\n")
        trace.write("# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes "
                    "out_messages in_messages partners experiments inner_waiting_s\n")
        for step in range(STEPS):
            computing = 1 + (processor * 7919 + step * 104729) % 1000
            trace.write(f"# {step + 1} 0-{PROCESSORS - 1}.0 0 {step % 16 + 1} {step * 3e-6:.9f} {computing * 1e-9:.9f} {(1001 - computing) * 1e-9:.9f} "
                        f"0.000000500 0.000000100 {64 * (computing % 7)} 64 1 1 0-{PROCESSORS - 1} - 0.000000000\n")
    trace.write("# end rows=0\n")
taken = seconds([programs / "llac", "profile", "million.dat"])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"a million supersteps of {PROCESSORS} processors: {taken:.1f} s, {peak:.0f} MB (to meet: 10 and 500)")
os.remove("million.dat")
