//! Tests of the Markdown structure: CommonMark's rules in tables, claims, and hostile texts.

use super::*;

fn markdown(text: &str) -> Markdown<'_> {
    Markdown::new(text, Span::new(0, text.len()))
}

/// What `X` stands in: `f`ence, `o`pening line, `i`nline code, or nothing of these.
fn around(text: &str) -> char {
    let at = text.find('X').unwrap();
    let mut markdown = markdown(text);
    if markdown.in_fence(at) {
        'f'
    } else if markdown.inline_code(at).is_some() {
        'i'
    } else if markdown.opening(at).is_some() {
        'o'
    } else {
        '-'
    }
}

#[test]
fn places() {
    for (expected, text) in [
        ('-', "X"),
        // Fences: length, character, indent, info.
        ('f', "```\nX\n```"),
        ('f', "~~~\nX"),
        ('-', "``\nX\n``"),
        ('f', "   ```\nX"),
        ('-', "    ```\nX"),
        ('-', "\t```\nX"),
        ('o', "```X"),
        ('o', "~~~ ` X ~"),
        ('i', "``` X```"),
        ('-', "``` X `\n"),
        ('f', "text\n```\nX"),
        ('-', "text ```\nX"),
        ('f', "# head\n```\nX"),
        ('f', "\u{feff}```\nX"),
        // Closing fences.
        ('-', "```\n```\nX"),
        ('-', "```\n``````  \t\nX"),
        ('f', "````\n```\nX"),
        ('f', "```\n~~~\nX"),
        ('f', "```\n``` a\nX"),
        ('-', "```\n   ```\nX"),
        ('f', "```\n    ```\nX"),
        ('f', "```\n\n\nX"),
        ('-', "```\r\n```\r\nX"),
        ('-', "```\r```\rX"),
        // Block quotes.
        ('f', "> ```\n> X"),
        ('f', ">```\n>X"),
        ('-', "> ```\nX"),
        ('f', "> ```\n>\n> X"),
        ('-', "> ```\n\nX"),
        ('f', "> > ```\n>> X"),
        ('-', "> > ```\n> X"),
        ('f', "   > ```\n   > X"),
        ('f', "```\n> ```\nX"),
        // List items.
        ('f', "- ```\n  X"),
        ('-', "- ```\nX"),
        ('f', "- ```\n\n  X"),
        ('f', "10) ```\n    X"),
        ('-', "10) ```\n   X"),
        ('-', "1234567890. ```\nX"),
        ('f', "- a\n\n  ```\n  X"),
        ('f', "-\n  ```\n  X"),
        ('f', "-\n\n  ```\n  X"),
        ('-', "-\n\n  ```\n  ```\nX"),
        ('f', "-   ```\n    X"),
        ('-', "-     ```\n      X"),
        ('f', "-\t```\n\tX"),
        ('f', "- ```\n\tX"),
        ('f', "* + 1. ```\n       X"),
        ('-', "* + 1. ```\n    X"),
        ('f', "> - ```\n>   X"),
        ('f', "- > ```\n  > X"),
        ('-', "-```\nX"),
        ('f', "+ - - ```\n\n      X"),
        // A list item interrupts a paragraph only if it holds something, and begins with 1.
        ('f', "a\n- ```\n  X"),
        ('f', "a\n1. ```\n   X"),
        ('-', "a\n2. ```\n   X"),
        ('f', "a\n2. ```\n   ```\nX"),
        ('f', "a\n\n2. ```\n   X"),
        ('-', "a\n\n2. ```\nX"),
        ('f', "- a\n2. ```\n   X"),
        ('-', "- a\n2. ```\nX"),
        // Thematic breaks and headings end paragraphs, and are no list items.
        ('f', "- - -\n  ```\n  X"),
        ('-', "- - x\n```\n```\nX"),
        ('-', "***\n    ```\n    X"),
        // Indented code cannot interrupt a paragraph, nor lazy continuation.
        ('-', "    `X`"),
        ('i', "a\n    `X`"),
        ('-', "a\n\n    `X`"),
        ('-', "# a\n    `X`"),
        ('-', "a\n===\n    `X`"),
        ('-', "a\n-\n    `X`"),
        ('i', "> a\n    `X`"),
        ('-', "> # a\n    `X`"),
        ('i', "> a\n===\n    `X`"),
        ('-', "> a\n---\n    `X`"),
        ('-', "- a\n\n      `X`"),
        ('i', "- a\n\n    `X`"),
        ('-', "####### a\n\n    `X`"),
        ('i', "####### a\n    `X`"),
        // A lazy line goes on with the paragraph, and with its containers.
        ('i', "> - a\n`b` `X`"),
        ('f', "- a\nb\n  ```\n  X"),
        // Inline code.
        ('i', "`X`"),
        ('i', "`` X ` ``"),
        ('-', "`` X `"),
        ('-', "`\nX`"),
        ('-', "`a` X `b`"),
        ('i', "`a` `X` `b`"),
        ('i', "`` ` `X` ``"),
        ('-', "\\`X`"),
        ('i', "\\\\`X`"),
        ('i', "\\``X`"),
        ('i', "`X\\`"),
        ('-', "`a\\` X`"),
        ('-', "a ```` X ` `` ``` "),
        ('i', "> - `X`"),
        ('i', "# `X`"),
    ] {
        assert_eq!(around(text), expected, "{text:?}");
    }
}

#[test]
fn line_starts() {
    for (expected, text) in [
        (true, "X"),
        (true, "\n  \u{3000}X"),
        (true, "> - 1. X"),
        (true, "\u{feff}X"),
        (false, "a X"),
        (false, "- a X"),
        (false, "-X"),
    ] {
        assert_eq!(
            markdown(text).at_line_start(text.find('X').unwrap()),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn inline_code_has_its_whole_span() {
    let text = "a ``X`` b";
    assert_eq!(markdown(text).inline_code(4), Some(Span::new(2, 7)));
    let text = "a \\``X` b";
    assert_eq!(markdown(text).inline_code(5), Some(Span::new(4, 7)));
}

/// The fence that opens at the first fence character of the text.
fn fence(text: &str) -> (FenceOpening, FenceBlock, Vec<String>) {
    let mut markdown = markdown(text);
    let opening = markdown.opening(text.find(['`', '~']).unwrap()).unwrap();
    let block = markdown.read_fence(&opening);
    let lines = block
        .lines
        .iter()
        .map(|line| " ".repeat(line.columns) + line.span.of(text));
    let lines = lines.collect();
    markdown.claim(block.span);
    (opening, block, lines)
}

#[test]
fn fences_are_read_to_their_end() {
    use FenceEnd::{Closed, Container, Unclosed};
    for (text, span, end, lines) in [
        ("```a\nb\n```\nc", "```a\nb\n```", Closed, vec!["b"]),
        ("```a\r\nb\r\n``` \t\r\nc", "```a\r\nb\r\n```", Closed, vec!["b"]),
        (
            "  ~~~\n a\n   b\n ~~~~\n",
            "~~~\n a\n   b\n ~~~~",
            Closed,
            vec!["a", " b"],
        ),
        ("```\na\n", "```\na\n", Unclosed, vec!["a"]),
        ("```", "```", Unclosed, vec![]),
        ("```\n", "```\n", Unclosed, vec![]),
        ("> ```\n> a\nb", "```\n> a", Container, vec!["a"]),
        ("> ```\nb", "```", Container, vec![]),
        (
            "- ```\n  a\n\n \n",
            "```\n  a\n\n \n",
            Unclosed,
            vec!["a", "", ""],
        ),
        ("- ```\n  a\n\nb", "```\n  a", Container, vec!["a"]),
        ("- ```\n  a\n- b", "```\n  a", Container, vec!["a"]),
        ("- ```\n  a\n  ```\n- b", "```\n  a\n  ```", Closed, vec!["a"]),
        ("- ```\n\ta\n  ```\n", "```\n\ta\n  ```", Closed, vec!["  a"]),
        (
            ">  ```\n>    a\n> b\n> ```\n",
            "```\n>    a\n> b\n> ```",
            Closed,
            vec!["  a", "b"],
        ),
        (
            "- > ```\n  > a\n  > ```",
            "```\n  > a\n  > ```",
            Closed,
            vec!["a"],
        ),
    ] {
        let (_, block, found) = fence(text);
        assert_eq!((block.span.of(text), block.end), (span, end), "{text:?}");
        assert_eq!(found, lines, "{text:?}");
    }
}

#[test]
fn openings_have_their_info_trimmed() {
    let text = "- ~~~~  a b\t \r\n";
    let (opening, ..) = fence(text);
    assert_eq!(opening.line.of(text), "~~~~  a b\t ");
    assert_eq!((opening.character, opening.length), (b'~', 4));
    assert_eq!(opening.info.of(text), "a b");
}

/// Takes what stands between `{` and `}` as claims, between `(` and `)` as hidden, and asks about `X`.
fn behind_claims(text: &str) -> char {
    let mut markdown = markdown(text);
    let mut at = 0;
    while let Some(offset) = text[at..].find(['{', '(', 'X']) {
        at += offset;
        let close = match text.as_bytes()[at] {
            b'{' => '}',
            b'(' => ')',
            _ => {
                return if markdown.in_fence(at) {
                    'f'
                } else if markdown.inline_code(at).is_some() {
                    'i'
                } else if markdown.opening(at).is_some() {
                    'o'
                } else {
                    '-'
                };
            }
        };
        markdown.inline_code(at);
        let end = at + text[at..].find(close).unwrap() + 1;
        let span = Span::new(at, end);
        if close == '}' {
            markdown.claim(span);
        } else {
            markdown.hide(span);
        }
        at = end;
    }
    panic!("no X in {text:?}");
}

#[test]
fn claims_are_opaque() {
    for (expected, text) in [
        ('-', "{\n```\n}X"),
        ('-', "{\n```\n}\nX"),
        ('f', "```\n{\n```\n}\nX"),
        ('-', "```\n{\n```\n}\n```\nX"),
        // The line goes on behind the claim.
        ('-', "a {\n\n}```\nX"),
        ('-', "{\n}```\nX"),
        ('i', "{\n} `X`"),
        ('-', "{`} X `"),
        ('-', "{`\n`} X `"),
        ('i', "a ` {\n} X `"),
        ('-', "a ` `` {\n} `` `X ` ``"),
        ('i', "a ` `` {\n} `` ` `` X ``"),
        ('i', "a ` `` {\n} X ``"),
        ('i', "a ` `` {\n} `` X `"),
        ('-', "a ` `` {\n} `` `X`"),
        ('-', "a `` {\n} `` X ``"),
        ('i', "a ` {\n}{\n}{\n} X `"),
        ('i', "a ` {\n} b {\n} `` X `"),
        ('-', "``` {\n}```\n\nX"),
        ('f', "``` {\n}\nX"),
        ('-', "- {\n}\n\n      `X`"),
        // What is hidden is not there at all.
        ('o', "()```X"),
        ('o', "(\n)()  ```X"),
        ('f', "(\n)```\nX"),
        ('f', "- (\n)```\n  X"),
        ('f', "a\n( )- ```\n  X"),
        ('-', "a ()```X"),
        ('-', "()\n    `X`"),
        ('-', "a\n(\n)\n    `X`"),
        ('i', "a ` (\n) X `"),
    ] {
        assert_eq!(behind_claims(text), expected, "{text:?}");
    }
}

/// Asks everything at every place of `text` that `every` divides.
fn ask(text: &str, every: usize) {
    let mut markdown = markdown(text);
    for at in (0..text.len()).step_by(every) {
        markdown.in_fence(at);
        markdown.inline_code(at);
        markdown.at_line_start(at);
        markdown.opening(at);
    }
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let started = std::time::Instant::now();
    let lengths: String = (1..1400).map(|length| "`".repeat(length) + " ").collect();
    let deep = "> - ".repeat(64);
    for text in [
        lengths.clone(),
        lengths + &"` `` ``` ".repeat(100_000),
        "\\`".repeat(500_000),
        "`a".repeat(500_000),
        "> ".repeat(500_000),
        "- ".repeat(500_000) + "x",
        "- * ".repeat(250_000) + "x",
        "- ".repeat(200) + "\n" + &"\n".repeat(500_000),
        "- ".repeat(200) + "\n" + &" ".repeat(500_000) + "x",
        deep.clone() + "\n" + &(deep + "\n").repeat(2_000),
        "```\n".repeat(200_000),
        "> ```\n```\n".repeat(100_000),
        " ".repeat(500_000) + &"a".repeat(500_000),
        "1. ".repeat(300_000),
        "\t".repeat(500_000),
    ] {
        ask(&text, 2);
    }
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
}

#[test]
fn many_claims_on_one_line_are_read_in_linear_time() {
    let started = std::time::Instant::now();
    let lengths: String = (1..600).map(|length| "`".repeat(length) + " ").collect();
    for text in [
        "{\n}".repeat(200_000),
        "(\n)".repeat(200_000),
        lengths + &"{\n}``x".repeat(100_000),
    ] {
        behind_claims(&(text + "X"));
    }
    assert!(started.elapsed().as_secs() < 20, "took {:?}", started.elapsed());
}
