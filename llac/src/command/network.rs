//! `g=… L=… relation=…`: a network, as words say it.

use call_bsp::obsp::InOut;

use super::points::number;
use crate::Error;
use crate::words::Word;

/// The value of `g=VALUE` or `L=VALUE`.
pub fn cost(word: &Word, text: &str) -> Result<f64, Error> {
    number(text).filter(|value| *value >= 0.0).ok_or_else(|| {
        Error::at(word.span.clone(), format!("`{text}` is no cost"))
            .help("g is in seconds a byte, L in seconds: `g=1e-9 L=2e-6`")
    })
}

/// The value of `relation=VALUE`.
pub fn relation(word: &Word, text: &str) -> Result<InOut, Error> {
    match text {
        "max" => Ok(InOut::Maximum),
        "sum" => Ok(InOut::Sum),
        _ => Err(Error::at(word.span.clone(), format!("there is no h-relation `{text}`"))
            .help("`relation=max` or `relation=sum` of bytes in and out")),
    }
}
