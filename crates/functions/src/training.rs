//! Positions for training: a row for each half-move of some games, in the numbers that networks take.
//!
//! [`Training`] makes the rows from a batch of the table `games`, each game decoded once, without a query engine:
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::Int8Type;
//! use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
//! use halfmove_functions::training::{PositionForm, Training, TrainingRules};
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//! use halfmove_rules::Chess;
//!
//! let mut moves = Vec::new();
//! halfmove::encode(&read_game("1. e4 e5 2. Nf3 1-0")?, &mut moves)?;
//! let none: ArrayRef = Arc::new(BinaryArray::new_null(1));
//! let games = RecordBatch::try_from_iter_with_nullable([
//!     ("id", Arc::new(Int64Array::from(vec![1])) as ArrayRef, false),
//!     ("result", Arc::new(StringArray::from(vec!["1-0"])), false),
//!     ("moves", Arc::new(BinaryArray::from_iter_values([moves])), false),
//!     ("clocks", none.clone(), true),
//!     ("evaluations", none, true),
//! ])?;
//!
//! let training = Training::new(PositionForm::Packed, TrainingRules::Chess);
//! let rows = training.rows_of(&games)?;
//! let start = rows.column_by_name("position").ok_or("a column")?.as_fixed_size_binary().value(0);
//! assert_eq!(start, Chess::default().pack()?);
//! let results = rows.column_by_name("result").ok_or("a column")?.as_primitive::<Int8Type>();
//! assert_eq!(results.values(), &[1, -1, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | column | type | null | meaning |
//! | --- | --- | --- | --- |
//! | `id`, `ply` | 64 and 32 bits | no | the game, and the number of the half-move in it, from 1 |
//! | `position` | 32 or 36 bytes | no | packed: [`Chess::pack`](halfmove_rules::Chess::pack), [`Makruk::pack`](halfmove_rules::Makruk::pack) |
//! | `planes` | 12 bitboards | no | planes: White's pieces by [role](TrainingRules::roles), then Black's |
//! | `side_to_move` | 8 bits | no | planes: 0 White, 1 Black |
//! | `castling` | bitboard | no | planes: the rooks that may castle |
//! | `en_passant` | bitboard | no | planes: the target of a legal en passant capture |
//! | `from_square`, `to_square` | 8 bits | no | the move, as UCI notation writes it |
//! | `promotion` | 8 bits | no | 0, or the number of the role, from 1 for the pawn |
//! | `result` | 8 bits | yes | 1, 0 or -1: the result for the side to move |
//! | `clock` | float | yes | seconds that the side to move has left |
//! | `cp`, `mate` | 32 bits | yes | the evaluation of the position for the side to move: centipawns, or moves to mate |
//!
//! Clock and evaluation are those of the position: the clock after the previous half-move of the same side, and the evaluation after the
//! previous half-move. Null moves, and in packed form positions with more than 32 pieces, have no row.

use std::sync::Arc;

use arrow_array::builder::{Float32Builder, Int8Builder, Int32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    ArrayRef, FixedSizeBinaryArray, FixedSizeListArray, Int32Array, Int64Array, RecordBatch,
    UInt8Array, UInt64Array,
};
use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use halfmove_game::codec::{DecodeError, halfmove, whole};
use halfmove_game::{Clock, Evaluation, GameResult, Score};
use halfmove_rules::{AnyPosition, Color, Move, Role, Variant};

use crate::arguments::{Bytes, Texts};
use crate::error::FunctionError;
use crate::halfmoves::Plies;

/// The form of the positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionForm {
    /// Packed positions.
    Packed,
    /// Bitboards: one for each kind of piece, and the state beside the pieces.
    Planes,
}

/// The games whose positions become rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrainingRules {
    /// Chess and Chess960.
    Chess,
    /// Makruk and its variants.
    Makruk,
}

impl TrainingRules {
    /// Those of games that a filter by variant selects: chess and Chess960 without one.
    pub fn of(variant: Option<Variant>) -> Self {
        match variant.and_then(Variant::makruk_rules) {
            Some(_) => Self::Makruk,
            None => Self::Chess,
        }
    }

    /// The roles in the order of the planes of each side. Khon and met have the places of bishop and queen.
    pub const fn roles(self) -> [Role; 6] {
        match self {
            Self::Chess => Role::CHESS,
            Self::Makruk => {
                [Role::Pawn, Role::Knight, Role::Khon, Role::Rook, Role::Met, Role::King]
            }
        }
    }

    /// The number of bytes of a packed position.
    const fn packed_bytes(self) -> usize {
        match self {
            Self::Chess => 32,
            Self::Makruk => 36,
        }
    }

    fn is_of(self, position: &AnyPosition) -> bool {
        position.as_chess().is_some() == (self == Self::Chess)
    }
}

/// The number of bitboards of pieces.
const PLANES: usize = 12;

/// The columns of games from which rows are made.
const SOURCES: [&str; 5] = ["id", "result", "moves", "clocks", "evaluations"];

/// Makes rows for training from games.
#[derive(Debug, Clone)]
pub struct Training {
    form: PositionForm,
    rules: TrainingRules,
    plies: Plies,
    schema: SchemaRef,
}

impl Training {
    /// Rows in this form of the games with these rules; other games have none.
    pub fn new(form: PositionForm, rules: TrainingRules) -> Self {
        let bytes = i32::try_from(rules.packed_bytes()).unwrap_or(i32::MAX);
        let mut fields = vec![("id", DataType::Int64, false), ("ply", DataType::Int32, false)];
        match form {
            PositionForm::Packed => {
                fields.push(("position", DataType::FixedSizeBinary(bytes), false));
            }
            PositionForm::Planes => fields.extend([
                ("planes", DataType::FixedSizeList(plane(), PLANES as i32), false),
                ("side_to_move", DataType::UInt8, false),
                ("castling", DataType::UInt64, false),
                ("en_passant", DataType::UInt64, false),
            ]),
        }
        fields.extend([
            ("from_square", DataType::UInt8, false),
            ("to_square", DataType::UInt8, false),
            ("promotion", DataType::UInt8, false),
            ("result", DataType::Int8, true),
            ("clock", DataType::Float32, true),
            ("cp", DataType::Int32, true),
            ("mate", DataType::Int32, true),
        ]);
        let fields = fields.into_iter().map(|(name, kind, null)| Field::new(name, kind, null));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Self { form, rules, plies: Plies::all(), schema }
    }

    /// Only rows of these half-moves.
    #[must_use]
    pub fn with_plies(self, plies: Plies) -> Self {
        Self { plies, ..self }
    }

    /// The schema of the rows.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The columns of the table `games` from which rows are made.
    pub fn sources(&self) -> &'static [&'static str] {
        &SOURCES
    }

    /// The rows of some games, in the order of the batch, which has the columns of [`sources`](Self::sources), by name.
    ///
    /// # Errors
    ///
    /// [`FunctionError::Source`] if a column is missing or has another type, [`FunctionError::Damaged`] if a value cannot be
    /// decoded.
    pub fn rows_of(&self, games: &RecordBatch) -> Result<RecordBatch, FunctionError> {
        let ids = of_type(games, "id", |column| column.as_primitive_opt::<Int64Type>())?;
        let results = of_type(games, "result", |column| Texts::of(column))?;
        let bytes = |name| of_type(games, name, |column| Bytes::of(column));
        let (moves, clocks, evaluations) =
            (bytes("moves")?, bytes("clocks")?, bytes("evaluations")?);
        let mut rows = Rows::default();
        let mut line = Vec::new();
        for game in 0..games.num_rows() {
            let Some(bytes) = moves.at(game) else { continue };
            line.clear();
            let last = self.plies.last();
            let last = last.map_or(0, |last| usize::try_from(last).unwrap_or(usize::MAX));
            let start = halfmove::first_moves(bytes, last, &mut line);
            let start = start.map_err(|why| damaged("moves", why))?;
            if !self.rules.is_of(&start) {
                continue;
            }
            let plies = halfmove::plies(bytes) as usize;
            let values = Values {
                id: ids.value(game),
                winner: results.at(game).and_then(winner_of),
                clocks: match clocks.at(game) {
                    Some(bytes) => {
                        whole::clocks(bytes, plies).map_err(|why| damaged("clocks", why))?
                    }
                    None => Vec::new(),
                },
                evaluations: match evaluations.at(game) {
                    Some(bytes) => whole::evaluations(bytes, plies)
                        .map_err(|why| damaged("evaluations", why))?,
                    None => Vec::new(),
                },
            };
            let (mut position, mut next) = (start, 0);
            for index in self.plies.indices(line.len()) {
                line[next..index].iter().for_each(|mv| position.play_unchecked(*mv));
                next = index;
                if !line[index].is_null() {
                    self.push(&mut rows, &values, index, &position, line[index]);
                }
            }
        }
        self.finish(rows)
    }

    fn push(&self, rows: &mut Rows, game: &Values, index: usize, position: &AnyPosition, mv: Move) {
        let side = position.side_to_move();
        match self.form {
            PositionForm::Packed => {
                let packed = match position {
                    AnyPosition::Chess(chess) => {
                        chess.pack().map(|bytes| rows.packed.extend_from_slice(&bytes))
                    }
                    AnyPosition::Makruk(makruk) => {
                        makruk.pack().map(|bytes| rows.packed.extend_from_slice(&bytes))
                    }
                };
                if packed.is_err() {
                    return;
                }
            }
            PositionForm::Planes => {
                let board = position.board();
                for color in Color::ALL {
                    let own = board.by_color(color);
                    let planes = self.rules.roles().map(|role| (board.by_role(role) & own).0);
                    rows.planes.extend_from_slice(&planes);
                }
                let chess = position.as_chess();
                rows.sides.push(side.index() as u8);
                rows.castling.push(chess.map_or(0, |chess| chess.castling().rooks().0));
                let ep = chess.and_then(|chess| chess.ep_square());
                rows.en_passant.push(ep.map_or(0, |square| 1 << square.index()));
            }
        }
        rows.ids.push(game.id);
        rows.plies.push(i32::try_from(index + 1).unwrap_or(i32::MAX));
        let text = position.uci(mv);
        rows.from.push(text.from.index() as u8);
        rows.to.push(text.to.index() as u8);
        rows.promotions.push(text.promotion.map_or(0, |role| role.index() as u8 + 1));
        rows.results.append_option(game.winner.map(|winner| match winner {
            None => 0,
            Some(winner) if winner == side => 1,
            Some(_) => -1,
        }));
        let clock = index.checked_sub(2).and_then(|index| *game.clocks.get(index)?);
        rows.clocks.append_option(clock.map(|clock| clock.seconds() as f32));
        let value = index.checked_sub(1).and_then(|index| *game.evaluations.get(index)?);
        let sign = if side == Color::White { 1 } else { -1 };
        let (cp, mate) = match value.map(Evaluation::score) {
            Some(Score::Centipawns(cp)) => (Some(sign * cp), None),
            Some(Score::Mate(moves)) => (None, Some(sign * moves)),
            None => (None, None),
        };
        rows.cp.append_option(cp);
        rows.mates.append_option(mate);
    }

    fn finish(&self, mut rows: Rows) -> Result<RecordBatch, FunctionError> {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(Int64Array::from(rows.ids)), Arc::new(Int32Array::from(rows.plies))];
        match self.form {
            PositionForm::Packed => {
                let bytes = i32::try_from(self.rules.packed_bytes()).unwrap_or(i32::MAX);
                let packed = Buffer::from_vec(rows.packed);
                columns.push(Arc::new(FixedSizeBinaryArray::try_new(bytes, packed, None)?));
            }
            PositionForm::Planes => {
                let planes = Arc::new(UInt64Array::from(rows.planes));
                let lists = FixedSizeListArray::try_new(plane(), PLANES as i32, planes, None)?;
                columns.extend([
                    Arc::new(lists) as ArrayRef,
                    Arc::new(UInt8Array::from(rows.sides)),
                    Arc::new(UInt64Array::from(rows.castling)),
                    Arc::new(UInt64Array::from(rows.en_passant)),
                ]);
            }
        }
        columns.extend([
            Arc::new(UInt8Array::from(rows.from)) as ArrayRef,
            Arc::new(UInt8Array::from(rows.to)),
            Arc::new(UInt8Array::from(rows.promotions)),
            Arc::new(rows.results.finish()),
            Arc::new(rows.clocks.finish()),
            Arc::new(rows.cp.finish()),
            Arc::new(rows.mates.finish()),
        ]);
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }
}

/// The values of a game beside its moves.
struct Values {
    id: i64,
    /// `None` without a result, `Some(None)` for a draw.
    winner: Option<Option<Color>>,
    /// The clock after each half-move; the list may end earlier.
    clocks: Vec<Option<Clock>>,
    /// The evaluation after each half-move; the list may end earlier.
    evaluations: Vec<Option<Evaluation>>,
}

/// The cells of the rows so far.
#[derive(Default)]
struct Rows {
    ids: Vec<i64>,
    plies: Vec<i32>,
    packed: Vec<u8>,
    planes: Vec<u64>,
    sides: Vec<u8>,
    castling: Vec<u64>,
    en_passant: Vec<u64>,
    from: Vec<u8>,
    to: Vec<u8>,
    promotions: Vec<u8>,
    results: Int8Builder,
    clocks: Float32Builder,
    cp: Int32Builder,
    mates: Int32Builder,
}

/// The field of the bitboards of a list.
fn plane() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::UInt64, false))
}

fn winner_of(result: &str) -> Option<Option<Color>> {
    match GameResult::from_token(result.as_bytes())? {
        GameResult::WhiteWins => Some(Some(Color::White)),
        GameResult::BlackWins => Some(Some(Color::Black)),
        GameResult::Draw => Some(None),
        GameResult::Unknown => None,
    }
}

/// A column of the games.
fn of_type<'a, T>(
    games: &'a RecordBatch,
    name: &'static str,
    read: impl FnOnce(&'a ArrayRef) -> Option<T>,
) -> Result<T, FunctionError> {
    let column = games.column_by_name(name);
    let found = column.map(|column| column.data_type().clone());
    column.and_then(read).ok_or(FunctionError::Source { name, found })
}

fn damaged(column: &'static str, why: DecodeError) -> FunctionError {
    FunctionError::Damaged { column, why }
}
