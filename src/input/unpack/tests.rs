use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::*;
use crate::input::open::unpacked;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/containers")
}

fn log() -> Vec<u8> {
    fs::read(folder().join("log.jsonl")).expect("the log is there")
}

/// The packed logs, by name.
fn packed() -> Vec<(String, Vec<u8>)> {
    let mut packed = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_file() && path.extension().is_none() {
            let name = path.file_name().expect("it has a name").to_string_lossy();
            packed.push((name.into_owned(), fs::read(&path).expect("it can be read")));
        }
    }
    assert!(packed.len() > 10, "there are packed logs");
    packed
}

/// What is read, and why there is no more.
fn read(bytes: &[u8]) -> (Vec<u8>, io::Result<()>) {
    let (mut reader, taken) = unpacked(Cursor::new(bytes.to_vec()));
    let mut read = Vec::new();
    let end = reader.read_to_end(&mut read).map(|_| ());
    if end.is_ok() {
        assert_eq!(taken.take(), bytes.len() as u64, "all bytes are counted");
    }
    (read, end)
}

#[test]
fn what_other_programs_pack_is_unpacked() {
    for (name, bytes) in packed() {
        let (read, end) = read(&bytes);
        end.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(read == log(), "{name}");
    }
}

/// Wherever a stream is cut, what stands before the cut is read, and the cut is told unless a stream ends there.
#[test]
fn cut_streams_end_with_an_error() {
    let log = log();
    for (name, bytes) in packed() {
        let mut silent = 0;
        for length in CODEC_SEEN..bytes.len() {
            let (read, end) = read(&bytes[..length]);
            // Of a stream within a stream too little may be left to know it by.
            let is_known = read.len() >= MAGIC_BYTES || !name.contains("-in-");
            assert!(log.starts_with(&read) || !is_known, "{name} cut at {length}");
            match end {
                Ok(()) => silent += 1,
                Err(error) => {
                    let reason = error.to_string();
                    assert!(reason.contains(" stream "), "{name} cut at {length}: {reason}");
                }
            }
        }
        // One for each stream but the last, and the padding behind streams.
        let seams = match &*name {
            "gzip-zeros" => 1003,
            "xz-streams" => 3 * 3 + 1,
            name if name.ends_with("frames") => 2 * 4 + 1,
            name if name.ends_with("streams") || name.ends_with("members") => 3,
            _ => 0,
        };
        assert!(silent <= seams, "{name} was cut {silent} times without a word");
    }
}

/// Bytes that a stream must have to be known for one.
const CODEC_SEEN: usize = 6;

/// Damage anywhere is an error or gives other bytes; nothing panics, and nothing grows without bound.
#[test]
fn damaged_streams_end() {
    for (_, bytes) in packed() {
        for place in 0..bytes.len().min(600) {
            for flip in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= flip;
                let (reader, _) = unpacked(Cursor::new(damaged));
                // A stream that claims to go on is only followed so far.
                let _ = io::copy(&mut reader.take(1 << 20), &mut io::sink());
            }
        }
    }
}

#[test]
fn what_stands_behind_a_stream_is_no_secret() {
    for (name, bytes) in packed() {
        let (read, end) = read(&[&bytes[..], b"{\"completion\": \"lost\"}\n"].concat());
        assert!(end.is_err(), "{name}");
        assert!(read == log() || log().starts_with(&read), "{name}");
    }
}

#[test]
fn plain_bytes_are_left_alone() {
    for bytes in [
        &b""[..],
        b"B",
        b"BZh",
        b"BZhello 1",
        b"\x1f",
        b"(",
        b"{\"completion\": 1}",
    ] {
        assert_eq!(read(bytes).0, bytes);
    }
}

#[test]
fn nesting_has_an_end() {
    let mut bytes = log();
    for depth in 1..=MOST_NESTED + 1 {
        bytes = zstd::bulk::compress(&bytes, 1).expect("it can be packed");
        let (unpacked, end) = read(&bytes);
        match depth <= MOST_NESTED {
            true => assert!(end.is_ok() && unpacked == log()),
            false => {
                let error = end.expect_err("it is nested too deep").to_string();
                assert!(error.contains("4 times") && unpacked.is_empty(), "{error}");
            }
        }
    }
}

/// A stream that wants more memory than it should have is refused, with the reason.
#[test]
fn greedy_streams_are_refused() {
    let mut options = liblzma::stream::LzmaOptions::new_preset(6).expect("6 is a preset");
    options.dict_size(256 << 20);
    let mut filters = liblzma::stream::Filters::new();
    filters.lzma2(&options);
    let stream = Stream::new_stream_encoder(&filters, liblzma::stream::Check::Crc32).expect("it is valid");
    let mut packed = Vec::new();
    liblzma::bufread::XzEncoder::new_stream(&log()[..], stream)
        .read_to_end(&mut packed)
        .expect("it can be packed");
    let error = read(&packed).1.expect_err("it is too large").to_string();
    assert!(error.contains("xz stream cannot be unpacked"), "{error}");

    // A frame's header: the magic bytes, no sizes, a window of 2^28 bytes.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, (28 - 10) << 3];
    frame.extend([0x01, 0x00, 0x00]);
    let error = read(&frame).1.expect_err("it is too large").to_string();
    assert!(error.contains("zstd stream cannot be unpacked"), "{error}");
}
