//! What can be changed: variables and members by their names, elements of arrays together.

use lang_c::ast::{BinaryOperator, Expression, MemberExpression, MemberOperator, UnaryOperator};
use lang_c::span::Node;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// `n`, `grid->rows`, as C writes it.
    Path(String),
    /// The elements of the array of that name, or what a pointer of that name points to.
    Elements(String),
    /// What has no name.
    Anything,
}

impl Place {
    /// The name that it begins with.
    pub fn root(&self) -> &str {
        match self {
            Place::Path(path) | Place::Elements(path) => root_of(path),
            Place::Anything => "",
        }
    }

    /// What it has as a name.
    pub fn path(&self) -> Option<&str> {
        match self {
            Place::Path(path) | Place::Elements(path) => Some(path),
            Place::Anything => None,
        }
    }

    /// The same with another name, if it has one.
    pub fn renamed(&self, name: impl FnOnce(&str) -> Option<String>) -> Option<Place> {
        match self {
            Place::Path(path) => name(path).map(Place::Path),
            Place::Elements(path) => name(path).map(Place::Elements),
            Place::Anything => None,
        }
    }

    /// Whether it is a variable, and no member or element of one.
    pub fn is_variable(&self) -> bool {
        matches!(self, Place::Path(path) if path == self.root())
    }

    /// The first name for messages; the last one where the first is any.
    pub fn shown(&self) -> &str {
        match self {
            Place::Path(path) | Place::Elements(path) if self.root().is_empty() => {
                member_of(path).unwrap_or(path)
            }
            _ => self.root(),
        }
    }

    /// The same with what the pointer was given that it begins with, `&n` for an address, in the place of the pointer.
    pub fn reached_by(&self, source: &str) -> Place {
        match (self, source.strip_prefix('&')) {
            (Place::Elements(path), Some(variable)) if path == self.root() => {
                Place::Path(variable.to_owned())
            }
            _ => self.rooted(source),
        }
    }

    /// The same with another expression in the place of the first name.
    pub fn rooted(&self, root: &str) -> Place {
        match self {
            Place::Path(path) => Place::Path(rooted(path, root)),
            Place::Elements(path) => Place::Elements(rooted(path, root)),
            Place::Anything => Place::Anything,
        }
    }

    /// Whether a change of this place may change what stands at another one.
    pub fn may_be(&self, read: &Place) -> bool {
        match (self, read) {
            (Place::Path(changed), Place::Path(read) | Place::Elements(read)) => {
                let ends = read.match_indices(['.', '-']).map(|(end, _)| end).chain([read.len()]);
                ends.map(|end| &read[..end]).any(|part| changed == part || is_same_member(changed, part))
            }
            (Place::Elements(changed), Place::Elements(read)) => {
                changed == read || is_same_member(changed, read)
            }
            // A member of an element, `a[i].n`, has no name here: it is one of the elements, of which `a->n` is the first.
            (Place::Elements(changed), Place::Path(read)) => {
                read.strip_prefix(&**changed).is_some_and(|rest| rest.starts_with("->"))
            }
            (Place::Anything, _) | (_, Place::Anything) => false,
        }
    }
}

/// The name that a path begins with.
pub fn root_of(path: &str) -> &str {
    let end = path.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    &path[..end.unwrap_or(path.len())]
}

/// The names that a path consists of.
pub fn names_of(path: &str) -> impl Iterator<Item = &str> {
    path.split(|character: char| !is_of_name(character)).filter(|name| !name.is_empty())
}

/// The last of them.
pub fn last_name(path: &str) -> &str {
    path.rfind(|character: char| !is_of_name(character)).map_or(path, |before| &path[before + 1..])
}

/// The name of the member that a path ends in, if it is no variable.
pub fn last_member(path: &str) -> Option<&str> {
    path.rfind(['.', '>']).map(|at| &path[at + 1..])
}

/// Whether a character may stand in a name.
pub fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// A path with another expression in the place of its first name; `&s` and `->n` make `s.n`.
pub fn rooted(path: &str, root: &str) -> String {
    let rest = &path[root_of(path).len()..];
    match (root.strip_prefix('&'), rest.strip_prefix("->")) {
        (Some(object), Some(member)) => format!("{object}.{member}"),
        _ => format!("{root}{rest}"),
    }
}

/// Whether a path is another one or begins with it.
pub fn is_prefix(changed: &str, read: &str) -> bool {
    read.strip_prefix(changed).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

/// Members of one name behind pointers may be members of one structure.
pub fn is_same_member(changed: &str, read: &str) -> bool {
    member_of(changed).zip(member_of(read)).is_some_and(|(own, its)| own == its) && !are_apart(changed, read)
}

/// The member that a path behind a pointer ends in. A structure within another may be reached by a pointer of its own, so the members
/// around it do not matter.
pub fn member_of(path: &str) -> Option<&str> {
    if path.contains('>') { last_member(path) } else { None }
}

/// Whether two paths go to different members of the same structure: `p->first.n` and `p->second.n`.
pub fn are_apart(one: &str, other: &str) -> bool {
    let same = one.bytes().zip(other.bytes()).take_while(|(own, its)| own == its).count();
    let Some(begin) = one[..same].rfind(['.', '>']).map(|at| at + 1) else { return false };
    let member = |path: &str| path[begin..].find(['.', '-']).map_or(path.len(), |end| begin + end);
    one[begin..member(one)] != other[begin..member(other)]
        && !one.starts_with(ANY)
        && [one, other].iter().all(|path| !path[begin..].contains('>'))
}

/// What an expression stands for, if it is a place.
pub fn place_of(expression: &Node<Expression>) -> Option<Place> {
    match &expression.node {
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            let array = place_of(&binary.node.lhs)?;
            match array {
                Place::Path(path) | Place::Elements(path) => Some(Place::Elements(path)),
                Place::Anything => None,
            }
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
            match moved_pointer(&unary.node.operand) {
                Some(path) => Some(Place::Elements(path)),
                None => Some(Place::Anything),
            }
        }
        Expression::Member(member) => match path_of(expression) {
            Some(path) => Some(Place::Path(path)),
            None => member_of_unnamed(&member.node),
        },
        Expression::Cast(cast) => place_of(&cast.node.expression),
        _ => path_of(expression).map(Place::Path),
    }
}

/// The pointer that has no name: a path that begins with it stands for all members of that name behind pointers.
pub const ANY: &str = "*";

/// The path of a member behind any pointer.
pub fn behind_any(member: &str) -> String {
    format!("{ANY}->{member}")
}

/// A member of what has no name.
fn member_of_unnamed(member: &MemberExpression) -> Option<Place> {
    let name = &member.identifier.node.name;
    let behind_any_pointer = || Some(Place::Path(behind_any(name)));
    match (&member.operator.node, place_of(&member.expression)) {
        (MemberOperator::Indirect, _) => behind_any_pointer(),
        (MemberOperator::Direct, Some(Place::Elements(path))) => Some(Place::Elements(path)),
        (MemberOperator::Direct, Some(Place::Path(path))) => Some(Place::Path(format!("{path}.{name}"))),
        (MemberOperator::Direct, _) => behind_any_pointer(),
    }
}

/// The same by the name of a member alone, where the structure has none: `a[i].n` is `n` behind any pointer, too.
pub fn behind_any_pointer(expression: &Node<Expression>) -> Option<Place> {
    let elements = |of: &Node<Expression>| match behind_any_pointer(of)? {
        Place::Path(path) | Place::Elements(path) => Some(Place::Elements(path)),
        Place::Anything => None,
    };
    match &expression.node {
        Expression::Member(member) if path_of(expression).is_none() => {
            Some(Place::Path(behind_any(&member.node.identifier.node.name)))
        }
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            elements(&binary.node.lhs)
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
            elements(unmoved(&unary.node.operand))
        }
        Expression::Cast(cast) => behind_any_pointer(&cast.node.expression),
        _ => None,
    }
}

/// The pointer in `p`, `p++` and `p + k`.
fn moved_pointer(expression: &Node<Expression>) -> Option<String> {
    path_of(unmoved(expression))
}

fn unmoved(expression: &Node<Expression>) -> &Node<Expression> {
    use BinaryOperator as B;
    use UnaryOperator as U;
    match &expression.node {
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement => &unary.node.operand,
            _ => expression,
        },
        Expression::BinaryOperator(binary) => match binary.node.operator.node {
            B::Plus | B::Minus | B::AssignPlus | B::AssignMinus => unmoved(&binary.node.lhs),
            _ => expression,
        },
        _ => expression,
    }
}

pub fn is_assignment(operator: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}

/// A variable or member by its name.
pub fn path_of(expression: &Node<Expression>) -> Option<String> {
    path_of_expression(&expression.node)
}

/// The same without its place in the text.
pub fn path_of_expression(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Identifier(name) => Some(name.node.name.clone()),
        Expression::Member(member) => {
            let operator = &member.node.operator.node;
            let name = &member.node.identifier.node.name;
            let (base, arrow) = match &member.node.expression.node {
                // What the pointer in `(*p)->n` points to has no name.
                Expression::UnaryOperator(unary)
                    if unary.node.operator.node == UnaryOperator::Indirection
                        && *operator == MemberOperator::Direct =>
                {
                    (path_of(&unary.node.operand)?, true)
                }
                Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
                    (path_of(&unary.node.operand)?, false)
                }
                _ => (path_of(&member.node.expression)?, *operator == MemberOperator::Indirect),
            };
            Some(format!("{base}{}{name}", if arrow { "->" } else { "." }))
        }
        Expression::Cast(cast) => path_of(&cast.node.expression),
        _ => None,
    }
}
