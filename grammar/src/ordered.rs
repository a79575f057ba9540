//! One spelling for expressions that differ in the order of their factors and items alone.

use crate::spelling::Spelling;
use crate::{Expression, Quotient, Sign};

/// An expression with factors and items in one order, without factors of 1, products in products and sums in sums.
pub(crate) fn ordered(expression: &Expression, names: &[String]) -> Expression {
    match expression {
        Expression::Number(_) | Expression::Variable(_) => expression.clone(),
        Expression::Call(function, arguments) => {
            Expression::Call(*function, arguments.iter().map(|argument| ordered(argument, names)).collect())
        }
        Expression::Negate(inside) => ordered(inside, names).negated(),
        Expression::Sum(items) => sum(items, names),
        Expression::Product(items) => product(items, names),
    }
}

fn sum(items: &[(Sign, Expression)], names: &[String]) -> Expression {
    let mut all = Vec::new();
    for (sign, item) in items {
        let (sign, item) = match ordered(item, names) {
            Expression::Negate(inside) => (sign.flipped(), *inside),
            item => (*sign, item),
        };
        match item {
            Expression::Sum(inner) => all.extend(
                inner
                    .into_iter()
                    .map(|(its, item)| if sign == Sign::Plus { (its, item) } else { (its.flipped(), item) }),
            ),
            item => all.push((sign, item)),
        }
    }
    all.sort_by_cached_key(|(sign, item)| (place(item, names), *sign == Sign::Minus));
    Expression::Sum(all)
}

fn product(items: &[(Quotient, Expression)], names: &[String]) -> Expression {
    let mut is_negative = false;
    let mut all = Vec::new();
    for (operator, item) in items {
        let item = match ordered(item, names) {
            Expression::Negate(inside) => {
                is_negative = !is_negative;
                *inside
            }
            item => item,
        };
        match item {
            Expression::Product(inner) => {
                all.extend(inner.into_iter().map(|(its, item)| {
                    (if its == *operator { Quotient::Times } else { Quotient::Over }, item)
                }))
            }
            item => all.push((*operator, item)),
        }
    }
    all.retain(|(_, item)| *item != Expression::Number(1.0));
    all.sort_by_cached_key(|(operator, item)| (*operator == Quotient::Over, place(item, names)));
    if all.first().is_none_or(|(operator, _)| *operator == Quotient::Over) {
        all.insert(0, (Quotient::Times, Expression::Number(1.0)));
    }
    let product = match &all[..] {
        [(_, only)] => only.clone(),
        _ => Expression::Product(all),
    };
    if is_negative { product.negated() } else { product }
}

/// Numbers first and functions last, as people write them.
fn place(expression: &Expression, names: &[String]) -> (u8, String) {
    let kind = match expression {
        Expression::Number(_) => 0,
        Expression::Variable(_) => 1,
        Expression::Negate(_) | Expression::Sum(_) | Expression::Product(_) => 2,
        Expression::Call(..) => 3,
    };
    (kind, Spelling::of_formulas(names).write(expression))
}
