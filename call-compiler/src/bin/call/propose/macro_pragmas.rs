//! Pragmas that macros write: `OMP_FOR` for `_Pragma("omp for")`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::processors::{PRAGMA, is_word};

/// The pragmas of OpenMP by the lines, from 1, in which the preprocessor has them.
pub type Pragmas = BTreeMap<u32, String>;

/// Those of a preprocessed file itself.
pub fn of_preprocessed(text: &[u8]) -> Pragmas {
    let text = String::from_utf8_lossy(text);
    let mut found = Pragmas::new();
    let (mut line, mut own, mut file) = (0, None, "");
    for code in text.lines() {
        let mut marker = code.strip_prefix("# ").into_iter().flat_map(|rest| rest.splitn(2, ' '));
        if let (Some(number), Some(name)) = (marker.next().and_then(|its| its.parse().ok()), marker.next()) {
            file =
                name.split_once('"').and_then(|(_, name)| name.split_once('"')).map_or("", |(name, _)| name);
            own.get_or_insert(file);
            line = number;
            continue;
        }
        let omp = code.trim().strip_prefix("#pragma omp ").filter(|_| own == Some(file));
        if let Some(omp) = omp {
            let all = found.entry(line).or_insert_with(|| "#pragma omp".to_owned());
            all.push(' ');
            all.push_str(omp.trim());
        }
        line += 1;
    }
    found
}

/// A source without comments, with these pragmas in the place of macros that stand in lines of their own; before a loop in the same line as `_Pragma("omp for") for`.
pub fn written_out(code: &str, pragmas: &Pragmas) -> String {
    let lines = (1..).zip(code.split_inclusive('\n')).map(|(number, line)| match pragmas.get(&number) {
        Some(pragma) if is_macro_alone(line.trim()) => {
            format!("{pragma}{}", &line[line.trim_end_matches(['\r', '\n']).len()..])
        }
        Some(pragma) if !line.trim_start().starts_with('#') => match macro_before_loop(line) {
            Some(its) => {
                let words = pragma.trim_start_matches("#pragma ");
                format!("{}{PRAGMA}\"{words}\"){}", &line[..its.start], &line[its.end..])
            }
            None => line.to_owned(),
        },
        _ => line.to_owned(),
    });
    lines.collect()
}

/// Where the macro stands that is followed by a loop in its line.
fn macro_before_loop(line: &str) -> Option<Range<usize>> {
    const KEYWORDS: [&str; 5] = ["if", "while", "for", "switch", "else"];
    let is_loop = |at: &usize| {
        let is_apart = |its: Option<char>| !its.is_some_and(is_word);
        is_apart(line[..*at].chars().next_back()) && is_apart(line[at + 3..].chars().next())
    };
    let loops = line.match_indices("for").map(|(at, _)| at).filter(is_loop);
    loops.into_iter().find_map(|at| {
        let end = line[..at].trim_end().len();
        let mut name_end = end;
        if line[..end].ends_with(')') {
            let mut depth = 0;
            name_end = line[..end].rfind(|character| {
                depth += match character {
                    ')' => 1,
                    '(' => -1,
                    _ => 0,
                };
                depth == 0
            })?;
        }
        let before = line[..name_end].trim_end();
        let start = before.trim_end_matches(is_word).len();
        let is_macro = start < before.len() && !KEYWORDS.contains(&&before[start..]);
        is_macro.then_some(start..end)
    })
}

/// Whether a line is a name, with arguments or without.
fn is_macro_alone(line: &str) -> bool {
    let behind = line.trim_start_matches(is_word).trim_start();
    let mut depth = 0;
    let end = behind.char_indices().find_map(|(at, character)| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at + character.len_utf8())
    });
    line.starts_with(is_word) && (behind.is_empty() || behind.starts_with('(') && end == Some(behind.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_stand_for_their_pragmas() {
        let preprocessed = "# 0 \"o.c\"\n# 1 \"h.h\" 1\n#pragma omp simd\n# 3 \"o.c\" 2\nint a;\n# 4 \"o.c\"\n#pragma omp parallel\n# 4 \"o.c\"\n\n# 4 \"o.c\"\n#pragma omp for\n# 4 \"o.c\"\n\nb;\n# 6 \"o.c\"\n#pragma omp for nowait\nc;\n";
        let pragmas = of_preprocessed(preprocessed.as_bytes());
        let code = "#include \"h.h\"\n\nint a;\n  BOTH(x (y))\nb;\nFOR c;\n";
        let expected = "#include \"h.h\"\n\nint a;\n#pragma omp parallel for\nb;\nFOR c;\n";
        assert_eq!(written_out(code, &pragmas), expected);
        let one = Pragmas::from([(1, "#pragma omp for".to_owned())]);
        for (line, expected) in [
            ("  FOR for (;;) {", "  _Pragma(\"omp for\") for (;;) {"),
            ("{ FOR(a (b)) for (;;)", "{ _Pragma(\"omp for\") for (;;)"),
            ("if (c) FOR for (;;)", "if (c) _Pragma(\"omp for\") for (;;)"),
            ("if (c) for (;;)", "if (c) for (;;)"),
            ("FOR c; before(1)", "FOR c; before(1)"),
        ] {
            assert_eq!(written_out(line, &one), expected);
        }
        for (line, is_alone) in
            [("A", true), ("A(b)(c)", false), ("A (b)", true), ("A b", false), ("(a)", false)]
        {
            assert_eq!(is_macro_alone(line), is_alone, "{line}");
        }
    }
}
