//! What a scalar is: the core schema's tags, and how it recognises what has none.

use saphyr_parser::{ScalarStyle, Tag};

/// Digits of a hexadecimal or octal number, which has to be turned into a decimal one.
const RADIX_DIGITS: usize = 1000;

/// Where the core schema's tags begin.
const CORE: &str = "tag:yaml.org,2002:";

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    /// A whole number in decimal digits, with or without a sign.
    Integer,
    /// A whole number in digits to the base of 16 or 8, behind `0x` or `0o`.
    Radix(u32),
    Float,
    String,
}

/// What the scalar `text` is, or why it cannot be used.
pub(super) fn kind(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Kind, String> {
    let Some(tag) = tag else {
        return match style {
            ScalarStyle::Plain => plain(text),
            _ => Ok(Kind::String),
        };
    };
    let name = name(tag);
    let Some(core) = name.strip_prefix(CORE) else {
        return if name == "!" {
            Ok(Kind::String)
        } else {
            Err(unknown(&name))
        };
    };
    let kind = match core {
        "str" => return Ok(Kind::String),
        "null" | "bool" | "int" | "float" => plain(text)?,
        _ => return Err(unknown(&name)),
    };
    let fits = match kind {
        Kind::Null => core == "null",
        Kind::Boolean => core == "bool",
        Kind::Integer => matches!(core, "int" | "float"),
        Kind::Radix(_) => core == "int",
        Kind::Float => core == "float",
        Kind::String => false,
    };
    if fits {
        Ok(kind)
    } else {
        Err(format!("the value is tagged `!!{core}` and is none"))
    }
}

/// Whether a sequence or mapping may have `tag`: the one of its kind, or the one that says nothing.
pub(super) fn check_collection_tag(tag: &Tag, core: &str) -> Result<(), String> {
    let name = name(tag);
    if name == "!" || name.strip_prefix(CORE) == Some(core) {
        Ok(())
    } else {
        Err(unknown(&name))
    }
}

fn name(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

fn unknown(name: &str) -> String {
    format!("the tag `{name}` is not allowed here; only the tags of the core schema are")
}

/// What an untagged plain scalar is.
pub(super) fn plain(text: &str) -> Result<Kind, String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Kind::Null),
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return Ok(Kind::Boolean),
        ".nan" | ".NaN" | ".NAN" => return Err(nonfinite(text)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Err(nonfinite(text));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_digit(radix))
        {
            return within_limit(digits).map(|()| Kind::Radix(radix));
        }
    }
    Ok(number(unsigned).unwrap_or(Kind::String))
}

fn nonfinite(text: &str) -> String {
    format!("`{text}` is no number that JSON knows")
}

fn within_limit(digits: &str) -> Result<(), String> {
    if digits.len() > RADIX_DIGITS {
        return Err(format!(
            "the number has {} digits, and the limit for hexadecimal and octal is {RADIX_DIGITS}",
            digits.len()
        ));
    }
    Ok(())
}

/// Whether `text` is an integer or a float in decimal digits, its sign taken off.
fn number(text: &str) -> Option<Kind> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent_fits =
        exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let mantissa_fits = match fraction {
        None => is_digits(whole),
        Some("") => is_digits(whole),
        Some(fraction) => is_digits(fraction) && (whole.is_empty() || is_digits(whole)),
    };
    if !(exponent_fits && mantissa_fits) {
        return None;
    }
    let is_float = exponent.is_some() || fraction.is_some();
    Some(if is_float { Kind::Float } else { Kind::Integer })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
