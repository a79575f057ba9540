use call_report::{Column, Table, TableCell, number};
use call_waiting::{DelayCost, Delays, WaitStates, Waits};

use super::site::state_name;
use super::tables::{others, site_cells, site_columns};
use super::{MOST_ROWS, percent, seconds};

/// How much of the waits comes from waits, and leads to further ones.
pub fn summary(waits: &Waits, delays: &Delays) -> Option<String> {
    let sum = |of: fn(&WaitStates) -> f64| delays.sites.iter().map(of).sum::<f64>();
    let waiting_ns: f64 = waits.sites.iter().map(|site| site.waiting_ns as f64).sum();
    let unexplained = sum(|states| states.unexplained_ns) / waiting_ns;
    (waiting_ns > 0.0).then(|| {
        let rest = match unexplained > 0.001 {
            true => format!("; {} is explained by no delay", percent(unexplained)),
            false => String::new(),
        };
        format!(
            "of the waiting {} is direct and {} indirect, for processors that had waited themselves; {} makes others wait{rest}",
            percent(sum(|states| states.direct_ns) / waiting_ns),
            percent(sum(|states| states.indirect_ns) / waiting_ns),
            percent(sum(|states| states.propagating_ns) / waiting_ns),
        )
    })
}

/// What each delay costs others.
pub fn costs(waits: &Waits, names: &[String], delays: &Delays) -> Table {
    let columns = [
        Column::right("processor"),
        Column::left("delay"),
        Column::left("state"),
        Column::seconds("short-term").key("short_term_s"),
        Column::seconds("long-term").key("long_term_s"),
    ];
    let mut table = Table::new(columns).named("delays");
    for cost in &delays.costs {
        table.row([
            TableCell::from(f64::from(waits.processors[cost.processor])),
            names[cost.code].as_str().into(),
            state_name(cost.state).into(),
            (cost.short_term_ns * 1e-9).into(),
            (cost.long_term_ns * 1e-9).into(),
        ]);
    }
    table.showing(MOST_ROWS)
}

/// What people are not shown of that.
pub fn rest_of_costs(delays: &Delays) -> Option<String> {
    let rest = delays.costs.get(MOST_ROWS..).filter(|rest| !rest.is_empty())?;
    let sum = |of: fn(&DelayCost) -> f64| number::seconds(rest.iter().map(of).sum::<f64>() * 1e-9);
    let (short, long) = (sum(|cost| cost.short_term_ns), sum(|cost| cost.long_term_ns));
    Some(format!("and {}, {short} short-term and {long} long-term", others(rest.len())))
}

/// Each site with its waits by where they come from and lead to.
pub fn states(waits: &Waits, delays: &Delays) -> Table {
    let columns =
        ["waiting", "direct", "indirect", "propagating", "terminal", "unexplained"].map(Column::seconds);
    let mut table = Table::new(site_columns().into_iter().chain(columns)).named("wait_states");
    for (number, (site, states)) in waits.sites.iter().zip(&delays.sites).enumerate() {
        let waiting_s = seconds(site.waiting_ns);
        let propagating_s = states.propagating_ns * 1e-9;
        let times_s = [
            waiting_s,
            states.direct_ns * 1e-9,
            states.indirect_ns * 1e-9,
            propagating_s,
            waiting_s - propagating_s,
            states.unexplained_ns * 1e-9,
        ];
        table.row(site_cells(number, site).into_iter().chain(times_s.map(TableCell::from)));
    }
    table
}
