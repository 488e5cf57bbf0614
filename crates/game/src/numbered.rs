//! A board of numbered pieces that reads SAN: the fast way from text to moves and bytes.
//!
//! It is the board that the byte code needs in any case: it knows which numbered piece stands on
//! each square, so the byte of a move costs one look-up once the move is known. To find the move,
//! it needs much less than a generator of moves:
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
//! A word of up to eight bytes is taken apart with shifts and small tables, without asking which
//! piece it is: that question is a branch that no CPU predicts. Whether the king is attacked is
//! asked only if an enemy piece stands on one of its lines, however crowded.
//!
//! What is rare (promotions, castling, en passant, several candidates) takes its own path here.
//! Everything else (moves that are not legal or not in the usual form) is answered with `None`, and
//! [`San`](halfmove_rules::San) then has the last word.

mod tables;

use std::sync::LazyLock;

use halfmove_rules::bitboard::attacks::{self, empty_board};
use halfmove_rules::bitboard::lines::between;
use halfmove_rules::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Chess, Color, File, Flaws, Move,
    Piece, Rank, Role, San, SanError, Setup, Square,
};

use self::tables::{BYTES, FIRST, FIRST_FILE, GEOMETRY, MIDDLE, ROLES, segment};
use crate::codec::halfmove::{CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, OTHER_MOVE};
use crate::codec::pieces::number;
use crate::pgn::Word;

/// What stands on a square, in a byte: `role << 5 | unnumbered << 4 | number`.
type Occupant = u8;

const UNNUMBERED: Occupant = 1 << 4;

/// The role of an empty square: its set of pieces is never read.
const NOTHING: usize = 6;

const EMPTY: Occupant = (NOTHING as u8) << 5 | UNNUMBERED;

const NO_SQUARE: u8 = 64;

const PAWN: usize = Role::Pawn as usize;
const KING: usize = Role::King as usize;

const ALL_RIGHTS: u8 = 0b1111;

/// A move, and its code in [`codec::halfmove`](crate::codec::halfmove).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coded {
    pub(crate) mv: Move,
    pub(crate) code: u8,
}

/// A position of a game of chess, with numbered pieces. It has no keys and no counters.
#[derive(Debug, Clone)]
pub(crate) struct NumberedBoard {
    /// Sets of pieces by color and role.
    pieces: [[Bitboard; 8]; 2],
    colors: [Bitboard; 2],
    on: [Occupant; 64],
    us: Color,
    /// The square behind a pawn that has just advanced two squares.
    ep_square: u8,
    /// One bit for each right, see [`right`].
    rights: u8,
    /// For each square, the rights that survive when a piece leaves or reaches it.
    keep: [u8; 64],
    /// Where the rook of each right stands.
    rooks: [u8; 4],
}

/// The index of a right.
const fn right(color: Color, side: CastlingSide) -> usize {
    color as usize * 2 + side as usize
}

/// How a move changes the board.
#[derive(Clone, Copy)]
struct Step {
    from: Square,
    to: Square,
    /// What is on the target afterwards.
    piece: Occupant,
}

impl NumberedBoard {
    /// The usual start.
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
            ep_square: position.ep_square().map_or(NO_SQUARE, |square| square as u8),
            rights: 0,
            keep: [ALL_RIGHTS; 64],
            rooks: [NO_SQUARE; 4],
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
            let right = right(color, side);
            board.rights |= 1 << right;
            board.rooks[right] = rook as u8;
            board.keep[rook.index()] &= !(1 << right);
            board.keep[position.king(color).index()] &= !(1 << right);
        }
        board
    }

    /// The same position for the rules. Its counters are 0 and 1.
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
                let right = right(color, side);
                if self.rights & (1 << right) != 0 {
                    castling.set(color, side, Square::from_index(self.rooks[right]));
                }
            }
        }
        let setup = Setup {
            board,
            side_to_move: self.us,
            castling,
            ep_square: Square::from_index(self.ep_square),
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        let flaws = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
        let position = Chess::from_setup_in(setup, Some(CastlingMode::Chess960), flaws);
        // Every board of this type comes from a position by legal moves.
        position.unwrap_or_default()
    }

    /// Plays the move that a word names, if it is in one of the usual forms and legal. Otherwise
    /// nothing changes.
    #[inline(always)]
    pub(crate) fn play_word(&mut self, word: Word<'_>) -> Option<Coded> {
        let length = word.as_bytes().len();
        let packed = word.packed();
        if length > 8 {
            return None;
        }
        // The last byte of the word goes to the top.
        let shift = (64 - 8 * length as u32) & 63;
        let last = (packed << shift >> 56) as u8;
        let shift = shift + if matches!(last, b'+' | b'#') { 8 } else { 0 };
        let text = packed << (shift & 63);
        let rank = ((text >> 56) as u8).wrapping_sub(b'1');
        let file = ((text >> 48) as u8).wrapping_sub(b'a');
        if (rank | file) > 7 {
            return self.play_special(word.as_bytes());
        }
        let to = Square::wrapping(rank * 8 + file);

        let first = packed as u8;
        let middle = (packed & !0xff) << (shift & 63);
        // Whether a move takes is hard to predict, so the `x` is shifted out without a branch.
        let takes = (middle >> 40) as u8 == b'x';
        let middle = middle << (8 * u32::from(takes));
        let origin = (middle >> 40) as u8;
        if middle << 24 != 0 {
            return None;
        }
        let kind = usize::from(FIRST[usize::from(takes)][usize::from(first)]);
        let origins = FIRST_FILE[usize::from(first)] & MIDDLE[usize::from(origin)];
        self.play_kind(kind, to, origins)
    }

    /// Plays the one legal move of a kind to a square.
    #[inline(always)]
    fn play_kind(&mut self, kind: usize, to: Square, origins: Bitboard) -> Option<Coded> {
        let us = self.us.index();
        let role = usize::from(ROLES[kind]);
        let occupied = self.colors[0] | self.colors[1];
        let candidates = GEOMETRY[us][kind][to.index()] & self.pieces[us][role] & origins;
        let from = Square::from_index(candidates.0.trailing_zeros() as u8)?;
        // Conditions are joined without branches, since each alone is hard to predict.
        let own = self.colors[us].has(to);
        let taken = self.colors[us ^ 1].has(to);
        let blocked = own | (taken & (kind == tables::PUSH));
        let into_nothing = !taken & (kind == tables::CAPTURE);
        if blocked | into_nothing {
            return if own | blocked { None } else { self.play_en_passant(candidates, to) };
        }
        if candidates.0 & (candidates.0 - 1) != 0 {
            return self.play_one_of(candidates, kind, to);
        }
        if (segment(from, to) & occupied).0 != 0 || !self.is_safe(from, to, role) {
            return None;
        }
        Some(self.play_plain(from, to, kind))
    }

    /// Several pieces could go there as far as geometry goes.
    #[inline(never)]
    fn play_one_of(&mut self, candidates: Bitboard, kind: usize, to: Square) -> Option<Coded> {
        let occupied = self.colors[0] | self.colors[1];
        let role = usize::from(ROLES[kind]);
        let mut found = None;
        for from in candidates {
            if (segment(from, to) & occupied).0 == 0 && self.is_safe(from, to, role) {
                if found.is_some() {
                    return None;
                }
                found = Some(from);
            }
        }
        found.map(|from| self.play_plain(from, to, kind))
    }

    /// Neither castling nor en passant nor a promotion.
    #[inline(always)]
    fn play_plain(&mut self, from: Square, to: Square, kind: usize) -> Coded {
        let us = self.us;
        let piece = self.on[from.index()];
        let code = BYTES[us.index()][usize::from(piece & 31)][tables::difference(from, to)];
        self.step(Step { from, to, piece });
        let double = (kind == tables::PUSH) & ((from as u8).abs_diff(to as u8) == 16);
        let behind = (from as u8 + to as u8) / 2;
        self.ep_square = if double { behind } else { NO_SQUARE };
        Coded { mv: Move::normal(from, to), code }
    }

    /// Moves a piece, removes what stood on its target, and passes the turn.
    #[inline(always)]
    fn step(&mut self, step: Step) {
        let Step { from, to, piece } = step;
        let (us, them) = (self.us.index(), (!self.us).index());
        let (source, target) = (Bitboard::square(from), Bitboard::square(to));
        let mover = usize::from(self.on[from.index()] >> 5) & 7;
        let taken = usize::from(self.on[to.index()] >> 5) & 7;
        self.pieces[us][mover] ^= source;
        self.pieces[us][usize::from(piece >> 5) & 7] |= target;
        self.colors[us] ^= source | target;
        self.pieces[them][taken] &= !target;
        self.colors[them] &= !target;
        self.on[from.index()] = EMPTY;
        self.on[to.index()] = piece;
        self.rights &= self.keep[from.index()] & self.keep[to.index()];
        self.us = !self.us;
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        let king = self.pieces[color.index()][KING].0.trailing_zeros();
        Square::wrapping(king as u8)
    }

    /// Whether our king is safe after a move that is neither castling nor en passant.
    #[inline(always)]
    fn is_safe(&self, from: Square, to: Square, role: usize) -> bool {
        let target = Bitboard::square(to);
        // A choice without a branch: kings move too often to be predicted.
        let is_king = Bitboard(u64::from(role == KING).wrapping_neg());
        let kings = target & is_king | self.pieces[self.us.index()][KING] & !is_king;
        let king = Square::wrapping(kings.0.trailing_zeros() as u8);
        if (self.near(king) & !target).0 == 0 {
            return true;
        }
        let occupied = (self.colors[0] | self.colors[1]) & !Bitboard::square(from) | target;
        !self.is_attacked(king, occupied, !target)
    }

    /// The enemies that would attack a square if nothing were in their way.
    #[inline(always)]
    fn near(&self, square: Square) -> Bitboard {
        let theirs = &self.pieces[(!self.us).index()];
        let [pawns, knights, bishops, rooks, queens, kings, ..] = *theirs;
        attacks::pawn(self.us, square) & pawns
            | attacks::knight(square) & knights
            | empty_board::bishop(square) & (bishops | queens)
            | empty_board::rook(square) & (rooks | queens)
            | attacks::king(square) & kings
    }

    /// Whether an enemy among `among` attacks a square.
    #[inline]
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

    /// Castling and promotions.
    #[inline(never)]
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
            || !self.is_safe(from, to, PAWN)
        {
            return None;
        }
        let mv = Move::promote(from, to, role)?;
        self.step(Step { from, to, piece: (role as u8) << 5 | UNNUMBERED });
        self.ep_square = NO_SQUARE;
        Some(Coded { mv, code: OTHER_MOVE })
    }

    #[inline(never)]
    fn play_en_passant(&mut self, candidates: Bitboard, to: Square) -> Option<Coded> {
        if to as u8 != self.ep_square || candidates.0 & (candidates.0 - 1) != 0 {
            return None;
        }
        let from = Square::from_index(candidates.0.trailing_zeros() as u8)?;
        let taken = Square::new(to.file(), from.rank());
        let target = Bitboard::square(to);
        let gone = Bitboard::square(from) | taken;
        let occupied = (self.colors[0] | self.colors[1]) & !gone | target;
        if self.is_attacked(self.king(self.us), occupied, !gone) {
            return None;
        }
        Some(self.play_move(Move::normal(from, to)))
    }

    fn play_castle(&mut self, side: CastlingSide) -> Option<Coded> {
        let right = right(self.us, side);
        if self.rights & (1 << right) == 0 {
            return None;
        }
        let (king, rook) = (self.king(self.us), Square::from_index(self.rooks[right])?);
        let king_to = Square::new(side.king_file(), king.rank());
        let rook_to = Square::new(side.rook_file(), king.rank());
        let pair = Bitboard::square(king) | rook;
        let rest = (self.colors[0] | self.colors[1]) & !pair;
        let path = between(king, king_to) | king_to | between(rook, rook_to) | rook_to;
        if (path & rest).0 != 0 {
            return None;
        }
        let steps = between(king, king_to) | king;
        let occupied = rest | rook;
        let attacked = |step, occupied| {
            self.near(step).0 != 0 && self.is_attacked(step, occupied, Bitboard::FULL)
        };
        if steps.into_iter().any(|step| attacked(step, occupied))
            || attacked(king_to, rest | rook_to)
        {
            return None;
        }
        Some(self.play_move(Move::castle(king, rook)))
    }

    /// Plays the move that a word names in whatever form [`San`] or UCI has for it, or with an
    /// evaluation glued to it.
    ///
    /// # Errors
    ///
    /// Why it is none, and the position.
    #[cold]
    pub(crate) fn play_rare(&mut self, text: &[u8]) -> Result<Coded, Box<(SanError, Chess)>> {
        let position = self.to_chess();
        let glued = text.iter().rev().take_while(|byte| b"+-/=#".contains(byte)).count();
        let uci = || std::str::from_utf8(text).ok().and_then(|text| position.parse_uci(text).ok());
        let resolve = |text| San::parse(text).and_then(|san| san.resolve(&position));
        let found = resolve(text).or_else(|error| {
            uci().or_else(|| resolve(&text[..text.len() - glued]).ok()).ok_or(error)
        });
        match found {
            Ok(mv) => Ok(self.play_move(mv)),
            Err(error) => Err(Box::new((error, position))),
        }
    }

    /// Plays a legal move.
    pub(crate) fn play_move(&mut self, mv: Move) -> Coded {
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
            self.rights &= self.keep[from.index()] & self.keep[to.index()];
            self.us = !self.us;
            self.ep_square = NO_SQUARE;
            let code = match side {
                CastlingSide::KingSide => CASTLE_KING_SIDE,
                CastlingSide::QueenSide => CASTLE_QUEEN_SIDE,
            };
            return Coded { mv, code };
        }
        let piece = self.on[from.index()];
        if let Some(role) = mv.promotion() {
            self.step(Step { from, to, piece: (role as u8) << 5 | UNNUMBERED });
            self.ep_square = NO_SQUARE;
            return Coded { mv, code: OTHER_MOVE };
        }
        let is_pawn = usize::from(piece >> 5) == PAWN;
        if is_pawn && from.file() != to.file() && self.on[to.index()] == EMPTY {
            let taken = Square::new(to.file(), from.rank());
            let them = (!self.us).index();
            self.pieces[them][PAWN] &= !Bitboard::square(taken);
            self.colors[them] &= !Bitboard::square(taken);
            self.on[taken.index()] = EMPTY;
            self.step(Step { from, to, piece });
            self.ep_square = NO_SQUARE;
            return Coded { mv, code: OTHER_MOVE };
        }
        self.play_plain(from, to, if is_pawn { tables::PUSH } else { KING })
    }
}
