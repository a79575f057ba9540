"""Runs that end at random, many of them while they report, in five ways:

    kill, segv, abort  SIGKILL, SIGSEGV or SIGABRT to all processes or to one of them, whose end then ends the others
    disk               on a file system that has room for a random part of what the run writes (who runs this must be able to mount one)
    lost               a message of MPI is lost, one that the program or the BSP library over MPI sends, and the run is ended when it stands still

Whatever files they leave, in whatever order these are loaded, all can be read, each row counts once, none is invented, and of each thread no
more than its last buffer is lost; on a full disk more may be, but then the program says so. tests/tests/kept.rs checks other BSP programs so.

Arguments: the folder with `llac` and `call`, one for what is built, the number of runs that end so of each way and kind (200), and
which (all): ways, or a way and a kind as `kill:MPI`."""

import mmap
import os
import random
import resource
import shutil
import signal
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
    "CALL_PROCESSORS": "3",
    "CALL_QUIET": "1",
    "CALL_CLOCK": "monotonic",  # the other one is compared for 50 ms first
}
STEPS = 8_000  # of each thread before each of the two reports
BUFFER = 256 * 1024 // 40  # a record with one variable has 40 bytes
PROCESSORS = 3
DISK_BYTES = 8 << 20
SIGNALS = {"kill": signal.SIGKILL, "segv": signal.SIGSEGV, "abort": signal.SIGABRT}
PATIENCE_S = 20

PROGRAM = """
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
HEADERS
static long given(const char *name)
{
    return getenv(name) ? atol(getenv(name)) : -1;
}
static void end_soon(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = (int)given("END_SIGNAL")};
    struct itimerspec in = {.it_value = {0, given("END_NS")}};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &in, 0);
}
int main(int argc, char **argv)
{
    int file = open(argv[1], O_RDWR);
    volatile unsigned long long *done = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int me = 0;
    (void)argc;
    START
    long end_step = given("END_STEP"), end_report = given("END_REPORT"), end_me = given("END_PROCESSOR");
#pragma cll parallel KIND
    for (int part = 0; part < 2; part++) {
        REGION
        {
            NUMBER
            int is_ended = end_me < 0 || end_me == me;
            for (int k = part*STEPS; k < (part + 1)*STEPS; k++) {
#pragma cll f f[0]*k
                done[8*me] = (unsigned long long)k;
#pragma cll end f
                done[8*me] = (unsigned long long)k + 1;
                if (k == end_step && is_ended) {
                    end_soon();
                }
                for (volatile int spin = 0; spin < 300; spin++) {
                }
                if (k % 1000 == 500) {
                    EXCHANGE
                }
            }
        }
        if (part == end_report && (end_me < 0 || end_me == me)) {
            end_soon();
        }
#pragma cll report all
        done[64] = (unsigned long long)part + 1;
    }
    STOP
    return 0;
}
""".replace("STEPS", str(STEPS))

RING = f"""int word = k, next = (me + 1) % {PROCESSORS}, previous = (me + {PROCESSORS - 1}) % {PROCESSORS};
                    MPI_Send(&word, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
                    MPI_Recv(&word, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
MPIRUN = ["mpirun", "-n", str(PROCESSORS)]
BSPLIB = {
    "KIND": "BSPlib",
    "HEADERS": "#include <bsp.h>",
    "START": f"bsp_begin({PROCESSORS}); me = bsp_pid();",
    "EXCHANGE": f"bsp_send((me + 1) % {PROCESSORS}, 0, &k, sizeof k); bsp_sync();",
    "STOP": "bsp_end();",
}
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
        MPIRUN,
        {
            "HEADERS": "#include <mpi.h>",
            "START": "MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &me);",
            "EXCHANGE": RING,
            "STOP": "MPI_Finalize();",
        },
    ),
    "BSPlib": ("cc", "", [], BSPLIB),
    "BSPlib-over-MPI": ("mpicc", "", MPIRUN, BSPLIB),
}
WITH_MESSAGES = ["MPI", "BSPlib-over-MPI"]

# Loses the message whose number is LOSE, of one processor: it counts as sent. With LOSE=0 it says how many there were.
LOSING = """
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static long sent;
static int is_lost(void)
{
    const char *processor = getenv("OMPI_COMM_WORLD_RANK"), *at = getenv("LOSER");
    sent++;
    return atoi(processor) == atoi(at) && sent == atol(getenv("LOSE"));
}
__attribute__((destructor)) static void tell(void)
{
    if (getenv("LOSE") && getenv("OMPI_COMM_WORLD_RANK") && atol(getenv("LOSE")) == 0) {
        fprintf(stderr, "sent %ld\\n", sent);
    }
}
#define ORIGINAL(NAME) static __typeof__(&NAME) original; if (!original) original = (__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME)
#define SEND(NAME)                                                                                         \\
    int NAME(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator)       \\
    {                                                                                                       \\
        ORIGINAL(NAME);                                                                                     \\
        return is_lost() ? MPI_SUCCESS : original(bytes, count, type, to, tag, communicator);               \\
    }
/* To nobody: it is complete at once. */
#define BEGIN(NAME)                                                                                                             \\
    int NAME(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request)      \\
    {                                                                                                                           \\
        ORIGINAL(NAME);                                                                                                         \\
        return original(bytes, count, type, is_lost() ? MPI_PROC_NULL : to, tag, communicator, request);                        \\
    }
SEND(MPI_Send) SEND(PMPI_Send) BEGIN(PMPI_Isend) BEGIN(PMPI_Issend)
"""


def build(kind):
    compiler, flags, _, words = KINDS[kind]
    text = PROGRAM.replace("KIND", words.get("KIND", kind))
    for word in ("HEADERS", "START", "STOP", "REGION", "NUMBER", "EXCHANGE"):
        text = text.replace(word, words.get(word, ""))
    (work / f"{kind}.c").write_text(text)
    command = ["call", "cc", compiler, "-O1", *flags.split(), f"{kind}.c", "-o", kind]
    subprocess.run(command, cwd=work, env=environment, check=True)


def build_losing():
    (work / "losing.c").write_text(LOSING)
    command = ["mpicc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O1", "losing.c", "-o", "losing.so", "-ldl"]
    subprocess.run(command, cwd=work, check=True)


def members(session):
    """Processes of a session that have not ended."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                state, _, _, its = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(its) == session and state != "Z":
                found.append(int(name))
    return found


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def moment(way, kind):
    """Where processes end themselves: at a measurement or in a report; every fifth run is ended from outside, anywhere."""
    if random.random() < 0.2:
        return {}
    its = {"END_SIGNAL": str(int(SIGNALS[way])), "END_NS": str(int(1000 * 20_000 ** random.random()))}
    its["END_PROCESSOR"] = str(random.randrange(-1, PROCESSORS) if KINDS[kind][3].get("START") else -1)
    at_report = {"END_REPORT": str(random.randrange(2))}
    return its | (at_report if random.random() < 0.6 else {"END_STEP": str(random.randrange(2 * STEPS))})


class Run:
    """One run: its processes, what each processor has measured, what it said."""

    def __init__(self, kind, folder, form, variables={}):
        self.variables = variables
        self.said_path = work / f"said.{os.getpid()}"
        progress = work / f"progress.{os.getpid()}"
        progress.write_bytes(bytes(4096))
        with open(progress, "r+b") as file:
            self.progress = mmap.mmap(file.fileno(), 4096)
        command = [*KINDS[kind][2], str(work / kind), str(progress)]
        its = environment | {"CALL_TRACE": form} | variables
        with open(self.said_path, "wb") as said:
            self.child = subprocess.Popen(command, cwd=folder, env=its, start_new_session=True, stdout=said, stderr=said)

    def done(self):
        return [struct.unpack_from("Q", self.progress, 64 * at)[0] for at in range(PROCESSORS)]

    def position(self):
        return self.progress[:520]

    def said(self):
        return self.said_path.read_text(errors="replace")

    def wait_until_it_stands_still(self, whole_s):
        last, since = None, time.monotonic()
        while self.child.poll() is None:
            position = self.position()
            if position != last:
                last, since = position, time.monotonic()
            if time.monotonic() - since > (0.2 if last != bytes(520) else 2 * whole_s):
                return
            time.sleep(0.005)

    def wait_for_all(self):
        """Until all processes have ended; whether they did by themselves."""
        limit = time.monotonic() + PATIENCE_S
        while self.child.poll() is None and time.monotonic() < limit:
            time.sleep(0.003)
        while (left := members(self.child.pid)) and time.monotonic() < limit:
            time.sleep(0.003)
        if not left:
            return True
        send(left, signal.SIGKILL)
        self.child.wait()
        while members(self.child.pid):
            time.sleep(0.001)
        return False


def rows(folder, form):
    """How often each measurement of each processor is there, all files that are left loaded in any order; None if one cannot be read."""
    names = [path.name for path in folder.glob("*.dat")]
    random.shuffle(names)
    counted = Counter()
    if not names:
        return names, counted, ""
    table = work / f"rows.{os.getpid()}{'.summaries' if form == 'summary' else ''}.csv"
    lines = ["-e", f"load {' '.join(names)}", "-e", f"show f 1000000 into {table}"]
    told = subprocess.run(["llac", *lines], cwd=folder, env=environment, capture_output=True, text=True)
    if told.returncode != 0:
        return names, counted, "" if "no samples" in told.stderr else told.stderr
    with open(table) as file:
        columns = next(file).strip().split(",")
        processor, k = columns.index("processor"), columns.index("k")
        count = columns.index("count") if "count" in columns else None
        for line in file:
            cells = line.split(",")
            counted[int(cells[processor]), int(cells[k])] += int(cells[count]) if count is not None else 1
    return names, counted, ""


def end_somehow(way, run, whole_s):
    """Lets the run end in this way; what is noted of it."""
    noted = Counter()
    if way in SIGNALS and "END_SIGNAL" not in run.variables:
        time.sleep(random.uniform(0, whole_s))
        processes = members(run.child.pid)
        random.shuffle(processes)
        send(processes[: random.choice([1, len(processes)])], SIGNALS[way])
    elif way == "lost":
        run.wait_until_it_stands_still(whole_s)
        stands_still = run.child.poll() is None
        noted["stood still"] += stands_still
        if stands_still:
            send([run.child.pid] if random.random() < 0.5 else members(run.child.pid), random.choice([signal.SIGTERM, signal.SIGKILL]))
    noted["had to be killed"] += not run.wait_for_all()
    return noted


def checked(way, kind, folder, whole_s, messages, totals, mixtures):
    form = random.choice(["text", "binary", "summary"])
    variables = moment(way, kind) if way in SIGNALS else {}
    if way == "disk":
        free_bytes = int(4096 * 1024 ** random.random())
        with open(folder / "filler", "wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, DISK_BYTES - free_bytes)
    elif way == "lost":
        lose, loser = random.randint(1, messages), random.randrange(PROCESSORS)
        variables = {"LD_PRELOAD": str(work / "losing.so"), "LOSE": str(lose), "LOSER": str(loser)}
    run = Run(kind, folder, form, variables)
    totals.update(end_somehow(way, run, whole_s))
    if way in SIGNALS and run.child.returncode == 0:
        totals["ended before"] += 1
        return
    done = run.done()
    names, counted, unreadable = rows(folder, form)
    reports = sum("unfinished" not in name for name in names)
    mixtures[reports, len(names) - reports] += 1
    repeated = sum(count - 1 for count in counted.values())
    of_processor = Counter(processor for processor, _ in counted)
    invented = sum(k > done[processor] for processor, k in counted)
    lost = [max(0, count - of_processor[processor]) for processor, count in enumerate(done)]
    # What is summed up goes to the disk every second, whatever its size.
    too_many = sum(count > BUFFER for count in lost) if form != "summary" and way != "disk" else 0
    wrong = repeated or invented or too_many or unreadable
    if way == "disk":
        told = run.child.returncode != 0 and "lost" in run.said()
        totals.update({"lost aloud": told, "lost in silence": bool(sum(lost)) and not told})
        wrong = wrong or (sum(lost) and not told)
    totals.update({"runs": 1, "measured": sum(done), "counted": sum(of_processor.values()), "repeated": repeated, "invented": invented})
    totals.update({"unreadable": bool(unreadable), "lost": sum(lost), "lost beyond a buffer": too_many})
    if wrong:
        print(f"{way}, {kind}, {form}: {repeated} repeated, {invented} invented, lost {lost} of {done}, status {run.child.returncode}")
        print(f"  files {sorted(names)}\n  {unreadable}\n  {run.said()[-600:]}", flush=True)


def empty(folder):
    for path in folder.iterdir():
        path.unlink()


def try_way(way, kind, folder):
    random.seed(f"{way} {kind} {runs}")
    variables = {"LD_PRELOAD": str(work / "losing.so"), "LOSE": "0", "LOSER": "0"} if way == "lost" else {}
    started = time.monotonic()
    whole = Run(kind, folder, "binary", variables)
    whole.wait_for_all()
    whole_s = time.monotonic() - started
    if whole.child.returncode != 0:
        sys.exit(f"{kind}: {whole.said()}")
    messages = [int(line.split()[1]) for line in whole.said().splitlines() if line.startswith("sent ") and line != "sent 0"]
    totals, mixtures = Counter(), Counter()
    told_at = 0
    while totals["runs"] < runs:
        empty(folder)
        checked(way, kind, folder, whole_s, max(messages, default=0), totals, mixtures)
        if totals["runs"] in (runs, told_at + 100):
            told_at = totals["runs"]
            its = ", ".join(f"{name} {count}" for name, count in totals.items() if count)
            print(f"{way}, {kind}, {time.monotonic() - started:.0f} s: {its}", flush=True)
    empty(folder)
    print("  reports and unfinished files left:", ", ".join(f"{key[0]}+{key[1]}: {count}" for key, count in sorted(mixtures.items())))


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work.mkdir(parents=True, exist_ok=True)
    wanted = []
    for word in sys.argv[4:] or [*SIGNALS, "disk", "lost"]:
        way, _, kind = word.partition(":")
        kinds = WITH_MESSAGES if way == "lost" else KINDS
        wanted += [(way, its) for its in kinds if kind in ("", its)]
    for kind in sorted({kind for _, kind in wanted}):
        build(kind)
    if any(way == "lost" for way, _ in wanted):
        build_losing()
    folder = work / f"run.{os.getpid()}"
    for way, kind in wanted:
        folder.mkdir()
        if way == "disk":
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", folder], check=True)
        try:
            try_way(way, kind, folder)
        finally:
            if way == "disk":
                subprocess.run(["umount", folder], check=True)
            shutil.rmtree(folder)


main()
