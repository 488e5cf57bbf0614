//! Makruk, Makpong and ASEAN chess: the source's own game and its variants.

use super::{Game, State};
use crate::piece::relative_rank;
use crate::{Board, Counting, CountingPolicy, Dialect, Ending, Index, Kind, Piece};
use alloc::string::String;
use alloc::vec::Vec;
use halfmove_rules::{Color, Move, Role, Square};
use thiserror::Error;

/// A legal position of Makruk, Makpong or ASEAN chess, with its history.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Ending, Makruk, Rules};
/// use halfmove_rules::Color;
///
/// let fen = "4N2k/7M/7K/4N3/8/8/8/8 w - 64 63 70";
/// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai)?;
/// assert_eq!(position.to_string(), "\
/// . . . . N . . k
/// . . . . . . . M
/// . . . . . . . K
/// . . . . N . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// let mv = position.parse_san("Nf7#").expect("a legal move");
/// let mate = position.play(mv).expect("a legal move");
/// // Black has counted to its limit of 32, but checkmate with the very next move wins.
/// assert_eq!(mate.ending(), Some(Ending::Checkmate { winner: Color::White }));
/// assert_eq!(mate.to_fen(Dialect::Fairy), "4N2k/5N1M/7K/8/8/8/8/8 b - 64 64 70");
/// # Ok::<(), halfmove_mailbox::MakrukError>(())
/// ```
///
/// # Source
/// The description of the 0x88 board in `kaisukez/makruk-js` (2020–2025), except where people play
/// differently: a khon steps diagonally or straight ahead; a bia attacks ahead, not behind; each
/// khun starts to the left of its met; a repetition compares the pieces and the side to move, not
/// the move number.
pub type Makruk = State<MakrukGame>;

/// The part of the state that only Makruk and its variants have: the rules and the count.
#[derive(Clone, Debug)]
pub struct MakrukGame {
    pub(crate) rules: Rules,
    pub(crate) policy: CountingPolicy,
    pub(crate) counting: Option<Counting>,
}

/// Makruk or one of its variants.
///
/// | game | differs from Makruk in |
/// | --- | --- |
/// | Makpong | a king in check may not step away: its side may only capture the checker, with any piece, or interpose; a double check is checkmate |
/// | ASEAN chess | both kings start on the e-file; a bia promotes on the last rank, to rook, khon, knight or met; fifty moves draw; counting differs |
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
///
/// // A rook and a met give check: there is no legal move, not even capturing the met.
/// let fen = "3r3k/8/8/4m3/3K4/8/8/8 w - - 0 1";
/// let moves = |rules| {
///     Makruk::from_fen(fen, rules, Dialect::Fairy, CountingPolicy::Thai).map(|p| p.legal_moves().len())
/// };
/// assert_eq!(moves(Rules::Makruk), Ok(6));
/// assert_eq!(moves(Rules::Makpong), Ok(0));
/// ```
///
/// # Source
/// The descriptions of Makpong and ASEAN chess in the guides of pychess-variants, and The Laws of
/// ASEAN-Chess (2011).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Makruk, as played in Thailand.
    Makruk,
    /// Makpong, "defensive chess".
    Makpong,
    /// ASEAN chess, of the ASEAN Chess Confederation.
    Asean,
}

impl Rules {
    /// Makruk, Makpong and ASEAN chess.
    pub const ALL: [Self; 3] = [Self::Makruk, Self::Makpong, Self::Asean];

    /// The rank, from 0 and as seen from its own side, on which a bia promotes.
    const fn promotion_rank(self) -> u8 {
        match self {
            Self::Makruk | Self::Makpong => 5,
            Self::Asean => 7,
        }
    }
}

impl Game for MakrukGame {
    fn name(&self, kind: Kind, dialect: Dialect) -> Option<&'static str> {
        dialect.name(self.rules, kind)
    }

    fn promotion_rank(&self) -> u8 {
        self.rules.promotion_rank()
    }

    fn promotions(&self) -> &'static [Role] {
        match self.rules {
            Rules::Makruk | Rules::Makpong => &[Role::Met],
            Rules::Asean => &[Role::Rook, Role::Khon, Role::Knight, Role::Met],
        }
    }

    /// A promoted bia is recognizable on the board, other promoted pieces are not.
    fn promoted(&self, role: Role) -> Kind {
        match self.rules {
            Rules::Makruk | Rules::Makpong => Kind::FlippedBia,
            Rules::Asean => role.into(),
        }
    }

    fn add_pawn_moves(state: &Makruk, from: Index, moves: &mut Vec<Move>) {
        state.add_bia_moves(from, moves);
    }

    fn add_castling(_: &Makruk, _: &mut Vec<Move>) {}

    /// Returns true unless the move breaks a rule of Makpong: a king in check may only capture the checker, and may not
    /// move at all in a double check, which no other move can answer either.
    fn allows(state: &Makruk, mv: Move) -> bool {
        if state.game.rules != Rules::Makpong {
            return true;
        }
        let mut checkers = state.checkers();
        match (checkers.next(), checkers.next()) {
            (None, _) => true,
            (Some(checker), None) => {
                let king = state.board.king(state.side_to_move).map(Index::square);
                king != Some(mv.from()) || mv.to() == checker
            }
            (Some(_), Some(_)) => false,
        }
    }

    fn after(state: &Makruk, mv: Move, next: &Makruk) -> Self {
        let taken = state.board.at(Index::new(mv.to())).map(|piece| piece.kind);
        let counting = next.counting_after(state, taken, mv.promotion().is_some());
        Self { counting, ..state.game.clone() }
    }

    fn add_to_key(_: &Makruk, _: &mut String) {}

    fn has_insufficient_material(state: &Makruk) -> bool {
        state.is_dead_makruk()
    }

    fn checkmate(state: &Makruk) -> Ending {
        let winner = !state.side_to_move;
        match state.game.counting {
            Some(count) if count.forbids_mate_by(winner, state.game.policy) => Ending::Counting,
            _ => Ending::Checkmate { winner },
        }
    }

    fn draw(state: &Makruk) -> Option<Ending> {
        if state.game.counting.is_some_and(|count| count.is_over(state.game.policy)) {
            return Some(Ending::Counting);
        }
        if state.occurrences() >= 3 {
            return Some(Ending::Threefold);
        }
        let fifty = state.game.rules == Rules::Asean && state.halfmove_clock >= 100;
        fifty.then_some(Ending::FiftyMoves)
    }

    fn claimable(_: &Makruk) -> Option<Ending> {
        None
    }
}

/// The reason why a text or a board is not a position of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MakrukError {
    /// The text is not a FEN of its dialect.
    #[error("FEN, byte {offset}: expected {expected}")]
    Syntax {
        /// The offset of the first invalid byte, from 0.
        offset: usize,
        /// The expected text.
        expected: &'static str,
    },
    /// A side has no king, or more than one.
    #[error("{color} has {found} kings, expected exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// The number of its kings.
        found: usize,
    },
    /// A bia stands on a square where it must have been promoted.
    #[error("a bia stands on {0}, expected a met: it promotes there")]
    UnpromotedBia(Square),
    /// The game does not have this piece.
    #[error("the piece on {0} is not a piece of Makruk")]
    ForeignPiece(Square),
    /// The side that is not to move is in check.
    #[error("{0} is in check but it is not {0}'s move")]
    OppositeCheck(Color),
    /// No rule allows this count here.
    #[error("a count that no rule allows, expected {0}")]
    Count(&'static str),
}

impl Makruk {
    /// The start position.
    ///
    /// ```
    /// use halfmove_mailbox::{CountingPolicy, Makruk, Rules};
    /// let start = Makruk::start(Rules::Makpong, CountingPolicy::Thai);
    /// assert_eq!(start.perft(3), 12_012);
    /// ```
    pub fn start(rules: Rules, policy: CountingPolicy) -> Self {
        const BACK: [Kind; 8] = [
            Kind::Rook,
            Kind::Knight,
            Kind::Khon,
            Kind::King,
            Kind::Met,
            Kind::Khon,
            Kind::Knight,
            Kind::Rook,
        ];
        let mut board = Board::default();
        for index in Index::all() {
            let file = usize::from(index.file());
            // In Makruk each khun stands to the left of its met, as seen from its own side. In
            // ASEAN chess both kings stand on the e-file.
            let (white, black) = match rules {
                Rules::Makruk | Rules::Makpong => (BACK[file], BACK[7 - file]),
                Rules::Asean => (BACK[7 - file], BACK[7 - file]),
            };
            let (color, kind) = match index.rank() {
                0 => (Color::White, white),
                2 => (Color::White, Kind::Pawn),
                5 => (Color::Black, Kind::Pawn),
                7 => (Color::Black, black),
                _ => continue,
            };
            board.put_at(index, Piece { color, kind });
        }
        Self::new(board, Color::White, MakrukGame { rules, policy, counting: None })
    }

    /// A position without a history.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn from_board(
        board: Board,
        side_to_move: Color,
        rules: Rules,
        policy: CountingPolicy,
    ) -> Result<Self, MakrukError> {
        for color in Color::ALL {
            let found = board.count(color, Kind::King);
            if found != 1 {
                return Err(MakrukError::Kings { color, found });
            }
        }
        for (square, piece) in board.pieces() {
            match piece.kind {
                Kind::Bishop | Kind::Queen => return Err(MakrukError::ForeignPiece(square)),
                // In ASEAN chess a promoted bia is a piece like any other.
                Kind::FlippedBia if rules == Rules::Asean => {
                    return Err(MakrukError::ForeignPiece(square));
                }
                Kind::Pawn
                    if relative_rank(piece.color, Index::new(square)) >= rules.promotion_rank() =>
                {
                    return Err(MakrukError::UnpromotedBia(square));
                }
                _ => {}
            }
        }
        if board.is_in_check(!side_to_move) {
            return Err(MakrukError::OppositeCheck(!side_to_move));
        }
        Ok(Self::new(board, side_to_move, MakrukGame { rules, policy, counting: None }))
    }

    /// The rules of the game: Makruk, Makpong or ASEAN chess.
    pub fn rules(&self) -> Rules {
        self.game.rules
    }

    /// The position with a piece put on a square, replacing any piece there. Its history and its
    /// count are dropped.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn put(&self, square: Square, piece: Piece) -> Result<Self, MakrukError> {
        let mut board = self.board.clone();
        board.put(square, piece);
        Self::from_board(board, self.side_to_move, self.game.rules, self.game.policy)
    }

    /// The position with a square emptied. Its history and its count are dropped.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn remove(&self, square: Square) -> Result<Self, MakrukError> {
        let mut board = self.board.clone();
        board.remove(square);
        Self::from_board(board, self.side_to_move, self.game.rules, self.game.policy)
    }
}

impl Default for Makruk {
    /// The start of Makruk, with counting as people play.
    fn default() -> Self {
        Self::start(Rules::Makruk, CountingPolicy::Thai)
    }
}
