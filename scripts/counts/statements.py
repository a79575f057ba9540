"""Cuts a C source into its statements, so that gcov can count each of them, and finds what a driver must know of it: functions, globals,
structs. Reads the text as it stands, before the preprocessor; a macro counts as what it looks like."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\f\r\v\n]|\\\n|/\*.*?\*/|//(?:\\\n|[^\n])*)+)
      | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|[uUL]?'(?:\\.|[^'\\\n])*')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>->|\+\+|--|<<=|>>=|\.\.\.|<<|>>|[-+*/%&|^!=<>]=|&&|\|\||\#\#|.)""",
    re.VERBOSE | re.DOTALL,
)
DIRECTIVE = re.compile(r"[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*", re.DOTALL)
CLOSES = {"(": ")", "[": "]", "{": "}"}
LOOPS = ("for", "while", "do")
KEYWORDS = (*LOOPS, "if", "else", "switch", "return", "break", "continue", "goto")
SLOTS = 16  # a line of the source becomes so many lines, one for each statement that begins on it


class Unreadable(Exception):
    """The source is not cut up: the message says where."""


@dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclass
class Statement:
    """kind: loop (a header), condition (if, switch), plain, empty (`;` that is no body of a loop), unclear (behind a macro without `;`
    another statement), label, else, brace, end (of a function), outside."""

    kind: str
    line: int
    begin: int  # tokens
    end: int
    loop_depth: int
    slot: int = 0

    @property
    def gcov_line(self) -> int:
        return self.line * SLOTS + self.slot


@dataclass
class Function:
    name: str
    line: int
    header: list[Token]
    parameters: list[list[Token]]
    body: int  # index of the statement that is its opening brace
    end_line: int = 0


@dataclass
class Source:
    tokens: list[Token]
    statements: list[Statement] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    outside: list[list[Token]] = field(default_factory=list)  # declarations at file scope

    def text(self, statement: Statement) -> str:
        return " ".join(token.text for token in self.tokens[statement.begin : statement.end] if token.kind != "directive")


def tokens_of(text: str) -> list[Token]:
    found, at, line, fresh = [], 0, 1, True
    while at < len(text):
        match = DIRECTIVE.match(text, at) if fresh else None
        if match:
            found.append(Token("directive", match.group().strip(), line))
        else:
            match = TOKEN.match(text, at)
            if match.lastgroup != "space":
                found.append(Token(match.lastgroup, match.group(), line))
        line += match.group().count("\n")
        at = match.end()
        fresh = "\n" in match.group() if match.lastgroup == "space" else False
    return found


class Cutter:
    def __init__(self, text: str):
        self.source = Source(tokens_of(text))
        self.tokens = self.source.tokens
        self.at = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        at = self.at
        while at < len(self.tokens):
            if self.tokens[at].kind != "directive":
                if ahead == 0:
                    return self.tokens[at].text
                ahead -= 1
            at += 1
        return ""

    def skip_directives(self) -> None:
        while self.at < len(self.tokens) and self.tokens[self.at].kind == "directive":
            self.at += 1

    def balanced(self) -> None:
        """Takes one token, or all from an opening bracket to its end."""
        self.skip_directives()
        if self.at >= len(self.tokens):
            raise Unreadable("the file ends within a statement")
        close = CLOSES.get(self.tokens[self.at].text)
        line = self.tokens[self.at].line
        self.at += 1
        while close and self.peek() != close:
            if self.peek() == "" or self.peek() in ")]}":
                raise Unreadable(f"line {line}: a bracket is not closed")
            self.balanced()
        if close:
            self.skip_directives()
            self.at += 1

    def add(self, kind: str, begin: int) -> None:
        while self.tokens[begin].kind == "directive":
            begin += 1
        self.source.statements.append(Statement(kind, self.tokens[begin].line, begin, self.at, self.depth))

    def statement(self, is_loop_body: bool = False) -> None:
        begin, word = self.at, self.peek()
        if word == "{" and is_loop_body and self.peek(1) == "}":
            self.balanced()
            self.add("plain", begin)
        elif word == "{":
            self.balanced_brace()
        elif word in ("if", "switch"):
            self.header("condition")
            self.statement()
            if self.peek() == "else":
                begin = self.at
                self.balanced()
                self.add("else", begin)
                self.statement()
        elif word in LOOPS:
            self.header("loop")
            self.depth += 1
            self.statement(is_loop_body=True)
            self.depth -= 1
            if word == "do":
                begin = self.at
                self.until(";")
                self.add("loop", begin)
        elif word in ("case", "default") or (self.peek(1) == ":" and re.match(r"[A-Za-z_]", word)):
            self.until(":")
            self.add("label", begin)
            if self.peek() != "}":
                self.statement()
        else:
            self.until(";")
            others = [token.text for token in self.tokens[begin : self.at] if token.text in KEYWORDS]
            kind = "empty" if word == ";" and not is_loop_body else "unclear" if others[word in KEYWORDS :] else "plain"
            self.add(kind, begin)

    def header(self, kind: str) -> None:
        begin, word = self.at, self.peek()
        self.balanced()
        if word != "do":
            self.balanced()
        self.add(kind, begin)

    def until(self, sign: str) -> None:
        while self.peek() != sign:
            if self.peek() in ("", "}"):
                raise Unreadable(f"line {self.tokens[min(self.at, len(self.tokens) - 1)].line}: a `{sign}` is missing before this")
            self.balanced()
        self.balanced()

    def balanced_brace(self, last: str = "brace") -> None:
        for kind, inside in (("brace", True), (last, False)):
            self.skip_directives()
            begin = self.at
            self.at += 1
            self.add(kind, begin)
            while inside and self.peek() != "}":
                self.statement()

    def file(self) -> Source:
        while self.peek():
            self.skip_directives()
            begin = self.at
            while self.peek() not in (";", "", "{") or (self.peek() == "{" and not self.body_follows(begin)):
                self.balanced()
            declaration = [token for token in self.tokens[begin : self.at] if token.kind != "directive"]
            if self.peek() == "{":
                self.add("outside", begin)
                self.function(declaration)
            else:
                if self.peek():
                    self.balanced()
                    self.add("outside", begin)
                self.source.outside.append(declaration)
        self.number()
        return self.source

    def body_follows(self, begin: int) -> bool:
        words = [token.text for token in self.tokens[begin : self.at] if token.kind != "directive"]
        last = words[-2:]
        return "(" in words and "=" not in words and not any(word in ("struct", "union", "enum") for word in last)

    def function(self, declaration: list[Token]) -> None:
        words = [token.text for token in declaration]
        opening = next(at for at, word in enumerate(words) if word == "(" and words[at - 1] not in ("__attribute__", "__declspec"))
        parameters, depth = [[]], 0
        for token in declaration[opening + 1 :]:
            if depth == 0 and token.text == ")":
                break
            depth += (token.text in "([{") - (token.text in ")]}")
            if depth == 0 and token.text == ",":
                parameters.append([])
            else:
                parameters[-1].append(token)
        name = declaration[opening - 1]
        parameters = [part for part in parameters if part and [token.text for token in part] != ["void"]]
        made = Function(name.text, name.line, declaration, parameters, len(self.source.statements))
        self.source.functions.append(made)
        self.balanced_brace("end")
        made.end_line = self.source.statements[-1].line

    def number(self) -> None:
        slots: dict[int, int] = {}
        for statement in self.source.statements:
            statement.slot = min(slots.get(statement.line, 0), SLOTS - 1)
            slots[statement.line] = statement.slot + 1


def cut(text: str) -> Source:
    return Cutter(text).file()


NOTHING = '__asm__ volatile ("");'  # gcov counts it where it counts no null statement


def written(source: Source, before: dict[int, str], after: dict[int, str], renamed: dict[str, str]) -> str:
    """The C again, each statement on a line of its own number; `before` and `after` add text at statements, `renamed` renames."""
    parts, done = [], 0
    for index, statement in enumerate(source.statements):
        for token in source.tokens[done : statement.begin]:
            parts.append(f"\n{token.text}\n")
        parts.append(f'\n#line {statement.gcov_line} "judged.c"\n{before.get(index, "")} ')
        own = source.text(statement)
        for token in source.tokens[statement.begin : statement.end]:
            if statement.kind == "plain" and own in ("{ }", ";") and token.text in ("}", ";"):
                parts.append(NOTHING)
            if token.kind == "directive":
                parts.append(f'\n{token.text}\n#line {statement.gcov_line} "judged.c"\n')
            else:
                parts.append(renamed.get(token.text, token.text) + " ")
        parts.append(after.get(index, ""))
        done = statement.end
    for token in source.tokens[done:]:
        parts.append(f"\n{token.text}\n")
    return "".join(parts)
