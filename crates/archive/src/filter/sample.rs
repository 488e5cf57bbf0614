//! Reproducible samples of games.

/// A random sample of games, selected by a hash of their ids: the same games for the same seed, each with the same
/// probability. Adding games does not affect the others, so the sample of a grown archive contains the earlier one, and
/// a larger share contains a smaller one.
///
/// ```
/// use halfmove_archive::Sample;
///
/// let tenth = Sample::new(0.1, 7).ok_or("a share")?;
/// let games = (1..=10_000).filter(|id| tenth.has(*id)).count();
/// assert!((900..1_100).contains(&games));
/// let third = Sample::new(0.3, 7).ok_or("a share")?;
/// assert!((1..=10_000).all(|id| !tenth.has(id) || third.has(id)));
/// assert_eq!(Sample::new(1.5, 7), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    share: f64,
    seed: u64,
}

impl Sample {
    /// A sample with a share of all games: 0.01 is one percent. `None` if it is not a number from 0 to 1.
    pub fn new(share: f64, seed: u64) -> Option<Self> {
        (0.0..=1.0).contains(&share).then_some(Self { share, seed })
    }

    /// Returns true if the game with this id is in the sample.
    pub fn has(self, id: i64) -> bool {
        // The upper 53 bits of the hash, as a number from 0 to 1.
        let hash = mixed(mixed(self.seed) ^ id.cast_unsigned());
        ((hash >> 11) as f64) < self.share * (1_u64 << 53) as f64
    }
}

/// The mixing function of SplitMix64: every bit of the result depends on every bit of the number.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the published generator with the seed 1234567. Samples must not change in later versions.
    #[test]
    fn the_hash_is_frozen() {
        let mut state = 1_234_567_u64;
        for expected in [6_457_827_717_110_365_317, 3_203_168_211_198_807_973] {
            assert_eq!(mixed(state), expected);
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
    }

    #[test]
    fn all_and_nothing() {
        for id in 1..1_000 {
            assert!(Sample::new(1.0, 3).is_some_and(|all| all.has(id)));
            assert!(Sample::new(0.0, 3).is_some_and(|none| !none.has(id)));
        }
        assert_eq!(Sample::new(f64::NAN, 3), None);
    }
}
