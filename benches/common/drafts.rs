//! Calls to be written, of any syntax: names and arguments as agents use them.

use toolscan::syntax::{Draft, Value};

use super::random::Random;
use super::words::Words;

/// A call with one to three arguments, 230 bytes of JSON on average.
pub fn draft(random: &mut Random, words: &Words) -> Draft {
    let arguments = (0..random.between(1, 4)).map(|index| {
        let key = format!("{}_{index}", words.name(random));
        (key, value(random, words, 0))
    });
    let arguments = arguments.collect();
    Draft {
        name: words.name(random),
        arguments,
    }
}

fn value(random: &mut Random, words: &Words, depth: usize) -> Value {
    match random.below(if depth < 2 { 20 } else { 17 }) {
        0..5 => Value::Text(words.name(random)),
        5..10 => text(|out| words.sentence(random, out)),
        10..14 => text(|out| words.code(random, out)),
        14 => Value::Number(random.below(100_000).to_string()),
        15 => Value::Number(format!("{}.{}", random.below(1_000), random.between(1, 10))),
        16 => Value::Boolean(random.chance(0.5)),
        17 | 18 => Value::List(
            (0..random.between(1, 4))
                .map(|_| value(random, words, depth + 1))
                .collect(),
        ),
        _ => Value::Object(
            (0..random.between(1, 4))
                .map(|index| (format!("k{index}"), value(random, words, depth + 1)))
                .collect(),
        ),
    }
}

fn text(write: impl FnOnce(&mut String)) -> Value {
    let mut text = String::new();
    write(&mut text);
    Value::Text(text)
}
