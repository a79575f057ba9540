"""What the header of a trace says of the machine and of the run."""

from __future__ import annotations

import os
import platform
import re
import shlex
import sys


def _text_of(path: str) -> str:
    """The text of a file of the kernel, empty if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def command() -> str:
    """The command line, as a shell would read it back."""
    words = _text_of("/proc/self/cmdline").split("\0")[:-1]
    return shlex.join(words or sys.argv)


def cpu() -> str:
    """The model of the processor."""
    text = _text_of("/proc/cpuinfo")
    for key in ("model name", "Model", "Hardware", "cpu", "cpu model", "uarch"):
        found = re.search(rf"^{key}[ \t]*:[ \t]*(.+)$", text, re.MULTILINE)
        if found:
            return found[1]
    return "unknown"


def caches_bytes() -> list[int]:
    """The caches of the first core that hold data, from the first level on."""
    sizes = []
    for index in range(16):
        folder = f"/sys/devices/system/cpu/cpu0/cache/index{index}"
        size = re.match(r"(\d+)([KM]?)", _text_of(f"{folder}/size"))
        if size and int(size[1]) > 0 and _text_of(f"{folder}/type").strip() != "Instruction":
            sizes.append(int(size[1]) << {"": 0, "K": 10, "M": 20}[size[2]])
    return sizes


def facts() -> dict[str, str]:
    """Keys of the header with their values; those that the system does not tell are left out."""
    system = platform.uname()
    found = {
        "command": command(),
        "host": system.node,
        "system": f"{system.system} {system.release} {system.machine}",
        "cpu": cpu(),
        "cores": str(os.cpu_count() or 1),
        "caches_bytes": " ".join(map(str, caches_bytes())),
        "compiler": f"{platform.python_implementation()} {platform.python_version()}",
    }
    return {key: value for key, value in found.items() if value}


def run_word() -> str:
    """One word for this process, which no other process has or had."""
    # Its start, in ticks since the computer was started: numbers of processes come again.
    fields = _text_of("/proc/self/stat").rpartition(")")[2].split()
    start = fields[19] if len(fields) > 19 else "0"
    host = re.sub(r"[^A-Za-z0-9.-]", "-", platform.uname().node or "unknown")
    return f"{host}.{os.getpid()}.{start}"
