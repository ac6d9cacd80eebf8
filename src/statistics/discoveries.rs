//! Many tests at once: how much each may still claim.

/// The p-values adjusted after Benjamini and Hochberg (1995), in the same order: those at most `q` are called at a
/// false discovery rate of `q`. Where nothing is true, the rate is that of calling anything at all.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[b].total_cmp(&p_values[a]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least: f64 = 1.0;
    for (place, &index) in order.iter().enumerate() {
        let rank = p_values.len() - place;
        least = least.min(p_values[index] * p_values.len() as f64 / rank as f64);
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Benjamini and Hochberg (1995), section 3.2: fifteen tests, of which four are called at 5 %.
    #[test]
    fn the_published_example() {
        let p_values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        let adjusted = benjamini_hochberg(&p_values);
        let called = adjusted.iter().filter(|&&p| p <= 0.05).count();
        assert_eq!(called, 4);
        assert!((adjusted[3] - 0.0095 * 15.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn order_does_not_matter_and_none_is_none() {
        assert_eq!(benjamini_hochberg(&[]), Vec::<f64>::new());
        assert_eq!(benjamini_hochberg(&[0.5, 0.01]), [0.5, 0.02]);
        assert_eq!(benjamini_hochberg(&[0.04, 0.03]), [0.04, 0.04]);
    }
}
