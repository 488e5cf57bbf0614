//! Conversion from and to a setup.

use super::Chess;
use super::fen::Claim;
use crate::piece::{forward, relative_rank};
use crate::{Board, Index, Kind, Piece};
use alloc::vec::Vec;
use halfmove_rules::{CastlingRights, CastlingSide, Color, Flaw, Flaws, Setup};

impl Chess {
    /// Validates a setup.
    ///
    /// # Errors
    /// All flaws that make the position unplayable. Whether a game can reach the position is not
    /// tested: [`Flaws::UNREACHABLE`] is never included.
    pub fn from_setup(setup: &Setup) -> Result<Self, Flaws> {
        let mut board = Board::default();
        for (square, piece) in setup.board.pieces() {
            board.put(square, piece.into());
        }
        let position = Self {
            board,
            side_to_move: setup.side_to_move,
            castling_rooks: setup
                .castling
                .iter()
                .map(|(c, _, rook)| (c, Index::new(rook)))
                .collect(),
            ep_square: setup.ep_square.map(Index::new),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        let claims = setup.castling.iter().map(|(c, wing, rook)| (c, wing, Index::new(rook)));
        let flaws = position.flaws(&claims.collect::<Vec<_>>());
        if flaws.is_empty() { Ok(position) } else { Err(flaws) }
    }

    /// What makes the position unplayable, if these castling rights are claimed.
    pub(super) fn flaws(&self, claims: &[Claim]) -> Flaws {
        let mut flaws = Flaws::NONE;
        let mut check = |found, flaw: Flaw| {
            if found {
                flaws = flaws | flaw;
            }
        };
        for color in Color::ALL {
            let kings = self.board.count(color, Kind::King);
            check(kings == 0, Flaw::NoKing);
            check(kings > 1, Flaw::SeveralKings);
        }
        for (square, piece) in self.board.pieces() {
            let on_back_rank = matches!(Index::new(square).rank(), 0 | 7);
            check(piece.kind == Kind::Pawn && on_back_rank, Flaw::PawnOnBackRank);
            check(
                matches!(piece.kind, Kind::Khon | Kind::Met | Kind::FlippedBia),
                Flaw::ForeignPiece,
            );
        }
        let one_king = |color| self.board.count(color, Kind::King) == 1;
        let them = !self.side_to_move;
        check(one_king(them) && self.board.is_in_check(them), Flaw::OppositeCheck);
        for (color, side, rook) in claims {
            let allowed = one_king(*color) && self.allows_castling(*color, *side, *rook);
            check(!allowed, Flaw::Castling);
        }
        check(
            self.ep_square.is_some_and(|ep_square| !self.allows_en_passant(ep_square)),
            Flaw::EnPassant,
        );
        flaws
    }

    /// The contents of a FEN of this position, with the en passant square only if a capture there
    /// is legal.
    pub fn to_setup(&self) -> Setup {
        let mut board = halfmove_rules::Board::default();
        for (square, piece) in self.board.pieces() {
            board.put(square, piece.into());
        }
        let mut castling = CastlingRights::NONE;
        for (color, rook) in &self.castling_rooks {
            let side = self.wing(*color, *rook);
            castling.set(*color, side, Some(rook.square()));
        }
        Setup {
            board,
            side_to_move: self.side_to_move,
            castling,
            ep_square: self.ep_square.filter(|_| self.can_take_en_passant()).map(Index::square),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The castling side of a rook, seen from its king.
    pub(super) fn wing(&self, color: Color, rook: Index) -> CastlingSide {
        if rook > self.king(color) { CastlingSide::KingSide } else { CastlingSide::QueenSide }
    }

    /// Whether king and rook stand on their own first rank, with the rook on the given side.
    fn allows_castling(&self, color: Color, side: CastlingSide, rook: Index) -> bool {
        let at_home = |index| relative_rank(color, index) == 0;
        self.board.at(rook) == Some(Piece { color, kind: Kind::Rook })
            && at_home(rook)
            && at_home(self.king(color))
            && self.wing(color, rook) == side
    }

    /// Whether the side that has just moved can have made a double step over a square: its pawn is
    /// now one rank ahead, and the square itself and the one behind it are empty.
    fn allows_en_passant(&self, ep_square: Index) -> bool {
        let them = !self.side_to_move;
        let ahead = forward(them);
        let now = ep_square.step(ahead).and_then(|index| self.board.at(index));
        let before = ep_square.step(-ahead).map(|index| self.board.at(index));
        relative_rank(them, ep_square) == 2
            && now == Some(Piece { color: them, kind: Kind::Pawn })
            && self.board.at(ep_square).is_none()
            && before == Some(None)
    }
}
