//! Conditions on the board, and searches for them.

mod changes;
mod counts;
mod pawns;
mod query;
mod text;
mod view;
mod watch;

pub use self::counts::{Imbalance, Material, PieceCountsError};
pub use self::pawns::{PawnFeature, PawnFile, Pawns, PawnsError};
pub use self::query::BoardQuery;
pub use self::text::BoardConditionError;

use super::pattern::Pattern;

/// Conditions on a position of a game, all of which must hold. The default has no conditions and matches every
/// position.
///
/// The text form is a list of words separated by spaces. Each condition may occur once, except those on files:
///
/// | words | condition |
/// |---|---|
/// | `pattern:8/8/8/3N4/8/8/8/8` | the board matches a [`Pattern`] |
/// | `structure:hedgehog` | a [`Structure`](super::Structure), in either color, as with `either-color`; `structure:white:iqp` of one side |
/// | `material:KRPvKR` | the sides have this [`Material`] |
/// | `imbalance:QvRR` | the sides differ by this [`Imbalance`] |
/// | `opposite-bishops` | each side has one bishop, on squares of different colors |
/// | `pawns:d4f2ve6f7` | the [`Pawns`] on the board are exactly these |
/// | `isolated:d`, `doubled:black:c`, `passed:a` | a side has such pawns on a file: [`PawnFeature`] |
/// | `either-color`, `mirrored` | also match with colors swapped, or mirrored left to right |
/// | `for:8` | for at least this number of consecutive half-moves |
/// | `final` | still at the end of the game |
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{BoardQuery, BoardCondition};
///
/// let mut bytes = Vec::new();
/// let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O *";
/// halfmove::encode(&read_game(text).unwrap(), &mut bytes)?;
///
/// // Black castles behind three pawns: no. One of the sides does: yes.
/// let mut question: BoardCondition = "pattern:5rk1/5ppp/8/8/8/8/8/8".parse()?;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, None);
/// question.either_color = true;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, Some(9));
///
/// // Black has a bishop for a knight, and doubled pawns.
/// let question: BoardCondition = "imbalance:NvB doubled:black:c".parse()?;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, Some(8));
/// let error = "imbalance:NvX".parse::<BoardCondition>().unwrap_err();
/// assert_eq!(error.to_string(), "character 13 of the conditions: expected a piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardCondition {
    /// The allowed contents of each square.
    pub pattern: Pattern,
    /// The number of pieces of each kind.
    pub material: Option<Material>,
    /// The material difference between the sides.
    pub imbalance: Option<Imbalance>,
    /// True if each side must have exactly one bishop, one on light squares and one on dark ones.
    pub opposite_bishops: bool,
    /// The squares of all pawns.
    pub pawns: Option<Pawns>,
    /// Features of some pawns, all of which must hold.
    pub features: Vec<PawnFeature>,
    /// True to match also with colors swapped and the board mirrored top to bottom.
    pub either_color: bool,
    /// True to match also with the board mirrored left to right.
    pub mirrored: bool,
    /// The minimum number of consecutive half-moves during which all conditions hold. They then hold in one more
    /// position than half-moves; 0 means a single position.
    pub at_least: u32,
    /// True if the conditions must still hold at the end of the game.
    pub is_final: bool,
}

impl BoardCondition {
    /// The conditions without alternatives; a position meets `self` if it meets any of them.
    fn alternatives(&self) -> Vec<BoardCondition> {
        let mut all = vec![self.clone()];
        if self.either_color {
            all.push(self.flipped());
        }
        if self.mirrored {
            all.extend(all.clone().iter().map(Self::mirrored));
        }
        let mut different: Vec<Self> = Vec::new();
        for question in all {
            if !different.contains(&question) {
                different.push(question);
            }
        }
        different
    }

    fn flipped(&self) -> Self {
        Self {
            pattern: self.pattern.flipped(),
            material: self.material.map(|material| material.flipped()),
            imbalance: self.imbalance.map(|imbalance| imbalance.flipped()),
            pawns: self.pawns.map(|pawns| pawns.flipped()),
            features: self.features.iter().map(|feature| feature.flipped()).collect(),
            ..self.clone()
        }
    }

    fn mirrored(&self) -> Self {
        Self {
            pattern: self.pattern.mirrored(),
            pawns: self.pawns.map(|pawns| pawns.mirrored()),
            features: self.features.iter().map(|feature| feature.mirrored()).collect(),
            ..self.clone()
        }
    }
}
