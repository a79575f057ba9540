//! What lang-c tells about one function: where directives stand in it, which names are visible there, which jumps there are, what
//! is changed. All offsets count bytes of the preprocessed text.

mod guess;
mod return_type;
mod walk;

use std::collections::{HashMap, HashSet};

use super::file_scope::FileScope;
use super::normalise::Normalised;
use super::parse::Parse;
use super::types::Type;

pub use return_type::ReturnType;

/// Where a directive stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectivePosition {
    /// Outside of every function.
    File,
    /// Between the statements of a block with these braces.
    Block(usize, usize),
    /// Before a statement that is not in a block of its own: the branch of an `if`, the body of a loop.
    Before(usize, usize),
    /// In the middle of a statement or declaration.
    Inside,
}

/// The place of a directive.
#[derive(Debug, Clone, Copy)]
pub struct DirectivePlace {
    pub position: DirectivePosition,
    /// Whether declarations alone stand before it in its block, and one follows.
    pub is_among_declarations: bool,
    /// Index of the innermost scope around it.
    scope: usize,
    offset: usize,
}

/// Names that become visible one after another, up to the end of a block.
struct Scope {
    parent: Option<usize>,
    names: Vec<DeclaredName>,
}

struct DeclaredName {
    text: String,
    declared_at: usize,
    kind: Type,
}

/// The value of a `return`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnedValue {
    None,
    /// What takes no work to compute.
    Ready,
    /// A call or an assignment; whether it is a list of expressions, which takes parentheses in an initialiser.
    Computed {
        is_list: bool,
    },
}

/// How a statement goes elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JumpKind {
    /// Whether its value takes work to compute: a call, an assignment. `None`: it has no value.
    Return(ReturnedValue),
    Goto {
        label: String,
    },
    Break,
    Continue,
    /// A call of a function that does not come back.
    Exit {
        function: String,
    },
}

/// Functions that do not come back to their caller.
pub const EXITS: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "pthread_exit",
    "thrd_exit",
    "MPI_Abort",
    "bsp_abort",
];

/// Whether a jump may start with this word.
pub fn is_jump_word(word: &[u8]) -> bool {
    matches!(word, b"return" | b"goto" | b"break" | b"continue")
        || EXITS.iter().any(|name| name.as_bytes() == word)
}

/// Whether a function returns more than once.
pub fn is_setjmp(word: &[u8]) -> bool {
    matches!(
        word,
        b"setjmp" | b"_setjmp" | b"sigsetjmp" | b"__sigsetjmp" | b"__builtin_setjmp" | b"savectx" | b"vfork"
    )
}

impl JumpKind {
    /// Whether it is a call that does not come back, which ends the program or nearly so.
    pub fn is_final(&self) -> bool {
        matches!(self, JumpKind::Exit { .. })
    }

    /// The word that it starts with.
    pub fn word(&self) -> &str {
        match self {
            JumpKind::Return(_) => "return",
            JumpKind::Goto { .. } => "goto",
            JumpKind::Break => "break",
            JumpKind::Continue => "continue",
            JumpKind::Exit { function } => function,
        }
    }
}

/// A statement that goes elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeavingJump {
    pub kind: JumpKind,
    /// First byte of the statement, or of the name that is called.
    pub start: usize,
    /// The loop or `switch` that a `break` or `continue` belongs to.
    pub target: Option<(usize, usize)>,
    /// Whether it is a statement of its own, before which others can be put.
    pub is_statement: bool,
}

/// A variable that gets a new value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableChange {
    /// The left side without blanks: `N`, `m->rows`.
    pub what: String,
    pub offset: usize,
    /// The scope in which its first name was declared, if that is in the function.
    declared_in: Option<usize>,
}

/// A label of a `switch`, with the place of the `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchCase {
    pub offset: usize,
    pub switch: (usize, usize),
}

/// A parameter or a variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalVariable {
    /// Where its declarator begins.
    pub declared_at: usize,
    pub is_parameter: bool,
}

/// The scope of the parameters of a function, inside that of the file.
const PARAMETERS: usize = 1;

/// What is known of a function.
pub struct ControlFlow {
    /// For each place that was asked for.
    pub places: Vec<DirectivePlace>,
    pub jumps: Vec<LeavingJump>,
    pub labels: HashMap<String, usize>,
    pub cases: Vec<SwitchCase>,
    pub changes: Vec<VariableChange>,
    /// `goto *…`, which may go to any label whose address is taken.
    pub computed_gotos: Vec<usize>,
    return_type: ReturnType,
    /// The braces of functions of GNU C in it.
    nested_functions: Vec<(usize, usize)>,
    /// Whether it is a place that `longjmp` comes back to.
    calls_setjmp: bool,
    scopes: Vec<Scope>,
    item: usize,
    /// Whether scopes and types are known.
    is_understood: bool,
}

impl DirectivePlace {
    /// Where it is in the preprocessed text.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl ControlFlow {
    /// Whether a jump that starts between two offsets goes elsewhere than between them.
    pub fn leaves(&self, jump: &LeavingJump, begin: usize, end: usize) -> bool {
        match &jump.kind {
            // It may come back to a `setjmp` of this very function.
            JumpKind::Exit { function } if function.contains("longjmp") => !self.calls_setjmp,
            JumpKind::Return(_) => self.nested_function(jump).is_none_or(|(open, _)| open < begin),
            JumpKind::Exit { .. } => true,
            JumpKind::Goto { label } => {
                self.labels.get(label).is_some_and(|target| *target < begin || *target > end)
            }
            JumpKind::Break | JumpKind::Continue => jump.target.is_some_and(|(start, _)| start < begin),
        }
    }

    /// The braces of the innermost nested function around a jump.
    fn nested_function(&self, jump: &LeavingJump) -> Option<(usize, usize)> {
        let around = |(open, close): &&(usize, usize)| *open < jump.start && jump.start < *close;
        self.nested_functions.iter().filter(around).max().copied()
    }

    /// What the function that a jump stands in returns.
    pub fn return_type(&self, jump: &LeavingJump) -> &ReturnType {
        const OF_NESTED: &ReturnType = &ReturnType::Unnameable;
        if self.nested_function(jump).is_some() { OF_NESTED } else { &self.return_type }
    }

    /// Index of the item that the function is.
    pub fn item(&self) -> usize {
        self.item
    }

    /// Looks at an item, as it is parsed, with the directives at `places`, ascending offsets in it.
    pub fn look(
        file: &FileScope,
        item: usize,
        (normalised, parse): (&Normalised, &Parse),
        places: &[usize],
    ) -> ControlFlow {
        walk::walk(file, item, normalised, parse, places)
    }

    /// What the tokens tell about an item that cannot be parsed: blocks, labels, and most jumps.
    pub fn guess(file: &FileScope, item: usize, places: &[usize]) -> ControlFlow {
        guess::guess(file, item, places)
    }

    /// What a name stands for at a place; `None` if nothing visible has it.
    pub fn lookup(&self, file: &FileScope, place: usize, name: &str) -> Option<Type> {
        if !self.is_understood {
            return Some(Type::Unknown);
        }
        let found = self.declaration(self.places[place].scope, self.places[place].offset, name);
        found.map_or_else(|| file.lookup(name, self.item), |(_, name)| Some(name.kind.clone()))
    }

    /// What a name stands for at a place, if the function declares it.
    pub fn local(&self, place: usize, name: &str) -> Option<LocalVariable> {
        let place = self.places[place];
        let (scope, found) = self.declaration(place.scope, place.offset, name)?;
        let is_variable = scope >= PARAMETERS && !matches!(found.kind, Type::Name(_));
        is_variable
            .then_some(LocalVariable { declared_at: found.declared_at, is_parameter: scope == PARAMETERS })
    }

    /// Whether a name in the function hides a variable that has the same name further out, and where the two were declared
    /// (`None`: outside of the function).
    pub fn hides(&self, file: &FileScope, place: usize, name: &str) -> Option<(usize, Option<usize>)> {
        let (scope, inner) = self.declaration(self.places[place].scope, self.places[place].offset, name)?;
        let is_variable = |kind: &Type| matches!(kind, Type::Arithmetic(_) | Type::Unknown);
        let outer =
            self.scopes[scope].parent.and_then(|parent| self.declaration(parent, inner.declared_at, name));
        match outer {
            Some((_, outer)) => {
                is_variable(&outer.kind).then_some((inner.declared_at, Some(outer.declared_at)))
            }
            None => {
                let outside = file.lookup(name, self.item);
                outside.is_some_and(|kind| is_variable(&kind)).then_some((inner.declared_at, None))
            }
        }
    }

    /// The first change of a variable between two places.
    pub fn change_between(
        &self,
        begin: usize,
        end: usize,
        variable: &str,
        root: &str,
    ) -> Option<&VariableChange> {
        let (from, to) = (self.places[begin].offset, self.places[end].offset);
        let declared = self.declaration(self.places[begin].scope, from, root).map(|(scope, _)| scope);
        self.changes.iter().find(|change| {
            (from..to).contains(&change.offset) && change.what == variable && change.declared_in == declared
        })
    }

    /// Where a name is declared anew between two places, in the block of the second.
    pub fn declared_between(&self, begin: usize, end: usize, name: &str) -> Option<usize> {
        let (from, to) = (self.places[begin].offset, self.places[end].offset);
        let (_, found) = self.declaration(self.places[end].scope, to, name)?;
        (from..to).contains(&found.declared_at).then_some(found.declared_at)
    }

    /// Whether what stands between two places of a block could have braces of its own: nothing that it declares is used behind.
    pub fn could_be_block(&self, file: &FileScope, begin: usize, end: usize) -> bool {
        let (from, to) = (self.places[begin], self.places[end]);
        let block_end = match from.position {
            DirectivePosition::Block(_, close) => close,
            DirectivePosition::Before(..) => return true,
            DirectivePosition::File | DirectivePosition::Inside => return false,
        };
        let tokens = &file.tokens;
        let index_at = |offset: usize| tokens.tokens.partition_point(|token| (token.start as usize) < offset);
        let (first, last, behind) = (index_at(from.offset), index_at(to.offset), index_at(block_end));
        let mut declared: HashSet<&[u8]> = self.scopes[from.scope]
            .names
            .iter()
            .filter(|name| (from.offset..to.offset).contains(&name.declared_at))
            .map(|name| name.text.as_bytes())
            .collect();
        let is_tag =
            |index: &usize| matches!(tokens.text(index.wrapping_sub(1)), b"struct" | b"union" | b"enum");
        declared.extend((first..last).filter(is_tag).map(|index| tokens.text(index)));
        // Up to the end of the block nothing is behind.
        last + 1 >= behind
            || self.is_understood && !(last..behind).any(|index| declared.contains(tokens.text(index)))
    }

    /// Arithmetic variables of the function that are visible at a place.
    pub fn arithmetic_names(&self, place: usize) -> Vec<&str> {
        let place = self.places[place];
        let mut names = Vec::new();
        let mut next = Some(place.scope);
        while let Some(scope) = next {
            names.extend(
                self.scopes[scope]
                    .names
                    .iter()
                    .filter(|name| {
                        name.declared_at < place.offset && matches!(name.kind, Type::Arithmetic(_))
                    })
                    .map(|name| name.text.as_str()),
            );
            next = self.scopes[scope].parent;
        }
        names
    }

    fn declaration(&self, scope: usize, before: usize, name: &str) -> Option<(usize, &DeclaredName)> {
        declaration(&self.scopes, scope, before, name)
    }
}

fn declaration<'a>(
    scopes: &'a [Scope],
    scope: usize,
    before: usize,
    name: &str,
) -> Option<(usize, &'a DeclaredName)> {
    let mut next = Some(scope);
    while let Some(scope) = next {
        let names = &scopes[scope].names;
        let found =
            names.iter().rev().find(|candidate| candidate.declared_at < before && candidate.text == name);
        if let Some(found) = found {
            return Some((scope, found));
        }
        next = scopes[scope].parent;
    }
    None
}
