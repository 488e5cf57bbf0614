//! Conditions on boards, moves and comments, on the command line.

use anyhow::bail;
use clap::{Args, ValueEnum};
use halfmove_archive::{End, Question};
use halfmove_game::replay::{
    BoardQuestion, Imbalance, Material, MoveSequence, Pattern, PawnFeature, PawnFile, Pawns,
    Structure,
};

/// Conditions on the board, the moves and the comments of a game.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions on the board and moves")]
pub(crate) struct Questions {
    /// The pieces on some squares: a board as in a FEN, with wildcards
    ///
    /// A digit is that many squares with any content, A and a are any piece of White and of Black, _ is an
    /// empty square, and square brackets hold alternatives. All conditions on the board must hold in the
    /// same position
    #[arg(long, value_name = "BOARD")]
    pub(crate) pattern: Option<Pattern>,
    /// A pawn structure, in either color: carlsbad, hedgehog, iqp, maroczy, stonewall
    ///
    /// Also benoni, caro-kann, dragon, french, hanging, kings-indian, scheveningen. For one side:
    /// white:iqp; else --either-color is implied for all conditions on the board
    #[arg(long, value_name = "NAME")]
    pub(crate) structure: Option<Structure>,
    /// The pieces of White and Black: KRPvKR
    ///
    /// P2 is exactly two pawns, P2+ two or more, P1-3 one to
    /// three, P* any number; A* is any other pieces
    #[arg(long, value_name = "PIECES")]
    pub(crate) material: Option<Material>,
    /// Material imbalance: White's extra pieces, then Black's: QvRR
    ///
    /// QvRR is a queen for two rooks, RvB the exchange.
    /// Pawns may differ unless they are named; P0 requires equal numbers of pawns
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
    /// Also match with the colors exchanged
    #[arg(long, hide_short_help = true)]
    pub(crate) either_color: bool,
    /// Also match mirrored left to right
    #[arg(long, hide_short_help = true)]
    pub(crate) mirrored: bool,
    /// While at least this many half-moves are played: in N + 1 positions in a row
    #[arg(long = "for", value_name = "N", hide_short_help = true)]
    pub(crate) at_least: Option<u32>,
    /// The conditions hold at the end of the game
    #[arg(long = "final", hide_short_help = true)]
    pub(crate) is_final: bool,
    /// These moves follow each other: "Bxh7+ Kxh7 Ng5+"
    ///
    /// N is any move of a knight, x any capture, =N any
    /// promotion to a knight, ? any half-move, -- a null move, * any number of half-moves; .Nf3 is White's,
    /// ...Nf6 Black's, 12.Nf3 White's move 12
    #[arg(long, value_name = "MOVES")]
    pub(crate) played: Option<MoveSequence>,
    /// The last position ends the game in this way
    #[arg(long, value_name = "HOW", ignore_case = true, hide_short_help = true)]
    pub(crate) ended: Option<Ended>,
    /// A comment has these words
    ///
    /// In any order, ignoring case and accents; novel* matches words with this beginning
    #[arg(long, value_name = "WORDS", hide_short_help = true)]
    pub(crate) comment: Option<String>,
    /// The game has comments, glyphs or variations
    ///
    /// Comments that have only clocks, times and evaluations do not count
    #[arg(long, hide_short_help = true)]
    pub(crate) annotated: bool,
    /// The position, the moves and the conditions on the board: in the game or in one of its variations
    ///
    /// --fen, --moves, --played, --pattern and the like; each may hold in another variation
    #[arg(long, hide_short_help = true)]
    pub(crate) in_variations: bool,
}

/// The ways in which the last position can end a game.
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
    /// Returns the conditions of these options, if there are any.
    pub(crate) fn into_questions(self) -> anyhow::Result<Vec<Question>> {
        let features = [
            (self.isolated, PawnFeature::Isolated as fn(PawnFile) -> PawnFeature),
            (self.doubled, PawnFeature::Doubled),
            (self.passed, PawnFeature::Passed),
        ];
        let features =
            features.into_iter().flat_map(|(files, feature)| files.into_iter().map(feature));
        let conditions = BoardQuestion {
            pattern: match self.structure {
                Some(structure) => self.pattern.unwrap_or_default().and(&structure.pattern()),
                None => self.pattern.unwrap_or_default(),
            },
            material: self.material,
            imbalance: self.imbalance,
            opposite_bishops: self.opposite_bishops,
            pawns: self.pawns,
            features: features.collect(),
            ..BoardQuestion::default()
        };
        let question = BoardQuestion {
            either_color: self.either_color || self.structure.is_some_and(|it| it.side.is_none()),
            mirrored: self.mirrored,
            at_least: self.at_least.unwrap_or(0),
            is_final: self.is_final,
            ..conditions.clone()
        };
        let mut questions: Vec<Question> = Vec::new();
        questions.extend(self.played.map(Question::from));
        questions.extend(self.comment.map(Question::Comment));
        questions.extend(self.annotated.then_some(Question::Annotated));
        questions.extend(self.ended.map(|ended| Question::Ended(ended.into())));
        if conditions != BoardQuestion::default() {
            questions.insert(0, question.into());
            return Ok(questions);
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
        Ok(questions)
    }
}
