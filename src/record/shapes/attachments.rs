//! Texts that a sample of an Inspect log keeps apart: `attachment://HASH` stands for one among its `attachments`.

use crate::record::object::Object;
use crate::record::places::{Draft, RawText};
use crate::record::skim::{Fault, Value};

const PROTOCOL: &[u8] = b"attachment://";

/// Puts the texts back that the entry keeps apart.
pub(super) fn resolve<'a>(drafts: &mut [Draft<'a>], entry: &Object<'a>) -> Result<(), Fault> {
    let texts = drafts
        .iter_mut()
        .flat_map(|draft| [&mut draft.text, &mut draft.reasoning]);
    let strings = texts.flatten().flat_map(RawText::strings_mut);
    let mut references = strings
        .filter(|string| string.bytes.starts_with(PROTOCOL))
        .peekable();
    let Some(kept) = entry.get("attachments").filter(|_| references.peek().is_some()) else {
        return Ok(());
    };
    let kept = Object::of(kept)?;
    for reference in references {
        let hash = str::from_utf8(&reference.bytes[PROTOCOL.len()..]).unwrap_or_default();
        if let Some(text) = kept.get(hash).and_then(Value::string) {
            *reference = text;
        }
    }
    Ok(())
}
