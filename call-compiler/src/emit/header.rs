use std::fmt::Write;

use call_grammar::{ParallelKind, printable};

use super::{BatchPart, c_string, source_counts};
use crate::TranslationRequest;
use crate::c::types::Representation;
use crate::lower::{LoweredProgram, TracedExperiment};
use crate::sources::Sources;

/// `NAME.call.h`: static tables that describe the experiments.
pub fn header(
    program: &LoweredProgram,
    sources: &Sources,
    request: &TranslationRequest,
    part: &BatchPart,
) -> String {
    let guard: String = request
        .name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' })
        .collect();
    let mut text = format!(
        "/* The experiments of {}, for the CALL runtime. Written by call {}: change the directives and run it again. */\n\
         #ifndef CLL_{guard}_CALL_H\n#define CLL_{guard}_CALL_H\n\n\
         #if defined(__GNUC__) && __INCLUDE_LEVEL__ > 0\n#pragma GCC system_header\n#endif\n\n#include <call.h>\n\n#ifndef CLL_DISABLE\n\n",
        // Neither `*/` nor what joins lines to one.
        printable(&request.path).replace('\n', " ").replace(['*', '\\', '?'], "_"),
        env!("CARGO_PKG_VERSION"),
    );
    for experiment in &program.experiments {
        table(&mut text, experiment, sources);
    }
    // What `parallel` says holds for the files of the program that do not say it.
    if program.refers_to_unit || program.kind.is_some() || !program.experiments.is_empty() {
        unit_table(&mut text, program, request, part);
    }
    text.push_str("#endif\n\n#endif\n");
    text
}

fn table(text: &mut String, experiment: &TracedExperiment, sources: &Sources) {
    let name = &experiment.name;
    let rows = |rows: Vec<String>| rows.join(", ");
    if !experiment.variables.is_empty() {
        let variables = experiment.variables.iter().map(|variable| {
            format!("{{{}, {}}}", c_string(&variable.name), constant(variable.representation))
        });
        line(
            text,
            &format!("static const cll_variable cll_variables_{name}[] = {{{}}};", rows(variables.collect())),
        );
    }
    let blocks = experiment.blocks.iter().map(|block| {
        let file = if block.file == 0 { "0".to_owned() } else { c_string(sources.path(block.file)) };
        format!("{{{file}, {}, {}}}", block.first_line, block.last_line)
    });
    line(text, &format!("static const cll_block cll_blocks_{name}[] = {{{}}};", rows(blocks.collect())));
    if !experiment.counters.is_empty() {
        let counters = experiment.counters.iter().map(|counter| c_string(counter));
        line(
            text,
            &format!("static const char *const cll_counters_{name}[] = {{{}}};", rows(counters.collect())),
        );
    }
    let variables =
        if experiment.variables.is_empty() { "0".to_owned() } else { format!("cll_variables_{name}") };
    let formula = experiment.formula.as_deref().map_or("0".to_owned(), c_string);
    line(text, &format!("static const cll_experiment cll_experiment_{name} = {{"));
    line(text, &format!("    .name = \"{name}\","));
    line(text, &format!("    .formula = {formula},"));
    line(text, &format!("    .variable_count = {},", experiment.variables.len()));
    line(text, &format!("    .variables = {variables},"));
    if experiment.end_variables() > 0 {
        line(text, &format!("    .end_variable_count = {},", experiment.end_variables()));
    }
    line(text, &format!("    .block_count = {},", experiment.blocks.len()));
    line(text, &format!("    .blocks = cll_blocks_{name},"));
    if !experiment.counters.is_empty() {
        line(text, &format!("    .counter_count = {},", experiment.counters.len()));
        line(text, &format!("    .counters = cll_counters_{name},"));
    }
    if let Some(counts) = &experiment.source_counts {
        let text_of = |line| sources.line_text(line);
        line(text, &format!("    .source_counts = {},", c_string(&source_counts::text(counts, text_of))));
    }
    if let Some(observable) = &experiment.observable {
        line(text, &format!("    .observable = {},", c_string(observable)));
    }
    line(text, &format!("}};\nCLL_GATED({name})\n"));
}

fn unit_table(text: &mut String, program: &LoweredProgram, request: &TranslationRequest, part: &BatchPart) {
    let kind = match program.kind {
        None => "CLL_UNSAID",
        Some(ParallelKind::Pub) => "CLL_PUB",
        Some(ParallelKind::BspLib) => "CLL_BSPLIB",
        Some(ParallelKind::Mpi) => "CLL_MPI",
        Some(ParallelKind::OpenMp) => "CLL_OPENMP",
        Some(ParallelKind::Sequential | ParallelKind::Pvm) => "CLL_SEQUENTIAL",
    };
    let mut experiments = "0";
    if !program.experiments.is_empty() {
        experiments = "cll_experiments_here";
        let names: Vec<String> = program
            .experiments
            .iter()
            .map(|experiment| format!("&cll_experiment_{}", experiment.name))
            .collect();
        line(text, "static const cll_experiment *const cll_experiments_here[] = {");
        line(text, &format!("    {},", names.join(",\n    ")));
        line(text, "};");
    }
    line(text, "static const cll_unit cll_unit_here = {");
    line(text, &format!("    .name = {},", c_string(&request.name)));
    line(text, &format!("    .source = {},", c_string(&request.path)));
    line(text, &format!("    .kind = {kind},"));
    line(text, &format!("    .experiment_count = {},", program.experiments.len()));
    line(text, &format!("    .experiments = {experiments},"));
    if program.supersteps {
        line(text, "    .supersteps = 1,");
    }
    line(text, "    .compiler = CLL_COMPILER,");
    line(text, "    .flags = CLL_COMPILER_FLAGS,");
    if program.events {
        line(text, "    .events = 1,");
    }
    line(text, &format!("    .batch = {},", c_string(&part.marked())));
    text.push_str("};\nCLL_UNIT_KNOWN\nCLL_REGISTER(cll_unit_here);\n\n");
}

fn line(text: &mut String, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

fn constant(representation: Representation) -> &'static str {
    match representation {
        Representation::Integer => "CLL_INTEGER",
        Representation::Natural => "CLL_NATURAL",
        Representation::Real => "CLL_REAL",
    }
}
