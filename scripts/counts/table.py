"""The tables, and each fault below them."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from verdicts import VERDICTS, WRONG, Verdict, worst


@dataclass
class Outcome:
    """Of one function, or of a whole file where `function` is empty. `failure`: why nothing was run."""

    set_name: str
    path: Path
    function: str
    verdicts: list[Verdict] = field(default_factory=list)
    failure: str = ""

    def verdict(self) -> str:
        if self.failure:
            return "not runnable"
        judged = [each.verdict for each in self.verdicts if each.verdict != "not judged"]
        return worst(judged) if judged else "not judged"

    def lines(self) -> list[dict]:
        common = {"set": self.set_name, "file": str(self.path), "function": self.function}
        if self.failure:
            return [{**common, "verdict": "not runnable", "why": self.failure}]
        return [
            {
                **common, "block": each.block.name, "kind": each.block.kind, "line": each.claim.line, "quality": each.claim.quality,
                "count": each.claim.count.text if each.claim.count else None, "verdict": each.verdict, "why": each.why, "shown": each.shown,
            }
            for each in self.verdicts
        ]  # fmt: skip


def table(title: str, rows: dict[str, Counter]) -> str:
    columns = [*VERDICTS, "not runnable"]
    widths = [max(len(column), 6) for column in columns]
    first = max(len(name) for name in [title, *rows])
    lines = [f"{title:<{first}}  " + "  ".join(f"{column:>{width}}" for column, width in zip(columns, widths, strict=True))]
    for name, row in rows.items():
        lines.append(f"{name:<{first}}  " + "  ".join(f"{row[column]:>{width}}" for column, width in zip(columns, widths, strict=True)))
    return "\n".join(lines)


def fault_text(outcome: Outcome, fault: Verdict) -> str:
    claim = fault.claim
    count = claim.count.text if claim.count else "none"
    head = f"{outcome.path}:{claim.line}: {fault.verdict} in {fault.block.kind} {fault.block.name}: claimed {count} ({claim.quality})"
    assumed = f" where {' and '.join(assumption.text for assumption in claim.assumptions)}" if claim.assumptions else ""
    return "\n    ".join([f"{head}{assumed}; {fault.why}", *fault.shown])


def text_of(outcomes: list[Outcome]) -> tuple[str, bool]:
    statements: dict[str, Counter] = {}
    functions: dict[str, Counter] = {}
    reasons: Counter = Counter()
    for outcome in outcomes:
        functions.setdefault(outcome.set_name, Counter())[outcome.verdict()] += 1
        row = statements.setdefault(outcome.set_name, Counter())
        row["not runnable"] += bool(outcome.failure)
        for each in outcome.verdicts:
            row[each.verdict] += 1
            if each.verdict == "not judged":
                reasons[(outcome.set_name, each.why)] += 1
    parts = [table("statements", statements), table("functions", functions)]
    if reasons:
        parts.append("Statements not judged:\n" + "\n".join(f"  {name}: {count} × {why}" for (name, why), count in sorted(reasons.items())))
    failures = [f"  {outcome.path} {outcome.function}: {outcome.failure}" for outcome in outcomes if outcome.failure]
    if failures:
        parts.append("Not runnable:\n" + "\n".join(failures))
    faults = [fault_text(outcome, each) for outcome in outcomes for each in outcome.verdicts if each.verdict in WRONG]
    parts.append("\n".join(["Wrong:", *faults]) if faults else "Nothing is wrong.")
    return "\n\n".join(parts), bool(faults)
