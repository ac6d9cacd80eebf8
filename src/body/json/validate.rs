//! Whether bytes are JSON, however deep they nest.

/// Checks that `bytes` are one JSON value (RFC 8259) in UTF-8, white space around it allowed. Depth has no limit: the
/// check does not recurse.
///
/// # Errors
///
/// The offset of the first fault and what was expected there.
pub fn validate(bytes: &[u8]) -> Result<(), (usize, String)> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err((error.valid_up_to(), "expected UTF-8".to_owned()));
    }
    Validator {
        bytes,
        at: 0,
        open: Vec::new(),
    }
    .run()
}

struct Validator<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The closing brackets that are owed.
    open: Vec<u8>,
}

type Checked = Result<(), (usize, String)>;

impl Validator<'_> {
    fn run(mut self) -> Checked {
        loop {
            self.value()?;
            // Behind a value: close what closes, until a comma asks for the next value.
            loop {
                self.skip_space();
                match (self.open.last().copied(), self.peek()) {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return self.expected("nothing behind the JSON value"),
                    (Some(closer), Some(byte)) if byte == closer => {
                        self.at += 1;
                        self.open.pop();
                    }
                    (Some(closer), Some(b',')) => {
                        self.at += 1;
                        if closer == b'}' {
                            self.key()?;
                        }
                        break;
                    }
                    _ => return self.expected("`,` or a closing bracket"),
                }
            }
        }
    }

    /// A scalar, an empty container, or the way down to the first scalar.
    fn value(&mut self) -> Checked {
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    self.open.push(b'}');
                    self.skip_space();
                    if self.peek() == Some(b'}') {
                        return Ok(());
                    }
                    self.key()?;
                }
                Some(b'[') => {
                    self.at += 1;
                    self.open.push(b']');
                    self.skip_space();
                    if self.peek() == Some(b']') {
                        return Ok(());
                    }
                }
                Some(b'"') => return self.string(),
                Some(b'-' | b'0'..=b'9') => return self.number(),
                _ => return self.literal(),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> Checked {
        Err((self.at, format!("expected {what}")))
    }

    fn key(&mut self) -> Checked {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return self.expected("a key in double quotes");
        }
        self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return self.expected("`:`");
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Checked {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(0x20..) => self.at += 1,
                Some(_) => return self.expected("no raw control character in a string"),
                None => return self.expected("the string's closing quote"),
            }
        }
    }

    fn escape(&mut self) -> Checked {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 2..self.at + 6);
                if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                    return self.expected("four hexadecimal digits");
                }
                self.at += 6;
            }
            _ => return self.expected("an escape that JSON knows"),
        }
        Ok(())
    }

    fn number(&mut self) -> Checked {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Checked {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == from {
            self.expected("a digit")
        } else {
            Ok(())
        }
    }

    fn literal(&mut self) -> Checked {
        for literal in [&b"true"[..], b"false", b"null"] {
            if self.bytes[self.at..].starts_with(literal) {
                self.at += literal.len();
                return Ok(());
            }
        }
        self.expected("a JSON value")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn depth_has_no_limit() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(validate(deep.as_bytes()), Ok(()));
        assert!(validate(&deep.as_bytes()[1..]).is_err());
    }

    #[test]
    fn bytes_that_are_not_utf8_are_not_json() {
        assert_eq!(validate(b"[\"a\xff\"]").map_err(|(at, _)| at), Err(3));
    }

    proptest! {
        #[test]
        fn agrees_with_a_reference(text in r#"[\[\]{}:,"\\0-9eE.+a-u\- \n]{0,24}"#) {
            // The reference also decodes: it rejects numbers beyond its range and lone surrogates, which are JSON.
            let reference: Result<serde::de::IgnoredAny, _> = serde_json::from_str(&text);
            prop_assert_eq!(validate(text.as_bytes()).is_ok(), reference.is_ok(), "{}", text);
        }
    }
}
