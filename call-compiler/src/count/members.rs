//! What the structures and unions of a file say about the names of their members. A name means the same in all of them here: what any of
//! them declares is heeded, so that nothing has to be known of the types of pointers.

use std::collections::HashSet;

use crate::c::items::Tokens;
use crate::c::types::Representation;

#[derive(Debug, Default)]
pub struct MemberTypes {
    /// Of types with less bits than `int`, or fields of bits.
    narrow: HashSet<String>,
    /// Of unions: they change with each other.
    of_unions: HashSet<String>,
    /// Pointers to `void`.
    untyped: HashSet<String>,
    /// Pointers and arrays.
    addresses: HashSet<String>,
    /// All others.
    plain: HashSet<String>,
    /// How they are kept, or the elements of arrays and what pointers point to.
    natural: MembersOfKind,
    real: MembersOfKind,
}

/// Members whose own values are kept in a way, and those whose elements are.
#[derive(Debug, Default)]
struct MembersOfKind {
    plain: HashSet<String>,
    elements: HashSet<String>,
}

impl MembersOfKind {
    fn insert(&mut self, name: String, is_plain: bool) {
        if is_plain {
            self.plain.insert(name)
        } else {
            self.elements.insert(name)
        };
    }
}

impl MemberTypes {
    /// `is_narrow` tells names of types with less bits than `int`, `is_untyped` those of pointers to `void`.
    pub fn new(
        tokens: &Tokens,
        is_narrow: impl Fn(&[u8]) -> bool,
        is_untyped: impl Fn(&[u8]) -> bool,
        representation: impl Fn(&[u8]) -> Option<Representation>,
    ) -> MemberTypes {
        let mut found = MemberTypes::default();
        let mut bodies: Vec<Option<StructureBody>> = Vec::new();
        for index in 0..tokens.tokens.len() {
            let text = tokens.text(index);
            match text {
                b"{" => {
                    let around = bodies.last().and_then(Option::as_ref);
                    let is_in_union = around.is_some_and(|body| body.is_union);
                    bodies.push(
                        kind_of_body(tokens, index)
                            .map(|is_union| StructureBody::new(is_union || is_in_union)),
                    );
                }
                b"}" => _ = bodies.pop(),
                _ => {
                    if let Some(Some(body)) = bodies.last_mut() {
                        found.extend(body.token(
                            text,
                            tokens.is_word(index),
                            (is_narrow(text), is_untyped(text), representation(text)),
                        ));
                    }
                }
            }
        }
        found
    }

    fn extend(&mut self, member: Option<Member>) {
        let Some(Member { name, is_narrow, is_of_union, is_untyped, kept, is_plain }) = member else {
            return;
        };
        match kept {
            Some(Representation::Natural) => self.natural.insert(name.clone(), is_plain),
            Some(Representation::Real) => self.real.insert(name.clone(), is_plain),
            _ => {}
        }
        if is_untyped {
            self.untyped.insert(name.clone());
        }
        match is_plain {
            true => self.plain.insert(name.clone()),
            false => self.addresses.insert(name.clone()),
        };
        if is_narrow {
            self.narrow.insert(name.clone());
        }
        if is_of_union {
            self.of_unions.insert(name);
        }
    }

    pub fn is_narrow(&self, member: &str) -> bool {
        self.narrow.contains(member)
    }

    pub fn is_untyped(&self, member: &str) -> bool {
        self.untyped.contains(member)
    }

    /// Whether all structures have it as a pointer or an array.
    pub fn is_address(&self, member: &str) -> bool {
        self.addresses.contains(member) && !self.plain.contains(member)
    }

    pub fn is_natural(&self, member: &str) -> bool {
        self.natural.plain.contains(member)
    }

    pub fn is_real(&self, member: &str) -> bool {
        self.real.plain.contains(member)
    }

    /// How the elements of a member are kept; real wherever some structure has it so.
    pub fn element(&self, member: &str) -> Option<Representation> {
        let is_in = |kept: &MembersOfKind| kept.elements.contains(member);
        match (is_in(&self.real), is_in(&self.natural)) {
            (true, _) => Some(Representation::Real),
            (_, true) => Some(Representation::Natural),
            _ => None,
        }
    }

    pub fn is_of_union(&self, member: &str) -> bool {
        self.of_unions.contains(member)
    }
}

struct Member {
    name: String,
    is_narrow: bool,
    is_of_union: bool,
    is_untyped: bool,
    kept: Option<Representation>,
    /// Whether it is no pointer and no array.
    is_plain: bool,
}

/// The body of a structure or union that is gone through.
struct StructureBody {
    is_union: bool,
    /// Of the declaration at hand.
    is_narrow: bool,
    is_pointer: bool,
    is_void: bool,
    is_untyped: bool,
    kept: Option<Representation>,
    is_array: bool,
    /// Behind the name: in brackets or parentheses, or the number of bits.
    is_behind: bool,
    name: Option<String>,
}

impl StructureBody {
    fn new(is_union: bool) -> StructureBody {
        let (is_narrow, is_pointer, is_void, is_untyped, is_behind) = (false, false, false, false, false);
        let (kept, is_array, name) = (None, false, None);
        StructureBody {
            is_union,
            is_narrow,
            is_pointer,
            is_void,
            is_untyped,
            kept,
            is_array,
            is_behind,
            name,
        }
    }

    /// Takes the next token; returns a member where its declarator ends.
    fn token(
        &mut self,
        text: &[u8],
        is_word: bool,
        (is_narrow, is_untyped, kept): (bool, bool, Option<Representation>),
    ) -> Option<Member> {
        if !self.is_behind {
            self.kept = kept.or(self.kept);
        }
        match text {
            b"," | b";" => {
                let is_narrow = self.is_narrow && !self.is_pointer;
                let is_untyped = self.is_untyped || self.is_void && self.is_pointer;
                let name = self.name.take();
                let (kept, is_plain) = (self.kept, !self.is_pointer && !self.is_array);
                (self.is_pointer, self.is_behind, self.is_array) = (false, false, false);
                self.kept = self.kept.filter(|_| text == b",");
                self.is_narrow &= text == b",";
                self.is_void &= text == b",";
                self.is_untyped &= text == b",";
                let is_of_union = self.is_union;
                return name.map(|name| Member { name, is_narrow, is_of_union, is_untyped, kept, is_plain });
            }
            b"*" => self.is_pointer = true,
            b"void" => self.is_void = true,
            b":" => (self.is_narrow, self.is_behind) = (true, true),
            b"[" => (self.is_array, self.is_behind) = (true, true),
            _ if is_narrow => self.is_narrow = true,
            _ if is_untyped => self.is_untyped = true,
            _ if is_word && !self.is_behind => self.name = std::str::from_utf8(text).ok().map(str::to_owned),
            _ => {}
        }
        None
    }
}

/// Whether a brace begins the body of a union, or of a structure; `None` for others.
fn kind_of_body(tokens: &Tokens, brace: usize) -> Option<bool> {
    let mut index = brace.checked_sub(1)?;
    loop {
        match tokens.text(index) {
            b"union" => return Some(true),
            b"struct" => return Some(false),
            // Attributes, or a tag.
            b")" => {
                index = tokens.partner(index)?.checked_sub(1)?;
                if !matches!(tokens.text(index), b"__attribute__" | b"__attribute") {
                    return None;
                }
            }
            _ if !tokens.is_word(index) => return None,
            _ => {}
        }
        index = index.checked_sub(1)?;
    }
}
