//! Replays a game's bytes without generating moves.
//!
//! The codes of [`codec::halfmove`](crate::codec::halfmove) say which piece goes where, so replay
//! needs only a simple board: the squares of the pieces, the contents of each square, and a key
//! that shows with one comparison whether the target position may be on the board. Nothing is
//! allocated, and replay abandons a game as soon as the position can no longer arise.
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
//! // The same position after another order of moves: 1. c4 e6 2. d4 Nf6.
//! let wanted: Chess = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3".parse()?;
//! assert_eq!(replay::find(&Start::usual(), &bytes, &Target::new(&wanted))?, Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bytes are assumed to encode legal moves: that was checked when they were written, and
//! [`decode`](crate::codec::halfmove::decode) checks it again. For other bytes, replay returns an
//! error or a wrong result, but never panics.

use crate::codec::halfmove::{CODES, Kind, StartMark, check_start, spelled_out, without_start};
use crate::codec::pieces::{ABSENT, PIECES, number};
use crate::codec::{DecodeError, DecodeErrorKind};
use halfmove_rules::{
    Bitboard, CastlingRights, CastlingSide, Chess, Color, File, Flaws, Move, Piece, Rank, Role,
    Square, piece_key,
};

/// A piece as a number: its role, plus six for Black.
type Occupant = u8;

/// An empty square.
const EMPTY: Occupant = 12;

/// The keys of every piece on every square. The key of an empty square is zero.
static KEYS: [[u64; 16]; 64] = {
    let mut keys = [[0; 16]; 64];
    let mut occupant = 0;
    while occupant < 12 {
        let color = if occupant < 6 { Color::White } else { Color::Black };
        let piece = Piece { color, role: Role::CHESS[occupant % 6] };
        let mut square = 0;
        while square < 64 {
            keys[square][occupant] = piece_key(piece, Square::ALL[square]);
            square += 1;
        }
        occupant += 1;
    }
    keys
};

const fn occupant(piece: Piece) -> Occupant {
    piece.role as u8 + 6 * piece.color as u8
}

/// A start position, prepared for replay. Reuse it for all games with this start.
#[derive(Clone, Debug)]
pub struct Start {
    board: [Occupant; 64],
    squares: [[u8; PIECES]; 2],
    key: u64,
    men: u8,
    us: Color,
    /// The square on which an en passant capture is legal in the first move.
    ep_square: Option<Square>,
    rights: CastlingRights,
    /// For each right, the squares that must stay untouched for it to last.
    needs: [[Bitboard; 2]; 2],
    kings: [Square; 2],
    mark: StartMark,
}

impl Start {
    /// Prepares a start position.
    pub fn new(position: &Chess) -> Self {
        let mut board = [EMPTY; 64];
        let mut key = 0;
        for (square, piece) in position.board().pieces() {
            board[square.index()] = occupant(piece);
            key ^= piece_key(piece, square);
        }
        let kings = Color::ALL.map(|color| position.king(color));
        let mut needs = [[Bitboard::EMPTY; 2]; 2];
        for (color, side, rook) in position.castling().iter() {
            needs[color.index()][side as usize] = Bitboard::square(rook) | kings[color.index()];
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
            mark: StartMark::of(position),
        }
    }

    /// The usual start position.
    pub fn usual() -> Self {
        Self::new(&Chess::default())
    }
}

/// A target position, prepared for searching. Reuse it for all games.
#[derive(Clone, Debug)]
pub struct Target {
    key: u64,
    us: Color,
    rights: CastlingRights,
    ep_square: Option<Square>,
    /// The files on which an en passant capture would be legal with this board.
    ep_files: [bool; 8],
    /// The pawns still on their original squares: once one of them has moved, the position cannot
    /// arise.
    home_pawns: Bitboard,
    men: u8,
}

impl Target {
    /// Prepares a target: the board, the side to move, castling rights, and the en passant square
    /// if a capture there is legal. The counters do not matter.
    pub fn new(position: &Chess) -> Self {
        let board = position.board();
        let pawns = |color| board.by_piece(Piece { color, role: Role::Pawn });
        let home_pawns = pawns(Color::White) & Bitboard::rank(Rank::Second)
            | pawns(Color::Black) & Bitboard::rank(Rank::Seventh);
        let ep_rank = match position.side_to_move() {
            Color::White => Rank::Sixth,
            Color::Black => Rank::Third,
        };
        let ep_files = File::ALL.map(|file| {
            let mut setup = position.to_setup();
            setup.ep_square = Some(Square::new(file, ep_rank));
            Chess::from_setup_in(setup, Some(position.castling_mode()), Flaws::UNREACHABLE)
                .is_ok_and(|position| position.ep_square().is_some())
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

/// A game being replayed.
struct Replay<'a> {
    start: &'a Start,
    board: [Occupant; 64],
    squares: [[u8; PIECES]; 2],
    bytes: &'a [u8],
    ply: u32,
    now: Now<'a>,
}

/// What changes with every half-move, except the squares of the pieces. [`Replay::run`] works on a
/// copy that the rare moves never see, so that it stays in registers.
#[derive(Copy, Clone)]
struct Now<'a> {
    /// The key of the pieces on their squares; the side to move and the rights are compared
    /// separately.
    key: u64,
    /// Every square that a move has left or entered.
    touched: Bitboard,
    men: u8,
    us: Color,
    /// The origin and the target of the last move.
    last: (u8, u8),
    /// The bytes not read yet.
    rest: &'a [u8],
}

impl Now<'_> {
    /// Records a move of a piece.
    #[inline(always)]
    fn note(&mut self, mover: Occupant, from: u8, to: u8, taken: Occupant) {
        let (from_index, to_index) = (usize::from(from) % 64, usize::from(to) % 64);
        let (mover, taken) = (usize::from(mover) % 16, usize::from(taken) % 16);
        self.key ^= KEYS[from_index][mover] ^ KEYS[to_index][mover] ^ KEYS[to_index][taken];
        self.men -= u8::from(taken < usize::from(EMPTY));
        self.touched.0 |= 1 << from_index | 1 << to_index;
        self.last = (from, to);
    }
}

/// Why a run of half-moves pauses.
enum Pause {
    /// The pieces are on the same squares as the target's.
    SamePieces,
    /// The target can no longer arise, or the game is over.
    TooLate,
    /// A code that needs [`Replay::rare_step`].
    Rare(u8),
    /// A code for a piece that is not on the board.
    NoSuchPiece,
}

impl<'a> Replay<'a> {
    fn new(start: &'a Start, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        check_start(start.mark, bytes)?;
        let now = Now {
            key: start.key,
            touched: Bitboard::EMPTY,
            men: start.men,
            us: start.us,
            last: (0, 0),
            rest: without_start(bytes),
        };
        Ok(Self { start, board: start.board, squares: start.squares, bytes, ply: 0, now })
    }

    fn error<T>(&self, kind: DecodeErrorKind) -> Result<T, DecodeError> {
        Err(DecodeError { offset: self.bytes.len() - self.now.rest.len(), kind })
    }

    /// Plays half-moves of numbered pieces, by both sides in turn, until something else comes up.
    #[inline(always)]
    fn run(&mut self, target: &Target) -> Pause {
        let mut now = self.now;
        let pause = loop {
            if now.us == Color::White
                && let Some(pause) = self.step::<0>(&mut now, target)
            {
                break pause;
            }
            if let Some(pause) = self.step::<1>(&mut now, target) {
                break pause;
            }
            if now.men < target.men || now.touched.intersects(target.home_pawns) {
                break Pause::TooLate;
            }
        };
        self.ply += (self.now.rest.len() - now.rest.len()) as u32;
        self.now = now;
        pause
    }

    /// Plays one half-move of a numbered piece.
    #[inline(always)]
    fn step<const US: usize>(&mut self, now: &mut Now<'a>, target: &Target) -> Option<Pause> {
        let Some((&byte, rest)) = now.rest.split_first() else { return Some(Pause::TooLate) };
        let code = &CODES[US][usize::from(byte)];
        if code.kind != Kind::Plain {
            return Some(Pause::Rare(byte));
        }
        let mover = code.role as u8 + 6 * US as u8;
        let at = &mut self.squares[US][usize::from(code.piece) % PIECES];
        let from = *at;
        let left = match self.board.get_mut(usize::from(from)) {
            Some(left) if *left == mover => left,
            _ => return Some(Pause::NoSuchPiece),
        };
        let to = from.wrapping_add_signed(code.delta) % 64;
        *left = EMPTY;
        *at = to;
        let taken = std::mem::replace(&mut self.board[usize::from(to)], mover);
        now.note(mover, from, to, taken);
        now.us = Color::ALL[1 - US];
        now.rest = rest;
        (now.key == target.key).then_some(Pause::SamePieces)
    }

    /// Moves a piece on the board, capturing whatever stands on the target.
    fn shift(&mut self, mover: Occupant, from: u8, to: u8) {
        self.board[usize::from(from) % 64] = EMPTY;
        let taken = std::mem::replace(&mut self.board[usize::from(to) % 64], mover);
        self.now.note(mover, from, to, taken);
    }

    /// Replaces a piece, or an empty square, by another.
    fn replace(&mut self, old: Occupant, square: Square, new: Occupant) {
        let keys = &KEYS[square.index()];
        self.board[square.index()] = new;
        self.now.key ^= keys[usize::from(old) % 16] ^ keys[usize::from(new) % 16];
        self.now.touched |= square;
    }

    /// Castling, promotions, en passant captures, and pieces without a number.
    #[cold]
    #[inline(never)]
    fn rare_step(&mut self, byte: u8) -> Result<(), DecodeError> {
        let mv = self.rare_move(byte)?;
        let us = self.now.us;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let king = occupant(Piece { color: us, role: Role::King });
            let rook = occupant(Piece { color: us, role: Role::Rook });
            let side = CastlingSide::of(from, to);
            let king_to = Square::new(side.king_file(), from.rank());
            let rook_to = Square::new(side.rook_file(), from.rank());
            // Neither piece has moved yet, so no captured piece has its last square there.
            for at in &mut self.squares[us.index()] {
                if *at == from as u8 {
                    *at = king_to as u8;
                } else if *at == to as u8 {
                    *at = rook_to as u8;
                }
            }
            self.replace(king, from, EMPTY);
            self.replace(rook, to, EMPTY);
            self.replace(EMPTY, king_to, king);
            self.replace(EMPTY, rook_to, rook);
            self.now.last = (from as u8, from as u8);
            self.now.us = !us;
            self.ply += 1;
            self.now.rest = &self.now.rest[1..];
            return Ok(());
        }
        let mover = self.board[from.index()];
        if mover == EMPTY {
            return self.error(DecodeErrorKind::NoSuchPiece);
        }
        // Captured pieces keep their last square, so several numbers may refer to this one. All of
        // them move along: captured pieces never move again, so their squares do not matter.
        let arrives = if mv.promotion().is_none() { to as u8 } else { ABSENT };
        for at in self.squares[us.index()].iter_mut().filter(|at| **at == from as u8) {
            *at = arrives;
        }
        let en_passant = mover % 6 == Role::Pawn as u8
            && from.file() != to.file()
            && self.board[to.index()] == EMPTY;
        if en_passant {
            let square = Square::new(to.file(), from.rank());
            let taken = self.board[square.index()];
            self.replace(taken, square, EMPTY);
            self.now.men -= u8::from(taken != EMPTY);
        }
        self.shift(mover, from as u8, to as u8);
        if let Some(role) = mv.promotion() {
            self.replace(mover, to, occupant(Piece { color: us, role }));
        }
        self.now.us = !us;
        self.ply += 1;
        self.now.rest = &self.now.rest[3..];
        Ok(())
    }

    /// The move of a code that is not [`Kind::Plain`].
    fn rare_move(&self, byte: u8) -> Result<Move, DecodeError> {
        let us = self.now.us;
        let castle = |side| match self.start.rights.rook(us, side) {
            Some(rook)
                if !self.now.touched.intersects(self.start.needs[us.index()][side as usize]) =>
            {
                Ok(Move::castle(self.start.kings[us.index()], rook))
            }
            _ => self.error(DecodeErrorKind::NoSuchPiece),
        };
        match CODES[us.index()][usize::from(byte)].kind {
            Kind::KingSide => castle(CastlingSide::KingSide),
            Kind::QueenSide => castle(CastlingSide::QueenSide),
            Kind::Other => match self.now.rest.get(1..3) {
                Some(&[low, high]) => match spelled_out(u16::from_le_bytes([low, high])) {
                    Some(mv) if !mv.is_castle() => Ok(mv),
                    _ => self.error(DecodeErrorKind::Reserved(byte)),
                },
                _ => self.error(DecodeErrorKind::Truncated),
            },
            Kind::Plain | Kind::Reserved => self.error(DecodeErrorKind::Reserved(byte)),
        }
    }

    /// The move that the next byte encodes, `None` at the end of the game.
    fn next_move(&self) -> Result<Option<Move>, DecodeError> {
        let Some(&byte) = self.now.rest.first() else { return Ok(None) };
        let code = CODES[self.now.us.index()][usize::from(byte)];
        if code.kind != Kind::Plain {
            return self.rare_move(byte).map(Some);
        }
        let from = self.squares[self.now.us.index()][usize::from(code.piece)];
        match Square::from_index(from) {
            None => self.error(DecodeErrorKind::NoSuchPiece),
            Some(square) => {
                let to = Square::wrapping(from.wrapping_add_signed(code.delta));
                Ok(Some(Move::normal(square, to)))
            }
        }
    }

    /// Whether the target is on the board, given that the pieces match.
    #[cold]
    fn matches(&self, target: &Target) -> bool {
        self.now.us == target.us
            && self.rights() == target.rights
            && self.ep_square(target) == target.ep_square
    }

    fn rights(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (color, side, rook) in self.start.rights.iter() {
            if !self.now.touched.intersects(self.start.needs[color.index()][side as usize]) {
                rights.set(color, side, Some(rook));
            }
        }
        rights
    }

    /// The square on which an en passant capture is legal, given that the pieces match the
    /// target's.
    fn ep_square(&self, target: &Target) -> Option<Square> {
        if self.now.touched.is_empty() {
            return self.start.ep_square;
        }
        let (from, to) = self.now.last;
        let pawn = self.board[usize::from(to) % 64] % 6 == Role::Pawn as u8;
        let passed = Square::wrapping((from + to) / 2);
        let two_steps = pawn && from.abs_diff(to) == 16;
        (two_steps && target.ep_files[passed.file().index()]).then_some(passed)
    }
}

/// The first ply at which a position is on the board, with 0 for the start; `None` if it never is.
///
/// # Errors
/// Bytes that are not codes of this version, or that contradict the start. Bytes after the first
/// occurrence, or after the position can no longer arise, are not read.
#[inline]
pub fn find(start: &Start, bytes: &[u8], target: &Target) -> Result<Option<u32>, DecodeError> {
    let mut found = None;
    scan(start, bytes, target, |ply, _| {
        found = Some(ply);
        Ok(false)
    })?;
    Ok(found)
}

/// Calls `visit` with the ply and the next move each time a position is on the board; the move is
/// `None` if the game ends there.
///
/// # Errors
/// See [`find`].
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

/// Replays a game as long as the target can still arise, and calls `hit` whenever it does.
#[inline(always)]
fn scan<'a>(
    start: &'a Start,
    bytes: &'a [u8],
    target: &Target,
    mut hit: impl FnMut(u32, &Replay<'a>) -> Result<bool, DecodeError>,
) -> Result<(), DecodeError> {
    let mut replay = Replay::new(start, bytes)?;
    loop {
        let now = &replay.now;
        if now.key == target.key && replay.matches(target) && !hit(replay.ply, &replay)? {
            return Ok(());
        }
        if now.men < target.men || now.touched.intersects(target.home_pawns) {
            return Ok(());
        }
        match replay.run(target) {
            Pause::SamePieces => {}
            Pause::TooLate => return Ok(()),
            Pause::Rare(byte) => replay.rare_step(byte)?,
            Pause::NoSuchPiece => return replay.error(DecodeErrorKind::NoSuchPiece),
        }
    }
}
