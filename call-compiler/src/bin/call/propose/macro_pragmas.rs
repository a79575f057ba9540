//! Pragmas that macros write: `OMP_FOR` for `_Pragma("omp for")`.

use std::collections::BTreeMap;

use super::processors::is_word;

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

/// A source without comments, with these pragmas in the place of macros that stand in lines of their own.
pub fn written_out(code: &str, pragmas: &Pragmas) -> String {
    let lines = (1..).zip(code.split_inclusive('\n')).map(|(number, line)| match pragmas.get(&number) {
        Some(pragma) if is_macro_alone(line.trim()) => {
            format!("{pragma}{}", &line[line.trim_end_matches(['\r', '\n']).len()..])
        }
        _ => line.to_owned(),
    });
    lines.collect()
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
        for (line, is_alone) in
            [("A", true), ("A(b)(c)", false), ("A (b)", true), ("A b", false), ("(a)", false)]
        {
            assert_eq!(is_macro_alone(line), is_alone, "{line}");
        }
    }
}
