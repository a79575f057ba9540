"""Tokens of C text as it stands in the file: nothing is preprocessed, every token knows its place.

Text is bytes decoded as Latin-1, so that each character is one byte and encoding it again gives the file back.
"""

import re
from typing import NamedTuple

CONTINUATION = r"\\[ \t\f\v\r]*\n"

_TOKEN = re.compile(
    rf"""
      (?P<space>(?:[ \t\f\v\r]|{CONTINUATION})+)
    | (?P<newline>\n)
    | (?P<comment>/\*.*?(?:\*/|\Z)|//(?:{CONTINUATION}|[^\n])*)
    | (?P<string>(?:u8|u|U|L)?R"(?P<mark>[^ ()\\\t\n]{{0,16}})\(.*?\)(?P=mark)"
                |(?:u8|u|U|L)?"(?:{CONTINUATION}|[^"\\\n]|\\.)*")
    | (?P<char>(?:u8|u|U|L)?'(?:{CONTINUATION}|[^'\\\n]|\\.)*')
    | (?P<word>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)
    | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
    | (?P<hash>\#|%:)
    | (?P<punct><%|%>|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||.)
    """,
    re.VERBOSE | re.DOTALL,
)

# The rest of a directive: to the end of the logical line; a comment may carry it over further lines.
_REST = re.compile(
    rf"""(?:{CONTINUATION}|/\*.*?(?:\*/|\Z)|//(?:{CONTINUATION}|[^\n])*
         |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\n])*""",
    re.VERBOSE | re.DOTALL,
)

_COMMENT = re.compile(rf"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?(?:\*/|\Z)|//(?:{CONTINUATION}|[^\n])*""", re.DOTALL)

DIGRAPHS = {"<%": "{", "%>": "}"}


class Token(NamedTuple):
    """`kind` is one of word, number, string, char, punct, directive."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """All tokens but comments and white space. A preprocessor line is one token: its text has neither comments nor continuations."""
    found: list[Token] = []
    at, line_is_empty = 0, True
    match = _TOKEN.match
    while at < len(text):
        step = match(text, at)
        if step is None:  # cannot happen: `.` matches everything
            break
        kind, end = step.lastgroup or "punct", step.end()
        if kind == "newline":
            line_is_empty = True
        elif kind == "hash" and line_is_empty:
            rest = _REST.match(text, end)
            end = rest.end() if rest else end
            found.append(Token("directive", _plain(text[step.end() : end]), at, end))
        elif kind not in ("space", "comment"):
            line_is_empty = False
            piece = step.group()
            found.append(Token("punct" if kind == "hash" else kind, DIGRAPHS.get(piece, piece), at, end))
        at = end
    return found


def _plain(line: str) -> str:
    """A preprocessor line without `#`, comments and continuations."""
    line = re.sub(CONTINUATION, " ", line)
    return _COMMENT.sub(lambda match: match.group(1) or " ", line).strip()
