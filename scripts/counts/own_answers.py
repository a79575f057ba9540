#!/usr/bin/env python3
"""Stands in for `call propose`: says what the comments of the files in own/ say, with each count put into OWN_ANSWERS_FORM (default {}).

    sum++; /* exact: n*(n + 1)/2; n >= 0 | for calls exact: 2*n | loop exact: n */

is a count in the function around it (with an assumption), one in a function that calls it, and one in the outermost loop around it."""

import json
import os
import re
import sys
from pathlib import Path

from statements import Function, Source, cut

COMMENT = re.compile(r"/\* ((?:exact|rounded|at-most|unknown|for|loop)\b.*?) \*/")
SEGMENT = re.compile(r"(?:for (?P<caller>\w+) |(?P<loop>loop) )?(?P<quality>exact|rounded|at-most|unknown)(?:: (?P<rest>.*))?")


def around(source: Source, line: int) -> Function:
    return next(function for function in source.functions if function.line <= line <= function.end_line)


def outermost_loop(source: Source, line: int) -> int:
    return max(part.line for part in source.statements if part.kind == "loop" and part.loop_depth == 0 and part.line <= line)


def answer(path: Path, form: str) -> dict:
    text = path.read_text()
    source = cut(text)
    blocks: dict[tuple, dict] = {}
    for line, words in enumerate(text.splitlines(), 1):
        match = COMMENT.search(words)
        for segment in match.group(1).split(" | ") if match else []:
            parts = SEGMENT.fullmatch(segment)
            count, *assumptions = (parts["rest"] or "").split("; ")
            said = {"line": line, "quality": parts["quality"], "assumptions": assumptions, "because": []}
            said["count"] = None if parts["quality"] == "unknown" else form.replace("{}", f"({count})")
            own = around(source, line)
            block = next(function for function in source.functions if function.name == (parts["caller"] or own.name))
            if parts["caller"]:
                said["function"] = own.name
            begin = outermost_loop(source, line) if parts["loop"] else block.line
            kind, name = ("loop", f"{block.name}_{begin}") if parts["loop"] else ("function", block.name)
            made = {"kind": kind, "name": name, "line": begin, "end_line": block.end_line, "statements": []}
            blocks.setdefault((kind, begin), made)["statements"].append(said)
    return {"schema_version": 1, "source": path.name, "blocks": list(blocks.values())}


def main() -> None:
    files = sys.argv[1 : sys.argv.index("--") if "--" in sys.argv else len(sys.argv)]
    for path in (Path(word) for word in files if word.endswith(".c")):
        print(json.dumps(answer(path, os.environ.get("OWN_ANSWERS_FORM", "{}"))))


if __name__ == "__main__":
    main()
