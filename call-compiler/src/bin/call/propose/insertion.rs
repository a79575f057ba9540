//! Directives put into files: what changes is shown, and written where that is wanted.

use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;

use call_compiler::BlockCounts;
use call_grammar::{counted as counted_as, printable};

use super::comments;
use super::insert::inserted;
use super::macro_pragmas::{Pragmas, written_out};
use super::often::Frequency;
use super::processors::{CallsToOtherFiles, ProcessorBounds, parallel_kind};
use crate::arguments::Propose;
use crate::{print, said, standard_input, tell, write};

/// What may be put into a file: directives, and a report where it has `main`.
pub struct Insertion {
    pub file: PathBuf,
    pub shown: String,
    pub blocks: Vec<BlockCounts>,
    pub pragmas: Pragmas,
    pub main: Option<BlockCounts>,
    pub calls: Vec<CallsToOtherFiles>,
    pub often: Frequency,
}

/// Shows what directives would change in files, and changes those where that is wanted.
pub fn insert(insertions: &[Insertion], arguments: &Propose) -> Result<(), String> {
    // What takes the same time always is not worth a measurement, unless it is asked for.
    let least = match (&arguments.hot, &arguments.only[..]) {
        (Some(_), _) => 0,
        (None, []) => 2,
        (None, _) => 1,
    };
    let calls: Vec<CallsToOtherFiles> = insertions.iter().flat_map(|its| its.calls.clone()).collect();
    let processors = ProcessorBounds::of(&calls);
    let mut changes = Vec::new();
    for its in insertions {
        if standard_input::is(&its.file) {
            return Err("directives cannot be put into standard input: name a file".to_owned());
        }
        let source =
            fs::read_to_string(&its.file).map_err(|error| format!("cannot read {}: {error}", its.shown))?;
        let is_known = |block: &&BlockCounts| block.terms.len() >= least || !block.variables().is_empty();
        let known: Vec<BlockCounts> = its.blocks.iter().filter(is_known).cloned().collect();
        let code = written_out(&comments::blanked(&source), &its.pragmas);
        let inserted = inserted(&source, code, &known, (&processors, &its.often));
        inserted.left_out.iter().for_each(|why| tell(&said(&format!("{}: {why}", its.shown))));
        changes.push((its, source, inserted));
    }
    if changes.iter().all(|(_, _, inserted)| inserted.count == 0 && !inserted.is_measured) {
        let shown: Vec<&str> = insertions.iter().map(|its| &its.shown[..]).collect();
        return Err(format!(
            "{}: no proposal has a formula or variables, and a place of its own",
            shown.join(", ")
        ));
    }
    let reports = changes.iter().any(|(_, source, _)| source.contains("cll report"));
    let sources: Vec<&str> = changes.iter().map(|(_, _, inserted)| inserted.code()).collect();
    let says_kind = sources.iter().any(|source| source.contains("cll parallel"));
    let kind = if says_kind { None } else { parallel_kind(&sources, &calls) };
    if !reports && insertions.iter().all(|its| its.main.is_none()) {
        tell(&said(
            "no function `main` is in these files: put `#pragma cll report all` where the program ends",
        ));
    }
    for (its, source, mut inserted) in changes {
        if let Some(main) = its.main.as_ref().filter(|_| !reports) {
            if main.begin.line == main.end.line {
                let line = main.begin.line;
                tell(&said(&format!(
                    "{}: line {line}: `main` stands in one line: put `#pragma cll report all` before its end, in a line of its own",
                    its.shown
                )));
            } else {
                inserted.add_report(main, &processors, kind);
            }
        }
        let text = inserted.text(&source);
        if text == source {
            continue;
        }
        print(inserted.difference(&its.shown, &source).as_bytes());
        let what = match inserted.count {
            0 => "the report".to_owned(),
            count => counted_as(count, "experiment"),
        };
        if is_agreed(&its.shown, &what, arguments)? {
            write::changed(vec![write::OutputFile {
                path: its.file.clone(),
                contents: text.into_bytes(),
                executable: false,
            }])?;
            tell(&said(&format!("{}: wrote {what}", its.shown)));
        }
    }
    Ok(())
}

/// Asks, unless the answer is known.
fn is_agreed(shown: &str, what: &str, arguments: &Propose) -> Result<bool, String> {
    if arguments.yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        tell(&said(&format!("{shown}: {what}; nothing is written without --yes")));
        return Ok(false);
    }
    tell(&format!("write {what} into {}? [y/N] ", printable(shown)));
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(|error| format!("cannot read an answer: {error}"))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
