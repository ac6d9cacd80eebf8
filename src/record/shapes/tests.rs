//! Real logs, read with nothing said about them.

use std::path::Path;
use std::sync::Arc;

use crate::record::{Channel, Fields, Reader, Record, Sniff};

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
