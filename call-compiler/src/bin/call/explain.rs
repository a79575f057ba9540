//! `call explain CODE`: the long text behind each message.

/// The text of a code, or the list of all codes.
pub fn explain(code: Option<&str>) -> Result<String, String> {
    let Some(code) = code else {
        let all = call_compiler::explanations();
        let width = all.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
        let lines: Vec<String> =
            all.iter().map(|(code, text)| format!("call::{code:width$}  {}", title(text))).collect();
        return Ok(lines.join("\n"));
    };
    let bare = code.trim().trim_start_matches("call::");
    match call_compiler::explanations().iter().find(|(known, _)| *known == bare) {
        Some((_, text)) => Ok(text.trim_end().to_owned()),
        None => {
            let known = call_compiler::explanations().iter().map(|(known, _)| *known);
            Err(match call_grammar::suggest(bare, known) {
                Some(meant) => format!("no message has the code `{bare}`: did you mean `{meant}`?"),
                None => format!("no message has the code `{bare}`: `call explain` lists them"),
            })
        }
    }
}

fn title(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
}
