use crate::lines::{EXCERPT_BYTES, FilePosition, WindowLines, excerpt};
use crate::v1;
use crate::{Error, Limits, Trace};

/// What the first line of every trace starts with; the version follows.
const MAGIC: &[u8] = b"# call-trace ";
/// A longer first line is that of no trace; what an error says of it is the same, however long it is.
const FIRST_LINE_BYTES: usize = MAGIC.len() + EXCERPT_BYTES;
/// Lines and blocks that do not fit into one window are put together up to this size. The runtime writes blocks of some
/// hundred kilobytes, and no command line or list of variables is nearly as long.
const LONGEST_UNIT_BYTES: usize = 64 << 20;

/// Reads a trace from windows of its file, of any sizes, one after another.
///
/// ```
/// let text = "# call-trace 1\n# program: p\n# processors: 1\n# experiment: f\n# variables: N\n\
///     experiment processor P N time_s\nf 0 1 8 0.5\n# end rows=1\n";
/// let mut reader = call_trace::TraceReader::new(call_trace::Limits::default());
/// for window in text.as_bytes().chunks(7) {
///     reader.push(window)?;
/// }
/// assert_eq!(reader.finish()?, call_trace::read(text.as_bytes())?);
/// # Ok::<(), call_trace::Error>(())
/// ```
#[derive(Debug)]
pub struct TraceReader {
    limits: Limits,
    /// The version of the file; `None` while its first line is not there.
    version: Option<v1::Version1>,
    position: FilePosition,
    /// The start of a line or block whose end was in no window so far.
    open: Vec<u8>,
    /// Bytes of it beyond those.
    dropped: u64,
    /// Why nothing more is read.
    error: Option<Error>,
}

impl TraceReader {
    /// A reader of a file, of which so much is kept in memory.
    pub fn new(limits: Limits) -> TraceReader {
        TraceReader {
            limits,
            version: None,
            position: FilePosition::default(),
            open: Vec::new(),
            dropped: 0,
            error: None,
        }
    }

    /// Reads the next window of the file.
    ///
    /// # Errors
    /// See [`read`](crate::read); after an error there is only that.
    pub fn push(&mut self, window: &[u8]) -> Result<(), Error> {
        if self.error.is_none() {
            self.error = self.read_window(window).err();
        }
        self.error.clone().map_or(Ok(()), Err)
    }

    fn read_window(&mut self, window: &[u8]) -> Result<(), Error> {
        let mut window = window;
        while !(self.open.is_empty() || window.is_empty()) {
            let (taken, is_whole) = self.unit_end(window);
            let (unit, rest) = window.split_at(taken);
            self.keep(unit);
            window = rest;
            if is_whole {
                self.read_open(false)?;
            }
        }
        if !window.is_empty() {
            let used = self.read(window, false)?;
            self.keep(&window[used..]);
        }
        Ok(())
    }

    /// What was read, when there are no more windows.
    ///
    /// # Errors
    /// See [`read`](crate::read).
    pub fn finish(mut self) -> Result<Trace, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.position.is_start() && self.open.is_empty() {
            return Err(Error::Empty);
        }
        if self.dropped == 0 {
            self.read_open(true)?;
        }
        self.version.map_or(Err(Error::Cut), v1::Version1::finish)
    }

    /// How much of the window belongs to what is open, and whether that is whole then.
    fn unit_end(&self, window: &[u8]) -> (usize, bool) {
        let missing =
            match self.version.as_ref().map_or(v1::RequiredInput::Line, |version| version.unit(&self.open)) {
                v1::RequiredInput::Line => window.iter().position(|byte| *byte == b'\n').map(|end| end + 1),
                v1::RequiredInput::Bytes(length) => {
                    let missing = length.saturating_sub(self.open.len() as u64 + self.dropped);
                    usize::try_from(missing).ok().filter(|missing| *missing <= window.len())
                }
            };
        // Something must be taken, or there would be no end.
        let taken = missing.unwrap_or(window.len()).max(1);
        let is_first_line_known = self.version.is_none() && self.open.len() + taken >= FIRST_LINE_BYTES;
        (taken, missing.is_some() || is_first_line_known)
    }

    /// Keeps bytes whose line or block is not whole.
    fn keep(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(LONGEST_UNIT_BYTES - self.open.len());
        self.open.extend_from_slice(&bytes[..kept]);
        self.dropped += (bytes.len() - kept) as u64;
    }

    /// Reads what is open.
    fn read_open(&mut self, is_last: bool) -> Result<(), Error> {
        if self.dropped > 0 {
            let (place, mebibytes) = (self.position.place(), LONGEST_UNIT_BYTES >> 20);
            return Err(Error::TooLong { place, mebibytes });
        }
        let mut open = std::mem::take(&mut self.open);
        let used = self.read(&open, is_last)?;
        open.drain(..used);
        self.open = open;
        Ok(())
    }

    /// Reads what is whole of a window, or all if it is the last one; returns how many bytes that is.
    fn read(&mut self, window: &[u8], is_last: bool) -> Result<usize, Error> {
        let mut lines = WindowLines::new(window, self.position);
        if self.version.is_none() {
            self.version = first_line(&mut lines, is_last, self.limits)?;
        }
        if let Some(version) = &mut self.version {
            version.read(&mut lines, is_last)?;
        }
        self.position = lines.position();
        Ok(lines.used())
    }
}

/// Reads the line that says what the file is; `None` if it is not there yet.
fn first_line(lines: &mut WindowLines, is_last: bool, limits: Limits) -> Result<Option<v1::Version1>, Error> {
    let start = lines.rest();
    let line = match lines.next() {
        Some(line) => line,
        None if start.len() >= FIRST_LINE_BYTES => start,
        None if !is_last => return Ok(None),
        None if start.starts_with(MAGIC) || MAGIC.starts_with(start) => return Err(Error::Cut),
        None => start,
    };
    match line.strip_prefix(MAGIC) {
        Some(b"1") => Ok(Some(v1::Version1::new(limits))),
        Some(version) => Err(Error::Version { found: excerpt(version), known: "1".to_owned() }),
        None => Err(Error::NotATrace { first_line: excerpt(line) }),
    }
}

/// Reads a trace of any known version; all its samples are kept. [`TraceReader`] does it piece by piece and within limits. Of one whose end is missing all whole rows are read; see
/// [`Trace::completeness`].
///
/// # Errors
/// If the bytes are no trace, one that ends within its header, or one of an unknown version; see [`Error`].
pub fn read(bytes: &[u8]) -> Result<Trace, Error> {
    let mut reader = TraceReader::new(Limits::NONE);
    reader.push(bytes)?;
    reader.finish()
}
