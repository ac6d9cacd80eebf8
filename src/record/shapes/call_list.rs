//! Lists of calls that the provider parsed, as they stand where an output would.

use super::{NOTHING, Place, Shape};
use crate::record::message::calls;
use crate::record::places::Draft;
use crate::record::skim::{Fault, Value};

pub(super) const SHAPE: Shape = Shape {
    name: "call_list",
    about: "Lists of calls that the provider parsed",
    signs: &[&["[].function.name:text"]],
    places: &[(Place::Custom(drafts), "")],
    is_plain: true,
    ..NOTHING
};

fn drafts<'a>(list: Value<'a>, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    drafts.push(Draft {
        calls: calls(Some(list), None)?,
        ..Draft::default()
    });
    Ok(())
}
