//! The outermost level of a record: which keys it has, and where their values stand.

use super::fields::{Path, Step};
use super::object::Object;
use super::skim::{Cursor, Fault, Value, key_text};
use crate::span::Span;

/// Outlines records, one after the other, in the same buffers.
#[derive(Clone, Debug)]
pub(super) struct Outliner {
    /// The keys that matter.
    keys: Vec<String>,
    /// Bit n: one of them is n bytes long.
    lengths: u64,
    /// Which of them the record has, and where its value stands: the last one of each.
    found: Vec<(usize, Span)>,
    /// The keys of the record before: the next one mostly has the same in the same order.
    known: Vec<Known>,
}

/// A key as it stood in a record, and which of those that matter it is.
#[derive(Clone, Debug)]
struct Known {
    key: Vec<u8>,
    place: Option<usize>,
}

/// Keys of a record that are kept for the next one, and bytes of such a key, at the most.
const KNOWN_KEYS: usize = 64;
const KNOWN_BYTES: usize = 256;

impl Outliner {
    /// An outliner that looks for these keys.
    pub(super) fn new<'k>(wanted: impl IntoIterator<Item = &'k str>) -> Self {
        let mut keys: Vec<String> = Vec::new();
        for key in wanted {
            if !keys.iter().any(|known| known == key) {
                keys.push(key.to_owned());
            }
        }
        Self {
            lengths: keys.iter().fold(0, |bits, key| bits | length_bit(key.len())),
            keys,
            found: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Goes once over the whole record, so that nothing in it is left open. All its members go into `object`, if there
    /// is one.
    pub(super) fn outline<'a>(
        &'a mut self,
        record: &'a [u8],
        mut object: Option<&mut Object<'a>>,
    ) -> Result<Outline<'a>, Fault> {
        self.found.clear();
        let mut cursor = Cursor::new(record);
        let root = if cursor.enter_object() {
            let mut ordinal = 0;
            while let Some(key) = cursor.next_key()? {
                let value = cursor.value()?;
                if let Some(object) = &mut object {
                    object.add(key, value);
                }
                if let Some(place) = self.place(ordinal, key) {
                    self.keep(place, value.span());
                }
                ordinal += 1;
            }
            None
        } else {
            Some(cursor.value()?)
        };
        cursor.end()?;
        Ok(Outline {
            record,
            keys: &self.keys,
            found: &self.found,
            root,
        })
    }

    /// Which of the keys that matter is the record's key with this ordinal.
    fn place(&mut self, ordinal: usize, key: &[u8]) -> Option<usize> {
        if let Some(known) = self.known.get(ordinal)
            && known.key == key
        {
            return known.place;
        }
        let place = self.place_of(key);
        if ordinal == self.known.len() && ordinal < KNOWN_KEYS {
            let (key, place) = (Vec::new(), self.place_of(b""));
            self.known.push(Known { key, place });
        }
        if let Some(known) = self.known.get_mut(ordinal)
            && key.len() <= KNOWN_BYTES
        {
            known.key.clear();
            known.key.extend_from_slice(key);
            known.place = place;
        }
        place
    }

    fn place_of(&self, key: &[u8]) -> Option<usize> {
        if self.lengths & length_bit(key.len()) == 0 && !key.contains(&b'\\') {
            return None;
        }
        let key = key_text(key);
        self.keys.iter().position(|wanted| wanted.as_bytes() == &*key)
    }

    fn keep(&mut self, place: usize, span: Span) {
        match self.found.iter_mut().find(|(found, _)| *found == place) {
            Some((_, earlier)) => *earlier = span,
            None => self.found.push((place, span)),
        }
    }
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// The outermost level of one record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline<'a> {
    record: &'a [u8],
    keys: &'a [String],
    found: &'a [(usize, Span)],
    /// The record itself, where it is no object.
    root: Option<Value<'a>>,
}

impl<'a> Outline<'a> {
    /// The value of one of the keys that matter.
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        let found = self.found.iter().find(|(place, _)| self.keys[*place] == key);
        found.map(|&(_, span)| Value::new(self.record, span))
    }

    /// Everything that the path leads to, in order; `None` where it leads to nothing: a key that is missing, a
    /// value of another kind.
    pub(super) fn resolve(&self, path: &Path) -> Result<Vec<Option<Value<'a>>>, Fault> {
        let mut found = Vec::new();
        match (path.steps.split_first(), self.root) {
            (Some((Step::Key(key), rest)), None) => match self.get(key) {
                Some(value) => resolve(&mut value.cursor(), rest, &mut found)?,
                None => found.push(None),
            },
            (_, Some(root)) => resolve(&mut root.cursor(), &path.steps, &mut found)?,
            _ => found.push(None),
        }
        Ok(found)
    }
}

/// Follows the steps from the value at the cursor, which goes behind it. As deep as the path is long.
pub(super) fn resolve<'a>(
    cursor: &mut Cursor<'a>,
    steps: &[Step],
    found: &mut Vec<Option<Value<'a>>>,
) -> Result<(), Fault> {
    let before = found.len();
    match steps.split_first() {
        None => {
            let value = cursor.value()?;
            found.push(Some(value));
        }
        Some((Step::Key(wanted), rest)) if cursor.enter_object() => {
            let mut met = false;
            while let Some(key) = cursor.next_key()? {
                if *key_text(key) != *wanted.as_bytes() {
                    cursor.value()?;
                    continue;
                }
                met = true;
                found.truncate(before);
                resolve(cursor, rest, found)?;
            }
            if !met {
                found.push(None);
            }
        }
        Some((Step::Each, rest)) if cursor.enter_array() => {
            while cursor.next_element()? {
                resolve(cursor, rest, found)?;
            }
        }
        Some((Step::Where(key, words), rest)) if cursor.enter_array() => {
            while cursor.next_element()? {
                let element = cursor.value()?;
                let [value] = element.cursor().members([key.as_str()])?;
                if value
                    .and_then(Value::string)
                    .is_some_and(|string| words.iter().any(|word| word.as_bytes() == string.bytes))
                {
                    resolve(&mut element.cursor(), rest, found)?;
                }
            }
        }
        Some(_) => {
            cursor.value()?;
            found.push(None);
        }
    }
    Ok(())
}
