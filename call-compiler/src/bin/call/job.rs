//! One file: read, preprocess, translate, write, tell.

use std::fs;
use std::path::{Path, PathBuf};

use call_compiler::{Sources, Translation, TranslationRequest, macro_names, render, translate};
use call_grammar::{Diagnostic, ParallelKind, Severity, counted};

use crate::compile_commands::Compile;
use crate::preprocess::{macros, preprocess};
use crate::{batch, json, said, standard_input, write};

/// What to do with a translation.
#[derive(Clone, PartialEq, Eq)]
pub enum TranslationOutput {
    /// Write the files; the C program to this path if there is one.
    Files(Option<PathBuf>),
    Stdout,
    Check,
    Json,
}

pub struct Job<'a> {
    pub compile: &'a Compile,
    /// Where the runtime's headers are.
    pub include: &'a Path,
    pub wanted: TranslationOutput,
    /// Whether a batch script of this file is among the files; else the program gets one when it is linked.
    pub script: bool,
    pub quiet: bool,
    pub colour: bool,
    /// What all experiments count; empty: what their directives say.
    pub counters: &'a [&'a str],
}

/// What became of a file.
#[derive(Default)]
pub struct JobOutcome {
    /// For standard output.
    pub output: Vec<u8>,
    /// For standard error.
    pub messages: String,
    pub has_errors: bool,
    pub has_warnings: bool,
    /// What the file says of the kind of program.
    pub kind: Option<ParallelKind>,
    /// The files that the translation consists of.
    pub files: Vec<PathBuf>,
}

impl JobOutcome {
    fn error(message: &str) -> JobOutcome {
        JobOutcome { messages: said(message.trim_end()), has_errors: true, ..JobOutcome::default() }
    }
}

/// Warnings that another file of the program may make void.
const OF_WHOLE_PROGRAMS: [&str; 2] = ["no-report", "sync-without-machine"];

impl<'a> Job<'a> {
    /// One of several in a command: quiet, without a script of its own.
    pub fn among_others(compile: &'a Compile, include: &'a Path, wanted: TranslationOutput) -> Job<'a> {
        Job { compile, include, wanted, script: false, quiet: true, colour: false, counters: &[] }
    }
}

impl Job<'_> {
    pub fn run(&self) -> JobOutcome {
        self.run_on(None)
    }

    /// The same with the output of the preprocessor, if it is there already.
    pub fn run_on(&self, preprocessed: Option<Vec<u8>>) -> JobOutcome {
        self.translate(preprocessed).unwrap_or_else(|message| {
            let mut outcome = JobOutcome::error(&message);
            if self.wanted == TranslationOutput::Json {
                outcome.output = format!("{}\n", json::failure(&self.compile.file, &message)).into_bytes();
            }
            outcome
        })
    }

    fn translate(&self, preprocessed: Option<Vec<u8>>) -> Result<JobOutcome, String> {
        let path = self.compile.path();
        let is_input = standard_input::is(&self.compile.file);
        let shown = self.compile.shown();
        if shown.ends_with(".call.c") {
            return Err(format!("{shown} is an output of call: translate the program it was made from"));
        }
        let source = self.compile.source()?;
        let preprocessed = match preprocessed {
            Some(text) => text,
            None => preprocess(self.compile, self.include)?,
        };
        let ask = || {
            macros(self.compile, self.include).map_or_else(|_| Default::default(), |text| macro_names(&text))
        };
        let read_header = |header: &str| fs::read(self.compile.directory.join(header)).ok();
        let mut request = TranslationRequest {
            macros: &ask,
            read_header: &read_header,
            counters: self.counters,
            ..TranslationRequest::new(&shown, &source, &preprocessed)
        };
        if is_input {
            "stdin".clone_into(&mut request.name);
        }
        let output = self.output_path(&path, &request.name);
        if output == path
            || output.canonicalize().is_ok_and(|output| path.canonicalize().is_ok_and(|path| path == output))
        {
            return Err(format!(
                "{} is the program to be translated: write the output elsewhere",
                output.display()
            ));
        }
        request.name = program_name(&output);
        if request.name.contains(['"', '\n', '\r']) {
            return Err(format!(
                "the name of {shown} has a quote or a line end, which `#include` cannot take: -o names another"
            ));
        }
        request.folder = folder_of(&output).display().to_string();
        request.directory = std::path::absolute(&self.compile.directory)
            .or_else(|_| std::env::current_dir())
            .map(|directory| directory.display().to_string())
            .unwrap_or_default();
        let translated = translate(&request);
        Ok(match &translated.result {
            Err(diagnostics) => self.refused(&shown, &translated.sources, diagnostics),
            Ok(translation) => self.accepted(&shown, &translated.sources, translation, &output)?,
        })
    }

    /// Where the C program goes.
    fn output_path(&self, path: &Path, name: &str) -> PathBuf {
        match &self.wanted {
            TranslationOutput::Files(Some(output)) => output.clone(),
            _ => path.with_file_name(format!("{name}.call.c")),
        }
    }

    fn refused(&self, shown: &str, sources: &Sources, diagnostics: &[Diagnostic]) -> JobOutcome {
        let count = |severity: Severity| {
            let count = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
            let word = if severity == Severity::Error { "error" } else { "warning" };
            counted(count, word)
        };
        let warnings = if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Warning) {
            format!(" and {}", count(Severity::Warning))
        } else {
            String::new()
        };
        let rendered = self.tell(sources, diagnostics);
        let nothing =
            if matches!(self.wanted, TranslationOutput::Files(_)) { ", nothing written" } else { "" };
        JobOutcome {
            output: self.json(sources, None, diagnostics),
            messages: rendered + &said(&format!("{shown}: {}{warnings}{nothing}", count(Severity::Error))),
            has_errors: true,
            ..JobOutcome::default()
        }
    }

    fn accepted(
        &self,
        shown: &str,
        sources: &Sources,
        translation: &Translation,
        output: &Path,
    ) -> Result<JobOutcome, String> {
        let warnings = &translation.warnings;
        let mut outcome = JobOutcome {
            output: self.json(sources, Some(translation), warnings),
            messages: self.tell(sources, warnings),
            has_errors: false,
            kind: translation.findings.kind,
            files: Vec::new(),
            has_warnings: warnings.iter().any(|warning| warning.severity == Severity::Warning),
        };
        match &self.wanted {
            TranslationOutput::Files(_) => {
                let mut files = files(translation, output);
                if self.script {
                    let script = output.with_file_name(format!("{}.call.sh", program_name(output)));
                    match batch::file(script, &translation.script) {
                        Ok(script) => files.push(script),
                        Err(message) => outcome.messages.push_str(&said(&message)),
                    }
                }
                outcome.files = files.iter().map(|file| file.path.clone()).collect();
                let wrote = write::changed(files)?;
                if !self.quiet {
                    let found = match &translation.findings.experiments[..] {
                        [only] => format!("experiment {}", only.name),
                        all => format!("{} experiments", all.len()),
                    };
                    let name = program_name(output);
                    let stem = output.with_file_name(format!("{name}.call")).display().to_string();
                    let files = if output.ends_with(format!("{name}.call.c")) {
                        format!("{stem}.{{c,h,sh}}")
                    } else {
                        format!("{} and {stem}.{{h,sh}}", output.display())
                    };
                    let files = format!("{} {files}", if wrote { "wrote" } else { "no change in" });
                    outcome.messages.push_str(&said(&format!("{shown}: {found}, {files}")));
                }
            }
            TranslationOutput::Stdout => outcome.output = with_header(translation),
            TranslationOutput::Check | TranslationOutput::Json => {}
        }
        Ok(outcome)
    }

    fn json(&self, sources: &Sources, translation: Option<&Translation>, messages: &[Diagnostic]) -> Vec<u8> {
        if self.wanted != TranslationOutput::Json {
            return Vec::new();
        }
        let findings = translation.map(|translation| &translation.findings);
        format!("{}\n", json::line(sources, findings, messages)).into_bytes()
    }

    fn tell(&self, sources: &Sources, diagnostics: &[Diagnostic]) -> String {
        let is_quiet =
            |its: &Diagnostic| its.severity == Severity::Note || OF_WHOLE_PROGRAMS.contains(&its.code);
        let is_shown =
            |its: &&Diagnostic| self.wanted != TranslationOutput::Json && !(self.quiet && is_quiet(its));
        let shown = diagnostics.iter().filter(is_shown);
        shown.map(|diagnostic| format!("{}\n", render(diagnostic, sources, self.colour))).collect()
    }
}

/// What a translation consists of.
fn files(translation: &Translation, output: &Path) -> Vec<write::OutputFile> {
    let name = program_name(output);
    let beside = |file: String| output.with_file_name(file);
    let file = |path: PathBuf, contents: &[u8]| write::OutputFile {
        path,
        contents: contents.to_vec(),
        executable: false,
    };
    let mut files = vec![
        file(output.to_owned(), &translation.c),
        file(beside(format!("{name}.call.h")), translation.header.as_bytes()),
    ];
    files.extend(translation.headers.iter().map(|copy| file(beside(copy.name.clone()), &copy.text)));
    files
}

/// The instrumented program with its header instead of the line that includes it.
fn with_header(translation: &Translation) -> Vec<u8> {
    let behind_include = translation.c.iter().position(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    [translation.header.as_bytes(), &translation.c[behind_include..]].concat()
}

/// `fft` of `out/fft.call.c`, of `out/fft.c` and of `out/fft.call`.
fn program_name(output: &Path) -> String {
    let file = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = file.strip_suffix(".c").unwrap_or(&file);
    stem.strip_suffix(".call").unwrap_or(stem).to_owned()
}

fn folder_of(output: &Path) -> &Path {
    output.parent().unwrap_or(Path::new(""))
}
