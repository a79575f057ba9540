use serde_json::{Map, Value};

use crate::{Cell, Table};

/// The table as an object: its name, the keys of its columns, and its rows, an object each. What is missing or not finite is
/// null.
pub fn json(table: &Table) -> Value {
    let rows = table.rows().iter().map(|row| {
        let missing = std::iter::repeat(&Cell::Missing(""));
        let cells = table.keys().zip(row.iter().chain(missing));
        cells.map(|(key, cell)| (key.to_owned(), value(cell))).collect::<Map<_, _>>().into()
    });
    let keys = table.keys().map(Value::from).collect::<Vec<_>>();
    let mut object = Map::new();
    object.insert("name".to_owned(), table.name().into());
    object.insert("columns".to_owned(), keys.into());
    object.insert("rows".to_owned(), Value::Array(rows.collect()));
    Value::Object(object)
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => text.as_str().into(),
        Cell::Number(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(53) => (*value as i64).into(),
        // Not finite numbers become null.
        Cell::Number(value) => (*value).into(),
        Cell::Missing(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn numbers_are_numbers() {
        let mut table = Table::new([Column::right("N"), Column::seconds("predicted")]).named("prediction");
        table.row([1024.0, 1.5e-9]).row([2048.0, f64::NAN]);
        table.row([4096.0]);
        assert_eq!(
            json(&table).to_string(),
            r#"{"name":"prediction","columns":["N","predicted_s"],"rows":[{"N":1024,"predicted_s":1.5e-9},{"N":2048,"predicted_s":null},{"N":4096,"predicted_s":null}]}"#
        );
    }
}
