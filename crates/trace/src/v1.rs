//! Version 1: header lines `# key: value`, column names, rows as text or in binary blocks, `# end rows=N`.

mod block;
mod declaration;
mod header;
mod rows;
mod supersteps;

use crate::lines::{Lines, excerpt};
use crate::{Completeness, Condensation, Error, Experiment, Limits, Trace};
use header::Head;
use supersteps::Sections;

/// What follows the first line of a file, while it is read.
#[derive(Debug)]
pub(crate) struct Version1 {
    limits: Limits,
    part: Part,
    supersteps: Sections,
    announced: Option<u64>,
}

/// What is being read.
#[derive(Debug)]
enum Part {
    Header(header::HeaderReader),
    Rows(rows::RowsReader),
    Blocks(block::BlocksReader),
    /// What stands behind the rows, where every line starts with `#`.
    Tail(Body),
    End(Body),
}

impl Default for Part {
    fn default() -> Part {
        Part::Header(header::HeaderReader::default())
    }
}

/// What stands between the header and the end.
#[derive(Debug)]
struct Body {
    head: Head,
    experiments: Vec<Experiment>,
    /// For each experiment, if it was summed up.
    condensations: Vec<Option<Condensation>>,
    rows: u64,
}

/// What must be there as a whole before it can be read.
pub(crate) enum Extent {
    Line,
    Bytes(u64),
}

impl Version1 {
    pub(crate) fn new(limits: Limits) -> Version1 {
        Version1 { limits, part: Part::default(), supersteps: Sections::default(), announced: None }
    }

    /// Reads what is whole, or all if it is the last of the file.
    pub(crate) fn read(&mut self, lines: &mut Lines, is_last: bool) -> Result<(), Error> {
        loop {
            let is_over = match &mut self.part {
                Part::Header(reader) => match reader.read(lines)? {
                    None => false,
                    Some(head) => {
                        self.part = Part::body(head, self.limits);
                        continue;
                    }
                },
                Part::Rows(reader) => reader.read(lines)?,
                Part::Blocks(reader) => reader.read(lines, is_last)?,
                Part::Tail(_) => self.read_tail(lines)?,
                Part::End(_) if lines.rest().is_empty() => false,
                Part::End(_) => return Err(Error::AfterEnd { place: lines.place() }),
            };
            if !is_over {
                return Ok(());
            }
            self.part = match std::mem::take(&mut self.part) {
                Part::Rows(reader) => Part::Tail(reader.finish()),
                Part::Blocks(reader) => Part::Tail(reader.finish()),
                Part::Tail(body) => Part::End(body),
                part => part,
            };
        }
    }

    /// Reads lines up to the last one of the trace; returns whether that was met.
    fn read_tail(&mut self, lines: &mut Lines) -> Result<bool, Error> {
        loop {
            let place = lines.place();
            let Some(text) = lines.next() else { return Ok(false) };
            if self.supersteps.take(text, place)? {
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
    pub(crate) fn unit(&self, open: &[u8]) -> Extent {
        match &self.part {
            Part::Blocks(_) if open.first() != Some(&b'#') => Extent::Bytes(block::length(open)),
            _ => Extent::Line,
        }
    }

    pub(crate) fn finish(self) -> Result<Trace, Error> {
        let mut body = match self.part {
            Part::Header(_) => return Err(Error::Cut),
            Part::Rows(reader) => reader.finish(),
            Part::Blocks(reader) => reader.finish(),
            Part::Tail(body) | Part::End(body) => body,
        };
        let completeness = body.completeness(self.announced);
        Ok(Trace {
            header: body.head.header,
            completeness,
            experiments: body.experiments,
            supersteps: self.supersteps.finish(),
            condensations: body.condensations.into_iter().flatten().collect(),
        })
    }
}

impl Part {
    fn body(head: Head, limits: Limits) -> Part {
        if head.is_binary {
            Part::Blocks(block::BlocksReader::new(head, limits))
        } else {
            Part::Rows(rows::RowsReader::new(head, limits))
        }
    }
}

impl Body {
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
