//! Makruk and its variants.

use core::fmt;

/// Makruk or one of its variants.
///
/// | game | differs from Makruk in |
/// | --- | --- |
/// | Makpong | a king may not move out of check: a check can be met only by capturing the checker, with any piece, or by interposing. A double check is checkmate |
/// | ASEAN chess | a bia promotes on the last rank, to rook, khon, knight or met; counting differs; the FEN letters are `B` and `Q`; the kings face each other |
///
/// ```
/// use halfmove_rules::makruk::Rules;
/// use halfmove_rules::Makruk;
///
/// let makpong = Makruk::start(Rules::Makpong);
/// assert_eq!(makpong.perft(3), 12_012);
/// ```
///
/// # Source
/// Fairy-Stockfish, `variant.cpp` (2026), and its perft counts. The Laws of ASEAN-Chess (2011).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// Makruk, as played in Thailand.
    #[default]
    Makruk,
    /// Makpong, "defensive chess", used as a tiebreak.
    Makpong,
    /// ASEAN chess, the common rules of the Association of Southeast Asian Nations.
    Asean,
}

impl Rules {
    /// All games, Makruk first.
    pub const ALL: [Self; 3] = [Self::Makruk, Self::Makpong, Self::Asean];

    /// The name, as in the tag `Variant` and UCI's option `UCI_Variant`: lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Makruk => "makruk",
            Self::Makpong => "makpong",
            Self::Asean => "asean",
        }
    }

    /// The game with this name. Case does not matter.
    ///
    /// ```
    /// use halfmove_rules::makruk::Rules;
    /// assert_eq!(Rules::from_name("Makruk"), Some(Rules::Makruk));
    /// assert_eq!(Rules::from_name("sittuyin"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The differences between the moves of the variants, as compile-time constants.
pub(super) trait MoveRules {
    /// A king in check may only capture the checker, and only if there is just one.
    const KING_STANDS_ITS_GROUND: bool;
    /// A bia promotes on the last rank, to one of four roles.
    const PROMOTES_ON_LAST_RANK: bool;
}

pub(super) struct MakrukRules;
pub(super) struct MakpongRules;
pub(super) struct AseanRules;

impl MoveRules for MakrukRules {
    const KING_STANDS_ITS_GROUND: bool = false;
    const PROMOTES_ON_LAST_RANK: bool = false;
}

impl MoveRules for MakpongRules {
    const KING_STANDS_ITS_GROUND: bool = true;
    const PROMOTES_ON_LAST_RANK: bool = false;
}

impl MoveRules for AseanRules {
    const KING_STANDS_ITS_GROUND: bool = false;
    const PROMOTES_ON_LAST_RANK: bool = true;
}
