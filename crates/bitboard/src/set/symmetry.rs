//! Flips, mirrors and rotations of a set: the eight symmetries of the board.
//!
//! Each applies the method of that name on [`Square`](crate::Square) to all squares of the set at once. Every rotation
//! is made of two flips.

use crate::Bitboard;

impl Bitboard {
    /// The board seen from the other side: the first rank and the eighth are exchanged.
    ///
    /// One byte swap.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.flip_vertical(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 . 1 . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// The board mirrored: the a-file and the h-file are exchanged.
    ///
    /// Within each rank, neighbors are exchanged, then pairs, then halves.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.flip_horizontal(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . 1 1 1 .
    ///     . . . 1 . . 1 .
    ///     . . . . 1 1 1 .
    ///     . . . . 1 . 1 .
    ///     . . . 1 . . 1 .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn flip_horizontal(self) -> Self {
        const SINGLES: u64 = 0x5555_5555_5555_5555;
        const PAIRS: u64 = 0x3333_3333_3333_3333;
        const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let mut x = self.0;
        x = x >> 1 & SINGLES | (x & SINGLES) << 1;
        x = x >> 2 & PAIRS | (x & PAIRS) << 2;
        Self(x >> 4 & NIBBLES | (x & NIBBLES) << 4)
    }

    /// Mirrored about a1-h8: files and ranks are exchanged.
    ///
    /// A transposition in three steps: blocks of 4 by 4, of 2 by 2, then single squares.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.flip_diagonal(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . 1 . . 1 . .
    ///     . . . 1 1 . 1 .
    ///     . . . . 1 . 1 .
    ///     . . 1 1 1 1 1 .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn flip_diagonal(self) -> Self {
        // Each mask is the upper left half of the exchanged squares; the other half lies to the south-east of it, as
        // many steps as the block is wide, at seven bits per step.
        const BLOCKS_4: u64 = 0x0f0f_0f0f_0000_0000;
        const BLOCKS_2: u64 = 0x3333_0000_3333_0000;
        const SINGLES: u64 = 0x5500_5500_5500_5500;
        let mut x = self.0;
        let mut difference = BLOCKS_4 & (x ^ x << 28);
        x ^= difference ^ difference >> 28;
        difference = BLOCKS_2 & (x ^ x << 14);
        x ^= difference ^ difference >> 14;
        difference = SINGLES & (x ^ x << 7);
        Self(x ^ difference ^ difference >> 7)
    }

    /// Mirrored about a8-h1: a1 and h8 are exchanged.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.flip_anti_diagonal(), bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 1 1 . .
    ///     . 1 . 1 . . . .
    ///     . 1 . 1 1 . . .
    ///     . . 1 . . 1 . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn flip_anti_diagonal(self) -> Self {
        self.flip_diagonal().rotate_180()
    }

    /// A quarter turn clockwise: a1 goes to a8, a8 to h8.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.rotate_90(), bitboard! {
    ///     . . . . . . . .
    ///     . . 1 1 1 1 1 .
    ///     . . . . 1 . 1 .
    ///     . . . 1 1 . 1 .
    ///     . . 1 . . 1 . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn rotate_90(self) -> Self {
        self.flip_diagonal().flip_vertical()
    }

    /// Half a turn: a1 and h8 are exchanged.
    ///
    /// All 64 bits in reverse order.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.rotate_180(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . 1 . . 1 .
    ///     . . . . 1 . 1 .
    ///     . . . . 1 1 1 .
    ///     . . . 1 . . 1 .
    ///     . . . . 1 1 1 .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn rotate_180(self) -> Self {
        Self(self.0.reverse_bits())
    }

    /// A quarter turn counterclockwise: a1 goes to h1, h1 to h8.
    ///
    /// ```
    /// use halfmove_bitboard::bitboard;
    /// let letter = bitboard! {
    ///     . . . . . . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . 1 1 1 . . . .
    ///     . 1 . 1 . . . .
    ///     . 1 . . 1 . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(letter.rotate_270(), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . 1 . . 1 . .
    ///     . 1 . 1 1 . . .
    ///     . 1 . 1 . . . .
    ///     . 1 1 1 1 1 . .
    ///     . . . . . . . .
    /// });
    /// ```
    #[inline]
    #[must_use]
    pub const fn rotate_270(self) -> Self {
        self.flip_diagonal().flip_horizontal()
    }
}
