"""What `call propose` says of a file, tied to the statements that gcov counts."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from formulas import Formula, Unclear
from statements import Function, Source, Statement

# Of elements that rise, whichever they are: `i` and `i4` are numbers of loops.
NEIGHBOURS = re.compile(r"(.+)\[([ijkl]|i\d+)(?: [+-] \d+)?\] >= \1\[\2(?: [+-] \d+)?\](?: [+-] \d+)?")
SILENT = ("break", "continue", "goto", ";")  # may have no code of their own


@dataclass
class Claim:
    line: int
    quality: str
    count: Formula | None
    assumptions: list[Formula]
    fault: str = ""  # why it can be no right answer
    gcov_line: int | None = None
    skipped: str = ""  # why it cannot be judged
    code_expected: bool = False


@dataclass
class Block:
    number: int
    kind: str
    name: str
    line: int
    claims: list[Claim] = field(default_factory=list)
    atoms: list[str] = field(default_factory=list)
    statement: int = -1
    function: str = ""
    skipped: str = ""


class NoAnswer(Exception):
    """`call propose` failed, or said what is not JSON."""


def proposed(call: str, source: Path, flags: list[str]) -> list[dict]:
    words = [call, "propose", "--format", "json", str(source), *(["--", *flags] if flags else [])]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        objects = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    except (subprocess.TimeoutExpired, json.JSONDecodeError, OSError) as error:
        raise NoAnswer(str(error)) from error
    objects = [said for said in objects if "blocks" in said]
    if not objects:
        raise NoAnswer(f"status {done.returncode}: {done.stderr.strip()[:300]}")
    return [block for said in objects for block in said["blocks"]]


def holds_of_all_elements(assumption: str) -> bool:
    return NEIGHBOURS.fullmatch(assumption) is not None


def claim_of(said: dict, owner: Function | None, alone: bool) -> Claim:
    claim = Claim(said["line"], said["quality"], None, [])
    assumptions = said.get("assumptions") or []
    if any(holds_of_all_elements(text) for text in assumptions):
        claim.skipped = "holds where elements rise"
        return claim
    try:
        if said.get("count") is not None:
            claim.count = Formula(said["count"])
        claim.assumptions = [Formula(text) for text in assumptions]
    except Unclear as error:
        claim.fault = str(error)
    if claim.quality not in ("exact", "rounded", "at-most", "unknown"):
        claim.fault = f"quality `{claim.quality}` is not known"
    if claim.quality != "unknown" and claim.count is None and not claim.fault:
        claim.fault = "no count is given"
    if said.get("file"):
        claim.skipped = "in another file"
    elif alone and owner and (said.get("function") not in (None, owner.name) or not owner.line <= claim.line <= owner.end_line):
        claim.skipped = "in a function that others may call too"
    return claim


def tie(claims: list[Claim], source: Source) -> None:
    """Gives each claim of one block the line of its statement in the copy; those of one line in order of statements."""
    by_line: dict[int, list[Claim]] = {}
    for claim in claims:
        by_line.setdefault(claim.line, []).append(claim)
    for line, here in by_line.items():
        able = [statement for statement in source.statements if statement.line == line]
        counted = [statement for statement in able if statement.kind in ("plain", "condition")]
        choices = [counted, [statement for statement in counted if statement.kind == "plain"]]
        fitting = next((choice for choice in choices if len(choice) == len(here)), None)
        if fitting is None and len(counted) == 1 and len({claim.count.text if claim.count else "" for claim in here}) == 1:
            fitting = counted * len(here)
        for number, claim in enumerate(here):
            if fitting:
                claim.gcov_line = fitting[number].gcov_line
                claim.code_expected = has_code(source, fitting[number])
            elif not claim.skipped:
                loop = any(statement.kind == "loop" for statement in able)
                claim.skipped = "header of a loop" if loop and not counted else "several statements on the line" if counted else "no statement there"


def has_code(source: Source, statement: Statement) -> bool:
    """A statement without a line in gcov never ran only if the compiler would have made code for it."""
    words = source.text(statement).split()
    assigns = any(word == "++" or word == "--" or (word.endswith("=") and word not in ("==", "!=", "<=", ">=")) for word in words)
    return statement.kind == "plain" and words[0] not in (*SILENT, "static", "extern", "typedef", "return") and assigns


def place(block: Block, said: dict, source: Source) -> None:
    """Finds where the block begins in the copy."""
    if block.kind == "function":
        found = [function for function in source.functions if function.name == said["name"] or function.line == said["line"]]
        found = [function for function in found if function.line <= said["line"] <= function.end_line or function.name == said["name"]]
        if len(found) == 1:
            block.statement, block.function = found[0].body, found[0].name
        else:
            block.skipped = "its function is not found"
        return
    heads = [index for index, part in enumerate(source.statements) if part.kind == "loop" and part.line == block.line and part.loop_depth == 0]
    if len(heads) != 1:
        block.skipped = "its loop is not found, or not alone on its line"
        return
    block.statement = heads[0]
    inside = [function for function in source.functions if function.body < heads[0]]
    function = block.function = inside[-1].name
    following = [other.body for other in source.functions if other.body > heads[0]]
    body = source.statements[inside[-1].body : min(following, default=len(source.statements))]
    texts = [source.text(part) for part in body if part.kind == "label" and part.loop_depth > 0]
    if any(not text.startswith(("case ", "default ")) for text in texts):
        block.skipped = f"{function} may jump into a loop"


def blocks_of(answers: list[dict], source: Source, whole_program: bool) -> list[Block]:
    blocks = []
    for number, said in enumerate(answers, 1):
        block = Block(number, said["kind"], said["name"], said["line"])
        place(block, said, source)
        alone = whole_program or block.kind == "loop"
        owner = next((function for function in source.functions if function.name == block.function), None)
        block.claims = [claim_of(part, owner, alone) for part in said["statements"]]
        tie([claim for claim, part in zip(block.claims, said["statements"], strict=True) if not part.get("file")], source)
        formulas = [part for claim in block.claims for part in (claim.count, *claim.assumptions) if part]
        block.atoms = sorted(set().union(*(formula.atoms for formula in formulas)))
        blocks.append(block)
    return blocks
