//! How much one share lies above another, or above nothing: its interval, and whether it passes a limit.

use super::{Share, upper_tail};

/// A weighted share less another: of which more is worse.
///
/// Either share may be missing: what is left is a plain share, or one that counts downwards. The interval is
/// Newcombe's (1998, Statistics in Medicine 17:873, method 10): the Wilson interval of each share, put together as
/// the squares of their arms. With a correlation it is his interval for paired shares (17:2635, method 10).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// What it grows with, and its weight.
    plus: Option<(f64, Share)>,
    /// What it shrinks with, and its weight.
    minus: Option<(f64, Share)>,
    /// The correlation of the two shares, -1 to 1.
    correlation: f64,
}

/// No two shares lie this many standard deviations apart by chance.
const FARTHEST: f64 = 40.0;
/// Halvings until a number below [`FARTHEST`] is known to its last digit.
const HALVINGS: usize = 60;

impl Effect {
    /// A share for itself.
    pub fn share(share: Share) -> Self {
        Self::default().plus(1.0, share)
    }

    /// `first - second`.
    pub fn difference(first: Share, second: Share) -> Self {
        Self::share(first).minus(1.0, second)
    }

    /// Grows with `weight` times a share.
    pub fn plus(self, weight: f64, share: Share) -> Self {
        let plus = Some((weight, share));
        Self { plus, ..self }
    }

    /// Shrinks with `weight` times a share.
    pub fn minus(self, weight: f64, share: Share) -> Self {
        let minus = Some((weight, share));
        Self { minus, ..self }
    }

    /// With shares that go together to this degree, as those of pairs do.
    pub fn correlated(self, correlation: f64) -> Self {
        Self { correlation, ..self }
    }

    /// The effect that was seen.
    pub fn estimate(&self) -> f64 {
        let rate = |term: Option<(f64, Share)>| term.map_or(0.0, |(weight, share)| weight * share.rate);
        rate(self.plus) - rate(self.minus)
    }

    /// Where the true effect lies, `z` standard deviations to each side.
    pub fn interval(&self, z: f64) -> (f64, f64) {
        let (plus_down, plus_up) = arms(self.plus, z);
        let (minus_down, minus_up) = arms(self.minus, z);
        let estimate = self.estimate();
        (
            estimate - self.together(plus_down, minus_up),
            estimate + self.together(plus_up, minus_down),
        )
    }

    fn together(&self, a: f64, b: f64) -> f64 {
        let square = a * a - 2.0 * self.correlation * a * b + b * b;
        square.max(0.0).sqrt()
    }

    /// How likely an effect as large as this one is where the true one is no more than `limit`: the level at which
    /// the bound of its one-sided interval touches the limit.
    pub fn p_value(&self, limit: f64) -> f64 {
        let is_above = self.estimate() > limit;
        let clears = |z: f64| {
            let (low, high) = self.interval(z);
            if is_above { low > limit } else { high < limit }
        };
        let (mut near, mut far) = (0.0, FARTHEST);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(near, far);
            *(if clears(middle) { &mut near } else { &mut far }) = middle;
        }
        upper_tail(if is_above { near } else { -near })
    }

    /// The same shares from so many times as many trials.
    pub fn scaled(self, factor: f64) -> Self {
        let scale = |(weight, share): (f64, Share)| {
            let size = share.size * factor;
            (weight, Share { size, ..share })
        };
        Self {
            plus: self.plus.map(scale),
            minus: self.minus.map(scale),
            ..self
        }
    }
}

/// How far a weighted share may lie below and above what was seen.
fn arms(term: Option<(f64, Share)>, z: f64) -> (f64, f64) {
    term.map_or((0.0, 0.0), |(weight, share)| {
        let (low, high) = share.wilson(z);
        (weight * (share.rate - low), weight * (high - share.rate))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile;

    fn share(successes: u64, trials: u64) -> Share {
        Share::of(successes, trials).expect("there are trials")
    }

    #[test]
    fn newcombe_intervals() {
        // Newcombe (1998), Statistics in Medicine 17:873, table II, method 10.
        let published = [
            (56, 70, 48, 80, 0.0524, 0.3339),
            (9, 10, 3, 10, 0.1705, 0.8090),
            (6, 7, 2, 7, 0.0582, 0.8062),
            (5, 56, 0, 29, -0.0381, 0.1926),
            (0, 10, 0, 20, -0.1611, 0.2775),
            (0, 10, 0, 10, -0.2775, 0.2775),
            (10, 10, 0, 20, 0.6791, 1.0),
            (10, 10, 0, 10, 0.6075, 1.0),
        ];
        for (a, m, b, n, low, high) in published {
            let found = Effect::difference(share(a, m), share(b, n)).interval(quantile(0.975));
            assert!((found.0 - low).abs() < 5.1e-5, "{a}/{m} - {b}/{n}: {found:?}");
            assert!((found.1 - high).abs() < 5.1e-5, "{a}/{m} - {b}/{n}: {found:?}");
        }
    }

    #[test]
    fn at_its_p_value_the_bound_touches_the_limit() {
        let effect = Effect::difference(share(950, 1000), share(930, 1000)).correlated(0.3);
        for limit in [-0.03, -0.01, 0.0, 0.01, 0.015, 0.05] {
            let p = effect.p_value(limit);
            let (low, high) = effect.interval(quantile(1.0 - p).abs());
            let bound = if p < 0.5 { low } else { high };
            assert!((bound - limit).abs() < 1e-9, "{limit}: {p} {low} {high}");
        }
    }

    #[test]
    fn a_share_alone_has_the_p_value_of_the_score_test() {
        // z = (p - p0) / √(p0(1-p0)/n) = (0.9 - 0.8) / 0.04
        let p = Effect::share(share(90, 100)).p_value(0.8);
        assert!((p - upper_tail(2.5)).abs() < 1e-12, "{p}");
        let downwards = Effect::default().minus(1.0, share(90, 100)).p_value(-0.8);
        assert!((downwards - (1.0 - upper_tail(2.5))).abs() < 1e-12, "{downwards}");
    }

    #[test]
    fn nothing_seen_tells_nothing() {
        let effect = Effect::difference(share(10, 10), share(10, 10));
        assert!((effect.p_value(0.0) - 0.5).abs() < 1e-9);
        assert!(effect.scaled(100.0).interval(2.0).1 < effect.interval(2.0).1);
    }
}
