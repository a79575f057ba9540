use call_model::question::speedup;
use call_report::{Axis, Figure, Kinds, Reference, ReferenceLine, Series};

use super::space::Space;
use super::{PlotKind, distinct};
use crate::command::question::{Question, no_answer};
use crate::command::speedups::{base_text, measured_speedups};
use crate::command::subject;
use crate::error::code;
use crate::{CommandOutcome, Error, Picture, Session};
use call_model::PROCESSORS;

/// Speed-up or efficiency over the number of processors, predicted and measured.
pub fn picture(
    session: &mut Session,
    question: &Question,
    kind: PlotKind,
    base: Option<f64>,
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    let is_efficiency = kind == PlotKind::Efficiency;
    let what = if is_efficiency { "an efficiency is" } else { "a speed-up is" };
    subject::check_time(what, &question.subjects, &question.end)?;
    let mut series = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut by = String::new();
    let mut has_measured = false;
    for subject in &question.subjects {
        let space = Space::of(session, subject, question)?;
        let Some(axis) = space.names.iter().position(|name| name == PROCESSORS) else {
            let message = format!("{} does not depend on {PROCESSORS}", subject.noun());
            return Err(Error::at(code::UNKNOWN_VARIABLE, question.end.clone(), message));
        };
        let given = question.given.iter().find(|one| one.name == PROCESSORS).map(|one| one.values.as_slice());
        let processors = distinct(given.unwrap_or(space.column(PROCESSORS)));
        if processors.is_empty() {
            return Err(crate::command::points::missing_value(PROCESSORS, question.end.clone()));
        }
        for others in space.combinations(&[axis], question)? {
            let fixed: Vec<(&str, f64)> = space
                .names
                .iter()
                .zip(&others)
                .enumerate()
                .filter(|(index, _)| *index != axis)
                .map(|(_, (name, value))| (name.as_str(), *value))
                .collect();
            let slice = call_model::Slice::new(subject.predictor(), &[PROCESSORS], &fixed);
            let answer = speedup(&slice, &processors, base, session.level()).map_err(no_answer)?;
            question.tell(outcome, answer.rows.iter().map(|row| &row.forecast));
            if answer.base != 1.0 {
                let note = format!("relative to {}", base_text(&answer, ""));
                notes.extend((!notes.contains(&note)).then_some(note));
            }
            let shown = |processors: f64, speedup: f64| {
                (processors, if is_efficiency { speedup / processors } else { speedup })
            };
            let measured = space.prepared.as_ref().filter(|_| subject.machine.is_none());
            let measured = measured.map(|prepared| measured_speedups(prepared, &fixed, answer.base));
            let points: Vec<(f64, f64)> =
                measured.unwrap_or_default().into_iter().map(|(p, speedup)| shown(p, speedup)).collect();
            has_measured |= !points.is_empty();
            let text = space.label(&[axis], &others);
            let several = question.subjects.len() > 1;
            series.push(Series {
                label: match (text.is_empty(), several) {
                    (true, _) => subject.label(),
                    (false, true) => format!("{}, {text}", subject.label()),
                    (false, false) => text,
                },
                value: (others.len() == 2 && !several).then(|| others[1 - axis]),
                points,
                curve: answer.rows.iter().map(|row| shown(row.processors, row.speedup)).collect(),
                sampled: space.sampled(axis),
                ..Series::default()
            });
        }
        notes.extend(space.note().filter(|note| !notes.contains(note)));
        by = space.others(&[axis]).first().copied().unwrap_or_default().to_owned();
    }
    let (title, line) = match is_efficiency {
        true => ("efficiency", ReferenceLine::Horizontal(1.0)),
        false => ("speed-up", ReferenceLine::Proportional(1.0)),
    };
    let mut names: Vec<&str> = question.subjects.iter().map(|subject| subject.predictor().name()).collect();
    names.dedup();
    let measured = if has_measured { "measured and predicted" } else { "predicted" };
    Ok(Picture::Figure(Figure {
        title: format!("{}: {measured} {title}", names.join(", ")),
        x: Axis::new(PROCESSORS),
        y: if is_efficiency { Axis::linear(title) } else { Axis::new(title) },
        series,
        by: Axis::new(by),
        references: vec![Reference { label: "ideal".to_owned(), line }],
        kinds: Kinds { curve: "predicted".to_owned(), ..Kinds::default() },
        notes,
        ..Figure::default()
    }))
}
