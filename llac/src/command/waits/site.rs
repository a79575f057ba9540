use call_grammar::counted;
use call_report::{Column, Table, TableCell};
use call_trace::CallSite;
use call_waiting::{State, Waits};

use super::sentence::{Blame, numbers, sentence_of_all};
use super::{headline, seconds, text};
use crate::command::call_site_view::name_of;
use crate::error::code;
use crate::words::Word;
use crate::{Error, Markup};

/// The sites that words name, as numbers in the list from 0: by number, by `FILE:LINE`, by call, or by a procedure that they lie in.
pub fn named_sites(waits: &Waits, words: &[Word]) -> Vec<usize> {
    let name = name_in(words);
    if let Ok(number) = name.parse::<usize>() {
        return number.checked_sub(1).filter(|number| *number < waits.sites.len()).into_iter().collect();
    }
    let meanings: [&dyn Fn(&CallSite) -> bool; 4] =
        [&|site| name_of(site) == name, &|site| stands_at(site, &name), &|site| site.call == name, &|site| {
            site.call_stack.contains(&name)
        }];
    let found = |meaning: &&dyn Fn(&CallSite) -> bool| {
        let sites = waits.sites.iter().enumerate().filter(|(_, site)| meaning(&site.site));
        sites.map(|(number, _)| number).collect::<Vec<_>>()
    };
    meanings.iter().map(found).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Several words are one name, as they stand in the list.
fn name_in(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// `a.c:9`, also for a file that lies in a folder.
pub fn stands_at(site: &CallSite, place: &str) -> bool {
    site.position.as_ref().is_some_and(|position| {
        let full = format!("{}:{}", position.file, position.line);
        full == place || full.strip_suffix(place).is_some_and(|folder| folder.ends_with('/'))
    })
}

/// That nothing waits there, with places where something does.
pub fn unknown_site(waits: &[&Waits], words: &[Word]) -> Error {
    let name = name_in(words);
    let message = match name.parse::<usize>() {
        Ok(_) => format!("there is no site number {name}"),
        Err(_) => format!("no processor waits at `{name}`"),
    };
    let mut known: Vec<String> = Vec::new();
    for site in waits.iter().flat_map(|waits| &waits.sites) {
        let site = name_of(&site.site);
        if !known.contains(&site) {
            known.push(site);
        }
    }
    let shown = known.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    let help = match known.len().saturating_sub(MOST_NAMES) {
        _ if known.is_empty() => "no processor waits at all".to_owned(),
        0 => format!("sites are {shown}"),
        more => format!("sites are {shown} and {more} more"),
    };
    let error = Error::new(code::UNKNOWN_SITE, message).help(help);
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => error.with_span(first.span.start..last.span.end),
        _ => error,
    }
}

/// So many sites are told of where an unknown one was asked for.
const MOST_NAMES: usize = 8;

/// All classes of some sites, their causes in full, and who waits there how long.
pub fn tell(markup: &mut Markup, trace: &str, waits: &Waits, names: &[String], numbers: &[usize]) {
    let blame = Blame::of(&waits.delays());
    for number in numbers {
        let site = &waits.sites[*number];
        markup.paragraph(headline(*number, site));
        if site.kinds.len() > 1 {
            let kinds = site.kinds.iter().map(|kind| {
                let waits = counted(kind.waits as usize, "wait");
                format!("{} {} in {waits}", kind.kind.name(), text(kind.waiting_ns))
            });
            markup.paragraph(kinds.collect::<Vec<_>>().join(", "));
        }
        for (class_number, class) in site.classes.iter().enumerate() {
            let sentence = sentence_of_all(waits, names, &blame, site, class);
            markup.item(format!("class {}: {sentence}", class_number + 1));
        }
    }
    markup.table(causes(waits, names, numbers).about_the("trace", trace));
    markup.table(by_processor(waits, numbers).about_the("trace", trace));
}

fn causes(waits: &Waits, names: &[String], sites: &[usize]) -> Table {
    let columns = [
        Column::right("site").key("number"),
        Column::right("class"),
        Column::left("whose"),
        Column::left("processors"),
        Column::left("cause"),
        Column::left("state"),
        Column::seconds("time"),
    ];
    let mut table = Table::new(columns).named("causes_of_site");
    for number in sites {
        for (class_number, class) in waits.sites[*number].classes.iter().enumerate() {
            for cause in &class.causes {
                table.row([
                    TableCell::from((number + 1) as f64),
                    ((class_number + 1) as f64).into(),
                    if cause.is_own { "waiting" } else { "other" }.into(),
                    numbers(waits, &cause.processors).into(),
                    names[cause.code].as_str().into(),
                    state_name(cause.state).into(),
                    seconds(cause.time_ns).into(),
                ]);
            }
        }
    }
    table
}

pub fn state_name(state: State) -> &'static str {
    match state {
        State::Computing => "computing",
        State::Communicating => "communicating",
    }
}

fn by_processor(waits: &Waits, sites: &[usize]) -> Table {
    let columns = [
        Column::right("site").key("number"),
        Column::right("processor"),
        Column::right("waits"),
        Column::seconds("waiting"),
        Column::percent("share"),
    ];
    let mut table = Table::new(columns).named("waiting_processors");
    for number in sites {
        let site = &waits.sites[*number];
        let each = waits.processors.iter().zip(&site.waits_by_processor).zip(&site.waiting_by_processor_ns);
        for ((processor, count), time_ns) in each.filter(|((_, count), _)| **count > 0) {
            table.row([
                TableCell::from((number + 1) as f64),
                f64::from(*processor).into(),
                (*count as f64).into(),
                seconds(*time_ns).into(),
                TableCell::number_or(100.0 * *time_ns as f64 / site.waiting_ns as f64, "none"),
            ]);
        }
    }
    table
}
