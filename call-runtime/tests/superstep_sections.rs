//! The sections of traces that have supersteps, and what they have to say.

use crate::support::{Flavour, nanoseconds};

/// The section of a processor, read by rules of its own, so that writer and reader do not share a mistake.
#[derive(Debug)]
pub struct Section {
    pub clock: String,
    /// With their numbers.
    pub places: Vec<(String, String)>,
    pub rows: Vec<Vec<String>>,
}

const COLUMNS: &str = "superstep machine depth place start_s computing_s waiting_s communicating_s recording_s \
    out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s inner_communicating_s";

/// The sections stand between the rows and the last line, in the order of the processors.
pub fn sections(trace: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (body, end) = trace.trim_end().rsplit_once('\n').expect("a trace has lines");
    assert!(end.starts_with("# end rows="), "{end}");
    let start = body.find("\n# supersteps of processor ").map_or(body.len(), |at| at + 1);
    for line in body[start..].lines() {
        let line = line.strip_prefix("# ").expect("lines of a section are comments");
        if let Some(head) = line.strip_prefix("supersteps of processor ") {
            let (processor, clock) = head.split_once(", clock ").expect("the head says which clock");
            assert_eq!(processor, sections.len().to_string());
            sections.push(Section { clock: clock.to_owned(), places: Vec::new(), rows: Vec::new() });
            continue;
        }
        let section = sections.last_mut().expect("a section has a head");
        if let Some(place) = line.strip_prefix("place ") {
            let (number, text) = place.split_once(": ").expect("a place has a number");
            section.places.push((number.to_owned(), text.to_owned()));
        } else if line != COLUMNS {
            let row: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(row.len(), 17, "{line}");
            section.rows.push(row);
        }
    }
    sections
}

impl Section {
    /// Text of the place of a row, without folders.
    pub fn place(&self, row: &[String]) -> String {
        let found = self.places.iter().find(|(number, _)| *number == row[3]);
        let text = &found.unwrap_or_else(|| panic!("no place {}", row[3])).1;
        let words: Vec<&str> = text.split(' ').collect();
        let file = words[1].rsplit('/').next().unwrap_or(words[1]);
        [&[words[0], file], &words[2..]].concat().join(" ")
    }

    /// Each row with its place and its time in nanoseconds: superstep, machine, depth, place; start, computing, waiting,
    /// communicating, recording; bytes and messages out and in; partners.
    pub fn told(&self) -> Vec<String> {
        let tell = |row: &Vec<String>| {
            let times: Vec<String> = row[4..9].iter().map(|time| nanoseconds(time).to_string()).collect();
            format!(
                "{} | {} | {} | {}",
                row[..3].join(" "),
                self.place(row),
                times.join(" "),
                row[9..14].join(" ")
            )
        };
        self.rows.iter().map(tell).collect()
    }

    /// Each row with its superstep, its machine, its computing and what of that lay inside experiments, in nanoseconds.
    pub fn inside(&self) -> Vec<String> {
        let of_experiment = |part: &str| {
            let (name, time) = part.split_once('=').expect("an experiment has a time");
            format!("{name}={}", nanoseconds(time))
        };
        let tell = |row: &Vec<String>| {
            let parts: Vec<String> = match row[14].as_str() {
                "-" => Vec::new(),
                parts => parts.split(',').map(of_experiment).collect(),
            };
            format!("{} {}: {} {}", row[0], row[1], nanoseconds(&row[5]), parts.join(" "))
        };
        self.rows.iter().map(tell).collect()
    }
}

/// What a processor should tell, while its clock advances.
pub struct Story {
    pub start_ns: u64,
    pub lines: Vec<String>,
}

impl Story {
    pub fn tell(&mut self, head: &str, place: &str, start_ns: u64, computing_ns: u64, traffic: &str) {
        self.lines.push(format!("{head} | {place} | {start_ns} {computing_ns} 0 0 0 | {traffic}"));
    }

    /// A superstep that only computes, or communicates as well.
    pub fn step(&mut self, head: &str, place: &str, computing_ns: u64, traffic: &str) {
        let start_ns = self.start_ns;
        self.start_ns += computing_ns;
        self.tell(head, place, start_ns, computing_ns, traffic);
    }
}

pub const NONE: &str = "0 0 0 0 -";

/// As ranges, without `own`.
pub fn listed(mut partners: Vec<u64>, own: u64) -> String {
    partners.retain(|partner| *partner != own);
    partners.sort_unstable();
    partners.dedup();
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for partner in partners {
        match parts.last_mut() {
            Some(part) if part.1 + 1 == partner => part.1 = partner,
            _ => parts.push((partner, partner)),
        }
    }
    let text = |(first, last): (u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    if parts.is_empty() { "-".to_owned() } else { parts.into_iter().map(text).collect::<Vec<_>>().join(",") }
}

/// Where no macro tells the line, what is compiled with -g has it in its line tables.
pub fn line(flavour: Flavour, position: &str) -> &str {
    if flavour == Flavour::Sanitized { position } else { "?" }
}

/// supersteps_pub.c on processor `s` of `p`, up to its first report.
pub fn story_of_pub(flavour: Flavour, s: u64, p: u64) -> Vec<String> {
    let mut story = Story { start_ns: 0, lines: Vec::new() };
    let all = format!("0-{}", p - 1);
    let root = |superstep: u64| format!("{superstep} {all}.0 0");
    let before = (s + p - 1) % p;
    let ring = if p == 1 { NONE.to_owned() } else { format!("5 5 1 1 {before}") };
    for superstep in 1..=3 {
        story.step(&root(superstep), "bsp_sync supersteps_pub.c:24 in pass_on < main", 1000 * (s + 1), &ring);
    }
    let (bytes, messages) = (7 * (p - 1), 2 * (p - 1));
    let to_all = format!("{bytes} {bytes} {messages} {messages} {}", listed((0..p).collect(), s));
    story.step(&root(4), "bsp_sync supersteps_pub.c:35 in tell_all < main", 2000 * (s + 1), &to_all);
    story.step(&root(5), "bsp_sync supersteps_pub.c:45 in access_memory < main", 0, NONE);
    let (put, got) = (u64::from(p > 1), u64::from(p > 2));
    let mut partners = vec![before];
    partners.extend((got > 0).then_some((s + 2) % p));
    let (bytes, messages) = (12 * put + 40 * got, 2 * put + got);
    let memory = format!("{bytes} {bytes} {messages} {messages} {}", listed(partners, s));
    story.step(&root(6), "bsp_sync supersteps_pub.c:53 in access_memory < main", 3000 * (s + 1), &memory);
    story.step(&root(7), "bsp_sync supersteps_pub.c:55 in access_memory < main", 0, NONE);

    let middle = (p / 2).max(1);
    let (first, last) = if s < middle { (0, middle - 1) } else { (middle, p - 1) };
    let own = s - first;
    let part = |superstep: u64| format!("{superstep} {first}-{last}.{} 1", u64::from(p == 1));
    let scattered = match own {
        0 => format!("{} 0 {} 0 -", 4 * (last - first), last - first),
        _ => format!("0 4 0 1 {first}"),
    };
    let divided_ns = story.start_ns;
    let scatter = "bsp_oblsync supersteps_pub.c:65 in scatter < divide < main";
    story.step(&part(1), scatter, 4000 * (own + 1), &scattered);
    story.step(&part(2), "bsp_done supersteps_pub.c:80 in divide < main", 5000 * (own + 1), NONE);
    story.start_ns += 6000 * (s + 1);
    // To the machine around, all that a part does is computing.
    let inside_ns = story.start_ns - divided_ns;
    story.tell(&root(8), "bsp_sync supersteps_pub.c:82 in divide < main", divided_ns, inside_ns, NONE);

    let copy = |superstep: u64| format!("{superstep} {all}.{} 1", if p == 1 { 2 } else { 1 });
    let copied_ns = story.start_ns;
    story.step(&copy(1), "bsp_sync supersteps_pub.c:24 in pass_on < main", 1000 * (s + 1), &ring);
    story.step(&copy(2), "bsp_done supersteps_pub.c:98 in main", 0, NONE);
    story.tell(
        &root(9),
        &format!("bsp_sync {} in main", line(flavour, "supersteps_pub.c:99")),
        copied_ns,
        1000 * (s + 1),
        NONE,
    );
    story.step(
        &root(10),
        &format!("report {} in main", line(flavour, "supersteps_pub.c:101")),
        7000 * (s + 1),
        NONE,
    );
    story.lines
}

pub fn available(flavours: &[Flavour]) -> impl Iterator<Item = Flavour> {
    flavours.iter().copied().filter(|flavour| flavour.is_available())
}

pub fn numbers(text: &str) -> Vec<u64> {
    text.split(' ').map(|word| word.parse().expect("a number")).collect()
}
