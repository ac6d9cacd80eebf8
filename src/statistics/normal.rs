//! The standard normal distribution.

use std::f64::consts::SQRT_2;

use statrs::function::erf::{erfc, erfc_inv};

/// The point below which the share `level` of the distribution lies.
pub fn quantile(level: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * level)
}

/// The share of the distribution above `z`.
pub fn upper_tail(z: f64) -> f64 {
    0.5 * erfc(z / SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        // Abramowitz & Stegun, table 26.6.
        for (level, z) in [
            (0.5, 0.0),
            (0.95, 1.644_853_627),
            (0.975, 1.959_963_985),
            (0.995, 2.575_829_304),
        ] {
            assert!((quantile(level) - z).abs() < 1e-9, "{level}");
            assert!((upper_tail(z) - (1.0 - level)).abs() < 1e-9, "{z}");
            assert!((quantile(1.0 - level) + z).abs() < 1e-9, "{level}");
        }
    }
}
