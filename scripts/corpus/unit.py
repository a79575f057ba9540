"""One C file on its way: plain compile, annotate, `call`, compile again, compare."""

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import diagnostics
import roundtrip
from annotate import Annotated, annotate
from commandline import CommandLine
from diagnostics import Message
from settings import Settings

TIMEOUT_S = 300


@dataclass
class Failure:
    """`stage` is one of annotate, call, bytes, compile, lines, warnings, lost, run; `command` reproduces it."""

    stage: str
    message: str
    command: str
    kinds: list[str] = field(default_factory=list)


@dataclass
class Outcome:
    """A line of the log."""

    project: str
    file: str
    accepted: bool = True
    annotated: int = 0
    with_variable: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    translated: bool = False
    compiled: bool = False
    same_warnings: bool = False
    flow_warnings: int = 0
    preprocess_ms: float = 0
    call_ms: float = 0
    failures: list[Failure] = field(default_factory=list)


@dataclass
class Finished:
    status: int
    stderr: str
    ms: float
    stdout: str = ""


def run(words: list[str], environment: dict[str, str] | None = None, keep_output: bool = True) -> Finished:
    """Messages in English without colours, whatever the user's terminal is."""
    started = time.monotonic()
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if keep_output else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C", "GCC_COLORS": "", **(environment or {})},
            timeout=TIMEOUT_S,
            check=False,
        )
        status, output, errors = done.returncode, done.stdout or b"", done.stderr
    except subprocess.TimeoutExpired:
        status, output, errors = 124, b"", f"no end after {TIMEOUT_S} s".encode()
    except OSError as error:
        status, output, errors = 127, b"", f"cannot run {words[0]}: {error.strerror}".encode()
    ms = (time.monotonic() - started) * 1000
    return Finished(status, errors.decode("utf-8", "replace"), ms, output.decode("utf-8", "replace"))


class Unit:
    """Compiles `source` with the flags of `line` to `target`; the plain object stays where anything fails."""

    def __init__(self, settings: Settings, line: CommandLine, source: str, target: str) -> None:
        self.settings, self.line, self.source, self.target = settings, line, source, target
        self.outcome = Outcome(settings.project, str(Path(source).absolute()))
        key = hashlib.sha256("\0".join([os.getcwd(), source, target]).encode()).hexdigest()[:12]
        self.shadow = settings.work / "shadow" / settings.project / key
        # The folder of the file comes first where quoted includes are looked for, as it does for the original.
        self.quote = ["-iquote", str(Path(source).parent)]
        self.copy = self.shadow / Path(source).name

    # Steps

    def compile(self) -> int:
        """The status and messages of the plain compile are those of the build."""
        plain = self.plain_compile()
        if plain.status != 0:
            self.outcome.accepted = False
        else:
            self.instrument(plain)
        self.finish()
        os.write(2, plain.stderr.encode())
        return plain.status

    def plain_compile(self) -> Finished:
        words = [*self.for_object(self.line.of("flag", "dependency")), self.source, "-o", self.target]
        return run([self.settings.compiler, *words])

    def for_object(self, flags: list[str]) -> list[str]:
        """Of a command that links, without the libraries: clang warns of what it does not use."""
        if self.line.compiles_only:
            return flags
        return ["-c", *(word for word in flags if not word.startswith(("-l", "-L", "-Wl,")))]

    def instrument(self, plain: Finished) -> None:
        try:
            text = Path(self.source).read_bytes().decode("latin-1")
            annotated = annotate(text, self.settings.variant)
        except (OSError, RecursionError) as error:
            self.fail("annotate", str(error), ["scripts/corpus/annotate.py", str(Path(self.source).absolute())])
            return
        self.outcome.skipped = annotated.skipped()
        if not annotated.done:
            return
        self.shadow.mkdir(parents=True, exist_ok=True)
        self.copy.write_bytes(annotated.text.encode("latin-1"))
        active = self.count(annotated)
        if active and self.translate():
            self.check_text(annotated, active)
            self.compile_translated(annotated, plain)

    def preprocessing(self) -> list[str]:
        return [*self.quote, *self.line.preprocessing()]

    def count(self, annotated: Annotated) -> set[str]:
        """The names of the experiments that the preprocessor leaves: others stand under an #if that does not hold."""
        done = run([self.settings.compiler, "-E", *self.preprocessing(), str(self.copy)])
        self.outcome.preprocess_ms = done.ms
        active = set(re.findall(r"(?m)^#pragma cll end (\w+)", done.stdout))
        chosen = [function for function in annotated.done if function.experiment in active]
        self.outcome.annotated = len(chosen)
        self.outcome.with_variable = sum("*" in function.formula for function in chosen)
        if len(chosen) < len(annotated.done):
            self.outcome.skipped["under an #if that does not hold"] = len(annotated.done) - len(chosen)
        return active

    def translate(self) -> bool:
        words = [self.settings.call, str(self.copy), "--", *self.preprocessing()]
        done = run(words, {"CC": self.settings.compiler})
        self.outcome.call_ms = done.ms
        self.outcome.translated = done.status == 0
        if done.status != 0:
            self.fail_or_blame_annotation("call", first_errors(done.stderr) or f"status {done.status}", words)
        return self.outcome.translated

    @property
    def translated_file(self) -> Path:
        return self.copy.with_name(self.copy.name[: -len(".c")] + ".call.c")

    def check_text(self, annotated: Annotated, active: set[str]) -> None:
        text = self.translated_file.read_bytes().decode("latin-1")
        found = roundtrip.faults(annotated.text, text, active)
        if found:
            self.fail("bytes", "; ".join(found), ["diff", str(self.copy), str(self.translated_file)])
        self.translated_file.write_bytes(self.renamed(text).encode("latin-1"))

    def renamed(self, text: str) -> str:
        """With the name of the original in `#line`, as tests may print __FILE__."""
        original = self.source.replace("\\", "\\\\").replace('"', '\\"')
        return re.sub(r'^#line 1 "(?:[^"\\\n]|\\.)*"', lambda _: f'#line 1 "{original}"', text, count=1, flags=re.MULTILINE)

    def compile_translated(self, annotated: Annotated, plain: Finished) -> None:
        scratch = self.shadow / "instrumented.o"
        include = f"-I{self.settings.runtime / 'include'}"
        flags = [*self.quote, *self.line.flags, include, *self.as_call_cc_adds()]
        words = [self.settings.compiler, *self.for_object(flags), str(self.translated_file), "-o", str(scratch)]
        done = run(words)
        self.outcome.compiled = done.status == 0
        self.compare_messages(annotated, plain, done, words)
        if done.status != 0:
            self.fail_or_blame_annotation("compile", first_errors(done.stderr), words)
            return
        shutil.move(str(scratch), self.target)

    def as_call_cc_adds(self) -> list[str]:
        """Which values may not be set is a guess of GCC's optimiser, which breaks no build."""
        is_clang = "clang" in Path(self.settings.compiler).name
        return ["-Wno-error=maybe-uninitialized"] if "-Werror" in self.line.flags and not is_clang else []

    def compare_messages(self, annotated: Annotated, plain: Finished, done: Finished, words: list[str]) -> None:
        here = {os.path.realpath(path) for path in (self.source, self.translated_file, self.copy)}
        given = [original_place(message, here, self.source, annotated.line_map) for message in diagnostics.messages(done.stderr)]
        difference = diagnostics.compare(diagnostics.messages(plain.stderr), given)
        self.outcome.flow_warnings = len(difference.flow)
        self.outcome.same_warnings = done.status == 0 and not (difference.new or difference.moved or difference.lost)
        if done.status != 0:
            return
        for stage, messages in (("warnings", difference.new), ("lines", difference.moved), ("lost", difference.lost)):
            if messages:
                kinds = sorted({message.kind for message in messages})
                self.fail(stage, "; ".join(map(str, messages[:3])), words, kinds)

    # Failures

    def fail(self, stage: str, message: str, words: list[str], kinds: list[str] | None = None) -> None:
        command = f"cd {shlex.quote(os.getcwd())} && {shlex.join(words)}"
        self.outcome.failures.append(Failure(stage, message[:1000], command, kinds or []))

    def fail_or_blame_annotation(self, stage: str, message: str, words: list[str]) -> None:
        """Where statements cannot stand at the places of the directives, it is the annotation that is wrong."""
        probe = self.shadow / f"probe-{self.copy.name}"
        text = self.copy.read_bytes().decode("latin-1")
        # A parameter that a macro takes away is no variable.
        text = re.sub(r"(?m)^#pragma cll (?:end )?\w+(?:.*\*(\w+))?.*$", lambda found: f";(void)({found[1] or 0});", text)
        probe.write_bytes(text.encode("latin-1"))
        flags = [word for word in self.line.flags if word not in ("-c", "-S") and not word.startswith(("-Werror", "-pedantic-errors"))]
        command = [self.settings.compiler, "-w", "-fsyntax-only", *self.quote, *flags, str(probe)]
        tried = run(command)
        if tried.status == 0:
            self.fail(stage, message, words)
        else:
            self.fail("annotate", first_errors(tried.stderr), command)


    def finish(self) -> None:
        """What failed stays to be looked at."""
        if not self.outcome.failures and not self.settings.keep:
            shutil.rmtree(self.shadow, ignore_errors=True)
        write_log(self.settings.log, self.outcome)


def original_place(message: Message, here: set[str], source: str, line_map: list[int]) -> Message:
    if message.file not in here:
        return message
    line = line_map[message.line - 1] if 0 < message.line <= len(line_map) else message.line
    return Message(os.path.realpath(source), line, message.text)


def first_errors(text: str) -> str:
    """The first error with what follows it, else the beginning."""
    lines = text.strip().splitlines()
    at = next((at for at, line in enumerate(lines) if re.search(r"\berror\b|panicked", line)), 0)
    return "\n".join(lines[at : at + 6])


def write_log(log: Path, outcome: Outcome) -> None:
    """Several compilers of one build write at the same time."""
    with open(log, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(asdict(outcome)) + "\n")
