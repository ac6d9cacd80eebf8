//! Text that models wrote, made safe to show: control characters are drawn, never sent to the terminal.

use std::borrow::Cow;

/// `text` on one line, with a picture in the place of each control character and of each character that changes
/// the direction of text.
pub(crate) fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('␊'),
            '\t' => shown.push('␉'),
            _ => shown.push_str(&annotate_snippets::normalize_untrusted_str(
                keep_length(character).encode_utf8(&mut [0; 4]),
            )),
        }
    }
    shown
}

/// `text` on as many lines as it has, each as [`line`] makes it.
pub(crate) fn lines(text: &str) -> String {
    let mut shown: String = text.lines().map(|text| line(text) + "\n").collect();
    if !text.ends_with('\n') {
        shown.pop();
    }
    shown
}

/// JSON text in which control characters and those that change the direction of text are escaped, as they may be.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    let is_bare = |character: char| match character {
        '\n' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    };
    if !text.contains(is_bare) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_bare(character) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// `text` for a snippet, which draws the ASCII control characters itself. Every byte keeps its place.
pub(crate) fn source(text: &str) -> Cow<'_, str> {
    if text.chars().any(|character| keep_length(character) != character) {
        return text.chars().map(keep_length).collect();
    }
    Cow::Borrowed(text)
}

/// The control characters U+0080 to U+009F start terminal commands as well; `¤` is as long as they are.
fn keep_length(character: char) -> char {
    match character {
        '\u{80}'..='\u{9f}' => '¤',
        _ => character,
    }
}

/// The first `limit` bytes of a shown text, and how many more there are.
pub(crate) fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let end = (0..=limit)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    let kept = &text[..end];
    Cow::Owned(format!("{kept}… ({} bytes more)", text.len() - kept.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        let text = "a\u{1b}[31m\n\t\r\u{9b}2J\u{202e}\u{7f}b";
        assert_eq!(line(text), "a␛[31m␊␉␍¤2J�␡b");
        assert_eq!(source("\u{9b}2J").len(), "\u{9b}2J".len());
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(lines("a\u{1b}[2J\r\nb\r\n"), "a␛[2J\nb\n");
        assert_eq!(lines("a\n\u{9b}b"), "a\n¤b");
    }

    #[test]
    fn json_says_the_same_without_bare_controls() {
        let value = serde_json::json!({"a\u{9b}": "\u{1b}\u{7f}\u{85}\u{202e}\u{2067}🐱\n"});
        let pretty = format!("{value:#}\n");
        let shown = json(&pretty);
        assert!(
            !shown.contains(['\u{9b}', '\u{7f}', '\u{85}', '\u{202e}', '\u{2067}']),
            "{shown}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).ok(),
            Some(value)
        );
    }

    #[test]
    fn long_text_says_how_much_is_left() {
        assert_eq!(shorten("häuser", 2), "h… (6 bytes more)");
        assert_eq!(shorten("haus", 4), "haus");
    }
}
