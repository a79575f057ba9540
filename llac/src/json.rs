//! Results for programs: an object a command. Keys end in the unit of their values.

use call_report::export;
use serde_json::{Map, Value, json};

use crate::markup::MarkupBlock;
use crate::{CommandOutcome, Error, FileExcerpt, Message};

/// Counts changes of the objects that would break a reader.
pub const SCHEMA_VERSION: u32 = 2;

/// A result: `text` in lines, `tables`, `pictures` as SVG, `notes` and `warnings`.
pub fn outcome(outcome: &CommandOutcome) -> Value {
    let mut text = Vec::new();
    let mut tables = Vec::new();
    let mut pictures = Vec::new();
    for block in outcome.value.blocks() {
        match block {
            MarkupBlock::Line(fragments) => {
                let line: String = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
                text.push(Value::from(line));
            }
            MarkupBlock::Outline(outline) => text.extend(outline.render(usize::MAX).lines().map(Value::from)),
            MarkupBlock::Paragraph(lines) | MarkupBlock::Document(lines) => {
                text.extend(lines.lines().map(Value::from))
            }
            MarkupBlock::Table(table) | MarkupBlock::Data(table) => tables.push(export::json(table)),
            MarkupBlock::Picture(picture) => {
                pictures.extend(picture.svg().ok().map(|svg| json!({ "svg": svg })))
            }
        }
    }
    let mut object = start(true);
    object.insert("text".to_owned(), text.into());
    object.insert("tables".to_owned(), tables.into());
    object.insert("pictures".to_owned(), pictures.into());
    object.insert("notes".to_owned(), messages(&outcome.notes));
    object.insert("warnings".to_owned(), messages(&outcome.warnings));
    Value::Object(object)
}

/// Notes or warnings: the `code`, the whole `message`, `experiment` and `help` if there are any, and fields of their own.
fn messages(messages: &[Message]) -> Value {
    let object = |message: &Message| {
        let mut object = message.fields.clone();
        object.insert("code".to_owned(), message.code.into());
        object.insert("message".to_owned(), message.to_string().into());
        let rest = [("experiment", &message.experiment), ("help", &message.help)];
        let rest = rest.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text.clone()?.into())));
        object.extend(rest);
        Value::Object(object)
    };
    messages.iter().map(object).collect()
}

/// An error: its `code` and `message`, the bytes of the line that it is about, and the `help`; if it is about a file, that `file`, `line`
/// and `column` from 1, its bytes there, and the `excerpt`, underlined.
pub fn error(error: &Error) -> Value {
    let mut object = start(false);
    let span = error.span();
    let mut fields = json!({
        "code": error.code(),
        "message": error.message(),
        "start_byte": span.as_ref().map(|span| span.start),
        "end_byte": span.as_ref().map(|span| span.end),
        "help": error.cure(),
    });
    if let Some(FileExcerpt { file, line, column, bytes, excerpt }) = error.place() {
        fields["file"] = file.as_str().into();
        fields["line"] = (*line).into();
        fields["column"] = (*column).into();
        fields["file_start_byte"] = bytes.start.into();
        fields["file_end_byte"] = bytes.end.into();
        fields["excerpt"] = excerpt.as_str().into();
    }
    object.insert("error".to_owned(), fields);
    Value::Object(object)
}

fn start(ok: bool) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
    object.insert("ok".to_owned(), ok.into());
    object
}
