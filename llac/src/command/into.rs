use call_report::{Table, export};

use crate::json;
use crate::markup::Block;
use crate::words::Word;
use crate::{Error, Outcome, Page, Session};

/// Writes a result to a file in the format of its ending, and tells so.
pub fn write_into(session: &Session, outcome: Outcome, file: &Word) -> Result<Outcome, Error> {
    let fail = |text: String| Error::at(file.span.clone(), text);
    let ending = file.text.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = match ending {
        "csv" => export::csv(tables(&outcome, file)?).map_err(|error| fail(error.to_string()))?,
        "tex" => tables(&outcome, file)?.into_iter().map(export::latex).collect::<Vec<_>>().join("\n"),
        "json" => json::outcome(&outcome).to_string() + "\n",
        "txt" => outcome.value.render(&Page::plain(Page::NARROW)),
        _ => {
            return Err(fail(format!("the format of `{}` is not known", file.text))
                .help("files end in .csv, .json, .tex or .txt; pictures are named in `plot` itself"));
        }
    };
    session.write(file, text.as_bytes())?;
    Ok(Outcome { value: super::wrote(file), ..outcome })
}

/// The tables of a result that the name of the file asks for: all, or of `NAME.terms.csv` those that are called `terms`.
fn tables<'a>(outcome: &'a Outcome, file: &Word) -> Result<Vec<&'a Table>, Error> {
    let tables = outcome.value.blocks().iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let tables: Vec<&Table> = tables.collect();
    if tables.is_empty() {
        return Err(
            Error::at(file.span.clone(), "this result has no table").help("write it into a .txt file")
        );
    }
    let name = file.text.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Ok(export::selected(&tables, stem))
}
