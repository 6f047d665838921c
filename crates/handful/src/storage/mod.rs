//! Writes files atomically, and stores tensors in them.

mod atomic;
mod checksum;
mod claim;
mod compact;
mod compact_entries;
mod difference;
mod neighbours;
mod nibbles;
mod small_rows;
mod system;
mod tensor_code;
mod tensor_file;
mod tensors;
mod value_table;

pub use atomic::{check_file, claim_file, open_to_append, remove_file, replace_file};
pub use checksum::{MISMATCH, crc32, digits, is_intact_json, sealed_json};
pub use claim::Claim;
pub use compact::{CompactTensors, compact_tensor_bytes};
pub use difference::difference;
pub use neighbours::{interrupted, is_neighbour};
pub use tensor_file::{TensorFile, read_file, sealed_tensor_bytes, tensor_bytes};
pub(crate) use tensors::whole_numbers;
pub use tensors::{Tensor, TensorSource, TensorView, Tensors, TermRows};
