//! `call propose`: formulas for the blocks of programs, from their sources.

mod json;
mod text;

use std::path::Path;
use std::process::ExitCode;

use call_compiler::{BlockCounts, BlockKind, count};

use crate::arguments::{Format, Propose};
use crate::compile_commands::{Compile, for_preprocessor};
use crate::preprocess::{compiler_of_environment, preprocess};
use crate::{print, runtime_directory, standard_input};

pub fn propose(arguments: &Propose) -> Result<ExitCode, String> {
    let include = runtime_directory::prepare()?.join("include");
    let mut found_any = false;
    for file in &arguments.files {
        let compile = Compile {
            file: file.clone(),
            directory: std::path::PathBuf::new(),
            compiler: compiler_of_environment(),
            flags: for_preprocessor(&arguments.flags, None),
        };
        let shown = if standard_input::is(file) {
            standard_input::SHOWN.to_owned()
        } else {
            file.display().to_string()
        };
        let blocks = wanted(counted(&compile, &include, &shown)?, arguments);
        found_any |= !blocks.is_empty();
        let output = match arguments.format {
            Some(Format::Json) => json::line(&shown, &blocks),
            None => text::proposals(&shown, &blocks, arguments.statements),
        };
        print(output.as_bytes());
    }
    match (found_any, &arguments.only[..]) {
        (true, _) => Ok(ExitCode::SUCCESS),
        (false, []) => Err("no function with a body is in these files".to_owned()),
        (false, names) => Err(format!("no function or loop is named {}", names.join(", "))),
    }
}

/// The blocks of a file, as the preprocessor makes it.
fn counted(compile: &Compile, include: &Path, shown: &str) -> Result<Vec<BlockCounts>, String> {
    Ok(count(shown, &preprocess(compile, include)?))
}

fn wanted(blocks: Vec<BlockCounts>, arguments: &Propose) -> Vec<BlockCounts> {
    let is_named = |block: &BlockCounts| arguments.only.is_empty() || arguments.only.contains(&block.name);
    // A function without loops and calls takes the same time always.
    let is_constant = |block: &BlockCounts| {
        block.kind == BlockKind::Function && block.terms.len() == 1 && block.uncounted.is_empty()
    };
    let all = arguments.all || !arguments.only.is_empty() || arguments.format.is_some();
    blocks.into_iter().filter(|block| is_named(block) && (all || !is_constant(block))).collect()
}
