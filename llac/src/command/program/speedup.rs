use std::sync::Arc;

use call_report::{Cell, Column, Table};

use super::request::Request;
use crate::command::Arguments;
use crate::command::points::PROCESSORS;
use crate::command::speedup::compared_with;
use crate::programs::LoadedProgram;
use crate::{Error, Markup, Outcome, Session};

/// `speedup PROGRAM …`: compared with one processor or, where the program takes no time on one, with the smallest number.
pub fn speedup(
    session: &mut Session,
    program: Arc<LoadedProgram>,
    arguments: &Arguments,
) -> Result<Outcome, Error> {
    let request = Request::of(session, program, &arguments.words()[1..], arguments.end())?;
    // P is the last variable.
    let axis = request.variables().len() - 1;
    let others = &request.points[0][..axis];
    if request.points.iter().any(|point| point[..axis] != *others) {
        return Err(Error::at(
            arguments.end(),
            format!("all variables but {PROCESSORS} need a single value"),
        ));
    }
    let has_machines = request.places.iter().any(|(machine, _)| machine.is_some());
    let mut columns = vec![Column::right(PROCESSORS)];
    columns.extend(has_machines.then(|| Column::code("on").key("machine")));
    columns.extend([
        Column::seconds("predicted"),
        Column::significant("speed-up", 4).key("speedup"),
        Column::significant("efficiency", 3),
    ]);
    let mut table = Table::new(columns).named("speedup");
    let mut markup = Markup::new();
    for (machine, costs) in &request.places {
        let time_s = |processors: f64| {
            Ok::<f64, Error>(request.evaluate(costs, &[others, &[processors]].concat())?.total_s)
        };
        let smallest = request.points.iter().map(|point| point[axis]).fold(f64::INFINITY, f64::min);
        let (base, base_s) = match time_s(1.0) {
            Ok(time_s) if time_s > 0.0 => (1.0, time_s),
            _ => (smallest, time_s(smallest)?),
        };
        let machine = machine.as_deref();
        markup.line(crate::Style::Plain, compared_with(base_s, base, machine));
        for point in &request.points {
            let (processors, time_s) = (point[axis], time_s(point[axis])?);
            let speedup = if time_s > 0.0 && base_s > 0.0 { base * base_s / time_s } else { f64::NAN };
            let mut cells = vec![Cell::from(processors)];
            cells.extend(machine.map(Cell::from));
            cells.push(time_s.into());
            cells.extend([speedup, speedup / processors].map(|value| Cell::number_or(value, "none")));
            table.row(cells);
        }
    }
    markup.table(table);
    let mut outcome = Outcome::of(markup);
    request.remark(&mut outcome);
    Ok(outcome)
}
