"""The projects of the corpus: where they come from, how they are built and tested.

`build` and `test` are shell text, run with `sh -eu` in the unpacked source. Given are CC (the wrapper), JOBS, FLAGS (for the
compiler) and SOURCE (the unpacked source); mpicc calls the wrapper, too.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    name: str
    package: str  # of Debian
    build: str
    test: str = ""
    # What counts millions of calls is tested with the checking runtime only: the real one keeps every measurement until a report.
    long_test: bool = False
    needs: tuple[str, ...] = ()  # packages of Debian
    note: str = ""
    unpack: str = ""  # instead of dpkg-source; given is DOWNLOADS


PROJECTS = [
    Project(
        "zlib",
        "zlib",
        build='CFLAGS="$FLAGS" ./configure --static && make -j$JOBS',
        test="make test",
    ),
]

BY_NAME = {project.name: project for project in PROJECTS}
