/// For each code of a message what it means, with an example and a cure, as Markdown.
pub fn explanations() -> &'static [(&'static str, &'static str)] {
    macro_rules! table {
        ($($code:literal)*) => {
            &[$(($code, include_str!(concat!("../explanations/", $code, ".md")))),*]
        };
    }
    table! {
        "changed-variable"
    }
}
