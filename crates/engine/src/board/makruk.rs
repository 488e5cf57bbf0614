//! Makruk and its variants on bitboards, with a key that is updated move by move.

use super::{Count, Pieces, SearchBoard, exchange, list};
use crate::eval::tally::Terms;
use crate::eval::{self, Evaluation};
use core::ops::ControlFlow;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::cpu::{self, Cpu, Level, Task};
use halfmove_rules::makruk::{piece_key, turn_key};
use halfmove_rules::{
    Bitboard, Board, Color, Makruk, Move, MoveKind, Piece, Role, Square, Variant,
};

/// The values of the pieces of Makruk in an exchange, by [`Role::index`].
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

/// Lists the pieces that can move.
struct All<'a>(&'a Makruk, &'a mut Pieces);

impl Task for All<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let _ = self.0.visit_moves_on(cpu, list(self.1));
    }
}

/// Lists the pieces that can capture or promote.
struct Noisy<'a>(&'a Makruk, &'a mut Pieces);

impl Task for Noisy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let _ = self.0.visit_noisy_moves_on(cpu, list(self.1));
    }
}

impl SearchBoard for KeyedMakruk {
    const VALUES: [i32; 8] = VALUES;

    fn variant(&self) -> Variant {
        self.position.rules().into()
    }

    #[inline]
    fn board(&self) -> &Board {
        self.position.board()
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
        let mut pieces = Pieces::new();
        cpu::run_up_to(Level::V3, Noisy(&self.position, &mut pieces));
        pieces.iter().for_each(|moves| moves.into_iter().for_each(&mut take));
    }

    #[inline]
    fn each_quiet_move(&self, mut take: impl FnMut(Role, Move)) {
        let empty = !self.position.board().occupied();
        let mut pieces = Pieces::new();
        cpu::run_up_to(Level::V3, All(&self.position, &mut pieces));
        for moves in pieces.iter().filter(|moves| moves.kind() == MoveKind::Normal) {
            let role = moves.role();
            moves.within(empty).into_iter().for_each(|mv| take(role, mv));
        }
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

    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        let board = self.position.board();
        exchange::at_least(board, mv, None, threshold, &Self::VALUES, &Attackers(board))
    }

    #[inline]
    fn count(&self) -> Option<Count> {
        self.position.counting().map(Count::of)
    }

    #[inline]
    fn is_insufficient_material(&self) -> bool {
        // Larger positions with insufficient material have only mets on squares of one color; they are
        // too rare to matter.
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
    fn as_makruk(&self) -> Option<&Makruk> {
        Some(&self.position)
    }

    #[inline]
    fn has_moves(&self) -> bool {
        self.position.has_moves()
    }
}

/// Attackers by the rules of Makruk and its variants.
struct Attackers<'a>(&'a Board);

impl exchange::Attackers for Attackers<'_> {
    #[inline(always)]
    fn all(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = self.0;
        let of = |side: Color| {
            let bias = attacks::pawn(!side, square) & board.by_role(Role::Pawn);
            let khons = attacks::khon(!side, square) & board.by_role(Role::Khon);
            (bias | khons) & board.by_color(side)
        };
        attacks::king(square) & board.by_role(Role::King)
            | attacks::knight(square) & board.by_role(Role::Knight)
            | attacks::met(square) & board.by_role(Role::Met)
            | attacks::rook(square, occupied) & board.by_role(Role::Rook)
            | of(Color::White)
            | of(Color::Black)
    }

    #[inline(always)]
    fn behind(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        // Only rooks slide, and only a capture by one of these pieces can uncover a rook.
        match role {
            Role::Rook | Role::Khon | Role::King => {
                attacks::rook(square, occupied) & self.0.by_role(Role::Rook)
            }
            _ => Bitboard::EMPTY,
        }
    }
}
