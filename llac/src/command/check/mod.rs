//! `check BASELINE NEW…`: whether new runs are worse than those of a saved model.

mod circumstances;
mod columns;
mod comparable;
mod document;
mod measured;
mod same_runs;
mod sentence;
mod tables;
mod wanted;

use call_check::{CheckReport, OutlyingRun, StructureChange, Verdict, check, structure};
use call_report::number;
use call_trace::LineRange;

use super::{Command, CommandArguments, LineClauses};
use crate::loaded_model::LoadedModel;
use crate::{AnswerStatus, CommandOutcome, Completion, Error, Markup, Message, Session, Style};
use measured::Measured;
use wanted::GateRequest;

pub use document::formats;
pub use wanted::share;

pub const CHECK: Command = Command {
    name: "check",
    usage: "check BASELINE NEW… [tolerance SHARE] [tolerance CONSTANT SHARE] [at VARIABLE=VALUE…] [require LIMIT] [alarms SHARE] [looks COUNT] [better=higher|lower] [as FORMAT]",
    summary: "tell whether new runs are worse than a baseline",
    details: "BASELINE is a model that `save model` has written, best of five or more runs; NEW are traces of new runs, or a model of them. The formula of \
        the baseline is fitted to each run, and constants are compared, with what runs scatter by. Worse is what rose significantly and by more than the \
        tolerance (3 % if nothing is said; `tolerance f[1] 10%` for one constant); fine is what surely did not. Else it cannot tell, and says how many runs would. The \
        exit status is 0 (fine), 1 (worse), 3 (cannot tell) or 2 (an error).\n\
        `at N=1e6 P=64` judges the time there instead of the constants. `require 'f(N=1e6,P=64) < 2s'` is a limit. `alarms 1%` is how \
        often all tests together may alarm without reason. Who looks at runs again and again while more are made says how often at most, `looks 4`, so that \
        the rates hold for all looks together (`call run --until-sure` does that). Of rates (GFLOPS, MB/s, IPC, speed-up) worse is what fell; `better=higher` \
        or `better=lower` says so where the unit does not.\n\
        `as markdown`, `github` (annotations), `junit` or `bencher` writes for other tools, `into FILE` into a file.",
    completions: &[Completion::File],
    behind: &[
        ("as", Completion::CheckFormat),
        ("tolerance", Completion::Constant),
        ("alarms", Completion::Nothing),
        ("looks", Completion::Nothing),
        ("require", Completion::Nothing),
        ("at", Completion::Nothing),
    ],
    clauses: LineClauses::Own,
    run,
    ..Command::PLAIN
};

/// So many runs are named.
const FEW: usize = 3;

/// What there is to tell of a check.
struct Checked<'a> {
    baseline: &'a LoadedModel,
    report: CheckReport,
    changes: Vec<StructureChange>,
    /// Where the directive stands: the source file, and its lines.
    source: String,
    lines: Vec<LineRange>,
    /// What is to be said of points where the clock showed no time.
    lost: Option<String>,
    /// Variables that had several values in the baseline, and have one in the new runs.
    unvaried: Vec<String>,
    /// The share of intervals that hold.
    level: f64,
}

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    let words = wanted::words(arguments)?;
    let baseline = measured::baseline(session, words.baseline)?;
    let wanted = GateRequest::of(&words, &baseline, session)?;
    let unit = baseline.model().unit();
    let old =
        same_runs::once(measured::runs_of_file(&baseline.file), unit, "runs of the baseline", &mut outcome);
    let new = Measured::of(session, &baseline, &words, arguments, &mut outcome)?;
    let mut report = check(baseline.model(), &old, &new.runs, &wanted.request);
    // Nobody knows what became of what was not measured.
    if new.lost.is_some() && report.verdict == Verdict::Fine {
        report.verdict = Verdict::CannotTell;
    }
    let changes = match &new.prepared {
        Some(prepared) => {
            let forecaster = baseline.forecaster(session.machine_in_use());
            structure(&forecaster, prepared, wanted.request.level)?
        }
        None => Vec::new(),
    };
    let checked = Checked {
        baseline: &baseline,
        report,
        changes,
        source: new.source,
        lines: new.lines,
        lost: new.lost,
        unvaried: new.prepared.as_ref().map_or(Vec::new(), |new| measured::unvaried(baseline.model(), new)),
        level: wanted.request.level,
    };
    outcome.is_gate = true;
    outcome.answer = match checked.report.verdict {
        Verdict::Fine => AnswerStatus::Given,
        Verdict::Worse => AnswerStatus::No,
        Verdict::CannotTell => AnswerStatus::Unknown,
    };
    wanted.tell_extrapolation(&baseline, session, &mut outcome);
    checked.tell(&mut outcome);
    outcome.value = match wanted.format {
        Some(format) => document::written(format, &checked),
        None => checked.markup(),
    };
    Ok(outcome)
}

impl Checked<'_> {
    fn name(&self) -> &str {
        &self.baseline.name
    }

    fn markup(&self) -> Markup {
        let mut markup = Markup::new();
        let style = match self.report.verdict {
            Verdict::Fine => Style::Strong,
            Verdict::CannotTell | Verdict::Worse => Style::Warning,
        };
        let (before, after) = self.report.runs;
        let runs = format!(" ({} against {before} of the baseline)", call_grammar::counted(after, "run"));
        let verdict = format!("{}: {}", self.name(), sentence::verdict(self.report.verdict));
        markup.fragments([(style, verdict), (Style::Plain, runs)]);
        for line in sentence::all(self) {
            markup.line(Style::Plain, format!("  {line}"));
        }
        markup.table(tables::findings(self));
        if !self.report.requirements.is_empty() {
            markup.table(tables::requirements(self));
        }
        markup.data(tables::tests(self));
        markup.data(tables::verdict(self));
        markup
    }

    /// `a.dat on node7 (f[1] by 30 %)`.
    fn outlying(&self, run: &OutlyingRun) -> String {
        let host = run.machine.split(':').next().unwrap_or_default();
        let on = if host.is_empty() { String::new() } else { format!(" on {host}") };
        let by = number::significant(100.0 * run.by, 2);
        format!("{}{on} ({} by {by} %)", run.run, sentence::subject(self, &run.subject))
    }

    /// What is to be known of the runs and of the formula.
    fn tell(&self, outcome: &mut CommandOutcome) {
        let report = &self.report;
        let mut warnings = Vec::new();
        for (is_new, group) in [(false, "the baseline"), (true, "the new runs")] {
            let far: Vec<&OutlyingRun> = report.outlying.iter().filter(|run| run.is_new == is_new).collect();
            if !far.is_empty() {
                let shown: Vec<String> = far.iter().take(FEW).map(|run| self.outlying(run)).collect();
                let more = match far.len().saturating_sub(FEW) {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                let text = format!("far from the others of {group}: {}{more}", shown.join(", "));
                warnings.push(Message::new("outlying-run", text));
            }
        }
        for machine in &report.other_machines {
            let text = format!(
                "new runs are from {machine}, and none of the baseline is: what differs may be the machine"
            );
            warnings.push(Message::new("other-machine", text));
        }
        warnings.extend(self.changes.iter().map(sentence::structure));
        outcome.warnings.extend(warnings.into_iter().map(|warning| warning.about(self.name())));
        if !report.same_design && report.runs.0 > 1 {
            let text = "not all runs measured the same points: what the formula misses may differ between them, and counts as noise";
            outcome.notes.push(Message::new("other-points", text).about(self.name()));
        }
    }
}
