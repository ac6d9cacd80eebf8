//! Conversations in `messages`, as chat data sets and mini-swe-agent have them.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "messages",
    about: "Chat messages (HF, TRL, OpenAI fine-tuning, mini-swe-agent)",
    signs: &[&["messages[role=assistant]"]],
    id: &["id"],
    model: &["model", "info.config.model.model_name"],
    tools: &["tools"],
    places: &[(Place::Turns, "messages[role=assistant]")],
    is_plain: true,
    ..NOTHING
};
