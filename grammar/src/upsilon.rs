//! The clause `upsilon`: which statements are behind a constant (the sets Υ of the paper, section 2.1).
//!
//! Lines are counted from the directive, so that they stay right when text above it changes.

use crate::token::{Cursor, Token, TokenKind, text};
use crate::{CoefficientId, Error, Span};

/// The clause `upsilon CONSTANT = LINES`, or `= none`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpsilonClause {
    /// Where the constant stands.
    pub span: Span,
    /// Name of the constant without its index: that of the experiment.
    pub name: String,
    /// The constant.
    pub constant: CoefficientId,
    /// Where its statements are; empty if it has none.
    pub lines: Vec<RelativeLines>,
}

/// Lines counted from that of the directive: `+3-5` below it, `-40-38` above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelativeLines {
    /// Where they stand in the directive.
    pub span: Span,
    /// The first line; the directive stands in line 0.
    pub first: i64,
    /// The last line.
    pub last: i64,
}

/// Lines further away are not meant.
const FURTHEST: f64 = 10_000_000.0;

/// Whether `upsilon NAME[…] =` is next, which cannot stand in a formula.
pub(crate) fn is_next(cursor: &Cursor) -> bool {
    let symbol = |places: usize, symbol: char| cursor.peek_behind(places).kind == TokenKind::Symbol(symbol);
    matches!(&cursor.peek().kind, TokenKind::Word(word) if word == "upsilon")
        && matches!(cursor.peek_behind(1).kind, TokenKind::Word(_))
        && symbol(2, '[')
        && symbol(4, ']')
        && symbol(5, '=')
}

/// Reads the clause, of which [`is_next`] knows that it is there.
pub(crate) fn clause(cursor: &mut Cursor, source: &[u8]) -> Result<UpsilonClause, Error> {
    cursor.bump();
    let name = cursor.bump();
    cursor.bump();
    let index = cursor.bump();
    let constant = whole(index).and_then(|index| u16::try_from(index).ok());
    let constant = constant.ok_or(Error::BadIndex { span: index.span })?;
    let span = name.span.join(cursor.bump().span);
    cursor.bump();
    let mut lines = Vec::new();
    if !cursor.take_word("none") {
        lines.push(relative_lines(cursor, source)?);
        while cursor.take(',') {
            lines.push(relative_lines(cursor, source)?);
        }
    }
    let name = text(source, name.span);
    Ok(UpsilonClause { span, name, constant: CoefficientId(u32::from(constant)), lines })
}

/// `+3`, `+3-5`, `-40-38`.
fn relative_lines(cursor: &mut Cursor, source: &[u8]) -> Result<RelativeLines, Error> {
    let start = cursor.peek();
    let sign = match start.kind {
        TokenKind::Symbol('+') => 1,
        TokenKind::Symbol('-') => -1,
        _ => return Err(not_lines(start, source)),
    };
    cursor.bump();
    let (first, first_span) = distance(cursor, source)?;
    let (last, last_span) = if cursor.take('-') { distance(cursor, source)? } else { (first, first_span) };
    let (span, first, last) = (start.span.join(last_span), sign * first, sign * last);
    match first <= last {
        true => Ok(RelativeLines { span, first, last }),
        false => Err(Error::NotLines { span, found: text(source, span) }),
    }
}

fn distance(cursor: &mut Cursor, source: &[u8]) -> Result<(i64, Span), Error> {
    let token = cursor.bump();
    whole(token).map(|distance| (distance, token.span)).ok_or_else(|| not_lines(token, source))
}

/// A whole number from 0.
fn whole(token: &Token) -> Option<i64> {
    match token.kind {
        TokenKind::Number(value) if value.fract() == 0.0 && (0.0..=FURTHEST).contains(&value) => {
            Some(value as i64)
        }
        _ => None,
    }
}

fn not_lines(token: &Token, source: &[u8]) -> Error {
    let found =
        if token.kind == TokenKind::End { "end of line".to_owned() } else { text(source, token.span) };
    Error::NotLines { span: token.span, found }
}

#[cfg(test)]
mod tests {
    use crate::{DirectiveKind, Span, parse, scan};

    /// The sets, or what is wrong.
    fn told(clauses: &str) -> Result<Vec<String>, Vec<String>> {
        let source = format!("#pragma cll f f[0] + f[1]*n {clauses}\n");
        let (directives, _) = scan(source.as_bytes(), Span::new(0, source.len()));
        let (directive, errors) = parse(source.as_bytes(), &directives[0]);
        if !errors.is_empty() {
            return Err(errors.iter().map(ToString::to_string).collect());
        }
        let Some(DirectiveKind::Begin(begin)) = directive.map(|directive| directive.kind) else {
            return Ok(Vec::new());
        };
        let lines = |clause: &super::UpsilonClause| {
            let lines = clause.lines.iter().map(|its| format!("{}..{}", its.first, its.last));
            format!("{} {}", clause.constant.0, lines.collect::<Vec<_>>().join(" "))
        };
        Ok(begin.upsilon.iter().map(lines).collect())
    }

    #[test]
    fn sets_of_statements() {
        let sets = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(told("upsilon f[1] = +3-5, +8"), sets(&["1 3..5 8..8"]));
        assert_eq!(told("upsilon f[1]=-40-38 upsilon f[0] = none"), sets(&["1 -40..-38", "0 "]));
        assert_eq!(told("let n = a + b upsilon f[1] = +1 at end"), sets(&["1 1..1"]));
        assert_eq!(told("counters cycles upsilon f[0] = +2"), sets(&["0 2..2"]));
    }

    #[test]
    fn what_is_no_set() {
        for (clauses, expected) in [
            ("upsilon f[1] = 3", "expected lines counted from the directive, found `3`"),
            ("upsilon f[1] = +", "expected lines counted from the directive, found `end of line`"),
            ("upsilon f[1] = +5-3", "expected lines counted from the directive, found `+5-3`"),
            ("upsilon f[1] = +1.5", "expected lines counted from the directive, found `1.5`"),
            ("upsilon f[1] = +1,", "expected lines counted from the directive, found `end of line`"),
            ("upsilon f[2] = +1", "the formula has no constant `f[2]`"),
            ("upsilon g[1] = +1", "the formula has no constant `g[1]`"),
            ("upsilon f[1] = +1 upsilon f[1] = +2", "`upsilon f[1]` stands here twice"),
            ("upsilon f[1] = +1 +2", "unexpected `+` after the directive"),
        ] {
            assert_eq!(told(clauses), Err(vec![expected.to_owned()]), "{clauses}");
        }
    }
}
