//! What games are asked about, on the command line.

use anyhow::bail;
use clap::{Args, ValueEnum};
use halfmove_archive::{End, Question};
use halfmove_game::replay::{
    BoardQuestion, Imbalance, Material, MoveSequence, Pattern, PawnFeature, PawnFile, Pawns,
};

/// Conditions on what stands on the board.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions on the board and moves")]
pub(crate) struct Questions {
    /// What stands on some squares, as in a FEN with wildcards
    ///
    /// As in a FEN; but a digit is that many squares with anything on them, A and a are any piece of White and of Black, _ is an empty square, and several of these in
    /// square brackets are one of them. All conditions on the board have to hold in one position
    #[arg(long, value_name = "BOARD")]
    pub(crate) pattern: Option<Pattern>,
    /// The pieces of White and Black: KRPvKR
    ///
    /// P2 is exactly two pawns, P2+ two or more, P1-3 one to
    /// three, P* any number; A* is any other pieces
    #[arg(long, value_name = "PIECES")]
    pub(crate) material: Option<Material>,
    /// Material imbalance: White's extra pieces, then Black's: QvRR
    ///
    /// QvRR is a queen for two rooks, RvB the exchange.
    /// Pawns may differ if they are not named; P0 says that they do not
    #[arg(long, hide_short_help = true, value_name = "PIECES")]
    pub(crate) imbalance: Option<Imbalance>,
    /// Each side has one bishop, on squares of different colors
    #[arg(long, hide_short_help = true)]
    pub(crate) opposite_bishops: bool,
    /// Exactly these pawns: a board as in a FEN, or squares of White and Black: d4f2ve6f7
    #[arg(long, value_name = "PAWNS", hide_short_help = true)]
    pub(crate) pawns: Option<Pawns>,
    /// White has an isolated pawn on this file: d; Black: black:d. May be repeated
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) isolated: Vec<PawnFile>,
    /// White has two pawns or more on this file; Black: black:c. May be repeated
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) doubled: Vec<PawnFile>,
    /// White has a passed pawn on this file; Black: black:a. May be repeated
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) passed: Vec<PawnFile>,
    /// Or the same with the colors exchanged
    #[arg(long, hide_short_help = true)]
    pub(crate) either_color: bool,
    /// Or the same mirrored left to right
    #[arg(long, hide_short_help = true)]
    pub(crate) mirrored: bool,
    /// For at least this many half-moves in a row
    #[arg(long = "for", value_name = "N", hide_short_help = true)]
    pub(crate) at_least: Option<u32>,
    /// Still at the end of the game
    #[arg(long = "final", hide_short_help = true)]
    pub(crate) is_final: bool,
    /// These moves follow each other: "Bxh7+ Kxh7 Ng5+"
    ///
    /// N is any move of a knight, x any capture, =N any
    /// promotion to a knight, ? any half-move, * any number of them; .Nf3 is White's, ...Nf6 Black's,
    /// 12.Nf3 White's move 12
    #[arg(long, value_name = "MOVES")]
    pub(crate) played: Option<MoveSequence>,
    /// How the last position ends the game
    #[arg(long, value_name = "HOW", ignore_case = true, hide_short_help = true)]
    pub(crate) ended: Option<Ended>,
    /// A comment has these words
    ///
    /// In any order, without case and accents; novel* is the beginning of a word
    #[arg(long, value_name = "WORDS", hide_short_help = true)]
    pub(crate) comment: Option<String>,
    /// The position of --fen or --moves arises in the game or in one of its variations
    #[arg(long, hide_short_help = true)]
    pub(crate) in_variations: bool,
}

/// How the last position ends a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ended {
    Checkmate,
    Stalemate,
    #[value(
        name = "insufficient_material",
        aliases = ["insufficient-material", "insufficient material"]
    )]
    InsufficientMaterial,
    /// A count of Makruk has run out
    Counting,
}

impl From<Ended> for End {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Checkmate => Self::Checkmate,
            Ended::Stalemate => Self::Stalemate,
            Ended::InsufficientMaterial => Self::InsufficientMaterial,
            Ended::Counting => Self::Counting,
        }
    }
}

impl Questions {
    /// The questions, if there are any.
    pub(crate) fn asked(self) -> anyhow::Result<Vec<Question>> {
        let features = [
            (self.isolated, PawnFeature::Isolated as fn(PawnFile) -> PawnFeature),
            (self.doubled, PawnFeature::Doubled),
            (self.passed, PawnFeature::Passed),
        ];
        let features =
            features.into_iter().flat_map(|(files, feature)| files.into_iter().map(feature));
        let conditions = BoardQuestion {
            pattern: self.pattern.unwrap_or_default(),
            material: self.material,
            imbalance: self.imbalance,
            opposite_bishops: self.opposite_bishops,
            pawns: self.pawns,
            features: features.collect(),
            ..BoardQuestion::default()
        };
        let question = BoardQuestion {
            either_color: self.either_color,
            mirrored: self.mirrored,
            at_least: self.at_least.unwrap_or(0),
            is_final: self.is_final,
            ..conditions.clone()
        };
        let mut asked: Vec<Question> = Vec::new();
        asked.extend(self.played.map(Question::from));
        asked.extend(self.comment.map(Question::Comment));
        asked.extend(self.ended.map(|ended| Question::Ended(ended.into())));
        if conditions != BoardQuestion::default() {
            asked.insert(0, question.into());
            return Ok(asked);
        }
        let without_condition = [
            ("--either-color", self.either_color),
            ("--mirrored", self.mirrored),
            ("--for", self.at_least.is_some()),
            ("--final", self.is_final),
        ];
        if let Some((flag, _)) = without_condition.iter().find(|(_, is_there)| *is_there) {
            bail!(
                "{flag} needs a condition on the board, such as --pattern, --material or --isolated"
            );
        }
        Ok(asked)
    }
}
