//! The state of a game (the source's sections *Board State Structure* and *State Management*): the board, the side to
//! move, the counters, the occurrences of positions, and the state of each game alone.

pub(crate) mod chess;
pub(crate) mod makruk;

use crate::{Board, Dialect, Ending, Index, Kind};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use halfmove_rules::{Color, Move, Role};

/// A legal position of a game, with the earlier positions that can be repeated. [`Chess`](crate::Chess) and
/// [`Makruk`](crate::Makruk) are its two kinds.
///
/// Playing a move returns a new state and leaves the old one unchanged.
///
/// | the source's `State` | here |
/// | --- | --- |
/// | `boardState`, `piecePositions` | [`board`](Self::board) |
/// | `activeColor` | [`side_to_move`](Self::side_to_move) |
/// | `moveNumber` | [`fullmove_number`](Self::fullmove_number) |
/// | `countdown` | [`Makruk::counting`](crate::Makruk::counting) |
/// | `fenOccurrence` | [`occurrences`](Self::occurrences) |
#[derive(Clone, Debug)]
pub struct State<G> {
    pub(crate) board: Board,
    pub(crate) side_to_move: Color,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
    pub(crate) game: G,
    /// The number of times that each position has occurred since the last irreversible move, a capture or a pawn move.
    /// The current position is included.
    pub(crate) occurrences: BTreeMap<String, u16>,
}

/// The differences between the games. The board, the moves of all pieces but pawns, the search and the notation are
/// common to them.
pub trait Game: Clone + fmt::Debug {
    /// The name of a white piece, one letter and perhaps a mark: `N`, `M~`. `None` if the game does not have it.
    fn name(&self, kind: Kind, dialect: Dialect) -> Option<&'static str>;

    /// The rank on which pawns promote, from 0 and as seen from their own side.
    fn promotion_rank(&self) -> u8;

    /// The roles to which a pawn may promote.
    fn promotions(&self) -> &'static [Role];

    /// The kind of piece after a pawn's promotion to a role.
    fn promoted(&self, role: Role) -> Kind;

    /// Adds the pseudo-legal moves of a pawn on a square.
    fn add_pawn_moves(state: &State<Self>, from: Index, moves: &mut Vec<Move>);

    /// Adds castling, if the game has it.
    fn add_castling(state: &State<Self>, moves: &mut Vec<Move>);

    /// Returns true if a move that does not leave the king in check is legal.
    fn allows(state: &State<Self>, mv: Move) -> bool;

    /// The game's own part of the state after a move. `next` lacks only that part and the new occurrence.
    fn after(state: &State<Self>, mv: Move, next: &State<Self>) -> Self;

    /// Adds to the key of a position the features other than pieces and side to move that distinguish it from others.
    fn add_to_key(state: &State<Self>, key: &mut String);

    /// Returns true if neither side has enough material to mate.
    fn has_insufficient_material(state: &State<Self>) -> bool;

    /// The end of a game in which the side to move is checkmated.
    fn checkmate(state: &State<Self>) -> Ending;

    /// The draw that ends the game because of earlier positions or moves, although there are legal moves.
    fn draw(state: &State<Self>) -> Option<Ending>;

    /// The draw that the side to move may claim.
    fn claimable(state: &State<Self>) -> Option<Ending>;
}

impl<G: Game> State<G> {
    /// A state without a history, at the first move.
    pub(crate) fn new(board: Board, side_to_move: Color, game: G) -> Self {
        let occurrences = BTreeMap::new();
        Self { board, side_to_move, halfmove_clock: 0, fullmove_number: 1, game, occurrences }
            .without_history()
    }

    /// The pieces on their squares.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Half-moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Starts at 1 and increases after each move of Black.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The number of times that the position has occurred, this time included.
    ///
    /// Two positions are the same if the same pieces stand on the same squares, the same side is to move, and, in
    /// chess, the same castling rights and a legal en passant capture are left. In Makruk a met and a promoted bia are
    /// the same.
    pub fn occurrences(&self) -> u16 {
        self.occurrences.get(&self.key()).copied().unwrap_or_default()
    }

    /// The same position without the positions before it, which can then no longer be repeated.
    ///
    /// ```
    /// use halfmove_mailbox::{Ending, Makruk};
    /// let mut position = Makruk::default();
    /// for san in ["Kd2", "Ke7", "Kd1", "Ke8", "Kd2", "Ke7", "Kd1", "Ke8"] {
    ///     let mv = position.parse_san(san).expect("a legal move");
    ///     position = position.play_unchecked(mv);
    /// }
    /// assert_eq!(position.ending(), Some(Ending::Threefold));
    /// assert_eq!(position.without_history().ending(), None);
    /// ```
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.occurrences.clear();
        self.remember();
        self
    }

    /// The key of a position for repetition.
    fn key(&self) -> String {
        let mut key = self.placement(Dialect::Fairy);
        key.retain(|letter| letter != '~');
        key.push(if self.side_to_move == Color::White { 'w' } else { 'b' });
        G::add_to_key(self, &mut key);
        key
    }

    /// Counts the current position once more.
    pub(crate) fn remember(&mut self) {
        let times = self.occurrences.entry(self.key()).or_default();
        *times = times.saturating_add(1);
    }
}

impl<G> fmt::Display for State<G> {
    /// Draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board.fmt(f)
    }
}
