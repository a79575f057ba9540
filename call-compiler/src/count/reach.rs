//! Which elements of arrays the iterations of loops reach.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use call_counting::{Atom, Polynomial};
use lang_c::ast::Expression;
use lang_c::span::Node;

use super::element::{Route, Selector};
use super::place::{is_prefix, path_of};
use super::shapes::{Shapes, inside, is_pointer};
use super::value::Value;
use super::work::AccessStride;
use crate::c::shape::{ArrayExtent, ObjectShape, constant};

/// A loop around statements.
pub struct IterationLoop {
    pub offset: usize,
    /// Its variable with the step, if it has one.
    pub variable: Option<(String, i64)>,
    /// What else its statements give new values.
    pub changed: Vec<String>,
    /// What each iteration has of its own.
    pub declared: BTreeSet<String>,
    /// The variables that it begins with, and the values that they have there.
    pub begins: Vec<(String, Value)>,
    /// The innermost loop around it in which it may have more iterations now than then.
    pub uneven_in: Option<usize>,
}

/// A step on the way to an element.
struct RouteStep {
    value: Value,
    /// From one value to the next.
    step: AccessStride,
    /// The size of what the step counts, where a member of it follows: that may be unknown.
    unit_bytes: Option<Option<u32>>,
}

impl RouteStep {
    /// An array of structures is gone through in steps of elements of a member.
    fn count_in(&mut self, bytes: Option<u32>) {
        let Some(unit_bytes) = self.unit_bytes else { return };
        let ratio = unit_bytes.zip(bytes).filter(|(unit, own)| *own > 0 && unit % own == 0);
        self.step = match (&self.step, ratio) {
            (AccessStride::Elements(step), Some((unit, own))) => {
                AccessStride::Elements(step * &Polynomial::from(i64::from(unit / own)))
            }
            (AccessStride::Elements(_), None) => AccessStride::Unknown,
            (other, _) => other.clone(),
        };
    }
}

/// The elements that an access reaches.
#[derive(Clone)]
pub struct ReachedElements {
    /// The array, as C names it.
    pub array: String,
    /// Size of an element.
    pub bytes: Option<u32>,
    /// From one iteration of each loop around to the next, the outermost first.
    pub strides: Vec<AccessStride>,
    /// Whether one subscript says which element it is.
    pub has_one_subscript: bool,
    /// How many elements the array has, where that is a number.
    pub array_elements: Option<i64>,
    /// Whether each run of the loops around reaches the same elements of the array.
    pub is_repeated: bool,
}

impl IterationLoop {
    /// Whether it moves a pointer.
    pub fn moves(&self, pointer: &str) -> bool {
        let variable = self.variable.as_ref().map(|(name, _)| name);
        self.changed.iter().chain(variable).any(|changed| is_prefix(changed, pointer))
    }

    /// Whether something has the same value in all of its iterations, as far as it is told by names.
    fn keeps(&self, value: &Value) -> bool {
        let is_kept = |atom: &Atom| match atom {
            Atom::Name(name) => !self.moves(name),
            Atom::Element { .. } => false,
            _ => true,
        };
        value.as_ref().is_ok_and(|value| value.atoms().into_iter().all(is_kept))
    }
}

impl ReachedElements {
    /// The elements behind a route. Members of an element, and elements of those that numbers name, belong to it. `value` tells values of
    /// subscripts, `text` is how C writes what has no name.
    pub fn of<'p>(
        route: &Route<'p>,
        shapes: &Shapes,
        loops: &[IterationLoop],
        value: &mut dyn FnMut(&'p Node<Expression>) -> Value,
        text: impl FnOnce(&Node<Expression>) -> String,
    ) -> ReachedElements {
        let path = path_of(route.base);
        let mut array = path.clone().unwrap_or_else(|| text(route.base));
        let mut shape = shapes.of(route.base);
        let mut positions: Vec<RouteStep> = Vec::new();
        for segment in route.links[..located(route, shapes)].split_inclusive(Selector::is_member) {
            for (at, link) in segment.iter().enumerate() {
                let value = match link {
                    Selector::Member(name) => {
                        let bytes = shape.as_ref().and_then(|its| shapes.bytes(its));
                        positions.iter_mut().for_each(|its| its.unit_bytes = its.unit_bytes.or(Some(bytes)));
                        _ = write!(array, "{}.{name}", "[]".repeat(at));
                        shape = followed(shape, link, shapes);
                        continue;
                    }
                    Selector::Subscript(index) => value(index),
                    Selector::First => Ok(Polynomial::default()),
                };
                // What a pointer points to is not in line with what comes before.
                if shape.as_ref().is_some_and(is_pointer) {
                    positions.iter_mut().for_each(|its| its.step = AccessStride::Row);
                }
                let further = segment[at + 1..].iter().filter(|link| !link.is_member()).count();
                let step = step(shape.as_ref(), further);
                shape = followed(shape, link, shapes);
                positions.push(RouteStep { value, step, unit_bytes: None });
            }
        }
        let bytes = shape.and_then(|its| shapes.bytes(&its));
        let is_plain = !route.links.iter().any(Selector::is_member);
        let base = shapes.of(route.base).filter(|_| is_plain && path.is_some());
        let array_elements = base.and_then(|its| elements(its.extents.get(..positions.len())?));
        positions.iter_mut().for_each(|its| its.count_in(bytes));
        let stride = |depth| match &path {
            Some(path) => stride(path, &positions, route.moves, &loops[depth..]),
            None => AccessStride::Unknown,
        };
        let strides = (0..loops.len()).map(stride).collect();
        let is_repeated = !route.moves && positions.iter().all(|its| begins_at_a_number(&its.value, loops));
        ReachedElements {
            array,
            bytes,
            strides,
            has_one_subscript: positions.len() == 1,
            array_elements,
            is_repeated,
        }
    }
}

/// How many links say which element it is; the others are inside of that.
fn located(route: &Route, shapes: &Shapes) -> usize {
    let mut end = route.links.iter().take_while(|link| !link.is_member()).count();
    let mut shape = shapes.of(route.base);
    for (at, link) in route.links.iter().enumerate() {
        let is_moved = matches!(link, Selector::Subscript(index) if constant(index).is_none());
        if is_moved || !link.is_member() && shape.as_ref().is_some_and(is_pointer) {
            end = end.max(at + 1);
        }
        shape = followed(shape, link, shapes);
    }
    end
}

/// What is behind a link.
fn followed(
    shape: Option<ObjectShape<Polynomial>>,
    link: &Selector,
    shapes: &Shapes,
) -> Option<ObjectShape<Polynomial>> {
    match link {
        Selector::Member(name) => shapes.member(&shape?, name),
        Selector::Subscript(_) | Selector::First => inside(shape?),
    }
}

/// How far apart the elements are that the iterations of the first of some loops reach; the others are inside of it.
fn stride(array: &str, positions: &[RouteStep], moves: bool, loops: &[IterationLoop]) -> AccessStride {
    let around = &loops[0];
    let is_innermost = loops.len() == 1;
    if moves && is_innermost {
        return AccessStride::Elements(Polynomial::from(1));
    }
    if moves || changes(loops, array) {
        return AccessStride::Unknown;
    }
    let mut sum = Polynomial::default();
    let mut add = |slope: &Polynomial, step: &AccessStride| match step {
        AccessStride::Elements(length) => {
            sum = &sum + &(slope * length);
            None
        }
        other => Some(other.clone()),
    };
    for (number, RouteStep { value, step, .. }) in positions.iter().enumerate() {
        let Ok(value) = value else { return AccessStride::Irregular };
        let atoms = value.atoms();
        if atoms.iter().any(|atom| matches!(atom, Atom::Element { .. })) {
            return AccessStride::Irregular;
        }
        if atoms.iter().any(|atom| matches!(atom, Atom::Name(name) if changes(loops, name))) {
            return AccessStride::Unknown;
        }
        let Some((variable, by)) = &around.variable else { continue };
        let by = Polynomial::from(*by);
        // The loop may move the pointer itself.
        let of_pointer = (number == 0 && variable == array).then(|| add(&by, step)).flatten();
        let variable = Atom::name(variable);
        let of_value = if value.mentions(&variable) {
            let Some((slope, _)) = value.linear_in(&variable) else { return AccessStride::Unknown };
            add(&(&slope * &by), step)
        } else {
            None
        };
        if let Some(not_a_number) = of_pointer.or(of_value) {
            return not_a_number;
        }
    }
    AccessStride::Elements(sum)
}

/// Whether the first of some loops gives a name, or what the path of a member begins with, new values beside those of the variables of
/// loops.
fn changes(loops: &[IterationLoop], name: &str) -> bool {
    let is_variable = |its: &IterationLoop| its.variable.as_ref().is_some_and(|(own, _)| own == name);
    let around = &loops[0];
    let moves_begin = |(own, _): &(String, i64)| own != name && is_prefix(own, name);
    let begins_anew =
        |its: &IterationLoop| its.begins.iter().any(|(own, value)| own == name && around.keeps(value));
    around.variable.as_ref().is_some_and(moves_begin)
        || around.changed.iter().any(|changed| is_prefix(changed, name))
            && !loops[1..].iter().any(|its| is_variable(its) || begins_anew(its))
}

/// Whether a subscript is a number but for what the loops change.
fn begins_at_a_number(value: &Value, loops: &[IterationLoop]) -> bool {
    let is_of_loops =
        |atom: &Atom| matches!(atom, Atom::Name(name) if loops.iter().any(|its| its.moves(name)));
    value.as_ref().is_ok_and(|value| {
        value.terms().all(|(monomial, _)| {
            monomial.0.is_empty() || Polynomial::from(monomial.clone()).atoms().into_iter().any(is_of_loops)
        })
    })
}

/// How many elements there are behind some subscripts.
fn elements(extents: &[ArrayExtent<Polynomial>]) -> Option<i64> {
    extents.iter().try_fold(1_i64, |product, extent| match extent {
        ArrayExtent::Array(Some(length)) => product.checked_mul(length.integer()?),
        _ => None,
    })
}

/// How far one step of a subscript is, if so many subscripts follow it.
fn step(shape: Option<&ObjectShape<Polynomial>>, further: usize) -> AccessStride {
    let extents = match further {
        0 => Some(&[][..]),
        _ => shape.and_then(|its| its.extents.get(1..1 + further)),
    };
    let product = extents.and_then(|all| {
        all.iter().try_fold(Polynomial::from(1), |product, extent| match extent {
            ArrayExtent::Array(Some(length)) => Some(&product * length),
            _ => None,
        })
    });
    product.map_or(AccessStride::Row, AccessStride::Elements)
}
