"""Measurements of Python programs, with planted times, read by the real `llac`."""

import glob
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = os.path.dirname(HERE)
sys.path.insert(0, PACKAGES)

import llac  # noqa: E402
from call import measuring  # noqa: E402

import call  # noqa: E402


class Clock:
    """Stands still but for what a test adds."""

    def __init__(self):
        self.now_ns = 10**9

    def __call__(self):
        return self.now_ns


class Measured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.clock = Clock()
        for patch in (
            mock.patch.object(measuring, "_state", measuring._State()),
            mock.patch.object(measuring, "perf_counter_ns", self.clock),
            mock.patch.object(measuring.atexit, "register"),
            mock.patch.dict(os.environ, {"CALL_OUTPUT": self.folder, "CALL_QUIET": "1"}),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        call.program("planted")

    def report(self):
        """The header as pairs, the names of the columns, and the rows of a report."""
        with open(call.report(), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[0], "# call-trace 1")
        header = [line[2:].partition(":")[::2] for line in lines[1:] if line.startswith("# ")]
        body = [line for line in lines if not line.startswith("#")]
        self.assertEqual((body[-1], lines[-2]), ("", f"# end rows={len(body) - 2}"))
        return [(key, value.strip()) for key, value in header], body[0], body[1:-1]

    def values(self, header, key):
        return [value for its, value in header if its == key]

    def test_what_is_refused_leaves_no_experiment(self):
        for wrong in (float("nan"), 2**63):
            with self.assertRaises(ValueError):
                call.experiment("refused", n=1, x=wrong)
        with call.experiment("good", n=1):
            self.clock.now_ns += 7
        header, _, _ = self.report()
        self.assertEqual(self.values(header, "experiment"), ["good"])

    def test_rows_have_planted_values_and_times(self):
        for n in (1, 10):
            with call.experiment("outer", "outer[0] + outer[1]*n*x", n=n, x=0.1 * n):
                self.clock.now_ns += 1_000_000_000 * n
                with call.experiment("inner"):
                    self.clock.now_ns += 7
                self.clock.now_ns += 5
        with call.experiment("outer", x=1e300, n=-(2**63)):
            pass
        header, columns, rows = self.report()
        self.assertEqual(columns, "experiment processor P n x time_s")
        self.assertEqual(
            rows,
            [
                "outer 0 1 1 0.1 1.000000012",
                "inner 0 1 nan nan 0.000000007",
                "outer 0 1 10 1 10.000000012",
                "inner 0 1 nan nan 0.000000007",
                "outer 0 1 -9223372036854775808 1e+300 0.000000000",
            ],
        )
        self.assertEqual(self.values(header, "formula"), ["outer[0] + outer[1]*n*x"])
        self.assertEqual(self.values(header, "variables"), ["n x", ""])
        self.assertEqual(self.values(header, "program"), ["planted"])
        self.assertEqual(self.values(header, "abandoned"), [])

    def test_the_header_has_what_the_format_lists(self):
        with call.experiment("f"):
            pass
        header, _, _ = self.report()
        with open(os.path.join(PACKAGES, "..", "call-runtime", "FORMAT.md"), encoding="utf-8") as file:
            known = file.read()
        for key, value in header:
            self.assertTrue(key.startswith("end rows=") or f"`{key}`" in known, key)
            self.assertTrue(value or key in ("variables",) or key.startswith("end"), key)
        keys = [key for key, _ in header]
        for key in ("source", "command", "date", "host", "system", "cpu", "cores", "compiler", "clock", "run", "lines"):
            self.assertEqual(keys.count(key), 1, key)

    def test_what_an_exception_leaves_is_no_sample(self):
        for fails in (False, True, False):
            try:
                with call.experiment("f", n=fails), call.experiment("g"):
                    self.clock.now_ns += 3
                    if fails:
                        raise KeyError
            except KeyError:
                pass
        header, _, rows = self.report()
        self.assertEqual(rows, ["f 0 1 0 0.000000003", "g 0 1 nan 0.000000003"] * 2)
        self.assertEqual(self.values(header, "abandoned"), ["2"])

    def test_reports_take_what_has_ended(self):
        self.assertIsNone(call.report())
        with call.experiment("outer"):
            with call.experiment("inner"):
                self.clock.now_ns += 2
            self.assertEqual(self.report()[2], ["inner 0 1 0.000000002"])
        header, _, rows = self.report()
        self.assertEqual(rows, ["outer 0 1 0.000000002"])
        self.assertEqual(self.values(header, "reports"), ["2"])
        self.assertIsNone(call.report())
        self.assertEqual(sorted(os.listdir(self.folder)), ["planted.call.0.dat", "planted.call.1.dat"])

    def test_a_report_that_fails_loses_nothing(self):
        with call.experiment("f"):
            pass
        with mock.patch.dict(os.environ, {"CALL_OUTPUT": "/dev/null/nothing"}), self.assertRaises(OSError):
            call.report()
        self.assertEqual(self.report()[2], ["f 0 1 0.000000000"])

    def test_threads_lose_nothing(self):
        def work():
            for n in range(500):
                with call.experiment("f", n=n):
                    pass

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        rows = []
        for _ in range(5):
            call.report()
        for thread in threads:
            thread.join()
        call.report()
        for path in glob.glob(os.path.join(self.folder, "*.dat")):
            with open(path, encoding="utf-8") as file:
                rows += [line.split()[3] for line in file if line.startswith("f ")]
        self.assertEqual(sorted(map(int, rows)), sorted(list(range(500)) * 4))

    def test_what_is_wrong_is_said(self):
        with call.experiment("f", "f[0]*n", n=1):
            pass
        for message, wrong in [
            ("formula 'f\\[1\\]\\*n' here, but 'f\\[0\\]\\*n'", lambda: call.experiment("f", "f[1]*n", n=1)),
            ("variables m here, but n before", lambda: call.experiment("f", m=1)),
            ("variables none here, but n before", lambda: call.experiment("f")),
            ("no name of an experiment", lambda: call.experiment("a b")),
            ("no name of a variable", lambda: call.experiment("g", **{"a b": 1})),
            ("is nan", lambda: call.experiment("f", n=float("nan"))),
            ("is inf", lambda: call.experiment("f", n=float("inf"))),
            ("more than 64 bits", lambda: call.experiment("f", n=2**63)),
            ("needs a name", lambda: call.program("")),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                wrong()
        again = call.experiment("f", n=2)
        with again, self.assertRaisesRegex(RuntimeError, "open already"), again:
            pass
        with mock.patch.dict(os.environ, {"OMPI_COMM_WORLD_SIZE": "2"}), self.assertRaisesRegex(RuntimeError, "one process"):
            call.report()
        self.assertEqual(len(self.report()[2]), 2)

    def test_llac_finds_the_planted_constants(self):
        for n in (100, 200, 400, 800, 1600):
            for _ in range(3):
                with call.experiment("f", "f[0] + f[1]*n", n=n):
                    self.clock.now_ns += 5000 + 30 * n
                    with call.experiment("inner", "inner[0]"):
                        self.clock.now_ns += 1000
        path = call.report()
        with llac.Session() as session:
            loaded = session.load(path)
            self.assertIn("30 samples of f, inner", str(loaded))
            predicted = session.predict("f", n=1000).table("predictions")[0]["predicted_s"]
            self.assertAlmostEqual(predicted, 36e-6, delta=1e-11)


class Programs(unittest.TestCase):
    """Programs of their own, which report when they end."""

    def run_program(self, text, **environment):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "its name.py"), "w") as file:
            file.write(textwrap.dedent(text))
        ended = subprocess.run(
            [sys.executable, "-B", "its name.py"],
            cwd=folder.name,
            env={**os.environ, "PYTHONPATH": PACKAGES, **environment},
            capture_output=True,
            text=True,
        )
        traces = {}
        for path in sorted(glob.glob(os.path.join(folder.name, "**", "*.dat"), recursive=True)):
            with open(path, encoding="utf-8") as file:
                traces[os.path.relpath(path, folder.name)] = file.read()
        return ended, traces

    def test_the_end_of_a_program_reports(self):
        ended, traces = self.run_program(
            """\
            import call
            for n in range(3):
                with call.experiment("f", "f[0]", n=n):
                    pass
            raise SystemExit(3)
            """
        )
        self.assertEqual((ended.returncode, ended.stderr), (3, "call: wrote its name.call.0.dat (3 rows)\n"))
        [text] = traces.values()
        for line in ("# program: its name\n", "its name.py\n", "# lines: 3-3\n", " 'its name.py'\n"):
            self.assertIn(line, text)

    def test_a_child_reports_its_own_only(self):
        ended, traces = self.run_program(
            """\
            import os, call
            with call.experiment("f", side=0):
                pass
            if os.fork() == 0:
                with call.experiment("f", side=1):
                    pass
                call.report()
                os._exit(0)
            os.wait()
            """,
            CALL_OUTPUT="traces",
            CALL_BUDGET="1%",
        )
        self.assertEqual(list(traces), ["traces/its name.call.0.dat", "traces/its name.call.1.dat"], ended)
        sides = [[line.split()[3] for line in text.split("\n") if line.startswith("f ")] for text in traces.values()]
        self.assertEqual(sides, [["1"], ["0"]])
        self.assertIn("call: CALL_BUDGET is for programs in C: it changes nothing here\n", ended.stderr)

    def test_a_full_disk_is_told(self):
        ended, traces = self.run_program("import call\nwith call.experiment('f'):\n    pass\n", CALL_OUTPUT="/dev/null/x")
        self.assertEqual(traces, {})
        self.assertIn("call: nothing was reported: ", ended.stderr)


if __name__ == "__main__":
    unittest.main()
