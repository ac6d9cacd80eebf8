//! What counts can tell about shares: intervals, tests, and what many tests together may claim.
//!
//! Nothing here knows what is counted. A one-sided question has one form: an [`Effect`], of which more is worse,
//! and a limit that it may not pass.
//!
//! ```
//! use toolscan::statistics::{Effect, Share, quantile};
//!
//! let (before, now) = (Share::of(95, 100).unwrap(), Share::of(80, 100).unwrap());
//! let drop = Effect::difference(before, now);
//! let (low, high) = drop.interval(quantile(0.975));
//! assert!(low > 0.05 && high < 0.25, "{low} to {high}");
//! assert!(drop.p_value(0.0) < 0.001, "this is no chance");
//! ```

mod bootstrap;
mod discoveries;
mod effect;
mod mcnemar;
mod normal;
mod share;

pub use bootstrap::{Record, Spread, spread};
pub use discoveries::benjamini_hochberg;
pub use effect::Effect;
pub use mcnemar::{Pairs, mcnemar};
pub use normal::{quantile, upper_tail};
pub use share::{Share, wilson_interval};
