//! Blocks that an experiment of the source measures already.

use std::collections::HashMap;

use call_compiler::{BlockCounts, BlockKind};
use call_grammar::{BlockLines, Directive, Span, outline, parse, scan};

/// The experiments of a source.
pub struct MeasuredBlocks {
    /// In the order of their lines.
    all: Vec<MeasuredBlock>,
    named: HashMap<String, usize>,
    /// Those around the loops of one line alone, by that line.
    around_loops: HashMap<u32, Vec<usize>>,
}

/// An experiment; its directives stand in these lines, counted from 0.
struct MeasuredBlock {
    name: String,
    begin: usize,
    end: usize,
}

impl MeasuredBlocks {
    /// Those of a source that has these blocks.
    pub fn of(source: &str, blocks: &[BlockCounts]) -> MeasuredBlocks {
        let all = measured_blocks(source);
        let mut loops: Vec<&BlockCounts> =
            blocks.iter().filter(|block| block.kind == BlockKind::Loop).collect();
        loops.sort_by_key(|its| its.begin.line);
        let mut named = HashMap::new();
        let mut around_loops: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, its) in all.iter().enumerate() {
            named.entry(its.name.clone()).or_insert(number);
            if let Some(line) = its.only_loop(&loops) {
                around_loops.entry(line).or_default().push(number);
            }
        }
        MeasuredBlocks { all, named, around_loops }
    }

    /// The line, from 1, of the directive that measures a block whose own would stand before these lines, or has its name.
    pub fn line_of(
        &self,
        block: &BlockCounts,
        (begin, end): (usize, usize),
        lines: &[&str],
    ) -> Option<usize> {
        let named = self.named.get(&block.name).map(|number| &self.all[*number]);
        let known = named.or_else(|| match block.kind {
            BlockKind::Function => self.of_function((begin, end), lines),
            BlockKind::Loop => {
                let around = self.around_loops.get(&block.begin.line)?;
                around.iter().map(|number| &self.all[*number]).find(|its| its.is_around(begin, end))
            }
        });
        Some(known?.begin + 1)
    }

    fn of_function(&self, (begin, end): (usize, usize), lines: &[&str]) -> Option<&MeasuredBlock> {
        let is_empty = |from: usize, to: usize| {
            lines.iter().take(to).skip(from).all(|line| {
                let line = line.trim();
                line.is_empty() || line.starts_with('#')
            })
        };
        let place = |line: usize| self.all.partition_point(|its| its.begin < line);
        let mut inside = self.all[place(begin)..place(end)].iter();
        inside.find(|its| is_empty(begin, its.begin) && is_empty(its.end, end))
    }
}

/// In the order of their lines.
fn measured_blocks(source: &str) -> Vec<MeasuredBlock> {
    let bytes = source.as_bytes();
    let (texts, _) = scan(bytes, Span::new(0, bytes.len()));
    let directives: Vec<Directive> = texts.iter().filter_map(|text| parse(bytes, text).0).collect();
    let (outline, _) = outline(&directives.iter().collect::<Vec<_>>());
    let line_ends: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
    let line = |at: usize| line_ends.partition_point(|end| *end < directives[at].span.start);
    let blocks = outline.experiments.iter().flat_map(|experiment| {
        let block = |place: &BlockLines| MeasuredBlock {
            name: experiment.name.clone(),
            begin: line(place.begin),
            end: line(place.end()),
        };
        experiment.places.iter().map(block).collect::<Vec<_>>()
    });
    let mut blocks: Vec<MeasuredBlock> = blocks.collect();
    blocks.sort_by_key(|its| its.begin);
    blocks
}

impl MeasuredBlock {
    fn is_around(&self, begin: usize, end: usize) -> bool {
        self.begin < begin && end <= self.end
    }

    /// The line of the loops, sorted by theirs, that it is around, if that is one line.
    fn only_loop(&self, loops: &[&BlockCounts]) -> Option<u32> {
        let place = |line: usize| loops.partition_point(|its| (its.begin.line as usize) < line);
        let behind = &loops[place(self.begin + 2)..place(self.end + 1)];
        let mut inside = behind.iter().filter(|its| its.end.line as usize <= self.end);
        let line = inside.next()?.begin.line;
        inside.all(|its| its.begin.line == line).then_some(line)
    }
}
