//! Makruk and its kin on bitboards, with a key that is updated move by move.

use super::chess::attacks_of;
use super::{Count, SearchBoard, exchange};
use crate::eval::tally::Terms;
use crate::eval::{self, Evaluation};
use core::ops::ControlFlow;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::makruk::{piece_key, turn_key};
use halfmove_rules::{
    Bitboard, Board, Color, Makruk, Move, MoveKind, Piece, Role, Square, Variant,
};
use std::borrow::Cow;

/// What the pieces of Makruk are worth, by [`Role::index`].
pub(super) const VALUES: [i32; 8] = eval::makruk::VALUES;

/// A position of Makruk, Makpong or ASEAN chess with its key.
///
/// ```
/// use halfmove_engine::{KeyedMakruk, SearchBoard};
/// use halfmove_rules::{Makruk, Move, Square};
///
/// let mut start = KeyedMakruk::new(Makruk::default());
/// start.play(Move::normal(Square::E3, Square::E4));
/// let fresh = KeyedMakruk::new(start.position().clone());
/// assert_eq!(start.key(), fresh.key());
/// ```
#[derive(Clone, Debug)]
pub struct KeyedMakruk {
    position: Makruk,
    key: u64,
}

/// The keys of all pieces, so that they need not be computed again.
static KEYS: [[[u64; 64]; 8]; 2] = {
    let mut keys = [[[0; 64]; 8]; 2];
    let mut i = 0;
    while i < 2 * 8 * 64 {
        let (color, role, square) = (i / 512, i / 64 % 8, i % 64);
        let piece = Piece { color: Color::ALL[color], role: Role::ALL[role] };
        keys[color][piece.role.index()][square] = piece_key(piece, Square::ALL[square]);
        i += 1;
    }
    keys
};

#[inline]
fn key_of(piece: Piece, square: Square) -> u64 {
    KEYS[piece.color.index()][piece.role.index()][square.index()]
}

impl KeyedMakruk {
    /// A position with its key.
    pub fn new(position: Makruk) -> Self {
        let key = position.zobrist().0;
        Self { position, key }
    }

    /// The position.
    pub const fn position(&self) -> &Makruk {
        &self.position
    }
}

impl SearchBoard for KeyedMakruk {
    const VALUES: [i32; 8] = VALUES;

    fn variant(&self) -> Variant {
        self.position.rules().into()
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    #[inline]
    fn halfmove_clock(&self) -> u16 {
        self.position.halfmove_clock()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn is_check(&self) -> bool {
        self.position.is_check()
    }

    #[inline]
    fn each_move(&self, mut take: impl FnMut(Move)) {
        let _: ControlFlow<()> = self.position.visit_moves(|moves| {
            moves.into_iter().for_each(&mut take);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn each_noisy_move(&self, mut take: impl FnMut(Move)) {
        let _: ControlFlow<()> = self.position.visit_noisy_moves(|moves| {
            moves.into_iter().for_each(&mut take);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn each_quiet_move(&self, mut take: impl FnMut(Role, Move)) {
        let empty = !self.position.board().occupied();
        let _: ControlFlow<()> = self.position.visit_moves(|moves| {
            if moves.kind() == MoveKind::Normal {
                let role = moves.role();
                moves.within(empty).into_iter().for_each(|mv| take(role, mv));
            }
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let board = self.position.board();
        if let Some(taken) = board.piece_at(to) {
            self.key ^= key_of(taken, to);
        }
        if let Some(moved) = board.piece_at(from) {
            let role = mv.promotion().unwrap_or(moved.role);
            self.key ^= key_of(moved, from) ^ key_of(Piece { role, ..moved }, to);
        }
        self.key ^= turn_key();
        self.position.play_unchecked(mv);
    }

    fn pass(&self) -> Option<Self> {
        let position = self.position.null_move()?;
        Some(Self { position, key: self.key ^ turn_key() })
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.position.board().piece_at(square)
    }

    #[inline]
    fn placement(&self) -> Board {
        self.position.board().clone()
    }

    #[inline]
    fn attacks(&self, piece: Piece, from: Square) -> Bitboard {
        attacks_of(piece, from, self.position.board().occupied())
    }

    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        let board = self.position.board();
        let attackers = |square, side, occupied| attackers(board, square, side, occupied);
        exchange::at_least(board, mv, None, threshold, &Self::VALUES, attackers)
    }

    #[inline]
    fn count(&self) -> Option<Count> {
        self.position.counting().map(Count::of)
    }

    #[inline]
    fn is_insufficient_material(&self) -> bool {
        // The largest such positions hold mets of one color only, which no game has many of.
        self.position.board().occupied().len() <= 6 && self.position.is_insufficient_material()
    }

    fn evaluate(&self) -> Evaluation {
        eval::makruk::evaluate(self, Terms::default()).into()
    }

    #[inline(always)]
    fn value(&self) -> i32 {
        eval::makruk::evaluate(self, ()).total_for(self.side_to_move())
    }

    #[inline]
    fn to_makruk(&self) -> Option<Cow<'_, Makruk>> {
        Some(Cow::Borrowed(&self.position))
    }

    #[inline]
    fn has_moves(&self) -> bool {
        self.position.has_moves()
    }
}

/// The pieces of one side that attack a square, given the occupied squares.
fn attackers(board: &Board, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
    let attackers = attacks::king(square) & board.by_role(Role::King)
        | attacks::knight(square) & board.by_role(Role::Knight)
        | attacks::pawn(!by, square) & board.by_role(Role::Pawn)
        | attacks::khon(!by, square) & board.by_role(Role::Khon)
        | attacks::met(square) & board.by_role(Role::Met)
        | attacks::rook(square, occupied) & board.by_role(Role::Rook);
    attackers & board.by_color(by)
}
