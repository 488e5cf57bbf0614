//! The move generator of chess: the constraints of a position on its moves, and the moves that satisfy them.
//!
//! It first computes the allowed target squares (all, or in check those that end it) and the pinned pieces; then an
//! intersection gives the targets of each piece. Only king steps, castling and en passant captures need attack tests.
//!
//! [`Chess`](crate::Chess) passes these moves to its callers, and [`perft`](crate::perft()) plays or counts them.
//! The code is compiled separately for White and Black, so that *forward* is a constant shift, and for each level of
//! [`cpu`](halfmove_bitboard::cpu).
//!
//! # Source
//! Check and pin masks are folklore; Daniel Inführ's *Gigantua* (2021) shows how much they gain.

use crate::chess::relative_rank;
use crate::{Bitboard, Board, Color, File, Rank, Role, Square};
use halfmove_bitboard::attacks::{self, Pieces, empty_board, setwise};
use halfmove_bitboard::cpu::Cpu;
use halfmove_bitboard::lines;

/// One side's pieces. A queen is in both sets of sliders.
///
/// The order of the fields matters. `perft` writes a child's side field by field and reads it again immediately. If two
/// sets that are used together were adjacent, the compiler would combine them into one wide load, and the CPU cannot
/// forward two pending narrower stores to a wider load, so it would stall.
#[derive(Copy, Clone)]
#[repr(C)]
pub(crate) struct Side {
    pub(crate) all: Bitboard,
    pub(crate) orthogonal: Bitboard,
    pub(crate) pawns: Bitboard,
    pub(crate) diagonal: Bitboard,
    pub(crate) king: Bitboard,
    pub(crate) knights: Bitboard,
}

impl Side {
    #[inline(always)]
    pub(crate) fn of(board: &Board, color: Color) -> Self {
        let all = board.by_color(color);
        Self {
            all,
            orthogonal: all & board.rooks_and_queens(),
            pawns: all & board.by_role(Role::Pawn),
            diagonal: all & board.bishops_and_queens(),
            king: all & board.by_role(Role::King),
            knights: all & board.by_role(Role::Knight),
        }
    }

    #[inline(always)]
    fn pieces(&self) -> Pieces {
        Pieces { orthogonal: self.orthogonal, diagonal: self.diagonal, knights: self.knights }
    }
}

/// One castling: its conditions and its target squares.
#[derive(Copy, Clone)]
pub(crate) struct Castling {
    pub(crate) rook: Bitboard,
    /// The squares that must be empty, apart from king and rook.
    empty: Bitboard,
    /// The squares that must not be attacked.
    safe: Bitboard,
    pub(crate) king_to: Bitboard,
    pub(crate) rook_to: Bitboard,
    /// In Chess960 the rook may expose the king to an enemy rook in the corner.
    uncovers: bool,
}

impl Castling {
    /// An impossible castling: its path is never empty.
    pub(crate) const NONE: Self = Self {
        rook: Bitboard::EMPTY,
        empty: Bitboard::FULL,
        safe: Bitboard::FULL,
        king_to: Bitboard::EMPTY,
        rook_to: Bitboard::EMPTY,
        uncovers: false,
    };

    pub(crate) const fn new(king: Square, rook: Square) -> Self {
        let (king_to, rook_to) = crate::Chess::castling_targets(king, rook);
        let king_path = lines::between(king, king_to).with(king_to);
        let rook_path = lines::between(rook, rook_to).with(rook_to);
        Self {
            rook: Bitboard::square(rook),
            empty: Bitboard(king_path.0 | rook_path.0).without(king).without(rook),
            safe: king_path,
            king_to: Bitboard::square(king_to),
            rook_to: Bitboard::square(rook_to),
            uncovers: !matches!(rook.file(), File::A | File::H),
        }
    }
}

#[inline(always)]
pub(crate) const fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// A position from the point of view of the side to move.
pub(crate) struct Node<'a, C, const WHITE: bool> {
    cpu: C,
    us: &'a Side,
    them: &'a Side,
    pub(crate) occupied: Bitboard,
    pub(crate) king: Square,
    pub(crate) checkers: Bitboard,
    /// Our pinned pieces, which may move only along their line with the king.
    pub(crate) pinned: Bitboard,
    /// The squares open to pieces other than the king: not those of our own pieces, and in check only those that end it.
    pub(crate) targets: Bitboard,
}

impl<'a, C: Cpu, const WHITE: bool> Node<'a, C, WHITE> {
    #[inline(always)]
    pub(crate) fn new(cpu: C, us: &'a Side, them: &'a Side) -> Self {
        let occupied = us.all | them.all;
        let king = us.king.first().unwrap_or(Square::A1);
        let mut checkers = attacks::knight(king) & them.knights
            | setwise::pawn_any(color(WHITE), us.king) & them.pawns;
        let mut pinned = Bitboard::EMPTY;
        // Enemy sliders that would attack the king on an otherwise empty board; rarely more than one.
        let snipers =
            empty_board::rook(king) & them.orthogonal | empty_board::bishop(king) & them.diagonal;
        for sniper in snipers {
            let between = lines::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= sniper;
            }
            if !between.has_many() {
                pinned |= between;
            }
        }
        let targets = match checkers.first() {
            Some(checker) => lines::between(king, checker) | checkers,
            None => !us.all,
        };
        Self { cpu, us, them, occupied, king, checkers, pinned: pinned & us.all, targets }
    }

    /// The squares that our king cannot move to, computed with its own square empty.
    #[inline(always)]
    pub(crate) fn danger(&self) -> Bitboard {
        let them = self.them;
        self.cpu.attacks(them.pieces(), self.occupied ^ self.us.king)
            | setwise::pawn_any(color(!WHITE), them.pawns)
            | attacks::king(them.king.first().unwrap_or(Square::A1))
    }

    /// Returns true if the squares that a castling needs are empty.
    #[inline(always)]
    pub(crate) fn is_free(&self, castling: &Castling) -> bool {
        self.occupied.is_disjoint(castling.empty)
    }

    /// Returns true if a castling whose [path is free](Self::is_free) is legal, given that our king is not in check.
    #[inline(always)]
    pub(crate) fn is_safe(&self, castling: &Castling, danger: Bitboard) -> bool {
        danger.is_disjoint(castling.safe)
            && !(castling.uncovers
                && is_uncovered(castling, self.us.king, self.occupied, self.them.orthogonal))
    }

    /// The subset of a piece's attacked squares that it may move to.
    #[inline(always)]
    pub(crate) fn may_go(&self, from: Square, reach: Bitboard) -> Bitboard {
        let targets = reach & self.targets;
        if self.pinned.has(from) { targets & lines::line(self.king, from) } else { targets }
    }

    /// The targets of our pawns, as sets, without en passant captures. Not for use in double check.
    #[inline(always)]
    pub(crate) fn pawn_moves(&self) -> PawnMoves {
        let mut moves = self.moves_of_pawns(self.us.pawns - self.pinned, self.targets);
        let pinned = self.us.pawns & self.pinned;
        // A pinned piece cannot end a check.
        if !pinned.is_empty() && self.checkers.is_empty() {
            for from in pinned {
                let line = lines::line(self.king, from);
                moves.add(self.moves_of_pawns(from.into(), self.targets & line));
            }
        }
        moves
    }

    #[inline(always)]
    fn moves_of_pawns(&self, pawns: Bitboard, targets: Bitboard) -> PawnMoves {
        let us = color(WHITE);
        let (empty, takes) = (!self.occupied, self.them.all & targets);
        let one = pawns.forward(us) & empty;
        let two = (one & Bitboard::rank(relative_rank(us, Rank::Third))).forward(us) & empty;
        PawnMoves {
            one: one & targets,
            two: two & targets,
            east: setwise::pawn_east(us, pawns) & takes,
            west: setwise::pawn_west(us, pawns) & takes,
            last: Bitboard::rank(relative_rank(us, Rank::Eighth)),
            promote: pawns.intersects(Bitboard::rank(relative_rank(us, Rank::Seventh))),
        }
    }

    /// Our pawns that could capture en passant on a square.
    #[inline(always)]
    pub(crate) fn en_passant_takers(&self, ep: Bitboard) -> Bitboard {
        setwise::pawn_any(color(!WHITE), ep) & self.us.pawns
    }

    /// Returns true if an en passant capture leaves our king safe. Two pawns leave their squares at once, and the
    /// capture may end a check.
    #[inline(always)]
    pub(crate) fn may_take_en_passant(&self, from: Square, ep: Bitboard) -> bool {
        let taken = ep.forward(color(!WHITE));
        let occupied = (self.occupied ^ from ^ taken) | ep;
        let pawns = attacks::pawn(color(WHITE), self.king) & (self.them.pawns - taken);
        let knights = attacks::knight(self.king) & self.them.knights;
        let rest = pawns | knights;
        rest.is_empty() && !is_open(self.king, occupied, self.them.orthogonal, self.them.diagonal)
    }

    /// The number of legal moves, counted from sets. `castlings` are those that we have the right to.
    #[inline(always)]
    pub(crate) fn count(&self, castlings: &[Castling; 2], castlers: Bitboard, ep: Bitboard) -> u64 {
        let us = self.us;
        let mut count = 0;
        let steps = attacks::king(self.king) - us.all;
        // If the king has no squares to step to and cannot castle, attacks need not be computed.
        let [short, long] = castlings
            .each_ref()
            .map(|castling| self.is_free(castling) & castlers.intersects(castling.rook));
        if !steps.is_empty() | short | long {
            let danger = self.danger();
            count += (steps - danger).len();
            if (short | long) && self.checkers.is_empty() {
                let [king_side, queen_side] = castlings;
                count += u32::from(short && self.is_safe(king_side, danger));
                count += u32::from(long && self.is_safe(queen_side, danger));
            }
        }
        if self.checkers.has_many() {
            return u64::from(count);
        }
        let free = Pieces {
            orthogonal: us.orthogonal - self.pinned,
            diagonal: us.diagonal - self.pinned,
            knights: us.knights - self.pinned,
        };
        count += self.cpu.mobility(free, self.occupied, self.targets);
        count += self.moves_of_pawns(us.pawns - self.pinned, self.targets).count();
        // A pinned piece cannot end a check.
        if !self.pinned.is_empty() && self.checkers.is_empty() {
            for from in self.pinned {
                let targets = self.targets & lines::line(self.king, from);
                if us.orthogonal.has(from) {
                    count += (self.cpu.rook(from, self.occupied) & targets).len();
                }
                if us.diagonal.has(from) {
                    count += (self.cpu.bishop(from, self.occupied) & targets).len();
                }
                if us.pawns.has(from) {
                    count += self.moves_of_pawns(from.into(), targets).count();
                }
            }
        }
        if !ep.is_empty() {
            for from in self.en_passant_takers(ep) {
                count += u32::from(self.may_take_en_passant(from, ep));
            }
        }
        u64::from(count)
    }
}

/// Returns true if a castling in Chess960 exposes the king to an enemy rook behind our own.
#[cold]
#[inline(never)]
fn is_uncovered(
    castling: &Castling,
    king: Bitboard,
    occupied: Bitboard,
    hostile: Bitboard,
) -> bool {
    let landed = castling.king_to | castling.rook_to;
    let occupied = (occupied - king - castling.rook) | landed;
    let king_to = castling.king_to.first().unwrap_or(Square::A1);
    attacks::rook(king_to, occupied).intersects(hostile)
}

/// Returns true if a slider attacks a king.
#[cold]
#[inline(never)]
fn is_open(king: Square, occupied: Bitboard, orthogonal: Bitboard, diagonal: Bitboard) -> bool {
    attacks::rook(king, occupied).intersects(orthogonal)
        || attacks::bishop(king, occupied).intersects(diagonal)
}

/// The targets of pawns, by direction; each target belongs to one pawn.
#[derive(Copy, Clone)]
pub(crate) struct PawnMoves {
    pub(crate) one: Bitboard,
    pub(crate) two: Bitboard,
    pub(crate) east: Bitboard,
    pub(crate) west: Bitboard,
    pub(crate) last: Bitboard,
    /// True if any of them may be a promotion.
    pub(crate) promote: bool,
}

impl PawnMoves {
    #[inline(always)]
    fn add(&mut self, more: Self) {
        self.one |= more.one;
        self.two |= more.two;
        self.east |= more.east;
        self.west |= more.west;
        self.promote |= more.promote;
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let count = self.one.len() + self.two.len() + self.east.len() + self.west.len();
        if !self.promote {
            return count;
        }
        let [one, east, west] = [self.one, self.east, self.west].map(|to| (to & self.last).len());
        count + 3 * (one + east + west)
    }
}
