#!/usr/bin/env python3
"""Makes the binary files of `files/`, byte for byte the same each time. Run it in this folder."""

import io
import json
import struct
import zipfile

FILES = "files/"


def archive():
    """An experiment as Extra-P 4 saves it: one call path with values, one of which only their summary was kept."""
    kept = {"coordinate": [4.0], "median": 2.5, "mean": 3.0, "minimum": 2.0, "maximum": 5.0, "std": 1.0, "repetitions": 4}
    measured = {"coordinate": [4.0], "median": 0.3, "mean": 0.3, "minimum": 0.25, "maximum": 0.5, "std": 0.1, "values": [0, 1]}
    of_processors = {**measured, "coordinate": [8.0], "values": [0, 0]}
    experiment = {
        "Extra-P": "4.2.5",
        "parameters": ["p"],
        "measurements": {"main": {"time": [kept]}, "main->solve": {"time": [measured, of_processors]}},
        "modelers": [{"name": "passed over"}],
    }
    values, places = io.BytesIO(b"Extra-P VALUES\0\0"), []
    values.seek(0, io.SEEK_END)
    for shape, numbers in [("(2, 2)", [0.25, 0.5, 0.125, 0.75]), ("(3,)", [0.25, 0.3, 0.5])]:
        places.append(values.tell())
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        values.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        values.write(struct.pack(f"<{len(numbers)}d", *numbers))
    index = b"Extra-P INDEX\0\0\0" + struct.pack(f"<{1 + len(places)}Q", len(places), *places)
    with zipfile.ZipFile(FILES + "experiment.extra-p", "w") as file:
        def write(name, content, compression):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = compression
            file.writestr(entry, content)
        write("values/0.vals", values.getvalue(), zipfile.ZIP_STORED)
        write("values/0.indx", index, zipfile.ZIP_STORED)
        write("experiment.json", json.dumps(experiment), zipfile.ZIP_DEFLATED)


def text(string):
    return struct.pack("<I", len(string)) + string.encode()


def numbers(*values):
    return struct.pack("<" + "".join("d" if isinstance(value, float) else "q" for value in values), *values)


def simple_term():
    return text("SimpleTerm") + text("polynomial") + numbers(1.0)


def compound_term():
    return text("CompoundTerm") + numbers(2.0, 1) + simple_term()


def three():
    """An experiment as Extra-P 3 saves it, with two regions of one name and models between."""
    function = text("SingleParameterFunction") + numbers(1.0, 1) + compound_term()
    several = text("MultiParameterFunction") + numbers(1.0, 1, 1.0, 1) + text("p") + compound_term()
    strategy = numbers(5) + text("FIRST_POINTS_FOUND") + numbers(0, 1) + text("INCREASING_COST")
    generator = text("x") + text("CROSSVALIDATION_NONE") + numbers(0.05) + text("GENERATE_MODEL_MEAN") + strategy
    model = numbers(0, 0, 0) + function + several + function + compound_term() + simple_term() + 2 * text("Function")
    objects = [
        text("Parameter") + numbers(0) + text("p"),
        text("Metric") + numbers(0) + text("time") + text("us"),
        text("Region") + numbers(0) + text("main") + text("main.c") + numbers(1),
        text("Region") + numbers(1) + text("solve") + text("main.c") + numbers(2),
        text("Region") + numbers(2) + text("solve") + text("other.c") + numbers(3),
        text("Callpath") + numbers(0, 0, -1),
        text("Callpath") + numbers(1, 1, 0),
        text("Callpath") + numbers(2, 2, 0),
        text("Coordinate") + numbers(0, 1) + text("p") + numbers(4.0),
        text("Coordinate") + numbers(1, 1) + text("p") + numbers(8.0),
        text("ModelComment") + numbers(0) + text("no remark"),
        text("SingleParameterSimpleModelGenerator") + generator + numbers(1) + compound_term() + numbers(1),
        text("Model") + model + numbers(0.5, 0.5, 0.5, 0.5, 1, 0, 1) + text("p") + numbers(1, 1.0, 2.0),
        text("MultiParameterSimpleModelGenerator") + text("y") + text("GENERATE_MODEL_MEDIAN"),
    ]
    for path in range(3):
        for point in range(2):
            mean, median = 100.0 * (path + 1) + point, 90.0 * (path + 1) + point
            measured = numbers(point, 5, mean, 0.0, 0.0, 8.0, median, 0.0, 0.0, median - 10, mean + 10, 0, path)
            objects.append(text("ExperimentPoint") + measured)
    with open(FILES + "extra_p_3", "wb") as file:
        file.write(struct.pack("<h", 1) + text("EXTRAP_EXPERIMENT") + text("1.0") + b"".join(objects))


archive()
three()
