//! Records that hold a whole stream: the list of its chunks or events.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "chunk_list",
    about: "Lists of streamed chunks or events, one stream a record",
    signs: &[
        &["[object=chat.completion.chunk]"],
        &["[type=message_start|response.created]"],
        &["chunks[object=chat.completion.chunk]"],
        &["chunks[type=message_start|response.created]"],
        &["events[object=chat.completion.chunk]"],
        &["events[type=message_start|response.created]"],
        &["stream[object=chat.completion.chunk]"],
        &["stream[type=message_start|response.created]"],
        &["response[object=chat.completion.chunk]"],
        &["response[type=message_start|response.created]"],
    ],
    id: &["id", "request_id"],
    model: &["model"],
    places: &[
        (Place::Chunks, ""),
        (Place::Chunks, "chunks"),
        (Place::Chunks, "events"),
        (Place::Chunks, "stream"),
        (Place::Chunks, "response"),
    ],
    ..NOTHING
};
