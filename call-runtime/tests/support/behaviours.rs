//! Programs that show one behaviour each, in a folder below tests/programs; the first comment of each says how it ends.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Flavour, Run, root};

/// A start over MPI is mostly waiting.
const WORKERS: usize = 3;

#[derive(Debug)]
enum End {
    /// It prints `ok`.
    Well,
    /// With status 2 and this message.
    Told(String),
    /// With a status other than 0, soon.
    Badly,
}

#[derive(Debug)]
struct Behaviour {
    name: String,
    end: End,
    least_processors: usize,
}

/// `/* ok: ...`, `/* fails with "MESSAGE": ...` or `/* dies: ...`; before the colon there may be ` from N processors`.
fn behaviour(name: &str, text: &str) -> Option<Behaviour> {
    let comment = text.strip_prefix("/* ")?;
    let (end, rest) = if let Some(quoted) = comment.strip_prefix("fails with \"") {
        let (message, rest) = quoted.split_once('"')?;
        (End::Told(message.to_owned()), rest)
    } else if let Some(rest) = comment.strip_prefix("dies") {
        (End::Badly, rest)
    } else {
        (End::Well, comment.strip_prefix("ok")?)
    };
    let least_processors = match rest.split_once(':')?.0 {
        "" => 1,
        condition => condition.strip_prefix(" from ")?.strip_suffix(" processors")?.parse().ok()?,
    };
    Some(Behaviour { name: name.to_owned(), end, least_processors })
}

fn of_program(path: &Path) -> Behaviour {
    let name = path.file_stem().expect("a program has a name").to_string_lossy();
    let text = fs::read_to_string(path).expect("a program can be read");
    behaviour(&name, &text).unwrap_or_else(|| panic!("{name}: the first line does not say how it ends"))
}

fn behaviours(folder: &str) -> Vec<Behaviour> {
    let mut found: Vec<Behaviour> = fs::read_dir(root().join("tests/programs").join(folder))
        .expect("the directory of programs can be read")
        .map(|entry| entry.expect("a directory entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| of_program(&path))
        .collect();
    found.sort_by(|left, right| left.name.cmp(&right.name));
    assert!(found.len() > 5, "only {} programs", found.len());
    found
}

fn check(flavour: Flavour, folder: &str, behaviour: &Behaviour, processors: usize) {
    let run = Run::of(flavour, &format!("{folder}/{}", behaviour.name)).on(processors);
    match &behaviour.end {
        End::Well => assert_eq!(run.succeed().stdout, "ok\n", "{run:?}"),
        End::Told(message) => {
            run.fail(2, message);
        }
        End::Badly => {
            let outcome = run.outcome();
            // 124 is the status of a run that had to be ended; mpirun may be ended by the signal of its program.
            assert!(!matches!(outcome.status, Some(0 | 124)), "{run:?}: {outcome:?}");
            // The launcher of MPICH tells a crash on stdout.
            assert!(!outcome.stderr.is_empty() || !outcome.stdout.is_empty(), "{run:?} says nothing");
        }
    }
}

/// Programs that go wrong may be started with other numbers of processors: over MPI a start takes long.
pub fn check_all(
    flavour: Flavour,
    folder: &str,
    processors: &[usize],
    processors_when_wrong: &[usize],
    is_left_out: impl Fn(&str) -> bool,
) {
    if !flavour.is_available() {
        return;
    }
    let chosen: Vec<Behaviour> =
        behaviours(folder).into_iter().filter(|its| !is_left_out(&its.name)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(behaviour) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let is_well = matches!(behaviour.end, End::Well);
                    let counts = if is_well { processors } else { processors_when_wrong };
                    for &count in counts.iter().filter(|&&count| count >= behaviour.least_processors) {
                        check(flavour, folder, behaviour, count);
                    }
                }
            });
        }
    });
}
