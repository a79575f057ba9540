"""A running ``llac`` and the way to talk to it."""

import json
import os
import shutil
import subprocess
import tempfile

from .result import Error, Result

SCHEMA_VERSION = 1


class Session:
    """A session of ``llac``: commands go in, results come back. Also a context manager."""

    def __init__(self, program=None, folder=None):
        """Starts ``program`` (default: what the variable LLAC names, or ``llac`` on the PATH) in ``folder``."""
        name = program or os.environ.get("LLAC") or "llac"
        found = shutil.which(name)
        if found is None:
            raise FileNotFoundError(f"{name} is not there: build it, or give its path to Session or in the variable LLAC")
        # A process group of its own: an interrupt of the notebook is not meant for it.
        self._process = subprocess.Popen(
            [found, "--format", "jsonl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            encoding="utf-8",
            start_new_session=True,
        )
        self._files = tempfile.TemporaryDirectory(prefix="llac-")
        # Answers that nobody waits for any more.
        self._unread = 0

    def __call__(self, line):
        """Runs a command line and returns its :class:`Result`; raises :class:`Error` if it did nothing."""
        # A line feed would end the command; the language does not need it.
        line = line.replace("\\\n", " ").replace("\n", " ")
        answer = self._ask(line)
        if not answer["ok"]:
            raise Error(line, answer["error"])
        return Result(answer)

    def _ask(self, line):
        if self._process.poll() is not None:
            raise RuntimeError(f"llac has ended with status {self._process.returncode}")
        self._unread += 1
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        while True:
            text = self._process.stdout.readline()
            if not text:
                raise RuntimeError(f"llac has ended with status {self._process.wait()}")
            self._unread -= 1
            if self._unread == 0:
                break
        answer = json.loads(text)
        if answer["schema_version"] != SCHEMA_VERSION:
            raise RuntimeError(f"this llac speaks version {answer['schema_version']}, not {SCHEMA_VERSION}")
        return answer

    def load(self, *files):
        """Loads files; their names may have the wildcards * and ?."""
        return self(_line("load", files))

    def load_frame(self, frame, name, **options):
        """Loads the rows of a pandas DataFrame as the experiment ``name``; a column has the times."""
        path = os.path.join(self._files.name, f"{name}.csv")
        frame.to_csv(path, index=False, **options)
        return self.load(path)

    def fit(self, *experiments):
        """Fits the formulas of experiments; of all if none is named."""
        return self(_line("fit", experiments))

    def predict(self, experiment, **values):
        """Predicts; variables are keywords, with a number or several each: ``predict("f", N=4096, P=[1, 2])``."""
        return self(_line("predict", [experiment, *(_value(*item) for item in values.items())]))

    def compare(self, experiment, *files):
        """Sets predictions beside measured times."""
        return self(_line("compare", [experiment, *files]))

    def plot(self, *words):
        """Draws: ``plot("f", "N")``. The result shows itself in a notebook; ``.svg`` has the text."""
        return self(_line("plot", words))

    def close(self):
        """Ends the program."""
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            # It has ended before.
            pass
        if self._process.poll() is None:
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()
        self._files.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if hasattr(self, "_files"):
            self.close()


def _line(command, words):
    return " ".join([command, *(_quoted(str(word)) for word in words)])


def _quoted(word):
    """The word as the language takes it."""
    if word and not any(letter in word for letter in " \t'\"#\\"):
        return word
    return f"'{word}'" if '"' in word else f'"{word}"'


def _value(name, value):
    values = [value] if isinstance(value, (int, float, str)) else list(value)
    return f"{name}={','.join(str(one) for one in values)}"
