use std::collections::BTreeMap;

use call_model::{LINE_BYTES, LoopSteps, reached_lines};

use super::{Stream, Workload};

/// Which lines come again before a cache has given them up: what the loops reach, set against its size.
///
/// An iteration of a loop finds what the one before has reached if all that one iteration reaches fits. So of a stream the lines come
/// anew as often as the innermost loop that does not fit begins, each time as many as that loop reaches. (Known as layer conditions:
/// G. Rivera, C.-W. Tseng, *Tiling optimizations for 3D scientific computations*, SC 2000.) Conflicts of lines in a set are neglected,
/// and what fits as a whole is there from the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Reuse {
    /// What one run of each loop reaches, by the line where it begins and how many loops are around it: one line may have several.
    reached_bytes: BTreeMap<(String, usize), f64>,
}

impl Reuse {
    /// Of all that the statements of some terms do together.
    pub fn of(workloads: &[Workload]) -> Reuse {
        let mut reached_bytes = BTreeMap::new();
        for stream in workloads.iter().flat_map(|its| &its.streams) {
            for depth in 0..stream.loops.len() {
                let bytes = LINE_BYTES * lines(stream, depth + 1);
                *reached_bytes.entry(key(stream, depth)).or_insert(0.0) += bytes;
            }
        }
        Reuse { reached_bytes }
    }

    /// How many of its loops, from the innermost on, fit into a cache.
    pub fn fitting(&self, stream: &Stream, cache_bytes: f64) -> usize {
        let fits = |depth: &usize| self.reached_bytes[&key(stream, *depth)] <= cache_bytes;
        (0..stream.loops.len()).take_while(fits).count()
    }

    /// How many lines of a stream a cache of this size does not have when they are needed.
    pub fn missed_lines(&self, stream: &Stream, cache_bytes: f64) -> f64 {
        let fitting = self.fitting(stream, cache_bytes);
        match stream.loops.get(fitting) {
            None => 0.0,
            Some(_) => {
                let begins: f64 = stream.loops[fitting + 1..].iter().map(|its| its.iterations).product();
                lines(stream, fitting + 1) * begins
            }
        }
    }
}

fn key(stream: &Stream, depth: usize) -> (String, usize) {
    (stream.loops[depth].line.clone(), stream.loops.len() - 1 - depth)
}

/// How many lines the so many innermost loops reach.
fn lines(stream: &Stream, innermost: usize) -> f64 {
    let loops = &stream.loops[..innermost];
    let steps =
        loops.iter().map(|its| LoopSteps { iterations: its.iterations, stride_bytes: its.stride_bytes });
    reached_lines(stream.element_bytes, steps)
}

#[cfg(test)]
mod tests {
    use super::super::LoopAt;
    use super::*;

    fn stream(loops: &[(&str, f64, f64)]) -> Stream {
        let at = |(line, iterations, stride_bytes): &(&str, f64, f64)| LoopAt {
            line: (*line).to_owned(),
            iterations: *iterations,
            stride_bytes: *stride_bytes,
        };
        let loops: Vec<LoopAt> = loops.iter().map(at).collect();
        let loads = loops.iter().map(|its| its.iterations).product();
        Stream { array: "a".to_owned(), loads, stores: 0.0, element_bytes: 8.0, loops }
    }

    fn workload(streams: Vec<Stream>) -> Workload {
        Workload { running: vec![0], operations: BTreeMap::new(), chained: BTreeMap::new(), streams }
    }

    /// Lines that a cache with least-recently-used replacement does not have, counted by running the loops twice.
    fn simulated(streams: &[Stream], cache_bytes: f64) -> f64 {
        let mut recent: std::collections::VecDeque<(usize, i64)> = Default::default();
        let mut missed = 0;
        for round in 0..2 {
            let counts: Vec<usize> = streams[0].loops.iter().map(|its| its.iterations as usize).collect();
            let mut position = vec![0_usize; counts.len()];
            'all: loop {
                for (number, stream) in streams.iter().enumerate() {
                    let byte: f64 = stream
                        .loops
                        .iter()
                        .zip(&position)
                        .map(|(its, at)| its.stride_bytes * *at as f64)
                        .sum();
                    let line = (number, (byte / LINE_BYTES) as i64);
                    match recent.iter().position(|known| *known == line) {
                        Some(place) => _ = recent.remove(place),
                        None => missed += round,
                    }
                    recent.push_back(line);
                    if recent.len() as f64 * LINE_BYTES > cache_bytes {
                        recent.pop_front();
                    }
                }
                for depth in 0..=counts.len() {
                    if depth == counts.len() {
                        break 'all;
                    }
                    position[depth] += 1;
                    if position[depth] < counts[depth] {
                        break;
                    }
                    position[depth] = 0;
                }
            }
        }
        f64::from(missed)
    }

    #[test]
    fn missed_lines_are_those_of_a_simulated_cache() {
        let n = 24.0;
        let row = 8.0 * n;
        let columns = vec![stream(&[("2", n, row), ("1", n, 8.0)])];
        let in_one_line = vec![stream(&[("1", n, row), ("1", n, 8.0)])];
        let rows = vec![stream(&[("2", n, 8.0), ("1", n, row)])];
        let product = vec![
            stream(&[("3", n, 8.0), ("2", n, 0.0), ("1", n, row)]),
            stream(&[("3", n, row), ("2", n, 8.0), ("1", n, 0.0)]),
        ];
        let strided = vec![stream(&[("2", 8.0, 64.0), ("1", 60.0, 512.0)])];
        let tile = vec![stream(&[("2", 12.0, 8.0), ("1", 40.0, 1024.0)])];
        let convolution = vec![stream(&[("2", 16.0, 8.0), ("1", 300.0, 8.0)])];
        for (name, streams) in [
            ("columns", columns),
            ("one line", in_one_line),
            ("rows", rows),
            ("product", product),
            ("sums", convolution),
            ("lines", strided),
            ("tile", tile),
        ] {
            let reuse = Reuse::of(&[workload(streams.clone())]);
            // Far from the borders: within a few lines of them the order of accesses decides.
            for cache_bytes in [512.0, 2500.0, 20_000.0] {
                let guessed: f64 = streams.iter().map(|its| reuse.missed_lines(its, cache_bytes)).sum();
                let counted = simulated(&streams, cache_bytes);
                let is_near = (guessed - counted).abs() <= 0.1 * counted + 64.0;
                assert!(is_near, "{name}, {cache_bytes} bytes: {guessed} for {counted}");
            }
        }
    }
}
