//! Names as formulas can use them.

use std::collections::HashMap;

/// The name itself if a formula can use it, as `N`, `m->rows` and `size[i]`, else an identifier made of it.
pub(crate) fn usable(name: &str) -> String {
    if is_variable(name) { name.to_owned() } else { identifier(name) }
}

/// An identifier of C made of any text: what cannot stand in one becomes `_`.
pub(crate) fn identifier(text: &str) -> String {
    /// Longer ones help nobody.
    const LONGEST: usize = 80;
    let mut made = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            made.push(c);
        } else if !made.is_empty() && !made.ends_with('_') || c == '_' {
            made.push('_');
        }
        if made.len() >= LONGEST {
            break;
        }
    }
    if !text.ends_with('_') {
        made.truncate(made.trim_end_matches('_').len());
    }
    if made.is_empty() || made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}

/// Whether a text is a name of an experiment as this project writes it: an identifier, or those of a call path with `/` between them.
pub(crate) fn is_call_path(text: &str) -> bool {
    let (path, metric) = text.split_once(':').unwrap_or((text, "_"));
    path.split('/').chain([metric]).all(|part| after_identifier(part) == Some(""))
}

/// The text with words for signs that tell names apart, as those of pointers in types.
pub(crate) fn spelt_out(text: &str) -> String {
    const WORDS: [(char, &str); 8] = [
        ('*', " ptr "),
        ('&', " ref "),
        ('+', " plus "),
        ('-', " minus "),
        ('%', " percent "),
        ('/', " per "),
        ('=', " equals "),
        ('~', " not "),
    ];
    let mut spelt = String::new();
    for c in text.chars() {
        match WORDS.iter().find(|(sign, _)| *sign == c) {
            Some((_, word)) => spelt.push_str(word),
            None => spelt.push(c),
        }
    }
    spelt
}

/// The name of an experiment with what a further metric is called here.
pub(crate) fn with_metric(name: String, metric: &str) -> String {
    if metric.is_empty() { name } else { format!("{name}:{metric}") }
}

/// Whether the text is an identifier, or a variable of C with members and indices.
fn is_variable(text: &str) -> bool {
    let Some(mut rest) = after_identifier(text) else { return false };
    while !rest.is_empty() {
        let next = if let Some(member) = rest.strip_prefix("->").or_else(|| rest.strip_prefix('.')) {
            after_identifier(member)
        } else {
            let inside = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let is_index = |index: &str| !index.is_empty() && index.bytes().all(is_part);
            inside.filter(|(index, _)| is_index(index)).map(|(_, behind)| behind)
        };
        let Some(next) = next else { return false };
        rest = next;
    }
    true
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn after_identifier(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(|byte| is_part(*byte)).count();
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    (length > 0 && starts).then(|| &text[length..])
}

/// Gives out names, each once.
#[derive(Default)]
pub(crate) struct UniqueNames {
    /// With the number that is tried next behind each.
    taken: HashMap<String, u64>,
}

impl UniqueNames {
    /// The name, or with a number behind it where it is taken.
    pub(crate) fn take(&mut self, name: String) -> String {
        let mut free = name.clone();
        let mut number = self.taken.get(&name).copied().unwrap_or(2);
        while self.taken.contains_key(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        self.taken.insert(name, number);
        self.taken.entry(free.clone()).or_insert(2);
        free
    }
}

/// The name of an experiment in a file that names none.
pub(crate) fn of_file(path_name: &str) -> String {
    let file = path_name.rsplit(['/', '\\']).next().unwrap_or(path_name);
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or("");
    if stem.chars().any(char::is_alphanumeric) { identifier(stem) } else { "samples".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_formulas_can_use_stays() {
        for name in ["N", "_x1", "m->rows", "a.b.c", "size[i]", "size[0].n", "P"] {
            assert_eq!(usable(name), name);
        }
        for (name, made) in [
            ("problem size", "problem_size"),
            ("size (MB)", "size_MB"),
            ("2nd", "_2nd"),
            ("a-b", "a_b"),
            ("", "_"),
            ("ℵ", "_"),
            ("BM_sort<int>", "BM_sort_int"),
            ("x[", "x"),
            ("a.", "a"),
            ("__a__", "__a__"),
        ] {
            assert_eq!(usable(name), made, "{name}");
        }
    }

    #[test]
    fn names_are_given_out_once() {
        let mut names = UniqueNames::default();
        let taken = ["f", "f", "g", "f"].map(|name| names.take(name.to_owned()));
        assert_eq!(taken, ["f", "f_2", "g", "f_3"]);
    }

    #[test]
    fn files_lend_their_names() {
        assert_eq!(of_file("/data/my timings.2024.csv"), "my_timings");
        assert_eq!(
            (of_file("-"), of_file(""), of_file("C:\\t.csv")),
            ("samples".into(), "samples".into(), "t".into())
        );
    }
}
