//! `toolscan explain`.

use crate::support::Folder;

const TEXT: &str = "Let me look.\n\
    <execute>[{\"name\": \"ls\", \"args\": {\"path\": \".\"},}]</execute>\n\
    and 🛠️[read notes.txt]\nkeep \u{1b}[31mthis\n🛠️[/end]\n";

#[test]
fn draws_calls_and_findings() {
    let folder = Folder::new();
    folder.write("completion.txt", TEXT);
    insta::assert_snapshot!(folder.run(&["explain", "completion.txt"]).expect(0).stdout);
}

#[test]
fn reads_stdin_by_default_and_by_name() {
    let folder = Folder::new();
    let by_default = folder.run_on(TEXT.as_bytes(), &["explain"]).expect(0).stdout;
    let by_name = folder.run_on(TEXT.as_bytes(), &["explain", "-"]).expect(0).stdout;
    assert_eq!(by_default, by_name);
    assert!(by_default.contains("stdin:2:"));
}

#[test]
fn text_of_models_never_reaches_the_terminal_raw() {
    let text = "🛠️[a\u{1b}]0;title\u{7} \u{9b}2J\u{202e}x\r\n body\u{1b}[2J 🛠️[/END]";
    for color in ["always", "never"] {
        let ran = Folder::new()
            .run_on(text.as_bytes(), &["explain", "--color", color])
            .expect(0);
        for raw in ["\u{1b}]", "\u{1b}[2J", "\u{7}", "\u{9b}", "\u{202e}", "\r"] {
            assert!(!ran.stdout.contains(raw), "{raw:?} in {}", ran.stdout);
        }
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = Folder::new();
    let plain = folder.run_on(TEXT.as_bytes(), &["explain"]).expect(0).stdout;
    assert!(!plain.contains('\u{1b}'), "a pipe is no terminal");
    let forced = folder
        .run_on(TEXT.as_bytes(), &["explain", "--color", "always"])
        .expect(0)
        .stdout;
    assert!(forced.contains('\u{1b}'));
}

#[test]
fn long_lines_are_cut_around_the_finding() {
    let filler = "x ".repeat(500_000);
    let column = filler.len() + "<execute>[{\"name\": ".len() + 1;
    let text = format!("{filler}<execute>[{{\"name\": 1, \"args\": {{}}}}]</execute>{filler}");
    let shown = Folder::new()
        .run_on(text.as_bytes(), &["explain"])
        .expect(0)
        .stdout;
    assert!(
        shown.contains("wrong_type") && shown.len() < 3000,
        "{} bytes",
        shown.len()
    );
    assert!(shown.contains(&format!("stdin:1:{column}\n")), "{shown}");
}

#[test]
fn a_text_without_calls_says_so() {
    let shown = Folder::new().run_on(b"hello", &["explain"]).expect(0).stdout;
    assert_eq!(shown.trim(), "0 calls (0 valid), 0 errors, 0 warnings");
}

#[test]
fn options_and_config_hold_here_too() {
    let folder = Folder::new();
    folder.write(
        "toolscan.toml",
        "[gadget_block]\nstart = '<<<TOOL:'\nend = '<<<END'\narg = '@param:'\n",
    );
    let text = b"<<<TOOL:read:r1\n@param:path\na.txt\n<<<END\n<execute>[]</execute>";
    let shown = folder
        .run_on(text, &["explain", "--syntax", "gadget_block"])
        .expect(0)
        .stdout;
    assert!(
        shown.starts_with("1 call (1 valid), 0 errors, 0 warnings"),
        "{shown}"
    );
    let strict = folder.run_on(text, &["explain", "--strict"]).expect(0).stdout;
    assert!(strict.contains("error[empty_batch]"), "{strict}");
}
