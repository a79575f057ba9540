"""Builds an instrumented copy of a source, runs it, and reads how often each statement ran (gcov) and with which values blocks were entered."""

import json
import re
import resource
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from claims import Block
from points import Point
from statements import Function, Source, written
from surroundings import Setup

HERE = Path(__file__).resolve().parent
# An array of variable length without elements is a crash, as is a subscript beyond an array: what C leaves open proves nothing wrong.
TRAPS = ["-fsanitize=vla-bound,bounds", "-fsanitize-undefined-trap-on-error"]
COMPILER = ["gcc", "-O0", "-w", "-std=gnu11", "-fno-inline", "-fno-builtin", *TRAPS]
MEMORY_BYTES = 2 << 30
LIBRARY = {"rand": "cll_probe_random", "random": "cll_probe_random"}


class NotBuilt(Exception):
    """The compiler's first error."""


@dataclass
class Observed:
    """`counts` by gcov's line, `entries` by block: the values of its atoms at each entry. `names`: what the point's values are."""

    point: Point
    names: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    entries: dict[int, list[dict[str, float]]] = field(default_factory=dict)


def probe(block: Block) -> str:
    values = ", ".join(f"CLL_PROBE_NUMBER({atom})" for atom in block.atoms)
    entered = f"cll_probe_enter({block.number}, {len(block.atoms)}, (double[]){{ {values or '0'} }})"
    return f"int cll_probe_{block.number} CLL_PROBE_LEFT = {entered}"


def instrumented(source: Source, blocks: list[Block], main: str) -> str:
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for block in blocks:
        name = f"cll_probe_{block.number}"
        if block.kind == "loop":
            before[block.statement] = f"for ({probe(block)}; {name} > 0; {name} = -{name})"
        else:
            after[block.statement] = f"{probe(block)};"
    own = {function.name for function in source.functions}
    renamed = {name: other for name, other in LIBRARY.items() if name not in own}
    return written(source, before, after, {**renamed, "main": main})


def driver(setup: Setup, function: Function) -> str:
    lines = ['#include "judged.c"', '#line 1 "driver.c"', *(definition for definition in setup.definitions)]
    lines += ["int main(int argc, char **argv)", "{"]
    unknown_from = next((index for index, variable in enumerate(setup.variables) if not variable.place), len(setup.variables))
    lines += [f"cll_probe_begin(argc, argv, {unknown_from});", *setup.statements]
    name = "cll_original_main" if function.name == "main" else function.name
    lines += [f"{name}({', '.join(setup.arguments)});", "return 0;", "}"]
    return "\n".join(lines) + "\n"


class Program:
    """A folder with the copy, built; `run` may be called again and again."""

    def __init__(self, folder: Path, source: Source, blocks: list[Block], unit: str, main: str, flags: list[str], others: list[str]):
        self.folder, self.blocks = folder, {block.number: block for block in blocks}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "judged.c").write_text(instrumented(source, blocks, main))
        (folder / "unit.c").write_text(unit)
        self.compile(["--coverage", f"-I{HERE}", "-include", "probe.h", *flags, "-c", "unit.c", "-o", "unit.o"])
        self.compile(["-O1", f"-I{HERE}", "-c", str(HERE / "probe.c"), "-o", "probe.o"])
        rest = []
        for number, other in enumerate(others):
            rest.append(f"other{number}.o")
            self.compile([*flags, "-c", other, "-o", rest[-1]])
        self.link(["--coverage", "unit.o", "probe.o", *rest, "-lm", "-o", "program"], flags)

    def compile(self, words: list[str]) -> None:
        done = subprocess.run([*COMPILER, *words], cwd=self.folder, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            error = next((line for line in done.stderr.splitlines() if "error" in line or "undefined" in line), done.stderr[:200])
            raise NotBuilt(error)

    def link(self, words: list[str], flags: list[str]) -> None:
        """Functions that exist nowhere answer what `cll_probe_unknown` says."""
        done = subprocess.run([*COMPILER, *words], cwd=self.folder, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            return
        missing = sorted(set(re.findall(r"undefined reference to `(\w+)'", done.stderr)))
        if not missing:
            raise NotBuilt(done.stderr[:200])
        stubs = [f"long {name}() {{ return cll_probe_unknown(); }}" for name in missing]
        (self.folder / "stubs.c").write_text("long cll_probe_unknown();\n" + "\n".join(stubs) + "\n")
        self.compile(["-fno-builtin", "-c", "stubs.c", "-o", "stubs.o"])
        self.compile([words[0], "stubs.o", *words[1:]])

    def run(self, point: Point, arguments: list[str], limit_s: float) -> Observed | None:
        """Nothing where the run crashes or takes too long."""
        for name in ("unit.gcda", "entries"):
            (self.folder / name).unlink(missing_ok=True)

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            done = subprocess.run(["./program", *arguments], cwd=self.folder, timeout=limit_s, preexec_fn=limit, check=False, **quiet)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode < 0 or done.returncode == 97 or not (self.folder / "unit.gcda").exists():
            return None
        return Observed(point, [], self.counts(), self.entries())

    def counts(self) -> dict[int, int]:
        words = ["gcov", "--json-format", "--stdout", "unit.gcda"]
        said = subprocess.run(words, cwd=self.folder, capture_output=True, check=True).stdout
        found: dict[int, int] = {}
        for part in json.loads(said)["files"]:
            if part["file"].endswith("judged.c"):
                for line in part["lines"]:
                    found[line["line_number"]] = found.get(line["line_number"], 0) + line["count"]
        return found

    def entries(self) -> dict[int, list[dict[str, float]]]:
        found: dict[int, list[dict[str, float]]] = {}
        path = self.folder / "entries"
        lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        unfinished = {-int(number) for number, *_ in lines if int(number) < 0}
        for number, *values in lines:
            if abs(int(number)) in unfinished:
                continue
            block = self.blocks[int(number)]
            found.setdefault(block.number, []).append(dict(zip(block.atoms, map(float, values), strict=True)))
        return found

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
