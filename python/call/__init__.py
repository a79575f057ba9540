"""Measurements of Python programs, written as the traces that ``llac`` reads.

    import call

    with call.experiment("sort", "sort[0] + sort[1]*n*log(n)", n=len(numbers)):
        numbers.sort()

The end of the program, or :func:`report`, writes ``PROGRAM.call.K.dat``. It needs no compiler and no library: the interpreter takes longer
for a measurement than the runtime in C would save.
"""

from .measuring import experiment, program, report

__all__ = ["experiment", "program", "report"]
