//! `call propose --hot`: the blocks where a run of the program spends its time.

mod choice;
mod samples;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use call_compiler::{BlockCounts, BlockKind};
use call_grammar::counted;

use crate::{preprocess, programs, said, tell};
use choice::{HottestBlocks, SampledBlock};
use samples::{SampledLine, StackSamples};

/// The blocks that were chosen, by file and name, with their share of the time.
pub type HotBlocks = BTreeMap<(usize, String), f64>;

/// Less says too little of where the time goes.
const FEWEST_SAMPLES: usize = 50;

/// Runs a command, which runs the program, and finds the blocks of its files that take the time.
pub fn hot(
    command: &str,
    files: &[(PathBuf, Vec<BlockCounts>)],
    runtime: &Path,
) -> Result<HotBlocks, String> {
    let samples = sampled(command, runtime)?;
    if samples.count < FEWEST_SAMPLES {
        return Err(format!(
            "`{command}` computed too shortly to tell where its time goes: {} of 4 ms or more; let it compute for some seconds, \
             and link it dynamically, so that what measures can be loaded",
            counted(samples.count, "sample")
        ));
    }
    let paths: Vec<PathBuf> =
        files.iter().map(|(path, _)| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
    let mut ways: BTreeMap<Vec<SampledBlock>, usize> = BTreeMap::new();
    let mut outside = 0;
    for (stack, count) in &samples.stacks {
        let lines = stack.iter().flat_map(|address| samples.lines.get(address)).flatten();
        let way: Vec<SampledBlock> =
            lines.filter_map(|line| candidates(line, files, &paths)).flatten().collect();
        if way.is_empty() {
            outside += count;
        } else {
            *ways.entry(way).or_insert(0) += count;
        }
    }
    if ways.is_empty() {
        return Err(format!("no sample of `{command}` lies in these files: {}", elsewhere(&samples)));
    }
    let chosen = choice::chosen(ways, samples.count);
    report(&samples, outside, &chosen, files);
    Ok(chosen
        .blocks
        .into_iter()
        .map(|(block, share)| ((block.file, name(files, block).to_owned()), share))
        .collect())
}

/// Where the samples lie instead, and what to do.
fn elsewhere(samples: &StackSamples) -> String {
    let mut found: BTreeMap<&Path, usize> = BTreeMap::new();
    for (stack, count) in &samples.stacks {
        let lines = stack.iter().flat_map(|address| samples.lines.get(address)).flatten();
        // Those of the C library lie in a folder that it does not tell.
        let its: BTreeSet<&Path> =
            lines.filter_map(|line| line.file.as_deref()).filter(|file| file.is_absolute()).collect();
        its.into_iter().for_each(|file| *found.entry(file).or_insert(0) += count);
    }
    let mut files: Vec<(&Path, usize)> = found.into_iter().collect();
    files.sort_by_key(|(_, count)| Reverse(*count));
    let shown: Vec<String> = files.iter().take(3).map(|(file, _)| file.display().to_string()).collect();
    if shown.is_empty() {
        "compile the program with -g".to_owned()
    } else {
        format!("its time goes by in {}; name the files that it was compiled from", shown.join(", "))
    }
}

fn name(files: &[(PathBuf, Vec<BlockCounts>)], block: SampledBlock) -> &str {
    &files[block.file].1[block.block].name
}

/// Runs the command with what notes stacks loaded into its programs.
fn sampled(command: &str, runtime: &Path) -> Result<StackSamples, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder for samples: {error}"))?;
    let library = folder.path().join("hot.so");
    let compiler = preprocess::compiler_of_environment();
    let (program, first) = compiler.split_first().ok_or("no compiler is named")?;
    let status = Command::new(program)
        .args(first)
        .args(["-shared", "-fPIC", "-O2", "-w"])
        .arg(runtime.join(call_runtime::HOT_SOURCE))
        .arg("-o")
        .arg(&library)
        // Where glibc is older than 2.34 it has the timers.
        .arg("-lrt")
        .status()
        .map_err(|error| format!("cannot run the C compiler `{program}`: {error}"))?;
    if !status.success() {
        return Err(format!("`{program}` did not compile what measures (it needs Linux with glibc)"));
    }
    let mut preload = library.into_os_string();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    let base = folder.path().join("samples");
    tell(&said(&format!("running `{command}`")));
    // What the program prints shall not stand among the proposals.
    let output = std::io::stderr();
    let status = Command::new("sh")
        .args(["-c", command])
        .env("CALL_HOT", &base)
        .env("LD_PRELOAD", preload)
        .stdout(Stdio::from(rustix::io::dup(&output).map_err(|error| error.to_string())?))
        .status()
        .map_err(|error| format!("cannot run a shell: {error}"))?;
    if programs::find("addr2line").is_none() {
        return Err("addr2line (binutils) is needed to tell the lines of addresses".to_owned());
    }
    let samples = StackSamples::read(folder.path());
    if status.success() {
        return samples;
    }
    // Benchmarks do so whose result is not the one of their default size.
    let ended = format!("`{command}` ended with {status}");
    match samples {
        Ok(samples) if status.code().is_some() && samples.count > 0 => {
            tell(&said(&format!("{ended}; its time until then is looked at")));
            Ok(samples)
        }
        _ => Err(ended),
    }
}

/// The blocks around a line, the innermost first. Where a function knows how often a loop in it runs and the loop alone does not, as it was
/// prepared before, the function takes its place.
fn candidates(
    line: &SampledLine,
    files: &[(PathBuf, Vec<BlockCounts>)],
    paths: &[PathBuf],
) -> Option<Vec<SampledBlock>> {
    let file = paths.iter().position(|path| line.file.as_deref() == Some(path))?;
    let blocks = files[file].1.iter().enumerate();
    let around = blocks.filter(|(_, block)| {
        block.begin.file.is_none() && (block.begin.line..=block.end.line).contains(&line.line)
    });
    let around: Vec<(usize, &BlockCounts)> = around.collect();
    let is_loop = |its: &BlockCounts| its.kind == BlockKind::Loop;
    let is_told = |its: &BlockCounts| its.formula().is_some();
    let function_is_told = around.iter().any(|(_, its)| !is_loop(its) && is_told(its));
    let loop_is_told = around.iter().any(|(_, its)| is_loop(its) && is_told(its));
    let mut found: Vec<SampledBlock> = around
        .into_iter()
        .filter(|(_, its)| !is_loop(its) || is_told(its) || !function_is_told)
        .map(|(block, its)| SampledBlock {
            file,
            block,
            is_loop: is_loop(its) || (function_is_told && !loop_is_told),
            // What takes the same time always is no experiment.
            grows: its.terms.len() != 1,
        })
        .collect();
    found.sort_by_key(|candidate| !candidate.is_loop);
    Some(found)
}

/// Says where the time goes, and what finding it out cost.
fn report(
    samples: &StackSamples,
    outside: usize,
    chosen: &HottestBlocks,
    files: &[(PathBuf, Vec<BlockCounts>)],
) {
    let percent = |count: f64| format!("{:.1} %", 100.0 * count);
    tell(&said(&format!(
        "{}, {} of the time for taking them{}",
        counted(samples.count, "sample"),
        percent(samples.cost()),
        if samples.lost > 0 { format!("; {} lost", samples.lost) } else { String::new() },
    )));
    for (block, share) in &chosen.blocks {
        let (path, blocks) = &files[block.file];
        let its = &blocks[block.block];
        tell(&said(&format!("{:>7}  {}  {}:{}", percent(*share), its.name, path.display(), its.begin.line)));
    }
    let covered: f64 = chosen.blocks.iter().map(|(_, share)| share).sum();
    let elsewhere = outside as f64 / samples.count as f64;
    tell(&said(&format!(
        "{} of the time in {}{}",
        percent(covered),
        counted(chosen.blocks.len(), "block"),
        if elsewhere >= 0.001 {
            format!("; {} in other programs and files", percent(elsewhere))
        } else {
            String::new()
        },
    )));
}
