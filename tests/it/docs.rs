//! The pages that are made from the program's own lists are fresh.

use std::path::Path;

use crate::support::Folder;

/// With `TOOLSCAN_BLESS=1` in the environment the pages are written anew instead.
#[test]
fn made_pages_are_fresh() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let folder = Folder::new();
    if std::env::var_os("TOOLSCAN_BLESS").is_some() {
        folder.run(&["docs", &docs.to_string_lossy()]).expect(0);
        return;
    }
    folder.run(&["docs", "."]).expect(0);
    for name in ["syntaxes.md", "codes.md", "formats.md", "tables.md"] {
        let made = std::fs::read_to_string(folder.path(name)).expect("it was made");
        let kept = std::fs::read_to_string(docs.join(name)).unwrap_or_default();
        assert!(
            made == kept,
            "docs/{name} is stale: run the tests with TOOLSCAN_BLESS=1"
        );
    }
}
