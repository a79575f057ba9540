"""Reads cargo's messages about what was built; a line for each file of tests, the long ones first: the folder of its package, the program."""

import json
import os
import sys

# Those that take half a minute and more; in which order the others run makes no difference. pub_library takes what programs compiles.
LONG = ["programs", "examples", "page", "manual", "pub_library", "kept"]

programs = []
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
        programs.append((message["target"]["name"], os.path.dirname(message["manifest_path"]), message["executable"]))
programs.sort(key=lambda program: LONG.index(program[0]) if program[0] in LONG else len(LONG))
for _, folder, executable in programs:
    print(json.dumps(folder), json.dumps(executable))
