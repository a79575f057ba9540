"""All C files of a folder, without a build system: those that the compiler accepts with the given flags."""

import os
import subprocess
import shlex
import shutil
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import commandline
from settings import Settings
from unit import Unit, run, write_log

RUN_TIMEOUT_S = 20


def run_all(settings: Settings, folder: Path, flags: list[str], jobs: int, execute: bool, limit: int | None) -> None:
    settings.log.parent.mkdir(parents=True, exist_ok=True)
    settings.log.write_text("")
    shutil.rmtree(settings.work / "shadow" / settings.project, ignore_errors=True)
    sources = sorted(str(path) for path in folder.rglob("*.c") if not path.name.endswith(".call.c"))
    if limit is not None and limit < len(sources):
        sources = [sources[at * len(sources) // limit] for at in range(limit)]
    with ProcessPoolExecutor(jobs) as pool:
        for _ in pool.map(partial(one_file, settings, flags, execute), sources, chunksize=4):
            pass


def one_file(settings: Settings, flags: list[str], execute: bool, source: str) -> None:
    objects = settings.work / "objects" / settings.project / str(os.getpid())
    objects.mkdir(parents=True, exist_ok=True)
    target = str(objects / "plain.o")
    unit = QuietUnit(settings, commandline.parse(["-c", *flags, source]), source, target)
    unit.execute = execute
    unit.compile()


class QuietUnit(Unit):
    """Nothing of what the compiler says reaches the terminal; the log has what matters."""

    execute = False

    def compile(self) -> int:
        plain = self.plain_compile()
        if plain.status != 0:
            self.outcome.accepted = False
        else:
            before = Path(self.target + ".plain")
            shutil.copyfile(self.target, before)
            self.instrument(plain)
            if self.execute and self.outcome.compiled:
                self.compare_runs(before)
        write_log(self.settings.log, self.outcome)
        return plain.status

    def compare_runs(self, before: Path) -> None:
        """Status and output of the program with and without instrumentation; files that are no programs do not link."""
        programs = [str(before) + ".x", self.target + ".x"]
        libraries = [str(self.settings.runtime / "libcall.so"), f"-Wl,-rpath,{self.settings.runtime}", "-lm", "-pthread"]
        flags = [word for word in self.line.flags if word != "-c"]
        if run([self.settings.compiler, "-w", *flags, "-x", "none", str(before), "-o", programs[0], "-lm", "-pthread"]).status != 0:
            return
        link = [self.settings.compiler, "-w", *flags, self.target, "-o", programs[1], *libraries]
        linked = run(link)
        if linked.status != 0:
            self.fail("link", linked.stderr[:500], link)
            return
        plain, instrumented = (execute(program) for program in programs)
        if plain is not None and plain != instrumented:
            ended = "did not end" if instrumented is None else f"ended with {instrumented[0]} and {len(instrumented[1])} bytes"
            message = f"plain: ended with {plain[0]} and {len(plain[1])} bytes; instrumented: {ended}"
            compile_again = [self.settings.compiler, *flags, *self.quote, f"-I{self.settings.runtime / 'include'}"]
            self.fail("run", message, [*compile_again, str(self.translated_file), *libraries, "-o", "a.out"])


def execute(program: str) -> tuple[int, bytes] | None:
    """Status and output; nothing for a program that does not end."""
    try:
        done = subprocess.run(
            [program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=os.path.dirname(program), timeout=RUN_TIMEOUT_S, check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise RuntimeError(f"cannot run {shlex.quote(program)}") from error
    return done.returncode, done.stdout
