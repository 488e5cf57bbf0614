//! Exact distances to mate against a bare king.
//!
//! In Makruk, the chaser must mate before the count ends; in chess, bishop and knight must mate within fifty moves.
//! With one or two pieces besides the king, every position can be solved, and a table holds its distance to mate.
//!
//! The positions are solved backward (retrograde analysis), starting from those in which the bare king is mated. Take
//! back the chaser's last move: from there it can mate in one. Take back the bare king's move before that: if all its
//! moves lead to a known loss, that position is lost too. Repeat, one move further each time, until no new position is
//! found.
//!
//! ```text
//! lost in 0  ──take back a move of the chaser──▶  won in 1
//! won in 1   ──take back a move of the bare king, if no other move saves it──▶  lost in 1
//! lost in 1  ──▶  won in 2  ──▶  lost in 2  …
//! ```
//!
//! If the king captures a piece, the smaller table for the remaining piece gives the result.
//!
//! # Source
//! Ken Thompson, *Retrograde analysis of certain endgames*, ICCA Journal 9.3 (1986).

use crate::makruk::Honor;
use crate::{AnyPosition, Bitboard, Board, Color, File, Makruk, Position, Role, Square, Variant};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use arrayvec::ArrayVec;
use halfmove_bitboard::attacks;
use thiserror::Error;

/// The distance to mate of every position of a king with one or two pieces against a bare king.
///
/// A table for two pieces takes 16 MiB, one for a single piece 256 KiB, with 64 times fewer positions to solve.
///
/// ```
/// use halfmove_rules::{Makruk, MateTable, Role, Variant};
///
/// let table = MateTable::compute(Variant::Makruk, &[Role::Rook])?;
/// // As in chess, a rook needs sixteen moves at most.
/// assert_eq!(table.longest(), Some(16));
///
/// let position: Makruk = "7k/8/5K2/8/8/8/8/R7 w - 32 31 90".parse().unwrap();
/// assert_eq!(table.mate_in(&position)?, Some(2));
/// // Sixteen has been announced: the chaser has one move left, which is not enough.
/// assert!(!position.win_in_time(&table)?);
/// # Ok::<(), halfmove_rules::MateTableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MateTable {
    /// Chess960 is treated as chess.
    variant: Variant,
    pieces: ArrayVec<Role, MAX_PIECES>,
    /// Moves to mate with the chaser to move, or [`NEVER`].
    won: Box<[u8]>,
    /// The chaser's moves to mate with the bare king to move, or [`NEVER`].
    lost: Box<[u8]>,
    /// The tables for the remaining piece after the king captures the first or the second one.
    smaller: Vec<MateTable>,
}

/// The reason why there is no table, or no entry in the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MateTableError {
    /// Too few pieces or too many.
    #[error("{0} pieces besides the king, expected one or two")]
    Pieces(usize),
    /// A piece that these tables do not support.
    #[error(
        "a {0} besides the king, expected rooks, khons, knights and mets, or in chess queens, bishops and knights"
    )]
    Role(Role),
    /// The position has other pieces, or belongs to another game.
    #[error("not a position of this table: another game, or other pieces")]
    OtherPosition,
}

const MAX_PIECES: usize = 2;

/// The maximum number of moves of a king and two queens.
const MAX_STEPS: usize = 8 + 27 * MAX_PIECES;

/// Marks a position in which mate cannot be forced.
const NEVER: u8 = u8::MAX;

/// A position of a table: White has the pieces, Black the bare king.
#[derive(Copy, Clone)]
struct Chase {
    bare: Square,
    king: Square,
    pieces: [Square; MAX_PIECES],
}

impl Makruk {
    /// Returns true if the chaser can mate before the bare king's count runs out, according to the table
    /// for these pieces; if no side is counting pieces' honor, true if mate can be forced at all.
    ///
    /// # Errors
    /// [`MateTableError::OtherPosition`].
    pub fn win_in_time(&self, table: &MateTable) -> Result<bool, MateTableError> {
        let left = self
            .counting()
            .filter(|count| count.honor() == Honor::Pieces)
            .map_or(u16::MAX, |count| count.chaser_moves_left());
        Ok(table.mate_in(self)?.is_some_and(|moves| moves <= left))
    }
}

impl MateTable {
    /// Solves all positions of a king and these pieces against a bare king.
    ///
    /// # Errors
    /// [`MateTableError::Pieces`] or [`MateTableError::Role`].
    pub fn compute(variant: impl Into<Variant>, pieces: &[Role]) -> Result<Self, MateTableError> {
        let variant = without_castling(variant.into());
        if !(1..=MAX_PIECES).contains(&pieces.len()) {
            return Err(MateTableError::Pieces(pieces.len()));
        }
        // Rooks in chess may castle, and pawns may promote to pieces that have no table.
        let chasers = match variant {
            Variant::Chess => &[Role::Queen, Role::Bishop, Role::Knight][..],
            _ => &[Role::Rook, Role::Khon, Role::Knight, Role::Met],
        };
        if let Some(role) = pieces.iter().find(|role| !chasers.contains(role)) {
            return Err(MateTableError::Role(*role));
        }
        Ok(Self::solve(variant, pieces.iter().copied().collect()))
    }

    /// The chaser's pieces besides its king.
    pub fn pieces(&self) -> &[Role] {
        &self.pieces
    }

    /// The longest forced mate, with the chaser to move; `None` if mate can never be forced.
    pub fn longest(&self) -> Option<u16> {
        self.won.iter().copied().filter(|moves| *moves != NEVER).max().map(u16::from)
    }

    /// The number of moves in which the chaser mates with best play by both sides and no count; 0
    /// if the bare king is mated, `None` if mate cannot be forced.
    ///
    /// # Errors
    /// [`MateTableError::OtherPosition`].
    pub fn mate_in<P: Position>(&self, position: &P) -> Result<Option<u16>, MateTableError> {
        let any: AnyPosition = position.clone().into();
        if without_castling(any.variant()) != self.variant {
            return Err(MateTableError::OtherPosition);
        }
        self.mate_on(position.board(), position.side_to_move())
    }

    /// The same for a board with a side to move, in the table's game.
    ///
    /// # Errors
    /// [`MateTableError::OtherPosition`], if they are other pieces.
    pub fn mate_on(
        &self,
        board: &Board,
        side_to_move: Color,
    ) -> Result<Option<u16>, MateTableError> {
        let chase = self.chase(board).ok_or(MateTableError::OtherPosition)?;
        let bare_to_move = board.by_color(side_to_move).len() == 1;
        let table = if bare_to_move { &self.lost } else { &self.won };
        let moves = table[self.index(chase)];
        Ok((moves != NEVER).then_some(moves.into()))
    }

    /// Converts a position into a chase with White as the chaser.
    fn chase(&self, board: &Board) -> Option<Chase> {
        let king = |color| (board.by_color(color) & board.by_role(Role::King)).first();
        let bare = Color::ALL.into_iter().find(|color| board.by_color(*color).len() == 1)?;
        let seen =
            |square: Square| if bare == Color::Black { square } else { square.flip_vertical() };
        let (bare_king, king) = (king(bare)?, king(!bare)?);
        let mut others = board.by_color(!bare) - king;
        let mut chase = Chase { bare: seen(bare_king), king: seen(king), pieces: [Square::A1; 2] };
        for (square, role) in chase.pieces.iter_mut().zip(&self.pieces) {
            let piece = (others & board.by_role(*role)).first()?;
            others -= piece;
            *square = seen(piece);
        }
        others.is_empty().then_some(chase)
    }

    /// The index of a chase in the table. The board is mirrored if the bare king is on the right
    /// half, since all pieces move symmetrically.
    fn index(&self, chase: Chase) -> usize {
        let mirrored = chase.bare.file() > File::D;
        let seen =
            |square: Square| if mirrored { square.flip_horizontal() } else { square }.index();
        let bare = seen(chase.bare);
        let left_half = bare / 8 * 4 + bare % 8;
        let pieces = &chase.pieces[..self.pieces.len()];
        pieces
            .iter()
            .fold(left_half << 6 | seen(chase.king), |index, piece| index << 6 | seen(*piece))
    }

    /// The chase with this index.
    fn at(&self, index: usize) -> Chase {
        let mut left = index;
        let mut pieces = [Square::A1; MAX_PIECES];
        for square in pieces[..self.pieces.len()].iter_mut().rev() {
            *square = Square::wrapping((left & 63) as u8);
            left >>= 6;
        }
        let king = Square::wrapping((left & 63) as u8);
        let bare = left >> 6;
        Chase { bare: Square::wrapping((bare / 4 * 8 + bare % 4) as u8), king, pieces }
    }

    fn solve(variant: Variant, pieces: ArrayVec<Role, MAX_PIECES>) -> Self {
        let smaller = match pieces[..] {
            [a, b] => [b, a].map(|left| Self::solve(variant, [left].into_iter().collect())).into(),
            _ => Vec::new(),
        };
        let places = 32 << (6 * (pieces.len() + 1));
        let unknown = vec![NEVER; places].into_boxed_slice();
        let mut table = Self { variant, pieces, won: unknown.clone(), lost: unknown, smaller };

        // Lost positions whose predecessors have not been visited, by distance.
        let mut lost: Vec<Vec<usize>> = vec![Vec::new(); usize::from(NEVER)];
        for place in 0..places {
            let chase = table.at(place);
            if table.is_possible(chase)
                && let Some(moves) = table.lost_in(chase)
            {
                lost[usize::from(moves)].push(place);
            }
        }
        for moves in 0..NEVER - 1 {
            for place in core::mem::take(&mut lost[usize::from(moves)]) {
                if table.lost[place] != NEVER {
                    continue;
                }
                table.lost[place] = moves;
                for won in table.before_chaser(table.at(place)) {
                    let place = table.index(won);
                    if table.won[place] != NEVER {
                        continue;
                    }
                    table.won[place] = moves + 1;
                    for bare in attacks::king(won.bare) {
                        let before = Chase { bare, ..won };
                        let place = table.index(before);
                        if table.lost[place] == NEVER
                            && table.is_possible(before)
                            && let Some(moves) = table.lost_in(before)
                        {
                            lost[usize::from(moves)].push(place);
                        }
                    }
                }
            }
        }
        table
    }

    /// Our pieces with their squares.
    fn chasers(&self, chase: Chase) -> impl Iterator<Item = (Role, Square)> {
        self.pieces.iter().copied().zip(chase.pieces)
    }

    fn occupied(&self, chase: Chase) -> Bitboard {
        self.chasers(chase).map(|(_, piece)| piece).collect::<Bitboard>() | chase.king
    }

    /// Returns true if no two pieces share a square and the kings are not adjacent.
    fn is_possible(&self, chase: Chase) -> bool {
        let white = self.occupied(chase);
        let apart = !(attacks::king(chase.king) | chase.king).has(chase.bare);
        white.len() as usize == self.pieces.len() + 1 && !white.has(chase.bare) && apart
    }

    /// The squares that White attacks, including its own pieces that it protects.
    fn attacked(&self, chase: Chase, occupied: Bitboard) -> Bitboard {
        self.chasers(chase)
            .map(|(role, piece)| steps(role, Color::White, piece, occupied))
            .collect::<Bitboard>()
            | attacks::king(chase.king)
    }

    /// The number of moves until the bare king is mated with Black to move, if all its moves are known to lose.
    fn lost_in(&self, chase: Chase) -> Option<u8> {
        // The king's own square is treated as empty: a rook attacks through it.
        let white = self.occupied(chase);
        let attacked = self.attacked(chase, white);
        let check = attacked.has(chase.bare);
        let mut targets = attacks::king(chase.bare) - attacked;
        if check && self.variant == Variant::Makpong {
            let checks = |(role, piece)| steps(role, Color::White, piece, white).has(chase.bare);
            let checkers = self.chasers(chase).filter(|piece| checks(*piece));
            let checkers: Bitboard = checkers.map(|(_, piece)| piece).collect();
            // In a double check the king has no moves.
            targets &= if checkers.has_many() { Bitboard::EMPTY } else { checkers };
        }
        let mut longest = None;
        for to in targets {
            let next = Chase { bare: to, ..chase };
            let moves = match self.chasers(chase).position(|(_, piece)| piece == to) {
                None => self.won[self.index(next)],
                Some(taken) => {
                    // Bare kings cannot mate.
                    let smaller = self.smaller.get(taken)?;
                    let left = chase.pieces[1 - taken];
                    smaller.won[smaller.index(Chase { pieces: [left; MAX_PIECES], ..next })]
                }
            };
            if moves == NEVER {
                return None;
            }
            longest = longest.max(Some(moves));
        }
        // No legal moves: checkmate or stalemate.
        longest.or(check.then_some(0))
    }

    /// The positions from which the chaser can have come, in which the bare king must not be in
    /// check.
    fn before_chaser(&self, chase: Chase) -> ArrayVec<Chase, MAX_STEPS> {
        let occupied = self.occupied(chase) | chase.bare;
        let mut found = ArrayVec::new();
        let mut add = |before: Chase| {
            let occupied = self.occupied(before) | before.bare;
            if !self.attacked(before, occupied).has(before.bare) {
                found.push(before);
            }
        };
        for king in attacks::king(chase.king) - occupied {
            add(Chase { king, ..chase });
        }
        for (i, (role, piece)) in self.chasers(chase).enumerate() {
            // A white khon comes from the squares that a black khon would step to.
            for from in steps(role, Color::Black, piece, occupied) - occupied {
                let mut before = chase;
                before.pieces[i] = from;
                add(before);
            }
        }
        found
    }
}

/// Chess960 differs from chess only in castling, which no position of these tables has.
fn without_castling(variant: Variant) -> Variant {
    match variant {
        Variant::Chess960 => Variant::Chess,
        _ => variant,
    }
}

/// The squares that a piece of these tables attacks.
fn steps(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Rook => attacks::rook(from, occupied),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Queen => attacks::queen(from, occupied),
        Role::Khon => attacks::khon(color, from),
        Role::Knight => attacks::knight(from),
        Role::Met => attacks::met(from),
        _ => Bitboard::EMPTY,
    }
}
