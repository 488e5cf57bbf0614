//! Results of many games, and the moves played from a position: an opening tree of one level.
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//! use halfmove_game::replay::Target;
//! use halfmove_game::rules::{AnyPosition, Variant};
//! use halfmove_game::tally::Tally;
//!
//! let start = AnyPosition::start(Variant::Chess);
//! let (target, mut tally, mut played) = (Target::new(&start), Tally::default(), Vec::new());
//! for (text, result) in [("1. e4 e5 1-0", "1-0"), ("1. e4 c5 0-1", "0-1"), ("1. d4 1-0", "1-0")] {
//!     let mut moves = Vec::new();
//!     halfmove::encode(&read_game(text)?, &mut moves)?;
//!     tally.count(&moves, Some(result), &target, &mut played)?;
//! }
//! tally.sort();
//! assert_eq!(tally.position.games(), 3);
//! let (first, results) = tally.moves[0];
//! assert_eq!((start.san(first).as_str(), results.white, results.black), ("e4", 1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Reverse;

use halfmove_rules::{CastlingStyle, Move};

use crate::codec::DecodeError;
use crate::replay::{self, Target};

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
    ///
    /// ```
    /// use halfmove_game::tally::Results;
    ///
    /// assert_eq!(Results::from_array([1, 2, 3, 4]).games(), 10);
    /// ```
    pub fn games(&self) -> u64 {
        self.to_array().into_iter().fold(0, u64::saturating_add)
    }

    /// White's score in percent, with one point for a win and half a point for a draw. `None` if no game was won, drawn
    /// or lost.
    ///
    /// ```
    /// use halfmove_game::tally::Results;
    ///
    /// assert_eq!(Results::default().white_percent(), None);
    /// let results = Results::from_array([120, 70, 23, 0]);
    /// assert_eq!(format!("{:.1}", results.white_percent().unwrap()), "72.8");
    /// ```
    pub fn white_percent(&self) -> Option<f64> {
        percent(self.white, self.draws, self.black)
    }

    /// The index of a result among the fields: 0 for `1-0`, 1 for `1/2-1/2`, 2 for `0-1`, 3 for everything else.
    ///
    /// ```
    /// use halfmove_game::tally::Results;
    ///
    /// assert_eq!((Results::index(Some("0-1")), Results::index(None)), (2, 3));
    /// ```
    pub fn index(result: Option<&str>) -> u8 {
        match result {
            Some("1-0") => 0,
            Some("1/2-1/2") => 1,
            Some("0-1") => 2,
            _ => 3,
        }
    }

    /// Counts a game whose result has this [index](Self::index).
    #[inline]
    pub fn count(&mut self, index: u8) {
        *match index {
            0 => &mut self.white,
            1 => &mut self.draws,
            2 => &mut self.black,
            _ => &mut self.other,
        } += 1;
    }

    /// Adds other results.
    pub fn add(&mut self, more: &Self) {
        let [mut sum, more] = [self.to_array(), more.to_array()];
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        *self = Self::from_array(sum);
    }

    /// The four numbers in the order of the fields.
    pub fn to_array(self) -> [u64; 4] {
        [self.white, self.draws, self.black, self.other]
    }

    /// The results with these numbers, in the order of the fields.
    pub fn from_array([white, draws, black, other]: [u64; 4]) -> Self {
        Self { white, draws, black, other }
    }
}

/// The score of a player in percent, with one point for a win and half a point for a draw. `None` without games.
///
/// ```
/// assert_eq!(halfmove_game::tally::percent(1, 1, 0), Some(75.0));
/// assert_eq!(halfmove_game::tally::percent(0, 0, 0), None);
/// ```
pub fn percent(wins: u64, draws: u64, losses: u64) -> Option<f64> {
    let [wins, draws, losses] = [wins, draws, losses].map(|games| games as f64);
    let games = wins + draws + losses;
    (games > 0.0).then(|| 50.0 * (2.0 * wins + draws) / games)
}

/// The results of the games in which a position arises, and of each move played there.
///
/// A game counts once for the position and once for each move, however often it returns to the position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The results of all games with the position.
    pub position: Results,
    /// The moves played there, each with the results of its games.
    pub moves: Vec<(Move, Results)>,
}

impl Tally {
    /// Counts a game, if the position arises in it. `played` is scratch space for the moves of this game.
    ///
    /// # Errors
    ///
    /// Fails on bytes that are not codes of this version. The game is not counted.
    pub fn count(
        &mut self,
        moves: &[u8],
        result: Option<&str>,
        target: &Target,
        played: &mut Vec<Move>,
    ) -> Result<(), DecodeError> {
        played.clear();
        let mut is_visited = false;
        replay::visits(moves, target, |_, next| {
            is_visited = true;
            if let Some(next) = next
                && !played.contains(&next)
            {
                played.push(next);
            }
        })?;
        if is_visited {
            let result = Results::index(result);
            self.position.count(result);
            for mv in played {
                self.of(*mv).count(result);
            }
        }
        Ok(())
    }

    /// The results of a move, for counting.
    #[inline]
    pub fn of(&mut self, mv: Move) -> &mut Results {
        let index = self.moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
            self.moves.push((mv, Results::default()));
            self.moves.len() - 1
        });
        &mut self.moves[index].1
    }

    /// The results of the games with a move.
    pub fn results_of(&self, mv: Move) -> Results {
        let known = self.moves.iter().find(|(known, _)| *known == mv);
        known.map(|(_, results)| *results).unwrap_or_default()
    }

    /// Adds games in each of which the position arises and this move follows.
    pub fn add(&mut self, mv: Move, results: &Results) {
        if results.games() > 0 {
            self.position.add(results);
            self.of(mv).add(results);
        }
    }

    /// Adds the games of another part of a collection. The order of parts does not matter.
    pub fn merge(&mut self, other: &Self) {
        self.position.add(&other.position);
        for (mv, results) in &other.moves {
            self.of(*mv).add(results);
        }
    }

    /// Sorts the moves by the number of games, in descending order, then by UCI notation, in which castling is king
    /// takes rook.
    pub fn sort(&mut self) {
        self.moves.sort_by_cached_key(|(mv, results)| {
            (Reverse(results.games()), mv.uci(CastlingStyle::KingTakesRook).to_string())
        });
    }

    /// Encodes the tally for [`from_bytes`](Self::from_bytes): the four numbers of the position as `u64`, then for each
    /// move its 16 bits and its four numbers, all little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        fn put(bytes: &mut Vec<u8>, results: &Results) {
            results.to_array().iter().for_each(|games| bytes.extend(games.to_le_bytes()));
        }
        let mut bytes = Vec::with_capacity(RESULTS_BYTES + self.moves.len() * MOVE_BYTES);
        put(&mut bytes, &self.position);
        for (mv, results) in &self.moves {
            bytes.extend(mv.to_bits().to_le_bytes());
            put(&mut bytes, results);
        }
        bytes
    }

    /// Decodes the bytes of [`to_bytes`](Self::to_bytes); `None` for any others. The legality of the moves is not
    /// checked.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let results = |bytes: &[u8]| {
            let mut games = [0; 4];
            for (games, bytes) in games.iter_mut().zip(bytes.chunks_exact(8)) {
                *games = u64::from_le_bytes(bytes.try_into().ok()?);
            }
            Some(Results::from_array(games))
        };
        let (head, rest) = bytes.split_at_checked(RESULTS_BYTES)?;
        let entries = rest.chunks_exact(MOVE_BYTES);
        if !entries.remainder().is_empty() {
            return None;
        }
        let moves = entries.map(|entry| {
            let mv = Move::from_bits(u16::from_le_bytes([entry[0], entry[1]]))?;
            Some((mv, results(&entry[2..])?))
        });
        Some(Self { position: results(head)?, moves: moves.collect::<Option<_>>()? })
    }
}

/// The bytes of four numbers.
const RESULTS_BYTES: usize = 4 * size_of::<u64>();

/// The bytes of a move and its four numbers.
const MOVE_BYTES: usize = size_of::<u16>() + RESULTS_BYTES;

#[cfg(test)]
mod tests {
    use halfmove_rules::{AnyPosition, Square, Variant};
    use proptest::prelude::*;

    use super::*;

    fn mv(from: Square, to: Square) -> Move {
        Move::normal(from, to)
    }

    #[test]
    fn a_game_counts_once_however_often_it_returns() {
        let target = Target::new(&AnyPosition::start(Variant::Chess));
        let (mut tally, mut played) = (Tally::default(), Vec::new());
        // 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4
        let game = crate::pgn::read_game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *");
        let mut bytes = Vec::new();
        let game = game.expect("a game");
        crate::codec::halfmove::encode(&game, &mut bytes).expect("bytes");
        tally.count(&bytes, Some("1/2-1/2"), &target, &mut played).expect("a game");
        assert_eq!(tally.position, Results::from_array([0, 1, 0, 0]));
        assert_eq!(tally.results_of(mv(Square::G1, Square::F3)).draws, 1);
        assert_eq!(tally.results_of(mv(Square::E2, Square::E4)).draws, 1);
        assert_eq!(tally.results_of(mv(Square::D2, Square::D4)), Results::default());
        assert!(tally.count(&[0xff], None, &target, &mut played).is_err());
        assert_eq!(tally.position.games(), 1);
    }

    #[test]
    fn bytes_without_a_tally() {
        let mut tally = Tally::default();
        tally.add(mv(Square::E2, Square::E4), &Results::from_array([1, 2, 3, 4]));
        let bytes = tally.to_bytes();
        assert_eq!(bytes.len(), 66);
        for end in (0..66).filter(|end| *end != 32) {
            assert_eq!(Tally::from_bytes(&bytes[..end]), None, "{end}");
        }
        assert!(Tally::from_bytes(&bytes[..32]).is_some_and(|tally| tally.moves.is_empty()));
    }

    fn tallies() -> impl Strategy<Value = Tally> {
        let results = prop::array::uniform4(0..=u64::MAX).prop_map(Results::from_array);
        let one = (0..64_u8, 0..64_u8, results);
        prop::collection::vec(one, 0..8).prop_map(|all| {
            let mut tally = Tally::default();
            for (from, to, results) in all {
                let squares = (Square::from_index(from), Square::from_index(to));
                if let (Some(from), Some(to)) = squares
                    && from != to
                {
                    tally.add(mv(from, to), &results);
                }
            }
            tally
        })
    }

    proptest! {
        #[test]
        fn tallies_come_back_from_their_bytes(tally in tallies()) {
            prop_assert_eq!(Tally::from_bytes(&tally.to_bytes()), Some(tally));
        }

        #[test]
        fn parts_give_the_same_sum_in_any_order(one in tallies(), two in tallies()) {
            let (mut forward, mut backward) = (one.clone(), two.clone());
            forward.merge(&two);
            backward.merge(&one);
            forward.sort();
            backward.sort();
            prop_assert_eq!(forward, backward);
        }
    }
}
