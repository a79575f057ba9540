//! How much a run gains when a block takes less time, and where another path takes over.

mod block;

use call_bsp::recording::RecordedRun;
use call_grammar::counted;
use call_model::question::{StraightPiece, StraightPieces};
use call_report::{Axis, Column, Figure, Series, Table, TableCell, number};
use call_trace::Run;
use call_waiting::Waits;

use crate::command::recorded_runs::one_recorded_run;
use crate::command::{CommandArguments, replay, waits};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Picture, Session};
use block::{PathPart, ReplayableBlock};

/// What stands before the blocks.
pub const FASTER: &str = "faster";
/// Bends that are told in a sentence.
const MOST_BENDS: usize = 3;
/// Bends whose paths are looked at; each takes two replays.
const MOST_PATHS: usize = 16;

/// `plot faster [TRACE | SET] BLOCK…`: by how much less the run takes when a block takes less, for each block.
pub fn picture(
    session: &Session,
    arguments: &CommandArguments,
    words: &[Word],
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    if arguments.condition().is_some() {
        let message = "`plot faster` has a whole run and no samples to choose from";
        return Err(Error::new(code::NOT_APPLICABLE, message).help("leave `where` out"));
    }
    let (data, blocks) = match words.split_first() {
        Some((first, rest)) if names_runs(session, first) => (Some(first), rest),
        _ => (None, words),
    };
    if blocks.is_empty() {
        let error = Error::at(code::MISSING_WORD, arguments.end(), "which block is to be faster?");
        return Err(error.help("an experiment, `FILE:LINE`, a call or a procedure: `plot faster smooth`"));
    }
    let recording =
        ReplayableRecording::of(one_recorded_run(session, data, "a curve", "plot faster TRACE BLOCK")?)?;
    let mut figure = figure(recording.run.label());
    let (mut table, mut paths) = (gains(), paths());
    for (place, word) in blocks.iter().enumerate() {
        if blocks[..place].iter().any(|other| other.text == word.text) {
            return Err(word.error(code::GIVEN_TWICE, format!("`{}` is given twice", word.text)));
        }
        let curve = Curve::of(&recording, word)?;
        outcome.value.paragraph(curve.sentence());
        for corner in curve.corners() {
            table.row(curve.row(&corner));
            if let Some(row) = curve.path_row(&corner) {
                paths.row(row);
            }
        }
        figure.series.push(curve.series());
        for doubt in recording.block(word)?.doubts(recording.run) {
            if !outcome.warnings.contains(&doubt) {
                outcome.warnings.push(doubt);
            }
        }
    }
    outcome.value.table(table.about_the("trace", recording.run.label()));
    outcome.value.data(paths.about_the("trace", recording.run.label()));
    outcome.warnings.extend(recording.warnings());
    Ok(Picture::Figure(figure))
}

fn names_runs(session: &Session, word: &Word) -> bool {
    let state = session.state();
    let is_trace = state.data().runs().iter().any(|run| run.files.contains(&word.text));
    is_trace || state.sets().contains_key(&word.text)
}

/// A run, and what is replayed of it: its calls, or its supersteps.
struct ReplayableRecording<'a> {
    run: &'a Run,
    supersteps: Option<RecordedRun>,
    /// Not known where clocks have nothing in common.
    waits: Result<Waits, Error>,
    names: Vec<String>,
}

impl ReplayableRecording<'_> {
    fn of(run: &Run) -> Result<ReplayableRecording<'_>, Error> {
        let supersteps = match run.events.is_empty() {
            true => Some(RecordedRun::rebuild(&run.supersteps)?),
            false => None,
        };
        let waits = waits::waits_of(run).map_err(|error| Error::from(error).of(run.label()));
        let names = waits.as_ref().map(waits::code_names).unwrap_or_default();
        Ok(ReplayableRecording { run, supersteps, waits, names })
    }

    fn block<'a>(&'a self, word: &'a Word) -> Result<ReplayableBlock<'a>, Error> {
        let name = word.text.as_str();
        if let Some(run) = &self.supersteps
            && run.experiments().is_some_and(|known| known.iter().any(|its| its == name))
        {
            return Ok(ReplayableBlock::Experiment { run, name });
        }
        let waits = self.waits.as_ref().map_err(Error::clone)?;
        let steps = waits::steps_named(waits, &self.names, name);
        match steps.is_empty() {
            true => Err(waits::unknown_step(waits, word, name)),
            false => Ok(ReplayableBlock::Steps { waits, names: &self.names, steps }),
        }
    }

    fn warnings(&self) -> Vec<crate::Message> {
        let of_supersteps =
            self.supersteps.as_ref().and_then(|its| replay::own_clocks(self.run.label(), its));
        let of_waits = self.waits.as_ref().map(|waits| waits::faults(self.run, waits)).unwrap_or_default();
        of_supersteps.into_iter().chain(of_waits).collect()
    }
}

/// The run times over the part by which a block takes less time.
struct Curve<'a> {
    name: &'a str,
    times: StraightPieces,
    /// For each piece what is new on the critical path there; at first its longest part.
    paths: Vec<Option<PathPart>>,
}

impl Curve<'_> {
    fn of<'a>(recording: &ReplayableRecording, word: &'a Word) -> Result<Curve<'a>, Error> {
        let block = recording.block(word)?;
        let times = block.run_times().map_err(|error| error.with_span(word.span.clone()))?;
        let mut paths = vec![block.path(0.0)?.into_iter().next()];
        for pair in times.pieces.windows(2) {
            let room = [&pair[0], &pair[1]].map(|piece| piece.to - piece.from);
            paths.push(match paths.len() <= MOST_PATHS {
                true => block.new_on_path(pair[0].to, pair[1].from, room)?,
                false => None,
            });
        }
        Ok(Curve { name: &word.text, times, paths })
    }

    fn before_s(&self) -> f64 {
        self.times.pieces.first().map_or(0.0, |piece| piece.value)
    }

    /// Percent of the run time as recorded.
    fn percent(&self, time_s: f64) -> f64 {
        100.0 * time_s / self.before_s()
    }

    /// By how many percent of the run each percent of the block makes it shorter.
    fn worth(&self, piece: &StraightPiece) -> f64 {
        (-self.percent(piece.slope) / 100.0).max(0.0)
    }

    fn sentence(&self) -> String {
        let of_run = |piece: &StraightPiece| match self.worth(piece) {
            worth if worth < UNSEEN_WORTH => "it gains nothing more".to_owned(),
            worth => format!("1 % less of it is {} % of the run", number::significant(worth, 3)),
        };
        let pieces = &self.times.pieces;
        let Some(first) = pieces.first() else { return String::new() };
        let mut text = match self.worth(first) {
            worth if worth < 1e-9 => {
                format!("{}: it is not on the critical path, nothing is gained", self.name)
            }
            worth if worth < UNSEEN_WORTH => {
                format!("{}: less of it gains nothing that can be seen", self.name)
            }
            _ => format!("{}: {}", self.name, of_run(first)),
        };
        let bends = pieces.len() - 1;
        for (place, piece) in pieces.iter().enumerate().skip(1).take(MOST_BENDS) {
            let path = self.paths[place].as_ref().map(|part| {
                format!(" the critical path goes through `{}` on processor {} and", part.what, part.processor)
            });
            text.push_str(&format!(
                "; from {} %{} on{} {}",
                number::percent(100.0 * piece.from),
                times_as_fast(piece.from),
                path.unwrap_or_default(),
                of_run(piece)
            ));
        }
        if bends > MOST_BENDS {
            text.push_str(&format!("; {} more", counted(bends - MOST_BENDS, "bend")));
        }
        if self.times.off > 0.0 {
            let off = number::significant(self.percent(self.times.off), 2);
            text.push_str(&format!("; between rows that say so there are several bends, and the gain is up to {off} % of the run more than drawn"));
        }
        text
    }

    /// Where the curve begins, bends and ends: the part by which the block takes less, the run time, what is known of bends, and the piece
    /// behind it.
    fn corners(&self) -> Vec<Corner> {
        let pieces = &self.times.pieces;
        let mut corners: Vec<Corner> = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let is_met = place > 0 && pieces[place - 1].to >= piece.from;
            let bend = if is_met { "here" } else { "" };
            corners.push(Corner { reduction: piece.from, time_s: piece.value, bend, piece: Some(place) });
            if pieces.get(place + 1).is_none_or(|next| piece.to >= next.from) {
                continue;
            }
            match piece.from < piece.to {
                true => corners.push(Corner {
                    reduction: piece.to,
                    time_s: piece.at(piece.to),
                    bend: SEVERAL,
                    piece: None,
                }),
                false => corners.iter_mut().last().into_iter().for_each(|corner| corner.bend = SEVERAL),
            }
        }
        if let Some(last) = pieces.last().filter(|last| last.from < last.to) {
            corners.push(Corner { reduction: last.to, time_s: last.at(last.to), bend: "", piece: None });
        }
        corners
    }

    fn row(&self, corner: &Corner) -> [TableCell; 6] {
        let share = 1.0 - corner.reduction;
        [
            TableCell::from(self.name),
            TableCell::from(100.0 * corner.reduction),
            if share > 0.0 { TableCell::from(share.recip()) } else { "none left".into() },
            corner.time_s.into(),
            TableCell::number_or(self.percent(self.before_s() - corner.time_s), "none"),
            corner.bend.into(),
        ]
    }

    fn path_row(&self, corner: &Corner) -> Option<[TableCell; 5]> {
        let part = self.paths[corner.piece?].as_ref()?;
        Some([
            TableCell::from(self.name),
            TableCell::from(100.0 * corner.reduction),
            TableCell::from(f64::from(part.processor)),
            TableCell::from(part.what.as_str()),
            part.state.into(),
        ])
    }

    fn series(&self) -> Series {
        let gain = |corner: Corner| (100.0 * corner.reduction, self.percent(self.before_s() - corner.time_s));
        Series {
            label: self.name.to_owned(),
            curve: self.corners().into_iter().map(gain).collect(),
            ..Series::default()
        }
    }
}

struct Corner {
    reduction: f64,
    time_s: f64,
    bend: &'static str,
    /// The piece that begins there.
    piece: Option<usize>,
}

/// In percent of the run for a percent of the block: all of it is less than a millionth of the run then.
const UNSEEN_WORTH: f64 = 1e-6;

/// More than one before the next row.
const SEVERAL: &str = "until next row";

fn times_as_fast(reduction: f64) -> String {
    match 1.0 - reduction {
        share if share > 0.0 => format!(" ({} times as fast)", number::significant(share.recip(), 3)),
        _ => String::new(),
    }
}

fn gains() -> Table {
    Table::new([
        Column::left("block"),
        Column::percent("less of it").key("block_percent"),
        Column::significant("times as fast", 4).key("factor"),
        Column::seconds("run time"),
        Column::percent("gain"),
        Column::left("bend"),
    ])
    .named("faster")
}

/// What is new on the critical path from there on; at first its longest part.
fn paths() -> Table {
    Table::new([
        Column::left("block"),
        Column::percent("less of it").key("block_percent"),
        Column::right("processor"),
        Column::left("critical path").key("what"),
        Column::left("state"),
    ])
    .named("critical_paths")
}

fn figure(label: &str) -> Figure {
    Figure {
        title: format!("{label}: what a faster block is worth"),
        x: Axis::linear("time that the block takes less (%)"),
        y: Axis::linear("time that the run takes less (%)"),
        ..Figure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of 1 s, of which the block is worth so many seconds.
    fn sentence(worth_s: f64) -> String {
        let pieces = vec![StraightPiece { from: 0.0, to: 1.0, value: 1.0, slope: -worth_s }];
        Curve { name: "f", times: StraightPieces { pieces, off: 0.0 }, paths: vec![None] }.sentence()
    }

    #[test]
    fn what_rounding_leaves_is_no_gain() {
        assert_eq!(sentence(0.25), "f: 1 % less of it is 0.25 % of the run");
        assert_eq!(sentence(4e-8), "f: less of it gains nothing that can be seen");
        assert_eq!(sentence(0.0), "f: it is not on the critical path, nothing is gained");
    }
}
