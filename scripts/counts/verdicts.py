"""Compares what was claimed of a statement with what was counted."""

import itertools
import math
from dataclasses import dataclass, field
from fractions import Fraction

from claims import Block, Claim
from formulas import Formula, NoValue, Unclear
from runs import Observed

VERDICTS = ("exact right", "exact WRONG", "class right", "class WRONG", "bound holds", "bound BROKEN", "unknown", "not judged")
WRONG = ("exact WRONG", "class WRONG", "bound BROKEN")
# A function counts as its worst statement: the first of these that occurs.
WORST = ("exact WRONG", "bound BROKEN", "class WRONG", "not judged", "unknown", "bound holds", "class right", "exact right")
POINTS = 5
SERIES_POINTS = 4
SPREAD = 2.5
SLOPE = 0.15
DRIFT = 0.5  # of the ratio against log(size): a missing factor log gives 1
DRIFT_FROM = 512
EXACT = 1e-6
FEW = 8  # iterations: one more or less changes how they seem to grow


@dataclass
class Verdict:
    block: Block
    claim: Claim
    verdict: str
    why: str = ""
    shown: list[str] = field(default_factory=list)


@dataclass
class Compared:
    """One run: the sum of the claim over the entries of the block, and the count."""

    observed: Observed
    claimed: float | Fraction
    real: int
    entries: list[dict[str, float]]

    def text(self) -> str:
        names = self.observed.names
        given = dict(zip(names, self.observed.point.values, strict=True)) if names else {}
        sizes = ", ".join(f"{name} = {value:g}" for name, value in (self.entries[0] or given).items())
        more = f" and {len(self.entries) - 1} more entries" if len(self.entries) > 1 else ""
        return f"{sizes or f'sizes {self.observed.point.values}'}{more}: claimed {float(self.claimed):.10g}, counted {self.real}"


def holds(assumption: Formula, entry: dict[str, float]) -> bool:
    try:
        return bool(assumption.value(entry))
    except NoValue:
        return False


def compared(block: Block, claim: Claim, runs: list[Observed]) -> list[Compared]:
    """The runs in which every entry satisfies the assumptions. Unclear if the claim has no value in one of them."""
    found = []
    for run in runs:
        entries = run.entries.get(block.number, [])
        if entries and all(holds(assumption, entry) for entry in entries for assumption in claim.assumptions):
            claimed = sum(claim.count.value(entry) for entry in entries)
            found.append(Compared(run, claimed, run.counts.get(claim.gcov_line, 0), entries))
    return found


def differ(claimed: float | Fraction, real: int) -> bool:
    return abs(claimed - real) > (0 if isinstance(claimed, Fraction) else EXACT * max(1, real))


def judged(block: Block, claim: Claim, runs: list[Observed]) -> Verdict:
    kinds = {"exact": ("exact right", "exact WRONG"), "rounded": ("class right", "class WRONG"), "at-most": ("bound holds", "bound BROKEN")}
    right, wrong = kinds.get(claim.quality, ("", "exact WRONG"))
    if claim.fault:
        return Verdict(block, claim, wrong, claim.fault)
    if claim.quality == "unknown":
        return Verdict(block, claim, "unknown")
    if block.skipped or claim.skipped:
        return Verdict(block, claim, "not judged", block.skipped or claim.skipped)
    if not any(claim.gcov_line in run.counts for run in runs) and not claim.code_expected:
        return Verdict(block, claim, "not judged", "no code there")
    try:
        pairs = compared(block, claim, runs)
    except Unclear as error:
        return Verdict(block, claim, wrong, str(error))
    if claim.quality == "rounded":
        verdict, why, shown = growth(pairs)
        return Verdict(block, claim, {True: right, False: wrong, None: "not judged"}[verdict], why, [pair.text() for pair in shown])
    if claim.quality == "exact":
        faults = [pair for pair in pairs if differ(pair.claimed, pair.real)]
    else:
        faults = [pair for pair in pairs if pair.claimed < pair.real and differ(pair.claimed, pair.real)]
    if faults:
        return Verdict(block, claim, wrong, f"at {len(faults)} of {len(pairs)} sizes", [pair.text() for pair in faults[:4]])
    sizes = {tuple(sorted(pair.entries[0].items())) for pair in pairs}
    runs_able = [run for run in runs if run.entries.get(block.number)]
    varied = any(run.point.values for run in runs_able)
    if not pairs or (varied and block.atoms and len(sizes) < POINTS):
        why = "the block was never entered" if not runs_able else f"only {len(pairs)} sizes satisfy the assumptions"
        return Verdict(block, claim, "not judged", why)
    return Verdict(block, claim, right)


def growth(pairs: list[Compared]) -> tuple[bool | None, str, list[Compared]]:
    """Each series of growing sizes alone: claim and count keep their ratio."""
    series: dict[str, list[Compared]] = {}
    for pair in pairs:
        if pair.observed.point.series:
            series.setdefault(pair.observed.point.series, []).append(pair)
    able = {name: found for name, found in series.items() if len(found) >= SERIES_POINTS}
    if not able:
        return None, "too few growing sizes could be run", []
    is_clear = False
    for name, found in able.items():
        last = found[-SERIES_POINTS:]
        claimed, real = [float(pair.claimed) for pair in last], [pair.real for pair in last]
        sizes = [max(pair.observed.point.values) for pair in last]
        why = fault_of(claimed, real, sizes)
        if why and not (max(real) <= FEW and fits_as_steps(claimed, real, sizes)):
            return False, f"{name} growing: {why}", last
        is_clear |= not why
    return (True, "", []) if is_clear else (None, "too few iterations to tell how they grow", [])


def fits_as_steps(claimed: list[float], real: list[int], sizes: list[int]) -> bool:
    """Few iterations grow in steps: whether a whole number beside each count, none more than one away, would be right."""
    return min(real) > 1 and any(not fault_of(claimed, list(near), sizes) for near in itertools.product(*[(n - 1, n, n + 1) for n in real]))


def fault_of(claimed: list[float], real: list[int], sizes: list[int]) -> str:
    if all(abs(count) <= 2 for count in claimed) and max(real) <= 4:
        return ""
    if min(real) <= 0 or min(claimed) <= 0:
        return "one of them is zero or less where the other is not" if max(max(real), max(claimed)) > 2 else ""
    ratios = [left / right for left, right in zip(claimed, real, strict=True)]
    if max(ratios) / min(ratios) > SPREAD:
        return f"their ratio goes from {ratios[0]:.3g} to {ratios[-1]:.3g}"
    grown = math.log(real[-1] / real[0])
    steepness = math.log(claimed[-1] / claimed[0])
    if abs(steepness - grown) > SLOPE * max(abs(grown), math.log(2)):
        return f"one grows by {real[-1] / real[0]:.4g}, the claim by {claimed[-1] / claimed[0]:.4g}"
    doubled = all(left < right for left, right in zip(sizes, sizes[1:], strict=False))
    if doubled and sizes[0] >= DRIFT_FROM and min(real) > 2:
        drift = slope([math.log(math.log(size)) for size in sizes], [math.log(ratio) for ratio in ratios])
        if abs(drift) > DRIFT:
            return f"their ratio drifts like log(size) to the power of {drift:.2f}"
    return ""


def slope(left: list[float], right: list[float]) -> float:
    middle, height = sum(left) / len(left), sum(right) / len(right)
    return sum((x - middle) * (y - height) for x, y in zip(left, right, strict=True)) / sum((x - middle) ** 2 for x in left)


def worst(verdicts: list[str]) -> str:
    return next((verdict for verdict in WORST if verdict in verdicts), "not judged")
