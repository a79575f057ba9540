//! Pages about made-up programs, for the tests of `page/` and to be measured: `cargo run --release -p call-report --example profile_page --
//! FOLDER [NODES PROCESSORS]`.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use call_report::{
    Axis, Column, Figure, PageAmount, PageCallPath, PageChain, PageCosts, PageEfficiency, PageExperiment,
    PageHistory, PageLink, PageMetric, PageNode, PagePath, PageRun, PageSite, PageWaits, ProfilePage, Series,
    StyleSheet, Table, TableCell,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(words.first().expect("a folder"));
    let mut numbers = words.iter().skip(1).map(|word| word.parse().unwrap());
    write_pages(folder, numbers.next().unwrap_or(NODES), numbers.next().unwrap_or(PROCESSORS));
}

pub const NODES: usize = 46;
pub const PROCESSORS: usize = 100;

pub fn write_pages(folder: &Path, count: usize, processors: usize) {
    let page = page(count, processors);
    write(folder, "plain", page.clone(), StyleSheet::Inside);
    write(folder, "beside", page.clone(), StyleSheet::Beside("page.css"));
    fs::write(folder.join("page.css"), ProfilePage::style_sheet()).unwrap();
    write(folder, "compared", compared(page.clone()), StyleSheet::Inside);
    write(folder, "sums", sums(page.clone()), StyleSheet::Inside);
    write(folder, "predicted", predicted(page.clone()), StyleSheet::Inside);
    write(folder, "waits", ProfilePage { waits: Some(waits("solve.c")), ..page.clone() }, StyleSheet::Inside);
    let title = "events of calls".to_owned();
    let alone = ProfilePage { title, waits: Some(waits("solve.c")), ..ProfilePage::default() };
    write(folder, "waits_alone", alone, StyleSheet::Inside);
    let title = "history in archive".to_owned();
    let alone = ProfilePage { title, history: Some(history("solve", "c19")), ..ProfilePage::default() };
    write(folder, "history_alone", alone, StyleSheet::Inside);
    let all =
        ProfilePage { waits: Some(waits("solve.c")), history: Some(history("solve", "c19")), ..page.clone() };
    write(folder, "all", all, StyleSheet::Inside);
    let harm = "</script><img src=x onerror='harm = 5'>";
    let hostile =
        ProfilePage { waits: Some(waits(harm)), history: Some(history(harm, harm)), ..hostile(page) };
    write(folder, "hostile", hostile, StyleSheet::Inside);
}

fn write(folder: &Path, name: &str, page: ProfilePage, style_sheet: StyleSheet) {
    let start = Instant::now();
    let nodes = page.nodes.len();
    let processors = page.runs.first().map_or(0, |run| run.processors);
    let html = page.html(style_sheet).unwrap();
    println!(
        "{name}: {nodes} nodes on {processors} processors, {} bytes in {:.2?}",
        html.len(),
        start.elapsed()
    );
    fs::write(folder.join(format!("{name}.html")), html).unwrap();
}

/// Two experiments, of which the first one became slower.
fn history(name: &str, commit: &str) -> PageHistory {
    let experiment = |label: &str, rise: f64| {
        let value = |entry: usize| if entry < 6 { 100.0 } else { 100.0 + rise };
        let points: Vec<(f64, f64)> = (0..12).map(|entry| (entry as f64 + 1.0, value(entry))).collect();
        let mut levels = Table::new([Column::left("what"), Column::left("since"), Column::right("entries")]);
        levels.row([TableCell::from(format!("{label}[1]")), commit.into(), 12.0.into()]);
        let mut values = Table::new([Column::left("entry"), Column::right("value")]).named("entries");
        for (entry, value) in &points {
            values.row([TableCell::from(format!("{commit} {entry}")), (*value).into()]);
        }
        let series =
            Series { label: label.to_owned(), points: points.clone(), curve: points, ..Series::default() };
        let title = format!("{label} from c1 to {commit}");
        PageExperiment {
            label: label.to_owned(),
            formula: format!("{label}[0] + {label}[1]*N"),
            entries: "12 entries".to_owned(),
            changes: if rise > 0.0 {
                vec![format!("{label}[1] rose {rise} % at {commit}")]
            } else {
                Vec::new()
            },
            remarks: vec![format!("{label}[0]: no change")],
            figure: Some(Figure {
                title,
                x: Axis::linear("entry"),
                y: Axis::linear("of the first level (%)"),
                series: vec![series],
                ..Figure::default()
            }),
            levels: levels.named("levels"),
            values,
        }
    };
    let experiments = vec![experiment(name, 8.0), experiment("halo", 0.0)];
    PageHistory { summary: format!("archive: 24 entries of {}", experiments.len()), experiments }
}

/// Processor 1 comes late twice, and 0 waits for it; the second wait is passed on to 2.
fn waits(file: &str) -> PageWaits {
    let part = |of: usize| match of {
        0 => [0.1, 0.0, 0.0],
        1 => [0.0, 0.1, 0.0],
        _ => [0.05, 0.03, 0.02],
    };
    let row = |seed: usize| (0..300).map(|at| part((at / 50 + seed) % 3)).collect();
    let link = |processor, from_s, to_s| PageLink { processor, from_s, to_s };
    let site = |line: usize, waiting_s: f64, node: Option<usize>, links: Vec<PageLink>| PageSite {
        label: format!("bsp_sync {file}:{line} in step < main"),
        kinds: "wait at barrier".to_owned(),
        waits: 2,
        waiting_s,
        sentences: vec![format!(
            "processor 0 waits {waiting_s} s for processor 1, which spends it in {file}"
        )],
        causes_s: vec![waiting_s, -waiting_s / 4.0],
        node,
        chain: Some(PageChain {
            lines: vec![format!("a wait in {file}"), format!("  for line {line}")],
            links,
        }),
    };
    PageWaits {
        summary: "3 processors, 30 s; they wait 33 % of their time".to_owned(),
        run_time_s: 30.0,
        processors: vec![0, 1, 2],
        efficiencies: [
            ("parallel efficiency", 0, 0.56),
            ("load balance", 1, 0.8),
            ("communication efficiency", 1, 0.7),
        ]
        .map(|(name, level, share)| PageEfficiency {
            name: name.to_owned(),
            level,
            share,
            definition: "as POP defines it".to_owned(),
        })
        .to_vec(),
        sites: vec![
            site(450, 5.0, Some(45), vec![link(0, 5.0, 10.0), link(1, 0.0, 10.0)]),
            site(440, 2.0, None, vec![link(2, 20.0, 22.0), link(0, 15.0, 22.0), link(1, 5.0, 15.0)]),
        ],
        causes: vec![format!("before {file}:450"), format!("in {file}:440")],
        parts_s: (0..3).map(row).collect(),
    }
}

/// With a second run that is twice as fast, but for one procedure that it does not call.
fn compared(mut page: ProfilePage) -> ProfilePage {
    page.runs.push(PageRun { name: "after".to_owned(), ..page.runs[0].clone() });
    for (number, node) in page.nodes.iter_mut().enumerate() {
        for path in page.call_paths.iter_mut().filter(|path| path.node == number) {
            path.times_s.push(path.times_s[0].map(|time_s| time_s / 2.0).filter(|_| number != 3));
        }
        let mut after = node.runs[0].clone();
        for amount in after.iter_mut().flat_map(|costs| &mut costs.amounts) {
            let PageAmount { maximum, average, minimum, by_processor, .. } = amount;
            [maximum, average, minimum].into_iter().chain(by_processor).for_each(|value| *value /= 2.0);
        }
        node.runs.push(after.filter(|_| number != 3));
    }
    page
}

/// A procedure with two supersteps of its own, on three processors.
fn sums(mut page: ProfilePage) -> ProfilePage {
    page.runs[0].processors = 3;
    page.nodes.truncate(3);
    page.calls = vec![(0, 1), (0, 2)];
    page.call_paths.truncate(3);
    page.call_paths[1..].iter_mut().for_each(|path| path.above = Some(0));
    let values = [[3.5, 4.0, 6.0], [1.0, 2.0, 3.0], [2.5, 2.0, 3.0]];
    let sums = [(6.0, 3.0), (3.0, 1.0), (3.0, 2.0)];
    for ((node, values), (maximum, minimum)) in page.nodes.iter_mut().zip(values).zip(sums) {
        node.is_superstep = maximum < 6.0;
        for amount in node.runs.iter_mut().flatten().flat_map(|costs| &mut costs.amounts) {
            let average = values.iter().sum::<f64>() / 3.0;
            *amount = PageAmount { maximum, average, minimum, interval: None, by_processor: values.to_vec() };
        }
    }
    page
}

/// As if nobody had run it: with intervals, and without values of processors.
fn predicted(mut page: ProfilePage) -> ProfilePage {
    page.runs[0].predicted = Some(0.8);
    for costs in page.nodes[0].runs.iter_mut().flatten() {
        costs.syncs = 123_457;
    }
    for amount in
        page.nodes.iter_mut().flat_map(|node| &mut node.runs).flatten().flat_map(|costs| &mut costs.amounts)
    {
        amount.interval = Some([0.9, 1.25].map(|factor| factor * amount.maximum));
        amount.by_processor.clear();
    }
    page
}

/// With names that would do harm if they were taken for markup, addresses or commands.
fn hostile(mut page: ProfilePage) -> ProfilePage {
    let names = [
        "</script><script>harm = 1</script>",
        "<img src=x onerror='harm = 2'>",
        "javascript:harm=3",
        "\u{1b}[31mred\u{1b}]0;title\u{7}",
        "\u{202e}backwards",
        "\" onload=\"harm = 4",
        "<!--",
        "",
    ];
    for (node, name) in page.nodes.iter_mut().zip(names) {
        name.clone_into(&mut node.label);
    }
    page.nodes[8].label = "x".repeat(1_000_000);
    page.title = names.concat();
    page.facts = names.map(str::to_owned).to_vec();
    page.runs[0].name = names[0].to_owned();
    page.paths[0].name = names[1].to_owned();
    page
}

fn page(count: usize, processors: usize) -> ProfilePage {
    let mut random = 88_172_645_463_325_252_u64;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % limit as u64) as usize
    };
    let mut calls: Vec<(usize, usize)> = (1..count).map(|node| (below(node.div_ceil(2)), node)).collect();
    for _ in 0..count / 6 {
        let (one, other) = (below(count), below(count));
        if one != other {
            calls.push((one.min(other), one.max(other)));
        }
    }
    let metrics = [("computation", "s"), ("communication", "s"), ("idle", "s"), ("h-relation", "words")];
    let criteria = ["absolute", "absolute imbalance", "relative imbalance", "weighted imbalance"];
    let mut paths = vec![PagePath {
        name: "synchronisations".to_owned(),
        metric: None,
        criterion: "absolute".to_owned(),
    }];
    for (at, (metric, _)) in metrics.iter().enumerate() {
        paths.extend(criteria.map(|criterion| PagePath {
            name: format!("{metric}, {criterion}"),
            metric: Some(at),
            criterion: criterion.to_owned(),
        }));
    }
    let mut costs = |size: f64| PageCosts {
        syncs: 1 + below(10_000) as u64,
        amounts: (0..metrics.len())
            .map(|metric| {
                let imbalance = 1 + below(60);
                let maximum = if metric == 3 { size * 1e6 } else { size };
                let by_processor: Vec<f64> =
                    (0..processors).map(|_| maximum * (100 - below(imbalance)) as f64 / 100.0).collect();
                let average = by_processor.iter().sum::<f64>() / processors as f64;
                let minimum = by_processor.iter().copied().fold(maximum, f64::min);
                PageAmount { maximum, average, minimum, interval: None, by_processor }
            })
            .collect(),
        shades: (0..paths.len()).map(|_| 255 - (below(256) as f64 * size.min(1.0)) as u8).collect(),
    };
    let nodes: Vec<PageNode> = (0..count)
        .map(|node| {
            let is_superstep = !calls.iter().any(|(from, _)| *from == node);
            PageNode {
                label: if is_superstep {
                    format!("solve.c line {}", 10 * node)
                } else {
                    format!("procedure_{node}")
                },
                is_superstep,
                runs: vec![Some(costs(1.0 / (1.0 + node as f64).sqrt()))],
            }
        })
        .collect();
    let time_s = |node: &PageNode| node.runs[0].as_ref().map(|costs| costs.amounts[0].maximum);
    let times_s = nodes.iter().map(|node| vec![time_s(node)]);
    // Each by its first call.
    let above = std::iter::once(None).chain(calls.iter().map(|(from, _)| Some(*from)));
    let ways = times_s.zip(above).enumerate();
    let call_paths = ways.map(|(node, (times_s, above))| PageCallPath { node, above, times_s }).collect();
    ProfilePage {
        title: format!("made up · {processors} processors"),
        facts: vec!["A program that nobody ran.".to_owned()],
        runs: vec![PageRun { name: "run".to_owned(), processors, predicted: None }],
        metrics: metrics
            .map(|(name, unit)| PageMetric { name: name.to_owned(), unit: unit.to_owned() })
            .to_vec(),
        paths,
        nodes,
        calls,
        call_paths,
        waits: None,
        history: None,
    }
}
