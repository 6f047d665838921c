//! Columns of text by Arrow's C interface.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;

/// The texts of a column, with `None` where one is missing. The object has `__arrow_c_stream__` or
/// `__arrow_c_array__`.
pub fn texts(column: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    let mut texts = Vec::new();
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?;
        for array in chunks(capsule.cast::<PyCapsule>()?)? {
            extend(&mut texts, &array)?;
        }
    } else {
        let pair = column.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            pair.cast::<PyTuple>()?.extract()?;
        let schema = pointer::<FFI_ArrowSchema>(schema.cast()?, c"arrow_schema")?;
        let array = pointer::<FFI_ArrowArray>(array.cast()?, c"arrow_array")?;
        // SAFETY: the capsules' names say what they hold, and `from_raw` takes it out, leaving a structure
        // that is marked as released.
        let (schema, array) = unsafe {
            (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr()))
        };
        extend(&mut texts, &imported(array, &schema)?)?;
    }
    Ok(texts)
}

/// What a capsule of this name holds.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

/// The arrays of a stream.
fn chunks(capsule: &Bound<'_, PyCapsule>) -> PyResult<Vec<ArrayRef>> {
    let stream = pointer::<FFI_ArrowArrayStream>(capsule, c"arrow_array_stream")?;
    // SAFETY: as above.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) };
    let arrays = reader.and_then(Iterator::collect::<Result<_, _>>);
    arrays.map_err(|error| PyValueError::new_err(error.to_string()))
}

fn imported(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    // SAFETY: both come from one producer, which follows the C data interface.
    let data = unsafe { from_ffi(array, schema) };
    data.map(make_array).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Adds the texts of an array.
fn extend(texts: &mut Vec<Option<String>>, array: &ArrayRef) -> PyResult<()> {
    let own = |text: Option<&str>| text.map(str::to_owned);
    match array.data_type() {
        DataType::Utf8 => texts.extend(array.as_string::<i32>().iter().map(own)),
        DataType::LargeUtf8 => texts.extend(array.as_string::<i64>().iter().map(own)),
        DataType::Utf8View => texts.extend(array.as_string_view().iter().map(own)),
        DataType::Null => texts.extend(vec![None; array.len()]),
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let mut values = Vec::new();
            extend(&mut values, dictionary.values())?;
            // A dictionary of nothing has nothing but missing texts.
            let keys = match values.is_empty() {
                true => vec![0; array.len()],
                false => dictionary.normalized_keys(),
            };
            texts.extend(keys.into_iter().enumerate().map(|(n, key)| {
                if array.is_null(n) { None } else { values.get(key).cloned().flatten() }
            }));
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "the column is of type {other}, not text; give a column of strings"
            )));
        }
    }
    Ok(())
}
