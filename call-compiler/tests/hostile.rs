//! Texts that would like to take the translator down: a translation or messages, quickly.

use call_compiler::{Outcome, TranslationRequest, render, translate};
use proptest::prelude::*;

/// Translates a text that needs no preprocessing, and renders every message.
fn translated(source: &[u8]) -> Outcome {
    let preprocessed = [b"# 1 \"x.c\"\n", source].concat();
    let outcome = translate(&TranslationRequest::new("x.c", source, &preprocessed));
    let messages = match &outcome.result {
        Ok(translation) => &translation.warnings,
        Err(diagnostics) => diagnostics,
    };
    for message in messages {
        assert!(!render(message, &outcome.sources, false).is_empty());
    }
    outcome
}

fn with_statement(statement: &str) -> String {
    format!(
        "int main(void)\n{{\n    int N = 3;\n#pragma cll f f[0]*N\n{statement}\n#pragma cll end f\n#pragma cll report all\n\
         return 0;\n}}\n"
    )
}

#[test]
fn deep_and_long_statements() {
    const MANY: usize = 30_000;
    for statement in [
        format!("N = {}1{};", "(".repeat(MANY), ")".repeat(MANY)),
        format!("{}{}", "{".repeat(MANY), "}".repeat(MANY)),
        format!("N = {}1;", "1+".repeat(5 * MANY)),
        format!("N = {}N;", "(int)".repeat(MANY)),
        format!("N = {}N;", "-~".repeat(MANY)),
        format!("N = {}2;", "N ? 1 : ".repeat(MANY)),
        format!("N = N{};", "[0]".repeat(MANY)),
        format!("int {}p;", "*".repeat(MANY)),
        format!("{}N = 3;", "if (N == 1) N = 2; else\n".repeat(MANY)),
        format!("{}N = 3;", "if (N)\n".repeat(1000)),
        format!("{}for (;;) break;", "++ ".repeat(40)),
        "x".repeat(1 << 20),
        "N = 2;\0\0".to_owned(),
    ] {
        let outcome = translated(with_statement(&statement).as_bytes());
        assert!(outcome.result.is_ok(), "{:.40}", statement);
    }
}

#[test]
fn thousands_of_directives() {
    let functions: Vec<String> = (0..2000)
        .map(|k| {
            format!("void g{k}(int n)\n{{\n#pragma cll e{k} e{k}[0]*n\n    if (n) return;\n    n++;\n#pragma cll end e{k}\n}}\n")
        })
        .collect();
    let outcome = translated(functions.concat().as_bytes());
    assert_eq!(outcome.result.unwrap().findings.experiments.len(), 2000);
    let blocks: String = (0..2000).map(|_| "#pragma cll g g[0]\n    N++;\n#pragma cll end g\n").collect();
    let outcome = translated(with_statement(&blocks).as_bytes());
    assert_eq!(outcome.result.unwrap().findings.experiments[1].places.len(), 2000);
}

/// Pieces of C and of directives in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "#pragma cll f f[0]*n\n",
        "#pragma cll end f\n",
        "#pragma cll g g[0] at end let x = n\n",
        "#pragma cll end g\n",
        "_Pragma(\"cll f f[0]\")",
        "_Pragma(\"cll end f\")",
        "#pragma cll report all\n",
        "#line 7 \"y.c\"\n",
        "#pragma cll for(n = 1; n < 3; n++)\n",
        "#pragma cll end for\n",
        "#pragma omp for\n",
        "int n = 3;",
        "int f(int n)",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ":",
        "?",
        ",",
        "return n;",
        "return",
        "goto l;",
        "l:",
        "case 1:",
        "switch (n)",
        "if (n)",
        "else",
        "for (;;)",
        "while (n)",
        "do",
        "break;",
        "continue;",
        "exit(1);",
        "n++;",
        "struct s { int a; }",
        "enum { A, B }",
        "typedef int t;",
        "t x;",
        "__attribute__((x))",
        "asm (\"nop\")",
        "({",
        "})",
        "&&l",
        "n ?: 1",
        "\"s\\\"",
        "'c'",
        "/* c */",
        "// c\n",
        "\\\n",
        "<%",
        "%>",
        "...",
        "auto",
        "static",
        "extern",
        "int",
        "__auto_type",
        "_BitInt(3)",
        "R\"(x)\"",
        "1'0",
        "0x1p3",
        "\u{e9}",
        "\0",
        "#",
        "##",
        "\n",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_pieces_give_a_translation_or_messages(source in pieces()) {
        translated(source.as_bytes());
        translated(with_statement(&source).as_bytes());
    }

    #[test]
    fn any_preprocessed_text_will_do(source in pieces(), preprocessed in pieces()) {
        translate(&TranslationRequest::new("x.c", source.as_bytes(), preprocessed.as_bytes()));
    }
}
