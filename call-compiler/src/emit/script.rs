use call_grammar::{Outline, ParallelKind};

use crate::Request;
use crate::lower::Program;

/// `NAME.call.sh`: runs the program for each number of processors of its `parallel` directive.
pub fn script(outline: &Outline, program: &Program, request: &Request) -> String {
    let processors = outline.parallel.as_ref().and_then(|parallel| parallel.processors);
    let counts: Vec<String> = match (program.kind, processors) {
        (None | Some(ParallelKind::Sequential), _) | (_, None) => vec!["1".to_owned()],
        (_, Some(range)) => range.counts().map(|count| count.to_string()).collect(),
    };
    include_str!("script.sh")
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@SOURCE@", &request.path.replace(['\n', '\r'], " "))
        .replace("@NAME@", &request.name.replace('\'', r"'\''"))
        .replace("@PROCESSORS@", &counts.join(" "))
}
