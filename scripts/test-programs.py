"""Reads cargo's messages about what was built; a line for each program of tests: the folder of its package, the program.

With `starting` those that start other programs and wait for them, the long ones first; with `computing` all others.
"""

import json
import os
import sys

# In this order.
STARTING = ["tests", "call-runtime", "call-compiler"]

programs = []
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
        programs.append((os.path.dirname(message["manifest_path"]), message["target"]["name"], message["executable"]))


def place(program):
    name = os.path.basename(program[0])
    return STARTING.index(name) if program[1] == "tests" and name in STARTING else len(STARTING)


wanted = sys.argv[1] == "starting"
for program in sorted(programs, key=place):
    if (place(program) < len(STARTING)) == wanted:
        print(json.dumps(program[0]), json.dumps(program[2]))
