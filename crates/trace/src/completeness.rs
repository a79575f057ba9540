/// Whether a trace holds all that its run measured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Completeness {
    /// The last line is there and speaks of as many rows as were found.
    #[default]
    Complete,
    /// The end is missing, as the run was killed or the disk was full, or its last line speaks of other rows than were
    /// found. All whole rows were read.
    Cut {
        /// Rows that were read.
        rows: u64,
        /// Rows of which the last line speaks, if it is there.
        announced: Option<u64>,
    },
    /// The file holds what one process had measured when it last saved; its run has not reported.
    Unfinished {
        /// A word that the files of all processes of the run share.
        run: String,
        /// Rows that were read.
        rows: u64,
    },
}
