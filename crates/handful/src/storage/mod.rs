//! Writes files atomically, and stores tensors in them.

mod atomic;
mod compact;
mod compact_entries;
mod difference;
mod nibbles;
mod small_rows;
mod tensor_code;
mod tensor_file;
mod tensors;
mod value_table;

pub use atomic::{check_file, replace_file, replace_file_by, write_directory};
pub use compact::{CompactTensors, compact_tensor_bytes};
pub use difference::difference;
pub use tensor_file::{TensorFile, tensor_bytes};
pub(crate) use tensors::whole_numbers;
pub use tensors::{Tensor, TensorSource, TensorView, Tensors, TermRows};
