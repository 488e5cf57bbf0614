//! A position whose pieces keep the numbers that they have at the start.

use halfmove_rules::{CastlingSide, Chess, Color, Move, Role, Square};

/// The name of a piece: eight times its class, plus its number within the class. The class is
/// that of its role, or [`PROMOTED`].
pub(crate) type Slot = u8;

/// No slot: the piece cannot be named, or the square is empty.
pub(crate) const NONE: Slot = 0xff;

/// The class of promoted pieces, if they keep the numbers of their pawns.
pub(crate) const PROMOTED: usize = 6;

const CLASSES: usize = 7;

/// The order in which pieces are numbered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// In the order of a FEN, from a8 to h1: two knights, bishops and rooks, one queen. A promoted
    /// piece keeps the number of its pawn.
    Scan,
    /// By file, then by rank: up to four pieces of a kind. A promoted piece gets the next number that
    /// was never used, from 2 (queens: from 1) on, or else the lowest one that is free.
    Files,
}

/// The slot with a class and a number.
pub(crate) const fn slot(class: usize, number: usize) -> Slot {
    (class * 8 + number) as Slot
}

/// A position, and the squares of its numbered pieces.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    position: Chess,
    numbering: Numbering,
    on: [Slot; 64],
    /// By color and slot: the square; 64 or more for a piece that is not on the board.
    squares: [[u8; CLASSES * 8]; 2],
    /// By color and class: the numbers that have been used, one bit each.
    used: [[u8; CLASSES]; 2],
}

impl Slots {
    pub(crate) fn new(start: &Chess, numbering: Numbering) -> Slots {
        let mut slots = Slots {
            position: start.clone(),
            numbering,
            on: [NONE; 64],
            squares: [[NONE; CLASSES * 8]; 2],
            used: [[0; CLASSES]; 2],
        };
        for index in 0..64u8 {
            let square = Square::wrapping(match numbering {
                Numbering::Scan => index ^ 0b111_000,
                Numbering::Files => index % 8 * 8 + index / 8,
            });
            let Some(piece) = start.board().piece_at(square) else { continue };
            let most = match (piece.role, numbering) {
                (Role::Pawn, _) => 8,
                (Role::King, _) | (Role::Queen, Numbering::Scan) => 1,
                (_, Numbering::Scan) => 2,
                (_, Numbering::Files) => 4,
            };
            let class = piece.role as usize;
            let number = slots.used[piece.color.index()][class].count_ones() as usize;
            if number < most {
                slots.place(piece.color, square, slot(class, number));
            }
        }
        slots
    }

    pub(crate) fn position(&self) -> &Chess {
        &self.position
    }

    /// The slot of the piece on a square, or [`NONE`].
    pub(crate) fn on(&self, square: Square) -> Slot {
        self.on[square.index()]
    }

    /// The square of a piece of the side to move, if it is on the board.
    pub(crate) fn square(&self, slot: Slot) -> Option<Square> {
        let us = self.position.side_to_move().index();
        Square::from_index(*self.squares[us].get(usize::from(slot))?)
    }

    /// The squares of the promoted pieces of the side to move, if they keep the numbers of their pawns.
    pub(crate) fn promoted(&self) -> impl Iterator<Item = Square> + '_ {
        (0..8).filter_map(|number| self.square(slot(PROMOTED, number)))
    }

    /// The number that a promoted piece of the side to move will get; `None` if all are taken.
    pub(crate) fn next_number(&self, role: Role) -> Option<usize> {
        let us = self.position.side_to_move().index();
        let class = role as usize;
        let first = if role == Role::Queen { 1 } else { 2 };
        let fresh = (first..4).find(|number| self.used[us][class] >> number & 1 == 0);
        fresh.or_else(|| (0..4).find(|&number| self.squares[us][class * 8 + number] >= 64))
    }

    /// Plays a legal move, or a null move out of check. A promoted piece gets this number, or the next one.
    pub(crate) fn play(&mut self, mv: Move, number: Option<usize>) {
        if mv.is_null() {
            return self.position.play_unchecked(mv);
        }
        let us = self.position.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let side = CastlingSide::of(from, to);
            let (king, rook) = (self.on(from), self.on(to));
            self.remove(us, from);
            self.remove(us, to);
            self.place(us, Square::new(side.king_file(), from.rank()), king);
            self.place(us, Square::new(side.rook_file(), from.rank()), rook);
        } else {
            let piece = self.on(from);
            if self.position.is_en_passant(mv) {
                self.remove(!us, Square::new(to.file(), from.rank()));
            }
            self.remove(!us, to);
            self.remove(us, from);
            let piece = match (mv.promotion(), self.numbering) {
                (None, _) => piece,
                (Some(_), Numbering::Scan) => slot(PROMOTED, usize::from(piece % 8)),
                (Some(role), Numbering::Files) => {
                    let number = number.or_else(|| self.next_number(role));
                    number.map_or(NONE, |number| slot(role as usize, number))
                }
            };
            self.place(us, to, piece);
        }
        self.position.play_unchecked(mv);
    }

    fn place(&mut self, color: Color, square: Square, slot: Slot) {
        self.on[square.index()] = slot;
        let index = usize::from(slot);
        if let Some(at) = self.squares[color.index()].get_mut(index) {
            *at = square as u8;
            self.used[color.index()][index / 8] |= 1 << (index % 8);
        }
    }

    fn remove(&mut self, color: Color, square: Square) {
        let slot = std::mem::replace(&mut self.on[square.index()], NONE);
        if let Some(at) = self.squares[color.index()].get_mut(usize::from(slot))
            && *at == square as u8
        {
            *at = NONE;
        }
    }
}
