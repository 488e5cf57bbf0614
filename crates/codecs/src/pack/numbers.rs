//! Bits and numbers whose frequencies follow what was coded before.

use std::array::from_fn;

use crate::DecodeErrorKind;
use crate::dense::range::{Decoder, Encoder, Span, TOTAL};

/// A bit with the frequency that it had before: the mean of one that follows quickly and one that follows slowly.
#[derive(Copy, Clone, Debug)]
pub(super) struct Bit {
    quick: u16,
    slow: u16,
}

impl Bit {
    const NEW: Self = Self { quick: 1 << 15, slow: 1 << 15 };

    /// The frequency of 0.
    fn zero(self) -> u32 {
        (u32::from(self.quick) + u32::from(self.slow)) / 2
    }

    fn learn(&mut self, bit: bool) {
        for (frequency, rate) in [(&mut self.quick, 4), (&mut self.slow, 7)] {
            if bit {
                *frequency -= *frequency >> rate;
            } else {
                // At most 65,535 after it.
                *frequency += ((TOTAL - u32::from(*frequency)) >> rate) as u16;
            }
        }
    }
}

impl Default for Bit {
    fn default() -> Self {
        Self::NEW
    }
}

/// The number of bits below the highest whose frequencies are kept.
const KEPT: u32 = 3;

/// Numbers of 32 bits: one is added, then come the length in bits, in unary, and the bits below the highest.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    longer: [Bit; 32],
    below: [[Bit; 1 << KEPT]; 33],
}

impl Default for Numbers {
    fn default() -> Self {
        Self { longer: [Bit::NEW; 32], below: [[Bit::NEW; 1 << KEPT]; 33] }
    }
}

/// Numbers that may be negative: the absolute value, then the sign unless it is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Signed {
    size: Numbers,
    is_negative: Bit,
}

/// A writer or a reader of bits. A writer writes the values that it gets and returns them; a reader returns those that it reads.
pub(super) trait Coder {
    /// A bit, where 0 has a frequency.
    fn symbol(&mut self, bit: bool, zero: u32) -> bool;

    fn bit(&mut self, state: &mut Bit, bit: bool) -> bool {
        let bit = self.symbol(bit, state.zero());
        state.learn(bit);
        bit
    }

    fn number(&mut self, state: &mut Numbers, number: u32) -> u32 {
        let number = u64::from(number) + 1;
        let mut length = 0;
        while length < 32 && self.bit(&mut state.longer[length], number >> length > 1) {
            length += 1;
        }
        let mut found = 1u64;
        for at in (0..length).rev() {
            let bit = number >> at & 1 == 1;
            let bit = match length - 1 - at {
                depth if depth < KEPT as usize => {
                    // Its first bit is a one, so it tells the depth too.
                    self.bit(&mut state.below[length][found as usize], bit)
                }
                _ => self.symbol(bit, TOTAL / 2),
            };
            found = found << 1 | u64::from(bit);
        }
        u32::try_from(found - 1).unwrap_or(u32::MAX)
    }

    fn signed(&mut self, state: &mut Signed, number: i64) -> i64 {
        let size = u32::try_from(number.unsigned_abs()).unwrap_or(u32::MAX);
        let size = i64::from(self.number(&mut state.size, size));
        if size != 0 && self.bit(&mut state.is_negative, number < 0) { -size } else { size }
    }
}

impl Coder for Encoder<'_> {
    fn symbol(&mut self, bit: bool, zero: u32) -> bool {
        self.push(span(bit, zero));
        bit
    }
}

/// A decoder that keeps its first fault. After a fault, all bits are 0.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) decoder: Decoder<'a>,
    fault: Option<DecodeErrorKind>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { decoder: Decoder::new(bytes), fault: None }
    }

    /// The first fault, if there was one.
    pub(super) fn check(&mut self) -> Result<(), DecodeErrorKind> {
        self.fault.take().map_or(Ok(()), Err)
    }
}

impl Coder for Reading<'_> {
    fn symbol(&mut self, _: bool, zero: u32) -> bool {
        if self.fault.is_some() {
            return false;
        }
        let bit = self.decoder.target() >= zero;
        self.fault = self.decoder.pass(span(bit, zero)).err();
        bit
    }
}

fn span(bit: bool, zero: u32) -> Span {
    match bit {
        false => Span { start: 0, frequency: zero },
        true => Span { start: zero, frequency: TOTAL - zero },
    }
}

/// The number of bits of a number, up to `most`.
pub(super) fn bits(number: u64, most: usize) -> usize {
    ((u64::BITS - number.leading_zeros()) as usize).min(most)
}

/// An array of new states.
pub(super) fn states<T: Default, const N: usize>() -> Box<[T; N]> {
    Box::new(from_fn(|_| T::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_return() {
        let numbers = [0, 1, 2, 3, 5, 7, 8, 100, 65_535, 1 << 20, u32::MAX - 1, u32::MAX];
        let signed = [0, 1, -1, 7, -300, i64::from(u32::MAX), -i64::from(u32::MAX)];
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes);
        let (mut state, mut signs) = (Numbers::default(), Signed::default());
        for _ in 0..300 {
            numbers.iter().for_each(|number| _ = encoder.number(&mut state, *number));
            signed.iter().for_each(|number| _ = encoder.signed(&mut signs, *number));
        }
        encoder.finish();
        let mut reading = Reading::new(&bytes);
        let (mut state, mut signs) = (Numbers::default(), Signed::default());
        for _ in 0..300 {
            assert_eq!(numbers.map(|_| reading.number(&mut state, 9)), numbers);
            assert_eq!(signed.map(|_| reading.signed(&mut signs, 9)), signed);
        }
        assert_eq!(reading.check(), Ok(()));
        assert_eq!(reading.decoder.finish(), Ok(()));
        // A bit that is always the same costs next to nothing.
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes);
        let mut bit = Bit::NEW;
        (0..10_000).for_each(|_| _ = encoder.bit(&mut bit, true));
        encoder.finish();
        assert!(bytes.len() < 30, "{}", bytes.len());
    }
}
