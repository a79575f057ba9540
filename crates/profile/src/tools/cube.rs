use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use crate::{CostQuantity, Node, NodeKind, Profile, View};

/// A metric of a cost centre on a processor.
struct CentreMetric {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    description: &'static str,
    value: fn(&Profile, usize, usize) -> f64,
}

/// In the order of their numbers. Extra-P does not look into metrics: the parts of the time stand beside it.
const METRICS: [CentreMetric; 7] = [
    CentreMetric {
        name: "time",
        title: "Time",
        unit: "sec",
        description: "computation, communication and idle time",
        value: |profile, centre, processor| {
            let quantities = [CostQuantity::Computation, CostQuantity::Communication, CostQuantity::Waiting];
            quantities.iter().map(|quantity| time_s(profile, centre, processor, *quantity)).sum()
        },
    },
    CentreMetric {
        name: "computation",
        title: "Computation",
        unit: "sec",
        description: "local computation",
        value: |profile, centre, processor| time_s(profile, centre, processor, CostQuantity::Computation),
    },
    CentreMetric {
        name: "communication",
        title: "Communication",
        unit: "sec",
        description: "communication with the latency that no processor is spared",
        value: |profile, centre, processor| time_s(profile, centre, processor, CostQuantity::Communication),
    },
    CentreMetric {
        name: "idle",
        title: "Idle time",
        unit: "sec",
        description: "waiting for other processors, without the latency",
        value: |profile, centre, processor| time_s(profile, centre, processor, CostQuantity::Waiting),
    },
    CentreMetric {
        name: "h_in",
        title: "h in",
        unit: "bytes",
        description: "bytes that came to the processor",
        value: |profile, centre, processor| at(&profile.costs[centre].in_bytes, processor),
    },
    CentreMetric {
        name: "h_out",
        title: "h out",
        unit: "bytes",
        description: "bytes that went from the processor",
        value: |profile, centre, processor| at(&profile.costs[centre].out_bytes, processor),
    },
    CentreMetric {
        name: "visits",
        title: "Synchronisations",
        unit: "occ",
        description: "synchronisations of the run there, of each processor the same",
        value: |profile, centre, _| profile.costs[centre].synchronisations as f64,
    },
];

fn time_s(profile: &Profile, centre: usize, processor: usize, quantity: CostQuantity) -> f64 {
    at(&profile.costs[centre].of(quantity).by_processor, processor)
}

fn at(values: &[f64], processor: usize) -> f64 {
    values.get(processor).copied().unwrap_or(0.0)
}

/// For Cube, and what reads its profiles, as Extra-P does: an archive (`.cubex`) of the tree of call paths, whose leaves are the positions
/// of synchronisations, with the values of each processor, exclusive, seconds and bytes (CubeLib, "Cube 4 file format"). What single
/// processors need must be known: predictions do not tell.
///
/// # Errors
/// If a metric has more values than a file of this format can have.
pub fn cube(profile: &Profile, name: &str) -> io::Result<Vec<u8>> {
    let view = View::by_call_path(profile);
    let calls = PreorderCalls::of(profile, &view, name);
    let mut archive = tar::Builder::new(Vec::new());
    append(&mut archive, "anchor.xml", anchor(profile, &calls, name).as_bytes())?;
    for (number, metric) in METRICS.iter().enumerate() {
        append(&mut archive, &format!("{number}.index"), &index(calls.order.len()))?;
        let mut data = b"CUBEX.DATA".to_vec();
        for call in &calls.order {
            let centres = call.node.map_or(&[] as &[usize], |node| match view.nodes[node].kind {
                NodeKind::Leaf => &view.nodes[node].centres,
                NodeKind::Procedure => &[],
            });
            for processor in 0..profile.processors {
                let values = centres.iter().map(|centre| (metric.value)(profile, *centre, processor));
                // A sum of nothing is -0.0, and a wait less its latency can be less than nothing by rounding.
                let value = values.fold(0.0, |sum: f64, value| sum + value).max(0.0);
                data.extend(value.to_le_bytes());
            }
        }
        append(&mut archive, &format!("{number}.data"), &data)?;
    }
    archive.into_inner()
}

fn append(archive: &mut tar::Builder<Vec<u8>>, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append(&header, bytes)
}

/// All calls have values: the order of bytes, a version, the kind of index, how many there are, and their places.
fn index(calls: usize) -> Vec<u8> {
    let mut bytes = b"CUBEX.INDEX".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(0_u16.to_le_bytes());
    bytes.push(1);
    let places = (0..calls as u32).flat_map(u32::to_le_bytes);
    bytes.extend((calls as u32).to_le_bytes().into_iter().chain(places));
    bytes
}

/// The calls, each before those in it, which is the order in which exclusive values stand.
struct PreorderCalls {
    order: Vec<PreorderCall>,
    /// Names of regions with their files and lines.
    regions: Vec<(String, Option<(String, u32)>)>,
}

struct PreorderCall {
    /// None of the whole program, where the view has several roots: a profile has one.
    node: Option<usize>,
    region: usize,
    depth: usize,
}

impl PreorderCalls {
    fn of(profile: &Profile, view: &View, name: &str) -> PreorderCalls {
        let mut calls = PreorderCalls { order: Vec::new(), regions: Vec::new() };
        let mut numbers = HashMap::new();
        let below = view.edges_from();
        let start = usize::from(view.roots.len() != 1);
        if start == 1 {
            calls.regions.push((name.to_owned(), None));
            calls.order.push(PreorderCall { node: None, region: 0, depth: 0 });
        }
        let mut open: Vec<(usize, usize)> = view.roots.iter().rev().map(|root| (*root, start)).collect();
        while let Some((node, depth)) = open.pop() {
            let its = &view.nodes[node];
            let place = place(profile, its);
            let region = *numbers.entry((its.kind, &its.label, place)).or_insert_with(|| {
                let place = place.map(|(file, line)| (file.to_owned(), line));
                calls.regions.push((its.label.clone(), place));
                calls.regions.len() - 1
            });
            calls.order.push(PreorderCall { node: Some(node), region, depth });
            open.extend(below[node].iter().rev().map(|edge| (view.edges[*edge].to, depth + 1)));
        }
        calls
    }
}

/// Where supersteps end, if it is known, and one place.
fn place<'a>(profile: &'a Profile, node: &Node) -> Option<(&'a str, u32)> {
    let mut places = node.centres.iter().map(|centre| profile.centres[*centre].position.place());
    let first = places.next().flatten().filter(|_| node.kind == NodeKind::Leaf);
    first.filter(|first| places.all(|place| place == Some(*first)))
}

fn anchor(profile: &Profile, calls: &PreorderCalls, name: &str) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n");
    let creator = concat!("CALL ", env!("CARGO_PKG_VERSION"));
    _ = writeln!(
        text,
        "<attr key=\"Creator\" value=\"{creator}\"/>\n<doc><mirrors></mirrors></doc>\n<metrics>"
    );
    for (number, CentreMetric { name, title, unit, description, .. }) in METRICS.iter().enumerate() {
        _ = writeln!(
            text,
            "<metric id=\"{number}\" type=\"EXCLUSIVE\"><disp_name>{title}</disp_name><uniq_name>{name}</uniq_name>\
             <dtype>DOUBLE</dtype><uom>{unit}</uom><val></val><url></url><descr>{description}</descr></metric>"
        );
    }
    text.push_str("</metrics>\n<program>\n");
    for (number, (name, place)) in calls.regions.iter().enumerate() {
        let (file, line) = place.clone().map_or((String::new(), -1), |(file, line)| (file, i64::from(line)));
        let (file, name) = (escaped(&file), escaped(name));
        _ = writeln!(
            text,
            "<region id=\"{number}\" mod=\"{file}\" begin=\"{line}\" end=\"{line}\"><name>{name}</name>\
             <mangled_name>{name}</mangled_name><paradigm>user</paradigm><role>function</role><url></url><descr></descr></region>"
        );
    }
    for (number, call) in calls.order.iter().enumerate() {
        _ = writeln!(text, "<cnode id=\"{number}\" calleeId=\"{}\">", call.region);
        // It holds those that are deeper, and ends before all others.
        let next = calls.order.get(number + 1).map_or(0, |next| next.depth);
        let ended = (call.depth + 1).saturating_sub(next);
        text.push_str(&"</cnode>\n".repeat(ended));
    }
    text.push_str("</program>\n<system>\n");
    let machine = escaped(profile.facts.machine.as_deref().unwrap_or(name));
    _ = writeln!(text, "<systemtreenode Id=\"0\"><name>{machine}</name><class>machine</class>");
    for processor in 0..profile.processors {
        _ = writeln!(
            text,
            "<locationgroup Id=\"{processor}\"><name>processor {processor}</name><rank>{processor}</rank><type>process</type>\
             <location Id=\"{processor}\"><name>processor {processor}</name><rank>0</rank><type>thread</type></location></locationgroup>"
        );
    }
    text.push_str("</systemtreenode>\n</system>\n</cube>\n");
    text
}

/// Text as it stands in XML, which has no control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Centre, MachineSuperstep, Position, ProfileBuilder};

    /// A file of the archive.
    fn file(archive: &[u8], name: &str) -> Vec<u8> {
        let mut archive = tar::Archive::new(archive);
        let mut entries = archive.entries().unwrap().map(Result::unwrap);
        let mut entry = entries.find(|entry| entry.path().unwrap().ends_with(name)).unwrap();
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn no_value_is_less_than_zero_not_even_a_zero() {
        let mut profile = crate::tools::tests::profile();
        // What rounding leaves of a wait that is latency alone.
        profile.costs[1].of_mut(CostQuantity::Waiting).by_processor[0] = -1e-17;
        let archive = cube(&profile, "sort").unwrap();
        for metric in 0..METRICS.len() {
            let data = file(&archive, &format!("{metric}.data"));
            let values =
                data["CUBEX.DATA".len()..].as_chunks::<8>().0.iter().map(|its| f64::from_le_bytes(*its));
            let values: Vec<f64> = values.collect();
            assert!(
                values.len() == 4 * 2 && values.iter().all(|value| value.is_sign_positive()),
                "{values:?}"
            );
        }
    }

    #[test]
    fn regions_have_the_file_where_it_is_known_and_one() {
        let mut builder = ProfileBuilder::new(1);
        let ends = [("a.c", "main"), ("b.c", "main"), ("a.c", "f"), ("b.c", "g")];
        for (file, function) in ends {
            let position = Position::of_call("bsp_end", Some(file), 20);
            let centre = builder.centre(Centre::new(position, [function]));
            builder.add(centre, &MachineSuperstep::new(1));
        }
        builder.centre(Centre::new(Position::of_call("report", None, 0), ["main"]));
        let anchor = String::from_utf8(file(&cube(&builder.finish(), "p").unwrap(), "anchor.xml")).unwrap();
        let regions =
            anchor.lines().filter(|line| line.contains("<name>bsp_end") || line.contains("<name>report"));
        let places: Vec<&str> =
            regions.filter_map(|line| line.split("mod=").nth(1)?.split('>').next()).collect();
        let known = |file: &str| format!("\"{file}\" begin=\"20\" end=\"20\"");
        let unknown = "\"\" begin=\"-1\" end=\"-1\"".to_owned();
        assert_eq!(places, [unknown.clone(), unknown, known("a.c"), known("b.c")]);
    }
}
