//! Two looks at the same things: McNemar's exact test.

/// Pairs of outcomes by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Success before and after.
    pub both: u64,
    /// Success before alone.
    pub lost: u64,
    /// Success after alone.
    pub won: u64,
    /// Failure before and after.
    pub neither: u64,
}

impl Pairs {
    /// The correlation of the two shares of successes, with the continuity correction of Newcombe (1998,
    /// Statistics in Medicine 17:2635, method 10); 0 where one of them does not vary.
    pub fn correlation(&self) -> f64 {
        let [both, lost, won, neither] =
            [self.both, self.lost, self.won, self.neither].map(|count| count as f64);
        let margins = (both + lost) * (won + neither) * (both + won) * (lost + neither);
        if margins <= 0.0 {
            return 0.0;
        }
        let product = both * neither - lost * won;
        let corrected = if product > 0.0 {
            (product - (both + lost + won + neither) / 2.0).max(0.0)
        } else {
            product
        };
        corrected / margins.sqrt()
    }
}

/// The one-sided p-value of McNemar's exact test: how likely it is that, of the pairs that changed, at least
/// `against` changed one way and not the other, where both ways are as likely.
///
/// The terms of the binomial distribution are summed as they are, relative to the largest: continued fractions, as
/// statistics crates have them, lose digits from some ten thousand changed pairs on.
pub fn mcnemar(against: u64, favour: u64) -> f64 {
    let changed = against + favour;
    let largest = changed / 2;
    let (mut total, mut tail) = (0.0, 0.0);
    let mut add = |ways: u64, term: f64| {
        total += term;
        tail += if ways >= against { term } else { 0.0 };
    };
    let mut term = 1.0;
    for ways in largest..=changed {
        add(ways, term);
        term *= (changed - ways) as f64 / (ways + 1) as f64;
        if term == 0.0 {
            break;
        }
    }
    term = 1.0;
    for ways in (0..largest).rev() {
        term *= (ways + 1) as f64 / (changed - ways) as f64;
        if term == 0.0 {
            break;
        }
        add(ways, term);
    }
    tail / total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Effect, Share, quantile};

    #[test]
    fn exact_p_values() {
        // Sums of binomial coefficients over powers of two.
        for (against, favour, p) in [
            (0, 0, 1.0),
            (0, 5, 1.0),
            (5, 0, 1.0 / 32.0),
            (9, 1, 11.0 / 1024.0),
            (8, 2, 56.0 / 1024.0),
        ] {
            assert!((mcnemar(against, favour) - p).abs() < 1e-12, "{against} {favour}");
        }
    }

    #[test]
    fn pairs_that_agree_narrow_the_interval() {
        let pairs = Pairs {
            both: 36,
            lost: 12,
            won: 2,
            neither: 0,
        };
        assert!(pairs.correlation() < 0.0, "36·0 - 12·2 is negative");
        let agreeing = Pairs {
            both: 80,
            lost: 4,
            won: 2,
            neither: 14,
        };
        let share = |successes| Share::of(successes, 100).expect("there are trials");
        let apart = Effect::difference(share(84), share(82));
        let paired = apart.correlated(agreeing.correlation());
        let width = |effect: Effect| {
            let (low, high) = effect.interval(quantile(0.975));
            high - low
        };
        assert!(width(paired) < 0.7 * width(apart));
        let unvarying = Pairs {
            both: 3,
            ..Pairs::default()
        };
        assert_eq!(unvarying.correlation(), 0.0);
    }
}
