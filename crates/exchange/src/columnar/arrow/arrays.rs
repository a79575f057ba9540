//! Arrays as numbers and texts.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

use super::super::values::{RowValues, ValueBudget};
use crate::{Error, LeftOutReason};

/// What a column of a type becomes, without values so far.
pub(super) fn values_of(data_type: &DataType) -> RowValues {
    match data_type {
        DataType::Null => RowValues::None(LeftOutReason::Empty),
        DataType::Date32
        | DataType::Date64
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Timestamp(..) => RowValues::None(LeftOutReason::Moment),
        DataType::Interval(_) => RowValues::None(LeftOutReason::Interval),
        DataType::FixedSizeBinary(_) => RowValues::None(LeftOutReason::Text),
        DataType::Duration(_) => RowValues::Seconds(Vec::new()),
        DataType::Dictionary(_, values) => values_of(values),
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => RowValues::Texts(Vec::new()),
        other if other.is_nested() => RowValues::None(LeftOutReason::Nested),
        _ => RowValues::Numbers(Vec::new()),
    }
}

/// Appends an array to a column of its type.
pub(super) fn append(column: &mut RowValues, array: &ArrayRef, room: &mut ValueBudget) -> Result<(), Error> {
    room.take(array.len())?;
    match column {
        RowValues::Numbers(numbers) => numbers.extend(numbers_of(array, room)?),
        RowValues::Seconds(times_s) => times_s.extend(numbers_of(array, room)?),
        RowValues::Texts(texts) => texts.extend(texts_of(array, room)?),
        RowValues::None(_) => {}
    }
    Ok(())
}

/// Numbers, spans of time in seconds, NaN where nothing is.
fn numbers_of(array: &ArrayRef, room: &mut ValueBudget) -> Result<Vec<f64>, Error> {
    Ok(match array.data_type() {
        DataType::Dictionary(..) => {
            let values = array.as_any_dictionary().values();
            room.take(values.len())?;
            let numbers = numbers_of(values, room)?;
            keys(array).map(|key| key.and_then(|key| numbers.get(key).copied()).unwrap_or(f64::NAN)).collect()
        }
        DataType::Boolean => {
            let number = |it: Option<bool>| it.map_or(f64::NAN, |it| f64::from(u8::from(it)));
            array.as_boolean().iter().map(number).collect()
        }
        DataType::Int8 => primitive::<Int8Type>(array, f64::from),
        DataType::Int16 => primitive::<Int16Type>(array, f64::from),
        DataType::Int32 => primitive::<Int32Type>(array, f64::from),
        DataType::Int64 => primitive::<Int64Type>(array, |it| it as f64),
        DataType::UInt8 => primitive::<UInt8Type>(array, f64::from),
        DataType::UInt16 => primitive::<UInt16Type>(array, f64::from),
        DataType::UInt32 => primitive::<UInt32Type>(array, f64::from),
        DataType::UInt64 => primitive::<UInt64Type>(array, |it| it as f64),
        DataType::Float16 => primitive::<Float16Type>(array, f64::from),
        DataType::Float32 => primitive::<Float32Type>(array, f64::from),
        DataType::Float64 => primitive::<Float64Type>(array, |it| it),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array),
        DataType::Duration(TimeUnit::Second) => primitive::<DurationSecondType>(array, |it| it as f64),
        DataType::Duration(TimeUnit::Millisecond) => {
            primitive::<DurationMillisecondType>(array, |it| it as f64 / 1e3)
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            primitive::<DurationMicrosecondType>(array, |it| it as f64 / 1e6)
        }
        DataType::Duration(TimeUnit::Nanosecond) => {
            primitive::<DurationNanosecondType>(array, |it| it as f64 / 1e9)
        }
        _ => vec![f64::NAN; array.len()],
    })
}

fn primitive<T: ArrowPrimitiveType>(array: &ArrayRef, number: impl Fn(T::Native) -> f64) -> Vec<f64> {
    array.as_primitive::<T>().iter().map(|it| it.map_or(f64::NAN, &number)).collect()
}

fn decimal<T: DecimalType>(array: &ArrayRef) -> Vec<f64> {
    let array = array.as_primitive::<T>();
    let number = |row: usize| match array.is_null(row) {
        true => f64::NAN,
        false => array.value_as_string(row).parse().unwrap_or(f64::NAN),
    };
    (0..array.len()).map(number).collect()
}

/// Texts, `None` where nothing is.
fn texts_of(array: &ArrayRef, room: &mut ValueBudget) -> Result<Vec<Option<String>>, Error> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let values = array.as_any_dictionary().values();
            room.take(values.len())?;
            let distinct = texts_of(values, room)?;
            let text = |key: Option<usize>| distinct.get(key?)?.as_deref();
            texts(keys(array).map(text), str::to_owned, room)
        }
        DataType::Utf8 => all(array.as_string::<i32>(), str::to_owned, room),
        DataType::LargeUtf8 => all(array.as_string::<i64>(), str::to_owned, room),
        DataType::Utf8View => all(array.as_string_view(), str::to_owned, room),
        DataType::Binary => all(array.as_binary::<i32>(), of_bytes, room),
        DataType::LargeBinary => all(array.as_binary::<i64>(), of_bytes, room),
        DataType::BinaryView => all(array.as_binary_view(), of_bytes, room),
        _ => Ok(vec![None; array.len()]),
    }
}

fn of_bytes(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn all<T>(
    array: impl ArrayAccessor<Item = T>,
    text: impl Fn(T) -> String,
    room: &mut ValueBudget,
) -> Result<Vec<Option<String>>, Error> {
    texts((0..array.len()).map(|row| array.is_valid(row).then(|| array.value(row))), text, room)
}

/// What a text takes: few texts of a dictionary may become many.
fn texts<T>(
    items: impl Iterator<Item = Option<T>>,
    text: impl Fn(T) -> String,
    room: &mut ValueBudget,
) -> Result<Vec<Option<String>>, Error> {
    let one = |item: Option<T>| {
        let text = item.map(&text);
        room.take(text.as_ref().map_or(0, String::len) / size_of::<f64>())?;
        Ok(text)
    };
    items.map(one).collect()
}

/// Which value of its dictionary each row has, if one.
fn keys(array: &ArrayRef) -> impl Iterator<Item = Option<usize>> {
    let array = array.as_any_dictionary();
    // The library knows no keys into an empty dictionary.
    let keys = if array.values().is_empty() { Vec::new() } else { array.normalized_keys() };
    let is_valid = |row: usize| array.keys().is_valid(row);
    (0..array.len()).map(move |row| keys.get(row).copied().filter(|_| is_valid(row)))
}
