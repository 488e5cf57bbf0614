//! A board of numbered pieces: the fast path from SAN to moves and bytes.
//!
//! The board stores the number of the piece on each square, so the byte of a move is a single look-up. Finding the move
//! takes much less than a move generator:
//!
//! ```text
//! Nbxd7+   drop the mark            Nbxd7
//!          the last two bytes       d7            the target
//!          the first byte           N             the kind of piece
//!          what is between          b             the file (or rank) it comes from
//!
//! knights ∩ squares a knight's move from d7 ∩ file b ──▶ one square in nearly all cases
//! nothing between (for sliders), own king not attacked after the move ──▶ legal
//! ```
//!
//! A word of up to eight bytes is split with shifts and small tables, without branches on the piece or on captures,
//! which would be unpredictable. The safety of the king is tested only if an enemy piece is on one of its lines,
//! blocked or not.
//!
//! There are three levels. [`play_usual`](NumberedBoard::play_usual) handles only moves with one candidate and is
//! inlined into the tokenizer's loop. [`play_unusual`](NumberedBoard::play_unusual) handles promotions, castling, en
//! passant and several candidates. [`San`](halfmove_rules::San) handles the rest: illegal moves and unusual spellings.

pub(crate) mod tables;

use std::sync::LazyLock;

use halfmove_rules::bitboard::attacks;
use halfmove_rules::bitboard::lines::between;
use halfmove_rules::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Chess, Color, File, Flaws, Move,
    Piece, Rank, Role, Setup, Square,
};

use self::tables::{BYTES, FIRST, FIRST_FILE, First, GEOMETRY, MIDDLE, NEAR, segment, segment_of};
use crate::codec::halfmove::chess::{
    CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, Code, NULL_MOVE, OTHER_MOVE,
};
use crate::codec::pieces::{ABSENT, PIECES, number};
use crate::pgn::Word;

/// The occupant of a square, in a byte: `role << 5 | unnumbered << 4 | number`.
type Occupant = u8;

const UNNUMBERED: Occupant = 1 << 4;

/// The role of an empty square; its set of pieces is never read.
const NOTHING: usize = 6;

const EMPTY: Occupant = (NOTHING as u8) << 5 | UNNUMBERED;

const PAWN: usize = Role::Pawn as usize;
const KING: usize = Role::King as usize;

/// A move, and its code in [`codec::halfmove`](crate::codec::halfmove).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coded {
    pub(crate) mv: Move,
    pub(crate) code: u8,
}

/// A chess position with numbered pieces. It has no keys and no counters.
#[derive(Debug, Clone)]
pub(crate) struct NumberedBoard {
    /// Sets of pieces by color and role.
    pieces: [[Bitboard; 8]; 2],
    colors: [Bitboard; 2],
    on: [Occupant; 64],
    us: Color,
    /// The origin and the target of the last move, which determine the en passant square; the same square twice if
    /// there is none.
    last: [u8; 2],
    /// The origins and targets of all moves.
    touched: Bitboard,
    /// The squares of the king and the rook for each right at the start, see [`right`]; empty without that right.
    homes: [Bitboard; 4],
}

/// The index of a right.
const fn right(color: Color, side: CastlingSide) -> usize {
    color as usize * 2 + side as usize
}

/// The value of [`NumberedBoard::last`] when no pawn can be captured en passant.
const NO_EN_PASSANT: [u8; 2] = [0; 2];

/// A parsed word in the common form: any move except promotions and castling.
struct Named {
    first: First,
    to: Square,
    /// The squares from which the piece may come.
    origins: Bitboard,
}

impl Named {
    #[inline(always)]
    fn parse(word: Word<'_>) -> Option<Named> {
        let length = word.as_bytes().len();
        let packed = word.packed();
        if length > 8 {
            return None;
        }
        // The last byte of the word is shifted to the top.
        let shift = (64 - 8 * length as u32) & 63;
        let last = (packed << shift >> 56) as u8;
        let shift = shift + if matches!(last, b'+' | b'#') { 8 } else { 0 };
        let text = packed << (shift & 63);
        let rank = ((text >> 56) as u8).wrapping_sub(b'1');
        let file = ((text >> 48) as u8).wrapping_sub(b'a');
        if (rank | file) > 7 {
            return None;
        }
        let first = packed as u8;
        let middle = (packed & !0xff) << (shift & 63);
        let takes = (middle >> 40) as u8 == b'x';
        let middle = middle << (8 * u32::from(takes));
        let origin = (middle >> 40) as u8;
        // The file of a pawn must not be given twice. If it is, both bytes are lower-case letters.
        let twice = (first & origin) >= 0x60;
        if (middle << 24 != 0) | twice {
            return None;
        }
        Some(Named {
            first: FIRST[usize::from(takes)][usize::from(first)],
            to: Square::wrapping(rank * 8 + file),
            origins: FIRST_FILE[usize::from(first)] & MIDDLE[usize::from(origin)],
        })
    }
}

impl NumberedBoard {
    /// The standard starting position.
    pub(crate) fn usual() -> &'static NumberedBoard {
        static USUAL: LazyLock<NumberedBoard> =
            LazyLock::new(|| NumberedBoard::new(&Chess::default()));
        &USUAL
    }

    pub(crate) fn new(position: &Chess) -> NumberedBoard {
        let mut board = NumberedBoard {
            pieces: [[Bitboard::EMPTY; 8]; 2],
            colors: [Bitboard::EMPTY; 2],
            on: [EMPTY; 64],
            us: position.side_to_move(),
            last: position.ep_square().map_or(NO_EN_PASSANT, |square| {
                let ends = [square as u8 - 8, square as u8 + 8];
                match position.side_to_move() {
                    Color::White => [ends[1], ends[0]],
                    Color::Black => ends,
                }
            }),
            touched: Bitboard::EMPTY,
            homes: [Bitboard::EMPTY; 4],
        };
        for (square, piece) in position.board().pieces() {
            board.colors[piece.color.index()] |= square;
            board.pieces[piece.color.index()][piece.role as usize] |= square;
            board.on[square.index()] = (piece.role as u8) << 5 | UNNUMBERED;
        }
        for squares in number(position.board()) {
            for (piece, square) in squares.into_iter().enumerate() {
                if let Some(square) = Square::from_index(square) {
                    let occupant = &mut board.on[square.index()];
                    *occupant = *occupant & !UNNUMBERED & !0b1111 | piece as u8;
                }
            }
        }
        for (color, side, rook) in position.castling().iter() {
            board.homes[right(color, side)] = Bitboard::square(rook) | position.king(color);
        }
        board
    }

    /// The same position as [`Chess`]. Its counters are 0 and 1.
    pub(crate) fn to_chess(&self) -> Chess {
        let mut board = Board::default();
        board.clear(Bitboard::FULL);
        for color in Color::ALL {
            for role in Role::CHESS {
                for square in self.pieces[color.index()][role as usize] {
                    board.put(square, Piece { color, role });
                }
            }
        }
        let mut castling = CastlingRights::default();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                castling.set(color, side, self.castling_rook(color, side));
            }
        }
        let setup = Setup {
            board,
            side_to_move: self.us,
            castling,
            ep_square: self.ep_square(),
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        let flaws = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
        let position = Chess::from_setup_in(setup, Some(CastlingMode::Chess960), flaws);
        // Every board of this type is reached from a position by legal moves.
        debug_assert!(position.is_ok(), "{position:?}");
        position.unwrap_or_default()
    }

    /// Plays the move of a word, if it is legal and in one of the common forms. Otherwise nothing changes.
    #[inline(always)]
    pub(crate) fn play_word(&mut self, word: Word<'_>) -> Option<Coded> {
        self.play_usual(word).or_else(|| self.play_unusual(word))
    }

    /// Plays the move of a word, only if it has one candidate and is neither a promotion nor castling nor en passant.
    #[inline(always)]
    pub(crate) fn play_usual(&mut self, word: Word<'_>) -> Option<Coded> {
        let named = Named::parse(word)?;
        // Compiled for each side: sides alternate, so the CPU predicts the side.
        match self.us {
            Color::White => self.play_named(0, &named),
            Color::Black => self.play_named(1, &named),
        }
    }

    #[inline(always)]
    fn play_named(&mut self, us: usize, named: &Named) -> Option<Coded> {
        let (first, to) = (named.first, named.to);
        let candidates = self.candidates(us, named);
        let from = Square::from_index(candidates.0.trailing_zeros() as u8)?;
        let difference = tables::difference(from, to);
        if !self.may_reach(us, named)
            || candidates.0 & (candidates.0 - 1) != 0
            || (segment_of(from, to, difference) & self.occupied()).0 != 0
            || !self.is_safe(us, from, to, first.role())
        {
            return None;
        }
        Some(self.play_plain(us, from, to, first.role(), difference))
    }

    /// Plays the move of a word in any other common form.
    #[inline(never)]
    pub(crate) fn play_unusual(&mut self, word: Word<'_>) -> Option<Coded> {
        let Some(named) = Named::parse(word) else { return self.play_special(word.as_bytes()) };
        let (us, first, to) = (self.us.index(), named.first, named.to);
        let candidates = self.candidates(us, &named);
        if !self.may_reach(us, &named) {
            let is_empty = !self.occupied().has(to);
            let is_capture = is_empty && first.kind() == tables::CAPTURE;
            return if is_capture { self.play_en_passant(candidates, to) } else { None };
        }
        let mut found = None;
        for from in candidates {
            if (segment(from, to) & self.occupied()).0 == 0
                && self.is_safe(us, from, to, first.role())
            {
                if found.is_some() {
                    return None;
                }
                found = Some(from);
            }
        }
        let from = found?;
        Some(self.play_plain(us, from, to, first.role(), tables::difference(from, to)))
    }

    /// Plays the move of a code with a piece, if it is legal. Returns the number of the captured piece, or a larger
    /// number if nothing is captured.
    #[inline(always)]
    pub(crate) fn play_code(&mut self, from: Square, to: Square, code: &Code) -> Option<usize> {
        let (us, kind) = (self.us.index(), usize::from(code.kind) & 7);
        let is_theirs = self.colors[us ^ 1].has(to);
        let reaches = match kind {
            tables::PUSH => !is_theirs,
            tables::CAPTURE => is_theirs,
            _ => true,
        };
        if !reaches
            || self.colors[us].has(to)
            || !GEOMETRY[us][kind][to.index()].has(from)
            || (segment(from, to) & self.occupied()).0 != 0
            || !self.is_safe(us, from, to, code.role as usize)
        {
            return None;
        }
        let taken = usize::from(self.on[to.index()] & 31);
        self.shift(us, from, to, code.role as usize);
        Some(taken)
    }

    pub(crate) fn side_to_move(&self) -> Color {
        self.us
    }

    /// The squares of the numbered pieces of both sides.
    pub(crate) fn numbers(&self) -> [[u8; PIECES]; 2] {
        let mut squares = [[ABSENT; PIECES]; 2];
        for color in Color::ALL {
            for square in self.colors[color.index()] {
                let number = usize::from(self.on[square.index()] & 31);
                if let Some(at) = squares[color.index()].get_mut(number) {
                    *at = square as u8;
                }
            }
        }
        squares
    }

    /// The pieces that could make a move by geometry alone.
    #[inline(always)]
    fn candidates(&self, us: usize, named: &Named) -> Bitboard {
        let Named { first, to, origins } = named;
        GEOMETRY[us][first.kind()][to.index()] & self.pieces[us][first.role()] & *origins
    }

    /// Returns true if such a piece may move to the target, given its occupant.
    #[inline(always)]
    fn may_reach(&self, us: usize, named: &Named) -> bool {
        named.first.may_reach(self.colors[us].has(named.to), self.colors[us ^ 1].has(named.to))
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Plays a move that is neither castling nor en passant nor a promotion.
    #[inline(always)]
    fn play_plain(
        &mut self,
        us: usize,
        from: Square,
        to: Square,
        role: usize,
        difference: usize,
    ) -> Coded {
        let piece = usize::from(self.on[from.index()] & 31);
        let code = BYTES[us][piece][difference & 255];
        self.shift(us, from, to, role);
        Coded { mv: Move::normal(from, to), code }
    }

    /// Moves a piece, captures any piece on the target, and passes the turn.
    #[inline(always)]
    fn shift(&mut self, us: usize, from: Square, to: Square, role: usize) {
        let them = us ^ 1;
        let (source, target) = (Bitboard::square(from), Bitboard::square(to));
        let taken = usize::from(self.on[to.index()] >> 5) & 7;
        self.pieces[us][role & 7] ^= source | target;
        self.colors[us] ^= source | target;
        self.pieces[them][taken] &= !target;
        self.colors[them] &= !target;
        self.on[to.index()] = std::mem::replace(&mut self.on[from.index()], EMPTY);
        self.touched |= source | target;
        self.last = [from as u8, to as u8];
        self.us = Color::ALL[them];
    }

    /// The square behind a pawn that has just advanced two squares.
    fn ep_square(&self) -> Option<Square> {
        let [from, to] = self.last;
        let is_pawn = usize::from(self.on[usize::from(to) % 64] >> 5) == PAWN;
        Square::from_index((from + to) / 2).filter(|_| is_pawn && from.abs_diff(to) == 16)
    }

    /// The rook with which a side may still castle.
    fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let home = self.homes[right(color, side)];
        let rook = home & !Bitboard::square(self.king(color));
        Square::from_index(rook.0.trailing_zeros() as u8).filter(|_| (home & self.touched).0 == 0)
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        let king = self.pieces[color.index()][KING].0.trailing_zeros();
        Square::wrapping(king as u8)
    }

    /// Returns true if our king is safe after a move that is neither castling nor en passant.
    #[inline(always)]
    fn is_safe(&self, us: usize, from: Square, to: Square, role: usize) -> bool {
        let target = Bitboard::square(to);
        // A branchless choice: kings move too often to be predicted.
        let is_king = Bitboard(u64::from(role == KING).wrapping_neg());
        let kings = target & is_king | self.pieces[us][KING] & !is_king;
        let king = Square::wrapping(kings.0.trailing_zeros() as u8);
        if (self.near(us, king) & !target).0 == 0 {
            return true;
        }
        let occupied = self.occupied() & !Bitboard::square(from) | target;
        !self.is_attacked(king, occupied, !target)
    }

    /// The enemy pieces that would attack a square on an otherwise empty board.
    #[inline(always)]
    fn near(&self, us: usize, square: Square) -> Bitboard {
        let theirs = &self.pieces[us ^ 1];
        let [pawns, knights, bishops, rooks, queens, kings, ..] = *theirs;
        let near = &NEAR[us][square.index()];
        near.pawns & pawns
            | near.knights & knights
            | near.bishops & (bishops | queens)
            | near.rooks & (rooks | queens)
            | near.kings & kings
    }

    /// Returns true if an enemy piece in `among` attacks a square. Not inlined: it is rarely called, and would increase
    /// register pressure in the hot path.
    #[inline(never)]
    fn is_attacked(&self, square: Square, occupied: Bitboard, among: Bitboard) -> bool {
        let theirs = &self.pieces[(!self.us).index()];
        let [pawns, knights, bishops, rooks, queens, kings, ..] = *theirs;
        let attackers = attacks::pawn(self.us, square) & pawns
            | attacks::knight(square) & knights
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
            | attacks::king(square) & kings;
        (attackers & among).0 != 0
    }

    /// Plays castling or a promotion.
    fn play_special(&mut self, text: &[u8]) -> Option<Coded> {
        let text = match text {
            [head @ .., b'+' | b'#'] => head,
            _ => text,
        };
        let (head, role) = match text {
            b"O-O" => return self.play_castle(CastlingSide::KingSide),
            b"O-O-O" => return self.play_castle(CastlingSide::QueenSide),
            [head @ .., b'=', letter] | [head @ .., letter] => (head, Role::from_letter(*letter)?),
            [] => return None,
        };
        if !Role::PROMOTIONS.contains(&role) {
            return None;
        }
        let (file, to_file, to_rank) = match *head {
            [file, rank] => (file, file, rank),
            [from, b'x', file, rank] if from != file => (from, file, rank),
            _ => return None,
        };
        let to = Square::from_name(to_file, to_rank)?;
        let from_file = File::from_letter(file)?;
        let (last, before) = match self.us {
            Color::White => (Rank::Eighth, Rank::Seventh),
            Color::Black => (Rank::First, Rank::Second),
        };
        let from = Square::new(from_file, before);
        let us = self.us.index();
        let takes = from_file != to.file();
        let is_taken = self.colors[(!self.us).index()].has(to);
        if to.rank() != last
            || !self.pieces[us][PAWN].has(from)
            || self.colors[us].has(to)
            || takes != is_taken
            || !attacks::king(from).has(to)
            || !self.is_safe(us, from, to, PAWN)
        {
            return None;
        }
        Some(self.play_move(Move::promote(from, to, role)?))
    }

    fn play_en_passant(&mut self, candidates: Bitboard, to: Square) -> Option<Coded> {
        let from = Square::from_index(candidates.0.trailing_zeros() as u8)?;
        if Some(to) != self.ep_square() || candidates.0 & (candidates.0 - 1) != 0 {
            return None;
        }
        let taken = Square::new(to.file(), from.rank());
        let target = Bitboard::square(to);
        let gone = Bitboard::square(from) | taken;
        let occupied = self.occupied() & !gone | target;
        if self.is_attacked(self.king(self.us), occupied, !gone) {
            return None;
        }
        Some(self.play_move(Move::normal(from, to)))
    }

    /// Castles, if that is legal.
    pub(crate) fn play_castle(&mut self, side: CastlingSide) -> Option<Coded> {
        let (king, rook) = (self.king(self.us), self.castling_rook(self.us, side)?);
        let king_to = Square::new(side.king_file(), king.rank());
        let rook_to = Square::new(side.rook_file(), king.rank());
        let pair = Bitboard::square(king) | rook;
        let rest = self.occupied() & !pair;
        let path = between(king, king_to) | king_to | between(rook, rook_to) | rook_to;
        if (path & rest).0 != 0 {
            return None;
        }
        let steps = between(king, king_to) | king;
        let occupied = rest | rook;
        let attacked = |step, occupied| {
            self.near(self.us.index(), step).0 != 0
                && self.is_attacked(step, occupied, Bitboard::FULL)
        };
        if steps.into_iter().any(|step| attacked(step, occupied))
            || attacked(king_to, rest | rook_to)
        {
            return None;
        }
        Some(self.play_move(Move::castle(king, rook)))
    }

    /// Plays a null move. Returns false, and changes nothing, in check.
    pub(crate) fn pass(&mut self) -> bool {
        let is_check = self.is_attacked(self.king(self.us), self.occupied(), Bitboard::FULL);
        if !is_check {
            self.play_move(Move::NULL);
        }
        !is_check
    }

    /// Plays a legal move, or a null move out of check.
    pub(crate) fn play_move(&mut self, mv: Move) -> Coded {
        if mv.is_null() {
            self.us = !self.us;
            self.last = NO_EN_PASSANT;
            return Coded { mv, code: NULL_MOVE };
        }
        let (from, to) = (mv.from(), mv.to());
        let us = self.us.index();
        if mv.is_castle() {
            let side = CastlingSide::of(from, to);
            let (king, rook) = (self.on[from.index()], self.on[to.index()]);
            let places = [
                (Square::new(side.king_file(), from.rank()), king),
                (Square::new(side.rook_file(), from.rank()), rook),
            ];
            for square in [from, to] {
                self.colors[us] &= !Bitboard::square(square);
                self.pieces[us][usize::from(self.on[square.index()] >> 5) & 7] &=
                    !Bitboard::square(square);
                self.on[square.index()] = EMPTY;
            }
            for (square, occupant) in places {
                self.colors[us] |= square;
                self.pieces[us][usize::from(occupant >> 5) & 7] |= square;
                self.on[square.index()] = occupant;
            }
            self.touched |= Bitboard::square(from) | to;
            self.us = !self.us;
            self.last = NO_EN_PASSANT;
            let code = match side {
                CastlingSide::KingSide => CASTLE_KING_SIDE,
                CastlingSide::QueenSide => CASTLE_QUEEN_SIDE,
            };
            return Coded { mv, code };
        }
        let role = usize::from(self.on[from.index()] >> 5) & 7;
        if let Some(promoted) = mv.promotion() {
            self.shift(us, from, to, role);
            self.pieces[us][role] &= !Bitboard::square(to);
            self.pieces[us][promoted as usize] |= to;
            self.on[to.index()] = (promoted as u8) << 5 | UNNUMBERED;
            return Coded { mv, code: OTHER_MOVE };
        }
        if role == PAWN && from.file() != to.file() && self.on[to.index()] == EMPTY {
            let taken = Square::new(to.file(), from.rank());
            let them = us ^ 1;
            self.pieces[them][PAWN] &= !Bitboard::square(taken);
            self.colors[them] &= !Bitboard::square(taken);
            self.on[taken.index()] = EMPTY;
            self.shift(us, from, to, role);
            return Coded { mv, code: OTHER_MOVE };
        }
        self.play_plain(us, from, to, role, tables::difference(from, to))
    }
}
