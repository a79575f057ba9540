//! Canonical formulas: what is accepted, how it prints, what it is worth, and what is refused where.

use call_grammar::{Formula, Notation};

fn accepted(text: &str, printed: &str) {
    let formula = Formula::parse("f", text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    assert_eq!(formula.to_string(), printed, "{text}");
    let again = Formula::parse("f", printed).unwrap();
    assert_eq!(again.to_string(), printed);
    assert_eq!(again.terms(), formula.terms(), "{text} and {printed} differ");
}

/// The message and the text under its span.
fn refused(text: &str, message: &str, place: &str) {
    let errors = Formula::parse("f", text).expect_err(text);
    let first = errors[0].diagnostic();
    assert_eq!(first.message, message, "{text}");
    assert_eq!(&text[first.span.start..first.span.end], place, "{text}");
}

#[test]
fn canonical_formulas_print_alike() {
    accepted("f[0]", "f[0]");
    accepted(
        "f[0]+f[1]*log(P)+ \\\n f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P",
        "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P",
    );
    accepted("N*f[0]/P", "f[0]*N/P");
    accepted("f[0]/N", "f[0]/N");
    accepted("1/N*f[0]", "f[0]/N");
    accepted("-f[0]*N - (f[1] - f[2]*N*N)", "-f[0]*N - f[1] + f[2]*N*N");
    accepted("f[1]*-N", "-f[1]*N");
    accepted("- -f[0]", "f[0]");
    accepted("(((f[0])))", "f[0]");
    accepted("f[0]*2*(N*M)*pow(N, 1.5)", "f[0]*2*(N*M)*pow(N, 1.5)");
    accepted("f[7]*m->rows*log( a [ i+1 ].n )", "f[7]*m->rows*log(a[i+1].n)");
    accepted("f[0]*f", "f[0]*f");
    accepted("f[0]*1e-9*N+f[1]*2.5e20", "f[0]*1e-9*N + f[1]*2.5e20");
    accepted("f[0]*(N-(M-K))*(-N)", "f[0]*(N - (M - K))*(-N)");
    accepted("f[0] /* setup */ + f[1]*N // rest", "f[0] + f[1]*N");
}

#[test]
fn every_refusal_points_at_its_cause() {
    refused("N", "this term has no constant", "N");
    refused("f[0]+2*N", "this term has no constant", "2*N");
    refused("f[0]*f[1]*N", "two constants in one term", "f[1]");
    refused("f[0]*(1+f[1])*N", "two constants in one term", "f[1]");
    refused("f[0]+f[0]*N", "this constant stands in two terms", "f[0]");
    refused("f[0]*N + N*(f[1]+N)", "a constant cannot stand in a sum that is multiplied", "(f[1]+N)");
    refused("log(f[0]*N)", "a constant cannot stand inside `log`", "f[0]");
    refused("N/f[0]", "a constant cannot stand in a denominator", "f[0]");
    refused("N/(f[0]*M)", "a constant cannot stand in a denominator", "f[0]");
    refused("g[0]*N", "this term has no constant", "g[0]*N");
    refused("f[0]+", "the formula ends where an operand is expected", "+");
    refused("", "the formula ends where an operand is expected", "");
    refused("f[0]*N^2", "expected an operator, found `^`", "^");
    refused("f[0] N", "expected an operator, found `N`", "N");
    refused("f[0]*(N", "expected `)`", "N");
    refused("f[0]*lg(N)", "formulas know no function `lg`", "lg");
    refused("f[0]*pow(N)", "`pow` takes 2 arguments, 1 given", "pow(N)");
    refused("f[x]", "the index of a constant is a whole number from 0 to 65535", "x");
    refused("f[0.5]", "the index of a constant is a whole number from 0 to 65535", "0.5");
    refused("f[70000]", "the index of a constant is a whole number from 0 to 65535", "70000");
    refused("f[0]*a[f[1]]", "a constant cannot stand in the index of a variable", "f[1]");
    refused("f[0]*é", "the name `é` has letters that are not of ASCII", "é");
    refused("f[0]*größe + f[1]", "the name `größe` has letters that are not of ASCII", "größe");
    refused("f[0]*n²", "unexpected character `²`", "²");
    refused("f[0]*(*p)", "expected an operand, found `*`", "*");
    refused("f[0]*1x", "`1x` is not a number", "1x");
    refused("f[0]*m->", "expected a name, found `>`", ">");
    refused("f[0]*sizeof(N)", "formulas know no function `sizeof`", "sizeof");
}

#[test]
fn all_errors_of_a_formula_come_at_once() {
    let errors = Formula::parse("f", "N + f[0]*f[1] + M/f[2] + log(f[3])").unwrap_err();
    assert_eq!(errors.len(), 4, "{errors:?}");
}

#[test]
fn nesting_is_bounded_and_length_is_not() {
    let deep = format!("f[0]*{}N{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
    refused_deep(&deep);
    let minus = format!("f[0]*{}N", "- ".repeat(1_000_000));
    assert!(Formula::parse("f", &minus).is_ok());
    let long: Vec<String> = (0..20_000).map(|k| format!("f[{k}]*N")).collect();
    let formula = Formula::parse("f", &long.join("+")).unwrap();
    assert_eq!(formula.terms().len(), 20_000);
    assert!(formula.to_string().ends_with("+ f[19999]*N"));
}

fn refused_deep(text: &str) {
    let errors = Formula::parse("f", text).unwrap_err();
    assert!(errors[0].to_string().contains("more than 200 levels deep"), "{errors:?}");
}

#[test]
fn values_are_those_of_real_arithmetic() {
    let formula =
        Formula::parse("f", "f[0]*(7/2) + f[1]*N/P*log2(N) - f[2]*fmod(N, 7) + f[3]*min(N, P)").unwrap();
    let names: Vec<&str> = formula.variables().iter().map(|variable| variable.name()).collect();
    assert_eq!(names, ["N", "P"]);
    let values: Vec<f64> = formula.terms().iter().map(|term| term.basis.evaluate(&[1024.0, 3.0])).collect();
    assert_eq!(values, [3.5, 1024.0 / 3.0 * 10.0, -2.0, 3.0]);
    let singular = Formula::parse("f", "f[0]*log(N)").unwrap();
    assert_eq!(singular.terms()[0].basis.evaluate(&[0.0]), f64::NEG_INFINITY);
}

#[test]
fn roots_of_variables() {
    let formula = Formula::parse("f", "f[0]*m->rows*a[i].n*s.t*N").unwrap();
    let roots: Vec<&str> = formula.variables().iter().map(|variable| variable.root()).collect();
    assert_eq!(roots, ["m", "a", "s", "N"]);
}

mod properties {
    use call_grammar::Formula;
    use proptest::prelude::*;

    fn expression() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("N".to_owned()),
            Just("P".to_owned()),
            Just("m->rows".to_owned()),
            (1u32..1000).prop_map(|n| n.to_string()),
            (1u32..1000).prop_map(|n| format!("{}", f64::from(n) / 64.0)),
        ];
        leaf.prop_recursive(4, 32, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]))
                    .prop_map(|(a, b, operator)| format!("({a} {operator} {b})")),
                inner.clone().prop_map(|a| format!("log({a})")),
                inner.clone().prop_map(|a| format!("(-{a})")),
                (inner.clone(), inner).prop_map(|(a, b)| format!("max({a}, {b})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(bases in prop::collection::vec(expression(), 1..5), sign in any::<bool>()) {
            let operator = if sign { " + " } else { " - " };
            let terms: Vec<String> = bases.iter().enumerate().map(|(k, basis)| format!("f[{k}]*{basis}")).collect();
            let formula = Formula::parse("f", &terms.join(operator)).unwrap();
            let printed = formula.to_string();
            let again = Formula::parse("f", &printed).unwrap();
            prop_assert_eq!(again.terms(), formula.terms(), "{}", printed);
            prop_assert_eq!(again.to_string(), printed);
        }

        #[test]
        fn any_text_gives_a_formula_or_errors_inside_it(text in "\\PC{0,40}") {
            if let Err(errors) = Formula::parse("f", &text) {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    let span = error.span();
                    prop_assert!(span.start <= span.end && span.end <= text.len(), "{error:?}");
                }
            }
        }

        #[test]
        fn formula_like_text_never_panics(text in "[f\\[\\]0-9+*/(), NPlog.eE>-]{0,60}") {
            let _ = Formula::parse("f", &text);
        }
    }
}

fn check_in(notation: Notation, text: &str, expected: &str) {
    let formula =
        Formula::parse_in(notation, "k", text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    assert_eq!(formula.to_string(), expected, "{text}");
    let again = Formula::parse("k", expected).unwrap_or_else(|errors| panic!("{expected}: {errors:?}"));
    assert_eq!(again.to_string(), expected);
}

#[test]
fn powers_and_other_names_of_functions_become_calls() {
    let check = |text: &str, expected: &str| check_in(Notation::Powers, text, expected);
    check("k[0] + k[1]*N^2", "k[0] + k[1]*pow(N, 2)");
    check("k[0]*(N+1)**-0.5", "k[0]*pow(N + 1, -0.5)");
    check("k[0]*N^2^3", "k[0]*pow(N, pow(2, 3))");
    check("k[0]*-N^2", "-k[0]*pow(N, 2)");
    check("k[0]*ln(N)*LOG(P)/SQRT(2)*ld(N)*Power(N, 3)", "k[0]*log(N)*log(P)/sqrt(2)*log2(N)*pow(N, 3)");
    check("k[0]*(a-(b-c)) - (k[1] - k[2]*m->rows*x[i+1])", "k[0]*(a - (b - c)) - k[1] + k[2]*m->rows*x[i+1]");
    for text in ["", "k[0]*", "k[0]*N^", "k[0] N", "k[0]* *N", "k[0]*f(N)", "k[0]^2", "k[0]*N = 1"] {
        assert!(Formula::parse_in(Notation::Powers, "k", text).is_err(), "{text}");
    }
    for text in ["k[0]*N^2", "k[0]*N**2", "k[0]*ln(N)", "k[0]*LOG(N)"] {
        assert!(Formula::parse("k", text).is_err(), "{text} is no C");
    }
    assert!(Formula::parse_in(Notation::Powers, "k", &"2^".repeat(1_000_000)).is_err());
}

#[test]
fn operators_may_stand_behind_their_operands() {
    let check = |text: &str, expected: &str| check_in(Notation::Postfix, text, expected);
    check("k[0] k[1] N * +", "k[0] + k[1]*N");
    check("k[0] N 1 - 2 ^ * P log *", "k[0]*pow(N - 1, 2)*log(P)");
    check("k[0] N 2 ** * k[1] a b - / -", "k[0]*pow(N, 2) - k[1]/(a - b)");
    check("k[0] N -1 ^ * k[1] NEG + k[2] ~ +", "k[0]*pow(N, -1) - k[1] - k[2]");
    check("k[0] m->rows *", "k[0]*m->rows");
    for text in ["", "+", "k[0] b", "k[0] +", "k[0] b c +", "k[0] log", "k[0] ] +", "k[0] N max *"] {
        assert!(Formula::parse_in(Notation::Postfix, "k", text).is_err(), "{text}");
    }
    let deep = format!("k[0] {} {}", "2 ".repeat(100_000), "^ ".repeat(100_000));
    assert!(Formula::parse_in(Notation::Postfix, "k", &deep).is_err());
    let long = format!("k[0] {}", "2 * ".repeat(100_000));
    assert!(Formula::parse_in(Notation::Postfix, "k", &long).is_err());
}

#[test]
fn other_spellings_of_a_formula_have_one_order() {
    let ordered = |text: &str| Formula::parse("f", text).unwrap().in_order().to_string();
    for (one, other) in [
        ("f[0] + f[1]*N*log(N)", "f[1]*(log(N)*N) + f[0]*1"),
        ("f[1]*N/P", "f[1]*N*1/P"),
        ("f[1]*N/P", "f[1]*N*(1/P)"),
        ("f[1]*N/(P/M)", "f[1]*M*N/P"),
        ("f[1]*(N - P + 2)", "f[1]*(2 - (P - N))"),
        ("-f[1]*N*P", "f[1]*P*-N"),
        ("f[0]/N", "1/N*f[0]"),
    ] {
        assert_eq!(ordered(one), ordered(other));
        assert_eq!(ordered(&ordered(one)), ordered(one));
    }
    for (one, other) in [
        ("f[0] + f[1]*N", "f[1] + f[0]*N"),
        ("f[0]*N/P", "f[0]*P/N"),
        ("f[0]*(N - P)", "f[0]*(P - N)"),
        ("f[0]*N*log(N)", "f[0]*N*log2(N)"),
        ("f[0]*2*N", "f[0]*N"),
    ] {
        assert_ne!(ordered(one), ordered(other));
    }
    assert_eq!(ordered("f[1]*log(n)*n/P + f[0]"), "f[0] + f[1]*n*log(n)/P");
    // The values stay the same.
    let formula = Formula::parse("f", "f[0]*M/(N/P)*-(N - M)*3").unwrap();
    let value = |of: &Formula| of.terms()[0].basis.evaluate(&[2.0, 5.0, 10.0]);
    assert_eq!(value(&formula), value(&formula.in_order()));
}

#[test]
fn variables_get_other_names() {
    let formula = Formula::parse("f", "f[0]*NCPUS + f[1]*P*log(NCPUS) - f[2]*N").unwrap();
    let renamed =
        formula.with_variables(|name| if name == "NCPUS" { "P".to_owned() } else { name.to_owned() });
    assert_eq!(renamed.to_string(), "f[0]*P + f[1]*P*log(P) - f[2]*N");
    let names: Vec<&str> = renamed.variables().iter().map(|variable| variable.name()).collect();
    assert_eq!(names, ["P", "N"]);
    assert_eq!(renamed.terms()[1].basis.evaluate(&[4.0, 7.0]), 4.0 * 4f64.ln());
}

#[test]
fn constants_of_call_paths_have_the_name_of_the_last_call() {
    for name in ["main/solve", "main/solve:visits", "solve"] {
        let formula = Formula::parse(name, "solve[0] + solve[1]*N").unwrap();
        assert_eq!((formula.experiment(), formula.to_string().as_str()), (name, "solve[0] + solve[1]*N"));
        assert!(Formula::parse(name, "main[0]").is_err());
    }
    let renamed = Formula::parse("f", "f[0]").unwrap().renamed("main/f:visits");
    assert_eq!(renamed.to_string(), "f[0]");
}
