//! The Markdown structure against pulldown-cmark, on generated texts.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::*;

/// A fenced code block: offset of its first fence character, info string, content.
type Fenced = (usize, String, String);

fn ours(text: &str) -> Vec<Fenced> {
    let mut markdown = Markdown::new(text, Span::new(0, text.len()));
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = at + text[at..].find('\n').unwrap_or(text.len() - at);
        at = end + 1;
        let Some(opening) = markdown.opening(end) else {
            continue;
        };
        let block = markdown.read_fence(&opening);
        let content: String = block
            .lines
            .iter()
            .map(|line| " ".repeat(line.columns) + line.span.of(text) + "\n")
            .collect();
        found.push((opening.line.start, opening.info.of(text).to_owned(), content));
        markdown.claim(block.span);
        at = at.max(block.span.end);
    }
    found
}

fn theirs(text: &str) -> Vec<Fenced> {
    let mut found = Vec::new();
    let mut open: Option<Fenced> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let blanks = text[range.start..].find(['`', '~']).unwrap();
                open = Some((range.start + blanks, info.to_string(), String::new()));
            }
            Event::Text(piece) => {
                if let Some((.., content)) = &mut open {
                    content.push_str(&piece);
                }
            }
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

/// Lines alike but for blanks at their ends and blank lines at the end.
fn alike(fenced: Vec<Fenced>) -> Vec<Fenced> {
    let lines = |content: String| content.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    fenced
        .into_iter()
        .map(|(start, info, content)| (start, info, lines(content).trim_end().to_owned()))
        .collect()
}

fn block_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "> ", ">", "- ", "-", "+ ", "* ", "1. ", "1)", "2. ", "10) ", " ", "  ", "    ", "\n", "\n", "\n",
        "\n", "\n\n", "```", "```", "~~~", "````", "a", "b", "# ", "***", "---", "===", "```\n", "a\n",
        "\n  ", "\n> ", "\n- ",
    ]);
    prop::collection::vec(piece, 1..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fences_are_those_of_commonmark(text in block_text()) {
        prop_assert_eq!(alike(ours(&text)), alike(theirs(&text)), "{:?}", text);
    }

    /// Lines are skipped on the way to a far place, and read one by one where each is asked for.
    #[test]
    fn it_does_not_matter_which_lines_are_asked_for(text in block_text(), lines in "[ -]?( {0,5}\t?[a`é<\\[]{0,3}(\n|\r|\r\n)){0,5}") {
        let text = lines + &text;
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let mut near = Markdown::new(&text, Span::new(0, text.len()));
            for earlier in 0..at {
                near.in_fence(earlier);
            }
            let mut far = Markdown::new(&text, Span::new(0, text.len()));
            let answers = [&mut near, &mut far].map(|markdown| {
                (
                    markdown.in_fence(at),
                    markdown.inline_code(at),
                    markdown.at_line_start(at),
                    markdown.opening(at),
                    markdown.in_fence(text.len()),
                    markdown.opening(text.len()),
                )
            });
            prop_assert_eq!(&answers[0], &answers[1], "{:?} at {}", text, at);
        }
    }

    #[test]
    fn inline_code_is_that_of_commonmark(text in "[`a\\\\ ]{1,24}") {
        let text = format!("x {text}");
        let mut markdown = Markdown::new(&text, Span::new(0, text.len()));
        let mut ours: Vec<Span> = (0..text.len()).filter_map(|at| markdown.inline_code(at)).collect();
        ours.dedup();
        let parser = Parser::new(&text).into_offset_iter();
        let theirs: Vec<Span> = parser
            .filter(|(event, _)| matches!(event, Event::Code(_)))
            .map(|(_, range)| range.into())
            .collect();
        prop_assert_eq!(ours, theirs, "{:?}", text);
    }
}
