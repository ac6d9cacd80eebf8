//! What a case expects against what the scan found. Only the keys that the case gives are compared.

use std::collections::BTreeMap;

use toml::{Table, Value};
use toolscan::{Call, Diagnostic, Scan, Span};

use crate::cases::Case;

/// Stands for null, which TOML does not have.
const NULL: &str = "<null>";

/// The differences between a case and its scan, one line each.
pub(crate) fn case(case: &Case) -> Vec<String> {
    let scanner = case.scanner();
    let text = case.whole_text();
    let scan = scanner.scan_turn(&text, case.turn());
    let mut mismatches = match case.call_count {
        Some(_) => Vec::new(),
        None => calls(case, &scan),
    };
    if case.error_counts.is_none() {
        mismatches.extend(errors(case, &scan));
    }
    let of_whole = [
        unequal("call_count", case.call_count, scan.calls.len()),
        unequal("call_bytes", case.call_bytes, scan.call_bytes),
        unequal("think_bytes", case.think_bytes, scan.think_bytes),
        unequal("cut", case.cut, scan.cut),
    ];
    mismatches.extend(of_whole.into_iter().flatten());
    mismatches.extend(unequal("error_counts", case.error_counts.clone(), counts(&scan)));
    mismatches
}

/// How many findings of each code there are.
fn counts(scan: &Scan) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for finding in &scan.diagnostics {
        *counts.entry(finding.code.name().to_owned()).or_default() += 1;
    }
    counts
}

fn unequal<T: PartialEq + std::fmt::Debug>(field: &str, expected: Option<T>, got: T) -> Option<String> {
    let expected = expected.filter(|expected| *expected != got)?;
    Some(format!("{field}: expected {expected:?}, got {got:?}"))
}

fn calls(case: &Case, scan: &Scan) -> Vec<String> {
    let mut mismatches = Vec::new();
    for (index, (expected, call)) in case.calls.iter().zip(&scan.calls).enumerate() {
        for (key, expected) in expected {
            let got = call_field(key, call, index, &case.text);
            mismatches.extend(
                difference(expected, got.as_ref())
                    .map(|difference| format!("calls[{index}].{key}: {difference}")),
            );
        }
    }
    for (index, missing) in case.calls.iter().enumerate().skip(scan.calls.len()) {
        mismatches.push(format!("calls[{index}]: expected {missing}, got none"));
    }
    for (index, call) in scan.calls.iter().enumerate().skip(case.calls.len()) {
        let name = call.name.as_deref();
        mismatches.push(format!(
            "calls[{index}]: expected none, got {name:?} at {:?}",
            call.span
        ));
    }
    mismatches
}

/// Why a value is not the expected one; `got` is `None` where no such key exists.
fn difference(expected: &Value, got: Option<&Value>) -> Option<String> {
    let Some(got) = got else {
        return Some("there is no such key".to_owned());
    };
    let equal = match (expected, got) {
        (&Value::Integer(expected), &Value::Float(got)) => expected as f64 == got,
        _ => expected == got,
    };
    (!equal).then(|| format!("expected {expected}, got {got}"))
}

fn call_field(key: &str, call: &Call, index: usize, text: &str) -> Option<Value> {
    let strings = |list: &[&str]| Value::Array(list.iter().map(|&item| item.into()).collect());
    let value = match key {
        "syntax" => call.syntax.into(),
        "block_index" => number(call.block_index),
        "call_index" => number(index),
        "name" => optional(call.name.as_deref()),
        "call_id" => optional(call.call_id.as_deref()),
        "call_id_generated" => call.call_id_generated.into(),
        "arguments" => optional(call.arguments.as_deref()),
        "raw_args" => optional(call.raw_args.as_deref()),
        "body" => optional(call.body.as_deref()),
        "dependencies" => call.dependencies.as_ref().map_or(NULL.into(), |ids| {
            strings(&ids.iter().map(AsRef::as_ref).collect::<Vec<_>>())
        }),
        "state" => optional(call.state.as_deref()),
        "operation" => optional(call.operation.as_deref()),
        "priority" => call.priority.map_or(NULL.into(), Value::Float),
        "events" => call.events.as_ref().map_or(NULL.into(), |events| strings(events)),
        "result_status" => optional(call.result_status.as_deref()),
        "output" => optional(call.output.as_deref()),
        "error_text" => optional(call.error_text.as_deref()),
        "extra" => optional(call.extra.as_deref()),
        "termination" => optional(call.termination.map(toolscan::Termination::name)),
        "span" => call.span.map_or(NULL.into(), range),
        "covers" => optional(call.span.map(|span| span.of(text))),
        "valid" => call.is_valid().into(),
        "codes" => strings(&call.codes.names()),
        _ => return None,
    };
    Some(value)
}

fn number(value: usize) -> Value {
    Value::Integer(i64::try_from(value).expect("offsets in a case are small"))
}

fn optional(value: Option<&str>) -> Value {
    value.unwrap_or(NULL).into()
}

fn range(span: Span) -> Value {
    Value::Array(vec![number(span.start), number(span.end)])
}

fn errors(case: &Case, scan: &Scan) -> Vec<String> {
    let found = &scan.diagnostics;
    let fits: Vec<Vec<usize>> = case
        .errors
        .iter()
        .map(|expected| {
            let fit = |&place: &usize| error_fits(expected, &found[place], &case.text);
            (0..found.len()).filter(fit).collect()
        })
        .collect();
    let partner = pair(&fits, found.len());
    let mut mismatches = Vec::new();
    for (index, expected) in case.errors.iter().enumerate() {
        if !partner.contains(&Some(index)) {
            mismatches.push(format!(
                "errors[{index}]: expected {}, not found",
                one_line(expected)
            ));
        }
        for key in expected.keys().filter(|key| !ERROR_KEYS.contains(&key.as_str())) {
            mismatches.push(format!("errors[{index}].{key}: there is no such key"));
        }
    }
    for (error, _) in found
        .iter()
        .zip(&partner)
        .filter(|(_, partner)| partner.is_none())
    {
        mismatches.push(format!(
            "errors: not expected, but found: {}",
            describe(error, &case.text)
        ));
    }
    mismatches
}

const ERROR_KEYS: [&str; 8] = [
    "code",
    "severity",
    "syntax",
    "detail",
    "call_index",
    "span",
    "covers",
    "message_has",
];

fn error_fits(expected: &Table, error: &Diagnostic, text: &str) -> bool {
    expected.iter().all(|(key, expected)| {
        let got = match key.as_str() {
            "code" => error.code.name().into(),
            "severity" => error.severity.name().into(),
            "syntax" => optional(error.syntax),
            "detail" => optional(error.detail.as_deref()),
            "call_index" => error.call_index.map_or(NULL.into(), number),
            "span" => range(error.span),
            "covers" => error.span.of(text).into(),
            "message_has" => {
                return expected.as_str().is_some_and(|part| error.message.contains(part));
            }
            _ => return true,
        };
        *expected == got
    })
}

/// Gives every expected error a found one of its own, as many as possible; `fits` lists the found ones that
/// would do. Returns the expected one of each found one.
fn pair(fits: &[Vec<usize>], found: usize) -> Vec<Option<usize>> {
    let mut partner = vec![None; found];
    for index in 0..fits.len() {
        let mut tried = vec![false; found];
        seat(index, fits, &mut partner, &mut tried);
    }
    partner
}

fn seat(index: usize, fits: &[Vec<usize>], partner: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for &place in &fits[index] {
        if std::mem::replace(&mut tried[place], true) {
            continue;
        }
        if partner[place].is_none_or(|other| seat(other, fits, partner, tried)) {
            partner[place] = Some(index);
            return true;
        }
    }
    false
}

fn one_line(table: &Table) -> String {
    let pairs: Vec<_> = table
        .iter()
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    pairs.join(", ")
}

fn describe(error: &Diagnostic, text: &str) -> String {
    format!(
        "code = {:?}, severity = {:?}, syntax = {:?}, detail = {:?}, call_index = {:?}, span = {:?}, covers = {:?}, \
         message = {:?}",
        error.code.name(),
        error.severity.name(),
        error.syntax.unwrap_or(NULL),
        error.detail.as_deref().unwrap_or(NULL),
        error.call_index,
        [error.span.start, error.span.end],
        error.span.of(text),
        error.message,
    )
}

#[test]
fn a_general_expectation_leaves_the_only_fitting_error_to_a_special_one() {
    let fits = [vec![0, 1], vec![0]];
    assert_eq!(pair(&fits, 2), [Some(1), Some(0)]);
}
