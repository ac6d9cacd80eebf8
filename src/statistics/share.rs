//! A share, and how far it can be trusted.

use super::quantile;

/// A share of independent trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share itself, 0 to 1.
    pub rate: f64,
    /// How many independent trials it rests on. Trials that depend on each other count for fewer, so it need not be
    /// whole.
    pub size: f64,
}

impl Share {
    /// `successes` out of `trials`; `None` for no trials.
    pub fn of(successes: u64, trials: u64) -> Option<Self> {
        (trials > 0).then(|| Self {
            rate: successes as f64 / trials as f64,
            size: trials as f64,
        })
    }

    /// The score interval of Wilson (1927), without continuity correction, `z` standard deviations to each side:
    ///
    /// ```text
    /// (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n)
    /// ```
    ///
    /// The bounds are exactly 0 and 1 where no or every trial succeeds.
    pub fn wilson(self, z: f64) -> (f64, f64) {
        let Self { rate: p, size: n } = self;
        let z2 = z * z;
        let center = p + z2 / (2.0 * n);
        let margin = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z2 / n;
        let low = if p <= 0.0 { 0.0 } else { (center - margin) / scale };
        let high = if p >= 1.0 { 1.0 } else { (center + margin) / scale };
        (low, high)
    }
}

/// The 95 % Wilson interval of `successes` in `trials`; `None` for no trials.
pub fn wilson_interval(successes: usize, trials: usize) -> Option<(f64, f64)> {
    let share = Share::of(successes as u64, trials as u64)?;
    Some(share.wilson(quantile(0.975)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<(f64, f64)>, low: f64, high: f64) {
        let (found_low, found_high) = found.expect("there are trials");
        assert!((found_low - low).abs() < 5e-5, "{found_low} {low}");
        assert!((found_high - high).abs() < 5e-5, "{found_high} {high}");
    }

    #[test]
    fn wilson_intervals() {
        assert_eq!(wilson_interval(0, 0), None);
        // Newcombe (1998), Statistics in Medicine 17:857, table I, method 3.
        close(wilson_interval(81, 263), 0.2553, 0.3662);
        close(wilson_interval(15, 148), 0.0624, 0.1605);
        close(wilson_interval(0, 20), 0.0, 0.1611);
        close(wilson_interval(1, 29), 0.0061, 0.1718);
        // With no or only successes the bounds are z²/(n+z²) and n/(n+z²).
        let z2 = 3.841_458_820_694_124;
        close(wilson_interval(0, 10), 0.0, z2 / (10.0 + z2));
        close(wilson_interval(10, 10), 10.0 / (10.0 + z2), 1.0);
        assert_eq!(wilson_interval(7, 7).map(|(_, high)| high), Some(1.0));
    }
}
