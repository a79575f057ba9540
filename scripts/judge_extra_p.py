#!/usr/bin/env python3
"""Compares what llac reads of files with what Extra-P reads of them: call paths, metrics, points and values.

    python3 -m venv venv && venv/bin/pip install extrap
    venv/bin/python scripts/judge_extra_p.py --llac target/release/llac EXTRA_P/tests/data

Each file of the folder is read by the reader of Extra-P that is made for it, with the values of all repetitions where that keeps
them, and by `llac --format json` (`load FILE metric=all`, then `show` of each experiment). Equal are: the call paths of each
metric, their points, the number of values, and each value, or where Extra-P keeps only those, mean, median, least and largest. A
parameter that is constant in a set of Cube files is none for Extra-P, and not compared. What some points lack belongs to its caller in both;
there, means are compared, as Extra-P adds medians.
"""

import argparse
import contextlib
import io
import json
import logging
import math
import re
import subprocess
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from extrap.fileio.experiment_io import ExperimentReader  # noqa: E402
from extrap.fileio.file_reader.cube_file_reader2 import CubeFileReader2  # noqa: E402
from extrap.fileio.file_reader.extrap3_experiment_reader import Extrap3ExperimentFileReader  # noqa: E402
from extrap.fileio.file_reader.json_file_reader import JsonFileReader  # noqa: E402
from extrap.fileio.file_reader.talpas_file_reader import TalpasFileReader  # noqa: E402
from extrap.fileio.file_reader.text_file_reader import TextFileReader  # noqa: E402

# What llac takes a time's unit for, in seconds.
TIMES = {"seconds": 1.0, "milliseconds": 1e-3, "microseconds": 1e-6, "nanoseconds": 1e-9, "minutes": 60.0, "hours": 3600.0}


def identifier(text):
    """A part of a call path as llac names it."""
    made = ""
    for c in text:
        if c.isascii() and c.isalnum():
            made += c
        elif (made and not made.endswith("_")) or c == "_":
            made += "_"
        if len(made) >= 80:
            break
    if not text.endswith("_"):
        made = made.rstrip("_")
    return "_" + made if not made or made[0].isdigit() else made


def reader_of(path):
    if path.is_dir():
        return CubeFileReader2
    if path.suffix == ".extra-p":
        return ExperimentReader
    if path.suffix.lower() in (".json", ".jsonl"):
        return JsonFileReader
    if "talpas" in path.name:
        return TalpasFileReader
    return TextFileReader if path.suffix == ".txt" else Extrap3ExperimentFileReader


def inputs(folder):
    """The files of a folder, and its sets of Cube files. Others hold nothing that Extra-P reads."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            if any(path.glob("*/[!.]*.cubex")) and path.name != "cubeset":
                yield path
        elif "cubeset" not in path.parts and path.suffix not in (".py", ".csv"):
            yield path


def of_extra_p(path):
    """For each call path and metric, of each point the values, or else count, mean, median, least and largest."""
    reader = reader_of(path)()
    if hasattr(reader, "keep_values"):
        reader.keep_values = True
    with contextlib.redirect_stdout(io.StringIO()):
        experiment = reader.read_experiment(str(path)) if not path.is_dir() else reader.read_cube_file(path, "weak")
    found = {}
    for (callpath, metric), measurements in experiment.measurements.items():
        points = defaultdict(list)
        for m in measurements:
            values = None if m.values is None else numpy.ma.array(m.values, dtype=float).compressed()
            kept = (m.repetitions, m.mean, m.median, m.minimum, m.maximum)
            points[tuple(float(part) for part in m.coordinate)].append((values, kept))
        found[callpath.name, metric.name] = points
    return [parameter.name for parameter in experiment.parameters], found


def llac(program, path, lines):
    # The first line is read from standard input as well, so that no name is too long.
    run = subprocess.run([program, "--format", "json"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    try:
        return json.loads(run.stdout)["results"]
    except json.JSONDecodeError:
        raise ValueError(f"llac said {run.stderr or run.stdout!r} about {path}") from None


def of_llac(program, path):
    """The same of llac, by the names of its experiments."""
    load = f"load '{path}' metric=all"
    loaded, listed = (llac(program, path, [load, "experiments"]) + [None])[:2]
    if not loaded["ok"]:
        raise ValueError(loaded["error"]["message"])
    names = [row["experiment"] for row in listed["tables"][0]["rows"]]
    units = {}
    for note in loaded["notes"]:
        if said := re.search(r"the times are `(.*)`, (?:in|taken as) (\w+)", note["message"]):
            units[said[1]] = TIMES[said[2]]
    first = re.search(r"(?:the times are|the response is) `(.*?)`", " ".join(note["message"] for note in loaded["notes"]))[1]
    shown = llac(program, path, [load] + [f"show '{name}' 100000000" for name in names])[1:]
    found = {}
    for name, result in zip(names, shown, strict=True):
        tables = {table["name"]: table for table in result["tables"]}
        found[name] = tables
    return first, units, found


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-300) or (math.isnan(one) and math.isnan(other))


def column(table, start):
    return next(name for name in table["columns"] if name == start or name.startswith(start + "_") or name.startswith(start + " "))


def compare(path, program):
    """What differs; nothing if all is equal."""
    parameters, expected = of_extra_p(path)
    first, scales, found = of_llac(program, path)
    seen = set()
    values_compared = 0
    for (callpath, metric), points in expected.items():
        file = identifier(path.name.split(".")[0])
        name = file if callpath in ("<root>", "") else "/".join(identifier(part) for part in callpath.split("->"))
        if (metric or "<default>") != first:
            name += ":" + identifier(metric)
        tables = found.get(name)
        if tables is None:
            return f"`{callpath}`, metric `{metric}` is missing"
        seen.add(name)
        scale = scales.get(metric or "<default>", 1.0)
        samples, summaries = tables["samples"], tables.get("summaries")
        rows = defaultdict(list)
        for row in samples["rows"]:
            rows[point_of(row, parameters)].append(row)
        kept_rows = {}
        if summaries:
            kept_rows = {point_of(row, parameters): row for row in summaries["rows"]}
        if set(rows) != set(points):
            return f"`{callpath}`, metric `{metric}`: points differ: {set(rows) ^ set(points)}"
        for point, measured in points.items():
            its = sorted(row[value_column(samples)] for row in rows[point])
            all_values = [values for values, _ in measured]
            if all(values is not None for values in all_values) and not path.is_dir():
                wanted = sorted(value * scale for values in all_values for value in values)
                if len(wanted) != len(its) or not all(map(close, wanted, its)):
                    return f"`{callpath}`, metric `{metric}` at {point}: {its} instead of {wanted}"
                values_compared += len(its)
                continue
            (_, (count, mean, median, least, most)), *others = measured
            assert not others
            if summaries:
                row = kept_rows[point]
                kept = (row["count"], row[column(summaries, "mean")], its[0], row[least_column(summaries)], row[most_column(summaries)])
            else:
                kept = (len(its), sum(its) / len(its), float(numpy.median(its)), its[0], its[-1])
            wanted = (count if count is not None else kept[0], *(float(value) * scale for value in (mean, median, least, most)))
            if path.is_dir():
                values = sorted(value * scale for value in all_values[0])
                # Where Extra-P has added other call paths, its values are not those of its mean.
                if close(float(numpy.mean(values)), wanted[1]) and not all(map(close, values, its)):
                    return f"`{callpath}`, metric `{metric}` at {point}: {its} instead of {values}"
                kept, wanted = kept[1:2], wanted[1:2]
            elif reader_of(path) is not JsonFileReader and not summaries:
                kept, wanted = kept[1:], wanted[1:]
            if not all(map(close, map(float, kept), map(float, wanted))):
                return f"`{callpath}`, metric `{metric}` at {point}: {kept} instead of {wanted}"
            values_compared += len(its)
    extra = set(found) - seen
    # Of a tree of metrics, Extra-P reads the roots.
    if extra and not path.is_dir():
        return f"llac has more: {sorted(extra)}"
    return values_compared


def point_of(row, parameters):
    return tuple(float(row[parameter] if parameter in row else row["P"]) for parameter in parameters)


def value_column(table):
    # What was measured stands behind the number of the sample.
    return table["columns"][table["columns"].index("sample") + 1]


def least_column(table):
    return table["columns"][table["columns"].index("count") + 2]


def most_column(table):
    return table["columns"][table["columns"].index("count") + 3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llac", default="target/debug/llac")
    parser.add_argument("--all", action="store_true", help="list equal files, too")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    counts = defaultdict(lambda: [0, 0, 0, 0])
    for path in inputs(arguments.folder):
        kind = path.relative_to(arguments.folder).parts[0]
        counts[kind][1] += 1
        try:
            result = compare(path, arguments.llac)
        except ValueError as error:
            result = f"llac refuses it: {error}"
        except Exception as error:  # noqa: BLE001: whatever Extra-P raises, it does not read the file
            result = None
            try:
                of_llac(arguments.llac, path)
                said = "llac reads it"
            except ValueError as refused:
                said = f"llac refuses it, too: {refused}"
            counts[kind][2] += 1
            print(f"{path}: Extra-P refuses it ({type(error).__name__}: {str(error)[:100]}); {said}")
        if isinstance(result, str):
            print(f"{path}: DIFFERS: {result[:600]}")
        elif result is not None:
            counts[kind][0] += 1
            counts[kind][3] += result
            if arguments.all:
                print(f"{path}: equal, {result} values")
    for kind, (equal, total, refused, values) in counts.items():
        print(f"{kind}: {equal} of {total} equal, {refused} refused by Extra-P; {values} values")
    equal, total, refused, values = map(sum, zip(*counts.values(), strict=True))
    print(f"all: {equal} of {total} equal, {refused} refused by Extra-P; {values} values")
    return 0 if equal + refused == total else 1


if __name__ == "__main__":
    sys.exit(main())
