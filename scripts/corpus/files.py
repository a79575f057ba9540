"""All C files of a folder, without a build system: those that the compiler accepts with the given flags."""

import hashlib
import os
import shlex
import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import commandline
from settings import Settings
from unit import Unit, run

RUN_TIMEOUT_S = 20
NOT_LINKED, NO_END = "not linked", "did not end"


def run_all(settings: Settings, folder: Path, flags: list[str], jobs: int, execute: bool, limit: int | None) -> None:
    prepare(settings)
    sources = sorted(str(path) for path in folder.rglob("*.c") if not path.name.endswith(".call.c"))
    with ProcessPoolExecutor(jobs) as pool:
        for _ in pool.map(partial(one_file, settings, flags, execute), evenly(sources, limit), chunksize=4):
            pass


def run_commands(settings: Settings, entries: list[dict], jobs: int, limit: int | None) -> None:
    """The C files of a compile_commands.json, each with the flags of its command."""
    prepare(settings)
    entries = [entry for entry in entries if entry["file"].endswith(".c")]
    with ProcessPoolExecutor(jobs) as pool:
        for _ in pool.map(partial(one_command, settings), evenly(entries, limit), chunksize=4):
            pass


def prepare(settings: Settings) -> None:
    settings.log.parent.mkdir(parents=True, exist_ok=True)
    settings.log.write_text("")
    shutil.rmtree(settings.work / "shadow" / settings.project, ignore_errors=True)


def evenly(all_of_them: list, limit: int | None) -> list:
    if limit is None or limit >= len(all_of_them):
        return all_of_them
    return [all_of_them[at * len(all_of_them) // limit] for at in range(limit)]


def one_command(settings: Settings, entry: dict) -> None:
    os.chdir(entry["directory"])
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    line = commandline.parse(words[1:])
    flags = [word for word in line.flags if word != "-c"]
    one_file(settings, flags, False, str(Path(entry["file"]).absolute()))


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
            self.instrument(plain)
            if self.execute and self.outcome.compiled:
                self.compare_runs()
        self.finish()
        return plain.status

    def renamed(self, text: str) -> str:
        """As it is: -Wmisleading-indentation looks at the text of the file that `#line` names, which must be the annotated one."""
        return text

    def compare_runs(self) -> None:
        """What the program does with instrumentation must be what it does without, as far as that does not depend on inlining."""
        wanted = {self.behaviour([*flags, self.source]) for flags in ([], ["-fno-inline"], ["-O0"])}
        if len(wanted) > 1 or wanted & {NOT_LINKED, NO_END}:
            return
        libraries = [str(self.settings.runtime / "libcall.so"), f"-Wl,-rpath,{self.settings.runtime}", "-pthread"]
        given = self.behaviour([self.target, *libraries])
        if given not in wanted:
            flags = [word for word in self.line.flags if word != "-c"]
            include = f"-I{self.settings.runtime / 'include'}"
            again = [self.settings.compiler, *flags, *self.quote, include, str(self.translated_file), *libraries]
            self.fail("run", f"plain: {wanted.pop()}; instrumented: {given}", again)

    def behaviour(self, words: list[str]) -> str:
        """Status and output of a program."""
        program = self.target + ".x"
        flags = [word for word in self.line.flags if word not in ("-c", "-lm")]
        if run([self.settings.compiler, "-w", *flags, *words, "-o", program, "-lm"]).status != 0:
            return NOT_LINKED
        try:
            done = subprocess.run(
                [program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                cwd=os.path.dirname(program), timeout=RUN_TIMEOUT_S, check=False,
            )
        except subprocess.TimeoutExpired:
            return NO_END
        output = hashlib.sha256(done.stdout).hexdigest()[:8] if done.stdout else "none"
        return f"status {done.returncode}, output {output}"
