//! Profiles as other tools read them.

mod cube;
mod firefox;

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{Centre, Cost, CostQuantity, Profile, View};

pub use cube::cube;
pub use firefox::firefox;

/// What the time of a processor at a cost centre goes into; together it is all of it.
const TIMES: [(CostQuantity, &str); 3] = [
    (CostQuantity::Computation, "computing"),
    (CostQuantity::Communication, "communicating"),
    (CostQuantity::Waiting, "idle"),
];

/// For speedscope: a profile for each processor, whose samples are the call stacks of cost centres, with computing, communicating or idle
/// innermost, and seconds as weights (its file format schema). What single processors need must be known: predictions do not tell.
pub fn speedscope(profile: &Profile, name: &str) -> Value {
    let mut frames = Frames::default();
    let stacks: Vec<Vec<usize>> = profile.centres().iter().map(|centre| frames.stack(centre)).collect();
    let kinds = TIMES.map(|(_, name)| frames.number(Frame { name: name.to_owned(), place: None }));
    let profiles = (0..profile.processors).map(|processor| {
        let (mut samples, mut weights) = (Vec::new(), Vec::new());
        for (stack, cost) in stacks.iter().zip(profile.costs()) {
            for ((quantity, _), kind) in TIMES.iter().zip(kinds) {
                let time_s = cost.of(*quantity).by_processor.get(processor).copied().unwrap_or(0.0);
                if time_s > 0.0 {
                    samples.push([stack.as_slice(), &[kind]].concat());
                    weights.push(time_s);
                }
            }
        }
        let total_s: f64 = weights.iter().sum();
        json!({
            "type": "sampled", "name": format!("processor {processor}"), "unit": "seconds", "startValue": 0, "endValue": total_s,
            "samples": samples, "weights": weights,
        })
    });
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": name,
        "exporter": concat!("CALL ", env!("CARGO_PKG_VERSION")),
        "profiles": profiles.collect::<Vec<_>>(),
        "shared": { "frames": frames.all.iter().map(Frame::json).collect::<Vec<_>>() },
    })
}

/// For Hatchet and Thicket: the tree of call paths as a literal of `GraphFrame.from_literal`. `time` is the BSP time of the node itself,
/// the sums over supersteps of the longest computation and communication; waiting stands beside it, and is in none of these. `hrel` is in
/// bytes.
pub fn hatchet(profile: &Profile) -> Value {
    let view = View::by_call_path(profile);
    let mut children = vec![Vec::new(); view.nodes.len()];
    view.edges.iter().for_each(|edge| children[edge.from].push(edge.to));
    // A node is numbered before those below it.
    let mut made: Vec<Option<Value>> = vec![None; view.nodes.len()];
    for number in (0..view.nodes.len()).rev() {
        let node = &view.nodes[number];
        let below: Vec<Value> = children[number].iter().filter_map(|child| made[*child].take()).collect();
        let inclusive = profile.cost_of(&node.centres);
        let own = if children[number].is_empty() { inclusive.clone() } else { profile.cost_of(&[]) };
        // The processor that is longest in a superstep is not the one that waits.
        let time_s = |cost: &Cost| {
            cost.of(CostQuantity::Computation).maximum + cost.of(CostQuantity::Communication).maximum
        };
        let mut metrics = json!({ "time": time_s(&own), "time (inc)": time_s(&inclusive) });
        for quantity in CostQuantity::ALL {
            let its = own.of(quantity);
            metrics[quantity.key()] = its.maximum.into();
            metrics[format!("{} average", quantity.key())] = its.average.into();
        }
        made[number] = Some(json!({
            "frame": { "name": node.label, "type": "function" }, "metrics": metrics, "children": below,
        }));
    }
    view.roots.iter().filter_map(|root| made[*root].take()).collect()
}

/// Something on a call stack.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    name: String,
    /// A file and a line in it.
    place: Option<(String, u32)>,
}

impl Frame {
    fn json(&self) -> Value {
        match &self.place {
            Some((file, line)) => json!({ "name": self.name, "file": file, "line": line }),
            None => json!({ "name": self.name }),
        }
    }
}

/// Frames, each once.
#[derive(Default)]
struct Frames {
    all: Vec<Frame>,
    known: HashMap<Frame, usize>,
}

impl Frames {
    fn number(&mut self, frame: Frame) -> usize {
        *self.known.entry(frame.clone()).or_insert_with(|| {
            self.all.push(frame);
            self.all.len() - 1
        })
    }

    /// The stack of a cost centre, `main` first, the position last.
    fn stack(&mut self, centre: &Centre) -> Vec<usize> {
        let procedures: Vec<Frame> =
            centre.stack.iter().rev().map(|name| Frame { name: name.clone(), place: None }).collect();
        let position = &centre.position;
        let place = position.place().map(|(file, line)| (file.to_owned(), line));
        let leaf = Frame { name: position.to_string(), place };
        procedures.into_iter().chain([leaf]).map(|frame| self.number(frame)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MachineSuperstep, Position, ProfileBuilder};

    pub(super) fn profile() -> Profile {
        let mut builder = ProfileBuilder::new(2);
        let exchange = builder.centre(Centre::new(Position::new("sort.c", 80), ["exchange", "main"]));
        let end = Position::of_call("bsp_end", Some("sort.c"), 90);
        let end = builder.centre(Centre::new(end, ["main"]));
        let mut superstep = MachineSuperstep::new(2);
        for computing_s in [[3.0, 1.0], [1.0, 3.5]] {
            superstep.computation_s.copy_from_slice(&computing_s);
            builder.add(exchange, &superstep);
        }
        superstep.computation_s.copy_from_slice(&[0.25, 0.0]);
        builder.add(end, &superstep);
        builder.finish()
    }

    #[test]
    fn speedscope_has_the_time_of_each_processor() {
        let file = speedscope(&profile(), "sort");
        let names: Vec<&str> = file["shared"]["frames"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|frame| frame["name"].as_str())
            .collect();
        assert_eq!(
            names,
            ["main", "exchange", "sort.c line 80", "bsp_end line 90", "computing", "communicating", "idle"]
        );
        let first = &file["profiles"][0];
        assert_eq!(first["samples"], json!([[0, 1, 2, 4], [0, 3, 4]]));
        assert_eq!((&first["weights"], &first["endValue"]), (&json!([4.0, 0.25]), &json!(4.25)));
        assert_eq!(file["profiles"][1]["weights"], json!([4.5]));
        assert_eq!(
            file["shared"]["frames"][2],
            json!({ "name": "sort.c line 80", "file": "sort.c", "line": 80 })
        );
        assert_eq!(
            file["shared"]["frames"][3],
            json!({ "name": "bsp_end line 90", "file": "sort.c", "line": 90 })
        );
    }

    #[test]
    fn the_tree_of_hatchet_has_own_and_inclusive_times() {
        let tree = hatchet(&profile());
        let main = &tree[0];
        assert_eq!((tree.as_array().map(Vec::len), &main["frame"]["name"]), (Some(1), &json!("main")));
        // The largest of each superstep: 3 + 3.5 in the exchange, 0.25 at the end.
        assert_eq!((&main["metrics"]["time"], &main["metrics"]["time (inc)"]), (&json!(0.0), &json!(6.75)));
        let exchange = &main["children"][0]["children"][0];
        assert_eq!(
            (&exchange["frame"]["name"], &exchange["metrics"]["comp"]),
            (&json!("sort.c line 80"), &json!(6.5))
        );
        assert_eq!(exchange["metrics"]["comp average"], json!(4.25));
        assert_eq!(main["children"][1]["metrics"]["time"], json!(0.25));
    }
}
