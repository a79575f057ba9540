//! Blocks that an experiment of the source measures already.

use call_compiler::{BlockCounts, BlockKind};
use call_grammar::{Directive, Span, outline, parse, scan};

/// An experiment of a source; its directives stand in these lines, counted from 0.
pub struct MeasuredBlock {
    name: String,
    begin: usize,
    end: usize,
}

/// The experiments of a source.
pub fn measured_blocks(source: &str) -> Vec<MeasuredBlock> {
    let bytes = source.as_bytes();
    let (texts, _) = scan(bytes, Span::new(0, bytes.len()));
    let directives: Vec<Directive> = texts.iter().filter_map(|text| parse(bytes, text).0).collect();
    let (outline, _) = outline(&directives.iter().collect::<Vec<_>>());
    let line = |at: usize| source[..directives[at].span.start].matches('\n').count();
    let blocks = outline.experiments.iter().flat_map(|experiment| {
        let block = |place: &call_grammar::BlockLines| (line(place.begin), line(place.end()));
        experiment.places.iter().map(block).map(|(begin, end)| (experiment.name.clone(), begin, end))
    });
    blocks.map(|(name, begin, end)| MeasuredBlock { name, begin, end }).collect()
}

impl MeasuredBlock {
    /// Whether it measures a block whose directives would stand before these lines, or has its name.
    pub fn is_of(
        &self,
        block: &BlockCounts,
        (begin, end): (usize, usize),
        lines: &[&str],
        all: &[BlockCounts],
    ) -> bool {
        let is_empty = |from: usize, to: usize| {
            lines.iter().take(to).skip(from).all(|line| {
                let line = line.trim();
                line.is_empty() || line.starts_with('#')
            })
        };
        self.name == block.name
            || match block.kind {
                BlockKind::Function => {
                    (begin..end).contains(&self.begin)
                        && is_empty(begin, self.begin)
                        && is_empty(self.end, end)
                }
                BlockKind::Loop => {
                    let is_around = |begin: usize, end: usize| self.begin < begin && end <= self.end;
                    let is_other = |other: &&BlockCounts| {
                        other.kind == BlockKind::Loop && other.begin.line != block.begin.line
                    };
                    let mut others = all.iter().filter(is_other);
                    is_around(begin, end)
                        && !others.any(|its| is_around(its.begin.line as usize - 1, its.end.line as usize))
                }
            }
    }

    /// The line of its first directive, counted from 1.
    pub fn line(&self) -> usize {
        self.begin + 1
    }
}
