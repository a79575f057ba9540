#!/usr/bin/env python3
"""Makes the Arrow files of `files/` with pyarrow (pip install pyarrow). Run it in this folder."""

import datetime
import decimal
import json

import pyarrow as pa
from pyarrow import feather, ipc

FILES = "files/"
MOMENT = datetime.datetime(2026, 3, 1, 12)


def timings(rows):
    """Sorting and scanning, of which one time is missing, with columns of many types."""
    sizes = [1000 * (row // 2 + 1) for row in range(rows)]
    wall_ms = [0.5 * (row + 1) for row in range(rows)]
    wall_ms[3] = None
    return pa.table(
        {
            "kernel": pa.array(["sort", "scan"] * (rows // 2)).dictionary_encode(),
            "n": pa.array(sizes, pa.int32()),
            "threads": pa.array([1, 2] * (rows // 2), pa.uint8()),
            "ratio": pa.array([decimal.Decimal("-0.25") * row for row in range(rows)], pa.decimal128(9, 3)),
            "wall_ms": pa.array(wall_ms),
            "at": pa.array([MOMENT] * rows),
            "parts": pa.array([[row] for row in range(rows)]),
            "nothing": pa.nulls(rows),
        }
    )


def growing():
    """Batches of rows whose dictionary grows."""
    for first, kernels in [(0, ["sort", "scan"]), (1, ["sort", "scan", "merge"])]:
        named = pa.DictionaryArray.from_arrays(pa.array([first, first + 1] * 2, pa.int8()), pa.array(kernels))
        times = pa.array([0.25 + first, 0.5, 0.75, 1.0])
        yield pa.record_batch({"kernel": named, "n": pa.array([10, 10, 20, 20]), "time_s": times})


def spans():
    """Spans of time have their unit in the type; texts as polars has them."""
    micro = pa.array([1500, None, 2500], pa.duration("us"))
    return pa.table({"kernel": pa.array(["sort"] * 3, pa.string_view()), "n": pa.array([1.0, 2.0, 3.0], pa.float32()), "elapsed": micro})


def samples():
    """What `write_parquet` writes, as pandas and others make Arrow of it: two runs, and a summary."""
    about = {
        "schema_version": 1,
        "experiments": [{"name": "stored", "formula": "stored[0]*N", "unit": "s", "variables": ["P", "N"], "counters": []}],
        "runs": [["a.dat"], ["b.dat"]],
    }
    nothing = float("nan")
    columns = {
        "experiment": ["stored"] * 3,
        "run": pa.array([0, 1, 1], pa.int32()),
        "processor": pa.array([0, 0, 0], pa.int32()),
        "P": [1.0, 1.0, 1.0],
        "N": [10.0, 20.0, 30.0],
        "time_s": [0.5, 1.0, 1.5],
        "unit": ["s"] * 3,
        "count_of_time_s": pa.array([1, 1, 4]),
        "sum": [nothing, nothing, 6.0],
        "sum_of_squares": [nothing, nothing, 9.5],
        "least": [nothing, nothing, 1.0],
        "most": [nothing, nothing, 2.0],
    }
    return pa.table(columns).replace_schema_metadata({"call-trace": json.dumps(about)})


def stream(name, batches, **options):
    with ipc.new_stream(FILES + name, batches[0].schema, options=ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)


feather.write_feather(timings(8), FILES + "timings.feather")
feather.write_feather(spans(), FILES + "spans.feather", compression="zstd")
stream("timings.arrow", timings(8).to_batches(max_chunksize=4))
stream("growing.arrow", list(growing()), compression="zstd", emit_dictionary_deltas=True)
feather.write_feather(samples(), FILES + "samples.feather")
