"""Python's values as words of the command language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_PLAIN = re.compile(r"[^\s'\"#\\]+")
_COMMAND = re.compile(r"""(?:"[^"]*"|'[^']*'|\\\n|\#[^\n]*|[^\n])+""")
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")


def command(
    name: str, words: Iterable[object], values: dict[str, object] | None = None, where: str | None = None
) -> str:
    """A command line: ``words`` are quoted where they need it, ``values`` become ``NAME=VALUE,…``."""
    parts = [name, *(quoted(str(word)) for word in words)]
    parts.extend(quoted(f"{key}={_listed(key, value)}") for key, value in (values or {}).items())
    if where is not None:
        parts.extend(["where", where])
    return " ".join(parts)


def options(given: dict[str, object]) -> list[str]:
    """The options of ``load`` that are given: a text, or several names of columns."""
    return [f"{key}={_columns(value)}" for key, value in given.items() if value is not None]


def quoted(word: str) -> str:
    """The word as the language takes it."""
    if "\n" in word or "\r" in word:
        raise ValueError(f"{word!r} has a line feed, which no word of a command can hold")
    if _PLAIN.fullmatch(word):
        return word
    if '"' not in word:
        return f'"{word}"'
    # A word may have parts in quotes of both kinds.
    return "".join(f"'{part}'" if '"' in part else f'"{part}"' for part in re.findall(r'"+|[^"]+', word))


def one_line(line: str) -> str:
    """The command without line feeds, which would end it; the language does not need them."""
    if re.search(r"#.*\n", line.strip()):
        raise ValueError("a comment would hide the lines behind it: run one command at a time")
    return line.replace("\\\n", " ").replace("\n", " ").strip()


def commands(text: str) -> list[str]:
    """The commands of a script; one goes on behind a backslash and inside of quotes."""
    return [line for line in _COMMAND.findall(text) if line.strip()]


def words(line: str) -> list[str]:
    """The words of a command line as they are written, without comment."""
    found = []
    for word in _WORD.findall(line):
        if word.startswith("#"):
            break
        found.append(word)
    return found


def unquoted(word: str) -> str:
    """What a word as it is written means."""
    return re.sub(r"""(["'])(.*?)\1""", r"\2", word)


def _columns(value: Any) -> str:
    if isinstance(value, str):
        return value
    names = [str(name) for name in value]
    for name in names:
        if "," in name:
            raise ValueError(
                f"the name of the column {name!r} has a comma, which separates names: rename the column"
            )
    return ",".join(names)


def _listed(name: str, value: object) -> str:
    # Scalars and arrays of numpy and pandas as numbers and lists of Python.
    value = value.tolist() if hasattr(value, "tolist") else value
    values = [value] if isinstance(value, (str, bytes)) or not isinstance(value, Iterable) else list(value)
    if not values:
        raise ValueError(f"{name} has no value")
    return ",".join(_one(name, one) for one in values)


def _one(name: str, value: object) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None or isinstance(value, (bool, bytes, Iterable)) and not isinstance(value, str):
        raise TypeError(f"{name}: {value!r} is no number")
    return str(value)
