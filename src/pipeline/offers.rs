//! Which tools a record's completions were offered: its own, else those given for all.
//!
//! What a record says is read once for each distinct text, and each distinct schema is compiled once, whatever
//! records and threads have it. Both are remembered within bounds, so that memory stays flat however many there are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::validate::tools::{Dialect, Schema, Toolset};

/// Bytes that the meanings of each of two generations may take.
const GENERATION_BYTES: usize = 16 << 20;

/// About how many bytes the meaning of a text takes: a compiled schema is many times as large as what it is made of.
const fn weight(text: &str) -> usize {
    4096 + 16 * text.len()
}

/// The tools that were offered, where that is known.
pub type Offered = Option<Arc<Toolset>>;

/// Says which tools were offered, to all threads.
#[derive(Debug)]
pub struct Offers {
    given: Offered,
    dialect: Dialect,
    schemas: Memory<Schema>,
    records: Memory<Toolset>,
}

impl Offers {
    /// These tools where a record has none of its own. The schemas of records are in `dialect`.
    pub fn new(given: Option<Toolset>, dialect: Dialect) -> Self {
        Self {
            given: given.map(Toolset::without_texts).map(Arc::new),
            dialect,
            schemas: Memory::default(),
            records: Memory::default(),
        }
    }

    /// The tools of a record: the source text of its own, if it has some, wins.
    ///
    /// # Errors
    ///
    /// Why the record's own cannot be used, with the tools that count instead.
    pub fn of(&self, record: Option<&str>) -> Result<Offered, (String, Offered)> {
        let Some(text) = record.filter(|text| *text != "null") else {
            return Ok(self.given.clone());
        };
        let read = self.records.get(text, || {
            let compile = |schema: &str| self.schemas.get(schema, || Schema::compile(schema, self.dialect));
            // Data sets keep lists in columns of text: a string that holds the JSON.
            let unpacked: Option<String> = serde_json::from_str(text).ok();
            let tools = Toolset::read("", unpacked.as_deref().unwrap_or(text), &compile)?;
            Ok(tools.without_texts())
        });
        read.map(Some).map_err(|reason| (reason, self.given.clone()))
    }
}

/// What texts mean, remembered for those met lately.
#[derive(Debug)]
struct Memory<T>(Mutex<Generations<T>>);

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Self(Mutex::new(Generations {
            young: HashMap::new(),
            old: HashMap::new(),
            bytes: 0,
        }))
    }
}

/// When the young generation is full it becomes the old one, and what was old and not asked for is forgotten.
#[derive(Debug)]
struct Generations<T> {
    young: HashMap<String, Meaning<T>>,
    old: HashMap<String, Meaning<T>>,
    /// What the young generation takes.
    bytes: usize,
}

type Meaning<T> = Result<Arc<T>, String>;

impl<T> Memory<T> {
    /// What `text` means. Two threads that ask for the first time at once both find out, and agree.
    fn get(&self, text: &str, find_out: impl FnOnce() -> Result<T, String>) -> Meaning<T> {
        const SOUND: &str = "no thread panics with the lock";
        if let Some(known) = self.0.lock().expect(SOUND).find(text) {
            return known;
        }
        let meaning = find_out().map(Arc::new);
        self.0.lock().expect(SOUND).keep(text.to_owned(), meaning)
    }
}

impl<T> Generations<T> {
    fn find(&mut self, text: &str) -> Option<Meaning<T>> {
        if let Some(known) = self.young.get(text) {
            return Some(known.clone());
        }
        let (text, known) = self.old.remove_entry(text)?;
        Some(self.keep(text, known))
    }

    fn keep(&mut self, text: String, meaning: Meaning<T>) -> Meaning<T> {
        if self.bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += weight(&text);
        self.young.entry(text).or_insert(meaning).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: &str = r#"[{"name": "ls", "parameters": {"type": "object"}}]"#;

    fn given() -> Toolset {
        let compile = |schema: &str| Schema::compile(schema, Dialect::JsonSchema).map(Arc::new);
        Toolset::read("", r#"[{"name": "given"}]"#, &compile).expect("it is sound")
    }

    #[test]
    fn the_record_wins_and_what_it_says_is_read_once() {
        let offers = Offers::new(Some(given()), Dialect::JsonSchema);
        let first = offers
            .of(Some(TOOLS))
            .expect("it is sound")
            .expect("there are tools");
        let again = offers
            .of(Some(TOOLS))
            .expect("it is sound")
            .expect("there are tools");
        assert_eq!(first.names(), ["ls"]);
        assert!(Arc::ptr_eq(&first, &again));
        let quoted = serde_json::to_string(TOOLS).expect("it is text");
        let quoted = offers
            .of(Some(&quoted))
            .expect("it is sound")
            .expect("there are tools");
        assert_eq!(quoted.names(), ["ls"]);
        for none in [None, Some("null")] {
            let tools = offers.of(none).expect("it is sound").expect("there are tools");
            assert_eq!(tools.names(), ["given"]);
        }
        let empty = offers
            .of(Some("[]"))
            .expect("it is sound")
            .expect("there are tools");
        assert!(empty.names().is_empty());
        let (reason, instead) = offers.of(Some("7")).expect_err("it is no list");
        assert!(reason.contains("holds no tool"), "{reason}");
        assert_eq!(instead.expect("there are tools").names(), ["given"]);
    }

    #[test]
    fn memory_is_bounded_and_keeps_what_is_asked_for() {
        let memory = Memory::default();
        let text = |number: usize| format!("{number:0>100}");
        let ask = |number: usize| memory.get(&text(number), || Ok(number)).map(|number| *number);
        for number in 0..40_000 {
            assert_eq!(ask(number), Ok(number));
            assert_eq!(
                memory
                    .get(&text(0), || Err("forgotten".to_owned()))
                    .map(|zero| *zero),
                Ok(0)
            );
        }
        let generations = memory.0.lock().expect("it is sound");
        let kept = generations.young.len() + generations.old.len();
        assert!(kept <= 2 * (GENERATION_BYTES / weight(&text(0)) + 2), "{kept}");
    }
}
