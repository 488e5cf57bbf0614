//! Makruk, Makpong and ASEAN chess.

use halfmove_rules::Role;

/// Makruk or one of its variants.
///
/// | game | differs from Makruk in |
/// | --- | --- |
/// | Makpong | a king in check may not step away: its side may only capture the checker, with any piece, or interpose; a double check is checkmate |
/// | ASEAN chess | both kings start on the e-file; a bia promotes on the last rank, to rook, khon, knight or met; fifty moves draw; counting differs |
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
///
/// // A rook and a met give check: there is no legal move, not even capturing the met.
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

    /// The rank, from 0 and as seen from its own side, on which a bia promotes.
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
