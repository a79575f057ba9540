"""Traces as text, version 1 of the format (call-runtime/FORMAT.md in the sources of CALL)."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Optional

from . import host

if TYPE_CHECKING:
    from .measuring import Cost, Declared, Execution

# The column that every experiment has.
PROCESSORS = "P"

# The script, which nobody knows any more at the exit.
_SCRIPT: Optional[str] = getattr(sys.modules.get("__main__"), "__file__", None)


def write(
    program: Optional[str],
    experiments: Sequence[Declared],
    executions: Sequence[Execution],
    *,
    reports: int,
    cost: Cost,
    measuring_share: float,
) -> str:
    """Writes a trace into the current folder, or that of CALL_OUTPUT, and returns its path.

    A program without a name has that of its script. Raises OSError.
    """
    name = program or os.path.splitext(os.path.basename(_SCRIPT or "python"))[0]
    rows = [its for its in executions if not its.is_abandoned]
    header = {
        "program": name,
        "source": _SCRIPT or "unknown",
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **host.facts(),
        "kind": "sequential",
        "transport": "none",
        "processors": "1",
        **_clock(),
        "empty_pair_ns": _real(round(cost.empty_pair_ns, 1)),
        "load_average": _real(round(os.getloadavg()[0], 4)),
        "pair_cost_ns": _real(round(cost.pair_ns, 1)),
        "measuring_share": _real(round(measuring_share, 4)),
        "abandoned": str(len(executions) - len(rows)),
        "run": host.run_word(),
        "reports": str(reports),
    }
    if len(rows) == len(executions):
        del header["abandoned"]
    text = "".join(_lines(header, experiments, rows))
    return _write_new(name, text, len(rows))


def _clock() -> dict[str, str]:
    told = time.get_clock_info("perf_counter")
    inside = told.implementation.partition("(")[2].rstrip(")")
    return {"clock": inside or told.implementation, "clock_resolution_ns": _real(round(told.resolution * 1e9, 3))}


def _lines(
    header: dict[str, str], experiments: Sequence[Declared], rows: Sequence[Execution]
) -> Iterator[str]:
    yield "# call-trace 1\n"
    for key, value in header.items():
        yield f"# {key}: {_escaped(value)}\n"
    columns: dict[str, None] = {}
    for its in experiments:
        yield f"# experiment: {its.name}\n"
        if its.formula is not None:
            yield f"# formula: {_escaped(its.formula)}\n"
        yield " ".join(["# variables:", *its.variables]) + "\n"
        # Other threads may find new places meanwhile.
        yield " ".join(["# lines:", *(_place(*place) for place in list(its.places))]) + "\n"
        columns.update(dict.fromkeys(variable for variable in its.variables if variable != PROCESSORS))
    yield " ".join(["experiment", "processor", PROCESSORS, *columns, "time_s"]) + "\n"
    for row in rows:
        values = dict(zip(row.declared.variables, map(_number, row.values)))
        processors = values.get(PROCESSORS, "1")
        told = [values.get(column, "nan") for column in columns]
        yield " ".join([row.declared.name, "0", processors, *told, _seconds(row.elapsed_ns)]) + "\n"
    yield f"# end rows={len(rows)}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _place(file: str, line: int) -> str:
    name = "" if file == _SCRIPT else _escaped(file).replace(" ", "\\s").replace("\t", "\\t") + ":"
    return f"{name}{line}-{line}"


def _number(value: float) -> str:
    return _real(value) if isinstance(value, float) else str(value)


def _real(value: float) -> str:
    """As many digits as give the same double back."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def _seconds(elapsed_ns: int) -> str:
    return f"{elapsed_ns // 10**9}.{elapsed_ns % 10**9:09d}"


def _write_new(name: str, text: str, rows: int) -> str:
    """Writes the first number that is free; the file has its name when all of it is there."""
    folder = os.environ.get("CALL_OUTPUT")
    if folder:
        os.makedirs(folder, exist_ok=True)
        name = os.path.join(folder, os.path.basename(name))
    for number in count():
        path = f"{name}.call.{number}.dat"
        if os.path.exists(path):
            continue
        new = f"{path}.new"
        try:
            file = open(new, "x", encoding="utf-8", errors="surrogateescape", newline="\n")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(text)
            os.link(new, path)
        except FileExistsError:
            continue
        finally:
            with contextlib.suppress(OSError):
                os.unlink(new)
        if os.environ.get("CALL_QUIET", "0") in ("", "0"):
            print(f"call: wrote {path} ({rows} {'row' if rows == 1 else 'rows'})", file=sys.stderr)
        return path
    raise AssertionError("numbers do not end")
