//! The files of a model directory, read and spoiled by means of their own.

use super::Workspace;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde_json::Value;
use std::collections::BTreeMap;

/// Shape and entries of tensors, by name.
pub type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

pub fn read_tensors(workspace: &Workspace, file: &str) -> Tensors {
    let bytes = workspace.read(file);
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    tensors
        .iter()
        .map(|(name, view)| {
            assert_eq!(view.dtype(), Dtype::F32, "{name}");
            let numbers = view.data().chunks_exact(4);
            let numbers = numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
            (name.to_owned(), (view.shape().to_vec(), numbers.collect()))
        })
        .collect()
}

/// Rewrites a file of tensors with what `edit` makes of them.
pub fn edit_tensors(workspace: &Workspace, file: &str, edit: impl FnOnce(&mut Tensors)) {
    let mut tensors = read_tensors(workspace, file);
    edit(&mut tensors);
    let bytes: BTreeMap<&str, (&[usize], Vec<u8>)> = tensors
        .iter()
        .map(|(name, (shape, values))| {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            (&**name, (&**shape, bytes))
        })
        .collect();
    let views = bytes.iter().map(|(name, (shape, bytes))| {
        (name, TensorView::new(Dtype::F32, shape.to_vec(), bytes).unwrap())
    });
    workspace.write(file, safetensors::serialize(views, None).unwrap());
    forget_checksums(workspace, file.split('/').next().unwrap());
}

/// Makes a directory one from elsewhere, which has no checksums.
pub fn forget_checksums(workspace: &Workspace, directory: &str) {
    edit_config(workspace, directory, |config| {
        config.as_object_mut().unwrap().remove("checksums");
    });
}

/// Rewrites `config.json` of a directory with what `edit` makes of it, as its owner may who removes its
/// checksum.
pub fn edit_config(workspace: &Workspace, directory: &str, edit: impl FnOnce(&mut Value)) {
    let file = format!("{directory}/config.json");
    let mut config: Value = serde_json::from_slice(&workspace.read(&file)).unwrap();
    edit(&mut config);
    if let Some(config) = config.as_object_mut() {
        config.remove("crc32");
    }
    workspace.write(&file, serde_json::to_vec(&config).unwrap());
}
