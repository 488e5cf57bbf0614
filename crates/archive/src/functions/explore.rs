//! `explore(moves, result, fen [, variant]) -> STRUCT`: the aggregate behind an opening tree.
//!
//! The results of the games in which the position arises, and the moves played there:
//! `{white, draws, black, other, moves: [{uci, san, white, draws, black, other}, …]}`, all numbers of games. A game
//! counts once for the position and once for each move, however often it returns to it. The moves are ordered by the
//! number of games, most first, then by `uci`, in which castling is king takes rook (`e1h1`). The variant says which
//! game the FEN is of, chess if it is left out.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, Int64Array, ListArray, StringArray, StructArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};
use datafusion::physical_expr::expressions::Literal;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay::{self, Target};
use halfmove_rules::{AnyPosition, CastlingStyle, Chess, Move};

use super::args::{Bytes, Kind, Texts, bad_argument, coerce_with, raise};
use super::position::parse_position;
use crate::score::percent;

/// The number of games with each result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Results {
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games without one of these results.
    pub other: u64,
}

impl Results {
    /// All games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.other
    }

    /// White's points, one for a win and half of one for a draw, out of a hundred. `None` if no game was won, drawn or lost.
    ///
    /// ```
    /// let mut results = halfmove_archive::Results::default();
    /// assert_eq!(results.white_percent(), None);
    /// (results.white, results.draws, results.black) = (120, 70, 23);
    /// assert_eq!(format!("{:.1}", results.white_percent().unwrap()), "72.8");
    /// ```
    pub fn white_percent(&self) -> Option<f64> {
        percent(self.white, self.draws, self.black)
    }

    /// The number of a result, in the order of the fields.
    pub(crate) fn index(result: Option<&str>) -> u8 {
        match result {
            Some("1-0") => 0,
            Some("1/2-1/2") => 1,
            Some("0-1") => 2,
            _ => 3,
        }
    }

    /// Counts a game with the result of this number.
    #[inline]
    pub(crate) fn count(&mut self, index: u8) {
        *match index {
            0 => &mut self.white,
            1 => &mut self.draws,
            2 => &mut self.black,
            _ => &mut self.other,
        } += 1;
    }

    pub(crate) fn add(&mut self, more: &Self) {
        self.white += more.white;
        self.draws += more.draws;
        self.black += more.black;
        self.other += more.other;
    }

    fn to_array(self) -> [u64; 4] {
        [self.white, self.draws, self.black, self.other]
    }

    pub(crate) fn from_array([white, draws, black, other]: [u64; 4]) -> Self {
        Self { white, draws, black, other }
    }
}

/// Results for a position, and for each move played there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) position: Results,
    pub(crate) moves: Vec<(Move, Results)>,
}

impl Tally {
    /// Counts a game, if the position arises in it. `played` is scratch space for the moves of this game.
    pub(crate) fn count(
        &mut self,
        moves: &[u8],
        result: Option<&str>,
        target: &Target,
        played: &mut Vec<Move>,
    ) -> std::result::Result<(), DecodeError> {
        played.clear();
        let mut visited = false;
        replay::visits(moves, target, |_, next| {
            visited = true;
            if let Some(next) = next
                && !played.contains(&next)
            {
                played.push(next);
            }
        })?;
        if visited {
            let result = Results::index(result);
            self.position.count(result);
            for mv in played {
                self.of(*mv).count(result);
            }
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn of(&mut self, mv: Move) -> &mut Results {
        let index = self.moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
            self.moves.push((mv, Results::default()));
            self.moves.len() - 1
        });
        &mut self.moves[index].1
    }

    /// The games with a move.
    pub(crate) fn results_of(&self, mv: Move) -> Results {
        let known = self.moves.iter().find(|(known, _)| *known == mv);
        known.map(|(_, results)| *results).unwrap_or_default()
    }

    /// Adds games in each of which the position arises, with this move after it.
    pub(crate) fn add(&mut self, mv: Move, results: &Results) {
        if results.games() > 0 {
            self.position.add(results);
            self.of(mv).add(results);
        }
    }

    /// Adds the games of another part of the table.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.position.add(&other.position);
        for (mv, results) in &other.moves {
            self.of(*mv).add(results);
        }
    }

    /// Most games first, then by UCI.
    pub(crate) fn sort(&mut self) {
        self.moves.sort_by_cached_key(|(mv, results)| {
            (std::cmp::Reverse(results.games()), mv.uci(CastlingStyle::KingTakesRook).to_string())
        });
    }

    /// The tally as bytes, to be passed from one part of a query to another: four counts, then for each move its bits
    /// and its counts.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + self.moves.len() * 34);
        let put = |results: &Results| {
            results.to_array().iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<u8>>()
        };
        bytes.extend(put(&self.position));
        for (mv, results) in &self.moves {
            bytes.extend(mv.to_bits().to_le_bytes());
            bytes.extend(put(results));
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let results = |bytes: &[u8]| {
            let mut counts = [0; 4];
            for (count, bytes) in counts.iter_mut().zip(bytes.chunks_exact(8)) {
                *count = u64::from_le_bytes(bytes.try_into().ok()?);
            }
            Some(Results::from_array(counts))
        };
        let (head, rest) = bytes.split_at_checked(32)?;
        let mut tally = Self { position: results(head)?, moves: Vec::new() };
        let entries = rest.chunks_exact(34);
        if !entries.remainder().is_empty() {
            return None;
        }
        for entry in entries {
            let mv = Move::from_bits(u16::from_le_bytes([entry[0], entry[1]]))?;
            tally.moves.push((mv, results(&entry[2..])?));
        }
        Some(tally)
    }
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

fn answer_fields() -> Fields {
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

/// The answer as SQL sees it.
fn to_struct(tally: &Tally, position: &AnyPosition) -> Result<StructArray> {
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
    Ok(StructArray::try_new(answer_fields(), columns, None)?)
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Explore {
    signature: Signature,
}

impl Default for Explore {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Explore {
    fn name(&self) -> &str {
        "explore"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(answer_fields()))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let usage = "explore(moves, result, fen) or explore(moves, result, fen, variant)";
        let form = &[Kind::Moves, Kind::Text, Kind::Text];
        coerce_with("explore", usage, form, &[Kind::Text], given)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return plan_err!("explore counts each game once; DISTINCT means nothing here");
        }
        let is_literal = args.exprs.first().is_some_and(|moves| moves.is::<Literal>());
        Ok(Box::new(Exploring { is_literal, ..Exploring::default() }))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field =
            |name: &str, kind| Arc::new(Field::new(format!("{}[{name}]", args.name), kind, true));
        Ok(vec![
            field("fen", DataType::Utf8),
            field("variant", DataType::Utf8),
            field("tally", DataType::Binary),
        ])
    }
}

/// The state of one group so far.
#[derive(Debug, Default)]
struct Exploring {
    wanted: Option<Wanted>,
    tally: Tally,
    /// The moves stand in the question.
    is_literal: bool,
}

/// The position of a group.
#[derive(Debug)]
struct Wanted {
    fen: String,
    /// `None` if the question names none.
    variant: Option<String>,
    position: AnyPosition,
    target: Target,
}

impl Exploring {
    /// The position of this row; all rows of a group must have the same one.
    fn want(&mut self, fen: &str, variant: Option<&str>) -> Result<()> {
        match &self.wanted {
            Some(known) if known.fen == fen && known.variant.as_deref() == variant => Ok(()),
            Some(known) => {
                let named = |variant: Option<&str>| variant.map(|name| format!(" ({name})"));
                let [one, two] = [known.variant.as_deref(), variant]
                    .map(|variant| named(variant).unwrap_or_default());
                let first = &known.fen;
                exec_err!(
                    "explore was asked for two positions in one group: {first}{one} and {fen}{two}"
                )
            }
            None => {
                let position = parse_position(fen, variant).map_err(raise)?;
                let target = Target::new(&position);
                let (fen, variant) = (fen.to_owned(), variant.map(str::to_owned));
                self.wanted = Some(Wanted { fen, variant, position, target });
                Ok(())
            }
        }
    }
}

impl Accumulator for Exploring {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [moves, results, fens, variants @ ..] = values else {
            return exec_err!("explore takes three or four arguments");
        };
        let rows = moves.len();
        let (moves, results, fens) = (Bytes::of(moves)?, Texts::of(results)?, Texts::of(fens)?);
        let variants = variants.first().map(|variants| Texts::of(variants)).transpose()?;
        let mut played = Vec::new();
        for row in 0..rows {
            let (Some(moves), Some(fen)) = (moves.at(row), fens.at(row)) else { continue };
            let variant = match &variants {
                None => None,
                Some(variants) => match variants.at(row) {
                    None => continue,
                    some => some,
                },
            };
            self.want(fen, variant)?;
            let Some(Wanted { target, .. }) = &self.wanted else { continue };
            let counted = self.tally.count(moves, results.at(row), target, &mut played);
            counted.map_err(|error| bad_argument("explore", self.is_literal, error))?;
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [fens, variants, tallies] = states else {
            return exec_err!("explore was given a foreign state");
        };
        let (fens, variants) = (Texts::of(fens)?, Texts::of(variants)?);
        let tallies = tallies.as_any().downcast_ref::<BinaryArray>();
        let Some(tallies) = tallies else { return exec_err!("explore was given a foreign state") };
        for row in 0..tallies.len() {
            let Some(fen) = fens.at(row) else { continue };
            self.want(fen, variants.at(row))?;
            match Tally::from_bytes(tallies.value(row)) {
                Some(tally) => self.tally.merge(&tally),
                None => return exec_err!("explore was given a foreign state"),
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let fen = self.wanted.as_ref().map(|wanted| wanted.fen.clone());
        let variant = self.wanted.as_ref().and_then(|wanted| wanted.variant.clone());
        let tally = ScalarValue::Binary(Some(self.tally.to_bytes()));
        Ok(vec![ScalarValue::Utf8(fen), ScalarValue::Utf8(variant), tally])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.tally.sort();
        // Without a position there was no row, so no move needs one.
        let usual = AnyPosition::Chess(Chess::default());
        let position = self.wanted.as_ref().map_or(&usual, |wanted| &wanted.position);
        Ok(ScalarValue::Struct(Arc::new(to_struct(&self.tally, position)?)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.tally.moves.capacity() * size_of::<(Move, Results)>()
    }
}
