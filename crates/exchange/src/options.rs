use crate::{Format, TimeUnit};

/// What the user says about a file beyond what stands in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// How the file is to be read; else it is seen from its content, then from its name.
    pub format: Option<Format>,
    /// The column, metric or observable with the times; else it is found by its name.
    pub time_column: Option<String>,
    /// The unit of the times; else it is seen from the name, or they are seconds.
    pub time_unit: Option<TimeUnit>,
    /// Columns whose texts together name the experiment of a row; else one is found by its name.
    pub experiment_columns: Vec<String>,
    /// Name of the experiment of a file that names none; else it is made of the name of the file.
    pub experiment_name: Option<String>,
    /// The column that says on how many processors was measured; it becomes `P`.
    pub processors_column: Option<String>,
    /// Columns that are to stay out.
    pub leave_out: Vec<String>,
    /// Columns that are variables though their names speak of something else.
    pub keep: Vec<String>,
}
