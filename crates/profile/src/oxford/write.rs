use std::fmt::Write;

use super::WORD_BYTES;
use crate::{Cost, CostQuantity, Profile};

/// A trace as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// So many names had characters that the format cannot have, for which `_` stands.
    pub changed_names: usize,
}

/// Writes a profile as the Oxford toolset records it: times to the microsecond, h in whole words of 32 bits.
pub fn write(profile: &Profile) -> Written {
    let mut changed_names = 0;
    let mut plain = |name: &str, forbidden: &[char]| {
        let is_forbidden = |c: char| forbidden.contains(&c) || c.is_control();
        changed_names += usize::from(name.contains(is_forbidden));
        name.replace(is_forbidden, "_")
    };
    let mut text = String::new();
    let mut stacks = String::new();
    let facts = &profile.facts;
    for (key, fact) in [('D', &facts.date), ('F', &facts.flags), ('N', &facts.machine), ('X', &facts.device)]
    {
        if let Some(fact) = fact {
            line(&mut text, format_args!("{key} {}", plain(fact, &[])));
        }
    }
    line(&mut text, format_args!("P {}", profile.processors));
    for ((centre, cost), number) in profile.centres().iter().zip(profile.costs()).zip(&profile.first_passes) {
        let file = plain(&centre.position.name, &[' ', '>']);
        let position = centre.position.line;
        line(&mut text, format_args!("s {number} {position} {file}"));
        let names: String = centre.stack.iter().map(|name| plain(name, &[',', '>']) + ",").collect();
        line(&mut stacks, format_args!("A <{position} of {file} {names} > with {}", values(cost)));
    }
    text.push_str(&stacks);
    if let Some(elapsed_s) = facts.elapsed_s {
        line(&mut text, format_args!("E {elapsed_s:.6}"));
    }
    Written { text, changed_names }
}

fn line(text: &mut String, line: std::fmt::Arguments) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

fn values(cost: &Cost) -> String {
    let sums = |quantity, label| {
        let its = cost.of(quantity);
        format!("{:.6} {:.6} {:.6} {label}", its.maximum, its.average, its.minimum)
    };
    let h = cost.of(CostQuantity::H);
    let mut text = format!(
        "{} SYNCS {} {} {} {} {} {} HREL ",
        cost.synchronisations,
        sums(CostQuantity::Computation, "COMP"),
        sums(CostQuantity::Communication, "COMM"),
        sums(CostQuantity::Waiting, "COMPIDLE"),
        words(h.maximum),
        words(h.average),
        words(h.minimum)
    );
    let of = |quantity| cost.of(quantity).by_processor.iter();
    let times =
        of(CostQuantity::Computation).zip(of(CostQuantity::Communication)).zip(of(CostQuantity::Waiting));
    for (((computing_s, communicating_s), idle_s), (come, gone)) in
        times.zip(cost.in_bytes.iter().zip(&cost.out_bytes))
    {
        let idle_s = idle_s + cost.latency_s;
        let (come, gone) = (words(*come), words(*gone));
        let _ = write!(text, "{computing_s:.6},{communicating_s:.6},{idle_s:.6},{come},{gone};");
    }
    text
}

/// Whole words, of the last one also a part.
fn words(bytes: f64) -> u64 {
    (bytes / WORD_BYTES).ceil() as u64
}
