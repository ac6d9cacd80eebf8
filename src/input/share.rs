//! One machine's share of the sources: `--shard 2/7`.

use std::fmt;
use std::str::FromStr;

use super::Source;
use crate::error::Error;

/// Which of how many shares of the sources: the `part`-th, from 1, of `of`.
///
/// A share is a run of the sorted sources, so that the rows of the parts, one behind the other, are those of one run over
/// all sources. It depends on their names and sizes alone, and is larger than its fair part by one source at most. Where a
/// source is added or grows, shares move: all parts of a run must see the same sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    part: u32,
    of: u32,
}

/// Why something is no [`Share`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShareError {
    /// It is not two numbers with a slash between them.
    #[error("expected i/n, such as 2/7 for the second of seven parts")]
    Form,
    /// There is no such part.
    #[error("there is no part {part} of {of}: parts count from 1")]
    Range {
        /// The part that was asked for.
        part: u32,
        /// How many there are.
        of: u32,
    },
}

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        let (part, of) = text.split_once('/').ok_or(ShareError::Form)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| ShareError::Form);
        let (part, of) = (number(part)?, number(of)?);
        if part == 0 || part > of {
            return Err(ShareError::Range { part, of });
        }
        Ok(Self { part, of })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl Share {
    /// Which part it is, from 1.
    pub fn part(self) -> u32 {
        self.part
    }

    /// How many parts there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// The share's sources. It may be none.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a source whose size is not known, which nobody can weigh: stdin, or a pipe.
    pub fn of_sources(self, sources: Vec<Source>) -> Result<Vec<Source>, Error> {
        let weights = sources.iter().map(weight).collect::<Result<Vec<_>, _>>()?;
        let total: u128 = weights.iter().sum();
        let mut before = 0;
        let mut share = Vec::new();
        for (source, weight) in sources.into_iter().zip(weights) {
            // The part in which the middle of the source lies, where all of them stand one behind the other.
            let part = (2 * before + weight) * u128::from(self.of) / (2 * total);
            before += weight;
            if part + 1 == u128::from(self.part) {
                share.push(source);
            }
        }
        Ok(share)
    }
}

/// Bytes to read, and one, so that empty files are shared out as well.
fn weight(source: &Source) -> Result<u128, Error> {
    match source.size {
        Some(bytes) => Ok(u128::from(bytes) + 1),
        None => Err(Error::Usage(format!(
            "--shard: {} has no size to share out by; name files and folders",
            source.name
        ))),
    }
}

/// A number that two lists of sources have in common, as good as certainly, only if they hold the same names and
/// sizes.
pub fn digest(sources: &[Source]) -> u64 {
    crate::digest::digest(sources.iter().flat_map(|source| {
        let size = source.size.unwrap_or(u64::MAX).to_le_bytes();
        source.name.bytes().chain([0]).chain(size)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sources(sizes: &[u64]) -> Vec<Source> {
        let source = |(place, &size): (usize, &u64)| Source {
            name: format!("{place:03}.jsonl"),
            path: None,
            member: None,
            is_parquet: false,
            size: Some(size),
        };
        sizes.iter().enumerate().map(source).collect()
    }

    fn shares(all: &[Source], of: u32) -> Vec<Vec<Source>> {
        let share = |part| {
            Share { part, of }
                .of_sources(all.to_vec())
                .expect("all have sizes")
        };
        (1..=of).map(share).collect()
    }

    #[test]
    fn a_share_is_two_numbers() {
        assert_eq!("2/7".parse(), Ok(Share { part: 2, of: 7 }));
        for (text, error) in [
            ("2", ShareError::Form),
            ("2/", ShareError::Form),
            ("-1/7", ShareError::Form),
            ("0/7", ShareError::Range { part: 0, of: 7 }),
            ("8/7", ShareError::Range { part: 8, of: 7 }),
            ("0/0", ShareError::Range { part: 0, of: 0 }),
        ] {
            assert_eq!(text.parse::<Share>(), Err(error), "{text}");
        }
    }

    #[test]
    fn stdin_has_no_share() {
        let mut all = sources(&[1]);
        all[0].size = None;
        assert!(Share { part: 1, of: 1 }.of_sources(all).is_err());
    }

    #[test]
    fn names_and_sizes_make_the_digest() {
        let (all, mut other) = (sources(&[1, 2]), sources(&[1, 2]));
        assert_eq!(digest(&all), digest(&other));
        other[0].size = Some(3);
        assert_ne!(digest(&all), digest(&other));
        assert_ne!(digest(&all), digest(&all[..1]));
    }

    proptest! {
        #[test]
        fn shares_are_all_sources_in_order_and_balanced(
            sizes in proptest::collection::vec(0..1000u64, 0..40),
            of in 1..12u32,
        ) {
            let all = sources(&sizes);
            let shares = shares(&all, of);
            prop_assert_eq!(shares.concat(), all.clone());
            let weigh = |share: &[Source]| share.iter().map(|source| source.size.unwrap_or(0) + 1).sum::<u64>();
            let largest = sizes.iter().max().map_or(0, |largest| largest + 1);
            for share in &shares {
                prop_assert!(weigh(share) <= weigh(&all) / u64::from(of) + largest + 1);
            }
        }
    }
}
