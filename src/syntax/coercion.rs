//! Values that are written without a type: which one they get, and what is lost by that.

use std::borrow::Cow;

use crate::diagnostic::{Code, Finding};
use crate::offer::Types;
use crate::shown::shown;
use crate::span::Span;
use crate::text::is_space;

/// A value that was given a type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Coerced<'t> {
    /// Its JSON; `None` for a value that is the string that it is.
    pub(super) json: Option<Cow<'t, str>>,
    /// What that lost.
    pub(super) loss: Option<Loss>,
}

/// What a coercion loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    LeadingZeros,
    BigInteger,
    Null,
}

impl Loss {
    /// The finding about `value`, which stands at `span`.
    pub(super) fn finding(self, value: &str, span: Span) -> Finding {
        let value = shown(value.trim_matches(is_space));
        let (detail, message) = match self {
            Self::LeadingZeros => (
                "leading_zeros",
                format!(
                    "`{value}` is read as a number and loses its leading zeros; let the schema say `string` if they matter"
                ),
            ),
            Self::BigInteger => (
                "big_integer",
                format!(
                    "`{value}` is beyond 2^53, where a reader with 64-bit floats loses digits; let the schema say `string`"
                ),
            ),
            Self::Null => (
                "null",
                format!(
                    "the text `{value}` is read as null, for the schema wants no string there; leave the argument out instead"
                ),
            ),
        };
        Finding::new(Code::LossyCoercion, span, message).detail(detail)
    }
}

/// Gives a value of one line the type that it looks like (seed 004, Value Coercion), or the one that the schema
/// wants, if it says. Where the value does not fit the schema, it gets the type that it looks like: that is what
/// was written.
pub(super) fn coerce(value: &str, wanted: Option<Types>) -> Coerced<'_> {
    let string = Coerced {
        json: None,
        loss: None,
    };
    if value.contains('\n') || wanted.is_some_and(|wanted| wanted.allow(Types::STRING)) {
        return string;
    }
    let wanted = wanted.unwrap_or_default();
    let word = value.trim_matches(is_space);
    if wanted.allow(Types::NULL) && word == "null" {
        return Coerced {
            json: Some(word.into()),
            loss: Some(Loss::Null),
        };
    }
    if matches!(word, "true" | "false") {
        return Coerced {
            json: Some(word.into()),
            loss: None,
        };
    }
    let scientific = wanted.allow(Types::NUMBER);
    number(word, scientific).map_or(string, |(json, loss)| Coerced {
        json: Some(json),
        loss,
    })
}

/// `word` as a JSON number with its digits, if it is `-?\d+(\.\d+)?`, with an exponent if that may be.
fn number(word: &str, may_have_exponent: bool) -> Option<(Cow<'_, str>, Option<Loss>)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let (plain, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((plain, exponent)) if may_have_exponent => (plain, Some(exponent)),
        _ => (unsigned, None),
    };
    let power = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let whole = plain.split_once('.').map_or(plain, |(whole, _)| whole);
    let fraction = &plain[whole.len()..];
    if !digits(whole) || !(fraction.is_empty() || digits(&fraction[1..])) || !power.is_none_or(digits) {
        return None;
    }
    let zeros = whole.len() - whole.trim_start_matches('0').len();
    let leading = zeros.min(whole.len() - 1);
    if leading > 0 {
        let sign = &word[..word.len() - unsigned.len()];
        let json = format!("{sign}{}", &unsigned[leading..]);
        return Some((json.into(), Some(Loss::LeadingZeros)));
    }
    let is_integer = plain.len() == whole.len() && power.is_none();
    let is_big = is_integer && whole.parse::<u64>().map_or(true, |number| number > 1 << 53);
    Some((word.into(), is_big.then_some(Loss::BigInteger)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(word: &str) -> Option<String> {
        Some(number(word, false)?.0.into_owned())
    }

    /// The regex of the contract, digit by digit.
    #[test]
    fn numbers_keep_their_digits_without_leading_zeros() {
        let numbers = [
            ("42", "42"),
            ("-5", "-5"),
            ("3.14", "3.14"),
            ("007", "7"),
            ("1.50", "1.50"),
            ("-0", "-0"),
            ("00", "0"),
            ("-007.50", "-7.50"),
            ("00.5", "0.5"),
            ("12345678901234567890123", "12345678901234567890123"),
        ];
        for (word, expected) in numbers {
            assert_eq!(json(word).as_deref(), Some(expected));
        }
        for word in [
            "", "-", ".5", "5.", "1e5", "+5", "1_000", "0x10", "1.2.3", "--1", "١", "1 2", "Infinity",
        ] {
            assert_eq!(json(word), None, "{word:?}");
        }
    }

    #[test]
    fn the_schema_decides_and_losses_are_told() {
        // The value, what the schema wants, its JSON if it is no string, what is lost.
        type Case = (&'static str, Option<Types>, Option<&'static str>, Option<Loss>);
        let number = Some(Types::NUMBER);
        let cases: &[Case] = &[
            ("007", Some(Types::STRING), None, None),
            ("007", number, Some("7"), Some(Loss::LeadingZeros)),
            ("007", None, Some("7"), Some(Loss::LeadingZeros)),
            ("0.50", number, Some("0.50"), None),
            ("9007199254740992", number, Some("9007199254740992"), None),
            (
                "9007199254740993",
                number,
                Some("9007199254740993"),
                Some(Loss::BigInteger),
            ),
            ("1e5", number, Some("1e5"), None),
            ("1e5", None, None, None),
            ("1e", number, None, None),
            ("ten", number, None, None),
            ("null", number, None, None),
            (
                "null",
                Some(Types::NUMBER.or(Types::NULL)),
                Some("null"),
                Some(Loss::Null),
            ),
            ("null", Some(Types::STRING.or(Types::NULL)), None, None),
            ("true", Some(Types::BOOLEAN), Some("true"), None),
            ("true", number, Some("true"), None),
            ("True", Some(Types::BOOLEAN), None, None),
            ("5", Some(Types::BOOLEAN), Some("5"), None),
            ("5\n", number, None, None),
        ];
        for &(value, wanted, json, loss) in cases {
            let coerced = coerce(value, wanted);
            assert_eq!(
                (coerced.json.as_deref(), coerced.loss),
                (json, loss),
                "{value:?} {wanted:?}"
            );
        }
    }
}
