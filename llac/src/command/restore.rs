use super::{Arguments, Command};
use crate::data::Step;
use crate::{Completion, Error, Outcome, Session};

pub struct Restore;

impl Command for Restore {
    fn name(&self) -> &'static str {
        "restore"
    }

    fn usage(&self) -> &'static str {
        "restore [EXPERIMENT…]"
    }

    fn summary(&self) -> &'static str {
        "bring dropped samples back"
    }

    fn details(&self) -> &'static str {
        "Brings back what `drop` left out, of these experiments or of all."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let found = session.experiments_or_all(arguments)?;
        let is_meant = |name: &str| found.iter().any(|found| found.experiment().name == name);
        let is_gone = |step: &Step| matches!(step, Step::Drop { experiment, .. } if is_meant(experiment));
        let data = session.state().data();
        let dropped: usize = data
            .steps()
            .filter(|step| is_gone(step))
            .map(|step| if let Step::Drop { numbers, .. } = step { numbers.len() } else { 0 })
            .sum();
        if dropped == 0 {
            return Ok(Outcome::line("nothing was dropped"));
        }
        let changed = data.without_steps(is_gone).map_err(Error::new)?;
        session.change().set_data(changed);
        let are = if dropped == 1 { "sample is" } else { "samples are" };
        Ok(Outcome::line(format!("{dropped} dropped {are} back")))
    }
}
