use crate::Table;

/// The table as a LaTeX `tabular`, rounded as for people. It needs no package.
pub fn latex(table: &Table) -> String {
    let columns = table.titles().count();
    let sides: String = (0..columns).map(|column| if table.is_left(column) { 'l' } else { 'r' }).collect();
    let mut text = format!("\\begin{{tabular}}{{{sides}}}\n\\hline\n");
    text.push_str(&line(table.titles().map(str::to_owned).collect(), columns));
    text.push_str("\\hline\n");
    for row in table.rows() {
        text.push_str(&line(table.texts(row), columns));
    }
    text.push_str("\\hline\n\\end{tabular}\n");
    text
}

fn line(mut cells: Vec<String>, columns: usize) -> String {
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
    fn cells_are_escaped_and_rounded() {
        let mut table =
            Table::new([Column::left("ℵ"), Column::seconds("predicted"), Column::percent("error")]);
        table.row([Cell::from("f_1"), Cell::from(6.0104e-6), Cell::from(-0.2988)]);
        let expected = "\\begin{tabular}{lrr}\n\\hline\n$\\aleph$ & predicted & error \\% \\\\\n\\hline\n\
            f\\_1 & 6.010 $\\mu$s & -0.30 \\\\\n\\hline\n\\end{tabular}\n";
        assert_eq!(latex(&table), expected);
    }
}
