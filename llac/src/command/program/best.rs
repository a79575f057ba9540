use std::sync::Arc;

use call_model::question::{Objective, cheapest};
use call_report::{Cell, Column, Table};

use super::request::Request;
use crate::command::Arguments;
use crate::command::best::{AT_END, headline, no_values, objective};
use crate::programs::LoadedProgram;
use crate::{Error, Markup, Outcome, Session};

/// `best PROGRAM …`: the value of the one variable with several that takes the least time or cost.
pub fn best(
    session: &mut Session,
    program: Arc<LoadedProgram>,
    arguments: &Arguments,
) -> Result<Outcome, Error> {
    let (objective, words) = objective(&arguments.words()[1..]);
    let request = Request::of(session, program, words, arguments.end())?;
    let varies = |variable: &usize| {
        request.points.iter().any(|point| point[*variable] != request.points[0][*variable])
    };
    let varying: Vec<usize> = (0..request.variables().len()).filter(varies).collect();
    let ([(machine, costs)], [axis]) = (&request.places[..], &varying[..]) else {
        return Err(match varying.len() {
            0 => no_values(arguments),
            1 => Error::at(arguments.end(), "the best is for one machine"),
            _ => Error::at(arguments.end(), "all variables but one need a single value"),
        });
    };
    let mut points = request.points.clone();
    points.sort_by(|one, other| one[*axis].total_cmp(&other[*axis]));
    let values: Vec<f64> = points.iter().map(|point| point[*axis]).collect();
    let times_s = points.iter().map(|point| Ok(request.evaluate(costs, point)?.total_s));
    let times_s: Vec<f64> = times_s.collect::<Result<_, Error>>()?;
    let cost = |(value, time_s): (&f64, &f64)| match objective {
        Objective::Time => *time_s,
        Objective::ProcessorSeconds => value * time_s,
    };
    let all: Vec<f64> = values.iter().zip(&times_s).map(cost).collect();
    let answer = cheapest(&values, &all).ok_or_else(|| Error::new("no value has a finite time"))?;
    let (value, least) = (values[answer.index], all[answer.index]);
    let name = request.variables()[*axis];
    let mut markup = Markup::new();
    headline(&mut markup, objective, least, (name, value), answer.nearly);
    let mut columns = vec![Column::right(name)];
    columns.extend(machine.is_some().then(|| Column::code("on").key("machine")));
    columns.extend([Column::seconds("predicted"), Column::seconds("cost")]);
    let mut table = Table::new(columns).named("best");
    let mut row = vec![Cell::from(value)];
    row.extend(machine.as_deref().map(Cell::from));
    row.extend([times_s[answer.index], least].map(Cell::from));
    table.row(row);
    markup.table(table);
    let mut outcome = Outcome::of(markup);
    outcome.warnings.extend(answer.is_end.then(|| AT_END.to_owned()));
    request.remark(&mut outcome);
    Ok(outcome)
}
