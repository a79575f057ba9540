use std::ops::Range;

use call_grammar::suggest;
use call_profile::{Charging, CriticalPath};

use super::USAGE;
use super::values::HidingThreshold;
use crate::Error;
use crate::command::values::number;
use crate::error::code;
use crate::words::Word;

/// What is to be shown of which profile.
pub struct ProfileRequest {
    pub asked: ProfileSelection,
    pub criterion: CriticalPath,
    /// Which nodes are left out.
    pub hidden: HidingThreshold,
    pub charging: Charging,
    pub shown: ProfileAspect,
    /// The file that is to be written: `.bsp`, a picture, or for another tool.
    pub written: Option<Word>,
}

/// A way to look at a profile.
pub enum ProfileAspect {
    Tree,
    /// One node with its callers and what it calls.
    Node(Word),
    /// What each processor has of a node.
    Pies(Word),
    /// Cost centres by what balance would save.
    Centres,
}

/// Below this share of the time nodes are hidden, as by the Oxford toolset.
pub const HIDDEN_SHARE: f64 = 0.01;

impl ProfileRequest {
    /// Of the words of a command, which ends at `end`.
    pub fn parse(all: &[Word], end: Range<usize>) -> Result<ProfileRequest, Error> {
        let mut request = ProfileRequest {
            asked: ProfileSelection::default(),
            criterion: CriticalPath::Of(
                call_profile::CostQuantity::Computation,
                call_profile::Scale::Absolute,
            ),
            hidden: HidingThreshold { share: HIDDEN_SHARE, criterion: None },
            charging: Charging::Once,
            shown: ProfileAspect::Tree,
            written: None,
        };
        let mut words = all.iter();
        while let Some(word) = words.next() {
            let mut next = |what: &str| {
                words.next().ok_or_else(|| {
                    Error::at(
                        code::MISSING_WORD,
                        end.clone(),
                        format!("{what} is missing behind `{}`", word.text),
                    )
                })
            };
            match word.text.as_str() {
                "by" => {
                    request.criterion = criterion(next("the criterion")?)?;
                    request.hidden.criterion = Some(request.criterion);
                }
                "hide" => request.hidden.share = share(next("the percentage")?)?,
                "to" => request.written = Some(written_file(next("the file")?)?),
                "original" => request.charging = Charging::EachFrame,
                "node" => request.show(word, ProfileAspect::Node(next("the name")?.clone()))?,
                "pies" => request.show(word, ProfileAspect::Pies(next("the name")?.clone()))?,
                "centres" => request.show(word, ProfileAspect::Centres)?,
                "on" => request.asked.machine = Some(next("the machine")?.clone()),
                _ => request.asked.take(word)?,
            }
        }
        match &request.asked.sources[..] {
            [_, second, ..] if request.asked.point.is_empty() => {
                let message = format!("`profile` does not know `{}`", second.text);
                Err(second.error(code::UNEXPECTED_WORD, message).help(format!(
                    "several runs tell what another one takes: `profile RUN RUN RUN P=64`; usage: {USAGE}"
                )))
            }
            _ => Ok(request),
        }
    }

    fn show(&mut self, word: &Word, shown: ProfileAspect) -> Result<(), Error> {
        match std::mem::replace(&mut self.shown, shown) {
            ProfileAspect::Tree => Ok(()),
            _ => Err(word
                .error(code::UNEXPECTED_WORD, "one view at a time")
                .help("leave out all but one of `node`, `pies` and `centres`")),
        }
    }
}

/// Which profile is meant, in the words that `profile` and `page` share.
#[derive(Default)]
pub struct ProfileSelection {
    /// A trace, a data set or a file; all that is loaded if absent. A prediction has several.
    pub sources: Vec<Word>,
    /// Where the profile is to be predicted; that of a run if empty.
    pub point: Vec<(Word, f64)>,
    /// The machine that communication is computed for.
    pub machine: Option<Word>,
}

impl ProfileSelection {
    /// One more word: a source, or a variable with its value.
    pub fn take(&mut self, word: &Word) -> Result<(), Error> {
        match word.assignment() {
            Some((name, value)) => self.point.push(coordinate(word, name, value)?),
            None => self.sources.push(word.clone()),
        }
        Ok(())
    }
}

/// `P=64`: the name stands where the word begins.
fn coordinate(word: &Word, name: &str, value: &str) -> Result<(Word, f64), Error> {
    let value = number(value).filter(|value| value.is_finite()).ok_or_else(|| {
        word.error(code::WRONG_VALUE, format!("`{value}` is no number"))
            .help("a variable of the program and its value: `P=64`")
    })?;
    Ok((Word { text: name.to_owned(), ..word.clone() }, value))
}

fn criterion(word: &Word) -> Result<CriticalPath, Error> {
    CriticalPath::named(&word.text).ok_or_else(|| {
        let keys: Vec<String> = CriticalPath::all().map(CriticalPath::key).collect();
        let suggestion = suggest(&word.text, keys.iter().map(String::as_str));
        word.error(code::UNEXPECTED_WORD, format!("there is no criterion `{}`", word.text)).suggesting(
            suggestion,
            "`sync`, or `comp`, `comm`, `wait`, `hrel` with `/absolute`, `/absdelta`, `/reldelta` or `/weightdelta`",
        )
    })
}

/// The share that a word gives in percent.
pub fn share(word: &Word) -> Result<f64, Error> {
    let percent = number(word.text.trim_end_matches('%')).filter(|percent| (0.0..=100.0).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| {
        word.error(code::WRONG_VALUE, format!("`{}` is no percentage from 0 to 100", word.text))
            .help("`hide 1` leaves out what has below 1 % of the time and of waiting")
    })
}

/// What files for speedscope end in.
pub const SPEEDSCOPE: &str = ".speedscope.json";
/// What files for the Firefox Profiler end in.
pub const FIREFOX: &str = ".firefox.json";
/// What files for Hatchet end in.
pub const HATCHET: &str = ".hatchet.json";

/// What profiles of Cube end in.
pub const CUBE: &str = ".cubex";

fn written_file(word: &Word) -> Result<Word, Error> {
    match [".bsp", ".svg", ".png", SPEEDSCOPE, FIREFOX, HATCHET, CUBE].iter().any(|ending| word.text.ends_with(ending)) {
        true => Ok(word.clone()),
        false => Err(word
            .error(code::UNKNOWN_FORMAT, "profiles are written to files that end in .bsp, .svg, .png, .cubex, .speedscope.json, .firefox.json or .hatchet.json")
            .help("`into FILE.csv` and `into FILE.json` write tables, `page into FILE.html` a page")),
    }
}
