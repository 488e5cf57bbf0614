//! `dense`: a game in as few bytes as we know how to, less than three bits a half-move.
//!
//! **Idea.** A model gives every legal move a score: the sum of the weights of its features, such as the piece and its
//! squares, who attacks and defends them, the threats that the move makes, the moves before it, how often players chose
//! it in this position. A small net adds to it which moves go together with which pieces. The scores become frequencies,
//! and a range coder spends as many bits on a move as it is surprising: an obvious recapture costs next to nothing, a
//! move that no player expects more than ten. The decoder computes the same frequencies.
//!
//! ```text
//! position ─┬▶ features of each move ─▶ sum of weights ─┬▶ score ─▶ frequencies ─▶ range coder ─▶ bytes
//!           │   tables.rs, features.rs    model.rs        │           distribution.rs  range.rs
//!           └▶ net ───────────────▶ product with move ────┘
//!               net.rs
//! ```
//!
//! **Formula.** p(move) = e^score(move) / Σ e^score, over the legal moves and the end of the game.
//! **Exact.** All numbers are integers, from the features to the frequencies: the bytes are the same on every machine.
//! **Cost.** About eight hundred weights and fifteen thousand products of bytes a half-move, two megabytes of model. **It wins** where
//! bytes count: to send or to keep games. **It loses** where moves are searched: archives keep a byte a half-move, which is replayed without generating moves.
//!
//! `docs/reference/dense.md` specifies the bytes.
//!
//! ```
//! use halfmove_codecs::{Codec, dense::Dense};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7").unwrap();
//! let mut bytes = Vec::new();
//! Dense.encode(&game, &mut bytes)?;
//! assert!(bytes.len() < 5);
//! assert_eq!(Dense.decode(&bytes)?.moves, game.moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adaptive;
mod book;
mod choice;
mod context;
mod distribution;
mod features;
pub mod learning;
mod model;
mod net;
pub(crate) mod range;
mod tables;
mod view;

use halfmove_game::rules::{AnyPosition, Move};
use halfmove_game::{Game, Speed, Tags};

use crate::parts::only_main_line;
use crate::{Codec, DecodeError, Dumped, EncodeError, Holds};

pub use self::model::{Bits, MAGIC, MAX_PLIES, Model, ModelError, VERSION};
pub use self::tables::{TABLES, Table};

pub(crate) use self::adaptive::Learner;
pub(crate) use self::model::Step;

/// The codec, with the [model](Model::shipped) that comes with the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dense;

/// The lower bounds of the bands 2 to 7 of ratings.
///
/// ```text
/// 0 no rating │ 1 below 1,400 │ 2 from 1,400 │ 3 from 1,700 │ 4 from 2,000 │ 5 from 2,250 │ 6 from 2,450 │ 7 from 2,600
/// ```
pub const BANDS: [u32; 6] = [1_400, 1_700, 2_000, 2_250, 2_450, 2_600];

/// The setting of a game, an input of the model: twice its [band](BANDS) of ratings, and 1 more if it is fast.
///
/// The rating is the mean of the tags `WhiteElo` and `BlackElo`, or the only one. A game is fast if the tag `TimeControl`
/// gives a side less than eight minutes.
///
/// ```
/// use halfmove_codecs::dense::setting;
/// use halfmove_game::Tags;
///
/// let mut tags = Tags::new();
/// assert_eq!(setting(&tags), 0);
/// tags.push("WhiteElo", "2100");
/// tags.push("TimeControl", "180+2");
/// assert_eq!(setting(&tags), 4 * 2 + 1);
/// ```
pub fn setting(tags: &Tags) -> usize {
    let rating = |name| {
        tags.value(name)?.trim().parse::<u32>().ok().filter(|rating| (1..5_000).contains(rating))
    };
    let rating = match (rating("WhiteElo"), rating("BlackElo")) {
        (Some(one), Some(other)) => Some((one + other) / 2),
        (one, other) => one.or(other),
    };
    let band =
        rating.map_or(0, |rating| 1 + BANDS.iter().filter(|bound| rating >= **bound).count());
    let speed = tags.value("TimeControl").and_then(Speed::of_tag);
    let is_fast = matches!(speed, Some(Speed::UltraBullet | Speed::Bullet | Speed::Blitz));
    band * 2 + usize::from(is_fast)
}

const NAME: &str = "dense";

impl Codec for Dense {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn holds(&self) -> Holds {
        Holds { starts: true, makruk: true, ..Holds::MAIN_LINE }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        only_main_line(self.name(), game)?;
        Model::shipped().encode(&game.start, &game.moves, setting(&game.tags), bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let mut game = Game::from(self.decode_moves(bytes, &mut moves)?);
        game.moves = moves;
        Ok(game)
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        Model::shipped().encode(start, moves, 0, bytes)
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        Ok(Model::shipped().decode(bytes, moves)?.0)
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        let decoded = Model::shipped().decode_steps(bytes, |step| {
            let from = step.offset.min(bytes.len().saturating_sub(1));
            let fields = format!("{} of 65,536", step.frequency);
            let meaning = step.position().san(step.mv).to_string();
            show(&Dumped { bytes: from..from + 1, fields, meaning });
        });
        decoded.map(drop)
    }
}
