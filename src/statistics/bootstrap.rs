//! How far shares vary whose trials depend on each other: the bootstrap that draws whole records.

use rand_distr::{Binomial, Distribution};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

/// What one record adds to the two shares: successes and trials in each. A record that is in one run alone has no
/// trials in the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// Successes and trials in the first.
    pub first: (u32, u32),
    /// Successes and trials in the second.
    pub second: (u32, u32),
}

/// How far two shares vary from one draw of the records to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The variance of each.
    pub variances: [f64; 2],
    /// Their correlation; 0 where one of them does not vary.
    pub correlation: f64,
}

/// How often the records are drawn again: enough to know a standard deviation to 2 %.
const DRAWS: usize = 2_000;
/// Same records, same verdict.
const SEED: u128 = 0x746f_6f6c_7363_616e;

/// Draws the records anew, with both of their sides, and looks how the shares vary. `records` are those that differ,
/// and how many there are of each, in an order of their own: the draws follow it.
///
/// To draw `n` records out of `n` is to draw how often each kind comes: a multinomial draw, made of binomial ones.
pub fn spread(records: &[(Record, u64)]) -> Spread {
    let mut random = Pcg64Mcg::from_seed(SEED.to_le_bytes());
    let mut moments = Moments::default();
    for _ in 0..DRAWS {
        if let Some(shares) = draw(records, &mut random) {
            moments.add(shares);
        }
    }
    moments.spread()
}

/// The two shares of one draw; `None` where a side has no trials.
fn draw(records: &[(Record, u64)], random: &mut Pcg64Mcg) -> Option<[f64; 2]> {
    let mut left: u64 = records.iter().map(|(_, count)| count).sum();
    let mut to_draw = left;
    let mut sums = [[0.0; 2]; 2];
    for (record, count) in records {
        let chance = *count as f64 / left as f64;
        let drawn = Binomial::new(to_draw, chance)
            .expect("a share of what is left")
            .sample(random);
        left -= count;
        to_draw -= drawn;
        for (sum, (successes, trials)) in sums.iter_mut().zip([record.first, record.second]) {
            sum[0] += drawn as f64 * f64::from(successes);
            sum[1] += drawn as f64 * f64::from(trials);
        }
    }
    let has_trials = sums.iter().all(|[_, trials]| *trials > 0.0);
    has_trials.then(|| sums.map(|[successes, trials]| successes / trials))
}

/// Sums of what was drawn, about the first of it.
#[derive(Default)]
struct Moments {
    origin: Option<[f64; 2]>,
    number: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Moments {
    fn add(&mut self, shares: [f64; 2]) {
        let origin = *self.origin.get_or_insert(shares);
        let [a, b] = [shares[0] - origin[0], shares[1] - origin[1]];
        self.number += 1.0;
        self.sums = [self.sums[0] + a, self.sums[1] + b];
        self.squares = [self.squares[0] + a * a, self.squares[1] + b * b];
        self.product += a * b;
    }

    fn spread(&self) -> Spread {
        let n = self.number.max(2.0);
        let covariance = |products: f64, a: f64, b: f64| (products - a * b / n) / (n - 1.0);
        let [a, b] = self.sums;
        let variances = [
            covariance(self.squares[0], a, a).max(0.0),
            covariance(self.squares[1], b, b).max(0.0),
        ];
        let deviations = (variances[0] * variances[1]).sqrt();
        let correlation = if deviations > 0.0 {
            (covariance(self.product, a, b) / deviations).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        Spread {
            variances,
            correlation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first: (u32, u32), second: (u32, u32)) -> Record {
        Record { first, second }
    }

    /// The variances and the covariance by linearisation: of a ratio of sums over independent records.
    fn linearised(records: &[(Record, u64)]) -> [f64; 3] {
        let total = |pick: fn(&Record) -> u32| -> f64 {
            records
                .iter()
                .map(|(record, count)| f64::from(pick(record)) * *count as f64)
                .sum()
        };
        let trials = [total(|record| record.first.1), total(|record| record.second.1)];
        let rates = [
            total(|record| record.first.0) / trials[0],
            total(|record| record.second.0) / trials[1],
        ];
        let mut found = [0.0; 3];
        for (record, count) in records {
            let residual = |(successes, of): (u32, u32), run: usize| {
                (f64::from(successes) - rates[run] * f64::from(of)) / trials[run]
            };
            let (a, b) = (residual(record.first, 0), residual(record.second, 1));
            for (sum, product) in found.iter_mut().zip([a * a, b * b, a * b]) {
                *sum += product * *count as f64;
            }
        }
        found
    }

    #[test]
    fn agrees_with_linearisation() {
        let cases: [&[(Record, u64)]; 3] = [
            // Pairs.
            &[
                (record((0, 1), (0, 1)), 60),
                (record((0, 1), (1, 1)), 30),
                (record((1, 1), (0, 1)), 50),
                (record((1, 1), (1, 1)), 860),
            ],
            // Records with several completions, some in one run alone.
            &[
                (record((0, 0), (2, 4)), 100),
                (record((0, 4), (1, 4)), 90),
                (record((3, 4), (4, 4)), 400),
                (record((4, 4), (0, 0)), 120),
                (record((4, 4), (2, 4)), 300),
            ],
            // No record in both.
            &[
                (record((0, 0), (0, 1)), 70),
                (record((0, 0), (1, 1)), 930),
                (record((0, 1), (0, 0)), 50),
                (record((1, 1), (0, 0)), 950),
            ],
        ];
        for records in cases {
            let [first, second, both] = linearised(records);
            let found = spread(records);
            for (found, exact) in found.variances.into_iter().zip([first, second]) {
                assert!((found / exact - 1.0).abs() < 0.15, "{found} {exact}");
            }
            let correlation = both / (first * second).sqrt();
            assert!(
                (found.correlation - correlation).abs() < 0.08,
                "{found:?} {correlation}"
            );
        }
    }

    #[test]
    fn the_seed_is_fixed_and_what_does_not_vary_has_no_spread() {
        let records = [(record((1, 2), (1, 1)), 5), (record((2, 2), (0, 1)), 7)];
        assert_eq!(spread(&records), spread(&records));
        assert_eq!(spread(&[(record((1, 1), (1, 1)), 9)]), Spread::default());
        assert_eq!(spread(&[]), Spread::default());
    }
}
