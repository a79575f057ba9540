#!/usr/bin/env python3
"""Puts an experiment around the body of every function of a C file.

    annotate.py FILE [-o OUT] [--list] [--variant ends]

The variant `ends` also puts an end before each `return` that stands between the statements of a block, arms of a switch and
places behind labels included, as users do who end their experiments by hand.

Works on the text as it stands, before the preprocessor: what the user of `call` would write by hand. A function is left alone
where its body cannot be seen for sure; --list prints as JSON what was done and what was skipped, and why.
"""

import argparse
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from lexer import Token, tokens

DIRECTIVE_WORDS = set(
    "parallel for end report sync uses script all procs let at counters column begin "
    "experiment processor time_s P run rank CLOCK BSP_MACHINE".split()
)
FORMULA_FUNCTIONS = set(
    "log log2 log10 log1p exp exp2 expm1 sqrt cbrt fabs abs ceil floor round trunc sin cos tan atan sinh cosh tanh "
    "pow fmod hypot atan2 min fmin max fmax".split()
)
KEYWORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local typeof asm".split()
)
QUALIFIERS = set("const volatile register restrict __restrict __restrict__ __const __volatile__".split())
INTEGER_TYPES = set(
    "int unsigned signed long short size_t ssize_t ptrdiff_t intptr_t uintptr_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split()
)
ATTRIBUTE_WORDS = set("__attribute__ __attribute __asm__ __asm asm __declspec _Alignas __nonnull".split())
VARIANTS = ("bodies", "ends")
OPENING, CLOSING = {"(", "["}, {")", "]"}

UNBALANCED = "#if branches with different braces"
SPLIT = "opened or closed inside an #if branch"


class Insertion(NamedTuple):
    """`at` counts characters of the source."""

    at: int
    text: str


@dataclass
class Function:
    """A function definition; `reason` says why it gets no experiment."""

    name: str
    line: int
    parameters: list[str]
    branch: tuple[int, ...]
    open_end: int
    close_start: int = -1
    reason: str = ""
    experiment: str = ""
    formula: str = ""


@dataclass
class Conditional:
    """One #if … #endif: where the text stood at its start, and where each branch ended."""

    depth: int
    function: Function | None
    declaration: list[Token]
    dead: bool
    was_live: bool = False
    has_else: bool = False
    ends: list[int] = field(default_factory=list)


@dataclass
class Annotated:
    """The new text, and for each of its lines the line of the original it comes from."""

    text: str
    line_map: list[int]
    functions: list[Function]

    @property
    def done(self) -> list[Function]:
        return [function for function in self.functions if not function.reason]

    def skipped(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for function in self.functions:
            if function.reason:
                counts[function.reason] = counts.get(function.reason, 0) + 1
        return dict(sorted(counts.items()))


class Finder:
    """Walks over the tokens of a file with a brace depth, and keeps it apart for the branches of conditionals."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.functions: list[Function] = []
        self.depth = 0
        self.function: Function | None = None
        self.declaration: list[Token] = []
        self.earlier: list[list[Token]] = []
        self.conditionals: list[Conditional] = []
        self.branch: list[int] = []
        self.branches = 0
        self.odd_macros = odd_macros(self.tokens)
        self.with_arguments = macros_with_arguments(self.tokens)
        self.line, self.line_at = 1, 0

    def run(self) -> list[Function]:
        for index, token in enumerate(self.tokens):
            if token.kind == "directive":
                self.directive(token)
            elif self.is_dead():
                continue
            elif self.depth == 0:
                self.outside(index, token)
            else:
                self.inside(index, token)
        for function in self.functions:
            if function.close_start < 0 and not function.reason:
                function.reason = SPLIT
        return self.functions

    def is_dead(self) -> bool:
        return any(conditional.dead for conditional in self.conditionals)

    def line_of(self, at: int) -> int:
        self.line += self.text.count("\n", self.line_at, at)
        self.line_at = at
        return self.line

    # Conditionals

    def directive(self, token: Token) -> None:
        word, _, argument = token.text.partition(" ")
        word = word.strip()
        if word.startswith("if"):
            self.open_conditional(word, argument or token.text[2:])
        elif word.startswith(("else", "elif")) and self.conditionals:
            self.next_branch(word)
        elif word.startswith("endif") and self.conditionals:
            self.close_conditional()
        elif self.depth == 0 and self.declaration:
            self.declaration.append(token)

    def open_conditional(self, word: str, argument: str) -> None:
        dead = is_never(word, argument)
        self.conditionals.append(Conditional(self.depth, self.function, list(self.declaration), dead))
        if is_always(word, argument):
            self.conditionals[-1].was_live = True
        self.new_branch(push=True)

    def new_branch(self, push: bool) -> None:
        self.branches += 1
        if push:
            self.branch.append(self.branches)
        else:
            self.branch[-1] = self.branches
        if self.depth == 0 and self.declaration:
            # A header that differs between branches: its parameters are not known.
            self.declaration.append(Token("directive", "", 0, 0))

    def end_branch(self, conditional: Conditional) -> None:
        if not conditional.dead:
            conditional.ends.append(self.depth)

    def next_branch(self, word: str) -> None:
        conditional = self.conditionals[-1]
        self.end_branch(conditional)
        conditional.has_else = conditional.has_else or word.startswith("else")
        conditional.dead = conditional.was_live
        self.depth, self.function = conditional.depth, conditional.function
        self.declaration = list(conditional.declaration)
        self.new_branch(push=False)

    def close_conditional(self) -> None:
        conditional = self.conditionals.pop()
        if not conditional.dead:
            conditional.ends.append(self.depth)
        if not conditional.has_else and not conditional.was_live:
            conditional.ends.append(conditional.depth)
        self.branch.pop()
        if len(set(conditional.ends)) > 1:
            for function in (conditional.function, self.function):
                if function is not None and not function.reason:
                    function.reason = UNBALANCED
        if conditional.ends:
            # The first branch goes on: a brace opened under #ifdef X is most likely closed under another #ifdef X.
            if conditional.ends[0] != self.depth and conditional.ends[0] > 0 and self.function is None:
                self.function = conditional.function
            self.depth = conditional.ends[0]
        if self.depth == 0:
            self.function = None

    # Braces

    def outside(self, index: int, token: Token) -> None:
        if token.text == "{" and token.kind == "punct":
            self.open_brace(index, token)
        elif token.text == ";" and token.kind == "punct":
            self.earlier.append(self.declaration)
            self.declaration = []
        elif token.text == "}" and token.kind == "punct":
            self.forget()
        else:
            self.declaration.append(token)

    def forget(self) -> None:
        self.declaration, self.earlier = [], []

    def open_brace(self, index: int, token: Token) -> None:
        if is_linkage(self.declaration):
            self.forget()
            return
        self.depth = 1
        header = header_of(self.declaration, self.earlier)
        if header is None:
            return
        name, parameters, reason = header
        if name in self.with_arguments:
            # Which of the parameters are left is not known.
            parameters = []
        line = self.line_of(token.start)
        self.function = Function(name, line, parameters, tuple(self.branch), token.end, reason=reason)
        self.functions.append(self.function)
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else token
        if after.text == "__label__" and not reason:
            self.function.reason = "local labels"

    def inside(self, index: int, token: Token) -> None:
        if token.kind == "word":
            if token.text in self.odd_macros and self.function is not None and not self.function.reason:
                self.function.reason = "uses a macro with unbalanced braces"
            return
        if token.kind != "punct":
            return
        if token.text == "{":
            self.depth += 1
        elif token.text == "}":
            self.depth -= 1
            if self.depth == 0:
                self.close_body(index, token)

    def close_body(self, index: int, token: Token) -> None:
        function, self.function = self.function, None
        if function is None:
            # The body of a struct or an initialiser: the declaration goes on.
            self.declaration.append(Token("body", "{}", token.start, token.end))
            return
        if tuple(self.branch) != function.branch and not function.reason:
            function.reason = SPLIT
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else token
        if function.name.isupper() and after.text in (";", ",", "=") and not function.reason:
            function.reason = "a macro makes the header"
        function.close_start = token.start
        self.forget()


def is_never(word: str, argument: str) -> bool:
    argument = argument.strip()
    if word == "if":
        return argument == "0" or re.fullmatch(r"defined\s*\(?\s*__cplusplus\s*\)?", argument) is not None
    return word == "ifdef" and argument == "__cplusplus"


def is_always(word: str, argument: str) -> bool:
    argument = argument.strip()
    return (word == "if" and argument == "1") or (word == "ifndef" and argument == "__cplusplus")


def odd_macros(found: list[Token]) -> set[str]:
    """Macros of this file that open or close a brace they do not match."""
    names = set()
    for token in found:
        definition = re.match(r"define\s+(\w+)", token.text) if token.kind == "directive" else None
        if definition:
            body = re.sub(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", "", token.text)
            if body.count("{") != body.count("}"):
                names.add(definition.group(1))
    return names


def macros_with_arguments(found: list[Token]) -> set[str]:
    definitions = (re.match(r"define\s+(\w+)\(", token.text) for token in found if token.kind == "directive")
    return {definition.group(1) for definition in definitions if definition}


# Headers of functions


def is_linkage(declaration: list[Token]) -> bool:
    return len(declaration) == 2 and declaration[0].text == "extern" and declaration[1].kind == "string"


class Group(NamedTuple):
    """A pair of parentheses at the top level of a declaration, as indices."""

    start: int
    end: int


def header_of(declaration: list[Token], earlier: list[list[Token]]) -> tuple[str, list[str], str] | None:
    """Name, integer parameters and a reason to skip it, if this declaration before a `{` is that of a function."""
    if declaration:
        words = without_attributes(declaration)
        if not is_function(words):
            return None
        found = modern_header([token for token in words if token.kind != "directive"])
        if found is None:
            return "?", [], "header not understood"
        # A header that differs between #if branches: which parameters there are is not known.
        certain = not any(token.kind == "directive" for token in words)
        return found[0], found[1] if certain else [], "naked" if is_naked(declaration) else ""
    declared: list[Token] = []
    for candidate in reversed(earlier[-40:]):
        found = old_header(candidate, declared)
        if found:
            return (*found, "naked" if is_naked(candidate) else "")
        declared = [*candidate, Token("punct", ",", 0, 0), *declared]
    return None


def is_naked(declaration: list[Token]) -> bool:
    return any(token.text in ("naked", "__naked__") for token in declaration)


def is_function(words: list[Token]) -> bool:
    """Not the body of a type, not an initialiser."""
    groups = groups_of(words)
    is_other = has_initialiser(words, groups) or is_type_body(words) or any(token.text == "typedef" for token in words)
    # `MACRO(name, {1, 2});` has its brace inside of parentheses.
    opened = sum((token.text == "(") - (token.text == ")") for token in words if token.kind == "punct")
    return bool(groups) and not is_other and opened <= 0


def modern_header(words: list[Token]) -> tuple[str, list[str]] | None:
    """`int f(int n)`, `int MACRO(f)(int n)`, `int (*f(int n))(void)`; behind them there may be macros with arguments."""
    groups = groups_of(words)
    for group in reversed(groups):
        before = words[group.start - 1] if group.start > 0 else None
        if before is not None and before.kind == "word" and before.text not in KEYWORDS:
            return before.text, integer_parameters(words[group.start + 1 : group.end])
        if before is not None and before.text == ")":
            inner = next(other for other in groups if other.end == group.start - 1)
            named = words[inner.start - 1] if inner.start > 0 else None
            if words[inner.start + 1].text in ("*", "(") or named is None or named.text in KEYWORDS:
                return name_within(words[: group.start]) or parenthesised(words, inner, group)
            name = "_".join(token.text for token in words[inner.start - 1 : inner.end] if token.kind == "word")
            return name, integer_parameters(words[group.start + 1 : group.end])
    return None


def parenthesised(words: list[Token], inner: Group, group: Group) -> tuple[str, list[str]] | None:
    """`int (f)(int n)`: keeps a macro of that name away."""
    if inner.end != inner.start + 2 or words[inner.start + 1].kind != "word":
        return None
    return words[inner.start + 1].text, integer_parameters(words[group.start + 1 : group.end])


def name_within(words: list[Token]) -> tuple[str, list[str]] | None:
    """The inner declarator of a function that returns a pointer to a function: `int (*name(int n))(void)`."""
    for index in range(len(words) - 1):
        if words[index].kind == "word" and words[index].text not in KEYWORDS and words[index + 1].text == "(":
            if index > 0 and words[index - 1].text in ("*", "("):
                inside = next((group for group in groups_of(words[index + 1 :])), None)
                return words[index].text, integer_parameters(words[index + 2 : index + 1 + inside.end]) if inside else []
    return None


def old_header(declaration: list[Token], declared: list[Token]) -> tuple[str, list[str]] | None:
    """`int f(a, n) int a; long n; {`: the first declaration holds the name and the type of the first parameter."""
    words = without_attributes(declaration)
    for group in groups_of(words):
        before = words[group.start - 1] if group.start > 0 else None
        names = words[group.start + 1 : group.end]
        rest = words[group.end + 1 :]
        is_list = names and all(token.kind == "word" or token.text == "," for token in names)
        if before is not None and before.kind == "word" and before.text not in KEYWORDS and is_list and len(rest) > 1:
            listed = {token.text for token in names if token.kind == "word"}
            types = [*rest, Token("punct", ",", 0, 0), *declared]
            if all(last_word(part) in listed for part in split(types) if part):
                return before.text, [name for name in integer_parameters(types) if name in listed]
    return None


def last_word(part: list[Token]) -> str:
    """The name that a simple parameter declares: the last word outside of brackets."""
    names = [token.text for token in part if token.kind == "word" and token.text not in KEYWORDS]
    starred = [part[at + 1].text for at in range(len(part) - 2) if part[at].text == "*" and part[at + 1].kind == "word"]
    if starred and part[-1].text == ")":
        return starred[0]
    return names[-1] if names else ""


def without_attributes(declaration: list[Token]) -> list[Token]:
    """Leaves out __attribute__((…)) and the like, and [[…]]."""
    kept: list[Token] = []
    at = 0
    while at < len(declaration):
        token = declaration[at]
        following = declaration[at + 1].text if at + 1 < len(declaration) else ""
        if token.text in ATTRIBUTE_WORDS and following == "(":
            at = closing(declaration, at + 1) + 1
        elif token.text == "[" and following == "[":
            at = closing(declaration, at) + 1
        else:
            kept.append(token)
            at += 1
    return kept


def closing(words: list[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(words)):
        if words[index].text in OPENING and words[index].kind == "punct":
            depth += 1
        elif words[index].text in CLOSING and words[index].kind == "punct":
            depth -= 1
            if depth == 0:
                return index
    return len(words) - 1


def groups_of(words: list[Token]) -> list[Group]:
    groups, at = [], 0
    while at < len(words):
        if words[at].text in OPENING and words[at].kind == "punct":
            end = closing(words, at)
            if words[at].text == "(":
                groups.append(Group(at, end))
            at = end
        at += 1
    return groups


def has_initialiser(words: list[Token], groups: list[Group]) -> bool:
    inside = {index for group in groups for index in range(group.start, group.end + 1)}
    return any(token.text == "=" and index not in inside for index, token in enumerate(words))


def is_type_body(words: list[Token]) -> bool:
    """`struct`, `struct NAME`, `enum MACRO NAME` right before the brace."""
    for token in reversed(words[-3:]):
        if token.text in ("struct", "union", "enum"):
            return True
        if token.kind != "word" or token.text in KEYWORDS:
            return False
    return False


def split(words: list[Token]) -> list[list[Token]]:
    """At the commas outside of parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in words:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def integer_parameters(words: list[Token]) -> list[str]:
    return [name for name in map(integer_parameter, split(words)) if name]


def integer_parameter(part: list[Token]) -> str:
    """The name, if the parameter is declared as plainly as `unsigned long n`."""
    texts = [token.text for token in part if token.text not in QUALIFIERS]
    if len(texts) < 2 or any(text not in INTEGER_TYPES for text in texts[:-1]):
        return ""
    name = texts[-1]
    is_name = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) is not None
    forbidden = DIRECTIVE_WORDS | FORMULA_FUNCTIONS | KEYWORDS | INTEGER_TYPES
    return name if is_name and name not in forbidden else ""


# New text


def name_experiments(functions: list[Function]) -> None:
    taken: set[str] = set()
    for function in functions:
        if function.reason:
            continue
        variable = function.parameters[0] if function.parameters else ""
        stem = re.sub(r"[^A-Za-z0-9_]", "_", function.name)
        if variable:
            # Static functions of one name in two files of a program need not have the same parameters.
            stem = f"{stem}_by_{variable}"
        name, count = stem, 1
        while name in taken or name in DIRECTIVE_WORDS or name in FORMULA_FUNCTIONS or name == variable:
            count += 1
            name = f"{stem}_{count}"
        taken.add(name)
        function.experiment = name
        function.formula = f"{name}[0]+{name}[1]*{variable}" if variable else f"{name}[0]"


def begin(text: str, function: Function) -> Insertion:
    """Right after the `{`; the line is split only if more stands on it."""
    newline = newline_of(text, function.open_end)
    directive = f"#pragma cll {function.experiment} {function.formula}{newline}"
    blank = re.compile(r"[ \t\r]*\n").match(text, function.open_end)
    if blank:
        return Insertion(blank.end(), directive)
    return Insertion(function.open_end, newline + directive)


def end(text: str, function: Function) -> Insertion:
    """Right before the `}`. A line that is continued from the one above must be split."""
    at = function.close_start
    newline = newline_of(text, at)
    directive = f"#pragma cll end {function.experiment}{newline}"
    line_start = text.rfind("\n", 0, at) + 1
    is_blank = not text[line_start:at].strip(" \t")
    is_continued = re.search(r"\\[ \t\f\v\r]*\n\Z", text[:line_start][-80:]) is not None
    if is_blank and line_start >= function.open_end and not is_continued:
        return Insertion(line_start, directive)
    return Insertion(at, newline + directive)


def newline_of(text: str, at: int) -> str:
    """The line end that the surroundings use."""
    found = text.find("\n", at)
    if found < 0:
        found = text.rfind("\n")
    return "\r\n" if found > 0 and text[found - 1] == "\r" else "\n"


def insert(text: str, insertions: list[Insertion]) -> tuple[str, list[int]]:
    """The text with the insertions, sorted by place, and the line map."""
    pieces: list[str] = []
    line_map: list[int] = [1]
    line, at = 1, 0
    for place, addition in insertions:
        kept = text[at:place]
        count = kept.count("\n")
        line_map.extend(range(line + 1, line + count + 1))
        line, at = line + count, place
        line_map.extend([line] * addition.count("\n"))
        pieces += [kept, addition]
    rest = text[at:]
    line_map.extend(range(line + 1, line + rest.count("\n") + 1))
    return "".join([*pieces, rest]), line_map


def early_ends(text: str, found: list[Token], function: Function) -> list[Insertion]:
    """Before the `return`s that stand between the statements of an inner block."""
    inside = [token for token in found if function.open_end <= token.start < function.close_start]
    insertions, depth, conditionals = [], 0, 0
    for before, token in zip(inside, inside[1:]):
        if before.kind == "directive":
            conditionals += before.text.startswith("if") - before.text.startswith("endif")
        depth += (before.text == "{") - (before.text == "}") if before.kind == "punct" else 0
        if token.text == "return" and token.kind == "word" and depth > 0 and conditionals == 0 and before.text in ("{", "}", ";", ":"):
            newline = newline_of(text, token.start)
            line_start = text.rfind("\n", 0, token.start) + 1
            alone = not text[line_start : token.start].strip(" \t") and before.end <= line_start
            directive = f"#pragma cll end {function.experiment}{newline}"
            # A body of `if (x)` has no block: what stands behind a `;` or `}` on lines of its own does.
            if alone:
                insertions.append(Insertion(line_start, directive))
    return insertions


def annotate(text: str, variant: str = VARIANTS[0]) -> Annotated:
    finder = Finder(text)
    functions = finder.run()
    name_experiments(functions)
    chosen = [function for function in functions if not function.reason]
    insertions = [make(text, function) for function in chosen for make in (begin, end)]
    if variant == "ends":
        insertions += [early for function in chosen for early in early_ends(text, finder.tokens, function)]
    # Stable: of two at one place, the begin of a function stands before its end.
    insertions.sort(key=lambda insertion: insertion.at)
    new, line_map = insert(text, insertions)
    return Annotated(new, line_map, functions)


def report(annotated: Annotated) -> dict[str, object]:
    return {
        "annotated": [
            {"experiment": function.experiment, "line": function.line, "formula": function.formula}
            for function in annotated.done
        ],
        "skipped": [
            {"function": function.name, "line": function.line, "reason": function.reason}
            for function in annotated.functions
            if function.reason
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Puts an experiment around the body of every function of a C file.")
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="where the annotated file goes (default: standard output)")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--list", action="store_true", help="print as JSON what was done, no C unless -o is given")
    arguments = parser.parse_args()
    try:
        annotated = annotate(arguments.file.read_bytes().decode("latin-1"), arguments.variant)
    except OSError as error:
        print(f"annotate.py: cannot read {arguments.file}: {error.strerror}", file=sys.stderr)
        return 2
    if arguments.output:
        arguments.output.write_bytes(annotated.text.encode("latin-1"))
    elif not arguments.list:
        sys.stdout.buffer.write(annotated.text.encode("latin-1"))
    if arguments.list:
        print(json.dumps(report(annotated), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
