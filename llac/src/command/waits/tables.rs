use call_grammar::counted;
use call_report::{Column, ColumnKind, Table, TableCell};
use call_waiting::{Site, Waits};

use super::sentence::numbers;
use super::{MOST_ROWS, seconds, text};
use crate::command::call_site_view::{name_of, stack_of};

pub fn by_processor(waits: &Waits) -> Table {
    let mut table = Table::new([
        Column::right("processor"),
        Column::seconds("computing"),
        Column::seconds("waiting"),
        Column::seconds("communicating"),
    ])
    .named("processors");
    for (processor, times) in waits.processors.iter().zip(&waits.times) {
        let times = [times.computing_ns, times.waiting_ns, times.communicating_ns].map(seconds);
        table.row([TableCell::from(f64::from(*processor))].into_iter().chain(times.map(TableCell::from)));
    }
    table
}

pub fn site_cells(number: usize, site: &Site) -> [TableCell; 3] {
    [TableCell::from((number + 1) as f64), name_of(&site.site).into(), stack_of(&site.site).into()]
}

pub fn site_columns() -> [Column; 3] {
    [Column::right("number"), Column::code("site"), Column::left("call stack").key("call_stack")]
}

pub fn sites(waits: &Waits) -> Table {
    let columns = [Column::left("kind"), Column::right("waits"), Column::seconds("waiting")];
    let mut table = Table::new(site_columns().into_iter().chain(columns)).named("waits");
    for (number, site) in waits.sites.iter().enumerate() {
        for kind in &site.kinds {
            let cells =
                [kind.kind.name().into(), (kind.waits as f64).into(), seconds(kind.waiting_ns).into()];
            table.row(site_cells(number, site).into_iter().chain(cells));
        }
    }
    table
}

pub fn causes(waits: &Waits, names: &[String]) -> Table {
    let columns = [
        Column::right("class"),
        Column::left("waiting").key("waiting_processors"),
        Column::left("waited for").key("causing_processors"),
        Column::left("whose"),
        Column::left("cause"),
        Column::seconds("time"),
    ];
    let mut table = Table::new(site_columns().into_iter().chain(columns)).named("causes");
    for (number, site) in waits.sites.iter().enumerate() {
        for (class_number, class) in site.classes.iter().enumerate() {
            for cause in &class.causes {
                let cells = [
                    ((class_number + 1) as f64).into(),
                    numbers(waits, &class.waiting).into(),
                    numbers(waits, &class.causing).into(),
                    if cause.is_own { "waiting" } else { "other" }.into(),
                    names[cause.code].as_str().into(),
                    seconds(cause.time_ns).into(),
                ];
                table.row(site_cells(number, site).into_iter().chain(cells));
            }
        }
    }
    table
}

pub fn critical_path(waits: &Waits, names: &[String]) -> Table {
    let mut table = Table::new([
        Column::right("processor"),
        Column::left("critical path").key("what"),
        Column::seconds("time"),
        Column::seconds("imbalance"),
    ])
    .named("critical_path");
    for part in &waits.critical_path {
        table.row([
            TableCell::from(f64::from(part.step.processor)),
            names[part.step.code].as_str().into(),
            seconds(part.time_ns).into(),
            (part.imbalance_ns * 1e-9).into(),
        ]);
    }
    table.showing(MOST_ROWS)
}

/// What people are not shown of it.
pub fn rest_of_critical_path(waits: &Waits) -> Option<String> {
    let rest = waits.critical_path.get(MOST_ROWS..).filter(|rest| !rest.is_empty())?;
    Some(format!("and {}, {}", others(rest.len()), text(rest.iter().map(|part| part.time_ns).sum())))
}

/// `1 other`, `5 others`.
pub fn others(count: usize) -> String {
    counted(count, "other")
}

pub fn efficiency(waits: &Waits) -> Table {
    let mut table = Table::new(efficiency_columns()).named("efficiency");
    table.row(efficiency_cells(waits));
    table
}

pub fn efficiency_columns() -> impl Iterator<Item = Column> {
    let columns = ["parallel", "load_balance", "serialisation", "transfer", "waiting"];
    let exact = |key: &str| Column::new(key.to_owned(), key.to_owned(), ColumnKind::Exact);
    columns.map(exact).into_iter().chain([Column::seconds("run time")])
}

pub fn efficiency_cells(waits: &Waits) -> impl Iterator<Item = TableCell> {
    let efficiency = &waits.efficiency;
    let shares = [
        efficiency.parallel,
        efficiency.load_balance,
        efficiency.serialisation,
        efficiency.transfer,
        efficiency.waiting,
    ];
    shares.into_iter().chain([seconds(efficiency.run_time_ns)]).map(TableCell::from)
}
