"""What a command has to show, and why one did nothing."""

from __future__ import annotations

import html
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame


class Error(Exception):
    """Why a command did nothing: the message with its place in the line or in a file, and the cure."""

    def __init__(self, line: str, answer: dict) -> None:
        self.line = line
        self.code: str = answer["code"]
        self.message: str = answer["message"]
        self.help = answer.get("help")
        self.span = (answer.get("start_byte"), answer.get("end_byte"))
        self.file: str | None = answer.get("file")
        self.file_line: int | None = answer.get("line")
        self.column: int | None = answer.get("column")
        self.excerpt: str | None = answer.get("excerpt")
        super().__init__(self._text())

    def _text(self) -> str:
        text = self.message
        if self.file is not None:
            text = f"{self.file}:{self.file_line}: {text}\n{self.excerpt}"
        start, end = self.span
        if start is not None:
            line = self.line.encode()
            before = len(line[:start].decode(errors="replace"))
            width = max(1, len(line[start:end].decode(errors="replace")))
            text += f"\n  | {self.line}\n  | {' ' * before}{'^' * width}"
        if self.help:
            text += f"\nhelp: {self.help}"
        return text


class Message(str):
    """A note or a warning: a text, with its ``code``, ``experiment``, ``help`` and the values that it tells as ``fields``."""

    def __new__(
        cls,
        text: str,
        code: str = "other",
        experiment: str | None = None,
        help: str | None = None,
        fields: dict[str, object] | None = None,
    ) -> Message:
        message = super().__new__(cls, text)
        message.code = code
        message.experiment = experiment
        message.help = help
        message.fields = fields or {}
        return message

    @classmethod
    def of(cls, answer: dict) -> Message:
        """The message of an object of ``llac``."""
        fields = dict(answer)
        own = [fields.pop(key, None) for key in ("message", "code", "experiment", "help")]
        return cls(*own, fields)

    def saying(self, text: str) -> Message:
        """The same in other words."""
        return Message(text, self.code, self.experiment, self.help, self.fields)


class Table:
    """Rows and columns; the keys of the columns end in the unit of their values (``predicted_s``)."""

    def __init__(self, answer: dict) -> None:
        self.name: str = answer["name"]
        self.experiment: str | None = answer.get("experiment")
        self.columns: list[str] = answer["columns"]
        self.rows: list[dict[str, object]] = answer["rows"]

    def frame(self) -> DataFrame:
        """The table as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame([[row[key] for key in self.columns] for row in self.rows], columns=self.columns)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> dict[str, object]:
        return self.rows[row]

    def _repr_html_(self) -> str:
        def cells(tag, values):
            return "".join(f"<{tag}>{html.escape(_shown(value))}</{tag}>" for value in values)

        rows = "".join(f"<tr>{cells('td', (row[key] for key in self.columns))}</tr>" for row in self.rows)
        return f"<table><thead><tr>{cells('th', self.columns)}</tr></thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Table {self.name!r}: {len(self.rows)} rows of {', '.join(self.columns)}>"


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Result:
    """What a command has to show: ``text``, ``tables``, ``pictures`` as SVG, ``notes`` and ``warnings``."""

    def __init__(self, answer: dict, png: bytes | None = None) -> None:
        self.text: list[str] = answer["text"]
        self.tables = [Table(table) for table in answer["tables"]]
        self.pictures: list[str] = [picture["svg"] for picture in answer["pictures"]]
        self.png = png
        """The picture as the bytes of a PNG file, if there is one."""
        self.notes = [Message.of(note) for note in answer["notes"]]
        self.warnings = [Message.of(warning) for warning in answer["warnings"]]

    def table(self, name: str) -> Table:
        """The table with a name."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(f"no table {name!r}; there are {', '.join(table.name for table in self.tables)}")

    def frame(self, name: str | None = None) -> DataFrame:
        """A table as a pandas DataFrame: the one with this name, or the first."""
        if name is not None:
            return self.table(name).frame()
        if not self.tables:
            raise ValueError("this result has no table")
        return self.tables[0].frame()

    @property
    def svg(self) -> str:
        """The first picture, as SVG text."""
        if not self.pictures:
            raise ValueError("this result has no picture")
        return self.pictures[0]

    def __str__(self) -> str:
        lines = list(self.text)
        lines.extend("<picture: .svg, .png>" for _ in self.pictures)
        for table in self.tables:
            lines.append("  ".join(table.columns))
            lines.extend("  ".join(_shown(row[key]) for key in table.columns) for row in table.rows)
        lines.extend(f"note: {note}" for note in self.notes)
        lines.extend(f"warning: {warning}" for warning in self.warnings)
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        parts = [f"<pre>{html.escape(chr(10).join(self.text))}</pre>"] if self.text else []
        parts.extend(table._repr_html_() for table in self.tables)
        parts.extend(self.pictures)
        parts.extend(f"<p><i>note:</i> {html.escape(note)}</p>" for note in self.notes)
        parts.extend(f"<p><b>warning:</b> {html.escape(warning)}</p>" for warning in self.warnings)
        return "\n".join(parts)

    def _repr_svg_(self) -> str | None:
        return self.pictures[0] if self.pictures else None

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        if self.png is None:
            return None
        # Behind the signature and the head of the first chunk. Dense screens have two pixels for one.
        width, height = struct.unpack_from(">II", self.png, 16)
        return self.png, {"width": width // 2, "height": height // 2}
