//! Text that is not UTF-8 at all.

use std::io;

/// Bytes by which it is seen.
pub(super) const SEEN_BYTES: usize = 4 << 10;

/// Refuses UTF-16, by its byte order mark or by a zero in every other byte.
pub(super) fn check(head: &[u8]) -> io::Result<()> {
    let name = match head {
        [0xff, 0xfe, 0, 0, ..] => return Ok(()),
        [0xff, 0xfe, ..] => "UTF-16LE",
        [0xfe, 0xff, ..] => "UTF-16BE",
        _ if is_half_zeros(head, 1) => "UTF-16LE",
        _ if is_half_zeros(head, 0) => "UTF-16BE",
        _ => return Ok(()),
    };
    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the text is {name}, and logs are UTF-8; convert it with `iconv -f {name} -t UTF-8`"),
    ))
}

/// Whether nearly all pairs of bytes have a zero here and none there. JSON has little text that is not ASCII at its
/// start, and UTF-8 has no zeros.
fn is_half_zeros(head: &[u8], here: usize) -> bool {
    let head = &head[..head.len().min(SEEN_BYTES)];
    let pairs = head.chunks_exact(2);
    let all = pairs.len();
    let zeros = pairs
        .filter(|pair| pair[here] == 0 && pair[1 - here] != 0)
        .count();
    all >= 2 && zeros * 10 >= all * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf_16_is_told_from_everything_else() {
        for text in ["{}", "{\"completion\": \"äöü 🛠️[\"}", "\u{feff}{}"] {
            let (little, big) = (utf_16(text, u16::to_le_bytes), utf_16(text, u16::to_be_bytes));
            let error = check(&little).expect_err("it is UTF-16").to_string();
            assert!(error.contains("iconv -f UTF-16LE "), "{error}");
            let error = check(&big).expect_err("it is UTF-16").to_string();
            assert!(error.contains("iconv -f UTF-16BE "), "{error}");
            assert!(check(text.as_bytes()).is_ok(), "{text}");
        }
        for bytes in [&b""[..], b"\0", b"{}\0\0\0\0\0\0", b"\xff\xfe\0\0{\0\0\0"] {
            assert!(check(bytes).is_ok(), "{bytes:?}");
        }
    }
}
