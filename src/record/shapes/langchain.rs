//! What LangChain's models return: generations, each a text and a message.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "langchain",
    about: "LangChain results",
    signs: &[&["generations[][]:object"], &["generations[]:object"]],
    model: &["llm_output.model_name", "llm_output.model"],
    places: &[
        (Place::Messages, "generations[][].message.kwargs"),
        (Place::Messages, "generations[][].message"),
        (Place::Messages, "generations[].message.kwargs"),
        (Place::Texts, "generations[][].text"),
        (Place::Texts, "generations[].text"),
    ],
    ..NOTHING
};
