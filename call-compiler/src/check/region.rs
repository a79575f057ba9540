use call_grammar::BlockLines;

use crate::c::function::{ControlFlow, LeavingJump};
use crate::locate::LocatedStatement;

/// A block in its function. Offsets count bytes of the preprocessed text.
pub struct BlockInFunction<'a> {
    pub experiment: usize,
    pub place: &'a BlockLines,
    pub begin: usize,
    pub end: usize,
    /// Whether a guard could end its measurements.
    pub can_be_guarded: bool,
}

impl BlockInFunction<'_> {
    pub fn holds(&self, offset: usize) -> bool {
        self.begin < offset && offset < self.end
    }
}

/// A jump with the positions of the regions that it leaves, inner ones first.
pub struct Exit<'a> {
    pub jump: &'a LeavingJump,
    /// Its place in the user's text; `None` if it comes out of a macro.
    pub statement: Option<LocatedStatement>,
    pub left: Vec<usize>,
}

impl Exit<'_> {
    /// Whether nothing comes back from it.
    pub fn is_final(&self) -> bool {
        self.jump.kind.is_final()
    }
}

/// A function with blocks and jumps.
pub struct FunctionWithBlocks<'a> {
    pub function: &'a ControlFlow,
    pub regions: Vec<BlockInFunction<'a>>,
    pub exits: Vec<Exit<'a>>,
}
