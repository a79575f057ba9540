"""Commands of llac in the cells of a notebook."""

from __future__ import annotations

from .language import commands
from .result import Result
from .session import Session


def register(shell) -> None:
    """Makes ``%llac`` and cells ``%%llac``, for the session in the variable ``session`` or one of their own."""
    own: list[Session] = []

    def session() -> Session:
        held = shell.user_ns.get("session")
        if isinstance(held, Session):
            return held
        if not own:
            own.append(Session())
        return own[0]

    def llac(line: str, cell: str | None = None) -> Result | None:
        result = None
        for command in commands(f"{line}\n{cell or ''}"):
            if result is not None:
                _show(result)
            try:
                result = session()(command)
            except RuntimeError:
                # The program has ended; the next command gets another one.
                own.clear()
                raise
        return result

    shell.register_magic_function(llac, "line_cell", "llac")


def _show(result: Result) -> None:
    from IPython.display import display

    display(result)
