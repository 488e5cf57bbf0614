//! Bits of a word: isolate, reset, count and find them, gather and scatter them.
//!
//! A [`Bitboard`](halfmove_bitboard::Bitboard) needs four things from a word: its lowest bit, its highest bit, the
//! word without its lowest bit, and how many bits there are. Today each is an instruction, and
//! the methods of `u64` are the ones to use. This module also has the older ways in plain arithmetic. They
//! show how a multiplication hashes, and techniques for sliding pieces rest on the same ideas.
//!
//! | result | by hardware | by arithmetic |
//! |---|---|---|
//! | lowest bit | [`scan_forward`] | [`DeBruijn::scan_forward`], [`trailing_zeros_modulo_67`] |
//! | highest bit | [`scan_reverse`] | [`DeBruijn::scan_reverse`] |
//! | number of bits | [`count`] | [`count_swar`] |
//! | bits of a mask to the low end | `PEXT` | [`extract`], [`kindergarten`] |
//! | low bits to those of a mask | `PDEP` | [`deposit`] |
//!
//! ```
//! use halfmove_bitboard::{Bitboard, bitboard};
//! use halfmove_techniques::bits;
//! let sample = bitboard! {
//!     . . . . . . . .
//!     . . 1 . 1 . . .
//!     . 1 . . . 1 . .
//!     . . . . . . . .
//!     . 1 . . . 1 . .
//!     . . 1 . 1 . . .
//!     . . . . . . . .
//!     . . . . . . . .
//! };
//! assert_eq!(Bitboard(bits::isolate_lowest(sample.0)), bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . 1 . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//! });
//! assert_eq!(Bitboard(bits::reset_lowest(sample.0)), bitboard! {
//!     . . . . . . . .
//!     . . 1 . 1 . . .
//!     . 1 . . . 1 . .
//!     . . . . . . . .
//!     . 1 . . . 1 . .
//!     . . . . 1 . . .
//!     . . . . . . . .
//!     . . . . . . . .
//! });
//! ```
//!
//! A set becomes a list by isolating and resetting its lowest bit until nothing is left; iteration over a
//! [`Bitboard`](halfmove_bitboard::Bitboard) does that.
//!
//! ```
//! use halfmove_techniques::bits::{self, DeBruijn};
//!
//! let mut set = 0b1001_0100;
//! let mut list = Vec::new();
//! while set != 0 {
//!     list.extend(DeBruijn::LEISERSON.scan_forward(bits::isolate_lowest(set)));
//!     set = bits::reset_lowest(set);
//! }
//! assert_eq!(list, [2, 4, 7]);
//! ```
//!
//! # Source
//! Isenberg 2008, "Bit-Twiddling", "Converting Bitboards to Lists", "BitScan" and "Kindergarten Multiplication".

mod de_bruijn;
pub mod kindergarten;

pub use de_bruijn::DeBruijn;

/// The lowest bit alone; 0 for the empty word.
///
/// In two's complement `-x` is `x` with every bit above the lowest one flipped, so the two share only that
/// bit.
///
/// # Source
/// Isenberg 2008, "LSB-isolation".
#[inline]
pub const fn isolate_lowest(x: u64) -> u64 {
    x & x.wrapping_neg()
}

/// The word without its lowest bit; 0 for the empty word.
///
/// # Source
/// Isenberg 2008, "LSB-reset".
#[inline]
pub const fn reset_lowest(x: u64) -> u64 {
    x & x.wrapping_sub(1)
}

/// The highest bit alone; 0 for the empty word.
///
/// The bit is smeared over all positions below it. Subtracting the result, shifted right by one, leaves only
/// the bit.
#[inline]
pub const fn isolate_highest(x: u64) -> u64 {
    let mut smeared = x | x >> 1;
    smeared |= smeared >> 2;
    smeared |= smeared >> 4;
    smeared |= smeared >> 8;
    smeared |= smeared >> 16;
    smeared |= smeared >> 32;
    smeared ^ smeared >> 1
}

/// The index of the lowest set bit, 0 to 63, by the CPU's instruction; `None` for the empty word.
#[inline]
pub const fn scan_forward(x: u64) -> Option<u32> {
    if x == 0 { None } else { Some(x.trailing_zeros()) }
}

/// The index of the highest set bit, 0 to 63, by the CPU's instruction; `None` for the empty word.
#[inline]
pub const fn scan_reverse(x: u64) -> Option<u32> {
    if x == 0 { None } else { Some(63 - x.leading_zeros()) }
}

/// The number of zeros below the lowest bit, 64 for the empty word: by a division, without a branch.
///
/// 67 is prime and 2 has order 66 modulo 67, so the 64 powers of two leave 64 different remainders;
/// the empty word leaves 0, which no power does. Two entries of the table, 17 and 34, are never read.
///
/// ```
/// use halfmove_techniques::bits::trailing_zeros_modulo_67;
/// assert_eq!(trailing_zeros_modulo_67(0b10100), 2);
/// assert_eq!(trailing_zeros_modulo_67(0), 64);
/// ```
///
/// # Source
/// Isenberg 2008, "Bitscan by modulo", after Stefan Plenkner and Joël Rivat, 1996.
#[inline]
pub const fn trailing_zeros_modulo_67(x: u64) -> u32 {
    MODULO_67[(isolate_lowest(x) % 67) as usize] as u32
}

static MODULO_67: [u8; 67] = {
    let mut table = [u8::MAX; 67];
    table[0] = 64;
    let mut place = 0;
    while place < 64 {
        table[((1_u64 << place) % 67) as usize] = place;
        place += 1;
    }
    table
};

/// The number of bits, by the CPU's instruction where there is one.
#[inline]
pub const fn count(x: u64) -> u32 {
    x.count_ones()
}

/// The number of bits, by adding up fields that grow wider: pairs, nibbles, bytes. A multiplication adds
/// up the bytes.
///
/// ```text
/// bits      1 1 0 1 0 0 1 0
/// pairs     1 0 0 1 0 0 0 1      2 1 0 1
/// nibbles   0 0 1 1 0 0 0 1      3 1
/// byte      0 0 0 0 0 1 0 0      4
/// ```
#[inline]
pub const fn count_swar(x: u64) -> u32 {
    const SINGLES: u64 = 0x5555_5555_5555_5555;
    const PAIRS: u64 = 0x3333_3333_3333_3333;
    const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const BYTES: u64 = 0x0101_0101_0101_0101;
    // A pair's value less its upper bit is its number of bits: 3 - 1, 2 - 1, 1 - 0, 0 - 0.
    let pairs = x - (x >> 1 & SINGLES);
    let nibbles = (pairs & PAIRS) + (pairs >> 2 & PAIRS);
    let bytes = (nibbles + (nibbles >> 4)) & NIBBLES;
    (bytes.wrapping_mul(BYTES) >> 56) as u32
}

/// The bits of `x` at the positions in `mask`, moved together at the low end: the instruction `PEXT` in
/// software, one round for each bit of the mask.
///
/// ```
/// use halfmove_techniques::bits;
/// assert_eq!(bits::extract(0b1011_0010, 0b1111_0000), 0b1011);
/// assert_eq!(bits::extract(0b1011_0010, 0b1000_0111), 0b1010);
/// ```
#[inline]
pub const fn extract(x: u64, mask: u64) -> u64 {
    let mut left = mask;
    let mut to = 1;
    let mut extracted = 0;
    while left != 0 {
        if x & isolate_lowest(left) != 0 {
            extracted |= to;
        }
        // After sixty-four rounds the last bit is shifted out, and nothing is left to place.
        to <<= 1;
        left = reset_lowest(left);
    }
    extracted
}

/// The low bits of `x`, moved apart to the positions in `mask`: the instruction `PDEP` in software, one
/// round for each bit of the mask. It undoes [`extract`].
///
/// ```
/// use halfmove_techniques::bits;
/// assert_eq!(bits::deposit(0b1011, 0b1111_0000), 0b1011_0000);
/// assert_eq!(bits::deposit(0b1010, 0b1000_0111), 0b1000_0010);
/// ```
#[inline]
pub const fn deposit(x: u64, mask: u64) -> u64 {
    let mut left = mask;
    let mut rest = x;
    let mut deposited = 0;
    while left != 0 {
        if rest & 1 != 0 {
            deposited |= isolate_lowest(left);
        }
        rest >>= 1;
        left = reset_lowest(left);
    }
    deposited
}
