//! The library's random numbers, and fractions for simulated matches.

pub(super) use halfmove_engine::Random;

/// A number from 0 up to 1.
#[cfg(test)]
pub(super) fn unit(random: &mut Random) -> f64 {
    (random.number() >> 11) as f64 / (1_u64 << 53) as f64
}
