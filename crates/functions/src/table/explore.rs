//! `explore(moves, result, fen [, variant])`: the aggregate of an opening tree.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, ListArray, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use halfmove_game::replay::Target;
use halfmove_game::tally::{Results, Tally};
use halfmove_rules::{AnyPosition, CastlingStyle, Chess, Move};

use crate::aggregate::Aggregate;
use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Argument, Body, Example, FEN, Function, Kind, MOVES, ResultKind, VARIANT};
use crate::literals;

pub(crate) const FUNCTION: Function = Function::new(
    "explore",
    &[MOVES, Argument::new("result", Kind::Text), FEN, VARIANT],
    ResultKind::Explored,
    Body::Groups(|| Box::new(Exploration::default())),
)
.with_help(
    "aggregate: results and next moves of a position",
    "\
An aggregate: the results of the games that reach a position, and the moves played there. `{white, draws, black, other, moves: [{uci, san,
white, draws, black, other}, …]}`, all values are numbers of games: a game counts once for the position and once for each move, however often it
returns to it. Moves are sorted by the number of games, most first, then by `uci`, in which castling is the king taking its own rook.",
    Example::new(
        &[
            "explore(moves, result, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')",
        ],
        &[],
        &[&[
            "{white: 1, draws: 0, black: 0, other: 0, moves: [{uci: g1f3, san: Nf3, white: 1, draws: 0, black: 0, other: 0}]}",
        ]],
    ),
)
.with_notes(
    "\
```sql
select m['san'], m['white'] + m['draws'] + m['black'] + m['other'] as games
from (select unnest(explore(moves, result,
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')['moves']) as m from games)
```

```text
e4  1
f3  1
```",
);

/// The state of one group so far.
#[derive(Debug, Default)]
struct Exploration {
    /// The position of the group; none before its first row.
    explored: Option<Explored>,
    tally: Tally,
}

#[derive(Debug)]
struct Explored {
    fen: String,
    /// `None` if the call does not name one.
    variant: Option<String>,
    position: AnyPosition,
    target: Target,
}

impl Exploration {
    /// The position of this row; all rows of a group must have the same one.
    fn explored(
        &mut self,
        fen: &str,
        variant: Option<&str>,
    ) -> Result<(&Explored, &mut Tally), FunctionError> {
        if let Some(known) = &self.explored
            && (known.fen != fen || known.variant.as_deref() != variant)
        {
            let named = |fen: &str, variant: Option<&str>| match variant {
                Some(variant) => format!("{fen} ({variant})"),
                None => fen.to_owned(),
            };
            return Err(FunctionError::TwoPositions {
                function: FUNCTION.name,
                first: named(&known.fen, known.variant.as_deref()),
                second: named(fen, variant),
            });
        }
        let explored = match &mut self.explored {
            Some(known) => known,
            none => {
                let position = literals::position(fen, variant)?;
                let target = Target::new(&position);
                let (fen, variant) = (fen.to_owned(), variant.map(str::to_owned));
                none.insert(Explored { fen, variant, position, target })
            }
        };
        Ok((explored, &mut self.tally))
    }
}

impl Aggregate for Exploration {
    fn update(&mut self, arguments: &Arguments<'_>) -> Result<(), FunctionError> {
        let (moves, results) = (arguments.bytes(0)?, arguments.texts(1)?);
        let (fens, variants) = (arguments.texts(2)?, arguments.variants(3)?);
        let mut played = Vec::new();
        for row in 0..arguments.rows() {
            let (Some(moves), Some(fen), Some(variant)) =
                (moves.at(row), fens.at(row), variants.at(row))
            else {
                continue;
            };
            let (Explored { target, .. }, tally) = self.explored(fen, variant)?;
            let counted = tally.count(moves, results.at(row), target, &mut played);
            counted.map_err(|error| arguments.invalid(0, error))?;
        }
        Ok(())
    }

    /// Empty before the first row; else the lengths of FEN and variant as `u32`, little-endian, the largest number for
    /// no variant, then both texts and the tally.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Some(Explored { fen, variant, .. }) = &self.explored {
            let length = |text: Option<&str>| {
                text.map_or(NONE, |text| u32::try_from(text.len()).unwrap_or(NONE))
            };
            bytes.extend(length(Some(fen)).to_le_bytes());
            bytes.extend(length(variant.as_deref()).to_le_bytes());
            bytes.extend(fen.as_bytes());
            bytes.extend(variant.iter().flat_map(|variant| variant.bytes()));
            bytes.extend(self.tally.to_bytes());
        }
        bytes
    }

    fn merge(&mut self, bytes: &[u8]) -> Result<(), FunctionError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let foreign = || FunctionError::State { function: FUNCTION.name };
        let (fen, variant, part) = parts(bytes).ok_or_else(foreign)?;
        let (Explored { position, .. }, tally) = self.explored(fen, variant)?;
        let is_playable = |mv: Move| position.is_legal(mv) || mv.is_null() && !position.is_check();
        if !part.moves.iter().all(|(mv, _)| is_playable(*mv)) {
            return Err(foreign());
        }
        tally.merge(&part);
        Ok(())
    }

    fn finish(&self) -> Result<ArrayRef, FunctionError> {
        let mut tally = self.tally.clone();
        tally.sort();
        // Without a position there was no row, so there are no moves.
        let usual = AnyPosition::Chess(Chess::default());
        let position = self.explored.as_ref().map_or(&usual, |explored| &explored.position);
        Ok(Arc::new(to_struct(&tally, position)?))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.tally.moves.capacity() * size_of::<(Move, Results)>()
    }
}

/// The length of a text that is absent.
const NONE: u32 = u32::MAX;

/// FEN, variant and tally of a state's bytes.
fn parts(bytes: &[u8]) -> Option<(&str, Option<&str>, Tally)> {
    let (fen_bytes, rest) = bytes.split_first_chunk()?;
    let (variant_bytes, rest) = rest.split_first_chunk()?;
    let [fen, variant] = [fen_bytes, variant_bytes].map(|bytes| u32::from_le_bytes(*bytes));
    let (fen, rest) = rest.split_at_checked(usize::try_from(fen).ok()?)?;
    let length = if variant == NONE { 0 } else { usize::try_from(variant).ok()? };
    let (name, rest) = rest.split_at_checked(length)?;
    let name = str::from_utf8(name).ok()?;
    Some((str::from_utf8(fen).ok()?, (variant != NONE).then_some(name), Tally::from_bytes(rest)?))
}

fn result_fields() -> impl Iterator<Item = Field> {
    ["white", "draws", "black", "other"]
        .into_iter()
        .map(|name| Field::new(name, DataType::Int64, false))
}

fn move_fields() -> Fields {
    let names = ["uci", "san"].into_iter().map(|name| Field::new(name, DataType::Utf8, false));
    names.chain(result_fields()).collect()
}

fn move_element() -> FieldRef {
    Arc::new(Field::new("item", DataType::Struct(move_fields()), false))
}

/// The fields of the result.
pub(crate) fn fields() -> Fields {
    result_fields().chain([Field::new("moves", DataType::List(move_element()), false)]).collect()
}

fn result_columns<'a>(results: impl Iterator<Item = &'a Results> + Clone) -> Vec<ArrayRef> {
    let column = |index: usize| -> ArrayRef {
        let counts = results
            .clone()
            .map(|results| i64::try_from(results.to_array()[index]).unwrap_or(i64::MAX));
        Arc::new(Int64Array::from_iter_values(counts))
    };
    (0..4).map(column).collect()
}

fn to_struct(tally: &Tally, position: &AnyPosition) -> Result<StructArray, FunctionError> {
    let uci = tally.moves.iter().map(|(mv, _)| mv.uci(CastlingStyle::KingTakesRook).to_string());
    let san = tally.moves.iter().map(|(mv, _)| position.san(*mv).to_string());
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(uci)),
        Arc::new(StringArray::from_iter_values(san)),
    ];
    columns.extend(result_columns(tally.moves.iter().map(|(_, results)| results)));
    let moves = StructArray::try_new(move_fields(), columns, None)?;
    let offsets = OffsetBuffer::from_lengths([moves.len()]);
    let mut columns = result_columns(std::iter::once(&tally.position));
    columns.push(Arc::new(ListArray::try_new(move_element(), offsets, Arc::new(moves), None)?));
    Ok(StructArray::try_new(fields(), columns, None)?)
}
