"""What the driver tells the wrapper, through the environment: a build calls the wrapper with the project's own arguments only."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    project: str
    compiler: str  # the real one
    call: str  # the program `call`
    work: Path  # shadow files and the runtime are here
    log: Path  # JSON lines, one for each compiled file
    plain: bool  # only pass everything through
    keep: bool  # keep the shadow files also where all is well
    variant: str = "bodies"  # where the experiments stand: see annotate.py
    share: float = 1  # of the files, chosen by their names; the others are compiled as they are

    def takes(self, source: str) -> bool:
        """The same files for each compiler, in whatever order they are compiled."""
        number = int(hashlib.sha256(f"{self.project}/{Path(source).name}".encode()).hexdigest()[:8], 16)
        return number < self.share * 2**32

    @property
    def runtime(self) -> Path:
        return self.work / "runtime"

    def environment(self) -> dict[str, str]:
        """For the build of a project."""
        return {
            "CORPUS_PROJECT": self.project,
            "CORPUS_CC": self.compiler,
            "CORPUS_CALL": self.call,
            "CORPUS_WORK": str(self.work),
            "CORPUS_LOG": str(self.log),
            "CORPUS_PLAIN": "1" if self.plain else "",
            "CORPUS_KEEP": "1" if self.keep else "",
            "CORPUS_VARIANT": self.variant,
            "CORPUS_SHARE": str(self.share),
        }


def from_environment() -> Settings | None:
    try:
        return Settings(
            project=os.environ["CORPUS_PROJECT"],
            compiler=os.environ["CORPUS_CC"],
            call=os.environ["CORPUS_CALL"],
            work=Path(os.environ["CORPUS_WORK"]),
            log=Path(os.environ["CORPUS_LOG"]),
            plain=bool(os.environ.get("CORPUS_PLAIN")),
            keep=bool(os.environ.get("CORPUS_KEEP")),
            variant=os.environ.get("CORPUS_VARIANT", "bodies"),
            share=float(os.environ.get("CORPUS_SHARE", "1")),
        )
    except KeyError:
        return None
