#!/usr/bin/env python3
"""Runs `call` over real C and says whether everything still compiles and works. See README.md beside this file."""

import argparse
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import fetch
import files
from annotate import VARIANTS
from fetch import Trouble
from projects import BY_NAME, PROJECTS, Project
from settings import Settings
from table import Row, failures_text, table_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = "-O1 -Wall -Wextra"
MEMORY_BYTES = 12 << 30  # of one process of a test
STEP_TIMEOUT_S = 1800


@dataclass
class Result:
    project: str
    log: Path
    built: bool = True
    tests: dict[str, str] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)
    seconds: float = 0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# What everything needs


def call_program() -> str:
    """CORPUS_CALL names it; else it is built."""
    given = os.environ.get("CORPUS_CALL")
    if given:
        return str(Path(given).resolve())
    words = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "call-compiler", "--bin", "call"]
    if subprocess.run(words, cwd=ROOT, check=False).returncode != 0:
        raise Trouble("`call` does not build: see above, or name a program with CORPUS_CALL=…")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str((ROOT / target / "release" / "call").resolve())


def output_of(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Trouble(f"{shlex.join(words)} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


def build_runtime(call: str, compiler: str, folder: Path) -> None:
    """The runtime as a shared and as a static library, its headers, and the checking runtime."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    flags = output_of([call, "cflags"]).split()
    libraries = output_of([call, "libs"]).split()
    sources = [word for word in libraries if word.endswith(".c")]
    others = [word for word in libraries if not word.endswith(".c")]
    include = next(Path(word[2:]) for word in flags if word.startswith("-I"))
    shutil.copytree(include, folder / "include")
    common = [compiler, "-O2", "-fPIC", "-w"]
    output_of([*common, "-shared", *flags, *sources, "-o", str(folder / "libcall.so"), *others])
    output_of([*common, "-c", *flags, sources[0], "-o", str(folder / "call-runtime.o")])
    output_of(["ar", "rcs", str(folder / "libcall.a"), str(folder / "call-runtime.o")])
    output_of([*common, "-shared", str(HERE / "checking.c"), "-o", str(folder / "checking.so"), "-pthread"])


def install(packages: tuple[str, ...]) -> None:
    missing = [package for package in packages if not is_installed(package)]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    if os.geteuid() != 0:
        raise Trouble(f"needs {' '.join(missing)}: sudo {shlex.join(command)}")
    say(f"installing {' '.join(missing)}")
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if done.returncode != 0:
        raise Trouble(f"{shlex.join(command)} failed:\n{done.stderr.strip()}")


def is_installed(package: str) -> bool:
    words = ["dpkg-query", "-W", "-f", "${Status}", package]
    return "ok installed" in subprocess.run(words, capture_output=True, text=True, check=False).stdout


# One project


class Runner:
    def __init__(self, settings: Settings, project: Project, jobs: int) -> None:
        self.settings, self.project, self.jobs = settings, project, jobs
        self.tree = settings.work / "build" / project.name
        self.logs = settings.work / "logs"
        self.result = Result(project.name, settings.log)

    def run(self) -> Result:
        started = time.monotonic()
        self.settings.log.parent.mkdir(parents=True, exist_ok=True)
        self.settings.log.write_text("")
        shutil.rmtree(self.settings.work / "shadow" / self.project.name, ignore_errors=True)
        try:
            install(self.project.needs)
            self.unpack()
            if self.project.sources:
                files.run_all(self.settings, self.tree, self.project.sources.split(), self.jobs, self.project.execute, None)
            else:
                self.result.built = self.step("build", self.project.build, {})
            if self.result.built and self.project.test:
                self.test()
        except Trouble as trouble:
            self.result.built = False
            self.result.trouble.append(str(trouble))
        self.result.seconds = time.monotonic() - started
        return self.result

    def unpack(self) -> None:
        downloads = fetch.fetch(self.settings.work, self.project.package)
        if not self.project.unpack:
            fetch.unpack(downloads, self.tree, self.project.patches)
            return
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        if not self.step("unpack", self.project.unpack, {"DOWNLOADS": str(downloads)}):
            raise Trouble(self.result.trouble.pop())

    def test(self) -> None:
        if self.settings.plain:
            self.result.tests["plain"] = "passed" if self.step("test", self.project.test, {}) else "failed"
            return
        if not self.project.long_test:
            self.result.tests["runtime"] = "passed" if self.step("test", self.project.test, {}) else "failed"
        check = self.logs / f"{self.project.name}.check"
        check.unlink(missing_ok=True)
        extra = {"LD_PRELOAD": str(self.settings.runtime / "checking.so"), "CORPUS_CHECK": str(check)}
        passed = self.step("test-checking", self.project.test, extra)
        self.result.tests["checking"] = "passed" if passed else "failed"
        self.read_check(check)

    def read_check(self, check: Path) -> None:
        """Sums over all processes of the tests: begins, ends, ends without begin, abandoned, open at exit."""
        rows = [line.split() for line in check.read_text(errors="replace").splitlines()] if check.exists() else []
        rows = [row for row in rows if len(row) == 7]
        sums = [sum(int(row[column]) for row in rows) for column in range(5)]
        without, abandoned = ({row[at] for row in rows} - {"-"} for at in (5, 6))
        self.result.tests["begins"] = str(sums[0])
        self.result.tests["abandoned"] = str(sums[3])
        if not rows:
            self.result.trouble.append("the tests did not measure anything: is the program that they run instrumented?")
        if sums[2]:
            self.result.trouble.append(f"{sums[2]} ends without a begin, for example in {min(without)}")
        if sums[3]:
            self.result.tests["example"] = min(abandoned, default="-")

    def step(self, name: str, text: str, extra: dict[str, str]) -> bool:
        log = self.logs / f"{self.project.name}.{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        wrapper = str(HERE / "cc.py")
        environment = {
            **{key: value for key, value in os.environ.items() if key not in ("CFLAGS", "LDFLAGS", "CPPFLAGS", "MAKEFLAGS")},
            **self.settings.environment(),
            "CC": wrapper,
            "OMPI_CC": wrapper,
            "MPICH_CC": wrapper,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "FLAGS": FLAGS,
            "JOBS": str(self.jobs),
            "SOURCE": str(self.tree),
            "LC_ALL": "C",
        }
        # The preloaded library is for the tests' programs; the shell and make that start them do not mind it.
        words = ["env", *(f"{key}={value}" for key, value in extra.items()), "sh", "-euc", text]
        with open(log, "wb") as file:
            file.write(f"$ {text}\n".encode())
            file.flush()
            try:
                status = subprocess.run(
                    words, cwd=self.tree, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                    timeout=STEP_TIMEOUT_S, check=False, preexec_fn=limit_memory,
                ).returncode
            except subprocess.TimeoutExpired:
                status = 124
        if status != 0:
            self.result.trouble.append(f"{name} ended with status {status}: see {log}")
        return status == 0


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


# The whole


def read_log(log: Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def row_of(result: Result) -> Row:
    return Row.of(result.project, read_log(result.log), result.tests, result.trouble, result.built, result.seconds)


def parse_arguments(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    flags = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    parser = argparse.ArgumentParser(prog="scripts/corpus.sh", description=__doc__.splitlines()[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help="default: all; see --list")
    parser.add_argument("--list", action="store_true", help="name the projects")
    parser.add_argument("--sources", type=Path, metavar="DIR", help="instead of projects: every .c file of a folder, `-- FLAGS` for the compiler")
    parser.add_argument("--commands", type=Path, metavar="FILE", help="instead of projects: every C file of a compile_commands.json, with its flags")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0], help="where the experiments stand")
    parser.add_argument("--run", action="store_true", help="with --sources: each file is a program; compare what it does with and without")
    parser.add_argument("--limit", type=int, help="with --sources and --commands: so many files, evenly chosen")
    parser.add_argument("--share", type=float, default=1, help="with projects: instrument such a part of the files, from 0 to 1")
    parser.add_argument("--plain", action="store_true", help="build and test without instrumentation, for comparison")
    parser.add_argument("--keep", action="store_true", help="keep all annotated and translated files, not only those that fail")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(own), flags


def settings_for(name: str, call: str, work: Path, chosen: argparse.Namespace) -> Settings:
    return Settings(name, os.environ.get("CORPUS_CC", "gcc"), call, work, work / "logs" / f"{name}.jsonl", chosen.plain, chosen.keep, chosen.variant, chosen.share)


def run_projects(chosen: argparse.Namespace, call: str, work: Path) -> list[Row]:
    unknown = [name for name in chosen.projects if name not in BY_NAME]
    if unknown:
        raise Trouble(f"no project {', '.join(unknown)}: known are {', '.join(BY_NAME)}")
    rows = []
    for project in [BY_NAME[name] for name in chosen.projects] or PROJECTS:
        say(f"{project.name} …")
        rows.append(row_of(Runner(settings_for(project.name, call, work, chosen), project, chosen.jobs).run()))
        say(table_text(rows[-1:], header=False))
    return rows


def run_sources(chosen: argparse.Namespace, flags: list[str], call: str, work: Path) -> list[Row]:
    if not chosen.sources.is_dir():
        raise Trouble(f"{chosen.sources} is no folder")
    settings = settings_for("sources", call, work, chosen)
    started = time.monotonic()
    files.run_all(settings, chosen.sources.resolve(), flags, chosen.jobs, chosen.run, chosen.limit)
    return [Row.of("sources", read_log(settings.log), {}, [], True, time.monotonic() - started)]


def run_commands(chosen: argparse.Namespace, call: str, work: Path) -> list[Row]:
    try:
        entries = json.loads(chosen.commands.read_text())
    except (OSError, ValueError) as error:
        raise Trouble(f"cannot read {chosen.commands}: {error}") from error
    settings = settings_for("commands", call, work, chosen)
    started = time.monotonic()
    files.run_commands(settings, entries, chosen.jobs, chosen.limit)
    return [Row.of("commands", read_log(settings.log), {}, [], True, time.monotonic() - started)]


def main(arguments: list[str]) -> int:
    chosen, flags = parse_arguments(arguments)
    if chosen.list:
        for project in PROJECTS:
            print(f"{project.name:12} {project.note}".rstrip())
        return 0
    work = Path(os.environ.get("CORPUS_WORK", ROOT / "target" / "corpus")).resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        call = call_program()
        build_runtime(call, os.environ.get("CORPUS_CC", "gcc"), work / "runtime")
        if chosen.commands:
            rows = run_commands(chosen, call, work)
        else:
            rows = run_sources(chosen, flags, call, work) if chosen.sources else run_projects(chosen, call, work)
    except Trouble as trouble:
        say(f"corpus: {trouble}")
        return 2
    print(table_text(rows))
    print(failures_text(rows), end="")
    return 0 if all(row.is_well for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
