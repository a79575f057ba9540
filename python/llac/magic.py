"""Commands of llac in the cells of a notebook."""

from .session import Session


def register(shell):
    """Makes ``%llac COMMAND`` and cells ``%%llac``."""
    sessions = []

    def llac(line, cell=None):
        if not sessions:
            sessions.append(Session())
        commands = [line] if cell is None else [line, *cell.splitlines()]
        result = None
        for command in commands:
            if command.strip():
                if result is not None:
                    _show(result)
                result = sessions[0](command)
        return result

    shell.register_magic_function(llac, "line_cell", "llac")


def _show(result):
    from IPython.display import display

    display(result)
