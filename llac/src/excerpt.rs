//! The place in a file that an error is about.

use call_grammar::Span;

/// Longer lines are shown in part.
const WIDEST: usize = 120;

/// `PATH:LINE: MESSAGE`, with the line underlined.
pub fn of_file(path: &str, text: &str, span: Span, message: &str) -> String {
    let start = span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let number = text[..start].matches('\n').count() + 1;
    let end = span.end.clamp(start, line_start + line.len().max(start - line_start));
    let before = text[line_start..start].chars().count();
    let left_out = before.saturating_sub(WIDEST / 2);
    let sign = if left_out > 0 { "…" } else { "" };
    let shown = line.chars().skip(left_out).map(|c| if c.is_control() { ' ' } else { c });
    let shown: String = sign.chars().chain(shown).take(WIDEST).collect();
    let before = sign.chars().count() + before - left_out;
    let width = text[start..end].chars().count().min(WIDEST - before).max(1);
    format!("{path}:{number}: {message}\n  | {shown}\n  | {}{}", " ".repeat(before), "^".repeat(width))
}
