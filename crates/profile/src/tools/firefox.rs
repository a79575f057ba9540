use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Frame, Frames, TIMES};
use crate::{CostQuantity, Profile};

/// The version of the format; the profiler itself brings files of older ones up to its own.
const VERSION: u32 = 70;
/// The version of what Firefox itself records, which a file has to name beside.
const RECORDING_VERSION: u32 = 36;

/// The category of frames that say nothing of one; the profiler has one in grey for them.
const OTHER: &str = "Other";

/// The category of a kind of time and its colour. What is called `Idle` the profiler draws as such.
fn category(quantity: CostQuantity) -> (&'static str, &'static str) {
    match quantity {
        CostQuantity::Computation => ("Computing", "green"),
        CostQuantity::Communication => ("Communicating", "blue"),
        _ => ("Idle", "transparent"),
    }
}

/// For the Firefox Profiler: a thread for each processor, whose samples are the call stacks of cost centres, with computing, communicating
/// or idle innermost, and milliseconds as weights (its processed profile format, `src/types/profile.ts` there). A profile does not say
/// when its supersteps were: the samples of a thread stand one behind the other. What single processors need must be known: predictions
/// do not tell.
pub fn firefox(profile: &Profile, name: &str) -> Value {
    let mut frames = Frames::default();
    let kinds = TIMES.map(|(_, name)| frames.number(Frame { name: name.to_owned(), place: None }));
    let mut stacks = Stacks::default();
    let of_centres: Vec<[usize; 3]> = profile
        .centres()
        .iter()
        .map(|centre| {
            let path = frames.stack(centre);
            kinds.map(|kind| stacks.number(path.iter().copied().chain([kind])))
        })
        .collect();
    let threads = (0..profile.processors).map(|processor| {
        let mut samples = ThreadSamples::default();
        for (stacks, cost) in of_centres.iter().zip(profile.costs()) {
            for ((quantity, _), stack) in TIMES.iter().zip(stacks) {
                let time_s = cost.of(*quantity).by_processor.get(processor).copied().unwrap_or(0.0);
                samples.add(*stack, time_s * 1e3);
            }
        }
        thread(processor, samples)
    });
    let mut categories = vec![json!({ "name": OTHER, "color": "grey", "subcategories": [OTHER] })];
    categories.extend(TIMES.map(|(quantity, _)| {
        let (name, color) = category(quantity);
        json!({ "name": name, "color": color, "subcategories": [OTHER] })
    }));
    json!({
        "meta": {
            "interval": 0, "startTime": 0, "processType": 0, "stackwalk": 0, "symbolicated": true,
            "product": name,
            "importedFrom": concat!("CALL ", env!("CARGO_PKG_VERSION")),
            "version": RECORDING_VERSION, "preprocessedProfileVersion": VERSION,
            "categories": categories, "markerSchema": [],
            "usesOnlyOneStackType": true, "sourceCodeIsNotOnSearchfox": true, "keepProfileThreadOrder": true,
            "initialVisibleThreads": (0..profile.processors).collect::<Vec<_>>(),
        },
        "libs": [],
        "shared": shared(&frames, &stacks),
        "threads": threads.collect::<Vec<_>>(),
    })
}

/// Call stacks, each once, as a tree.
#[derive(Default)]
struct Stacks {
    frame: Vec<usize>,
    /// How far before a stack that of its caller stands; 0 if it has none.
    prefix_offset: Vec<usize>,
    /// By the stack of the caller and the frame.
    known: HashMap<(Option<usize>, usize), usize>,
}

impl Stacks {
    /// The stack with these frames, the outermost first; 0 if there are none.
    fn number(&mut self, frames: impl Iterator<Item = usize>) -> usize {
        let mut caller = None;
        for frame in frames {
            let next = self.frame.len();
            let stack = *self.known.entry((caller, frame)).or_insert(next);
            if stack == next {
                self.frame.push(frame);
                self.prefix_offset.push(caller.map_or(0, |caller| next - caller));
            }
            caller = Some(stack);
        }
        caller.unwrap_or(0)
    }
}

/// What a thread did, one behind the other, in milliseconds.
#[derive(Default)]
struct ThreadSamples {
    stack: Vec<Option<usize>>,
    time: Vec<f64>,
    weight: Vec<f64>,
    end: f64,
}

impl ThreadSamples {
    fn add(&mut self, stack: usize, weight: f64) {
        if weight > 0.0 {
            self.push(Some(stack), weight);
        }
    }

    fn push(&mut self, stack: Option<usize>, weight: f64) {
        self.stack.push(stack);
        self.time.push(self.end);
        self.weight.push(weight);
        self.end += weight;
    }
}

fn thread(processor: usize, mut samples: ThreadSamples) -> Value {
    // A thread ends where its last sample begins: this one, of nothing, is where it ends.
    samples.push(None, 0.0);
    json!({
        "processType": "default", "processStartupTime": 0, "processShutdownTime": null,
        "registerTime": 0, "unregisterTime": null, "pausedRanges": [],
        "name": format!("processor {processor}"), "isMainThread": true,
        "pid": processor.to_string(), "tid": processor, "processName": format!("processor {processor}"),
        "samples": {
            "length": samples.stack.len(), "stack": samples.stack, "time": samples.time,
            "weight": samples.weight, "weightType": "tracing-ms",
        },
        "markers": {
            "data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "length": 0,
        },
    })
}

/// The tables that threads have together. Columns of frames are as those of frames that are no code of a library.
fn shared(frames: &Frames, stacks: &Stacks) -> Value {
    let all = &frames.all;
    let length = all.len();
    let mut strings: Vec<&str> = all.iter().map(|frame| frame.name.as_str()).collect();
    let (mut files, mut source_of) = (Vec::new(), HashMap::new());
    let sources: Vec<Option<usize>> = all
        .iter()
        .map(|frame| {
            let (file, _) = frame.place.as_ref()?;
            Some(*source_of.entry(file).or_insert_with(|| {
                files.push(strings.len());
                strings.push(file);
                files.len() - 1
            }))
        })
        .collect();
    let lines: Vec<Option<u32>> =
        all.iter().map(|frame| frame.place.as_ref().map(|(_, line)| *line)).collect();
    // The kinds of time are the first frames, and behind the category in grey the first categories.
    let categories: Vec<Option<usize>> =
        (0..length).map(|frame| (frame < TIMES.len()).then_some(frame + 1)).collect();
    let subcategories: Vec<Option<usize>> = categories.iter().map(|category| category.map(|_| 0)).collect();
    let nothing = vec![Value::Null; length];
    let numbers: Vec<usize> = (0..length).collect();
    let no_source = vec![Value::Null; files.len()];
    json!({
        "stringArray": strings,
        "stackTable": {
            "frame": stacks.frame, "prefixOffset": stacks.prefix_offset, "length": stacks.frame.len(),
        },
        "frameTable": {
            "address": vec![-1; length], "lib": vec![-1; length], "inlineDepth": vec![0; length],
            "category": categories, "subcategory": subcategories, "func": numbers, "nativeSymbol": nothing,
            "innerWindowID": nothing, "line": lines, "column": nothing, "originalLocation": nothing,
            "length": length,
        },
        "funcTable": {
            "name": numbers, "isJS": vec![false; length], "relevantForJS": vec![false; length],
            "resource": vec![-1; length], "source": sources, "lineNumber": nothing, "columnNumber": nothing,
            "originalLocation": nothing, "length": length,
        },
        "resourceTable": { "name": [], "host": [], "type": [], "length": 0 },
        "nativeSymbols": { "libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0 },
        "sources": {
            "id": no_source, "filename": files, "startLine": vec![1; no_source.len()],
            "startColumn": vec![1; no_source.len()], "sourceMapURL": no_source, "content": no_source,
            "length": no_source.len(),
        },
        "sourceLocationTable": { "source": [], "line": [], "column": [], "length": 0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::tests::profile;

    /// The names of the frames of a stack, the outermost first, as a reader of the format finds them.
    fn names(file: &Value, stack: &Value) -> Vec<String> {
        let shared = &file["shared"];
        let at = |table: &str, column: &str, place: usize| {
            shared[table][column][place].as_u64().map_or(usize::MAX, |number| number as usize)
        };
        let mut names = Vec::new();
        let mut next = stack.as_u64().map(|stack| stack as usize);
        while let Some(stack) = next {
            let function = at("frameTable", "func", at("stackTable", "frame", stack));
            names.push(shared["stringArray"][at("funcTable", "name", function)].to_string().replace('"', ""));
            let offset = at("stackTable", "prefixOffset", stack);
            next = (offset > 0).then(|| stack - offset);
        }
        names.reverse();
        names
    }

    #[test]
    fn each_thread_has_the_milliseconds_of_its_processor() {
        let file = firefox(&profile(), "sort");
        let samples = |thread: usize| &file["threads"][thread]["samples"];
        assert_eq!(samples(0)["weight"], json!([4000.0, 250.0, 0.0]));
        assert_eq!(samples(0)["time"], json!([0.0, 4000.0, 4250.0]));
        assert_eq!(samples(1)["weight"], json!([4500.0, 0.0]));
        assert_eq!((&samples(1)["weightType"], &samples(1)["length"]), (&json!("tracing-ms"), &json!(2)));
        let stack = |thread: usize, sample: usize| names(&file, &samples(thread)["stack"][sample]);
        assert_eq!(stack(0, 0), ["main", "exchange", "sort.c line 80", "computing"]);
        assert_eq!(stack(0, 1), ["main", "bsp_end line 90", "computing"]);
        assert_eq!((stack(1, 0), stack(1, 1)), (stack(0, 0), Vec::new()));
    }

    #[test]
    fn places_and_categories_are_those_of_their_frames() {
        let file = firefox(&profile(), "sort");
        let (shared, strings) = (&file["shared"], &file["shared"]["stringArray"]);
        let frame = |name: &str| strings.as_array().into_iter().flatten().position(|string| string == name);
        let column =
            |name: &str, column: &str| &shared["frameTable"][column][frame(name).unwrap_or(usize::MAX)];
        assert_eq!(column("sort.c line 80", "line"), 80);
        assert!(column("main", "line").is_null() && column("main", "category").is_null());
        let sources = &shared["funcTable"]["source"];
        let source = sources[frame("sort.c line 80").unwrap_or(usize::MAX)].as_u64().unwrap_or(u64::MAX);
        let string = shared["sources"]["filename"][source as usize].as_u64().unwrap_or(u64::MAX);
        assert_eq!(strings[string as usize], "sort.c");
        for (kind, category) in
            [("computing", "Computing"), ("communicating", "Communicating"), ("idle", "Idle")]
        {
            let number = column(kind, "category").as_u64().unwrap_or(u64::MAX);
            assert_eq!(file["meta"]["categories"][number as usize]["name"], category);
        }
    }

    #[test]
    fn columns_are_as_long_as_their_tables_say() {
        let file = firefox(&profile(), "sort");
        let shared = file["shared"].as_object().into_iter().flatten().map(|(_, table)| table);
        let samples = file["threads"].as_array().into_iter().flatten().map(|thread| &thread["samples"]);
        for table in shared.chain(samples).filter_map(Value::as_object) {
            for column in table.values().filter_map(Value::as_array) {
                assert_eq!(json!(column.len()), table["length"]);
            }
        }
    }
}
