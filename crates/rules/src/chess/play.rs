//! Playing a move.

use super::node::color;
use super::{Chess, IllegalMove};
use crate::board::code;
use crate::zobrist::{BY_CODE, castling_key, en_passant_key, piece_key, turn_key};
use crate::{Bitboard, Color, Move, Piece, Role, Square};
use halfmove_bitboard::attacks;

impl Chess {
    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Plays a move that is known to be legal, or [`Move::NULL`] out of check. After any other move the position is
    /// unspecified, but nothing panics.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        // Each side has its own code, in which its table indices are constants.
        match self.side_to_move {
            Color::White => self.play_of::<true>(mv),
            Color::Black => self.play_of::<false>(mv),
        }
    }

    #[inline(always)]
    fn play_of<const WHITE: bool>(&mut self, mv: Move) {
        /// The board's code for each value of a move's promotion bits; khon and met do not occur.
        const PROMOTED: [u64; 8] = {
            let mut codes = [0; 8];
            let mut i = 0;
            while i < 4 {
                codes[Role::PROMOTIONS[i] as usize] = code(Role::PROMOTIONS[i]);
                i += 1;
            }
            codes
        };
        const PAWN: u64 = code(Role::Pawn);
        let us = color(WHITE);
        let (from, to) = (mv.from(), mv.to());
        let ep_square = self.pass_of(us);
        if mv.is_null() {
            return;
        }

        if self.castlers.intersects(Bitboard::square(from) | to) {
            self.end_rights(us, from, to);
            if mv.is_castle() {
                return self.castle_unchecked(us, from, to);
            }
        }
        let (moved, taken) = (self.board.code_at(from), self.board.code_at(to));
        let placed = match mv.promotion() {
            Some(role) => PROMOTED[role as usize],
            None => moved,
        };
        self.board.relocate(us, from, to, placed);
        let (ours, theirs) = (&BY_CODE[us.index()], &BY_CODE[(!us).index()]);
        self.key.0 ^= ours[moved as usize & 7][from.index()]
            ^ ours[placed as usize & 7][to.index()]
            ^ theirs[taken as usize & 7][to.index()];
        if taken != 0 {
            self.halfmove_clock = 0;
        }
        if moved == PAWN {
            self.halfmove_clock = 0;
            if Some(to) == ep_square {
                let taken = Square::new(to.file(), from.rank());
                self.board.clear(taken.into());
                self.key.0 ^= piece_key(Piece { color: !us, role: Role::Pawn }, taken);
            } else if (from as u8).abs_diff(to as u8) == 16 {
                let skipped = Square::new(to.file(), crate::setup::en_passant_rank(us));
                self.ep_square = Some(skipped);
                // The side to move has already changed: its pawns are the ones that may capture.
                if !self.en_passant_takers(skipped).is_empty() {
                    self.key.0 ^= en_passant_key(skipped.file());
                }
            }
        }
    }

    /// Passes the turn and returns the previous en passant square.
    #[inline]
    pub(super) fn pass(&mut self) -> Option<Square> {
        self.pass_of(self.side_to_move)
    }

    #[inline(always)]
    fn pass_of(&mut self, us: Color) -> Option<Square> {
        let ep_square = self.ep_square.take();
        if let Some(square) = ep_square
            && !self.en_passant_takers(square).is_empty()
        {
            self.key.0 ^= en_passant_key(square.file());
        }
        self.side_to_move = !us;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(u16::from(us == Color::Black));
        self.key.0 ^= turn_key();
        ep_square
    }

    fn castle_unchecked(&mut self, us: Color, king: Square, rook: Square) {
        let (king_to, rook_to) = Self::castling_targets(king, rook);
        self.board.clear(Bitboard::square(king) | rook);
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            let piece = Piece { color: us, role };
            self.board.put(to, piece);
            self.key.0 ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
    }

    /// Revokes the castling rights that a move of `us` between these squares ends.
    #[cold]
    fn end_rights(&mut self, us: Color, from: Square, to: Square) {
        let king_moves = from == self.king(us);
        let rights = self.castling;
        self.castlers = Bitboard::EMPTY;
        for (color, side, rook) in rights.iter() {
            if king_moves && color == us || rook == from || rook == to {
                self.castling.set(color, side, None);
                self.key.0 ^= castling_key(color, side);
            } else {
                self.castlers |= Bitboard::square(rook) | self.king(color);
            }
        }
    }

    /// Our pawns next to the enemy pawn that has just advanced two squares over this one.
    #[inline]
    pub(super) fn en_passant_takers(&self, square: Square) -> Bitboard {
        attacks::pawn(!self.side_to_move, square) & self.ours(Role::Pawn)
    }
}
