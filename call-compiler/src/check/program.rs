//! The directives that speak of the whole program.

use call_grammar::{Begin, DirectiveKind, Parallel, ParallelKind, Report};

use crate::error::Error;
use crate::subject::DirectiveSubject;

pub fn check(subject: &DirectiveSubject) -> Vec<Error> {
    let mut errors = Vec::new();
    if let Some(parallel) = &subject.outline.parallel {
        said_of_the_program(parallel, &mut errors);
    }
    for (occurrence, directive) in subject.directives.iter().enumerate() {
        match &directive.kind {
            DirectiveKind::Uses(libraries) => {
                let others = libraries.iter().filter(|library| library.text != "PAPI");
                errors.extend(
                    others.map(|other| Error::UsesIgnored { span: other.span, name: other.text.clone() }),
                );
            }
            DirectiveKind::Script(_) => errors.push(Error::ScriptIgnored { span: directive.span }),
            DirectiveKind::Begin(begin) => {
                synchronisation(subject, begin, &mut errors);
            }
            DirectiveKind::Report(report) => errors.extend(too_early(subject, occurrence, report)),
            _ => {}
        }
    }
    errors
}

fn said_of_the_program(parallel: &Parallel, errors: &mut Vec<Error>) {
    let kind = parallel.kind.to_string();
    if parallel.kind == ParallelKind::Pvm {
        return errors.push(Error::KindNotSupported { span: parallel.kind_span, kind });
    }
    if let Some(span) = parallel.supersteps
        && !matches!(parallel.kind, ParallelKind::Pub | ParallelKind::BspLib)
    {
        errors.push(Error::NoSupersteps { span, kind: kind.clone() });
    }
    if let Some(span) = parallel.events
        && !matches!(parallel.kind, ParallelKind::Mpi | ParallelKind::OpenMp)
    {
        errors.push(Error::NoEvents { span, kind: kind.clone() });
    }
    if let Some(object) = &parallel.object
        && !matches!(parallel.kind, ParallelKind::Pub | ParallelKind::Mpi)
    {
        errors.push(Error::MachineIgnored { span: object.span, machine: object.text.clone(), kind });
    }
}

fn synchronisation(subject: &DirectiveSubject, begin: &Begin, errors: &mut Vec<Error>) {
    let span = begin.name.span;
    if !begin.is_synchronised {
        let is_of_mpi = subject.kind() == Some(ParallelKind::Mpi);
        errors.extend((begin.machine.is_some() && !is_of_mpi).then_some(Error::OnIgnored { span }));
        return;
    }
    match (subject.kind(), &subject.outline.parallel) {
        (None, _) => errors.push(Error::SyncWithoutMachine { span }),
        (Some(ParallelKind::Sequential), Some(parallel)) => {
            errors.push(Error::SyncInSequential { span, parallel: parallel.kind_span });
        }
        _ => {}
    }
}

/// A report before the experiments that it reports, in the one function that has them all.
fn too_early(subject: &DirectiveSubject, report: usize, names: &Report) -> Option<Error> {
    let reported = |name: &str| match names {
        Report::All => true,
        Report::Names(names) => names.iter().any(|reported| reported.text == name),
    };
    let begins =
        subject.places().filter(|(index, _)| reported(subject.name(*index))).map(|(_, place)| place.begin);
    let begins: Vec<usize> = begins.collect();
    let first = *begins.iter().min()?;
    let inside_loop = subject.outline.loops.iter().any(|around| around.begin < report && report < around.end);
    let in_one_function = begins.iter().all(|begin| subject.surroundings.around(report, *begin).is_some());
    (report < first && in_one_function && !inside_loop)
        .then(|| Error::ReportBefore { span: subject.span(report), begin: subject.span(first) })
}
