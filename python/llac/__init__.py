"""The analyser of CALL in Python: sessions, results as data frames, pictures."""

from .condensing import condense
from .result import Error, Message, Result, Table
from .session import Session

__all__ = ["Error", "Result", "Session", "Table", "condense", "load_ipython_extension"]


def load_ipython_extension(shell) -> None:
    """What ``%load_ext llac`` does: ``%llac COMMAND`` and cells ``%%llac``, all in one session."""
    from .magic import register

    register(shell)
