"""A running ``llac`` and the way to talk to it."""

from __future__ import annotations

import contextlib
import filecmp
import importlib.metadata
import json
import os
import shutil
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Union
from urllib.parse import quote

from . import frames, language
from .result import Error, Message, Result

if TYPE_CHECKING:
    from pandas import DataFrame

SCHEMA_VERSION = 2
DISTRIBUTION = "call-llac"

Columns = Union[str, Sequence[str]]


class _Frame(NamedTuple):
    path: str
    options: tuple[str, ...]

    def line(self, path: str | None = None) -> str:
        """The command that loads it, from another file if one is given."""
        return language.command("load", [path or self.path, *self.options])


class Session:
    """A session of ``llac``: commands go in, results come back. Also a context manager."""

    def __init__(
        self, program: str | os.PathLike[str] | None = None, folder: str | os.PathLike[str] | None = None
    ) -> None:
        """Starts ``program`` in ``folder``, to which names of files are relative.

        By default it is what the variable LLAC names, what came with this package, or ``llac`` on the PATH.
        """
        found = _found(program)
        self._folder = os.path.abspath(folder or os.curdir)
        if not os.path.isdir(self._folder):
            raise NotADirectoryError(f"{self._folder} is no folder")
        files = tempfile.TemporaryDirectory(prefix="llac-")
        self._files = files.name
        self._messages = open(os.path.join(self._files, "stderr"), "w+b")
        # A process group of its own: an interrupt of the notebook is not meant for it.
        self._process = subprocess.Popen(
            [found, "--format", "jsonl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._messages,
            cwd=self._folder,
            start_new_session=True,
        )
        self._finalizer = weakref.finalize(self, _end, self._process, self._messages, files)
        # Answers that nobody waits for any more.
        self._unread = 0
        self._frames: dict[str, _Frame] = {}
        self._written = 0

    def __call__(self, line: str) -> Result:
        """Runs a command line and returns its :class:`Result`; raises :class:`Error` if it did nothing."""
        line = language.one_line(line)
        answer = self._run(line)
        words = language.words(line)
        png = self._png(words) if words[:1] == ["plot"] and answer["pictures"] else None
        result = Result(answer, png)
        if words[:1] == ["save"]:
            notes = self._save_frames(language.unquoted(words[1]))
            result.notes.extend(Message(note, "frame") for note in notes)
        return result

    def load(
        self,
        *files: str | os.PathLike[str],
        time: str | None = None,
        unit: str | None = None,
        experiment: Columns | None = None,
        name: str | None = None,
        processors: str | None = None,
        without: Columns | None = None,
        keep: Columns | None = None,
    ) -> Result:
        """Loads files (* and ? are wildcards); the options say what the columns of tables are."""
        given = {"time": time, "unit": unit, "experiment": experiment, "name": name, "processors": processors}
        words = language.options({**given, "without": without, "keep": keep})
        return self(language.command("load", [*(os.fspath(file) for file in files), *words]))

    def load_frame(
        self,
        frame: DataFrame,
        name: str,
        *,
        time: str | None = None,
        unit: str | None = None,
        experiment: Columns | None = None,
        processors: str | None = None,
        without: Columns | None = None,
        keep: Columns | None = None,
    ) -> Result:
        """Loads the rows of a pandas DataFrame, which has a column of times, as the experiment ``name``.

        The options are those of :meth:`load`. Another frame of the same name takes the place of the first, and
        what was done since is done again.
        """
        if not name.strip():
            raise ValueError("the frame needs a name")
        given = {"time": time, "unit": unit, "experiment": experiment, "name": name, "processors": processors}
        self._written += 1
        folder = os.path.join(self._files, str(self._written))
        os.mkdir(folder)
        path = os.path.join(folder, f"{quote(name, safe='')}.csv")
        notes = frames.write(frame, path)
        new = _Frame(path, tuple(language.options({**given, "without": without, "keep": keep})))
        old = self._frames.get(name)
        if old is not None and old.options == new.options and filecmp.cmp(old.path, path, shallow=False):
            new = old
        result = Result(self._run(new.line()) if old in (None, new) else self._replace(old.line(), new.line()))
        self._frames[name] = new
        stale = path if new is old else old and old.path
        if stale:
            shutil.rmtree(os.path.dirname(stale))
        for part in (result.notes, result.warnings):
            part[:] = [message.saying(message.replace(new.path, name)) for message in part]
        result.notes[:0] = [Message(note, "frame") for note in notes]
        return result

    def fit(self, *experiments: str, where: str | None = None) -> Result:
        """Fits the formulas of experiments, or of all, with all samples or those ``where="P <= 16"``."""
        return self(language.command("fit", experiments, where=where))

    def predict(self, experiment: str, /, *words: str, where: str | None = None, **values: object) -> Result:
        """Predicts; variables have a number or several each: ``predict("f", N=4096, P=[1, 2])``."""
        return self(language.command("predict", [experiment, *words], values, where))

    def compare(self, experiment: str, /, *words: str, where: str | None = None) -> Result:
        """Sets predictions beside measured times, those of other files if there are any."""
        return self(language.command("compare", [experiment, *words], where=where))

    def plot(self, /, *words: str, where: str | None = None, **values: object) -> Result:
        """Draws: ``plot("f", "N", P=[1, 4])``. The result shows itself; it has ``.svg`` and ``.png``."""
        return self(language.command("plot", words, values, where))

    def save(self, file: str | os.PathLike[str]) -> Result:
        """Writes a script that leads here; frames go into the folder ``NAME.frames`` beside it."""
        return self(language.command("save", [os.fspath(file)]))

    def close(self) -> None:
        """Ends the program."""
        self._finalizer()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, line: str) -> dict:
        answer = self._ask(line)
        if not answer["ok"]:
            raise Error(line, answer["error"])
        return answer

    def _ask(self, line: str) -> dict:
        if not self._finalizer.alive:
            raise RuntimeError("this session is closed")
        request = line.encode() + b"\n"
        try:
            self._process.stdin.flush()
            while self._unread:
                self._read()
            self._unread += 1
            self._process.stdin.write(request)
            self._process.stdin.flush()
            text = self._read()
        except BrokenPipeError:
            raise RuntimeError(self._obituary()) from None
        answer = json.loads(text)
        if answer["schema_version"] != SCHEMA_VERSION:
            raise RuntimeError(f"this llac speaks version {answer['schema_version']}, not {SCHEMA_VERSION}")
        return answer

    def _read(self) -> bytes:
        text = self._process.stdout.readline()
        if not text.endswith(b"\n"):
            raise BrokenPipeError
        self._unread -= 1
        return text

    def _obituary(self) -> str:
        status = self._process.wait()
        how = f"with status {status}" if status >= 0 else f"by {signal.Signals(-status).name}"
        self._messages.seek(0)
        messages = self._messages.read().decode(errors="replace").strip()[-2000:]
        return f"llac has ended {how}; what it knew is lost, start a new Session\n{messages}".rstrip()

    def _png(self, words: list[str]) -> bytes | None:
        """The picture of a command in pixels, which only files have."""
        path = os.path.join(self._files, "picture.png")
        clause = words.index("where") if "where" in words else len(words)
        answer = self._ask(" ".join([*words[:clause], language.quoted(path), *words[clause:]]))
        if not answer["ok"]:
            return None
        with open(path, "rb") as file:
            return file.read()

    def _changes(self) -> list[str]:
        """The lines that led here."""
        path = os.path.join(self._files, "changes.llac")
        self._run(language.command("save", [path]))
        with open(path, encoding="utf-8") as file:
            return language.commands(file.read())

    def _replace(self, old: str, new: str) -> dict:
        """Runs a line in the place of an earlier one, and the later ones again; or leaves all as it is."""
        lines = self._changes()
        if old not in lines:
            return self._run(new)
        first = lines.index(old)
        try:
            self._go_back_to(first)
            answers = [self._run(new if line == old else language.one_line(line)) for line in lines[first:]]
        except BaseException:
            self._go_back_to(first)
            for line in lines[first:]:
                self._run(language.one_line(line))
            raise
        again = [line for line in lines[first:] if line != old]
        if again:
            note = f"made again with the new frame: {'; '.join(again)}"
            answers[0]["notes"].append({"code": "made-again", "message": note})
        return answers[0]

    def _go_back_to(self, count: int) -> None:
        for _ in self._changes()[count:]:
            self._run("undo")

    def _save_frames(self, script: str) -> list[str]:
        """Puts the frames of a script, which are temporary files, beside it."""
        path = os.path.join(self._folder, script)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        notes = []
        for name, frame in self._frames.items():
            if frame.line() not in lines:
                continue
            copy = os.path.join(f"{os.path.splitext(script)[0]}.frames", os.path.basename(frame.path))
            os.makedirs(os.path.join(self._folder, os.path.dirname(copy)), exist_ok=True)
            shutil.copyfile(frame.path, os.path.join(self._folder, copy))
            lines = [frame.line(copy) if line == frame.line() else line for line in lines]
            notes.append(f"the frame {name} is written to {copy}")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        return notes


def _found(program: str | os.PathLike[str] | None) -> str:
    name = os.fspath(program or os.environ.get("LLAC") or _own() or "llac")
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            f"{name} is not there: build it, or give its path to Session or in the variable LLAC"
        )
    # The program starts in another folder.
    return os.path.abspath(found)


def _own() -> str | None:
    """The program that was installed together with this package."""
    try:
        files = importlib.metadata.files(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    # First as `pip install --target` puts it, which records another place, where somebody else's may be.
    beside = os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin", "llac")
    programs = [beside, *(str(file.locate()) for file in files if file.name == "llac")]
    return next(filter(shutil.which, programs), None)


def _end(process, messages, files) -> None:
    # It may have ended before.
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
    messages.close()
    files.cleanup()
