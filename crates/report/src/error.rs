/// Why a figure cannot be drawn, or tables cannot be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("there is nothing to draw in the figure `{title}`")]
    Empty { title: String },
    #[error(
        "there is nothing to draw in the figure `{title}`: {axis} is logarithmic and has no positive values"
    )]
    NotPositive { title: String, axis: String },
    #[error(
        "the surface `{title}` is no grid: it needs two columns and two rows or more, in ascending order, and {columns} * \
         {rows} values, but has {values}"
    )]
    Grid { title: String, columns: usize, rows: usize, values: usize },
    #[error("the timeline `{title}` has nothing to draw")]
    NoBars { title: String },
    #[error("the timeline `{title}` cannot be drawn: {place} {trouble}")]
    Times { title: String, place: String, trouble: &'static str },
    #[error("the figure `{title}` cannot be {width} by {height} {unit}, only {least} to {most}")]
    Size {
        title: String,
        width: usize,
        height: usize,
        unit: &'static str,
        least: &'static str,
        most: &'static str,
    },
    #[error("the {axis} axis of the figure `{title}` cannot run from {from} to {to}")]
    Ends { title: String, axis: String, from: f64, to: f64 },
    #[error("nothing of the figure `{title}` is between the ends of its {axis} axis that were asked for")]
    Outside { title: String, axis: String },
    #[error("the graph `{title}` has {count} nodes, and 1 to {most} can be drawn")]
    Nodes { title: String, count: usize, most: usize },
    #[error("there is no table")]
    NoTable,
    #[error(
        "a CSV file holds one table, and there are {}",
        .names.len()
    )]
    SeveralTables { names: Vec<String> },
    #[error("the figure `{title}` cannot be drawn: {cause}")]
    Drawing { title: String, cause: String },
}

impl Error {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Empty { .. } => "nothing-to-draw",
            Error::NotPositive { .. } => "no-positive-values",
            Error::Grid { .. } => "not-a-grid",
            Error::NoBars { .. } => "no-bars",
            Error::Nodes { .. } => "number-of-nodes",
            Error::Times { .. } => "wrong-times",
            Error::Size { .. } => "wrong-size-of-figure",
            Error::Ends { .. } => "wrong-ends-of-axis",
            Error::Outside { .. } => "nothing-between-ends",
            Error::NoTable => "no-table",
            Error::SeveralTables { .. } => "several-tables",
            Error::Drawing { .. } => "cannot-draw",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            Error::Empty { .. } => "give it a point or a curve with finite coordinates",
            Error::NotPositive { .. } => "draw it on a linear scale",
            Error::NoBars { .. } => "give it a row with a bar that is longer than nothing",
            Error::Ends { .. } => {
                "give two finite numbers, the lower one first, and for a logarithmic axis positive ones"
            }
            Error::Nodes { .. } => "hide the smaller ones",
            Error::SeveralTables { .. } => "choose one by a name such as `NAME.TABLE.csv`",
            _ => return None,
        })
    }
}
