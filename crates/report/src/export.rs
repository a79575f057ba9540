//! Tables for other programs. Numbers are written in full, in the unit that the column's key names.

use crate::{Error, Table, TableCell};

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Tables as one CSV (RFC 4180 with line feeds): keys, then rows. What is missing is empty.
///
/// Tables of equal columns follow one another, behind columns `experiment` (or what else they speak of) and `table` as far as these tell them apart.
///
/// # Errors
/// If there is none, or several that differ in their columns or in nothing else: [`selected`] chooses one.
pub fn csv<'a>(tables: impl IntoIterator<Item = &'a Table>) -> Result<String, Error> {
    let tables: Vec<&Table> = tables.into_iter().collect();
    let Some((first, others)) = tables.split_first() else { return Err(Error::NoTable) };
    let differ = |of: fn(&Table) -> &str| others.iter().any(|table| of(table) != of(first));
    let subjects: BTreeSet<&str> = tables.iter().map(|table| table.subject()).collect();
    let has_subjects = differ(Table::subject);
    // Names say nothing more where each table has a subject of its own.
    let has_names = differ(Table::name) && subjects.len() < tables.len();
    let are_equal = others.iter().all(|table| table.keys().eq(first.keys()));
    if !are_equal || !(others.is_empty() || has_subjects || has_names) {
        let names = (1..).zip(&tables).map(|(number, table)| selector(number, table));
        return Err(Error::SeveralTables { names: names.collect() });
    }
    let columns = first.keys().count();
    let kind = first.subject_kind();
    let has_subjects = has_subjects && !first.keys().any(|key| key == kind);
    let leading = |subject: &str, name: &str| {
        let subject = has_subjects.then(|| subject.to_owned());
        subject.into_iter().chain(has_names.then(|| name.to_owned()))
    };
    let mut text = csv_line(leading(kind, "table").chain(first.keys().map(str::to_owned)));
    for table in tables {
        for row in table.rows() {
            let mut fields: Vec<String> = row.iter().map(csv_field).collect();
            fields.resize(columns, String::new());
            text.push_str(&csv_line(leading(table.subject(), table.name()).chain(fields)));
        }
    }
    Ok(text)
}

/// The tables that the name of a file asks for, without folder and ending: of `results.terms` those that are called `terms`, of
/// `results.2` the second one, of other names all.
pub fn selected<'a>(tables: &[&'a Table], file_stem: &str) -> Vec<&'a Table> {
    let Some((_, wanted)) = file_stem.rsplit_once('.') else { return tables.to_vec() };
    let is_named = |table: &&&Table| !table.name().is_empty() && table.name() == wanted;
    let named: Vec<&Table> = tables.iter().filter(is_named).copied().collect();
    if !named.is_empty() {
        return named;
    }
    let by_number = (1..).zip(tables).find(|(number, table)| selector(*number, table) == wanted);
    by_number.map_or_else(|| tables.to_vec(), |(_, table)| vec![*table])
}

/// What a file is to be called for a table: its name, or its place among others.
fn selector(number: usize, table: &Table) -> String {
    if table.name().is_empty() { number.to_string() } else { table.name().to_owned() }
}

fn csv_field(cell: &TableCell) -> String {
    match cell {
        TableCell::Text(text) => text.clone(),
        TableCell::Number(value) => value.to_string(),
        TableCell::Missing(_) => String::new(),
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

/// The table as an object: its name, the experiment or the `machine`, `program`, `trace` it speaks of, if any, the keys of its columns, and its rows, an object each.
/// What is missing or not finite is null.
pub fn json(table: &Table) -> Value {
    let rows = table.rows().iter().map(|row| {
        let missing = std::iter::repeat(&TableCell::Missing(""));
        let cells = table.keys().zip(row.iter().chain(missing));
        cells.map(|(key, cell)| (key.to_owned(), json_value(cell))).collect::<Map<_, _>>().into()
    });
    let keys = table.keys().map(Value::from).collect::<Vec<_>>();
    let mut object = Map::new();
    object.insert("name".to_owned(), table.name().into());
    if !table.subject().is_empty() {
        object.insert(table.subject_kind().to_owned(), table.subject().into());
    }
    object.insert("columns".to_owned(), keys.into());
    object.insert("rows".to_owned(), Value::Array(rows.collect()));
    Value::Object(object)
}

fn json_value(cell: &TableCell) -> Value {
    match cell {
        TableCell::Text(text) => text.as_str().into(),
        TableCell::Number(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(53) => {
            (*value as i64).into()
        }
        // Not finite numbers become null.
        TableCell::Number(value) => (*value).into(),
        TableCell::Missing(_) => Value::Null,
    }
}

/// The table as a LaTeX `tabular`, rounded as for people. It needs no package.
pub fn latex(table: &Table) -> String {
    let table = table.for_people();
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
    use crate::{Column, TableCell};

    #[test]
    fn fields_are_quoted_where_they_have_to_be() {
        let mut table = Table::new([Column::left("range"), Column::seconds("predicted")]);
        table.row([TableCell::from("(1, 2]"), TableCell::from(0.125)]);
        table.row([TableCell::from("say \"a\""), TableCell::Missing("unknown")]).row(["short"]);
        assert_eq!(
            csv([&table]).unwrap(),
            "range,predicted_s\n\"(1, 2]\",0.125\n\"say \"\"a\"\"\",\nshort,\n"
        );
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
        table.row([TableCell::from("f_1"), TableCell::from(6.0104e-6), TableCell::from(-0.2988)]);
        let expected = "\\begin{tabular}{lrr}\n\\hline\n$\\aleph$ & predicted & error \\% \\\\\n\\hline\n\
            f\\_1 & 6.010 $\\mu$s & -0.30 \\\\\n\\hline\n\\end{tabular}\n";
        assert_eq!(latex(&table), expected);
    }

    fn terms(name: &str, subject: &str) -> Table {
        let mut table =
            Table::new([Column::left("term"), Column::seconds("time")]).named(name).about(subject);
        table.row([TableCell::from("f[0]"), TableCell::from(0.5)]);
        table
    }

    #[test]
    fn tables_of_equal_columns_follow_one_another() {
        let tables = [terms("f", "f"), terms("g", "g, h")];
        let expected = "experiment,term,time_s\nf,f[0],0.5\n\"g, h\",f[0],0.5\n";
        assert_eq!(csv(&tables).unwrap(), expected);
        let tables = [terms("terms", "f"), terms("sets", "f")];
        assert_eq!(csv(&tables).unwrap(), "table,term,time_s\nterms,f[0],0.5\nsets,f[0],0.5\n");
        assert_eq!(csv(&tables[..1]).unwrap(), "term,time_s\nf[0],0.5\n");
    }

    #[test]
    fn other_tables_need_files_of_their_own() {
        let mut other = Table::new([Column::right("N")]);
        other.row([1.0]);
        let (one, same) = (terms("terms", "f"), terms("terms", "f"));
        let names = |names: &[&str]| {
            Err(Error::SeveralTables { names: names.iter().map(|name| (*name).to_owned()).collect() })
        };
        assert_eq!(csv([&one, &other]), names(&["terms", "2"]));
        assert_eq!(csv([&one, &same]), names(&["terms", "terms"]));
        assert_eq!(csv([]), Err(Error::NoTable));
        let error = csv([&one, &other]).unwrap_err();
        assert_eq!(error.to_string(), "a CSV file holds one table, and there are 2");
        assert_eq!(error.cure(), Some("choose one by a name such as `NAME.TABLE.csv`"));
        let chosen = |stem| {
            selected(&[&one, &other], stem).iter().map(|table| table.keys().count()).collect::<Vec<_>>()
        };
        assert_eq!(
            ["r", "r.x", "r.terms", "a.r.2", "r.3"].map(chosen),
            [vec![2, 1], vec![2, 1], vec![2], vec![1], vec![2, 1]]
        );
    }

    #[test]
    fn json_names_the_experiment() {
        assert_eq!(json(&terms("terms", "f"))["experiment"], "f");
        assert_eq!(json(&terms("terms", "")).get("experiment"), None);
    }

    #[test]
    fn machines_are_no_experiments() {
        let of = |machine: &str| terms("terms", "").about_the("machine", machine);
        let object = json(&of("sp2"));
        assert_eq!((&object["machine"], object.get("experiment")), (&"sp2".into(), None));
        assert_eq!(
            csv(&[of("sp2"), of("t3e")]).unwrap(),
            "machine,term,time_s\nsp2,f[0],0.5\nt3e,f[0],0.5\n"
        );
    }
}
