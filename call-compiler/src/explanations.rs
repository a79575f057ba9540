/// For each code of a message what it means, with an example and a cure, as Markdown.
pub fn explanations() -> &'static [(&'static str, &'static str)] {
    macro_rules! table {
        ($($code:literal)*) => {
            &[$(($code, include_str!(concat!("../explanations/", $code, ".md")))),*]
        };
    }
    table! {
        "behind-pragma"
        "changed-variable"
        "clause"
        "constant-index"
        "counters"
        "crossing"
        "crossing-blocks"
        "different-formulas"
        "directive-elsewhere"
        "empty-directive"
        "entered-block"
        "formula-syntax"
        "formula-too-deep"
        "hidden-variable"
        "kind-not-supported"
        "left-block"
        "left-unseen"
        "machine"
        "misplaced"
        "misspelt-directive"
        "no-effect"
        "no-report"
        "no-supersteps"
        "not-a-name"
        "not-a-number"
        "not-arithmetic"
        "not-canonical"
        "not-understood"
        "other-variable-at-end"
        "parallel-twice"
        "processor-range"
        "repeated-end"
        "report"
        "sampling-loop"
        "side-effect"
        "sync-without-machine"
        "team"
        "trailing-text"
        "unbalanced"
        "unexpected-character"
        "unknown-experiment"
        "unknown-function"
        "unknown-kind"
        "unknown-variable"
    }
}
