"""Puts the programs `call` and `llac`, which are built already, into the wheel."""

import os
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Programs(BuildHookInterface):
    def initialize(self, version, build_data):
        target = Path(self.root).parent / os.environ.get("CARGO_TARGET_DIR", "target")
        folder = Path(os.environ.get("BINARIES") or target / "release")
        for name in ("call", "llac"):
            program = (folder / name).resolve()
            if not program.is_file():
                raise FileNotFoundError(
                    f"{program} is not there: run `make`, or name its folder in the variable BINARIES"
                )
            build_data["shared_scripts"][str(program)] = name
        # Any Python will do, but not any machine; WHEEL_PLATFORM says on which others static programs run.
        own = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('WHEEL_PLATFORM') or own}"
