#!/usr/bin/env python3
"""Shows that the judge agrees with known answers and notices wrong ones: own_answers.py plays `call`, right and in three ways wrong."""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from claims import holds_of_all_elements
from statements import cut

HERE = Path(__file__).resolve().parent
FILES = [str(HERE / "own" / name) for name in ("logarithms.c", "changed.c", "handed_over.c", "left_open.c")]
# How each count is changed, and what must not be found of it; a count of a wrong class is no exact count either.
WRONG_FORMS = {
    "{} + 1": ("exact right",),
    "{} - 1": ("exact right", "bound holds"),
    "{}*log2(n + 2)": ("class right",),
    "{}*unheard_of(n)": ("exact right", "class right", "bound holds"),
    "{}*not_a_variable": ("exact right", "class right", "bound holds"),
}


# Statements of each line with their kinds: a macro that needs no `;` hides what is behind it.
CUT = """void f(int n) {
    if (n) { g(); };
    CHECK(n) for (;;) g();
    while (n--) ;
}"""
KINDS = [(1, "brace"), (2, "condition"), (2, "brace"), (2, "plain"), (2, "brace"), (2, "empty"), (3, "unclear"), (4, "loop"), (4, "plain")]

# What must hold of all elements is nothing that has a value where a block begins; of certain elements it is.
OF_ALL = ["start[i + 1] >= start[i]", "p->start[i + 1] >= p->start[i] + 1", "start[i4] >= start[i4 - 1] - 1", "2*start[k + 1] >= 2*start[k] + 4"]
OF_SOME = ["start[n + 1] >= start[n]", "start[i + 1] >= end[i]", "start[1] >= start[0]", "n >= start[i]"]


def verdicts(form: str) -> tuple[int, Counter]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as said:
        words = [sys.executable, str(HERE / "judge.py"), "--call", str(HERE / "own_answers.py"), "--json", said.name, *FILES]
        done = subprocess.run(words, env={**os.environ, "OWN_ANSWERS_FORM": form}, stdout=subprocess.DEVNULL, check=False)
        return done.returncode, Counter(json.loads(line)["verdict"] for line in Path(said.name).read_text().splitlines())


def main() -> int:
    failures = []
    kinds = [(statement.line, statement.kind) for statement in cut(CUT).statements if statement.kind not in ("outside", "end")]
    if kinds != KINDS:
        failures.append(f"statements: {kinds}")
    failures += [text for text in OF_ALL + OF_SOME if holds_of_all_elements(text) != (text in OF_ALL)]
    status, right = verdicts("{}")
    print("{}", dict(right))
    if status != 0 or not right["exact right"] or not right["class right"] or not right["bound holds"]:
        failures.append(f"right answers: status {status}, {dict(right)}")
    for form, forbidden in WRONG_FORMS.items():
        status, found = verdicts(form)
        print(form, dict(found))
        if status != 1 or any(found[verdict] for verdict in forbidden):
            failures.append(f"{form}: status {status}, {dict(found)}")
    print("\n".join(failures) or "The judge agrees with right answers and notices wrong ones.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
