//! Where the statements of an experiment stand in the function around them.

use lang_c::ast::{BlockItem, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::program::ParsedFunction;

/// Where the statements of an experiment stand.
pub struct MeasuredRegion {
    pub name: String,
    /// The directives that begin and end it, in the preprocessed text.
    pub begin: usize,
    pub end: usize,
    /// The variables of its formula with the expressions of C that they are taken from when it begins.
    pub variables: Vec<(String, String)>,
    /// Those whose values stand in no variable then.
    pub unseen: Vec<String>,
}

/// The statements of an experiment, and those that run before them each time that it begins.
pub struct FoundItems<'p> {
    pub items: &'p [Node<BlockItem>],
    /// From the begin of the function, or of the body of the innermost loop or condition around.
    pub before: Vec<&'p [Node<BlockItem>]>,
}

/// Looks for the block that directly holds all statements between the directives.
pub fn found<'p>(parsed: &'p ParsedFunction, region: &MeasuredRegion) -> Option<FoundItems<'p>> {
    struct Blocks<'p>(Vec<&'p [Node<BlockItem>]>);
    impl<'p> Visit<'p> for Blocks<'p> {
        fn visit_statement(&mut self, statement: &'p Statement, span: &'p Span) {
            if let Statement::Compound(items) = statement {
                self.0.push(items);
            }
            visit::visit_statement(self, statement, span);
        }
    }
    let mut blocks = Blocks(Vec::new());
    let body = &parsed.definition()?.statement;
    blocks.visit_statement(&body.node, &body.span);
    let begins_after = |item: &Node<BlockItem>, offset: usize| offset < parsed.original(item.span.start);
    let ends_before = |item: &Node<BlockItem>, offset: usize| parsed.end(item.span) <= offset;
    let is_inside =
        |item: &Node<BlockItem>| begins_after(item, region.begin) && ends_before(item, region.end);
    // Outer blocks come first: their statements are whole ones.
    let (position, items) = blocks.0.iter().enumerate().find_map(|(position, items)| {
        let first = items.iter().position(is_inside)?;
        let count = items[first..].iter().take_while(|item| is_inside(item)).count();
        Some((position, &items[first..first + count]))
    })?;
    let count_before =
        |all: &'p [Node<BlockItem>]| all.iter().take_while(|item| ends_before(item, region.begin)).count();
    let mut inner = blocks.0[position];
    let mut before = vec![&inner[..count_before(inner)]];
    for outer in blocks.0[..position].iter().rev() {
        let count = count_before(outer);
        let is_direct = outer.get(count).is_some_and(|item| match &item.node {
            BlockItem::Statement(Node { node: Statement::Compound(its), .. }) => {
                its.as_ptr() == inner.as_ptr()
            }
            _ => false,
        });
        if is_direct {
            inner = outer;
            before.insert(0, &inner[..count]);
        }
    }
    Some(FoundItems { items, before })
}
