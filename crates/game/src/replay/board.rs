//! Questions about what stands on the board.

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
pub use self::text::BoardQuestionError;

use super::pattern::Pattern;

/// Conditions that hold together, in one position of a game. The default has none, so every position meets it.
///
/// As text it is words with blanks between them, each condition at most once except for those on files:
///
/// | words | condition |
/// |---|---|
/// | `pattern:8/8/8/3N4/8/8/8/8` | a [`Pattern`] fits the board |
/// | `material:KRPvKR` | the sides have this [`Material`] |
/// | `imbalance:QvRR` | they differ by this [`Imbalance`] |
/// | `opposite-bishops` | each has one bishop, on squares of different colors |
/// | `pawns:d4f2ve6f7` | these are all [`Pawns`] |
/// | `isolated:d`, `doubled:black:c`, `passed:a` | a side has such pawns on a file: [`PawnFeature`] |
/// | `either-color`, `mirrored` | or the same with the colors exchanged, or mirrored left to right |
/// | `for:8` | for at least so many half-moves on end |
/// | `final` | still at the end of the game |
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{BoardQuery, BoardQuestion};
///
/// let mut bytes = Vec::new();
/// let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O *";
/// halfmove::encode(&read_game(text).unwrap(), &mut bytes)?;
///
/// // Black castles behind three pawns: no. One of the sides does: yes.
/// let mut question: BoardQuestion = "pattern:5rk1/5ppp/8/8/8/8/8/8".parse()?;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, None);
/// question.either_color = true;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, Some(9));
///
/// // Black has a bishop for a knight, and doubled pawns.
/// let question: BoardQuestion = "imbalance:NvB doubled:black:c".parse()?;
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, Some(8));
/// let error = "imbalance:NvX".parse::<BoardQuestion>().unwrap_err();
/// assert_eq!(error.to_string(), "character 13 of the conditions: expected a piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardQuestion {
    /// What may be on each square.
    pub pattern: Pattern,
    /// How many pieces of each kind there are.
    pub material: Option<Material>,
    /// What one side has more than the other.
    pub imbalance: Option<Imbalance>,
    /// Each side has exactly one bishop, and one of them is on light squares, the other on dark ones.
    pub opposite_bishops: bool,
    /// Where all pawns are.
    pub pawns: Option<Pawns>,
    /// What is true of some pawns, each of it.
    pub features: Vec<PawnFeature>,
    /// Or all of this holds with the colors exchanged, and the board mirrored top to bottom.
    pub either_color: bool,
    /// Or all of this holds with the board mirrored left to right.
    pub mirrored: bool,
    /// All of this holds for at least so many half-moves on end.
    pub at_least: u32,
    /// It still does at the end of the game.
    pub is_final: bool,
}

impl BoardQuestion {
    /// The conditions on a position that is one of these, if any of them meets it.
    fn alternatives(&self) -> Vec<BoardQuestion> {
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
