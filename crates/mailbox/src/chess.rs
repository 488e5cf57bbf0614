//! Chess and Chess960 on the 0x88 board.

mod fen;
mod movegen;
mod play;
mod setup;

pub use fen::ChessFenError;

use super::{Board, Index, Kind, Piece};
use alloc::vec::Vec;
use halfmove_rules::{Color, Outcome, Square};

/// A legal position of chess or Chess960. Playing a move returns a new position and leaves the old
/// one unchanged.
///
/// ```
/// use halfmove_mailbox::Chess;
/// use halfmove_rules::{Setup, Square};
///
/// let setup: Setup = "8/8/8/2k5/3Pp3/8/8/4K2R b K d3 0 1".parse()?;
/// let position = Chess::from_setup(&setup).expect("a legal position");
/// assert!(position.is_check());
/// assert_eq!(position.checkers().collect::<Vec<_>>(), [Square::D4]);
/// assert_eq!(position.legal_moves().len(), 9, "the king's eight moves, and e4xd3");
/// assert_eq!(position.to_setup(), setup);
/// # Ok::<(), halfmove_rules::FenSyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
    side_to_move: Color,
    /// The rooks that may castle, with their color.
    castling_rooks: Vec<(Color, Index)>,
    /// The square behind a pawn that has just advanced two squares, whether or not it can be
    /// captured en passant.
    ep_square: Option<Index>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Chess {
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

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> {
        let us = self.side_to_move;
        self.board.attackers(self.king(us).square(), !us)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.board.is_in_check(self.side_to_move)
    }

    /// How the game has ended, judging by this position alone.
    pub fn outcome(&self) -> Option<Outcome> {
        match (self.legal_moves().is_empty(), self.is_check()) {
            (true, true) => Some(Outcome::Checkmate { winner: !self.side_to_move }),
            (true, false) => Some(Outcome::Stalemate),
            (false, _) => self.has_insufficient_material().then_some(Outcome::InsufficientMaterial),
        }
    }

    /// Whether only kings are left, or kings and one knight, or kings and bishops that all stand on
    /// squares of one color.
    fn has_insufficient_material(&self) -> bool {
        let mut knights = 0;
        let mut bishops = Vec::new();
        for color in Color::ALL {
            let any = |kind| self.board.count(color, kind) > 0;
            if any(Kind::Pawn) || any(Kind::Rook) || any(Kind::Queen) {
                return false;
            }
            knights += self.board.count(color, Kind::Knight);
            bishops.extend_from_slice(self.board.list(color, Kind::Bishop));
        }
        let is_light = |bishop: &Index| (bishop.rank() + bishop.file()) % 2 == 1;
        let light = bishops.iter().filter(|bishop| is_light(bishop)).count();
        match knights {
            0 => light == 0 || light == bishops.len(),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// The number of leaves of the game tree at `depth` half-moves.
    ///
    /// ```
    /// use halfmove_mailbox::Chess;
    /// assert_eq!(Chess::default().perft(3), 8_902);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// The square of a side's king.
    fn king(&self, color: Color) -> Index {
        // Validation ensures one king a side, and kings are never captured.
        self.board.list(color, Kind::King).first().copied().unwrap_or(Index::new(Square::A1))
    }
}

impl Default for Chess {
    /// The usual start position.
    fn default() -> Self {
        const BACK: [Kind; 8] = [
            Kind::Rook,
            Kind::Knight,
            Kind::Bishop,
            Kind::Queen,
            Kind::King,
            Kind::Bishop,
            Kind::Knight,
            Kind::Rook,
        ];
        let mut board = Board::default();
        let mut castling_rooks = Vec::new();
        for index in Index::all() {
            let file = usize::from(index.file());
            let (color, kind) = match index.rank() {
                0 => (Color::White, BACK[file]),
                1 => (Color::White, Kind::Pawn),
                6 => (Color::Black, Kind::Pawn),
                7 => (Color::Black, BACK[file]),
                _ => continue,
            };
            board.put_at(index, Piece { color, kind });
            if kind == Kind::Rook {
                castling_rooks.push((color, index));
            }
        }
        Self {
            board,
            side_to_move: Color::White,
            castling_rooks,
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}
