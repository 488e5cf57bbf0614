//! The options for a position and its variant.

use super::help::RARE;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use halfmove_rules::makruk::{self, CountingPolicy};

/// A position of any game.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The position; the default is the standard starting position
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Moves to play from there: "1. e4 e5 2. Nf3" or "e2e4 e7e5"
    ///
    /// SAN or UCI notation. Move numbers, a result at the end, comments, variations and glyphs are
    /// skipped, as in a PGN file
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// The game; the default is chess, or Chess960 if castling rights require it
    ///
    /// Castling is written e1g1 in chess and e1h1, king takes rook, in Chess960
    #[arg(long, ignore_case = true)]
    pub(crate) variant: Option<Variant>,
    /// Dialect of a Makruk FEN, if it is ambiguous
    #[arg(long, value_enum, requires = "fen", requires = "variant", help_heading = RARE)]
    pub(crate) dialect: Option<Dialect>,
    /// Reject a FEN with impossible castling rights, en passant square or counters
    ///
    /// By default they are dropped with a warning
    #[arg(long, requires = "fen", hide_short_help = true)]
    pub(crate) strict: bool,
}

/// A position, given as a FEN or as the moves that lead to it, and its variant.
#[derive(Debug, Args)]
pub(crate) struct Position {
    /// A position as FEN; its counters do not matter
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// The position after these moves, from --fen or the start: "1. e4 e5"
    ///
    /// SAN or UCI notation: "1. e4 e5 2. Nf3" or "e2e4 e7e5". Move numbers, a result at the end,
    /// comments, variations and glyphs are skipped, as in a PGN file
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// Only games of this variant: chess, chess960, makruk, makpong or asean
    ///
    /// A position is read in this variant, too; the default is chess or Chess960. Makruk is the chess of
    /// Thailand, Makpong is Makruk in which a king may not step out of check
    #[arg(long, ignore_case = true, hide_possible_values = true)]
    pub(crate) variant: Option<Variant>,
    /// Dialect of a Makruk FEN, if it is ambiguous
    #[arg(long, value_enum, requires = "fen", requires = "variant", help_heading = RARE)]
    pub(crate) dialect: Option<Dialect>,
    /// Reject a FEN with impossible castling rights, en passant square or counters
    ///
    /// By default they are dropped with a warning
    #[arg(long, requires = "fen", hide_short_help = true)]
    pub(crate) strict: bool,
}

/// A variant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Chess,
    Chess960,
    Makruk(makruk::Rules),
}

impl Variant {
    const ALL: [Self; 2 + makruk::Rules::ALL.len()] = {
        let mut all = [Self::Chess960; 2 + makruk::Rules::ALL.len()];
        all[0] = Self::Chess;
        let mut index = 0;
        while index < makruk::Rules::ALL.len() {
            all[2 + index] = Self::Makruk(makruk::Rules::ALL[index]);
            index += 1;
        }
        all
    };
}

impl ValueEnum for Variant {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name());
        Some(match self {
            Self::Chess => value.help("Chess"),
            Self::Chess960 => value.help("Chess from one of 960 starts"),
            Self::Makruk(makruk::Rules::Makruk) => value.help("The chess of Thailand"),
            Self::Makruk(makruk::Rules::Makpong) => {
                value.help("Makruk in which a king may not step out of check")
            }
            Self::Makruk(makruk::Rules::Asean) => value.help("ASEAN chess"),
            Self::Makruk(_) => value,
        })
    }
}

/// A dialect of Makruk's FEN.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// Fairy-Stockfish, pychess and XBoard: K M S N R P, and M~ for a promoted bia
    Fairy,
    /// makruk-js: K E T M R B, and F for a promoted bia
    MakrukJs,
}

impl From<Dialect> for makruk::Dialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Fairy => Self::Fairy,
            Dialect::MakrukJs => Self::MakrukJs,
        }
    }
}

/// A style of SAN for Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SanStyle {
    /// Fairy-Stockfish and pychess: Sd4, f6=M
    Fairy,
    /// makruk-js: Td4, f6=F
    MakrukJs,
    /// PlayOK: Bd4, f6=P
    #[value(name = "playok")]
    PlayOk,
    /// Thai letters and digits: ค-ง๔, ฉ๖=M
    Thai,
}

impl From<SanStyle> for makruk::SanStyle {
    fn from(style: SanStyle) -> Self {
        match style {
            SanStyle::Fairy => Self::Fairy,
            SanStyle::MakrukJs => Self::MakrukJs,
            SanStyle::PlayOk => Self::PlayOk,
            SanStyle::Thai => Self::Thai,
        }
    }
}

/// A counting policy of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counting {
    /// Board's honor is claimed with `count` and stopped with `stop`; pieces' honor is automatic
    Thai,
    /// Both counts are automatic, as in Fairy-Stockfish
    Auto,
    /// Both counts are claimed, as in the program makruk-js
    MakrukJs,
    /// Like auto, but ASEAN chess follows its laws literally, as in Fairy-Stockfish 11.1
    #[value(name = "fairy-11")]
    Fairy11,
}

impl From<Counting> for CountingPolicy {
    fn from(counting: Counting) -> Self {
        match counting {
            Counting::Thai => Self::Thai,
            Counting::Auto => Self::Auto,
            Counting::MakrukJs => Self::MakrukJs,
            Counting::Fairy11 => Self::Fairy11,
        }
    }
}
