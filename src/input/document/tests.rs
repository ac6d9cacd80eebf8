use std::io::{Cursor, Read};

use super::*;

const RECORDS: [&str; 6] = [
    r#"{"a": "]}\"", "b": [1, {}]}"#,
    "{}",
    "{\n  \"c\": \"\u{fc}\u{1f6e0}\",\n  \"d\": NaN\n}",
    "12.5",
    "null",
    "[\n1,\n2\n]",
];

/// Documents, the path to their array, and whether it is read as values.
fn documents() -> Vec<(String, Option<Vec<String>>)> {
    let path = |keys: &[&str]| Some(keys.iter().map(|&key| key.to_owned()).collect());
    let list = RECORDS.join(",\n  ");
    vec![
        (RECORDS.join("\n"), None),
        (format!("\u{feff} {} ", RECORDS.join(" ")), None),
        (format!("[{}]", RECORDS.join(",")), path(&[])),
        (format!("\r\n[\n  {list}\n]\n"), path(&[])),
        (
            format!(
                "{{\"other\": [{{\"rows\": [3]}}, \"]\"], \"rows\": [{list}], \"behind\": {{\"n\": [1]}}}}"
            ),
            path(&["rows"]),
        ),
        (
            format!("{{\"rows\": {{\"n\": 1, \"rows\": [{list}], \"more\": 2}}, \"n\": 3}}"),
            path(&["rows", "rows"]),
        ),
    ]
}

/// Reads a few bytes at a time.
struct Slowly(Cursor<Vec<u8>>, usize);

impl Read for Slowly {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

/// The whole records with their offsets, and why there are no more.
fn records(text: &str, path: Option<Vec<String>>, step: usize) -> (Vec<(usize, String)>, io::Result<()>) {
    let reader = Slowly(Cursor::new(text.as_bytes().to_vec()), step);
    let mut document = Document::new(Box::new(reader), path, 1000);
    let mut records = Vec::new();
    let mut bytes = Vec::new();
    loop {
        match document.next(&mut bytes) {
            Ok(Some(found)) if found.is_whole => {
                let record = String::from_utf8_lossy(&bytes[found.bytes]).into_owned();
                records.push((found.offset as usize, record));
            }
            Ok(Some(_)) => {}
            Ok(None) => return (records, Ok(())),
            Err(error) => return (records, Err(error)),
        }
    }
}

#[test]
fn every_record_is_found_where_it_stands() {
    for (text, path) in documents() {
        for step in [1, 7, 1 << 20] {
            let (found, end) = records(&text, path.clone(), step);
            end.unwrap_or_else(|error| panic!("{text}: {error}"));
            let texts: Vec<_> = found.iter().map(|(_, record)| record.as_str()).collect();
            assert_eq!(texts, RECORDS, "{text}");
            for (offset, record) in found {
                assert!(text[offset..].starts_with(&record), "{text} at {offset}");
            }
        }
    }
}

/// Wherever a document is cut, the records before the cut are found, and the cut is told.
#[test]
fn cut_documents_keep_their_records() {
    for (text, path) in documents() {
        let (whole, _) = records(&text, path.clone(), 1 << 20);
        for length in (1..text.trim_end().len()).filter(|&length| text.is_char_boundary(length)) {
            let (found, end) = records(&text[..length], path.clone(), 1 << 20);
            let is_before = |(offset, record): &&(usize, String)| offset + record.len() <= length;
            let before = whole.iter().filter(is_before).count();
            assert_eq!(found[..before], whole[..before], "{:?}", &text[..length]);
            // A number may go on behind the cut, or not.
            assert!(found.len() <= before + 1);
            assert!(end.is_err() || path.is_none(), "{:?}", &text[..length]);
        }
    }
}

#[test]
fn what_stands_behind_a_document_is_read_too() {
    let (found, end) = records("[1]\n{\"a\": 2}\n[3]", Some(Vec::new()), 3);
    let texts: Vec<_> = found.into_iter().map(|(_, record)| record).collect();
    assert_eq!(texts, ["1", "{\"a\": 2}", "[3]"]);
    assert!(end.is_ok());
}

#[test]
fn a_quote_that_is_missing_costs_one_record() {
    let (found, end) = records(
        "[\n{\"a\": 1},\n{\"a\": \"2},\n{\"a\": 3}\n]",
        Some(Vec::new()),
        5,
    );
    let texts: Vec<_> = found.into_iter().map(|(_, record)| record).collect();
    assert_eq!(texts[0], "{\"a\": 1}");
    assert!(texts.len() < 3 && end.is_err(), "{texts:?}");
}

#[test]
fn of_a_record_beyond_the_limit_the_head_is_kept() {
    let text = format!("[1, {{\"a\": \"{}\"}}, 3]", "x".repeat(2000));
    let mut document = Document::new(Box::new(Cursor::new(text.into_bytes())), Some(Vec::new()), 1000);
    let mut bytes = Vec::new();
    let mut lengths = Vec::new();
    while let Some(found) = document.next(&mut bytes).expect("it is whole") {
        lengths.push((found.length, found.bytes.len()));
    }
    assert_eq!(lengths, [(1, 1), (2009, 160), (1, 1)]);
}

#[test]
fn a_stream_that_breaks_says_so() {
    let broken = crate::input::open::broken(io::Error::other("the disk is gone"));
    let reader = Cursor::new(b"[{\"a\": 1}, {\"b\": ".to_vec()).chain(broken);
    let mut document = Document::new(Box::new(reader), Some(Vec::new()), 1000);
    let mut bytes = Vec::new();
    let whole = |found: Option<Found>| found.map(|found| found.is_whole);
    assert_eq!(whole(document.next(&mut bytes).expect("it is whole")), Some(true));
    assert_eq!(
        whole(document.next(&mut bytes).expect("it is begun")),
        Some(false)
    );
    let error = document.next(&mut bytes).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("the disk is gone"));
}
