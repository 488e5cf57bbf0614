//! The three games.

use halfmove_rules::Role;

/// A game of the family of Makruk.
///
/// | game | differs from Makruk in |
/// | --- | --- |
/// | Makpong | a king in check may not step away: its side captures the checker, with the king too, or interposes; against a double check there is no defense |
/// | ASEAN chess | both kings on the e-file; a bia promotes on the last rank, to rook, khon, knight or met; fifty moves draw; a count of its own |
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
///
/// // A rook and a met give check: nothing helps, not even taking the met.
/// let fen = "3r3k/8/8/4m3/3K4/8/8/8 w - - 0 1";
/// let moves = |rules| {
///     Makruk::from_fen(fen, rules, Dialect::Fairy, CountingPolicy::Thai).map(|p| p.legal_moves().len())
/// };
/// assert_eq!(moves(Rules::Makruk), Ok(6));
/// assert_eq!(moves(Rules::Makpong), Ok(0));
/// ```
///
/// # Source
/// The descriptions of Makpong and ASEAN chess in the guides of pychess-variants, and The Laws of
/// ASEAN-Chess (2011).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Makruk, as played in Thailand.
    Makruk,
    /// Makpong, "defensive chess".
    Makpong,
    /// ASEAN chess, of the ASEAN Chess Confederation.
    Asean,
}

impl Rules {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Makruk, Self::Makpong, Self::Asean];

    /// The rank, from 0 and as its own side sees it, on which a bia promotes.
    pub(super) const fn promotion_rank(self) -> u8 {
        match self {
            Self::Makruk | Self::Makpong => 5,
            Self::Asean => 7,
        }
    }

    /// The letter of a role as Fairy-Stockfish writes it.
    pub(super) const fn letter(self, role: Role) -> char {
        match (self, role) {
            (Self::Asean, Role::Khon) => 'B',
            (Self::Asean, Role::Met) => 'Q',
            (_, role) => role.letter(),
        }
    }
}
