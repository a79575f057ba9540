use crate::{Cell, Table};

/// The table as CSV (RFC 4180 with line feeds): keys, then rows. What is missing is empty.
pub fn csv(table: &Table) -> String {
    let mut text = line(table.keys().map(str::to_owned));
    let columns = table.keys().count();
    for row in table.rows() {
        let mut fields: Vec<String> = row.iter().map(field).collect();
        fields.resize(columns, String::new());
        text.push_str(&line(fields));
    }
    text
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(value) => value.to_string(),
        Cell::Missing(_) => String::new(),
    }
}

fn line(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = fields.into_iter().map(|field| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn fields_are_quoted_where_they_have_to_be() {
        let mut table = Table::new([Column::left("range"), Column::seconds("predicted")]);
        table.row([Cell::from("(1, 2]"), Cell::from(0.125)]);
        table.row([Cell::from("say \"a\""), Cell::Missing("unknown")]).row(["short"]);
        assert_eq!(csv(&table), "range,predicted_s\n\"(1, 2]\",0.125\n\"say \"\"a\"\"\",\nshort,\n");
    }
}
