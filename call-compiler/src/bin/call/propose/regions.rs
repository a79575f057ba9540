//! Regions of OpenMP in a source: loops that the threads of a team share, what one of them runs at a time, what they may hand to each other.

use std::collections::{BTreeMap, HashSet};

use super::main_body::directive_word;
use super::outermost_lines::{Lines, OutermostLines};
use super::processors::{PRAGMA, is_word};

/// How threads run the statement behind a pragma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadSharing {
    /// A loop: each thread has its part of the iterations.
    Shared,
    /// The same one has a team of its own: within another team that is one thread.
    OwnTeam,
    /// Each thread of a team does, and may share loops in it.
    Team,
    /// All of them do, one after another.
    OneAtATime,
    /// Any thread may run them: how many do is seen when they run.
    HandedOut(&'static str),
    /// Threads share it if something holds that a clause says.
    Conditional(&'static str),
}

/// The regions of a source.
pub struct Regions(BTreeMap<ThreadSharing, OutermostLines>);

impl Regions {
    /// Of a source without comments.
    pub fn of(code: &str) -> Regions {
        let mut lines: BTreeMap<ThreadSharing, Vec<Lines>> = BTreeMap::new();
        for (kind, its) in regions(code) {
            lines.entry(kind).or_default().push(its);
        }
        Regions(lines.iter().map(|(kind, its)| (*kind, OutermostLines::of(its))).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The outermost ones of a kind.
    pub fn outermost(&self, kind: ThreadSharing) -> Option<&OutermostLines> {
        self.0.get(&kind)
    }

    pub fn is_in(&self, kind: ThreadSharing, line: u32) -> bool {
        self.outermost(kind).is_some_and(|its| its.has(line))
    }

    /// Why what stands in a line may be done by any thread.
    pub fn handed_out(&self, line: u32) -> Option<&'static str> {
        self.kinds_in(line).find_map(|kind| match kind {
            ThreadSharing::HandedOut(why) => Some(why),
            _ => None,
        })
    }

    /// What must hold for threads to share what stands in a line.
    pub fn condition(&self, line: u32) -> Option<&'static str> {
        self.kinds_in(line).find_map(|kind| match kind {
            ThreadSharing::Conditional(what) => Some(what),
            _ => None,
        })
    }

    fn kinds_in(&self, line: u32) -> impl Iterator<Item = ThreadSharing> {
        self.0.iter().filter(move |(_, lines)| lines.has(line)).map(|(kind, _)| *kind)
    }
}

fn regions(code: &str) -> Vec<(ThreadSharing, Lines)> {
    let mut found = Vec::new();
    let line_ends: Vec<usize> = code.match_indices('\n').map(|(at, _)| at).collect();
    let line_of = |offset: usize| line_ends.partition_point(|end| *end < offset) as u32 + 1;
    let mut offset = 0;
    let mut kinds: Vec<ThreadSharing> = Vec::new();
    let mut goes_on = false;
    for line in code.split_inclusive('\n') {
        let text = line.trim();
        if goes_on {
            // The rest of a directive.
        } else if text.starts_with('#') {
            if directive_word(text) == "pragma" {
                kinds.extend(kinds_of(&logical_line(&code[offset..])));
            }
        } else {
            for (start, part) in parts(line) {
                if let Some(pragma) = part.strip_prefix(PRAGMA) {
                    kinds.extend(kinds_of(&format!("pragma {pragma}")));
                    continue;
                }
                let begin = offset + start;
                let is_loop = first_word(&code[begin..]) == "for";
                let is_of_loop =
                    |kind: &ThreadSharing| matches!(kind, ThreadSharing::Shared | ThreadSharing::OwnTeam);
                let mut known: Vec<ThreadSharing> = Vec::new();
                for kind in kinds.drain(..).filter(|kind| !is_of_loop(kind) || is_loop) {
                    if known.contains(&kind) {
                        continue;
                    }
                    known.push(kind);
                    let end = end_of_statement(code, begin);
                    found.extend(end.map(|end| (kind, line_of(begin)..=line_of(end))));
                }
            }
        }
        goes_on = text.ends_with('\\');
        offset += line.len();
    }
    without_inner_teams(found)
}

/// The first line with those that it goes on in.
fn logical_line(code: &str) -> String {
    let mut text = String::new();
    for line in code.lines() {
        let part = line.trim();
        text.push_str(part.trim_end_matches('\\'));
        if !part.ends_with('\\') {
            break;
        }
    }
    text
}

/// The parts of a line before, of and behind pragmas within it, each with where it begins.
fn parts(line: &str) -> Vec<(usize, &str)> {
    let mut ends = Vec::new();
    for (at, _) in line.match_indices(PRAGMA) {
        let end = line[at..].find("\")").map_or(line.len(), |length| at + length + 2);
        ends.extend([at, end]);
    }
    ends.push(line.len());
    let mut found = Vec::new();
    let mut start = 0;
    for end in ends {
        let part = line.get(start..end).unwrap_or_default();
        let text = part.trim();
        if !text.is_empty() {
            found.push((start + part.len() - part.trim_start().len(), text));
        }
        start = end;
    }
    found
}

/// A team within a team has one thread, if nobody says otherwise: its loops are shared with nobody.
fn without_inner_teams(found: Vec<(ThreadSharing, Lines)>) -> Vec<(ThreadSharing, Lines)> {
    let of_kind =
        |kind: ThreadSharing| found.iter().filter(move |(its, _)| *its == kind).map(|(_, lines)| lines);
    let own_teams: HashSet<&Lines> = of_kind(ThreadSharing::OwnTeam).collect();
    let teams = OutermostLines::of(of_kind(ThreadSharing::Team));
    let is_alone = |(kind, lines): &&(ThreadSharing, Lines)| {
        matches!(kind, ThreadSharing::Shared | ThreadSharing::OwnTeam)
            && own_teams.contains(lines)
            && teams.around(lines).is_some()
    };
    found.iter().filter(|region| !is_alone(region)).cloned().collect()
}

/// What a pragma does with the statement behind it; `target` and `teams` move it elsewhere.
fn kinds_of(pragma: &str) -> Vec<ThreadSharing> {
    let before_clauses = pragma.split('(').next().unwrap_or_default();
    let words: Vec<&str> =
        before_clauses.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect();
    let has = |word: &str| words.contains(&word);
    // `ordered depend(sink: i - 1)` has no statement.
    let is_alone = has("depend") || has("doacross");
    let Some([first, ..]) = words.strip_prefix(&["pragma", "omp"]) else { return Vec::new() };
    if has("target") || has("distribute") {
        let shares = ["for", "distribute", "parallel", "loop"].iter().any(|word| has(word));
        return shares
            .then_some(ThreadSharing::HandedOut("what `target` or `distribute` hands out"))
            .into_iter()
            .collect();
    }
    let sharing = match *first {
        "critical" => Some(ThreadSharing::OneAtATime),
        "ordered" if !is_alone && !has("simd") => Some(ThreadSharing::OneAtATime),
        _ if has("taskloop") || has("task") => Some(ThreadSharing::HandedOut("tasks that threads may share")),
        _ if has("sections") => Some(ThreadSharing::HandedOut("sections that threads share")),
        _ if has("for") => Some(ThreadSharing::Shared),
        _ => None,
    };
    let is_loop = sharing == Some(ThreadSharing::Shared);
    let team = if is_loop { ThreadSharing::OwnTeam } else { ThreadSharing::Team };
    let conditions = ["if", "num_threads"].into_iter().filter(|_| has("parallel"));
    let conditions = conditions.filter(|clause| has_clause(pragma, clause)).map(|clause| {
        ThreadSharing::Conditional(if clause == "if" {
            "the condition of `if` holds there"
        } else {
            "`num_threads` is P there"
        })
    });
    has("parallel").then_some(team).into_iter().chain(sharing).chain(conditions).collect()
}

/// Whether a pragma has a clause with something in brackets.
fn has_clause(pragma: &str, clause: &str) -> bool {
    pragma.match_indices(clause).any(|(at, _)| {
        !pragma[..at].ends_with(is_word) && pragma[at + clause.len()..].trim_start().starts_with('(')
    })
}

fn first_word(text: &str) -> &str {
    text.split(|character| !is_word(character)).next().unwrap_or_default()
}

/// The last byte of the statement that begins there.
fn end_of_statement(code: &str, begin: usize) -> Option<usize> {
    let next = |at: usize| at + code[at..].len() - code[at..].trim_start().len();
    // The words whose statement is not at its end yet.
    let mut open: Vec<&str> = Vec::new();
    let mut at = begin;
    loop {
        at = next(at);
        let rest = &code[at..];
        let word = first_word(rest);
        let mut end = match word {
            _ if rest.starts_with('{') => end_of_brackets(code, at)?,
            _ if rest.starts_with('#') => {
                at += rest.find('\n')?;
                continue;
            }
            "for" | "while" | "if" | "switch" => {
                open.extend((word == "if").then_some(word));
                at = end_of_brackets(code, at + rest.find('(')?)? + 1;
                continue;
            }
            "do" => {
                open.push(word);
                at += word.len();
                continue;
            }
            _ => at + rest.find(';')?,
        };
        loop {
            match open.pop() {
                None => return Some(end),
                Some("do") => end += 1 + code[end + 1..].find(';')?,
                Some(_) => {
                    let behind = next(end + 1);
                    if first_word(&code[behind..]) == "else" {
                        at = behind + "else".len();
                        break;
                    }
                }
            }
        }
    }
}

/// The bracket that closes the one there.
fn end_of_brackets(code: &str, begin: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(begin) {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_ends() {
        for (code, expected) in [
            ("a; b;", "a;"),
            ("for (;;) { a; } b;", "for (;;) { a; }"),
            ("if (a) b; else if (c) { d; } else e; f;", "if (a) b; else if (c) { d; } else e;"),
            ("if (a) if (b) c; else d; e;", "if (a) if (b) c; else d;"),
            ("do { a; } while (b); c;", "do { a; } while (b);"),
            ("do a; while (b); c;", "do a; while (b);"),
            ("while (a)\n#pragma x\n{ b; } c;", "while (a)\n#pragma x\n{ b; }"),
        ] {
            assert_eq!(end_of_statement(code, 0), Some(expected.len() - 1), "{code}");
        }
        assert_eq!(end_of_statement("if (a", 0), None);
    }

    #[test]
    fn pragmas_say_who_runs_what() {
        let found = regions(
            "#pragma omp parallel for ordered\nfor (;;) {\n#pragma omp ordered\n{ a;\n}\n#pragma omp ordered depend(source)\nb;\n\
             #pragma omp critical (name)\nif (a) b;\nelse c;\n}\n#pragma omp task \\\n  untied\nd;\n#pragma omp target teams distribute parallel for\nfor (;;) e;\n\
             #pragma omp sections\n{ f;\n}\n#pragma omp for\ng;\n",
        );
        let handed_out = |what: &'static str| ThreadSharing::HandedOut(what);
        assert_eq!(
            found,
            [
                (ThreadSharing::OwnTeam, 2..=11),
                (ThreadSharing::Shared, 2..=11),
                (ThreadSharing::OneAtATime, 4..=5),
                (ThreadSharing::OneAtATime, 9..=10),
                (handed_out("tasks that threads may share"), 14..=14),
                (handed_out("what `target` or `distribute` hands out"), 16..=16),
                (handed_out("sections that threads share"), 18..=19),
            ]
        );
        let found = regions(
            "#pragma omp parallel for if (n > 9) \\\n num_threads(notif)\nfor (;;) a;\n#pragma omp for\nfor (;;) b;\n",
        );
        assert_eq!(
            found,
            [
                (ThreadSharing::OwnTeam, 3..=3),
                (ThreadSharing::Shared, 3..=3),
                (ThreadSharing::Conditional("the condition of `if` holds there"), 3..=3),
                (ThreadSharing::Conditional("`num_threads` is P there"), 3..=3),
                (ThreadSharing::Shared, 5..=5),
            ]
        );
    }
}
