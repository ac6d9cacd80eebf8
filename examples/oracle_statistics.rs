//! Answers JSON lines with the statistics of the tables in them, for the comparison with SciPy and statsmodels
//! (`scripts/statistics`).

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use toolscan::statistics::{
    Effect, Pairs, Record, Share, benjamini_hochberg, mcnemar, quantile, spread, upper_tail,
};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(&question))?;
    }
    out.flush()
}

fn answer(question: &Value) -> Value {
    let numbers = |key: &str| -> Vec<f64> {
        let list = question[key].as_array().expect("a list of numbers");
        list.iter()
            .map(|number| number.as_f64().expect("a number"))
            .collect()
    };
    match question["ask"].as_str() {
        Some("shares") => shares(
            &numbers("table"),
            question["limit"].as_f64(),
            question["level"].as_f64(),
        ),
        Some("pairs") => pairs(&numbers("table"), question["level"].as_f64()),
        Some("adjusted") => json!(benjamini_hochberg(&numbers("p_values"))),
        Some("spread") => spread_of(&numbers("records")),
        other => panic!("unknown question {other:?}"),
    }
}

/// Two shares, `a` of `m` and `b` of `n`: each one's interval, that of their difference, and p-values.
fn shares(table: &[f64], limit: Option<f64>, level: Option<f64>) -> Value {
    let [first, second] = [&table[..2], &table[2..]].map(share);
    let (limit, level) = (limit.expect("a limit"), level.expect("a level"));
    let z = quantile(level);
    let difference = Effect::difference(first, second);
    json!({
        "z": z,
        "tail": upper_tail(z),
        "wilson": first.wilson(z),
        "newcombe": difference.interval(z),
        "difference_p": difference.p_value(limit),
        "relative": Effect::default().plus(0.9, first).minus(1.0, second).interval(z),
        "score_p": Effect::share(first).p_value(limit.abs()),
    })
}

fn share(table: &[f64]) -> Share {
    Share::of(table[0] as u64, table[1] as u64).expect("there are trials")
}

/// Pairs by outcome: both, lost, won, neither.
fn pairs(table: &[f64], level: Option<f64>) -> Value {
    let [both, lost, won, neither] = [0, 1, 2, 3].map(|place| table[place] as u64);
    let pairs = Pairs {
        both,
        lost,
        won,
        neither,
    };
    let total = both + lost + won + neither;
    let share = |successes| Share::of(successes, total).expect("there are pairs");
    let difference = Effect::difference(share(both + lost), share(both + won));
    let z = quantile(level.expect("a level"));
    json!({
        "p": mcnemar(lost, won),
        "correlation": pairs.correlation(),
        "newcombe": difference.correlated(pairs.correlation()).interval(z),
    })
}

/// Records, five numbers each: successes and trials in both runs, and how many there are.
fn spread_of(records: &[f64]) -> Value {
    let record = |row: &[f64]| {
        let count = |place: usize| row[place] as u32;
        let record = Record {
            first: (count(0), count(1)),
            second: (count(2), count(3)),
        };
        (record, row[4] as u64)
    };
    let records: Vec<_> = records.chunks(5).map(record).collect();
    let found = spread(&records);
    json!({ "variances": found.variances, "correlation": found.correlation })
}
