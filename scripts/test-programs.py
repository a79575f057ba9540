"""Reads cargo's messages about what was built; a line for each program of tests, the long ones first: the folder of its package, the program."""

import json
import os
import sys

# Those that take minutes; in which order the others run makes no difference.
LONG = ["call-runtime", "tests"]

programs = []
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
        programs.append((os.path.dirname(message["manifest_path"]), message["target"]["name"], message["executable"]))
programs.sort(key=lambda program: program[1] != "tests" or os.path.basename(program[0]) not in LONG)
for folder, _, executable in programs:
    print(json.dumps(folder), json.dumps(executable))
