use call_grammar::counted;
use call_report::{Column, Table, TableCell};
use call_waiting::{Chain, ChainSection, Waits};

use super::sentence::{code_place, site_of};
use super::site::state_name;
use super::{place, seconds, text};
use crate::{Markup, Style};

/// So many links are told of each side; the table has all.
const MOST_LINKS: usize = 12;
/// So many steps of a link are told.
const MOST_STEPS: usize = 3;

/// A wait, who made it, each with what it had waited for itself one further to the right, and what the waiting one did meanwhile.
pub fn tell(markup: &mut Markup, trace: &str, waits: &Waits, names: &[String], chain: &Chain) {
    let waiting = processor(waits, chain.waiting);
    let of = waits.sites.iter().find(|site| site.code == chain.code).map_or(1, |site| site.waits);
    let longest = if of > 1 { format!(", the longest of {of} there") } else { String::new() };
    markup.paragraph(format!(
        "{waiting} waits {} at {} ({}){longest}, from {} to {} of the run",
        text(chain.waiting_ns),
        site_of(&waits.codes[chain.code]).map_or_else(String::new, place),
        chain.kind.name(),
        text(chain.from_ns),
        text(chain.from_ns + chain.waiting_ns)
    ));
    side(markup, waits, names, chain, &chain.causing, "for");
    side(markup, waits, names, chain, &chain.own, "meanwhile");
    markup.line(Style::Plain, sum(waits, chain));
    markup.data(whole(waits, chain).about_the("trace", trace));
    markup.data(table(waits, names, chain).about_the("trace", trace).main());
}

fn side(
    markup: &mut Markup,
    waits: &Waits,
    names: &[String],
    chain: &Chain,
    links: &[ChainSection],
    word: &str,
) {
    for (depth, link) in links.iter().take(MOST_LINKS).enumerate() {
        let indent = "  ".repeat(depth + 1);
        let (word, which) = match (depth, word) {
            (0, "meanwhile") => (word, ""),
            _ => ("for", ", which"),
        };
        let origin = match (&link.waited, links.get(depth + 1)) {
            (Some(waited), Some(_)) => format!(
                ", having waited {} at {} ({})",
                text(waited.waiting_ns),
                code_place(waits, waited.code),
                waited.kind.name()
            ),
            _ => together(waits, chain),
        };
        let told = format!(
            "{indent}{word} {}{which} spends {}{}{origin}",
            processor(waits, link.processor),
            text(link.time_ns),
            steps(names, link)
        );
        markup.line(Style::Plain, told);
    }
    if links.len() > MOST_LINKS {
        let more = links.len() - MOST_LINKS;
        let rest_ns: i64 = links[MOST_LINKS..].iter().map(|link| link.time_ns).sum();
        let indent = "  ".repeat(MOST_LINKS + 1);
        let told = format!("{indent}and so on: {}, {}", counted(more, "further link"), text(rest_ns));
        markup.line(Style::Plain, told);
    }
}

/// Where both sides come from.
fn together(waits: &Waits, chain: &Chain) -> String {
    match chain.together {
        None => ", from the start on".to_owned(),
        Some(together) => {
            let place = code_place(waits, together.code);
            format!(", since {} came to {place}", processor(waits, together.processor))
        }
    }
}

fn steps(names: &[String], link: &ChainSection) -> String {
    let main = &link.spent[..link.spent.len().min(MOST_STEPS)];
    match main {
        [] => String::new(),
        [only] if link.spent.len() == 1 => format!(" {}", names[only.code]),
        _ => {
            let steps = main.iter().map(|part| format!("{} {}", text(part.time_ns), names[part.code]));
            let rest = if main.len() < link.spent.len() { " …" } else { "" };
            format!(" ({}{rest})", steps.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The wait as a difference of both sides.
fn sum(waits: &Waits, chain: &Chain) -> String {
    let [causing_ns, own_ns] =
        [&chain.causing, &chain.own].map(|links| links.iter().map(|link| link.time_ns).sum::<i64>());
    format!(
        "together {}, less the {} of {} meanwhile: {}",
        text(causing_ns),
        text(own_ns),
        processor(waits, chain.waiting),
        text(causing_ns - own_ns)
    )
}

fn processor(waits: &Waits, place: usize) -> String {
    format!("processor {}", waits.processors[place])
}

/// The number of the site in the list.
fn number(waits: &Waits, chain: &Chain) -> TableCell {
    let place = waits.sites.iter().position(|site| site.code == chain.code);
    place.map_or_else(|| TableCell::from(""), |place| ((place + 1) as f64).into())
}

/// The wait, and where both sides had been together; empty if they had not been.
fn whole(waits: &Waits, chain: &Chain) -> Table {
    let columns = [
        Column::right("site").key("number"),
        Column::right("processor"),
        Column::left("kind"),
        Column::seconds("from"),
        Column::seconds("waiting"),
        Column::left("together with").key("together_with"),
        Column::left("at").key("together_at"),
    ];
    let mut table = Table::new(columns).named("chained_wait");
    let (with, at) = chain.together.map_or_else(Default::default, |together| {
        (waits.processors[together.processor].to_string(), code_place(waits, together.code))
    });
    table.row([
        number(waits, chain),
        f64::from(waits.processors[chain.waiting]).into(),
        chain.kind.name().into(),
        seconds(chain.from_ns).into(),
        seconds(chain.waiting_ns).into(),
        with.into(),
        at.into(),
    ]);
    table
}

/// All links with all of their steps.
fn table(waits: &Waits, names: &[String], chain: &Chain) -> Table {
    let columns = [
        Column::right("site").key("number"),
        Column::left("side"),
        Column::right("link"),
        Column::right("processor"),
        Column::seconds("until"),
        Column::left("step"),
        Column::left("state"),
        Column::seconds("time"),
        Column::left("waited at").key("waited_at"),
        Column::left("kind"),
        Column::seconds("waited"),
    ];
    let mut table = Table::new(columns).named("chain");
    for (side, links) in [("causing", &chain.causing), ("own", &chain.own)] {
        for (number, link) in links.iter().enumerate() {
            let (place, kind, waited_s) = link.waited.as_ref().map_or((String::new(), "", 0.0), |waited| {
                (code_place(waits, waited.code), waited.kind.name(), seconds(waited.waiting_ns))
            });
            for part in &link.spent {
                table.row([
                    self::number(waits, chain),
                    side.into(),
                    ((number + 1) as f64).into(),
                    f64::from(waits.processors[link.processor]).into(),
                    seconds(link.until_ns).into(),
                    names[part.code].as_str().into(),
                    state_name(part.state).into(),
                    seconds(part.time_ns).into(),
                    place.as_str().into(),
                    kind.into(),
                    waited_s.into(),
                ]);
            }
        }
    }
    table
}
