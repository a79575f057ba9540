"""Data frames as tables that ``llac`` reads."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

# Up to here doubles hold all whole numbers.
_LARGEST_EXACT = 2**53


def write(frame: DataFrame, path: str) -> list[str]:
    """Writes a frame as CSV, with named levels of its index as columns; returns remarks."""
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise TypeError(
            f"a DataFrame is needed, not {type(frame).__name__} (`.reset_index()` makes one of a Series)"
        )
    if frame.empty:
        raise ValueError("the frame has no rows or no columns")
    frame, notes = _with_index(frame)
    if frame.columns.nlevels > 1:
        frame.columns = ["_".join(str(part) for part in name if part != "") for name in frame.columns]
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    notes.extend(
        f"{column.name}: integers beyond 2^53 are rounded" for column in columns if _is_rounded(column)
    )
    # Numbers first: a line that starts with `#` would be a comment.
    columns.sort(key=lambda column: not pandas.api.types.is_numeric_dtype(column.dtype))
    table = pandas.concat([_in_seconds(column) for column in columns], axis=1)
    if any(str(text).startswith(("#", "%", "//")) for text in [table.columns[0], *_texts(table.iloc[:, 0])]):
        raise ValueError(
            f"the column {table.columns[0]!r} begins with #, % or //, as comments do: write it differently"
        )
    table.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)
    return notes


def _with_index(frame):
    named = [level for level in frame.index.names if level is not None]
    left_out = [level for level in range(frame.index.nlevels) if frame.index.names[level] is None]
    notes = []
    if any(frame.index.get_level_values(level).inferred_type != "integer" for level in left_out):
        notes.append("the index has no name and is left out: `frame.rename_axis(NAME)` makes it a column")
    return (frame.reset_index(level=named) if named else frame.copy(deep=False)).reset_index(drop=True), notes


def _is_rounded(column):
    import pandas

    if not pandas.api.types.is_integer_dtype(column.dtype):
        return False
    large = column[(column > _LARGEST_EXACT) | (column < -_LARGEST_EXACT)].dropna()
    return any(int(float(value)) != value for value in large.tolist())


def _in_seconds(column):
    """Durations as texts with their unit; other columns as they are."""
    if column.dtype.kind != "m":
        return column
    return column.dt.total_seconds().map(lambda time_s: f"{time_s} s", na_action="ignore")


def _texts(column):
    return column.tolist() if column.dtype.kind not in "iufb" else []
