use super::USAGE;
use super::faster::{self, Faster};
use crate::Error;
use crate::error::code;
use crate::words::Word;

/// What is asked about the waits of recorded runs.
pub struct WaitsRequest<'a> {
    /// The trace or the data set; without it all that is loaded.
    pub data: Option<&'a Word>,
    pub asked: WaitsQuestion<'a>,
}

pub enum WaitsQuestion<'a> {
    All(WholeRunTable),
    /// Everything about one site; some words name it.
    At(&'a [Word]),
    /// How the longest wait came about, of all or of the site that some words name.
    Chain(&'a [Word]),
    /// What the run would gain.
    Faster(Vec<Faster<'a>>),
}

/// What is shown of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WholeRunTable {
    /// Where processors wait, and why.
    Sites,
    /// What each spends its time with.
    Processors,
    /// What delays cost, with the definitions of Scalasca.
    Delays,
}

const BY: &str = "by";
const AT: &str = "at";
const CHAIN: &str = "chain";
const FASTER: &str = "faster";
/// Words that begin a question, and are no traces.
const QUESTIONS: [&str; 4] = [BY, AT, CHAIN, FASTER];

impl<'a> WaitsRequest<'a> {
    /// Of the words of a command.
    pub fn parse(words: &'a [Word]) -> Result<WaitsRequest<'a>, Error> {
        let is_question = |word: &Word| QUESTIONS.contains(&word.text.as_str());
        let (data, rest) = match words {
            [first, rest @ ..] if !is_question(first) => (Some(first), rest),
            _ => (None, words),
        };
        let Some((first, rest)) = rest.split_first() else {
            return Ok(WaitsRequest { data, asked: WaitsQuestion::All(WholeRunTable::Sites) });
        };
        let asked = match (first.text.as_str(), rest) {
            (BY, [what]) if what.text == "processor" => WaitsQuestion::All(WholeRunTable::Processors),
            (BY, [what]) if what.text == "delay" => WaitsQuestion::All(WholeRunTable::Delays),
            (AT, [_, ..]) => WaitsQuestion::At(rest),
            (CHAIN, _) => WaitsQuestion::Chain(rest),
            (FASTER, _) => WaitsQuestion::Faster(faster::parse(first, rest)?),
            (AT, []) => {
                let message = "a site stands behind `at`";
                return Err(first.error(code::MISSING_WORD, message).help(
                    "its number in the list, its place or its call: `at 1`, `at a.c:9`, `at MPI_Recv`",
                ));
            }
            _ => {
                let wrong = if first.text == BY { rest.first().unwrap_or(first) } else { first };
                let message = "there is nothing more to say here than `by processor`, `by delay`, `at SITE`, `chain`, `faster STEP=FACTOR`, `to FILE.otf2` and `to FILE.json`";
                return Err(wrong.error(code::UNEXPECTED_WORD, message).help(format!("usage: {USAGE}")));
            }
        };
        Ok(WaitsRequest { data, asked })
    }
}
