//! Tables for other programs. Numbers are written in full, in the unit that the column's key names.

use crate::{Cell, Table};
use serde_json::{Map, Value};

/// The table as CSV (RFC 4180 with line feeds): keys, then rows. What is missing is empty.
pub fn csv(table: &Table) -> String {
    let mut text = csv_line(table.keys().map(str::to_owned));
    let columns = table.keys().count();
    for row in table.rows() {
        let mut fields: Vec<String> = row.iter().map(csv_field).collect();
        fields.resize(columns, String::new());
        text.push_str(&csv_line(fields));
    }
    text
}

fn csv_field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(value) => value.to_string(),
        Cell::Missing(_) => String::new(),
    }
}

fn csv_line(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = fields.into_iter().map(|field| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// The table as an object: its name, the keys of its columns, and its rows, an object each. What is missing or not finite is
/// null.
pub fn json(table: &Table) -> Value {
    let rows = table.rows().iter().map(|row| {
        let missing = std::iter::repeat(&Cell::Missing(""));
        let cells = table.keys().zip(row.iter().chain(missing));
        cells.map(|(key, cell)| (key.to_owned(), json_value(cell))).collect::<Map<_, _>>().into()
    });
    let keys = table.keys().map(Value::from).collect::<Vec<_>>();
    let mut object = Map::new();
    object.insert("name".to_owned(), table.name().into());
    object.insert("columns".to_owned(), keys.into());
    object.insert("rows".to_owned(), Value::Array(rows.collect()));
    Value::Object(object)
}

fn json_value(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => text.as_str().into(),
        Cell::Number(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(53) => (*value as i64).into(),
        // Not finite numbers become null.
        Cell::Number(value) => (*value).into(),
        Cell::Missing(_) => Value::Null,
    }
}

/// The table as a LaTeX `tabular`, rounded as for people. It needs no package.
pub fn latex(table: &Table) -> String {
    let columns = table.titles().count();
    let sides: String = (0..columns).map(|column| if table.is_left(column) { 'l' } else { 'r' }).collect();
    let mut text = format!("\\begin{{tabular}}{{{sides}}}\n\\hline\n");
    text.push_str(&latex_line(table.titles().map(str::to_owned).collect(), columns));
    text.push_str("\\hline\n");
    for row in table.rows() {
        text.push_str(&latex_line(table.texts(row), columns));
    }
    text.push_str("\\hline\n\\end{tabular}\n");
    text
}

fn latex_line(mut cells: Vec<String>, columns: usize) -> String {
    cells.resize(columns, String::new());
    cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

/// Characters that LaTeX takes for commands, and those that its fonts lack.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => escaped.extend(['$', character, '$']),
            'µ' => escaped.push_str("$\\mu$"),
            '∞' => escaped.push_str("$\\infty$"),
            'ℵ' => escaped.push_str("$\\aleph$"),
            '±' => escaped.push_str("$\\pm$"),
            '²' => escaped.push_str("$^2$"),
            '…' => escaped.push_str("\\dots{}"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column};

    #[test]
    fn fields_are_quoted_where_they_have_to_be() {
        let mut table = Table::new([Column::left("range"), Column::seconds("predicted")]);
        table.row([Cell::from("(1, 2]"), Cell::from(0.125)]);
        table.row([Cell::from("say \"a\""), Cell::Missing("unknown")]).row(["short"]);
        assert_eq!(csv(&table), "range,predicted_s\n\"(1, 2]\",0.125\n\"say \"\"a\"\"\",\nshort,\n");
    }

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

    #[test]
    fn cells_are_escaped_and_rounded() {
        let mut table =
            Table::new([Column::left("ℵ"), Column::seconds("predicted"), Column::percent("error")]);
        table.row([Cell::from("f_1"), Cell::from(6.0104e-6), Cell::from(-0.2988)]);
        let expected = "\\begin{tabular}{lrr}\n\\hline\n$\\aleph$ & predicted & error \\% \\\\\n\\hline\n\
            f\\_1 & 6.010 $\\mu$s & -0.30 \\\\\n\\hline\n\\end{tabular}\n";
        assert_eq!(latex(&table), expected);
    }
}
