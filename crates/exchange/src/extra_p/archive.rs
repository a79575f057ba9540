//! Experiments that Extra-P 4 saved: an archive with what is measured as JSON, and with the values of repetitions if they were kept. Its
//! models are passed over.

use crate::bytes::Bytes;
use crate::json::Json;
use crate::packed::Packed;
use crate::{Error, FileFormat, Imported, ReadOptions};

const EXPERIMENT: &str = "experiment.json";

/// Whether an archive holds an experiment.
pub(crate) fn is_experiment(packed: &Packed) -> bool {
    packed.has(EXPERIMENT)
}

/// Reads what was measured.
pub(crate) fn read(path_name: &str, mut packed: Packed, options: &ReadOptions) -> Result<Imported, Error> {
    let json = Json::read(&packed.entry(EXPERIMENT)?).map_err(|error| error.inside(EXPERIMENT))?;
    if !super::json::is_input(&json) {
        let keys = if let Json::Object(entries) = &json { entries.as_slice() } else { &[] };
        return Err(Error::UnknownJson {
            keys: keys.iter().map(|(key, _)| call_grammar::excerpt(key)).collect(),
        });
    }
    let mut chunk = Chunk::default();
    let mut arrays = |number: f64, index: f64| {
        if chunk.number != Some(number) {
            chunk = Chunk::of(&mut packed, number)?;
        }
        chunk.array(index)
    };
    let metrics = super::json::metrics_of(&json, &mut arrays)?;
    if metrics.is_empty() {
        return Err(Error::NoResults { list: "measurements" });
    }
    metrics.import(FileFormat::ExtraPArchive, path_name, options)
}

/// Arrays that stand one behind another, and where each begins.
#[derive(Default)]
struct Chunk {
    number: Option<f64>,
    values_name: String,
    values: Vec<u8>,
    index: Vec<u8>,
}

const MAGIC_BYTES: usize = 16;

impl Chunk {
    fn of(packed: &mut Packed, number: f64) -> Result<Chunk, Error> {
        let values_name = format!("values/{number}.vals");
        let index_name = format!("values/{number}.indx");
        let (values, index) = (packed.entry(&values_name)?, packed.entry(&index_name)?);
        for (name, bytes, magic) in
            [(&values_name, &values, b"Extra-P VALUES\0\0"), (&index_name, &index, b"Extra-P INDEX\0\0\0")]
        {
            if !bytes.starts_with(magic) {
                return Err(Bytes::new(bytes).error("no values of Extra-P begin here").inside(name));
            }
        }
        Ok(Chunk { number: Some(number), values_name, values, index })
    }

    /// The dimensions and values of an array.
    fn array(&self, index: f64) -> Result<(Vec<usize>, Vec<f64>), Error> {
        let mut places = Bytes::new(&self.index);
        // Behind the magic stands the number of places.
        let array = || -> Result<(Vec<usize>, Vec<f64>), Error> {
            let at = (index.max(0.0) as usize).saturating_add(1).saturating_mul(8);
            places.take(at.saturating_add(MAGIC_BYTES))?;
            let start = usize::try_from(places.u64()?).unwrap_or(usize::MAX);
            let mut values = Bytes::new(&self.values);
            values.take(start)?;
            numpy(&mut values)
        };
        let mut array = array;
        array().map_err(|error| error.inside(&self.values_name))
    }
}

/// An array as NumPy writes it: a header that says type and dimensions, and numbers.
fn numpy(bytes: &mut Bytes) -> Result<(Vec<usize>, Vec<f64>), Error> {
    if bytes.take(6)? != b"\x93NUMPY" {
        return Err(bytes.error("no array begins here"));
    }
    let version = bytes.u16()? & 0xff;
    let length = if version == 1 { usize::from(bytes.u16()?) } else { bytes.u32()? as usize };
    let header = String::from_utf8_lossy(bytes.take(length)?).into_owned();
    let value = |key: &str| {
        let behind = header.split_once(&format!("'{key}':"))?.1.trim_start();
        Some(match behind.strip_prefix('(') {
            Some(inside) => inside.split(')').next().unwrap_or_default(),
            None => behind.split([',', '}']).next().unwrap_or_default().trim().trim_matches('\''),
        })
    };
    let dimensions: Option<Vec<usize>> = value("shape").and_then(|shape| {
        shape
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok())
            .collect()
    });
    let is_by_rows = value("fortran_order") == Some("False");
    let dimensions = dimensions.filter(|dimensions| is_by_rows || dimensions.len() < 2);
    let dimensions = dimensions.ok_or_else(|| bytes.error("an array whose dimensions are not known"))?;
    let count = dimensions.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let count = count.filter(|count| *count <= bytes.rest().len());
    let count = count.ok_or_else(|| bytes.error("an array larger than the file"))?;
    let kind = value("descr").unwrap_or_default().to_owned();
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(match kind.as_str() {
            "<f8" => bytes.f64()?,
            "<f4" => f64::from(f32::from_bits(bytes.u32()?)),
            "<i8" => bytes.i64()? as f64,
            "<i4" => f64::from(bytes.u32()?.cast_signed()),
            "<u8" => bytes.u64()? as f64,
            _ => return Err(bytes.error(format!("an array of `{}`", call_grammar::excerpt(&kind)))),
        });
    }
    Ok((dimensions, values))
}
