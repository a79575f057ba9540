"""What is measured: experiments, their executions, and when those are reported."""

from __future__ import annotations

import atexit
import math
import operator
import os
import sys
import threading
from statistics import median
from time import perf_counter_ns
from typing import NamedTuple, Optional, Union

from . import trace

Number = Union[int, float]

# What launchers tell each process of a parallel program.
_PROCESSES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")

# Settings of the runtime in C that have no meaning here.
_OF_THE_RUNTIME = ("CALL_BUDGET", "CALL_CLOCK", "CALL_SUBTRACT", "CALL_TRACE")

_PAIRS = 143


class Declared:
    """An experiment, the same for all its executions."""

    def __init__(self, name: str, formula: Optional[str], variables: tuple[str, ...]) -> None:
        for word, what in [(name, "an experiment"), *((variable, "a variable") for variable in variables)]:
            if not (isinstance(word, str) and word.isascii() and word.isidentifier()):
                raise ValueError(f"{word!r} is no name of {what}: use letters, digits and _")
        self.name = name
        self.formula = formula
        self.variables = variables
        # Files and lines where it begins, in this order.
        self.places: dict[tuple[str, int], None] = {}


class Execution:
    """One execution: ``elapsed_ns`` is None while it is open, and where its block was left by an exception it ``is_abandoned``."""

    __slots__ = ("declared", "elapsed_ns", "is_abandoned", "values")

    def __init__(self, declared: Declared, values: tuple[Number, ...]) -> None:
        self.declared = declared
        self.values = values
        self.elapsed_ns: Optional[int] = None
        self.is_abandoned = False

    @property
    def is_open(self) -> bool:
        return self.elapsed_ns is None and not self.is_abandoned


class Cost(NamedTuple):
    """What measuring takes, in nanoseconds: what an empty block records, and what it takes altogether."""

    empty_pair_ns: float
    pair_ns: float


class _State:
    """All that was measured since the last report, in the order of the begins."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.program: Optional[str] = None
        self.declared: dict[str, Declared] = {}
        self.executions: list[Execution] = []
        self.reports = 0
        self.measured = 0
        self.start_ns: Optional[int] = None


_state = _State()


class experiment:
    """Measures a block: ``with call.experiment("f", "f[0] + f[1]*n", n=4096):``.

    The formula may be left out, and the variables are numbers that say what the time depends on. Blocks may be nested, in themselves
    too, and run in any thread. A block that an exception leaves has not done its work: it is no sample, and the trace counts it as
    abandoned. The clock is ``time.perf_counter_ns``; the time of a block includes all that other threads do meanwhile.

    Raises ValueError for names that are no words, for numbers that are not finite, and where the experiment was described otherwise
    before.
    """

    __slots__ = ("_declared", "_execution", "_executions", "_start_ns", "_values")

    def __init__(self, name: str, formula: Optional[str] = None, /, **variables: Number) -> None:
        frame = sys._getframe(1)
        place = (frame.f_code.co_filename, frame.f_lineno)
        declared = _state.declared.get(name)
        if declared is None:
            # What is refused leaves no experiment behind.
            for variable, value in variables.items():
                _number(name, variable, value)
            declared = _declare(name, formula, tuple(variables))
        elif formula is not None and declared.formula != formula or declared.variables != tuple(variables):
            _check(declared, formula, variables)
        declared.places.setdefault(place)
        self._declared = declared
        self._values = tuple([_number(name, variable, variables[variable]) for variable in declared.variables])
        self._execution: Optional[Execution] = None
        self._executions = _state.executions

    def __enter__(self) -> experiment:
        if self._execution is not None:
            raise RuntimeError(f"experiment {self._declared.name} is open already: make another one for an inner block")
        execution = self._execution = Execution(self._declared, self._values)
        self._executions.append(execution)
        self._start_ns = perf_counter_ns()
        return self

    def __exit__(self, kind, error, traceback) -> None:
        end_ns = perf_counter_ns()
        execution, self._execution = self._execution, None
        if kind is None:
            execution.elapsed_ns = end_ns - self._start_ns
        else:
            execution.is_abandoned = True


def program(name: str) -> None:
    """Names the traces, ``NAME.call.K.dat``; by default it is the script without its ending."""
    if not name or "\0" in name:
        raise ValueError("the program needs a name, after which its traces are called")
    _state.program = name


def report() -> Optional[str]:
    """Writes what was measured since the last report, and returns the path of the trace; None if nothing was.

    What is open stays for the next report. Raises OSError if the file cannot be written; then nothing is lost.
    """
    with _state.lock:
        _refuse_processes()
        # What other threads append meanwhile stays behind these.
        seen = list(_state.executions)
        is_open = [its.is_open for its in seen]
        taken = [its for its, open_ in zip(seen, is_open) if not open_]
        if not taken:
            return None
        _tell_settings()
        cost = _cost()
        _state.measured += len(taken)
        running_ns = max(perf_counter_ns() - (_state.start_ns or 0), 1)
        path = trace.write(
            _state.program,
            list(_state.declared.values()),
            taken,
            reports=_state.reports + 1,
            cost=cost,
            measuring_share=_state.measured * cost.pair_ns / running_ns,
        )
        _state.reports += 1
        _state.executions[: len(seen)] = [its for its, open_ in zip(seen, is_open) if open_]
        return path


def _declare(name: str, formula: Optional[str], variables: tuple[str, ...]) -> Declared:
    """Makes the experiment, unless another thread was quicker."""
    made = Declared(name, formula, variables)
    if _state.start_ns is None:
        _state.start_ns = perf_counter_ns()
        atexit.register(_report_at_exit)
    declared = _state.declared.setdefault(name, made)
    _check(declared, formula, dict.fromkeys(variables, 0))
    return declared


def _check(declared: Declared, formula: Optional[str], variables: dict[str, Number]) -> None:
    """Whether it is described as before; the order of variables does not matter, and a formula may be given later."""
    name = declared.name
    if declared.formula is None:
        declared.formula = formula
    if formula not in (None, declared.formula):
        raise ValueError(
            f"experiment {name} has the formula {formula!r} here, but {declared.formula!r} before: write the same, or give it another name"
        )
    if set(declared.variables) != set(variables):
        listed = [", ".join(names) or "none" for names in (variables, declared.variables)]
        raise ValueError(
            f"experiment {name} has the variables {listed[0]} here, but {listed[1]} before: write the same, or give it another name"
        )


def _number(name: str, variable: str, value: Number) -> Number:
    """The value as an int of 64 bits or a finite float; numbers of NumPy are taken, too."""
    try:
        whole = operator.index(value)
    except TypeError:
        real = float(value)
        if not math.isfinite(real):
            raise ValueError(f"experiment {name}: {variable} is {real}, which is no number that a time can depend on") from None
        return real
    if not -(2**63) <= whole < 2**63:
        raise ValueError(f"experiment {name}: {variable} = {whole} has more than 64 bits")
    return whole


def _cost() -> Cost:
    """Medians of measurements of nothing, which leave no trace."""
    empty = Declared("empty", None, ("n",))
    recorded, whole = [], []
    for _ in range(_PAIRS):
        start_ns = perf_counter_ns()
        own = object.__new__(experiment)
        own._declared, own._values, own._execution, own._executions = empty, (_number("empty", "n", 1),), None, []
        with own:
            pass
        whole.append(perf_counter_ns() - start_ns)
        recorded.append(own._executions[0].elapsed_ns)
    return Cost(median(recorded), median(whole))


def _refuse_processes() -> None:
    """Each process would write a trace of its own, of which nobody could tell that they belong together."""
    several = next((name for name in _PROCESSES if os.environ.get(name, "1") not in ("", "1")), None)
    if several is not None:
        raise RuntimeError(
            f"this is a process of several ({several} is {os.environ[several]}): the package measures programs of one process"
        )


def _tell_settings() -> None:
    for name in _OF_THE_RUNTIME:
        if os.environ.get(name) and _state.reports == 0:
            print(f"call: {name} is for programs in C: it changes nothing here", file=sys.stderr)


def _report_at_exit() -> None:
    try:
        report()
    except (OSError, RuntimeError) as error:
        print(f"call: nothing was reported: {error}", file=sys.stderr)


def _forget_in_child() -> None:
    """What a process measured before a fork is its own to report."""
    global _state
    program_before, started = _state.program, _state.start_ns
    _state = _State()
    _state.program = program_before
    # The handler of the exit is there already.
    _state.start_ns = perf_counter_ns() if started is not None else None


os.register_at_fork(after_in_child=_forget_in_child)
