//! Whatever the file, the translation changes the directives and nothing else.

use call_compiler::{TranslationRequest, translate};
use proptest::prelude::*;

const HEAD: &str = "void work(int n);\nint main(void)\n{\n    int N = 3;\n";
const TAIL: &str = "#pragma cll report all\n    return N;\n}";

/// A block of an experiment with odd layout, and the number of its physical lines.
fn block() -> impl Strategy<Value = String> {
    let noise = prop::sample::select(vec![
        "    work(N);\n",
        "    N++; /* #pragma cll end f */\n",
        "\n",
        "\t\"#pragma cll end f\";\n",
        "    // é \u{1F600}\n",
        "    work(N);\r\n",
        "#pragma omp nothing\n",
        "#define WORK work(N)\n",
    ]);
    let begin = prop::sample::select(vec![
        "#pragma cll f f[0] + f[1]*N\n",
        "  #  pragma   cll f f[0] + f[1]*N  \n",
        "#pragma cll f f[0] + f[1]*N // why\n",
        "#pragma cll f f[0] /* one */ + f[1]*N\r\n",
        "#pragma cll sync f\n",
        "#pragma cll f f[0] + \\\n    f[1]*N\n",
    ]);
    (begin, prop::collection::vec(noise, 0..6))
        .prop_map(|(begin, lines)| format!("{begin}{}#pragma cll end f\n", lines.concat()))
}

proptest! {
    #[test]
    fn dropping_the_edits_gives_the_source_back(blocks in prop::collection::vec(block(), 0..5), last_line_end in any::<bool>()) {
        let source = format!("{HEAD}#pragma cll f f[0] + f[1]*N\n#pragma cll end f\n{}{TAIL}{}", blocks.concat(), if last_line_end { "\n" } else { "" });
        let source = source.as_bytes();
        // The preprocessor joins continued lines; the translator only needs the pragma on its first line.
        let preprocessed = [b"# 1 \"x.c\"\n", source].concat();
        let translation = translate(&TranslationRequest::new("x.c", source, &preprocessed)).result.unwrap();

        let body = translation.c.strip_prefix(b"#include \"x.call.h\"\n#line 1 \"x.c\"\n").unwrap();
        let mut back = Vec::new();
        let (mut at, mut original) = (0, 0);
        for edit in &translation.edits {
            let kept = edit.span.start - original;
            back.extend_from_slice(&body[at..at + kept]);
            at += kept;
            prop_assert_eq!(&body[at..at + edit.replacement.len()], edit.replacement.as_bytes());
            at += edit.replacement.len();
            back.extend_from_slice(&source[edit.span.start..edit.span.end]);
            original = edit.span.end;
        }
        back.extend_from_slice(&body[at..]);
        prop_assert_eq!(&back[..], source);

        // Line for line: what is no part of a directive is the same, and no line moves.
        let lines = |text: &[u8]| text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (before, after) = (lines(source), lines(body));
        prop_assert_eq!(before.len(), after.len());
        let mut continued = false;
        for (old, new) in before.iter().zip(&after) {
            let text = String::from_utf8_lossy(old);
            let directive = continued || text.split_whitespace().collect::<String>().starts_with("#pragmacll");
            if !directive {
                prop_assert_eq!(old, new);
            }
            continued = directive && text.trim_end().ends_with('\\');
        }
    }

    #[test]
    fn any_bytes_give_a_translation_or_messages(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = [&b"#pragma cll "[..], &bytes].concat();
        let preprocessed = [b"# 1 \"x.c\"\n", &source[..]].concat();
        let request = TranslationRequest::new("x.c", &source, &preprocessed);
        let outcome = translate(&request);
        if let Err(diagnostics) = outcome.result {
            for diagnostic in diagnostics {
                prop_assert!(!call_compiler::render(&diagnostic, &outcome.sources, false).is_empty());
            }
        }
    }
}
