#!/usr/bin/env python3
"""Runs C programs and says where `call propose` counts wrongly. See README.md beside this file."""

import argparse
import itertools
import json
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import points
from claims import Block, NoAnswer, blocks_of, proposed
from points import Point
from runs import NotBuilt, Observed, Program, driver
from statements import Function, Source, Unreadable, cut
from surroundings import Setup, Variable, setup_of
from table import Outcome, text_of
from verdicts import Verdict, judged

RUN_LIMIT_S = 1.0
LATE_RUNS = 4  # so many runs of one function may take longer; then no more are tried
SLOW_S = 0.3  # sizes of a series do not grow beyond a run of this length
UNKNOWN_VALUES = 3
FOLDERS = itertools.count()


@dataclass
class Task:
    set_name: str
    path: Path
    flags: list[str]
    program: dict = field(default_factory=dict)  # of a plan


def read(task: Task) -> Source:
    return cut(task.path.read_text(errors="replace"))


def runs_of(program: Program, setup: Setup, seed: str, growing: bool) -> list[Observed]:
    """All small points, and each series as far as it is quick."""
    signs = [variable.unsigned for variable in setup.variables]

    def able(point: Point) -> bool:
        return not any(unsigned and value < 0 for unsigned, value in zip(signs, point.values, strict=True))

    def run(point: Point) -> Observed | None:
        observed = program.run(point, [str(point.pattern), *map(str, point.values)], RUN_LIMIT_S)
        if observed:
            observed.names = [variable.place or "unknown function" for variable in setup.variables]
        return observed

    found, late = [], 0
    for point in filter(able, points.small(len(signs), seed)):
        begun = time.monotonic()
        observed = run(point)
        found += [observed] if observed else []
        late += time.monotonic() - begun > RUN_LIMIT_S
        if late >= LATE_RUNS:
            break
    for series in points.growing(len(signs)) if growing else []:
        for point in series:
            begun = time.monotonic()
            observed = run(point)
            if not observed:
                break
            found.append(observed)
            if time.monotonic() - begun > SLOW_S:
                break
    return found


def judged_function(task: Task, source: Source, function: Function, blocks: list[Block], work: Path) -> tuple[list[Verdict], str]:
    able = [block for block in blocks if not block.skipped]
    qualities = {claim.quality for block in able for claim in block.claims if not claim.skipped and not claim.fault}
    if qualities <= {"unknown"}:
        return [judged(block, claim, []) for block in blocks for claim in block.claims], ""
    setup = setup_of(source, function, {atom for block in able for atom in block.atoms})
    if not setup.variables:
        setup.variables = [Variable("", False)] * UNKNOWN_VALUES
    flags = [f"-I{task.path.resolve().parent}", *task.flags]
    folder = work / str(next(FOLDERS))
    try:
        try:
            program = Program(folder, source, able, driver(setup, function), "cll_original_main", flags, [])
        except NotBuilt as error:
            Program(folder, source, [], driver(setup, function), "cll_original_main", flags, [])
            for claim in (claim for block in able for claim in block.claims if claim.quality != "unknown"):
                claim.fault = claim.fault or f"its variables are not known where the block begins: {error}"
            return [judged(block, claim, []) for block in blocks for claim in block.claims], ""
    except NotBuilt as error:
        return [], f"does not compile: {error}"
    runs = runs_of(program, setup, f"{task.path.name} {function.name}", bool(qualities & {"rounded", "at-most"}))
    program.remove()
    if not runs:
        return [], "no run ends in time without a crash"
    return [judged(block, claim, runs) for block in blocks for claim in block.claims], ""


def judged_file(task: Task, call: str, work: Path) -> list[Outcome]:
    try:
        source = read(task)
        blocks = blocks_of(proposed(call, task.path, task.flags), source, False)
    except (NoAnswer, Unreadable, KeyError) as error:
        return [Outcome(task.set_name, task.path, "", failure=f"{type(error).__name__}: {error}")]
    outcomes = []
    for function in source.functions:
        own = [block for block in blocks if block.function == function.name]
        verdicts, failure = judged_function(task, source, function, own, work)
        outcomes.append(Outcome(task.set_name, task.path, function.name, verdicts, failure))
    lost = [block for block in blocks if not block.function]
    outcomes += [Outcome(task.set_name, task.path, block.name, [], block.skipped) for block in lost]
    return outcomes


def judged_program(task: Task, call: str, work: Path) -> list[Outcome]:
    """A whole program of a plan: claims and counts anew for the flags of each run."""
    verdicts: dict[str, dict[tuple, list[Verdict]]] = {}
    failure = ""
    base = task.path.parent
    root = Path(task.program["folder"])
    for run in task.program["runs"]:
        flags = [f"-I{base}", *(word.replace("{}", str(root)) for word in task.program.get("flags", [])), *run.get("flags", []), *task.flags]
        others = [str(root / other) for other in task.program.get("others", [])]
        try:
            source = read(task)
            blocks = blocks_of(proposed(call, task.path, flags), source, True)
            able = [block for block in blocks if not block.skipped]
            program = Program(work / str(next(FOLDERS)), source, able, '#include "judged.c"\n', "main", flags, others)
        except (NoAnswer, Unreadable, KeyError, NotBuilt) as error:
            failure = f"{type(error).__name__}: {error}"
            break
        observed = program.run(Point(tuple(run.get("sizes", ()))), run.get("arguments", []), task.program.get("limit_s", 20.0))
        program.remove()
        if not observed:
            continue
        observed.point = Point(observed.point.values, 0, "all")
        for block in blocks:
            for index, claim in enumerate(block.claims):
                key = (block.kind, block.line, claim.line, index)
                verdicts.setdefault(block.function or block.name, {}).setdefault(key, []).append((block, claim, observed))
    return [Outcome(task.set_name, task.path, name, [joined(parts) for parts in found.values()]) for name, found in verdicts.items()] or [
        Outcome(task.set_name, task.path, "", failure=failure or "no run ends in time without a crash")
    ]


def joined(parts: list[tuple[Block, object, Observed]]) -> Verdict:
    """One claim at all runs; where the claim changes with the flags, each run is judged with its own."""
    texts = {claim.count.text if claim.count else "" for _, claim, _ in parts}
    if len(texts) == 1:
        return judged(parts[-1][0], parts[-1][1], [observed for _, _, observed in parts])
    alone = [judged(block, claim, [observed]) for block, claim, observed in parts]
    return next((verdict for verdict in alone if "WRONG" in verdict.verdict or "BROKEN" in verdict.verdict), alone[-1])


def tasks_of(options: argparse.Namespace) -> list[Task]:
    tasks = []
    for given in options.sources:
        path = Path(given)
        found = sorted(path.rglob("*.c")) if path.is_dir() else [path]
        tasks += [Task(options.set or (path.name if path.is_dir() else path.parent.name), each, options.flags) for each in found]
    for given in options.plan:
        plan = json.loads(Path(given).read_text())
        folder = Path(given).parent / plan.get("folder", ".")
        for program in plan["programs"]:
            merged = {**plan, **program, "folder": str(folder.resolve())}
            tasks.append(Task(plan["name"], (folder / program["source"]).resolve(), options.flags, merged))
    return [task for task in tasks if options.only in str(task.path)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--call", default="target/debug/call", help="the program to judge")
    parser.add_argument("--plan", action="append", default=[], help="a JSON file of whole programs (README.md says what is in it)")
    parser.add_argument("--set", help="name of the row for the sources; default: the folder")
    parser.add_argument("--only", default="", help="only paths that contain this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="also write each verdict to this file")
    parser.add_argument("sources", nargs="*", help="C files, or folders of them")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    options.flags = words[split + 1 :]
    call = shutil.which(options.call)
    if not call:
        parser.error(f"{options.call} is no program: build `call` first, or say --call PATH")
    tasks = tasks_of(options)
    if not tasks:
        parser.error("no C file was found")
    with tempfile.TemporaryDirectory(prefix="counts-") as work, ThreadPoolExecutor(options.jobs) as pool:
        judge = lambda task: (judged_program if task.program else judged_file)(task, str(Path(call).resolve()), Path(work))
        outcomes = []
        for number, part in enumerate(pool.map(judge, tasks), 1):
            outcomes += part
            print(f"\r{number} of {len(tasks)} files", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    text, wrong = text_of(outcomes)
    print(text)
    if options.json:
        Path(options.json).write_text("".join(json.dumps(line) + "\n" for outcome in outcomes for line in outcome.lines()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
