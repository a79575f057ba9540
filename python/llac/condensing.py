"""Many files condensed into one, also by the workers of a Dask cluster."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from . import language
from .result import Result
from .session import Session

if TYPE_CHECKING:
    from dask.distributed import Client

Path = Union[str, "os.PathLike[str]"]

# So many results become one at a time.
FAN_IN = 16


def condense(
    files: Path | Iterable[Path],
    into: Path,
    client: Client | None = None,
    *,
    files_of_a_task: int = 1,
    program: str | None = None,
) -> Result:
    """Condenses files (* and ? are wildcards) into one Parquet file, which loads as they do; see ``help condense``.

    With a ``client`` of ``dask.distributed`` its workers do it, each some files at a time. They see the current folder
    under the name that it has here, have this package and ``llac``, or ``program``. A task depends on its files only, so what a
    worker had done that is lost is done again elsewhere. The result is the same, byte for byte.
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    names = [name for file in files for name in _matching(os.fspath(file))]
    folder = os.getcwd()
    if client is None:
        with Session(program, folder) as session:
            return session(_line(names, into))
    parts = [names[start : start + files_of_a_task] for start in range(0, len(names), files_of_a_task)]
    # Files may have changed since, so equal tasks of before are others.
    tasks = [client.submit(_of_files, part, folder, program, pure=False) for part in parts]
    while len(tasks) > FAN_IN:
        groups = [tasks[start : start + FAN_IN] for start in range(0, len(tasks), FAN_IN)]
        tasks = [client.submit(_of_parts, group, program, pure=False) for group in groups]
    with tempfile.TemporaryDirectory(prefix="llac-") as temporary, Session(program, folder) as session:
        paths = _written(client.gather(tasks), temporary)
        return session(_line(paths, into))


def _matching(name: str) -> list[str]:
    return [name] if os.path.exists(name) else sorted(glob.glob(name)) or [name]


def _line(names: Iterable[Path], into: Path) -> str:
    return language.command("condense", [*map(os.fspath, names), "into", os.fspath(into)])


def _of_files(names: list[str], folder: str, program: str | None) -> bytes:
    """What files are condensed to."""
    with tempfile.TemporaryDirectory(prefix="llac-") as temporary, Session(program, folder) as session:
        path = os.path.join(temporary, "condensed.parquet")
        session(_line(names, path))
        with open(path, "rb") as file:
            return file.read()


def _of_parts(parts: list[bytes], program: str | None) -> bytes:
    """What contents of condensed files are condensed to."""
    with tempfile.TemporaryDirectory(prefix="llac-") as temporary:
        return _of_files(_written(parts, temporary), temporary, program)


def _written(parts: list[bytes], folder: str) -> list[str]:
    paths = [os.path.join(folder, f"{number}.parquet") for number in range(len(parts))]
    for path, part in zip(paths, parts):
        with open(path, "wb") as file:
            file.write(part)
    return paths
