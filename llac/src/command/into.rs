use call_report::{Table, export};

use crate::error::code;
use crate::json;
use crate::markup::MarkupBlock;
use crate::words::Word;
use crate::{CommandOutcome, Error, Page, Session};

/// Writes a result to a file in the format of its ending, and tells so.
pub fn write_into(session: &Session, outcome: CommandOutcome, file: &Word) -> Result<CommandOutcome, Error> {
    let ending = file.text.rsplit_once('.').map_or("", |(_, ending)| ending);
    let document = outcome.value.blocks().iter().find_map(|block| match block {
        MarkupBlock::Document(text) => Some(text.clone()),
        _ => None,
    });
    let text = match ending {
        _ if document.is_some() => document.unwrap_or_default(),
        "csv" => export::csv(tables(&outcome, file)?).map_err(|error| no_csv(error, file))?,
        "tex" => tables(&outcome, file)?.into_iter().map(export::latex).collect::<Vec<_>>().join("\n"),
        "json" => json::outcome(&outcome).to_string() + "\n",
        "txt" => outcome.value.render(&Page::file()),
        _ => {
            return Err(file
                .error(code::UNKNOWN_FORMAT, format!("the format of `{}` is not known", file.text))
                .help("files end in .csv, .json, .tex or .txt; pictures are named in `plot` itself"));
        }
    };
    session.write(file, text.as_bytes())?;
    Ok(CommandOutcome { value: super::wrote(file), ..outcome })
}

/// Why tables are no CSV, with the names of files that would be.
fn no_csv(error: call_report::Error, file: &Word) -> Error {
    let stem = file.text.strip_suffix(".csv").unwrap_or(&file.text);
    let mut files: Vec<String> = match &error {
        call_report::Error::SeveralTables { names } => {
            names.iter().map(|name| format!("`{stem}.{name}.csv`")).collect()
        }
        _ => Vec::new(),
    };
    files.dedup();
    let error = Error::from(error).with_span(file.span.clone());
    match files.is_empty() {
        true => error,
        false => error.help(format!("choose a table by the name of the file: {}", files.join(", "))),
    }
}

/// That a result has no table for people, with the names of files for its data.
fn no_table(outcome: &CommandOutcome, file: &Word) -> Error {
    let (stem, ending) = file.text.rsplit_once('.').unwrap_or((&file.text, ""));
    let names = outcome.value.blocks().iter().filter_map(|block| match block {
        MarkupBlock::Data(table) => Some(format!("`{stem}.{}.{ending}`", table.name())),
        _ => None,
    });
    let files = names.collect::<Vec<_>>().join(", ");
    file.error(code::NO_TABLE, "this result has no table").help(match files.is_empty() {
        true => "write it into a .txt file".to_owned(),
        false => format!("write it into a .txt file, or what is behind it into {files}"),
    })
}

/// The tables of a result that the name of the file asks for: all, for CSV the main ones if there are some, or of `NAME.terms.csv` those that are
/// called `terms`. Data for programs must be asked for.
fn tables<'a>(outcome: &'a CommandOutcome, file: &Word) -> Result<Vec<&'a Table>, Error> {
    let tables = outcome.value.blocks().iter().filter_map(|block| match block {
        MarkupBlock::Table(table) => Some(table),
        _ => None,
    });
    let tables: Vec<&Table> = tables.collect();
    let name = file.text.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let wanted = stem.rsplit_once('.').map_or("", |(_, name)| name);
    if tables.iter().any(|table| table.name() == wanted) {
        return Ok(export::selected(&tables, stem));
    }
    let data = outcome.value.blocks().iter().filter_map(|block| match block {
        MarkupBlock::Data(table) if table.name() == wanted => Some(table),
        _ => None,
    });
    let data: Vec<&Table> = data.collect();
    let main: Vec<&Table> =
        outcome.value.tables_for_one().into_iter().filter(|table| table.is_main()).collect();
    match (data.is_empty(), tables.is_empty()) {
        (false, _) => Ok(data),
        // Several tables are no CSV.
        (true, _) if file.text.ends_with(".csv") && !main.is_empty() => Ok(main),
        // What the screen has as sentences.
        (true, false) if !main.is_empty() && tables.iter().all(|table| !table.is_main()) => {
            Ok(main.into_iter().chain(tables).collect())
        }
        (true, false) => Ok(export::selected(&tables, stem)),
        (true, true) => Err(no_table(outcome, file)),
    }
}
