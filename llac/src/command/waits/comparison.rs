use call_grammar::counted;
use call_report::{Column, Table, TableCell, number};
use call_waiting::{ComparedSite, Site, Waits, compare_sites};

use super::tables::{efficiency_cells, efficiency_columns};
use super::{Analysed, MOST_ROWS, USAGE, analysed, percent, seconds, text};
use crate::command::call_site_view::{name_of, stack_of};
use crate::command::doubtful_places::doubtful_places;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// `waits compare BEFORE AFTER`: the waits of two runs, matched by site. Without words the two runs that are loaded.
pub fn compare(session: &Session, words: &[Word]) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    let runs: Vec<Analysed> = match words {
        [] => analysed(session, None, &mut outcome)?,
        [before, after] => {
            let mut runs = analysed(session, Some(before), &mut outcome)?;
            runs.extend(analysed(session, Some(after), &mut outcome)?);
            runs
        }
        [only] => {
            return Err(only
                .error(code::MISSING_WORD, "a comparison takes two runs")
                .help(format!("usage: {USAGE}")));
        }
        [_, _, extra, ..] => {
            let message = format!("`{}` is one word too many", extra.text);
            return Err(extra.error(code::UNEXPECTED_WORD, message).help(format!("usage: {USAGE}")));
        }
    };
    let [before, after] = runs.as_slice() else {
        let message = format!("a comparison takes two runs, and there are {}", runs.len());
        return Err(Error::new(code::SEVERAL_RUNS, message).help("name them: `waits compare BEFORE AFTER`"));
    };
    let rows = compare_sites(&before.1.sites, &after.1.sites);
    outcome.value = compared(before, after, &rows);
    let doubtful = rows.iter().filter(|row| row.is_doubtful).filter_map(|row| row.after);
    let names: Vec<String> = doubtful.map(|site| name_of(&after.1.sites[site].site)).collect();
    outcome.warnings.extend(doubtful_places(&names));
    Ok(outcome)
}

fn compared(before: &Analysed, after: &Analysed, rows: &[ComparedSite]) -> Markup {
    let ((old_run, old), (new_run, new)) = (before, after);
    let mut markup = Markup::new();
    let count = |waits: &Waits| counted(waits.processors.len(), "processor");
    markup.line(
        Style::Plain,
        format!("before: {}, {}; after: {}, {}", old_run.label(), count(old), new_run.label(), count(new)),
    );
    let [was, is] = [&old.efficiency, &new.efficiency];
    let gain_ns = was.run_time_ns - is.run_time_ns;
    markup.paragraph(format!(
        "run time {} before, {} after: a gain of {} ({} %)",
        text(was.run_time_ns),
        text(is.run_time_ns),
        text(gain_ns),
        number::percent(100.0 * ratio(gain_ns as f64, was.run_time_ns as f64))
    ));
    let change =
        |name: &str, was: f64, is: f64| format!("{name} {} before, {} after", percent(was), percent(is));
    markup.paragraph(change("waiting", was.waiting, is.waiting));
    markup.paragraph(
        [
            change("parallel efficiency", was.parallel, is.parallel),
            change("load balance", was.load_balance, is.load_balance),
            change("serialisation", was.serialisation, is.serialisation),
            change("transfer", was.transfer, is.transfer),
        ]
        .join("; "),
    );
    sites(&mut markup, old, new, rows);
    let mut table =
        Table::new([Column::left("run")].into_iter().chain(efficiency_columns())).named("efficiency");
    for (name, waits) in [("before", old), ("after", new)] {
        table.row([TableCell::from(name)].into_iter().chain(efficiency_cells(waits)));
    }
    markup.data(table);
    markup
}

fn sites(markup: &mut Markup, old: &Waits, new: &Waits, rows: &[ComparedSite]) {
    if rows.is_empty() {
        markup.line(Style::Plain, "no processor waits, before and after");
        return;
    }
    let share = |waits: &Waits, site: Option<&Site>| {
        let all_ns = waits.efficiency.run_time_ns as f64 * waits.processors.len() as f64;
        100.0 * ratio(site.map_or(0.0, |site| site.waiting_ns as f64), all_ns)
    };
    let table = |name: &str, most: usize| {
        let times = [Column::seconds("before"), Column::seconds("after"), Column::seconds("gain")];
        let shares = [Column::percent("before"), Column::percent("after")];
        let names = [Column::code("site"), Column::left("call stack").key("call_stack")];
        let mut table = Table::new(names.into_iter().chain(times).chain(shares)).named(name);
        for row in rows.iter().take(most) {
            let [was, is] = [row.before.map(|site| &old.sites[site]), row.after.map(|site| &new.sites[site])];
            let Some(site) = is.or(was) else { continue };
            let time = |site: Option<&Site>| site.map_or(f64::NAN, |site| seconds(site.waiting_ns));
            table.row([
                TableCell::from(name_of(&site.site)),
                stack_of(&site.site).into(),
                TableCell::number_or(time(was), "none"),
                TableCell::number_or(time(is), "none"),
                seconds(row.gain_ns(&old.sites, &new.sites)).into(),
                share(old, was).into(),
                share(new, is).into(),
            ]);
        }
        table
    };
    markup.paragraph("waiting of all processors together, and its share in their time:");
    markup.table(table("compared_sites", MOST_ROWS));
    markup.data(table("all_compared_sites", usize::MAX));
    if rows.len() > MOST_ROWS {
        let more = counted(rows.len() - MOST_ROWS, "further site");
        markup.line(Style::Plain, format!("{more} that changed less"));
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
