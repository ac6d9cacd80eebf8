//! What holds for every syntax and every text.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use toolscan::{Call, Code, Diagnostic, Scan, Scanner, Termination};

use crate::texts;

/// Words that belong to no format, in a paragraph of their own.
const FILLER: &str = "\n\nplain words\n\n";

/// Longer texts are not tried at every prefix.
const LONGEST_TO_CUT: usize = 4096;

#[test]
fn any_prefix_of_a_case_scans() {
    let mut broken = Vec::new();
    for (name, scanner, text) in texts::of_cases() {
        let cuts = text
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|&at| at <= LONGEST_TO_CUT);
        for cut in cuts.chain([text.len()]) {
            let prefix = &text[..cut];
            let held = catch_unwind(AssertUnwindSafe(|| spans_hold(&scanner, prefix)));
            if held.is_err() {
                broken.push(format!("{name}, cut at {cut}"));
                break;
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Panics unless every span lies in the text, at character boundaries, and calls stand apart and in order.
fn spans_hold(scanner: &Scanner, text: &str) {
    let scan = scanner.scan(text);
    for finding in &scan.diagnostics {
        let span = finding.span;
        assert!(
            text.get(span.start..span.end).is_some(),
            "{finding:?} in {text:?}"
        );
        assert!(
            finding.call_index.is_none_or(|index| index < scan.calls.len()),
            "{finding:?}"
        );
    }
    let mut end = 0;
    let mut block = 0;
    for call in &scan.calls {
        let span = call.span.expect("a call in a text has a place");
        assert!(
            !span.is_empty() && text.get(span.start..span.end).is_some(),
            "{call:?} in {text:?}"
        );
        assert!(
            span.start >= end && call.block_index >= block,
            "{call:?} overlaps in {text:?}"
        );
        (end, block) = (span.end, call.block_index);
    }
    assert!(scan.call_bytes + scan.think_bytes <= text.len(), "{text:?}");
}

#[test]
fn a_text_twice_holds_everything_twice() {
    for (name, scanner, text) in texts::of_cases() {
        let once = scanner.scan(&text);
        if depends_on_its_ends(&once, &text) {
            continue;
        }
        let text_twice = format!("{text}{FILLER}{text}");
        let twice = scanner.scan(&text_twice);
        let shift = text.len() + FILLER.len();
        let expected: Vec<_> = [0, shift]
            .into_iter()
            .flat_map(|shift| outline(&once, shift))
            .collect();
        assert_eq!(expected, outline(&twice, 0), "{name}: {text_twice:?}");
    }
}

/// Whether something in the text reaches to its end or looks at its start: then a second copy behind it means
/// something else. Ids count within the whole completion, so calls that bear one do too.
fn depends_on_its_ends(scan: &Scan, text: &str) -> bool {
    let open_call = |call: &Call| call.termination == Some(Termination::EndOfText);
    let own_id = |call: &Call| call.syntax == "gadget_block" && !call.call_id_generated;
    let at_an_end = |finding: &Diagnostic| {
        finding.syntax == Some("scissors_cat")
            || matches!(
                finding.code,
                Code::UnclosedBlock | Code::UnclosedHeader | Code::OrphanResults | Code::InvalidResults
            )
    };
    let looks_at_start = |call: &Call| call.syntax == "scissors_cat";
    let fences = plain_text(scan, text)
        .lines()
        .filter(|line| line.contains("```") || line.contains("~~~"))
        .count();
    scan.cut
        || !scan.overflow.is_empty()
        || scan
            .calls
            .iter()
            .any(|call| open_call(call) || own_id(call) || looks_at_start(call))
        || scan.diagnostics.iter().any(at_an_end)
        || text.contains("think")
        || text.contains('🐱')
        || text.starts_with('\u{feff}')
        || text.trim_start().starts_with(['[', '{'])
        || fences % 2 == 1
}

/// The text without its calls.
fn plain_text(scan: &Scan, text: &str) -> String {
    let mut plain = String::new();
    let mut end = 0;
    for call in scan.calls.iter().filter_map(|call| call.span) {
        plain.push_str(&text[end..call.start]);
        end = call.end;
    }
    plain + &text[end..]
}

/// The calls and findings with their places moved by `shift`, in comparable form.
fn outline(scan: &Scan, shift: usize) -> Vec<String> {
    let calls = scan.calls.iter().map(|call| {
        let start = call.span.expect("a call in a text has a place").start + shift;
        let (name, arguments, body) = (&call.name, &call.arguments, &call.body);
        (
            start,
            format!("call {name:?} {arguments:?} {body:?} {:?}", call.codes.names()),
        )
    });
    let findings = scan.diagnostics.iter().map(|finding| {
        let detail = &finding.detail;
        let span = [finding.span.start + shift, finding.span.end + shift];
        (span[0], format!("{} {detail:?} {span:?}", finding.code.name()))
    });
    let mut outline: Vec<_> = calls.chain(findings).collect();
    outline.sort();
    outline
        .into_iter()
        .map(|(start, what)| format!("{start} {what}"))
        .collect()
}

#[test]
fn the_automaton_sees_what_a_slow_search_sees_in_cases() {
    for (_, scanner, text) in texts::of_cases() {
        marks_hold(&scanner, &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_automaton_sees_what_a_slow_search_sees(text in texts::mixtures()) {
        marks_hold(&texts::scanner(), &text);
    }

    #[test]
    fn any_mixture_scans(text in texts::mixtures()) {
        spans_hold(&texts::scanner(), &text);
    }
}

/// Panics unless the marks of the one pass are those found by asking every syntax at every place where one of
/// its anchors stands.
fn marks_hold(scanner: &Scanner, text: &str) {
    let mut expected = Vec::new();
    for (index, syntax) in scanner.syntaxes().iter().enumerate() {
        let anchors = syntax.anchors();
        for at in 0..text.len() {
            if anchors
                .iter()
                .any(|anchor| text.as_bytes()[at..].starts_with(anchor))
            {
                expected.extend(syntax.recognise(text, at).map(|mark| (index, mark)));
            }
        }
    }
    let key = |(index, mark): &(usize, toolscan::syntax::Mark)| (*index, mark.span, mark.kind);
    let mut found = scanner.marks(text);
    found.sort_by_key(key);
    expected.sort_by_key(key);
    expected.dedup();
    assert_eq!(found, expected, "in {text:?}");
}
