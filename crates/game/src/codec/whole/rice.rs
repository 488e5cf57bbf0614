//! Rice coding: small numbers in few bits.
//!
//! The lowest bits of a number are written unchanged. The number formed by the bits above them is written in unary:
//! that number of ones, and a zero. All numbers of a game have the same number of low bits. If large numbers are
//! rare, as with the seconds that players think, the code is close to the minimum number of bits.
//!
//! # Source
//!
//! Robert Rice, *Some practical universal noiseless coding techniques* (1979).

/// The number of ones that marks an escape: the whole number follows in [`WIDTH`] bits.
const ESCAPE: u32 = 24;

const WIDTH: u32 = 32;

/// The largest number of low bits.
pub(super) const MAX_LOW: u32 = 31;

/// The number of low bits that makes the code of these numbers shortest.
pub(super) fn best_low(numbers: &[u32]) -> u32 {
    // The length grows on both sides of the best.
    let sum = numbers.iter().map(|number| u64::from(*number)).sum::<u64>();
    let mean = sum / (numbers.len() as u64).max(1);
    let guess = (u64::BITS - mean.leading_zeros()).min(MAX_LOW);
    let least = guess.saturating_sub(2);
    let mut bits = [0_u64; 3];
    for number in numbers {
        for (low, bits) in (least..).zip(&mut bits) {
            *bits += length(*number, low.min(MAX_LOW));
        }
    }
    let lows = (least..=guess).zip(bits);
    lows.min_by_key(|(_, bits)| *bits).map_or(0, |(low, _)| low)
}

#[inline]
fn length(number: u32, low: u32) -> u64 {
    let high = number >> low;
    u64::from(if high < ESCAPE { high + 1 + low } else { ESCAPE + WIDTH })
}

/// Writes bits, the first in the highest bit of a byte.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    waiting: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        BitWriter { out, waiting: 0, count: 0 }
    }

    /// Writes up to 32 bits.
    #[inline]
    pub(super) fn bits(&mut self, value: u32, count: u32) {
        // Fewer than 32 bits are pending.
        self.waiting = self.waiting << count | u64::from(value);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.out.extend_from_slice(&((self.waiting >> self.count) as u32).to_be_bytes());
        }
    }

    #[inline]
    pub(super) fn number(&mut self, number: u32, low: u32) {
        let high = number >> low;
        let rest = number & ((1 << low) - 1);
        if high + low < 32 && high < ESCAPE {
            self.bits(((1 << (high + 1)) - 2) << low | rest, high + 1 + low);
        } else if high < ESCAPE {
            self.bits((1 << (high + 1)) - 2, high + 1);
            self.bits(rest, low);
        } else {
            self.bits((1 << ESCAPE) - 1, ESCAPE);
            self.bits(number, WIDTH);
        }
    }

    /// Writes the length of a number in bits, then the bits.
    pub(super) fn single(&mut self, number: u32) {
        let count = u32::BITS - number.leading_zeros();
        self.bits(count, 6);
        self.bits(number, count);
    }

    /// Fills the last byte with zeros.
    pub(super) fn finish(self) {
        let last = (self.waiting << (32 - self.count)) as u32;
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&last.to_be_bytes()[..bytes]);
    }
}

/// Reads bits.
#[derive(Clone, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, at: 0 }
    }

    fn bit(&mut self) -> Option<u32> {
        let byte = *self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(u32::from(bit))
    }

    pub(super) fn bits(&mut self, count: u32) -> Option<u32> {
        (0..count).try_fold(0, |value: u32, _| Some(value << 1 | self.bit()?))
    }

    pub(super) fn number(&mut self, low: u32) -> Option<u32> {
        let mut high = 0;
        while self.bit()? == 1 {
            high += 1;
            if high == ESCAPE {
                return self.bits(WIDTH);
            }
        }
        Some(high << low | self.bits(low)?)
    }

    /// Reads a length in bits, then these bits. A length greater than needed is an error.
    pub(super) fn single(&mut self) -> Option<u32> {
        let count = self.bits(6).filter(|count| *count <= u32::BITS)?;
        let number = self.bits(count)?;
        (u32::BITS - number.leading_zeros() == count).then_some(number)
    }

    /// The number of bytes read, including a partly read last byte; `None` if the rest of that byte is not zero.
    pub(super) fn finish(self) -> Option<usize> {
        let end = self.at.div_ceil(8);
        let rest = (end * 8 - self.at) as u32;
        let mut reader = self;
        (reader.bits(rest)? == 0).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let numbers = [0, 1, 2, 3, 5, 8, 13, 23, 24, 25, 1000, 65_535, 1 << 30, u32::MAX];
        for low in 0..=MAX_LOW {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            numbers.iter().for_each(|number| writer.number(*number, low));
            numbers.iter().for_each(|number| writer.single(*number));
            writer.finish();
            let single = |number: &u32| u64::from(6 + u32::BITS - number.leading_zeros());
            let bits = |number: &u32| length(*number, low) + single(number);
            let bits: u64 = numbers.iter().map(bits).sum();
            assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            let mut reader = BitReader::new(&bytes);
            for number in numbers {
                assert_eq!(reader.number(low), Some(number), "{low}");
            }
            for number in numbers {
                assert_eq!(reader.single(), Some(number));
            }
            assert_eq!(reader.finish(), Some(bytes.len()));
            // Any truncation is an error.
            let mut reader = BitReader::new(&bytes[..bytes.len() - 1]);
            let _ = numbers.iter().all(|_| reader.number(low).is_some());
            assert!(numbers.iter().any(|_| reader.single().is_none()));
        }
    }

    #[test]
    fn the_estimate_is_close_to_the_best() {
        for numbers in [&[0, 0, 0, 1][..], &[3, 5, 2, 8, 1, 120], &[1000, 900, 3], &[]] {
            let bits = |low| numbers.iter().map(|number| length(*number, low)).sum::<u64>();
            let least = (0..=MAX_LOW).map(bits).min().unwrap_or(0);
            assert!(bits(best_low(numbers)) <= least + least / 4, "{numbers:?}");
        }
    }
}
