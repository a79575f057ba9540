//! Any text as a formula, as an expression and as a C file with directives: parsed or refused, and what is parsed prints as itself.

use call_grammar::{Formula, Quantity, Span};

pub fn run(bytes: &[u8]) {
    let (directives, _) = call_grammar::scan(bytes, Span::new(0, bytes.len()));
    for directive in &directives {
        let _ = call_grammar::parse(bytes, directive);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(formula) = Formula::parse("f", text) {
        let printed = formula.to_string();
        let again = Formula::parse("f", &printed).expect("what is printed parses").to_string();
        assert_eq!(printed, again);
        let point = vec![3.0; formula.variables().len()];
        for term in formula.terms() {
            let _ = term.basis.evaluate(&point);
        }
    }
    if let Ok(quantity) = Quantity::parse(text) {
        quantity.evaluate(&vec![2.0; quantity.variables().len()]);
    }
}
