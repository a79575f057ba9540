"""The package against the real program, and in a real kernel. `LLAC` names the program; run from this folder."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import llac  # noqa: E402

HEADER = """# call-trace 1
# program: x
# processors: 1
# experiment: f
# formula: f[0] + f[1]*N
# variables: N
experiment processor P N time_s
"""


def trace():
    rows = "".join(f"f 0 1 {n} {(2 * n + 3) * 1e-6:.9f}\n" for n in range(1, 9))
    return f"{HEADER}{rows}# end rows=8\n"


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with open(os.path.join(self.folder.name, "a trace.dat"), "w") as file:
            file.write(trace())


class Sessions(WithFolder):
    def setUp(self):
        super().setUp()
        self.session = llac.Session(folder=self.folder.name)
        self.addCleanup(self.session.close)
        self.session.load("a trace.dat")

    def test_predictions_are_frames(self):
        frame = self.session.predict("f", N=[100, 200]).frame("predictions")
        self.assertEqual(list(frame["N"]), [100, 200])
        self.assertAlmostEqual(frame["predicted_s"][0], 203e-6, delta=1e-12)
        self.assertAlmostEqual(frame["predicted_s"][1], 403e-6, delta=1e-12)

    def test_results_have_text_and_warnings(self):
        result = self.session.predict("f", N=1000)
        self.assertTrue(any("extrapolates" in warning for warning in result.warnings))
        self.assertIn("f(N=1000)", str(result))
        self.assertIn("<table>", result._repr_html_())

    def test_pictures_are_svg(self):
        self.assertTrue(self.session.plot("f").svg.startswith("<svg "))
        with self.assertRaises(ValueError):
            self.session.fit("f").svg

    def test_errors_show_the_place(self):
        with self.assertRaises(llac.Error) as caught:
            self.session("predict f M=1")
        self.assertIn("  | predict f M=1\n  |           ^^^", str(caught.exception))
        self.assertEqual(self.session.fit("f").tables[0].name, "f")

    def test_the_end_of_the_program_is_told(self):
        self.session("quit")
        self.session._process.wait()
        with self.assertRaises(RuntimeError):
            self.session.fit("f")

    def test_frames_are_loaded(self):
        import pandas

        frame = pandas.DataFrame({"N": [1, 2, 4, 8], "time_s": [3e-6, 5e-6, 9e-6, 17e-6]})
        self.session.load_frame(frame, "timings")
        self.session("formula timings = a[0] + a[1]*N")
        row = self.session.predict("timings", N=[16, 32]).tables[0][0]
        self.assertAlmostEqual(row["predicted_s"], 33e-6, delta=1e-11)

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(FileNotFoundError, "no-such-llac"):
            llac.Session("no-such-llac")


class Notebook(WithFolder):
    def test_a_notebook_shows_frames_and_pictures(self):
        import nbclient
        import nbformat

        cells = [
            "import llac\nsession = llac.Session()\nsession.load('a trace.dat')",
            "session.predict('f', N=[100, 200]).frame()",
            "session.plot('f')",
            "%load_ext llac",
            "%%llac\nload 'a trace.dat'\npredict f N=100",
        ]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        os.environ["PYTHONPATH"] = os.path.dirname(HERE)
        nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": self.folder.name}}
        ).execute()
        data = [cell.outputs[-1].data if cell.outputs else {} for cell in notebook.cells]
        self.assertIn("predicted_s", data[1]["text/html"])
        self.assertIn("<svg ", data[2]["text/html"])
        self.assertIn("203.0 µs", data[4]["text/plain"])


if __name__ == "__main__":
    unittest.main()
