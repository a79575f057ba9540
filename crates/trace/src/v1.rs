//! Version 1: header lines `# key: value`, column names, rows as text or in binary blocks, `# end rows=N`.

mod block;
mod declaration;
mod events;
mod function_name;
mod header;
mod rows;
mod supersteps;

use crate::lines::{WindowLines, excerpt};
use crate::{Completeness, Condensation, Error, Experiment, Limits, Trace};
use events::EventSections;
use header::FileHead;
use supersteps::Sections;

/// What follows the first line of a file, while it is read.
#[derive(Debug)]
pub(crate) struct Version1 {
    limits: Limits,
    part: FilePart,
    supersteps: Sections,
    events: EventSections,
    announced: Option<u64>,
}

/// What is being read.
#[derive(Debug)]
enum FilePart {
    Header(header::HeaderReader),
    Rows(rows::RowsReader),
    Blocks(block::BlocksReader),
    /// What stands behind the rows, where every line starts with `#`.
    Tail(TraceBody),
    End(TraceBody),
}

impl Default for FilePart {
    fn default() -> FilePart {
        FilePart::Header(header::HeaderReader::default())
    }
}

/// What stands between the header and the end.
#[derive(Debug)]
struct TraceBody {
    head: FileHead,
    experiments: Vec<Experiment>,
    /// For each experiment, if it was summed up.
    condensations: Vec<Option<Condensation>>,
    rows: u64,
}

/// What must be there as a whole before it can be read.
pub(crate) enum RequiredInput {
    Line,
    Bytes(u64),
}

impl Version1 {
    pub(crate) fn new(limits: Limits) -> Version1 {
        Version1 {
            limits,
            part: FilePart::default(),
            supersteps: Sections::default(),
            events: EventSections::default(),
            announced: None,
        }
    }

    /// Reads what is whole, or all if it is the last of the file.
    pub(crate) fn read(&mut self, lines: &mut WindowLines, is_last: bool) -> Result<(), Error> {
        loop {
            let is_over = match &mut self.part {
                FilePart::Header(reader) => match reader.read(lines)? {
                    None => false,
                    Some(head) => {
                        self.part = FilePart::body(head, self.limits);
                        continue;
                    }
                },
                FilePart::Rows(reader) => reader.read(lines)?,
                FilePart::Blocks(reader) => reader.read(lines, is_last)?,
                FilePart::Tail(_) => self.read_tail(lines)?,
                FilePart::End(_) if lines.rest().is_empty() => false,
                FilePart::End(_) => return Err(Error::AfterEnd { place: lines.place() }),
            };
            if !is_over {
                return Ok(());
            }
            self.part = match std::mem::take(&mut self.part) {
                FilePart::Rows(reader) => FilePart::Tail(reader.finish()),
                FilePart::Blocks(reader) => FilePart::Tail(reader.finish()),
                FilePart::Tail(body) => FilePart::End(body),
                part => part,
            };
        }
    }

    /// Reads lines up to the last one of the trace; returns whether that was met.
    fn read_tail(&mut self, lines: &mut WindowLines) -> Result<bool, Error> {
        loop {
            let place = lines.place();
            if self.events.at_block(lines.rest()) {
                if self.events.take_block(lines)? {
                    continue;
                }
                return Ok(false);
            }
            let Some(text) = lines.next() else { return Ok(false) };
            if self.events.take(text, place)? || self.supersteps.take(text, place)? {
                continue;
            }
            self.announced = announced(text);
            return match self.announced {
                Some(_) => Ok(true),
                None => Err(Error::AmongRows { place, text: excerpt(text) }),
            };
        }
    }

    /// What starts with these bytes.
    pub(crate) fn unit(&self, open: &[u8]) -> RequiredInput {
        match &self.part {
            FilePart::Blocks(_) if open.first() != Some(&b'#') => RequiredInput::Bytes(block::length(open)),
            FilePart::Tail(_) if self.events.at_block(open) => RequiredInput::Bytes(events::length(open)),
            _ => RequiredInput::Line,
        }
    }

    pub(crate) fn finish(self) -> Result<Trace, Error> {
        let mut body = match self.part {
            FilePart::Header(_) => return Err(Error::Cut),
            FilePart::Rows(reader) => reader.finish(),
            FilePart::Blocks(reader) => reader.finish(),
            FilePart::Tail(body) | FilePart::End(body) => body,
        };
        let completeness = body.completeness(self.announced);
        Ok(Trace {
            header: body.head.header,
            events: self.events.finish(&completeness),
            completeness,
            experiments: body.experiments,
            supersteps: self.supersteps.finish(),
            condensations: body.condensations.into_iter().flatten().collect(),
        })
    }
}

impl FilePart {
    fn body(head: FileHead, limits: Limits) -> FilePart {
        if head.is_binary {
            FilePart::Blocks(block::BlocksReader::new(head, limits))
        } else {
            FilePart::Rows(rows::RowsReader::new(head, limits))
        }
    }
}

impl TraceBody {
    fn completeness(&mut self, announced: Option<u64>) -> Completeness {
        let rows = self.rows;
        if let Some(run) = self.head.unfinished.take() {
            // The process may not have known how many there are.
            let tables = self.experiments.iter().flat_map(|its| [&its.samples, &its.summaries.points]);
            let largest = tables.flat_map(|samples| &samples.processor).max();
            let processors = largest.map_or(0, |largest| largest.saturating_add(1));
            self.head.header.processors = self.head.header.processors.max(processors);
            return Completeness::Unfinished { run, rows };
        }
        if announced == Some(rows) { Completeness::Complete } else { Completeness::Cut { rows, announced } }
    }
}

/// The number of rows that the last line of a trace, `# end rows=N`, announces.
fn announced(text: &[u8]) -> Option<u64> {
    let count = text.strip_prefix(b"# end rows=").filter(|count| count.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(count).ok()?.parse().ok()
}
