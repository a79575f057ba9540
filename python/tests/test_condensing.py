"""Condensing by a Dask cluster of several processes, one of which is killed."""

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

try:
    import distributed
except ImportError:
    distributed = None

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import llac  # noqa: E402
from llac import condensing  # noqa: E402

FILES = 12

# Its start-up is waited for, so that the worker is killed while it has work.
SLOW = """#!/bin/sh
echo $PPID >>workers
sleep 0.5
exec "$REAL_LLAC" "$@"
"""


def trace(run):
    times = [(n, 1 + 2 * n + (run * 7 + i * 3) % 11 / 100) for i in range(40) for n in (1, 2, 4, 8)]
    rows = "".join(f"f 0 1 {n} {time_s:.9f}\n" for n, time_s in times)
    return (
        f"# call-trace 1\n# program: p\n# processors: 1\n# run: word{run}\n# reports: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n"
        f"# variables: N\nexperiment processor P N time_s\n{rows}# end rows={len(times)}\n"
    )


class Condensing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        for run in range(FILES):
            with open(f"run {run}.dat", "w") as file:
                file.write(trace(run))

    def bytes(self, name):
        with open(name, "rb") as file:
            return file.read()

    def test_one_process_condenses_many_files(self):
        result = llac.condense("run *.dat", "all.parquet")
        self.assertIn(f"f: {FILES * 160} measurements of {FILES} runs in {FILES * 4} summaries", str(result))
        with llac.Session() as session:
            session.load("all.parquet")
            session("set repetitions mean")
            fitted = session.predict("f", N=16).frame()["predicted_s"][0]
        self.assertAlmostEqual(fitted, 33.05, delta=0.01)
        with self.assertRaisesRegex(llac.Error, "no such file"):
            llac.condense("none.dat", "x.parquet")

    @unittest.skipIf(distributed is None, "distributed is missing")
    def test_a_cluster_gives_the_same_although_a_worker_is_killed(self):
        llac.condense("run *.dat", "all.parquet")
        with open("slow", "w") as file:
            file.write(SLOW)
        os.chmod("slow", 0o755)
        os.environ["REAL_LLAC"] = os.path.abspath(os.environ.get("LLAC") or shutil.which("llac"))
        os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(HERE), os.environ.get("PYTHONPATH", "")])
        with (
            distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
            mock.patch.object(condensing, "FAN_IN", 4),
        ):
            killed = []
            thread = threading.Thread(target=self.kill_a_worker, args=(set(client.run(os.getpid).values()), killed))
            thread.start()
            llac.condense("run *.dat", "by cluster.parquet", client, program=os.path.abspath("slow"))
            thread.join()
            self.assertEqual(len(killed), 1)
            self.assertNotIn(killed[0], client.run(os.getpid).values())
        self.assertTrue(self.bytes("by cluster.parquet") == self.bytes("all.parquet"))
        # Those of files, this process, and what was lost; those of parts work in folders of their own.
        with open("workers") as file:
            self.assertGreater(len(file.readlines()), FILES + 1)

    def kill_a_worker(self, workers, killed):
        """Kills the first worker that has something to do."""
        deadline = time.monotonic() + 60
        while not killed and time.monotonic() < deadline:
            time.sleep(0.05)
            if os.path.exists("workers"):
                with open("workers") as file:
                    begun = [int(line) for line in file.read().split("\n")[:-1]]
                found = [worker for worker in begun if worker in workers]
                for worker in found[:1]:
                    os.kill(worker, signal.SIGKILL)
                    killed.append(worker)


if __name__ == "__main__":
    unittest.main()
