use call_report::{Column, Table, TableCell};
use call_waiting::{Saving, Waits};

use super::seconds;
use crate::Markup;

/// So many steps are tried.
pub const MOST_STEPS: usize = 5;

/// What the run would gain if the largest causes were none, by replay.
pub fn tell(markup: &mut Markup, trace: &str, waits: &Waits, names: &[String]) {
    let savings = waits.savings(MOST_STEPS);
    if savings.is_empty() {
        return;
    }
    markup.paragraph(
        "what the run would save, by replay, if a step took no processor longer than the mean of all, each step for itself:",
    );
    markup.table(table(waits, names, &savings).about_the("trace", trace));
    if savings.iter().any(|saving| saves_more_than_its_excess(waits, saving)) {
        markup.paragraph(
            "more than longest less mean is saved where processors take longest in turn, or one after the other",
        );
    }
    if savings.iter().any(|saving| !saving.is_each_time) {
        markup.paragraph("* compared as a sum, as not all do it equally often; others each time");
    }
}

fn table(waits: &Waits, names: &[String], savings: &[Saving]) -> Table {
    let columns = [
        Column::left("step"),
        Column::right("most on").key("processor"),
        Column::seconds("longest"),
        Column::seconds("mean"),
        Column::seconds("saves"),
        Column::percent("saves"),
    ];
    let mut table = Table::new(columns).named("savings");
    let before_ns = waits.efficiency.run_time_ns;
    for saving in savings {
        let mark = if saving.is_each_time { "" } else { " *" };
        let saved_ns = saved_ns(waits, saving);
        table.row([
            TableCell::from(format!("{}{mark}", names[saving.code])),
            f64::from(waits.processors[saving.longest]).into(),
            seconds(saving.longest_ns).into(),
            (saving.mean_ns * 1e-9).into(),
            seconds(saved_ns).into(),
            TableCell::number_or(100.0 * saved_ns as f64 / before_ns as f64, "none"),
        ]);
    }
    table
}

/// Who does not do a step has no more to do in a replay: no run ends before all that is computed is divided evenly.
pub fn saved_ns(waits: &Waits, saving: &Saving) -> i64 {
    let before_ns = waits.efficiency.run_time_ns;
    let most_ns = before_ns - (waits.efficiency.parallel * before_ns as f64) as i64;
    (before_ns - saving.run_time_ns).min(most_ns)
}

/// By more than what is rounded.
fn saves_more_than_its_excess(waits: &Waits, saving: &Saving) -> bool {
    const ROUNDED_SHARE: f64 = 0.01;
    let saved_ns = saved_ns(waits, saving) as f64;
    saved_ns * (1.0 - ROUNDED_SHARE) > saving.longest_ns as f64 - saving.mean_ns
}
