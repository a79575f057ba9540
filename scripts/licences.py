#!/usr/bin/env python3
"""Writes packaging/THIRD-PARTY-LICENCES.txt: the licences of the crates that are parts of the programs `call` and `llac`.

    scripts/licences.py            writes it
    scripts/licences.py --check    says whether it is current, and writes nothing

What a crate has of LICENSE, COPYING, NOTICE and the like is taken as it is, equal texts once. Where MIT may be chosen and has a text,
other choices are left out.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "packaging" / "THIRD-PARTY-LICENCES.txt"
PROGRAMS = ("call-compiler", "llac")
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense|ofl)", re.IGNORECASE)
HEAD = """Third-party software in the programs `call` and `llac`

Made by scripts/licences.py from the manifests that Cargo.lock names. First the crates with the licences that they state, then
the texts that come with them. Programs from packages (make dist) are static: they contain the C library that they were linked
with, and libotf2 where it was there; their licences stand beside this file.
"""


def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"]
    # Where cargo has everything, as after a build, nothing is looked for elsewhere.
    for more in (["--offline"], []):
        ended = subprocess.run(command + more, cwd=ROOT, capture_output=True, text=True)
        if ended.returncode == 0:
            return json.loads(ended.stdout)
    sys.exit(ended.stderr)


def parts(data):
    """The packages that the programs are made of: what they need when they run, without their own and without what only builds and tests use."""
    packages = {its["id"]: its for its in data["packages"]}
    nodes = {its["id"]: its for its in data["resolve"]["nodes"]}
    waiting = [id for id in data["workspace_members"] if packages[id]["name"] in PROGRAMS]
    found = set()
    while waiting:
        id = waiting.pop()
        if id in found:
            continue
        found.add(id)
        for needed in nodes[id]["deps"]:
            if any(kind["kind"] is None for kind in needed["dep_kinds"]):
                waiting.append(needed["pkg"])
    own = set(data["workspace_members"])
    return sorted((packages[id] for id in found - own), key=lambda its: (its["name"], its["version"]))


def texts_of(package):
    folder = Path(package["manifest_path"]).parent
    files = [path for path in folder.rglob("*") if path.is_file() and NAMES.match(path.name) and path.suffix not in (".rs", ".py", ".c", ".h")]
    stated = package.get("license_file")
    if stated and (folder / stated).is_file():
        files.append(folder / stated)
    if "MIT" in re.split(r" OR |/", package["license"] or "") and any("MIT" in path.name for path in files):
        files = [path for path in files if not re.search("APACHE|ZLIB|BSD|UNLICENSE|BOOST", path.name, re.IGNORECASE)]
    for path in sorted(set(files), key=lambda path: (len(path.parts), path)):
        text = path.read_text(encoding="utf-8", errors="replace")
        yield "\n".join(line.rstrip() for line in text.strip().splitlines())


def main():
    packages = parts(metadata())
    lines, texts = [HEAD], {}
    for its in packages:
        name = f"{its['name']} {its['version']}"
        found = list(texts_of(its))
        licence = its["license"] or f"see {its['license_file']}"
        missing = "" if found else "; its package has no text"
        lines.append(f"{name}: {licence}; {its['repository'] or 'no repository stated'}{missing}\n")
        for text in found:
            if name not in texts.setdefault(text, []):
                texts[text].append(name)
    for text, names in texts.items():
        lines.append(f"\n{'=' * 80}\n{', '.join(names)}\n{'-' * 80}\n{text}\n")
    text = "".join(lines)
    if "--check" not in sys.argv[1:]:
        OUTPUT.write_text(text, encoding="utf-8")
    elif not OUTPUT.is_file() or OUTPUT.read_text(encoding="utf-8") != text:
        sys.exit(f"{os.path.relpath(OUTPUT)} is not that of Cargo.lock: run scripts/licences.py")


if __name__ == "__main__":
    main()
