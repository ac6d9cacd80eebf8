//! A completion in chunks is the completion.

use toolscan::Scanner;

use crate::texts;

/// Scans `text` in chunks that end before each of these offsets.
fn in_chunks(scanner: &Scanner, text: &str, cuts: impl Iterator<Item = usize>) -> String {
    let mut stream = scanner.stream();
    let mut from = 0;
    for cut in cuts.chain([text.len()]) {
        stream.push(&text.as_bytes()[from..cut]);
        from = cut;
    }
    format!("{:?}", stream.finish())
}

#[test]
fn chunks_give_what_the_whole_text_gives() {
    for (name, scanner, text) in texts::of_cases() {
        // A text of many thousand bytes would be cut in as many ways; the short ones show the same.
        if text.len() > 2000 {
            continue;
        }
        let whole = format!("{:?}", scanner.scan(&text));
        for size in [1, 3] {
            let cuts = (1..text.len()).filter(|cut| cut % size == 0);
            assert_eq!(
                in_chunks(&scanner, &text, cuts),
                whole,
                "{name}: chunks of {size} bytes"
            );
        }
        for cut in (1..text.len()).step_by(1 + text.len() / 20) {
            assert_eq!(
                in_chunks(&scanner, &text, [cut].into_iter()),
                whole,
                "{name}: cut at {cut}"
            );
        }
    }
}

#[test]
fn broken_characters_become_replacement_characters_wherever_the_chunks_end() {
    let scanner = Scanner::new(toolscan::syntax::all(), toolscan::ScanOptions::default());
    let bytes = b"a\xff\xf0\x9f\x9b b\xc3(\xe2\x9c\x82\xed\xa0\x80 \xf0\x9f";
    let whole = String::from_utf8_lossy(bytes);
    for size in 1..bytes.len() {
        let mut stream = scanner.stream();
        bytes.chunks(size).for_each(|chunk| stream.push(chunk));
        stream.finish();
        assert_eq!(stream.text(), whole, "chunks of {size} bytes");
    }
}
