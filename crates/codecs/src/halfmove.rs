//! Halfmove's byte code as a codec, and the names of its codes.

mod fields;

use halfmove_game::Game;
use halfmove_game::codec::halfmove::{self, Moves};
use halfmove_game::pgn::policy_name;
use halfmove_rules::{AnyPosition, Move};

use crate::parts::only_main_line;
use crate::{Codec, DecodeError, Dumped, EncodeError, Holds};

/// `halfmove`: the main line of any game, one byte per half-move.
///
/// The code itself is [`halfmove_game::codec::halfmove`], which archives store and searches replay. Here it can be
/// selected by name like the other codecs, and its bytes can be dumped.
///
/// ```
/// use halfmove_codecs::{Codec, Halfmove};
///
/// let mut shown = Vec::new();
/// Halfmove.dump(&[0x11, 0x2f], &mut |code| shown.push(format!("{}: {}", code.meaning, code.fields)))?;
/// assert_eq!(shown, ["e4: pawn e2, NN (piece 4, code 1)", "Nf6: knight g8, NNW (piece 9, code 7)"]);
/// # Ok::<(), halfmove_codecs::DecodeError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Halfmove;

impl Codec for Halfmove {
    fn name(&self) -> &'static str {
        halfmove::NAME
    }

    fn version(&self) -> u32 {
        halfmove::VERSION
    }

    fn holds(&self) -> Holds {
        Holds { starts: true, makruk: true, ..Holds::MAIN_LINE }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        only_main_line(self.name(), game)?;
        Ok(halfmove::encode(game, bytes)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let mut game = Game::from(halfmove::decode_moves(bytes, &mut moves)?);
        game.moves = moves;
        Ok(game)
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        Ok(halfmove::encode_moves(start, moves, bytes)?)
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        halfmove::decode_moves(bytes, moves)
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        let mut moves = Moves::new(bytes)?;
        let mut position = moves.start().clone();
        let at = moves.offset();
        if at > 0 {
            let mut fields = format!("head, {}", position.variant().name());
            if let AnyPosition::Makruk(start) = &position {
                fields += &format!(", counting {}", policy_name(start.policy()));
            }
            show(&Dumped { bytes: 0..at, fields, meaning: position.to_string() });
        }
        let mut from = at;
        while let Some(mv) = moves.next() {
            let (mv, to) = (mv?, moves.offset());
            let fields = fields::fields(&position, mv, &bytes[from..to]);
            show(&Dumped { bytes: from..to, fields, meaning: position.san(mv).to_string() });
            position.play_unchecked(mv);
            from = to;
        }
        Ok(())
    }
}
