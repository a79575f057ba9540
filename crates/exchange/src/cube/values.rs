//! The values of a metric: an index says which calls have some, the data hold one for each call and location, maybe packed.

use crate::Error;
use crate::bytes::Bytes;
use crate::packed::inflated;

/// The values of a metric as they stand in a file.
pub(super) struct MetricValues {
    /// Places of the calls in the order of the metric.
    pub(super) places: Vec<usize>,
    pub(super) cells: SeverityMatrix,
}

/// One for each call and location.
pub(super) enum SeverityMatrix {
    Whole {
        cells: Vec<i128>,
        is_signed: bool,
    },
    Real(Vec<f64>),
    /// Of which the smallest, or the largest, counts.
    Extreme {
        cells: Vec<f64>,
        is_least: bool,
    },
}

/// By so much of the values themselves their differences are off.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl SeverityMatrix {
    pub(super) fn len(&self) -> usize {
        match self {
            SeverityMatrix::Whole { cells, .. } => cells.len(),
            SeverityMatrix::Real(cells) | SeverityMatrix::Extreme { cells, .. } => cells.len(),
        }
    }

    pub(super) fn number(&self, at: usize) -> f64 {
        match self {
            SeverityMatrix::Whole { cells, .. } => cells[at] as f64,
            SeverityMatrix::Real(cells) | SeverityMatrix::Extreme { cells, .. } => cells[at],
        }
    }

    /// A cell without what others hold of it. What is counted cannot become negative.
    pub(super) fn without(&self, at: usize, others: &[usize]) -> f64 {
        match self {
            SeverityMatrix::Whole { cells, is_signed } => {
                let rest = others.iter().fold(cells[at], |rest, other| {
                    let rest = rest - cells[*other];
                    if *is_signed { rest } else { rest.max(0) }
                });
                rest as f64
            }
            SeverityMatrix::Real(cells) => {
                let rest = others.iter().fold(cells[at], |rest, other| rest - cells[*other]);
                let sizes = others.iter().fold(cells[at].abs(), |sum, other| sum + cells[*other].abs());
                // A call that only calls has nothing of its own, where rounding leaves something, or less.
                if rest.abs() <= ROUNDING * sizes { 0.0 } else { rest }
            }
            // The extreme of a call is not made of those in it.
            SeverityMatrix::Extreme { cells, is_least } => {
                others.iter().fold(cells[at], |best, other| match cells[*other] {
                    0.0 => best,
                    other if *is_least => best.min(other),
                    other => best.max(other),
                })
            }
        }
    }
}

/// Types of values: name, bytes, and what they are.
const TYPES: &[(&str, usize, SeverityType)] = &[
    ("CHAR", 1, SeverityType::Unsigned),
    ("UINT8", 1, SeverityType::Unsigned),
    ("UINT16", 2, SeverityType::Unsigned),
    ("UNSIGNED SHORT INT", 2, SeverityType::Unsigned),
    ("UINT32", 4, SeverityType::Unsigned),
    ("UNSIGNED INT", 4, SeverityType::Unsigned),
    ("UINT64", 8, SeverityType::Unsigned),
    ("UNSIGNED INTEGER", 8, SeverityType::Unsigned),
    ("INT8", 1, SeverityType::Signed),
    ("INT16", 2, SeverityType::Signed),
    ("SHORT INT", 2, SeverityType::Signed),
    ("SIGNED SHORT INT", 2, SeverityType::Signed),
    ("INT", 4, SeverityType::Signed),
    ("INT32", 4, SeverityType::Signed),
    ("SIGNED INT", 4, SeverityType::Signed),
    ("INT64", 8, SeverityType::Signed),
    ("INTEGER", 8, SeverityType::Signed),
    ("SIGNED INTEGER", 8, SeverityType::Signed),
    ("FLOAT", 8, SeverityType::Real),
    ("DOUBLE", 8, SeverityType::Real),
    ("MINDOUBLE", 8, SeverityType::Least),
    ("MAXDOUBLE", 8, SeverityType::Most),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum SeverityType {
    Unsigned,
    Signed,
    Real,
    Least,
    Most,
}

/// Whether values of a type are numbers that can be read.
pub(super) fn is_known(data_type: &str) -> bool {
    TYPES.iter().any(|(name, ..)| *name == data_type)
}

/// Whether the smallest or the largest value of calls counts.
pub(super) fn is_extreme(data_type: &str) -> bool {
    let mut types = TYPES.iter().filter(|(name, ..)| *name == data_type);
    types.any(|(.., kind)| matches!(kind, SeverityType::Least | SeverityType::Most))
}

/// What counters show that a program had not set: Cube itself takes them for 0.
const LARGEST_COUNT: i128 = 0xffff_ffff_ffff_fbff;

/// Reads the index and the data of a metric of so many calls and locations.
pub(super) fn read(
    data_type: &str,
    index: &[u8],
    data: &[u8],
    calls: usize,
    locations: usize,
) -> Result<MetricValues, Error> {
    let mut index = Bytes::new(index);
    if index.take(11)? != b"CUBEX.INDEX" {
        return Err(index.error("no index of a profile begins here"));
    }
    // The number 1, whose order says that of all.
    let is_big_endian = index.u32()? != 1;
    index.is_big_endian(is_big_endian);
    index.take(3)?;
    let count = index.u32()? as usize;
    if count > calls || count == 0 {
        return Err(index.error(format!("values of {count} calls, and there are {calls}")));
    }
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        let place = index.u32()? as usize;
        if place >= calls {
            return Err(index.error(format!("call {place}, and there are {calls}")));
        }
        places.push(place);
    }
    let Some((_, bytes_each, kind)) = TYPES.iter().find(|(name, ..)| *name == data_type) else {
        return Err(index.error(format!("values of type `{}`", call_grammar::excerpt(data_type))));
    };
    let cells = count.checked_mul(locations).filter(|cells| cells.checked_mul(*bytes_each).is_some());
    let cells = cells.ok_or_else(|| index.error("more values than fit into memory"))?;
    let values = unpacked(data, is_big_endian, cells * bytes_each)?;
    if values.len() != cells * bytes_each {
        let (found, wanted) = (values.len(), cells * bytes_each);
        let at = Bytes::new(data);
        return Err(at.error(format!("{found} bytes of values, and {wanted} are wanted")));
    }
    let mut bytes = Bytes::new(&values);
    bytes.is_big_endian(is_big_endian);
    Ok(MetricValues { places, cells: numbers(&mut bytes, *kind, *bytes_each, cells)? })
}

fn numbers(
    bytes: &mut Bytes,
    kind: SeverityType,
    bytes_each: usize,
    count: usize,
) -> Result<SeverityMatrix, Error> {
    let mut whole = Vec::new();
    let mut real = Vec::new();
    for _ in 0..count {
        match kind {
            SeverityType::Real | SeverityType::Least | SeverityType::Most => real.push(bytes.f64()?),
            SeverityType::Unsigned => whole.push(match bytes_each {
                1 => i128::from(bytes.take(1)?[0]),
                2 => i128::from(bytes.u16()?),
                4 => i128::from(bytes.u32()?),
                _ => Some(i128::from(bytes.u64()?)).filter(|value| *value <= LARGEST_COUNT).unwrap_or(0),
            }),
            SeverityType::Signed => whole.push(match bytes_each {
                1 => i128::from(bytes.take(1)?[0].cast_signed()),
                2 => i128::from(bytes.u16()?.cast_signed()),
                4 => i128::from(bytes.u32()?.cast_signed()),
                _ => i128::from(bytes.i64()?),
            }),
        }
    }
    Ok(match kind {
        SeverityType::Real => SeverityMatrix::Real(real),
        SeverityType::Least | SeverityType::Most => {
            SeverityMatrix::Extreme { cells: real, is_least: kind == SeverityType::Least }
        }
        SeverityType::Unsigned | SeverityType::Signed => {
            SeverityMatrix::Whole { cells: whole, is_signed: kind == SeverityType::Signed }
        }
    })
}

/// The values as bytes, no more than are wanted.
fn unpacked(data: &[u8], is_big_endian: bool, wanted: usize) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
    if let Some(values) = data.strip_prefix(b"CUBEX.DATA") {
        return Ok(values.into());
    }
    let mut bytes = Bytes::new(data);
    if bytes.take(11)? != b"ZCUBEX.DATA" {
        return Err(bytes.error("no values of a profile begin here"));
    }
    bytes.is_big_endian(is_big_endian);
    let pieces = bytes.count(24)?;
    let mut sizes = Vec::with_capacity(pieces);
    for _ in 0..pieces {
        bytes.take(16)?;
        sizes.push(usize::try_from(bytes.i64()?).unwrap_or(usize::MAX));
    }
    let mut values = Vec::new();
    for size in sizes.into_iter().filter(|size| *size > 0) {
        let packed = bytes.take(size)?;
        let most = wanted - values.len();
        inflated(packed, most, &mut values).map_err(|problem| bytes.error(problem))?;
    }
    Ok(values.into())
}
