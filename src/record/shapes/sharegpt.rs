//! Conversations in `conversations`, each turn with `from` and `value`.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "sharegpt",
    about: "ShareGPT conversations",
    signs: &[&["conversations[from=gpt|assistant|model]"]],
    id: &["id"],
    model: &["model"],
    places: &[(Place::Turns, "conversations[from=gpt|assistant|model]")],
    is_plain: true,
    ..NOTHING
};
