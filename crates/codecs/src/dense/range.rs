//! A range coder: symbols with frequencies of 16 bits, in as few bytes as hold them.
//!
//! The interval `low .. low + range` shrinks with each symbol to the share of the symbol. When its size falls below 2⁴⁸, its
//! highest byte leaves; a later carry may still add 1 to it. At the end, the shortest string of bytes that lies in the
//! interval, if zeros follow it, is written; a reader checks that it is the shortest.

use crate::DecodeErrorKind;

/// The sum of the frequencies of all symbols.
pub(crate) const TOTAL: u32 = 1 << 16;

/// The interval keeps at least this size.
const LEAST: u64 = 1 << 48;

/// A symbol: the sum of the frequencies before it, and its own.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) frequency: u32,
}

impl Span {
    /// The bits that the symbol takes.
    pub(super) fn bits(self) -> f64 {
        (f64::from(TOTAL) / f64::from(self.frequency)).log2()
    }
}

/// The interval.
#[derive(Debug)]
struct Interval {
    low: u64,
    range: u64,
}

impl Interval {
    const ALL: Self = Self { low: 0, range: u64::MAX };

    /// Narrows it, and returns true for a carry.
    fn narrow(&mut self, span: Span) -> bool {
        let unit = self.range >> 16;
        let (low, carry) = self.low.overflowing_add(unit * u64::from(span.start));
        (self.low, self.range) = (low, unit * u64::from(span.frequency));
        carry
    }

    /// Drops the highest byte, if it is final.
    fn shift(&mut self) -> bool {
        let is_final = self.range < LEAST;
        if is_final {
            self.low <<= 8;
            self.range <<= 8;
        }
        is_final
    }

    /// The shortest string in it: its value, its number of bytes, and true for a carry.
    fn shortest(&self) -> (u64, usize, bool) {
        let strings = (0..8).map(|bytes| {
            let rest = u64::MAX >> (8 * bytes);
            let (value, carry) = self.low.overflowing_add(rest);
            (value & !rest, bytes as usize, carry)
        });
        let mut inside = strings.filter(|(value, ..)| value.wrapping_sub(self.low) < self.range);
        inside.next().unwrap_or((self.low, 8, false))
    }
}

/// A writer of symbols.
#[derive(Debug)]
pub(crate) struct Encoder<'a> {
    interval: Interval,
    bytes: &'a mut Vec<u8>,
    begin: usize,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        let begin = bytes.len();
        Self { interval: Interval::ALL, bytes, begin }
    }

    pub(crate) fn push(&mut self, span: Span) {
        let carry = self.interval.narrow(span);
        self.carry(carry);
        loop {
            let byte = (self.interval.low >> 56) as u8;
            if !self.interval.shift() {
                break;
            }
            self.bytes.push(byte);
        }
    }

    /// Adds 1 to the number that the bytes are.
    fn carry(&mut self, carry: bool) {
        if carry {
            for byte in self.bytes[self.begin..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    pub(crate) fn finish(mut self) {
        let (value, count, carry) = self.interval.shortest();
        self.carry(carry);
        self.bytes.extend(&value.to_be_bytes()[..count]);
    }
}

/// A reader of symbols.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    interval: Interval,
    /// The distance from `low` of the number that the bytes are.
    code: u64,
    bytes: &'a [u8],
    /// The number of bytes that have left the interval.
    shifted: usize,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let code = (0..8).fold(0, |code, at| code << 8 | u64::from(byte(bytes, at)));
        Self { interval: Interval::ALL, code, bytes, shifted: 0 }
    }

    /// The bytes that the next symbol depends on begin here.
    pub(crate) fn offset(&self) -> usize {
        self.shifted.min(self.bytes.len())
    }

    /// The place of the next symbol among the frequencies.
    pub(crate) fn target(&self) -> u32 {
        (self.code / (self.interval.range >> 16)).min(u64::from(TOTAL) - 1) as u32
    }

    /// Passes over the symbol that [`target`](Self::target) lies in.
    pub(crate) fn pass(&mut self, span: Span) -> Result<(), DecodeErrorKind> {
        self.code -= (self.interval.range >> 16) * u64::from(span.start);
        self.interval.narrow(span);
        if self.code >= self.interval.range {
            return Err(DecodeErrorKind::Uneven);
        }
        while self.interval.shift() {
            self.code = self.code << 8 | u64::from(byte(self.bytes, self.shifted + 8));
            self.shifted += 1;
        }
        if self.shifted > self.bytes.len() {
            return Err(DecodeErrorKind::Truncated);
        }
        Ok(())
    }

    /// Checks that the bytes end here, and as [`Encoder::finish`] ends them.
    pub(crate) fn finish(&self) -> Result<(), DecodeErrorKind> {
        let (value, count, _) = self.interval.shortest();
        let is_shortest = self.bytes.len() == self.shifted + count;
        if !is_shortest || self.interval.low.wrapping_add(self.code) != value {
            return Err(DecodeErrorKind::Uneven);
        }
        Ok(())
    }
}

fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols of any frequency return, with carries and without, and no other bytes mean the same.
    #[test]
    fn symbols_return() {
        let mut seed = 1u64;
        let mut random = move |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) as u32) % below
        };
        for round in 0..2_000 {
            let spans: Vec<_> = (0..round % 100)
                .map(|_| {
                    let start = random(if round % 3 == 0 { TOTAL } else { 9 });
                    let start = if round % 7 == 0 { TOTAL - 1 - start % 5 } else { start };
                    let width = 1 + random(TOTAL - start);
                    Span { start, frequency: if round % 2 == 0 { 1 } else { width } }
                })
                .collect();
            let mut bytes = vec![0xff; 3];
            let mut encoder = Encoder::new(&mut bytes);
            spans.iter().for_each(|span| encoder.push(*span));
            encoder.finish();
            let (before, bytes) = bytes.split_at(3);
            assert_eq!(before, [0xff; 3]);
            let mut decoder = Decoder::new(bytes);
            for span in &spans {
                assert!((span.start..span.start + span.frequency).contains(&decoder.target()));
                assert_eq!(decoder.pass(*span), Ok(()));
            }
            assert_eq!(decoder.finish(), Ok(()), "{round}");
            let bits: f64 = spans.iter().map(|span| 16.0 - f64::from(span.frequency).log2()).sum();
            assert!((bytes.len() as f64) < bits / 8.0 + 1.01, "{round}: {} bytes", bytes.len());
            for end in [[bytes, &[0]].concat(), [bytes, &[1]].concat()] {
                let mut decoder = Decoder::new(&end);
                let passed = spans.iter().try_for_each(|span| decoder.pass(*span));
                assert!(passed.and_then(|()| decoder.finish()).is_err());
            }
        }
    }
}
