//! The columns: their list, and their cells.

use std::fmt::{Display, Write};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    Float64Builder, Int32Builder, Int64Builder, StringViewBuilder, UInt64Builder,
};
use arrow_schema::{DataType, Field};
use halfmove_rules::{AnyPosition, Board, Color, MaterialKey, Move, Role};

use super::game::Played;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HalfmoveKind {
    /// 64-bit signed integer.
    Long,
    /// 64-bit unsigned integer.
    Key,
    /// 32-bit signed integer.
    Int,
    /// 64-bit floating-point number.
    Double,
    /// UTF-8 text.
    Text,
}

impl HalfmoveKind {
    /// The type in Arrow; texts are views.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Long => DataType::Int64,
            Self::Key => DataType::UInt64,
            Self::Int => DataType::Int32,
            Self::Double => DataType::Float64,
            Self::Text => DataType::Utf8View,
        }
    }

    /// The type in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Long => "BIGINT",
            Self::Key => "BIGINT UNSIGNED",
            Self::Int => "INT",
            Self::Double => "DOUBLE",
            Self::Text => "VARCHAR",
        }
    }
}

/// A column of the table `halfmoves`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct HalfmoveColumn {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: HalfmoveKind,
    /// True if it may be null.
    pub nullable: bool,
    /// Its meaning and its unit.
    pub meaning: &'static str,
    /// An example of a value, as text.
    pub example: &'static str,
    /// The columns of the table `games` from which it is made, except for `moves`, which all need.
    pub(super) sources: &'static [&'static str],
    /// New cells.
    pub(super) cells: fn() -> Cells,
}

impl HalfmoveColumn {
    /// Returns true if games are replayed for it, because it depends on positions.
    pub fn is_of_positions(&self) -> bool {
        (self.cells)().is_of_position()
    }

    /// The field of a schema.
    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.nullable)
    }
}

/// A column that is never null.
const fn column(
    name: &'static str,
    kind: HalfmoveKind,
    meaning: &'static str,
    example: &'static str,
    cells: fn() -> Cells,
) -> HalfmoveColumn {
    HalfmoveColumn { name, kind, nullable: false, meaning, example, sources: &[], cells }
}

/// A column that is made from other columns than `moves`, and null where these are.
const fn of(sources: &'static [&'static str], column: HalfmoveColumn) -> HalfmoveColumn {
    HalfmoveColumn { sources, nullable: true, ..column }
}

/// Every column, in order. `fen`, `material`, `material_balance`, `phase`, `mobility` and `key` describe the position before the
/// half-move, in which it was chosen; `clock`, `cp`, `mate` and `win_percent` are the values after it, as in a PGN file.
///
/// ```
/// use halfmove_functions::halfmoves::HALFMOVES;
///
/// assert_eq!((HALFMOVES[0].name, HALFMOVES[1].name), ("id", "ply"));
/// ```
pub static HALFMOVES: [HalfmoveColumn; 21] = [
    HalfmoveColumn {
        sources: &["id"],
        ..column("id", HalfmoveKind::Long, "the game: `games.id`", "42", || {
            Cells::Id(Int64Builder::new())
        })
    },
    column("ply", HalfmoveKind::Int, "number of the half-move in its game, from 1", "5", || {
        Cells::Ply(Int32Builder::new())
    }),
    column("color", HalfmoveKind::Text, "the side that moves: white or black", "white", || {
        Cells::Color(StringViewBuilder::new())
    }),
    column("move_number", HalfmoveKind::Int, "number of the move, as in a PGN file", "3", || {
        Cells::Number(Int32Builder::new())
    }),
    column("san", HalfmoveKind::Text, "the move in SAN", "Bb5", || {
        Cells::San(StringViewBuilder::new())
    }),
    column(
        "uci",
        HalfmoveKind::Text,
        "the move in UCI notation; in Chess960, castling is the king taking its own rook",
        "f1b5",
        || Cells::Uci(StringViewBuilder::new()),
    ),
    column(
        "fen",
        HalfmoveKind::Text,
        "FEN of the position before the half-move",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        || Cells::Fen(StringViewBuilder::new(), String::new()),
    ),
    column(
        "fen_after",
        HalfmoveKind::Text,
        "FEN of the position after it",
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        || Cells::FenAfter(StringViewBuilder::new(), String::new()),
    ),
    of(
        &["clocks"],
        column(
            "clock",
            HalfmoveKind::Double,
            "clock of that side after it, in seconds",
            "177.5",
            || Cells::Clock(Float64Builder::new()),
        ),
    ),
    of(
        &["clocks", "increment_seconds"],
        column(
            "time_used",
            HalfmoveKind::Double,
            "time used for it in seconds: clock after the side's previous half-move, less `clock`, plus `games.increment_seconds`; \
             null for the first half-move of a side, without a known increment, and where it would be negative",
            "4.5",
            || Cells::TimeUsed(Float64Builder::new()),
        ),
    ),
    of(
        &["evaluations"],
        column(
            "cp",
            HalfmoveKind::Int,
            "evaluation after it in centipawns, from White's side; null for a mate",
            "-25",
            || Cells::Cp(Int32Builder::new()),
        ),
    ),
    of(
        &["evaluations"],
        column(
            "mate",
            HalfmoveKind::Int,
            "moves to mate in the evaluation after it, negative if Black mates; null if it is not a mate",
            "-3",
            || Cells::Mate(Int32Builder::new()),
        ),
    ),
    of(
        &["evaluations"],
        column(
            "win_percent",
            HalfmoveKind::Double,
            "White's chances by the evaluation after it, from 0 to 100, by Lichess's formula: 100 / (1 + e^(-0.00368208 cp)), where a \
             mate and more than 1,000 centipawns count as 1,000",
            "47.7",
            || Cells::WinPercent(Float64Builder::new()),
        ),
    ),
    of(
        &["evaluations"],
        column(
            "loss",
            HalfmoveKind::Double,
            "percentage points of these chances that the side loses by it, at least 0; null without an evaluation before or after it",
            "12.5",
            || Cells::Loss(Float64Builder::new()),
        ),
    ),
    of(
        &["annotations"],
        column(
            "nags",
            HalfmoveKind::Text,
            "numbers of its glyphs, the lowest first, with spaces between them: 1 is !, 2 is ?, 3 is !!, 4 is ??, 5 is !?, 6 is ?!",
            "4",
            || Cells::Nags(StringViewBuilder::new()),
        ),
    ),
    column(
        "material",
        HalfmoveKind::Text,
        "pieces before it, White's first, whoever moves, in the form of the condition `material:`",
        "KRPvKR",
        || Cells::Material(StringViewBuilder::new(), String::new()),
    ),
    column(
        "material_balance",
        HalfmoveKind::Int,
        "points of White's pieces less those of Black's before it, whoever moves: pawn 1, knight, bishop and khon 3, rook 5, queen 9, met 2",
        "1",
        || Cells::Balance(Int32Builder::new()),
    ),
    column(
        "phase",
        HalfmoveKind::Text,
        "opening, middlegame or endgame: more than 10, 7 to 10, or at most 6 pieces beside kings and pawns before it",
        "endgame",
        || Cells::Phase(StringViewBuilder::new()),
    ),
    column("mobility", HalfmoveKind::Int, "number of legal moves before it", "34", || {
        Cells::Mobility(Int32Builder::new())
    }),
    column(
        "key",
        HalfmoveKind::Key,
        "Zobrist key of the position before it, that of the function key",
        "5060803636482931868",
        || Cells::Key(UInt64Builder::new()),
    ),
    HalfmoveColumn {
        nullable: true,
        ..column(
            "bits",
            HalfmoveKind::Double,
            "how unexpected it is, as `bits_at(moves, ply)`: −log₂ of its probability, from 0 to 16; null for a null move, and in Makruk",
            "3.419",
            || Cells::Bits(Float64Builder::new()),
        )
    },
];

/// The cells of a column. Texts that may be long have scratch space.
#[derive(Debug)]
pub(super) enum Cells {
    Id(Int64Builder),
    Ply(Int32Builder),
    Color(StringViewBuilder),
    Number(Int32Builder),
    San(StringViewBuilder),
    Uci(StringViewBuilder),
    Fen(StringViewBuilder, String),
    FenAfter(StringViewBuilder, String),
    Clock(Float64Builder),
    TimeUsed(Float64Builder),
    Cp(Int32Builder),
    Mate(Int32Builder),
    WinPercent(Float64Builder),
    Loss(Float64Builder),
    Nags(StringViewBuilder),
    Material(StringViewBuilder, String),
    Balance(Int32Builder),
    Phase(StringViewBuilder),
    Mobility(Int32Builder),
    Key(UInt64Builder),
    Bits(Float64Builder),
}

impl Cells {
    /// Returns true if games are replayed for the cells, because they depend on positions.
    pub(super) const fn is_of_position(&self) -> bool {
        matches!(
            self,
            Self::San(_)
                | Self::Fen(..)
                | Self::FenAfter(..)
                | Self::Material(..)
                | Self::Balance(_)
                | Self::Phase(_)
                | Self::Mobility(_)
                | Self::Key(_)
                | Self::Bits(_)
        )
    }

    /// Appends the cells of a game, unless they come one by one with its positions.
    pub(super) fn push_game(&mut self, game: &Played<'_>) {
        let all = game.indices();
        match self {
            Self::Id(cells) => cells.append_value_n(game.id, game.rows),
            Self::Ply(cells) => {
                all.for_each(|index| {
                    cells.append_value(i32::try_from(index + 1).unwrap_or(i32::MAX));
                });
            }
            Self::Color(cells) => {
                all.for_each(|index| cells.append_value(name_of(game.color(index))));
            }
            Self::Number(cells) => {
                all.for_each(|index| cells.append_value(game.fullmove_number(index)));
            }
            // The notation of a move depends on the game alone, not on the position.
            Self::Uci(cells) => {
                let texts = game.moves().map(|mv| game.start.uci(mv).text());
                texts.for_each(|text| cells.append_value(&*text));
            }
            Self::Clock(cells) => all.for_each(|index| cells.append_option(game.clock(index))),
            Self::TimeUsed(cells) => {
                all.for_each(|index| cells.append_option(game.time_used(index)));
            }
            Self::Cp(cells) => all.for_each(|index| cells.append_option(game.cp(index))),
            Self::Mate(cells) => all.for_each(|index| cells.append_option(game.mate(index))),
            Self::WinPercent(cells) => {
                all.for_each(|index| cells.append_option(game.win_percent(index)));
            }
            Self::Loss(cells) => all.for_each(|index| cells.append_option(game.loss(index))),
            Self::Bits(cells) => game.bits().for_each(|bits| cells.append_option(bits)),
            Self::Nags(cells) => all.for_each(|index| cells.append_option(game.nags(index))),
            _ => {}
        }
    }

    /// Appends the cell of a half-move, if it needs the position before it.
    pub(super) fn push_position(&mut self, position: &AnyPosition, mv: Move) {
        match self {
            Self::San(cells) => cells.append_value(&*position.san(mv)),
            Self::Fen(cells, text) => append(cells, text, position),
            Self::FenAfter(cells, text) => {
                let mut after = position.clone();
                after.play_unchecked(mv);
                append(cells, text, after);
            }
            Self::Material(cells, text) => append(cells, text, MaterialKey::of(position.board())),
            Self::Balance(cells) => cells.append_value(balance(position.board())),
            Self::Phase(cells) => cells.append_value(phase(position.board())),
            Self::Mobility(cells) => {
                cells.append_value(i32::try_from(position.count_moves()).unwrap_or(i32::MAX));
            }
            Self::Key(cells) => cells.append_value(position.key().0),
            _ => {}
        }
    }

    pub(super) fn finish(self) -> ArrayRef {
        match self {
            Self::Id(mut cells) => Arc::new(cells.finish()),
            Self::Ply(mut cells)
            | Self::Number(mut cells)
            | Self::Cp(mut cells)
            | Self::Mate(mut cells)
            | Self::Balance(mut cells)
            | Self::Mobility(mut cells) => Arc::new(cells.finish()),
            Self::Clock(mut cells)
            | Self::TimeUsed(mut cells)
            | Self::WinPercent(mut cells)
            | Self::Loss(mut cells)
            | Self::Bits(mut cells) => Arc::new(cells.finish()),
            Self::Color(mut cells)
            | Self::San(mut cells)
            | Self::Uci(mut cells)
            | Self::Fen(mut cells, _)
            | Self::FenAfter(mut cells, _)
            | Self::Material(mut cells, _)
            | Self::Phase(mut cells)
            | Self::Nags(mut cells) => Arc::new(cells.finish()),
            Self::Key(mut cells) => Arc::new(cells.finish()),
        }
    }
}

/// Appends a text. `text` is scratch space.
fn append(cells: &mut StringViewBuilder, text: &mut String, value: impl Display) {
    text.clear();
    // Writing into a string cannot fail.
    let _ = write!(text, "{value}");
    cells.append_value(&*text);
}

const fn name_of(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The points of White's pieces less those of Black's.
fn balance(board: &Board) -> i32 {
    let count = |role, color| (board.by_role(role) & board.by_color(color)).len() as i32;
    let points = |(role, points)| points * (count(role, Color::White) - count(role, Color::Black));
    POINTS.into_iter().map(points).sum()
}

const POINTS: [(Role, i32); 7] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
    (Role::Khon, 3),
    (Role::Met, 2),
];

/// The phase of a game by the number of pieces that are neither kings nor pawns.
fn phase(board: &Board) -> &'static str {
    let others = board.by_role(Role::King) | board.by_role(Role::Pawn);
    match (board.occupied() & !others).len() {
        0..=6 => "endgame",
        7..=10 => "middlegame",
        _ => "opening",
    }
}
