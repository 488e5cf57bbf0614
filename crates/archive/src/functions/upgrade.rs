//! `upgrade_moves(moves, start_fen, variant) -> BYTEA`: bytes of version 0 as bytes of version 1. Only for archives of
//! format 0, whose starts stand in columns of their own; queries cannot call it.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BinaryViewBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::halfmove;
use halfmove_rules::{CastlingMode, Chess};

use super::args::{Bytes, Call, Kind, Texts, coerce, raise};
use super::position::{bad_moves, parse_fen};
use crate::error::ArchiveError;

/// The bytes of successive games in version 1.
#[derive(Debug, Default)]
pub(crate) struct Upgrade {
    /// The last start: its FEN, whether it is Chess960, and the position.
    last: Option<(String, bool, Chess)>,
}

impl Upgrade {
    /// Whether the bytes of a game stay as they are.
    fn keeps(start_fen: Option<&str>, chess960: bool) -> bool {
        start_fen.is_none() && !chess960
    }

    /// Appends the bytes of a game.
    fn append(
        &mut self,
        moves: &[u8],
        start_fen: Option<&str>,
        chess960: bool,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), ArchiveError> {
        if Self::keeps(start_fen, chess960) {
            return halfmove::upgrade(moves, None, out).map_err(bad_moves);
        }
        let fen = start_fen.unwrap_or_default();
        let is_last = |(text, mode, _): &(String, bool, _)| text == fen && *mode == chess960;
        if !self.last.as_ref().is_some_and(is_last) {
            let start = match (start_fen, chess960) {
                (None, _) => Chess::default(),
                (Some(fen), false) => parse_fen(fen)?,
                (Some(fen), true) => Chess::from_fen(fen.trim(), Some(CastlingMode::Chess960))
                    .or_else(|_| parse_fen(fen))?,
            };
            let start = if chess960 { start.into_chess960() } else { start };
            self.last = Some((fen.to_owned(), chess960, start));
        }
        let start = self.last.as_ref().map(|(_, _, start)| start);
        halfmove::upgrade(moves, start, out).map_err(bad_moves)
    }

    /// The bytes of all games of a batch.
    pub(crate) fn batch(
        &mut self,
        moves: &ArrayRef,
        start_fens: &ArrayRef,
        variants: &ArrayRef,
    ) -> Result<Vec<Vec<u8>>> {
        let values = Bytes::of(moves)?;
        let (start_fens, variants) = (Texts::of(start_fens)?, Texts::of(variants)?);
        let mut batch = Vec::with_capacity(moves.len());
        for row in 0..moves.len() {
            let mut bytes = Vec::new();
            let chess960 = variants.at(row) == Some("chess960");
            let moves = values.at(row).unwrap_or_default();
            self.append(moves, start_fens.at(row), chess960, &mut bytes).map_err(raise)?;
            batch.push(bytes);
        }
        Ok(batch)
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct UpgradeMoves {
    signature: Signature,
}

impl Default for UpgradeMoves {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for UpgradeMoves {
    fn name(&self) -> &str {
        "upgrade_moves"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let form = &[Kind::Moves, Kind::Text, Kind::Text];
        coerce("upgrade_moves", "upgrade_moves(moves, start_fen, variant)", form, given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(args)?;
        let [moves, start_fens, variants] = [call.array(0)?, call.array(1)?, call.array(2)?];
        let (starts, games) = (Texts::of(start_fens)?, Texts::of(variants)?);
        let stays = |row| Upgrade::keeps(starts.at(row), games.at(row) == Some("chess960"));
        // Nearly all games start as usual, and then the column is passed on.
        if moves.data_type() == &DataType::BinaryView && (0..call.rows()).all(stays) {
            return Ok(ColumnarValue::Array(Arc::clone(moves)));
        }
        let mut answers = BinaryViewBuilder::with_capacity(call.rows());
        for bytes in Upgrade::default().batch(moves, start_fens, variants)? {
            answers.append_value(bytes);
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
