"""The package against the real program, and in a real kernel. `LLAC` names the program; run in this folder."""

import math
import os
import re
import signal
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
        [warning] = [one for one in result.warnings if one.code == "extrapolated"]
        self.assertEqual(warning.fields, {"variable": "N", "value": 1000, "lowest": 1, "highest": 8})
        self.assertEqual(str(warning), "N = 1000 extrapolates 125 times: the samples have 1 to 8")
        self.assertIn("<table>", result._repr_html_())

    def test_pictures_are_svg(self):
        self.assertTrue(self.session.plot("f").svg.startswith("<svg "))
        with self.assertRaises(ValueError):
            self.session.fit("f").svg
        self.assertIsNone(self.session.fit("f").png)

    def test_pictures_show_themselves_in_three_ways(self):
        result = self.session("plot f N where N > 2")
        png, size = result._repr_png_()
        self.assertTrue(png.startswith(b"\x89PNG\r\n"))
        self.assertEqual(size, {"width": 900, "height": 600})
        self.assertEqual(result._repr_svg_(), result.svg)
        self.assertIn(result.svg, result._repr_html_())
        self.assertIn("picture", repr(result))
        fit = self.session.fit("f")
        self.assertIsNone(fit._repr_svg_())
        self.assertIsNone(fit._repr_png_())

    def test_errors_show_the_place(self):
        with self.assertRaises(llac.Error) as caught:
            self.session("predict f M=1")
        self.assertIn("  | predict f M=1\n  |           ^^^", str(caught.exception))
        self.assertEqual(caught.exception.code, "unknown-variable")
        self.assertIsNone(caught.exception.file)
        self.assertEqual(self.session.fit("f").tables[0].name, "f")

    def test_errors_in_files_show_the_place(self):
        with open(os.path.join(self.folder.name, "p.obsp"), "w") as file:
            file.write("program p(N)\nwrong wrong\n")
        with self.assertRaises(llac.Error) as caught:
            self.session("program p.obsp")
        error = caught.exception
        self.assertEqual((error.code, error.file, error.file_line), ("program", "p.obsp", 2))
        self.assertNotIn("\n", error.message)
        self.assertIn(f"p.obsp:2: {error.message}\n  | wrong wrong\n  | ", str(error))

    def test_values_of_all_kinds_are_numbers(self):
        import numpy
        import pandas

        def sizes(value):
            return [row["N"] for row in self.session.predict("f", N=value).table("predictions").rows]

        for scalar in [
            1000,
            1e3,
            "1000",
            numpy.int64(1000),
            numpy.uint16(1000),
            numpy.float32(1000),
            numpy.array(1000),
        ]:
            self.assertEqual(sizes(scalar), [1000], repr(scalar))
        for several in [
            (3, 5),
            range(3, 6, 2),
            iter([3, 5]),
            numpy.array([3, 5]),
            pandas.Series([3.0, 5.0]),
            [numpy.int8(3), 5],
        ]:
            self.assertEqual(sizes(several), [3, 5], repr(several))
        self.assertEqual(sizes("2:8:2"), [2, 4, 8])
        self.assertEqual(sizes(2**60), [2.0**60])
        for wrong in [None, True, numpy.bool_(True), [[1, 2]], numpy.ones((2, 2)), b"1"]:
            with self.assertRaisesRegex(TypeError, "^N: .* is no number"):
                sizes(wrong)
        with self.assertRaisesRegex(ValueError, "N has no value"):
            sizes([])
        for wrong in [math.nan, math.inf, pandas.NA, "many"]:
            with self.assertRaisesRegex(llac.Error, "is not a number"):
                sizes(wrong)

    def test_conditions_choose_samples(self):
        self.assertIn("4 points", str(self.session.fit("f", where="N > 4")))
        self.assertEqual(len(self.session.compare("f", where="N > 6").tables[0]), 2)
        self.assertTrue(self.session.plot("f", "N", where="N > 4").png)

    def test_words_with_quotes_and_blanks_stay_whole(self):
        for number, name in enumerate(["it's.dat", 'a "b".dat', "both ' and \".dat", "#x.dat"]):
            with open(os.path.join(self.folder.name, name), "w") as file:
                file.write(trace().replace("0.000005000", f"0.00000501{number}"))
            self.assertIn("1 file read", str(self.session.load(name)), name)
        with self.assertRaisesRegex(ValueError, "line feed"):
            self.session.load("a\nb.dat")

    def test_commands_may_have_several_lines_without_comments(self):
        self.assertEqual(self.session("predict f \\\n N=3\n").table("predictions")[0]["N"], 3)
        self.assertEqual(self.session("predict f\nN=3 # here").table("predictions")[0]["N"], 3)
        with self.assertRaisesRegex(ValueError, "comment"):
            self.session("fit f # first\npredict f N=3")

    def test_sessions_are_independent(self):
        with llac.Session(folder=self.folder.name) as other:
            with self.assertRaises(llac.Error):
                other.fit("f")
            other.load("a trace.dat")
            other("formula f = a[0] + a[1]*N*N")
        self.assertIn("f[1]*N", str(self.session.fit("f")))
        with self.assertRaisesRegex(RuntimeError, "closed"):
            other.fit("f")
        other.close()

    def test_a_killed_program_is_told(self):
        self.session._process.send_signal(signal.SIGKILL)
        self.session._process.wait()
        for _ in range(2):
            with self.assertRaisesRegex(RuntimeError, "SIGKILL.*start a new Session"):
                self.session.fit("f")
        self.session.close()

    def test_a_line_that_is_no_text_leaves_the_session_alone(self):
        with self.assertRaises(UnicodeEncodeError):
            self.session("fit \udc80")
        self.assertEqual(self.session.fit("f").tables[0].name, "f")

    def test_an_answer_that_nobody_waited_for_is_passed_over(self):
        # As an interrupt between question and answer leaves it.
        self.session._process.stdin.write(b"predict f N=7\n")
        self.session._unread += 1
        self.assertEqual(self.session.predict("f", N=5).table("predictions")[0]["N"], 5)

    def test_the_end_of_the_program_is_told(self):
        self.session("quit")
        self.session._process.wait()
        with self.assertRaises(RuntimeError):
            self.session.fit("f")

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(FileNotFoundError, "no-such-llac"):
            llac.Session("no-such-llac")
        with self.assertRaisesRegex(NotADirectoryError, "no-such-folder"):
            llac.Session(folder="no-such-folder")

    def test_what_a_wrong_program_says_is_told(self):
        with (
            llac.Session(sys.executable) as session,
            self.assertRaisesRegex(RuntimeError, "status 2[^$]*option"),
        ):
            session.fit("f")

    def test_a_program_is_found_from_any_folder(self):
        program = os.path.relpath(self.session._process.args[0])
        with llac.Session(program, folder=self.folder.name) as session:
            session.load("a trace.dat")


class Frames(WithFolder):
    """Frames with times of 2 N + 1 µs."""

    def setUp(self):
        super().setUp()
        self.session = llac.Session(folder=self.folder.name)
        self.addCleanup(self.session.close)

    def frame(self, factor=1, sizes=(1, 2, 4, 8), **columns):
        import pandas

        return pandas.DataFrame(
            {"N": sizes, "time_s": [factor * (2 * size + 1) * 1e-6 for size in sizes], **columns}
        )

    def predicted_s(self, name, size=16, session=None):
        return (session or self.session).predict(name, N=size).tables[0][0]["predicted_s"]

    def samples(self, name):
        return self.session(f"show {name} 1000").frame()

    def test_frames_are_loaded(self):
        self.session.load_frame(self.frame(), "timings")
        self.session("formula timings = a[0] + a[1]*N")
        self.assertAlmostEqual(self.predicted_s("timings"), 33e-6, delta=1e-11)

    def test_a_changed_frame_takes_the_place_of_the_first(self):
        self.session.load_frame(self.frame(), "mine")
        self.session("formula mine = a[0] + a[1]*N")
        result = self.session.load_frame(self.frame(factor=10, sizes=(1, 2, 4)), "mine")
        self.assertIn("now 3 samples of mine", str(result))
        self.assertIn("again with the new frame: formula mine = a[0] + a[1]*N", str(result))
        self.assertAlmostEqual(self.predicted_s("mine"), 330e-6, delta=1e-11)
        # The same frame once more is nothing new; other options are.
        self.assertIn(
            "mine is loaded already",
            str(self.session.load_frame(self.frame(factor=10, sizes=(1, 2, 4)), "mine")),
        )
        self.session.load_frame(self.frame(factor=10, sizes=(1, 2, 4)), "mine", unit="ms", time="time_s")
        self.assertAlmostEqual(self.predicted_s("mine"), 330e-9, delta=1e-14)

    def test_frames_of_two_names_and_traces_stay_apart(self):
        self.session.load("a trace.dat")
        for factor in (1, 2):
            self.session.load_frame(self.frame(factor), "one")
            self.session.load_frame(self.frame(10 * factor), "two")
        self.assertEqual([len(self.samples(name)) for name in ("f", "one", "two")], [8, 4, 4])
        self.session("formula one = a[0] + a[1]*N")
        self.session("formula two = a[0] + a[1]*N")
        self.assertAlmostEqual(self.predicted_s("one"), 66e-6, delta=1e-11)
        self.assertAlmostEqual(self.predicted_s("two"), 660e-6, delta=1e-11)

    def test_a_frame_that_does_not_go_with_later_changes_changes_nothing(self):
        self.session.load_frame(self.frame(), "mine")
        self.session("formula mine = a[0] + a[1]*N")
        self.session("let twice = 2*N")
        before = self.session("history").text
        with self.assertRaisesRegex(llac.Error, "no variable `N`"):
            self.session.load_frame(self.frame().rename(columns={"N": "M"}), "mine")
        self.assertEqual(self.session("history").text, before)
        self.assertAlmostEqual(self.predicted_s("mine"), 33e-6, delta=1e-11)
        self.session.load_frame(self.frame(factor=10), "mine")
        self.assertAlmostEqual(self.predicted_s("mine"), 330e-6, delta=1e-11)

    def test_a_frame_comes_back_after_undo(self):
        self.session.load_frame(self.frame(), "mine")
        self.session("undo")
        self.session.load_frame(self.frame(factor=10), "mine")
        self.assertEqual(len(self.samples("mine")), 4)
        self.assertAlmostEqual(self.samples("mine")["time_s"][0], 30e-6, delta=1e-12)

    def test_options_say_what_columns_are(self):
        frame = self.frame(
            threads=[1, 2, 1, 2], wall_ms=[1, 2, 3, 4], kind=["a", "b", "a", "b"], odd=[7, 7, 8, 8]
        )
        result = self.session.load_frame(
            frame, "x", time="wall_ms", processors="threads", experiment=["kind"], without=["odd"]
        )
        self.assertIn("the times are `wall_ms`, in milliseconds", str(result))
        samples = self.samples("b")
        self.assertEqual(list(samples["P"]), [2, 2])
        self.assertEqual(list(samples["time_s"]), [2e-3, 4e-3])
        self.assertNotIn("odd", samples.columns)
        with self.assertRaisesRegex(ValueError, "comma"):
            self.session.load_frame(self.frame(**{"a,b": [1, 2, 3, 4]}), "x", without=["a,b"])
        with self.assertRaises(TypeError):
            self.session.load_frame(self.frame(), "x", sep=";")

    def test_names_may_have_anything_in_them(self):
        for name, called in [
            ("my timings", "my_timings"),
            ("a/b", "a/b"),
            ('it\'s "2"', "it_s_2"),
            ("größe", "gr_e"),
        ]:
            self.session.load_frame(self.frame(), name)
            self.assertEqual(len(self.samples(called)), 4, name)
            self.session.load_frame(self.frame(sizes=(1, 2)), name)
            self.assertEqual(len(self.samples(called)), 2, name)
        with self.assertRaisesRegex(ValueError, "needs a name"):
            self.session.load_frame(self.frame(), " ")

    def test_an_index_with_names_is_columns(self):
        for index in (["N"], ["N", "P"]):
            self.session.load_frame(self.frame(P=[1, 2, 3, 4]).set_index(index), "indexed")
            self.assertEqual(list(self.samples("indexed")["N"]), [1, 2, 4, 8])
            self.assertEqual(list(self.samples("indexed")["P"]), [1, 2, 3, 4])
        part = self.frame()[2:]
        self.assertNotIn("no name", str(self.session.load_frame(part, "part")))
        self.assertEqual(list(self.samples("part")["N"]), [4, 8])
        part.index = ["x", "y"]
        self.assertIn("index has no name and is left out", str(self.session.load_frame(part, "letters")))

    def test_aggregated_frames_have_one_header(self):
        frame = self.frame().groupby("N").agg({"time_s": ["median", "std"]})
        self.assertIn("the times are `time_s_median`", str(self.session.load_frame(frame, "aggregated")))
        self.assertEqual(list(self.samples("aggregated")["N"]), [1, 2, 4, 8])

    def test_missing_values_are_told(self):
        frame = self.frame().assign(N=[1, math.nan, 4, 8], time_s=[3e-6, 5e-6, 9e-6, math.inf])
        text = str(self.session.load_frame(frame, "gaps"))
        self.assertIn("left out: 1 row, the first at line 3", text)
        self.assertIn("left out: 1 row, the first at line 5", text)
        self.assertEqual(list(self.samples("gaps")["N"]), [1, 4])
        self.session.load_frame(self.frame().astype({"N": "Int64"}), "nullable")
        self.assertEqual(list(self.samples("nullable")["N"]), [1, 2, 4, 8])

    def test_categories_and_marks_of_comments(self):
        import pandas

        kinds = pandas.Categorical(["#one", "// two", "#one", "// two"])
        frame = pandas.concat([pandas.DataFrame({"kernel": kinds}), self.frame(sizes=(1, 2, 4, 8))], axis=1)
        frame["N"] = pandas.Categorical(frame["N"])
        self.session.load_frame(frame, "kinds")
        self.assertEqual(list(self.samples("one")["N"]), [1, 4])
        self.assertEqual(list(self.samples("two")["N"]), [2, 8])
        with self.assertRaisesRegex(ValueError, "as comments do"):
            self.session.load_frame(frame[["kernel"]], "texts")
        with self.assertRaisesRegex(ValueError, "as comments do"):
            self.session.load_frame(self.frame().rename(columns={"N": "#N"}), "texts")

    def test_durations_are_times(self):
        import pandas

        frame = pandas.DataFrame({"N": [1, 2], "elapsed": pandas.to_timedelta([3, 1_500_000_000], unit="ns")})
        self.session.load_frame(frame, "durations")
        self.assertEqual(list(self.samples("durations")["time_s"]), [3e-9, 1.5])

    def test_large_integers_that_doubles_do_not_have_are_told(self):
        exact = self.session.load_frame(self.frame(sizes=(1, 2**53, 2**60)), "large")
        self.assertNotIn("rounded", str(exact))
        self.assertEqual(list(self.samples("large")["N"]), [1, 2.0**53, 2.0**60])
        self.assertIn(
            "N: integers beyond 2^53 are rounded",
            str(self.session.load_frame(self.frame(sizes=(1, 2**53 + 1)), "odd")),
        )

    def test_what_is_no_frame_with_rows_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no rows"):
            self.session.load_frame(self.frame()[:0], "empty")
        with self.assertRaisesRegex(TypeError, "not Series.*reset_index"):
            self.session.load_frame(self.frame()["N"], "series")
        with self.assertRaisesRegex(llac.Error, "no column looks like a time"):
            self.session.load_frame(self.frame()[["N"]], "timeless")
        self.assertIn("now 4 samples", str(self.session.load_frame(self.frame(), "empty")))

    def test_saved_sessions_have_their_frames(self):
        self.session.load_frame(self.frame(), "my timings")
        self.session.load_frame(self.frame(factor=5), "other")
        self.session("formula my_timings = a[0] + a[1]*N")
        # Files are those of the session's folder, whatever folder Python is in.
        for save in (self.session.save, lambda name: self.session(f"save '{name}' # so far")):
            self.assertIn("my script.frames", str(save("my script.llac")))
            with open(os.path.join(self.folder.name, "my script.llac")) as file:
                script = file.read()
            self.assertNotIn(tempfile.gettempdir(), script)
            self.assertEqual(script.count("\n"), 3)
        self.session.close()
        with llac.Session(folder=self.folder.name) as again:
            again("run 'my script.llac'")
            self.assertAlmostEqual(self.predicted_s("my_timings", session=again), 33e-6, delta=1e-11)

    def test_temporary_files_go_with_the_session(self):
        self.session.load_frame(self.frame(), "mine")
        self.session.load_frame(self.frame(factor=2), "mine")
        self.assertEqual(
            sum(name.endswith(".csv") for _, _, names in os.walk(self.session._files) for name in names), 1
        )
        self.session.close()
        self.assertFalse(os.path.exists(self.session._files))


class Readme(WithFolder):
    def test_the_first_session_of_the_readme_runs(self):
        with open(os.path.join(os.path.dirname(HERE), "README.md")) as file:
            code = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL)[1]
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        names = {}
        exec(code, names)
        self.addCleanup(names["session"].close)
        self.assertEqual(list(names["session"].predict("sort", N=[16000, 32000]).frame()["N"]), [16000, 32000])
        self.assertTrue(os.path.exists("sort.llac") and os.path.exists("sort.frames/sort.csv"))


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
            # The same session, and commands of several lines.
            "%%llac\n\n# it's joined\npredict f \\\n  N=200",
            "del session",
            "%llac load 'a trace.dat'",
            "%llac quit",
            "try:\n    %llac fit\nexcept RuntimeError as error:\n    print(error)",
            "%llac load 'a trace.dat'",
        ]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        os.environ["PYTHONPATH"] = os.path.dirname(HERE)
        nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": self.folder.name}}
        ).execute()
        data = [getattr(cell.outputs[-1], "data", {}) if cell.outputs else {} for cell in notebook.cells]
        self.assertIn("predicted_s", data[1]["text/html"])
        self.assertIn("<svg ", data[2]["text/html"])
        self.assertIn("<svg ", data[2]["image/svg+xml"])
        self.assertIn("image/png", data[2])
        self.assertNotIn("image/png", data[1])
        self.assertIn("203 µs", data[4]["text/plain"])
        self.assertIn("is loaded already", notebook.cells[4].outputs[0].data["text/plain"])
        self.assertIn("403 µs", data[5]["text/plain"])
        self.assertIn("1 file read", data[7]["text/plain"])
        self.assertIn("llac has ended", notebook.cells[9].outputs[0].text)
        self.assertIn("1 file read", data[10]["text/plain"])


if __name__ == "__main__":
    unittest.main()
