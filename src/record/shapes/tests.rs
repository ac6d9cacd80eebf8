//! The cases of every shape (`tests/shapes/<name>.toml`), and real logs, read with nothing said about them.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::SHAPES;
use crate::record::{Channel, Completion, Fields, Format, Reader, Record, Sniff, Text};

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

/// A record and what is in it; `calls` are name and arguments, `detail` that of the record's problem.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    record: String,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    reasoning: Vec<String>,
    id: Option<String>,
    model: Option<String>,
    finish_reason: Option<String>,
    detail: Option<String>,
}

fn texts(record: &Record, channel: Channel) -> Vec<&str> {
    let of_channel = record
        .completions
        .iter()
        .filter(|completion| completion.channel == channel);
    of_channel
        .filter_map(|completion| completion.text.as_ref().map(Text::as_str))
        .collect()
}

fn calls(completion: &Completion) -> impl Iterator<Item = String> {
    let calls = completion.native_calls.iter();
    calls.map(|call| {
        let [name, arguments] = [&call.name, &call.arguments].map(|word| word.as_deref().unwrap_or("-"));
        format!("{name} {arguments}")
    })
}

impl Case {
    /// What the case says of a record. The id and the model of a record with entries are the first entry's.
    fn said(&self, shape: &str) -> String {
        let strings = (&self.texts, &self.reasoning, &self.calls);
        let words = (&self.id, &self.model, &self.finish_reason, &self.detail);
        format!("{:?} {strings:?} {words:?}", Some(shape))
    }
}

/// The same of what was read.
fn found(record: &Record) -> String {
    let [said, thought] = [Channel::Text, Channel::Reasoning].map(|channel| texts(record, channel));
    let calls: Vec<_> = record.completions.iter().flat_map(calls).collect();
    let finish_reason = record
        .completions
        .first()
        .and_then(|first| first.finish_reason.clone());
    let detail = record.problems.first().and_then(|problem| problem.detail.clone());
    let words = (&record.id, &record.model, &finish_reason, &detail);
    format!("{:?} {:?} {words:?}", record.format, (&said, &thought, &calls))
}

#[test]
fn every_shape_answers_its_cases() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapes"));
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let path = folder.join(format!("{}.toml", shape.name));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file: File = toml::from_str(&text).expect(shape.name);
        let by_itself = Reader::new(Arc::default()).tries_shapes_first();
        let named = Reader::new(Arc::new(Fields {
            format: shape.name.parse::<Format>().ok(),
            ..Fields::default()
        }));
        for case in file.case {
            let readers = [Some(&named), Some(&by_itself).filter(|_| !shape.is_plain)];
            for reader in readers.into_iter().flatten() {
                let mut record = Record::default();
                reader.clone().read(case.record.trim().as_bytes(), &mut record);
                let (said, found) = (case.said(shape.name), found(&record));
                let usable = record.problems.is_empty() != record.completions.is_empty();
                if found != said || !usable {
                    wrong.push(format!("{}\n  is   {found}\n  said {said}", case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// File, format, completions with a text, calls that the provider parsed.
const REAL: &[(&str, &str, usize, usize)] = &[
    ("mint__gpt-4-0613", "mint", 161, 0),
    ("mint__CodeActAgent-Mistral-7b-v0.1", "mint", 201, 0),
    ("mint__Eurus-7B-KTO", "mint", 164, 0),
    ("mint__vicuna-13b-v1.5", "mint", 286, 0),
    ("taubench_gpt4o_airline", "tau_bench", 805, 621),
    ("swesmith_traj", "swe_agent", 37, 37),
    ("swesmith_ft_xml", "messages", 103, 0),
    ("sweagent_traj", "swe_agent", 217, 31),
    ("zeroeval", "zero_eval", 400, 0),
    ("nemogym_rollouts", "nemo_gym", 239, 93),
    ("toolbench_cot_answers", "toolbench_cot", 432, 0),
    ("gorilla_api_responses", "flat", 386, 0),
    ("intercode", "intercode", 2463, 0),
    ("webvoyager_messages", "message_list", 90, 0),
    ("inspect_eval_logs", "inspect", 15, 4),
    ("offlinefc_gemma3", "promptfoo", 78, 0),
];

#[test]
fn real_logs_are_read_with_nothing_said() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/logs"));
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return;
    }
    let fields = Arc::new(Fields::default());
    let mut wrong = Vec::new();
    for &(name, format, texts, calls) in REAL {
        let bytes = std::fs::read(folder.join(format!("{name}.jsonl"))).expect("a log can be read");
        let lines = || bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let sniff = Sniff::of(&fields, lines());
        let mut reader = Reader::new(Arc::clone(&fields));
        reader.expect(sniff.guess.clone());
        let mut record = Record::default();
        let mut found = (0, 0, 0);
        for line in lines() {
            reader.read(line, &mut record);
            let said = record
                .completions
                .iter()
                .filter(|completion| completion.channel == Channel::Text);
            found.0 += said.filter(|completion| completion.text.is_some()).count();
            found.1 += record
                .completions
                .iter()
                .map(|completion| completion.native_calls.len())
                .sum::<usize>();
            found.2 += record.problems.len();
        }
        let named = sniff.format().map(|(name, _)| name);
        if (found.0, found.1, named) != (texts, calls, Some(format)) {
            wrong.push(format!(
                "{name}: {found:?} {named:?}, not {texts} {calls} {format}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
