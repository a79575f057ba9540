/// What may stand in a place of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Completion {
    Command,
    Experiment,
    /// An experiment or a model program.
    ExperimentOrProgram,
    /// An experiment or one of its constants.
    Constant,
    /// A variable of the experiment or program that stands first, or of the only experiment.
    Variable,
    /// A variable and the `=` behind it.
    Value,
    /// A variable, counter or other column of any experiment.
    Column,
    DataSet,
    /// What stands behind `machine`.
    MachineCommand,
    /// The name of a machine.
    Machine,
    /// What stands behind `plot`: kinds, experiments, programs, variables.
    Plot,
    Setting,
    /// A value of the setting that stands first.
    SettingValue,
    /// How a check is written for another tool.
    CheckFormat,
    File,
    Nothing,
}
