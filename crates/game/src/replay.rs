//! Replay: through a game's bytes without generating a move.
//!
//! The codes of [`codec::halfmove`](crate::codec::halfmove) say which man goes where, so a game is
//! replayed on a board of plain numbers: the squares of the men, what stands on each square, and a
//! key that tells in one comparison whether the wanted position may stand there. Nothing is
//! allocated, and a game is left as soon as the position can no longer arise.
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::replay::{self, Start, Target};
//! use halfmove_rules::{Chess, San};
//!
//! let (mut position, mut moves) = (Chess::default(), Vec::new());
//! for san in ["d4", "Nf6", "c4", "e6"] {
//!     moves.push(San::parse(san.as_bytes())?.resolve(&position)?);
//!     position.play_unchecked(moves[moves.len() - 1]);
//! }
//! let mut bytes = Vec::new();
//! halfmove::encode(&Chess::default(), &moves, &mut bytes);
//!
//! // The same position by another order of moves: 1. c4 e6 2. d4 Nf6.
//! let wanted: Chess = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3".parse()?;
//! assert_eq!(replay::find(&Start::usual(), &bytes, &Target::new(&wanted))?, Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bytes are trusted to be legal moves: that was checked when they were written, and
//! [`decode`](crate::codec::halfmove::decode) checks it again. Of bytes that are not, replay
//! promises an error or a wrong answer, never a panic.

use crate::codec::halfmove::{CODES, Kind, check_start, without_start};
use crate::codec::men::{ABSENT, MEN, number, number_on};
use crate::codec::{DecodeError, DecodeErrorKind};
use halfmove_rules::{
    Bitboard, CastlingRights, CastlingSide, Chess, Color, File, Move, Piece, Rank, Role, Square,
    piece_key,
};

/// A man as a number: role, and six more for Black.
type Man = u8;

/// What stands on an empty square.
const EMPTY: Man = 12;

/// The keys of every man on every square, and of nothing on every square: zero.
static KEYS: [[u64; 64]; 13] = {
    let mut keys = [[0; 64]; 13];
    let mut man = 0;
    while man < 12 {
        let color = if man < 6 { Color::White } else { Color::Black };
        let piece = Piece { color, role: Role::ALL[man % 6] };
        let mut square = 0;
        while square < 64 {
            keys[man][square] = piece_key(piece, Square::ALL[square]);
            square += 1;
        }
        man += 1;
    }
    keys
};

const fn man(piece: Piece) -> Man {
    piece.role as u8 + 6 * piece.color as u8
}

/// Where games start, made ready for replay. Make it once, not once a game.
#[derive(Clone, Debug)]
pub struct Start {
    board: [Man; 64],
    squares: [[u8; MEN]; 2],
    key: u64,
    men: u8,
    us: Color,
    /// The square on which an en passant capture is legal at once.
    ep_square: Option<Square>,
    rights: CastlingRights,
    /// For each right, the squares that must stay untouched for it to last.
    needs: [[Bitboard; 2]; 2],
    kings: [Square; 2],
    own: bool,
}

impl Start {
    /// The start of games from some position.
    pub fn new(position: &Chess) -> Self {
        let mut board = [EMPTY; 64];
        let mut key = 0;
        for (square, piece) in position.board().pieces() {
            board[square.index()] = man(piece);
            key ^= piece_key(piece, square);
        }
        let kings = Color::ALL.map(|color| position.king(color));
        let mut needs = [[Bitboard::EMPTY; 2]; 2];
        for (color, side, rook) in position.castling().iter() {
            needs[color.index()][side as usize] =
                Bitboard::square(rook) | kings[color.index()].into();
        }
        Self {
            board,
            squares: number(position.board()),
            key,
            men: position.board().occupied().len() as u8,
            us: position.side_to_move(),
            ep_square: position.ep_square(),
            rights: position.castling(),
            needs,
            kings,
            own: *position != Chess::default(),
        }
    }

    /// The start of the usual game.
    pub fn usual() -> Self {
        Self::new(&Chess::default())
    }
}

/// A wanted position, made ready for the search. Make it once, not once a game.
#[derive(Clone, Debug)]
pub struct Target {
    key: u64,
    us: Color,
    rights: CastlingRights,
    ep_square: Option<Square>,
    /// The files on which, with this board, an en passant capture would be legal.
    ep_files: [bool; 8],
    /// Where pawns still stand at home: once one of them has gone, none ever stands there again.
    home_pawns: Bitboard,
    men: u8,
}

impl Target {
    /// The wanted position: board, side to move, castling rights, and the en passant square if a
    /// capture there is legal. Its counters do not matter.
    pub fn new(position: &Chess) -> Self {
        let board = position.board();
        let pawns = |color| board.by_piece(Piece { color, role: Role::Pawn });
        let home_pawns = pawns(Color::White) & Bitboard::rank(Rank::Second)
            | pawns(Color::Black) & Bitboard::rank(Rank::Seventh);
        let passed_rank = match position.side_to_move() {
            Color::White => Rank::Sixth,
            Color::Black => Rank::Third,
        };
        let ep_files = File::ALL.map(|file| {
            let mut setup = position.to_setup();
            setup.ep_square = Some(Square::new(file, passed_rank));
            Chess::from_setup(setup).is_ok_and(|position| position.ep_square().is_some())
        });
        Self {
            key: board.pieces().fold(0, |key, (square, piece)| key ^ piece_key(piece, square)),
            us: position.side_to_move(),
            rights: position.castling(),
            ep_square: position.ep_square(),
            ep_files,
            home_pawns,
            men: board.occupied().len() as u8,
        }
    }
}

/// A game under way.
struct Replay<'a> {
    start: &'a Start,
    board: [Man; 64],
    squares: [[u8; MEN]; 2],
    /// The key of the men on their squares; whose move it is and the rights are compared apart.
    key: u64,
    men: u8,
    us: Color,
    /// Every square that a move has left or entered.
    touched: Bitboard,
    /// Where the last move came from and went to.
    last: (u8, u8),
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Replay<'a> {
    fn new(start: &'a Start, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        check_start(start.own, bytes)?;
        Ok(Self {
            start,
            board: start.board,
            squares: start.squares,
            key: start.key,
            men: start.men,
            us: start.us,
            touched: Bitboard::EMPTY,
            last: (0, 0),
            at: bytes.len() - without_start(bytes).len(),
            bytes,
        })
    }

    fn error<T>(&self, kind: DecodeErrorKind) -> Result<T, DecodeError> {
        Err(DecodeError { offset: self.at, kind })
    }

    /// Plays the next half-move; false at the end of the game.
    #[inline(always)]
    fn step(&mut self) -> Result<bool, DecodeError> {
        let Some(&byte) = self.bytes.get(self.at) else { return Ok(false) };
        let us = self.us.index();
        let code = &CODES[us][usize::from(byte)];
        if code.kind != Kind::Plain {
            return self.rare_step(byte).map(|()| true);
        }
        let from = self.squares[us][usize::from(code.man) % MEN];
        let mover = code.role as u8 + 6 * us as u8;
        if from == ABSENT || self.board[usize::from(from) % 64] != mover {
            return self.error(DecodeErrorKind::NoSuchMan);
        }
        let to = from.wrapping_add_signed(code.delta) % 64;
        self.squares[us][usize::from(code.man) % MEN] = to;
        self.shift(mover, from, to);
        self.at += 1;
        Ok(true)
    }

    /// Moves a man over the board, taking what stands in the way.
    #[inline(always)]
    fn shift(&mut self, mover: Man, from: u8, to: u8) {
        let (from_index, to_index) = (usize::from(from) % 64, usize::from(to) % 64);
        let taken = self.board[to_index];
        self.board[from_index] = EMPTY;
        self.board[to_index] = mover;
        let keys = &KEYS[usize::from(mover)];
        self.key ^= keys[from_index] ^ keys[to_index] ^ KEYS[usize::from(taken)][to_index];
        self.men -= u8::from(taken != EMPTY);
        self.touched.0 |= 1 << from_index | 1 << to_index;
        self.last = (from, to);
        self.us = !self.us;
    }

    /// Castling, promotions, en passant, and men without a number.
    #[cold]
    #[inline(never)]
    fn rare_step(&mut self, byte: u8) -> Result<(), DecodeError> {
        let mv = self.rare_move(byte)?;
        let us = self.us;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let king = man(Piece { color: us, role: Role::King });
            let rook = man(Piece { color: us, role: Role::Rook });
            let side = CastlingSide::of(from, to);
            let numbers = [from, to].map(|square| number_on(&self.squares[us.index()], square));
            for (mover, square) in [(king, from), (rook, to)] {
                self.board[square.index()] = EMPTY;
                self.key ^= KEYS[usize::from(mover)][square.index()];
                self.touched |= square.into();
            }
            let targets = [side.king_file(), side.rook_file()];
            for ((mover, file), number) in [king, rook].into_iter().zip(targets).zip(numbers) {
                let square = Square::new(file, from.rank());
                self.board[square.index()] = mover;
                self.key ^= KEYS[usize::from(mover)][square.index()];
                self.touched |= square.into();
                if let Some(number) = number {
                    self.squares[us.index()][number] = square as u8;
                }
            }
            self.last = (from as u8, from as u8);
            self.us = !us;
            self.at += 1;
            return Ok(());
        }
        let mover = self.board[from.index()];
        if mover == EMPTY {
            return self.error(DecodeErrorKind::NoSuchMan);
        }
        // Men that were taken keep their last square, so several numbers may be on this one. All go
        // along: a man that was taken never moves again, so its square does not matter.
        let arrives = if mv.promotion().is_none() { to as u8 } else { ABSENT };
        for at in self.squares[us.index()].iter_mut().filter(|at| **at == from as u8) {
            *at = arrives;
        }
        let en_passant = mover % 6 == Role::Pawn as u8
            && from.file() != to.file()
            && self.board[to.index()] == EMPTY;
        if en_passant {
            let square = Square::new(to.file(), from.rank());
            let taken = std::mem::replace(&mut self.board[square.index()], EMPTY);
            self.key ^= KEYS[usize::from(taken)][square.index()];
            self.men -= u8::from(taken != EMPTY);
            self.touched |= square.into();
        }
        self.shift(mover, from as u8, to as u8);
        if let Some(role) = mv.promotion() {
            let promoted = man(Piece { color: us, role });
            self.board[to.index()] = promoted;
            self.key ^= KEYS[usize::from(mover)][to.index()];
            self.key ^= KEYS[usize::from(promoted)][to.index()];
        }
        self.at += 3;
        Ok(())
    }

    /// The move of a code that is not [`Kind::Plain`].
    fn rare_move(&self, byte: u8) -> Result<Move, DecodeError> {
        let us = self.us;
        let castle = |side| match self.start.rights.rook(us, side) {
            Some(rook) if !self.touched.intersects(self.start.needs[us.index()][side as usize]) => {
                Ok(Move::castle(self.start.kings[us.index()], rook))
            }
            _ => self.error(DecodeErrorKind::NoSuchMan),
        };
        match CODES[us.index()][usize::from(byte)].kind {
            Kind::KingSide => castle(CastlingSide::KingSide),
            Kind::QueenSide => castle(CastlingSide::QueenSide),
            Kind::Other => match self.bytes.get(self.at + 1..self.at + 3) {
                Some(&[low, high]) => match Move::from_bits(u16::from_le_bytes([low, high])) {
                    Some(mv) if !mv.is_castle() => Ok(mv),
                    _ => self.error(DecodeErrorKind::Reserved(byte)),
                },
                _ => self.error(DecodeErrorKind::Truncated),
            },
            Kind::Plain | Kind::Reserved => self.error(DecodeErrorKind::Reserved(byte)),
        }
    }

    /// The move that the next byte stands for, `None` at the end of the game.
    fn next_move(&self) -> Result<Option<Move>, DecodeError> {
        let Some(&byte) = self.bytes.get(self.at) else { return Ok(None) };
        let code = CODES[self.us.index()][usize::from(byte)];
        if code.kind != Kind::Plain {
            return self.rare_move(byte).map(Some);
        }
        let from = self.squares[self.us.index()][usize::from(code.man)];
        match Square::from_index(from) {
            None => self.error(DecodeErrorKind::NoSuchMan),
            Some(square) => {
                let to = Square::wrapping(from.wrapping_add_signed(code.delta));
                Ok(Some(Move::normal(square, to)))
            }
        }
    }

    /// Whether the wanted position stands on the board, once the men do.
    #[cold]
    fn matches(&self, target: &Target) -> bool {
        self.us == target.us
            && self.rights() == target.rights
            && self.ep_square(target) == target.ep_square
    }

    fn rights(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (color, side, rook) in self.start.rights.iter() {
            if !self.touched.intersects(self.start.needs[color.index()][side as usize]) {
                rights.set(color, side, Some(rook));
            }
        }
        rights
    }

    /// The square on which an en passant capture is legal, given that the men are the target's.
    fn ep_square(&self, target: &Target) -> Option<Square> {
        if self.touched.is_empty() {
            return self.start.ep_square;
        }
        let (from, to) = self.last;
        let pawn = self.board[usize::from(to) % 64] % 6 == Role::Pawn as u8;
        let passed = Square::wrapping((from + to) / 2);
        let two_steps = pawn && from.abs_diff(to) == 16;
        (two_steps && target.ep_files[passed.file().index()]).then_some(passed)
    }
}

/// The first ply at which a position stands on the board, 0 being the start; `None` if it never
/// does.
///
/// # Errors
/// Bytes that are no codes of this version, or that do not fit the start. Bytes after the first ply
/// found, or after the position can no longer arise, are not looked at.
#[inline]
pub fn find(start: &Start, bytes: &[u8], target: &Target) -> Result<Option<u32>, DecodeError> {
    let mut found = None;
    scan(start, bytes, target, |ply, _| {
        found = Some(ply);
        Ok(false)
    })?;
    Ok(found)
}

/// Calls `visit` with the ply and the next move each time a position stands on the board; the move
/// is `None` where the game ends there.
///
/// # Errors
/// As [`find`].
#[inline]
pub fn visits(
    start: &Start,
    bytes: &[u8],
    target: &Target,
    mut visit: impl FnMut(u32, Option<Move>),
) -> Result<(), DecodeError> {
    scan(start, bytes, target, |ply, replay| {
        visit(ply, replay.next_move()?);
        Ok(true)
    })
}

/// Replays a game for as long as the target may still arise, and calls `hit` whenever it stands.
#[inline(always)]
fn scan<'a>(
    start: &'a Start,
    bytes: &'a [u8],
    target: &Target,
    mut hit: impl FnMut(u32, &Replay<'a>) -> Result<bool, DecodeError>,
) -> Result<(), DecodeError> {
    let mut replay = Replay::new(start, bytes)?;
    let mut ply = 0;
    loop {
        if replay.key == target.key && replay.matches(target) && !hit(ply, &replay)? {
            return Ok(());
        }
        let too_late = replay.men < target.men || replay.touched.intersects(target.home_pawns);
        if too_late || !replay.step()? {
            return Ok(());
        }
        ply += 1;
    }
}
