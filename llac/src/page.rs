use call_report::Look;

/// What a piece of text is, for front doors that can show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Running text.
    Plain,
    /// A heading or the main result.
    Strong,
    /// A name of an experiment, file or variable.
    Name,
    /// Something to be careful about.
    Warning,
}

/// Where text is shown: how wide it may be, and what styles and pictures look like.
pub struct Page<'a> {
    /// Characters of a line of text.
    pub width: usize,
    /// Characters of a line of a table: what is no terminal has room for all.
    pub table_width: usize,
    /// Lines of a picture.
    pub picture_rows: usize,
    /// The characters of pictures.
    pub look: Look,
    /// A piece of text in its style.
    pub paint: &'a dyn Fn(Style, &str) -> String,
}

impl Page<'_> {
    /// Columns that every terminal has.
    pub const NARROW: usize = 80;
    /// Lines of a picture that leave room for the next command.
    pub const PICTURE_ROWS: usize = 22;

    /// A file, in which nothing is cut.
    pub fn file() -> Page<'static> {
        Page { table_width: usize::MAX, ..Page::plain(Page::NARROW) }
    }

    /// A page without styles.
    pub fn plain(width: usize) -> Page<'static> {
        Page {
            width,
            table_width: width,
            picture_rows: Self::PICTURE_ROWS,
            look: Look::Unicode,
            paint: &|_, text| text.to_owned(),
        }
    }
}
