"""What a run found, as text."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import median

STAGES = {"warnings": "new", "lost": "lost", "lines": "on another line"}
TITLES = ["project", "files", "refused", "functions", "skipped", "files with", "translated", "compiled", "same warnings", "tests", "s"]


@dataclass
class Row:
    """Numbers of one project. A file that is compiled twice counts once, and as well as the worse of the two."""

    project: str
    files: int = 0
    refused: int = 0
    functions: int = 0
    with_variable: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    files_with: int = 0
    translated: int = 0
    compiled: int = 0
    same_warnings: int = 0
    flow_warnings: int = 0
    preprocess_ms: float = 0
    call_ms: float = 0
    ratios: list[float] = field(default_factory=list)  # of each file, call over cc -E
    seconds: float = 0
    failures: list[dict] = field(default_factory=list)
    tests: dict[str, str] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)
    built: bool = True

    @staticmethod
    def of(project: str, log: list[dict], tests: dict[str, str], trouble: list[str], built: bool, seconds: float) -> "Row":
        row = Row(project, tests=tests, trouble=trouble, built=built, seconds=seconds)
        by_file: dict[str, list[dict]] = {}
        for outcome in log:
            by_file.setdefault(outcome["file"], []).append(outcome)
        for outcomes in by_file.values():
            row.add(outcomes)
        return row

    def add(self, outcomes: list[dict]) -> None:
        self.files += 1
        accepted = [outcome for outcome in outcomes if outcome["accepted"]]
        if not accepted:
            self.refused += 1
            return
        first = accepted[0]
        self.functions += first["annotated"]
        self.with_variable += first["with_variable"]
        self.skipped.update(first["skipped"])
        if first["annotated"]:
            self.files_with += 1
            self.translated += all(outcome["translated"] for outcome in accepted)
            self.compiled += all(outcome["compiled"] for outcome in accepted)
            self.same_warnings += all(outcome["same_warnings"] for outcome in accepted)
        self.flow_warnings += max(outcome["flow_warnings"] for outcome in accepted)
        for outcome in accepted:
            self.preprocess_ms += outcome["preprocess_ms"]
            self.call_ms += outcome["call_ms"]
            if outcome["call_ms"] and outcome["preprocess_ms"]:
                self.ratios.append(outcome["call_ms"] / outcome["preprocess_ms"])
        failed = next((outcome for outcome in accepted if outcome["failures"]), None)
        if failed:
            self.failures += [{**failure, "file": failed["file"], "project": self.project} for failure in failed["failures"]]

    @property
    def is_well(self) -> bool:
        return self.built and self.files > self.refused and not self.failures and not self.trouble

    def cells(self) -> list[str]:
        tests = ", ".join(f"{name} {self.tests[name]}" for name in ("plain", "runtime", "checking") if name in self.tests)
        numbers = [self.files, self.refused, self.functions, sum(self.skipped.values()), self.files_with, self.translated]
        numbers += [self.compiled, self.same_warnings]
        return [self.project, *map(str, numbers), tests or ("-" if self.built else "not built"), f"{self.seconds:.0f}"]


def total(rows: list[Row]) -> Row:
    names = "files refused functions with_variable files_with translated compiled same_warnings flow_warnings preprocess_ms call_ms seconds"
    whole = Row("total", **{name: sum(getattr(row, name) for row in rows) for name in names.split()})
    for row in rows:
        whole.skipped.update(row.skipped)
        whole.failures += row.failures
        whole.ratios += row.ratios
    return whole


def table_text(rows: list[Row], header: bool = True) -> str:
    lines = [TITLES] if header else []
    lines += [row.cells() for row in rows]
    if header and len(rows) > 1:
        lines.append(total(rows).cells())
    widths = [max(len(title), *(len(line[at]) for line in lines)) for at, title in enumerate(TITLES)]
    last = len(TITLES) - 2
    text = [" ".join(cell.ljust(width) if at in (0, last) else cell.rjust(width) for at, (cell, width) in enumerate(zip(line, widths))) for line in lines]
    return "\n".join(line.rstrip() for line in text)


def failures_text(rows: list[Row]) -> str:
    """Counts, then each failure with the command that shows it again."""
    whole = total(rows)
    lines = ["", f"experiments: {whole.functions}, {whole.with_variable} of them with a variable"]
    for reason, count in sorted(whole.skipped.items()):
        lines.append(f"functions skipped: {count} ({reason})")
    if whole.preprocess_ms:
        lines.append(
            f"time: cc -E {whole.preprocess_ms / 1000:.1f} s, call {whole.call_ms / 1000:.1f} s: ratio {whole.call_ms / whole.preprocess_ms:.2f}"
            + (f", of the median file {median(whole.ratios):.2f}" if whole.ratios else "")
        )
    lines.append(f"warnings of the optimiser that differ (no fault): {whole.flow_warnings}")
    for row in rows:
        if "begins" in row.tests:
            example = f", for example {row.tests['example']}" if "example" in row.tests else ""
            lines.append(f"{row.project}: tests began {row.tests['begins']} measurements, {row.tests['abandoned']} abandoned{example}")
        lines += [f"{row.project}: {trouble}" for trouble in row.trouble]
    stages = Counter(failure["stage"] for failure in whole.failures)
    kinds = Counter((failure["stage"], kind) for failure in whole.failures for kind in failure.get("kinds", []))
    for (stage, kind), count in kinds.most_common():
        lines.append(f"{STAGES[stage]}: {kind} in {count} files")
    lines.append("failures: " + (", ".join(f"{count} {stage}" for stage, count in stages.most_common()) or "none"))
    for failure in whole.failures:
        message = failure["message"].replace("\n", "\n    ")
        lines += ["", f"{failure['project']}: {failure['file']}: {failure['stage']}", f"    {message}", f"    $ {failure['command']}"]
    return "\n".join(lines) + "\n"
