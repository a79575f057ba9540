"""Checks from outside that a translated file is the annotated file with text added, and with nothing moved or lost.

Behind its first two lines (`#include "NAME.call.h"` and `#line 1 "FILE"`) it must have as many lines as the annotated file. A line
without a directive is the same to the byte, unless a statement on it leaves a function, loop or block: that one may have gained
text around and between its own tokens.
"""

import re

from lexer import Token, tokens

# What may leave a block, alone or in a macro of the same file.
LEAVES = set(
    "return goto break continue exit _exit _Exit quick_exit abort longjmp _longjmp siglongjmp __builtin_longjmp "
    "pthread_exit thrd_exit execl execlp execle execv execvp execve MPI_Finalize MPI_Abort bsp_end bsp_sync".split()
)


def faults(annotated: str, translated: str, active: set[str]) -> list[str]:
    """What is wrong, at most a few messages; line numbers are those of the annotated file. `active` names the experiments that the
    preprocessor keeps: those under an #if that does not hold stay as they are."""
    # A byte order mark stays in front.
    mark = "\xef\xbb\xbf"
    if annotated.startswith(mark) and not translated.startswith(mark):
        return ["the byte order mark is not at the start"]
    annotated, translated = annotated.removeprefix(mark), translated.removeprefix(mark)
    lines = translated.split("\n")
    if not lines[0].startswith("#include \"") or len(lines) < 2 or not lines[1].startswith("#line 1 \""):
        return ["the first two lines are not #include and #line 1"]
    # Stand-ins for variables that only formulas use end the file.
    tail = next((at for at, line in enumerate(lines) if line.startswith("#ifdef CLL_UNUSED ")), None)
    before, after = annotated.split("\n"), lines[2:tail]
    if tail is not None and annotated.endswith("\n"):
        after.append("")
    if len(before) != len(after):
        return [f"{len(before)} lines became {len(after)}"]
    changed = [at for at in range(len(before)) if before[at] != after[at]]
    may_gain, directives = places(annotated)
    found = [fault(at, before[at], after[at], may_gain) for at in changed if at + 1 not in directives]
    left = [at for at in sorted(directives) if before[at - 1] == after[at - 1] and experiment_of(before[at - 1]) in active]
    kept = [f"line {at}: a directive was left: {before[at - 1]}" for at in left]
    return ([message for message in found if message] + kept)[:5]


def fault(at: int, before: str, after: str, may_gain: set[int]) -> str:
    # The value of a return is computed before the measurement ends: the word then stands behind it.
    kept = [word for word in words(before) if word != "return"]
    if not in_order(kept, words(after)):
        return f"line {at + 1}: tokens were lost: {before.strip()!r} became {after.strip()!r}"
    if at + 1 not in may_gain:
        return f"line {at + 1}: nothing leaves a block here, but {before.strip()!r} became {after.strip()!r}"
    return ""


def experiment_of(directive: str) -> str:
    match = re.match(r"#pragma cll (?:end )?(\w+)", directive)
    return match.group(1) if match else ""


def words(line: str) -> list[str]:
    """Pieces between which nothing was lost; a line may begin in the middle of a comment, so no lexer for C fits."""
    return re.findall(r"\w+|[^\w\s]", line)


def in_order(wanted: list[str], given: list[str]) -> bool:
    remaining = iter(given)
    return all(word in remaining for word in wanted)


def places(annotated: str) -> tuple[set[int], set[int]]:
    """Lines that may have gained text, and lines of `#pragma cll` directives."""
    found = tokens(annotated)
    starts = line_starts(annotated)
    directives = {
        line_of(starts, token.start) for token in found if token.kind == "directive" and re.match(r"pragma\s+cll\b", token.text)
    }
    leaving = LEAVES | leaving_macros(found)
    gaining: set[int] = set()
    for index, token in enumerate(found):
        if token.kind == "word" and token.text in leaving:
            first, last = statement(found, index)
            gaining.update(range(line_of(starts, first.start), line_of(starts, last.end) + 1))
    return gaining, directives


def statement(found: list[Token], index: int) -> tuple[Token, Token]:
    """From the token before the statement (it may gain a brace behind it) to the token behind its semicolon."""
    at, depth = index, 0
    while at > 0 and found[at - 1].text not in (";", "{", "}") and found[at - 1].kind != "directive":
        at -= 1
    first = found[max(at - 1, 0)]
    at = index
    while at + 1 < len(found):
        depth += (found[at].text in ("(", "{", "[")) - (found[at].text in (")", "}", "]"))
        if found[at].text == ";" and depth <= 0:
            break
        at += 1
    return first, found[min(at + 1, len(found) - 1)]


def leaving_macros(found: list[Token]) -> set[str]:
    """Macros of this file whose text leaves a block, also by way of another such macro."""
    bodies = {}
    for token in found:
        definition = re.match(r"define\s+(\w+)(.*)", token.text, re.DOTALL) if token.kind == "directive" else None
        if definition:
            bodies.setdefault(definition.group(1), set()).update(re.findall(r"\w+", definition.group(2)))
    macros: set[str] = set()
    while True:
        more = {name for name, body in bodies.items() if body & (LEAVES | macros)} - macros
        if not more:
            return macros
        macros |= more


def line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def line_of(starts: list[int], at: int) -> int:
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle] <= at else (low, middle)
    return low + 1
