//! Real logs: every record is accounted for.

use std::path::Path;

use serde_json::Value;

use crate::accounting;
use crate::support::Folder;

#[test]
fn every_record_of_real_logs_is_accounted_for() {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/logs");
    let Ok(entries) = std::fs::read_dir(&logs) else {
        println!("skipped: no real logs at {}", logs.display());
        return;
    };
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")) {
        let folder = Folder::new();
        let name = path.to_string_lossy();
        let ran = folder.run(&["ingest", &name, "--out", "t/", "--json"]).expect(0);
        let report: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let bytes = std::fs::read(&path).expect("the log can be read");
        let lines = bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.trim_ascii().is_empty())
            .count();
        assert_eq!(report["records"], lines, "{name}");
        accounting::check(&folder.tables("t"), &report);
    }
}
