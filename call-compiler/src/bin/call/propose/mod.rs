//! `call propose`: formulas for the blocks of programs, from their sources.

mod call_graph;
mod callers;
mod comments;
mod compare;
mod growth;
mod hot;
mod insert;
mod insertion;
mod json;
mod macro_pragmas;
mod main_body;
mod measured;
mod often;
mod outermost_lines;
mod processor_names;
mod processors;
mod regions;
mod renamed;
mod shared;
mod sizes;
mod text;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use call_compiler::{BlockCounts, BlockKind, count};

use call_grammar::{counted as counted_as, printable};

use crate::arguments::{MessageFormat, Propose};
use crate::compile_commands::{Compile, for_preprocessor};
use crate::preprocess::{preprocess, preprocess_text};
use insertion::{Insertion, insert};
use macro_pragmas::Pragmas;

use crate::{mpi_compiler, print, runtime_directory, said, standard_input, tell};

pub fn propose(arguments: &Propose) -> Result<ExitCode, String> {
    let runtime = runtime_directory::prepare()?;
    let include = runtime.join("include");
    let flags = for_preprocessor(&arguments.flags, None);
    let compiler = mpi_compiler::of_files(&arguments.files, &flags, &include, &runtime)?;
    let of_file = |file: &PathBuf| {
        let compile = Compile { compiler: compiler.clone(), ..Compile::of_environment(file, flags.clone()) };
        counted(&compile, &include)
    };
    if arguments.diff {
        let [old, new] = &arguments.files[..] else {
            return Err("--diff takes two versions of a file: call propose --diff OLD NEW".to_owned());
        };
        // Each version by itself: one of them may share its loops among threads.
        let divided = |file: &PathBuf| {
            let mut files = [(file.clone(), of_file(file)?)];
            divide_among_threads(&mut files, false);
            let [(_, counted)] = files;
            Ok::<_, String>(counted)
        };
        let (old, new) = (divided(old)?, divided(new)?);
        let comparison = compare::compared(&new.shown, &old.blocks, &new.blocks);
        comparison.lines.iter().for_each(|line| print(format!("{}\n", printable(line)).as_bytes()));
        return Ok(ExitCode::from(match comparison.verdict {
            compare::GrowthVerdict::Fine => 0,
            compare::GrowthVerdict::Worse => 1,
            compare::GrowthVerdict::CannotTell => 3,
        }));
    }
    let (mut found_any, mut has_functions) = (false, false);
    let mut files = Vec::new();
    let mut refused = Vec::new();
    for file in &arguments.files {
        match of_file(file) {
            Ok(counted) => files.push((file.clone(), counted)),
            Err(message) if arguments.files.len() == 1 => return Err(message),
            // One that is no part of this program keeps nobody from proposals for the others.
            Err(message) => {
                tell(&said(message.trim_end()));
                refused.push(file.display().to_string());
            }
        }
    }
    divide_among_threads(&mut files, true);
    let hot_blocks = match &arguments.hot {
        None => None,
        Some(command) => {
            let blocks: Vec<(PathBuf, Vec<BlockCounts>)> =
                files.iter().map(|(file, its)| (file.clone(), its.blocks.clone())).collect();
            Some(hot::hot(command, &blocks, &runtime)?)
        }
    };
    let mut insertions = Vec::new();
    for (number, (file, CountedFile { shown, blocks, pragmas, .. })) in files.into_iter().enumerate() {
        let main =
            blocks.iter().find(|block| block.kind == BlockKind::Function && block.name == "main").cloned();
        has_functions |= !blocks.is_empty();
        let calls = if arguments.insert { processors::calls(&blocks) } else { Vec::new() };
        let often =
            if arguments.insert { often::Frequency::of(&blocks) } else { often::Frequency::default() };
        let blocks = match &hot_blocks {
            None => wanted(blocks, arguments),
            Some(hot) => {
                let is_hot = |block: &BlockCounts| hot.contains_key(&(number, block.name.clone()));
                blocks.into_iter().filter(is_hot).collect()
            }
        };
        found_any |= !blocks.is_empty();
        if arguments.insert {
            insertions.push(Insertion { file, shown, blocks, pragmas, main, calls, often });
            continue;
        }
        if hot_blocks.is_some() && blocks.is_empty() {
            continue;
        }
        let output = match arguments.format {
            Some(MessageFormat::Json) => json::line(&shown, &blocks),
            None => text::proposals(&shown, &blocks, arguments.statements),
        };
        print(output.as_bytes());
    }
    if arguments.insert && found_any {
        insert(&insertions, arguments)?;
    }
    match (found_any, &arguments.only[..]) {
        _ if !refused.is_empty() => Err(format!(
            "{} of {} left out: {}",
            refused.len(),
            counted_as(arguments.files.len(), "file"),
            refused.join(", ")
        )),
        (true, _) => Ok(ExitCode::SUCCESS),
        (false, []) if has_functions && hot_blocks.is_none() => {
            Err("no function in these files has a loop or a call: --all proposes for the others".to_owned())
        }
        (false, []) => Err("no function with a body is in these files".to_owned()),
        (false, names) => Err(format!("no function or loop is named {}", names.join(", "))),
    }
}

/// Threads share loops in files of an OpenMP program; in one of MPI the processors are processes, and what is no whole program may be one.
fn divide_among_threads(files: &mut [(PathBuf, CountedFile)], is_whole_needed: bool) {
    let is_main = |block: &BlockCounts| block.kind == BlockKind::Function && block.name == "main";
    let calls: Vec<processors::CallsToOtherFiles> =
        files.iter().flat_map(|(_, its)| processors::calls(&its.blocks)).collect();
    let is_of_mpi = calls.iter().any(|(_, called)| called.iter().any(|name| name.starts_with("MPI_")));
    let is_whole = files.iter().any(|(_, its)| its.blocks.iter().any(is_main));
    if is_of_mpi || is_whole_needed && !is_whole {
        return;
    }
    let written_out = |(_, its): &(PathBuf, CountedFile)| {
        macro_pragmas::written_out(&comments::blanked(&its.source), &its.pragmas)
    };
    let sources: Vec<String> = files.iter().map(written_out).collect();
    let shown: Vec<&str> = sources.iter().map(String::as_str).collect();
    if processors::parallel_kind(&shown, &calls) == Some("OpenMP") {
        for ((_, its), source) in files.iter_mut().zip(&sources) {
            shared::divide(source, &mut its.blocks);
        }
    }
}

/// What is found in a file.
struct CountedFile {
    shown: String,
    /// Its text; of bytes that are none nothing.
    source: String,
    blocks: Vec<BlockCounts>,
    pragmas: Pragmas,
}

/// The blocks of a file, as the preprocessor makes it, and the pragmas that it has.
fn counted(compile: &Compile, include: &Path) -> Result<CountedFile, String> {
    let text = compile.source()?;
    let of_file = |blocks, pragmas| {
        let source = String::from_utf8(text.clone()).unwrap_or_default();
        Ok(CountedFile { shown: compile.shown(), source, blocks, pragmas })
    };
    let mut as_numbers = BTreeSet::new();
    loop {
        let sizes::WithSizes { source, flags, sizes } =
            sizes::kept_as_names(&text, &compile.flags, &as_numbers);
        let with_sizes = Compile { flags, ..compile.clone() };
        let (with_numbers, with_names) = std::thread::scope(|scope| {
            let names =
                (!sizes.is_empty()).then(|| scope.spawn(|| preprocess_text(&with_sizes, &source, include)));
            let numbers = preprocess(compile, include);
            (numbers, names.and_then(|thread| thread.join().ok()))
        });
        let with_numbers = with_numbers?;
        let pragmas = macro_pragmas::of_preprocessed(&with_numbers);
        let Some(Ok(with_names)) = with_names
            .filter(|names| names.as_ref().is_ok_and(|names| sizes::is_same(names, &with_numbers, &sizes)))
        else {
            return of_file(count(&compile.shown(), &with_numbers), pragmas);
        };
        let blocks = count(standard_input::SHOWN, &with_names);
        let early = sizes::named_too_early(&blocks, &sizes);
        if early.is_empty() {
            return of_file(blocks, pragmas);
        }
        as_numbers.extend(early);
    }
}

fn wanted(blocks: Vec<BlockCounts>, arguments: &Propose) -> Vec<BlockCounts> {
    let is_named = |block: &BlockCounts| arguments.only.is_empty() || arguments.only.contains(&block.name);
    // A function without loops and calls takes the same time always.
    let is_constant = |block: &BlockCounts| {
        block.kind == BlockKind::Function && block.terms.len() == 1 && block.uncounted.is_empty()
    };
    // What a function does beside its one loop takes no time to speak of, but only the loop may begin behind a condition.
    let mut functions: HashMap<&str, Vec<&BlockCounts>> = HashMap::new();
    for function in blocks.iter().filter(|block| block.kind == BlockKind::Function) {
        functions.entry(&function.name).or_default().push(function);
    }
    let has_bases_of = |block: &BlockCounts, function: &BlockCounts| {
        let bases =
            |block: &BlockCounts| block.terms.iter().map(|term| term.basis.clone()).collect::<Vec<_>>();
        bases(block) == bases(function)
    };
    let is_all_of_function = |block: &BlockCounts| {
        let mut around =
            block.name.match_indices('_').filter_map(|(end, _)| functions.get(&block.name[..end]));
        block.kind == BlockKind::Loop
            && !block.terms.is_empty()
            && around.any(|functions| {
                functions.iter().any(|its| its.read_under_condition().is_none() && has_bases_of(block, its))
            })
    };
    let all = arguments.all || !arguments.only.is_empty() || arguments.format.is_some();
    let is_wanted =
        |block: &BlockCounts| is_named(block) && (all || !is_constant(block) && !is_all_of_function(block));
    let are_wanted: Vec<bool> = blocks.iter().map(is_wanted).collect();
    blocks.into_iter().zip(are_wanted).filter(|(_, is_wanted)| *is_wanted).map(|(block, _)| block).collect()
}
