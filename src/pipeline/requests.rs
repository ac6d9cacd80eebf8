//! What was asked, where the log has only the answers: request files of batches, joined on `custom_id`.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::digest::digest;
use crate::error::Error;
use crate::input::{Limits, Shards, Source, What};
use crate::record::{Fields, Reader, Record};

/// The requests of a batch, by their ids.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    by_id: HashMap<String, Request>,
    digest: u64,
}

/// What matters of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The model that was asked.
    pub model: Option<String>,
    /// The tools that it was offered, as JSON text; many requests share one.
    pub tools: Option<Arc<str>>,
}

/// Where the model and the tools stand: in OpenAI's requests and in Anthropic's.
const BODIES: [&str; 2] = ["body", "params"];

impl Requests {
    /// Reads a file of requests, a line each.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line is no request.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let failed = |reason: String| Error::failed("read the requests", file.display(), reason);
        let source = Source::file(file.to_owned(), None);
        let mut readers = BODIES.map(reader);
        let mut requests = Self::default();
        let mut known: HashSet<Arc<str>> = HashSet::new();
        for shard in Shards::new(vec![source], Limits::default(), Arc::default()) {
            for entry in shard.entries() {
                let line = match entry.what {
                    What::Record(line) => line,
                    What::Truncated(cause) => {
                        return Err(Error::failed("read the requests", file.display(), cause));
                    }
                    What::Fragment(_) | What::TooLarge { .. } => {
                        return Err(failed(format!("line {} is not whole", entry.line)));
                    }
                };
                let Some((id, request)) = request(&mut readers, line, &mut known) else {
                    let reason =
                        "is no request: expected an object with `custom_id` and `body`, as batches are sent";
                    return Err(failed(format!("line {} {reason}", entry.line)));
                };
                requests.add(id, request);
            }
        }
        Ok(requests)
    }

    fn add(&mut self, id: String, request: Request) {
        let parts = [Some(&*id), request.model.as_deref(), request.tools.as_deref()];
        let parts = parts
            .into_iter()
            .flat_map(|part| part.unwrap_or("\u{1}").bytes().chain([0]));
        self.digest = digest(self.digest.to_le_bytes().into_iter().chain(parts));
        self.by_id.insert(id, request);
    }

    /// The request of this id.
    pub fn get(&self, id: &str) -> Option<&Request> {
        self.by_id.get(id)
    }

    /// A number that two files have in common, as good as certainly, only if they ask the same.
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

/// A reader of requests whose body stands under this key. An id is all that it takes for a text.
fn reader(body: &str) -> Reader {
    let path = |text: &str| Some(text.parse().expect("the path is well formed"));
    Reader::new(Arc::new(Fields {
        text: path("custom_id").into_iter().collect(),
        id: path("custom_id"),
        model: path(&format!("{body}.model")),
        tools: path(&format!("{body}.tools")),
        ..Fields::default()
    }))
}

fn request(readers: &mut [Reader], line: &[u8], known: &mut HashSet<Arc<str>>) -> Option<(String, Request)> {
    let mut record = Record::default();
    for reader in readers {
        reader.read(line, &mut record);
        if record.model.is_some() || record.tools.is_some() {
            break;
        }
    }
    let tools = record.tools.take().filter(|tools| tools != "null");
    let tools = tools.map(|tools| match known.get(&*tools) {
        Some(known) => Arc::clone(known),
        None => {
            let tools: Arc<str> = tools.into();
            known.insert(Arc::clone(&tools));
            tools
        }
    });
    let model = record.model.take();
    Some((record.id.take()?, Request { model, tools }))
}
