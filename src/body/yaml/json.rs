//! A YAML value as compact JSON.

use super::scalar::Kind;
use super::{Content, Field, Node};
use crate::body::json::write_string;

/// Decimal digits in one place of a number that is turned from another base.
const PLACE: u64 = 1_000_000_000;

/// Appends `node` to `out`.
pub(super) fn write(node: &Node<'_>, out: &mut String) {
    match &node.content {
        Content::Scalar(kind, text) => write_scalar(*kind, text, out),
        Content::Sequence(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                separate(place, out);
                write(item, out);
            }
            out.push(']');
        }
        Content::Mapping(fields) => write_object(fields.iter(), out),
    }
}

/// Appends an object of these fields.
pub(super) fn write_object<'f, 'y: 'f>(fields: impl Iterator<Item = &'f Field<'y>>, out: &mut String) {
    out.push('{');
    for (place, (key, value)) in fields.enumerate() {
        separate(place, out);
        write_string(&key.text, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

fn separate(place: usize, out: &mut String) {
    if place > 0 {
        out.push(',');
    }
}

fn write_scalar(kind: Kind, text: &str, out: &mut String) {
    match kind {
        Kind::Null => out.push_str("null"),
        Kind::Boolean => out.push_str(&text.to_ascii_lowercase()),
        Kind::Integer | Kind::Float => write_number(text, out),
        Kind::Radix(radix) => write_decimal(&text[2..], radix, out),
        Kind::String => write_string(text, out),
    }
}

/// Appends a decimal number in the spelling that JSON allows: no `+` in front, one digit at least on each side of
/// the point, and no zeros before the first digit that counts.
fn write_number(text: &str, out: &mut String) {
    if text.starts_with('-') {
        out.push('-');
    }
    let unsigned = text.trim_start_matches(['-', '+']);
    let end = unsigned
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(unsigned.len());
    let (whole, rest) = unsigned.split_at(end);
    let digits = whole.trim_start_matches('0');
    out.push_str(if digits.is_empty() { "0" } else { digits });
    match rest.strip_prefix('.') {
        Some(fraction) => {
            out.push('.');
            if !fraction.starts_with(|character: char| character.is_ascii_digit()) {
                out.push('0');
            }
            out.push_str(fraction);
        }
        None => out.push_str(rest),
    }
}

/// Appends the number with these digits in decimal, however many they are.
fn write_decimal(digits: &str, radix: u32, out: &mut String) {
    // The number's places to the base of `PLACE`, the last one first.
    let mut places: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|digit| digit.to_digit(radix)) {
        let mut carry = u64::from(digit);
        for place in &mut places {
            let value = *place * u64::from(radix) + carry;
            *place = value % PLACE;
            carry = value / PLACE;
        }
        if carry > 0 {
            places.push(carry);
        }
    }
    let mut places = places.iter().rev();
    out.extend(places.next().map(u64::to_string));
    out.extend(places.map(|place| format!("{place:09}")));
}
