//! Samples of lm-eval (`--log_samples`). One answer is logged once for each filter; those of the file's first filter count. Tasks that
//! compare likelihoods hold no completions.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "lm_eval",
    about: "lm-eval samples (--log_samples)",
    signs: &[
        &["doc_id", "resps:list", "arguments.gen_args_0.arg_1:object"],
        &["doc_id", "resps:list", "arguments[][]:object"],
    ],
    id: &["doc_id"],
    model: &["model"],
    places: &[(Place::Texts, "resps[][]")],
    model_of_file: Some(folder),
    first_of: Some("filter"),
    ..NOTHING
};

/// The folder that the file stands in has the model's name.
fn folder(file: &str) -> Option<&str> {
    let mut parts = file.rsplit(['/', '\\']);
    let name = parts.next()?;
    let folder = parts.next()?;
    (name.starts_with("samples_") && !folder.is_empty()).then_some(folder)
}
