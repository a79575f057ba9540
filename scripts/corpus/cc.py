#!/usr/bin/env python3
"""A compiler to be used as CC=: each C file of a compiling command gets experiments around all its functions.

Everything else goes to the real compiler as it is: preprocessing, dependencies only, assembler, standard input, the test programs
of configure. What fails with instrumentation is written to the log and compiled without, so that the build goes on. `corpus.sh`
sets what it needs in the environment; without that it is just the compiler.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from commandline import CommandLine, is_probe, parse
from settings import Settings, from_environment
from unit import Unit


def passes_through(line: CommandLine) -> bool:
    return line.stops_early or not line.inputs or any(is_probe(path) for path in line.inputs)


def is_left_out(settings: Settings, line: CommandLine) -> bool:
    return bool(line.sources) and not line.links and not any(map(settings.takes, line.sources))


def object_of(line: CommandLine, source: str) -> str:
    """Where `cc -c source` puts its object."""
    if line.output is not None:
        return line.output
    return Path(source).with_suffix(".s" if "-S" in line.flags else ".o").name


def compile_only(settings: Settings, line: CommandLine) -> int:
    return max(Unit(settings, line, source, object_of(line, source)).compile() for source in line.sources)


def runtime_words(settings: Settings, line: CommandLine) -> list[str]:
    runtime = settings.runtime
    if "-static" in line.flags:
        return [str(runtime / "libcall.a"), "-lm", "-pthread"]
    return [str(runtime / "libcall.so"), f"-Wl,-rpath,{runtime}"]


def link(settings: Settings, line: CommandLine) -> int:
    """C files among the inputs are compiled first, each to an object that takes its place."""
    scratch = Path(tempfile.mkdtemp(prefix="link-", dir=settings.work))
    try:
        words: list[str] = []
        for count, item in enumerate(line.items):
            source = item.words[0]
            if item.kind == "dependency":
                continue
            if item.kind != "input" or not source.endswith(".c"):
                words += item.words
                continue
            target = scratch / f"{count}-{Path(source).stem}.o"
            status = Unit(settings, line, source, str(target)).compile()
            if status != 0:
                return status
            words.append(str(target))
        return subprocess.run([settings.compiler, *words, *runtime_words(settings, line)], check=False).returncode
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main(arguments: list[str]) -> int:
    settings = from_environment()
    compiler = settings.compiler if settings else "cc"
    line = parse(arguments)
    if settings is None or settings.plain or passes_through(line) or is_left_out(settings, line):
        os.execvp(compiler, [compiler, *arguments])
    if line.links:
        return link(settings, line)
    if line.compiles_only and line.sources and len(line.sources) == len(line.inputs):
        return compile_only(settings, line)
    os.execvp(compiler, [compiler, *arguments])
    return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
