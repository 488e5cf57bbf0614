//! Replays games of chess.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use halfmove_rules::{
    Bitboard, CastlingRights, CastlingSide, Chess, Color, Move, Piece, Role, Square,
};

use super::seek::{Castled, Side};
use super::watch::{EMPTY_CHESS, Moment, Occupant, PASSED, Squares, Watch, occupant};
use crate::codec::halfmove::chess::{
    CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, CODES, NULL_MOVE, OTHER_MOVE, RARE, spelled_out,
};
use crate::codec::pieces::{ABSENT, PIECES, number, number_on};
use crate::codec::{DecodeError, DecodeErrorKind};

const EMPTY: Occupant = EMPTY_CHESS;

/// A code in four bytes, with all data for a common move.
#[derive(Copy, Clone)]
#[repr(C, align(4))]
pub(super) struct Step {
    /// The number of the piece; [`PIECES`] for codes without one.
    pub(super) piece: u8,
    pub(super) mover: Occupant,
    pub(super) delta: i8,
}

/// The codes of each side.
pub(super) static STEPS: [[Step; 256]; 2] = {
    let mut table = [[Step { piece: PIECES as u8, mover: EMPTY, delta: 0 }; 256]; 2];
    let mut color = 0;
    while color < 2 {
        let mut byte = 0;
        while byte < 256 {
            let code = CODES[color][byte];
            if code.kind != RARE {
                let mover = code.role as u8 | (color as u8) << 3;
                table[color][byte] = Step { piece: code.piece, mover, delta: code.delta };
            }
            byte += 1;
        }
        color += 1;
    }
    table
};

/// A start position, prepared for replay.
#[derive(Clone, Debug)]
pub(super) struct Start {
    squares: Squares,
    pub(super) pieces: u8,
    pub(super) numbers: [[u8; PIECES]; 2],
    us: Color,
    /// The square on which an en passant capture is legal in the first move.
    pub(super) ep_square: Option<Square>,
    pub(super) rights: CastlingRights,
    /// For each right, the effect of castling.
    castling: [[Option<Castling>; 2]; 2],
    /// The same for the registers of [`seek`](super::seek).
    castled: [[Option<Castled>; 2]; 2],
    /// Both sides as in [`seek`](super::seek), if all pieces have numbers.
    pub(super) sides: Option<[Side; 2]>,
}

/// The effect of castling on a board of squares.
#[derive(Copy, Clone, Debug)]
pub(super) struct Castling {
    pub(super) king: Square,
    pub(super) rook: Square,
    /// The number of the rook, or an unused number.
    pub(super) rook_number: usize,
    side: CastlingSide,
}

impl Castling {
    /// The targets of the king and the rook.
    pub(super) fn targets(&self) -> (Square, Square) {
        let rank = self.king.rank();
        (Square::new(self.side.king_file(), rank), Square::new(self.side.rook_file(), rank))
    }
}

impl Start {
    pub(super) fn new(position: &Chess) -> Start {
        let numbers = number(position.board());
        let mut castling = [[None; 2]; 2];
        for (color, side, rook) in position.castling().iter() {
            let rook_number = number_on(&numbers[color.index()], rook).unwrap_or(PIECES);
            let king = position.king(color);
            castling[color.index()][side as usize] =
                Some(Castling { king, rook, rook_number, side });
        }
        let numbered = numbers.as_flattened().iter().filter(|square| **square != ABSENT).count();
        let all_have_numbers = numbered == position.board().occupied().len() as usize;
        let sides = Color::ALL
            .map(|color| Side::new(&numbers[color.index()], position.board().by_color(color)));
        Start {
            castled: castling.map(|sides| sides.map(|castling| castling.map(Castled::new))),
            sides: all_have_numbers.then_some(sides),
            squares: Squares::of(position.board(), EMPTY),
            pieces: position.board().occupied().len() as u8,
            numbers,
            us: position.side_to_move(),
            ep_square: position.ep_square(),
            rights: position.castling(),
            castling,
        }
    }

    /// The effect of a castling code on a side, if the side has the right at the start.
    #[inline(always)]
    pub(super) fn castled<const US: usize>(&self, code: u8) -> Option<&Castled> {
        let side = usize::from(code.wrapping_sub(CASTLE_KING_SIDE));
        self.castled[US].get(side)?.as_ref()
    }

    /// The squares for a castling code, if the side has the right at the start.
    pub(super) fn castling(&self, us: Color, code: u8) -> Option<Castling> {
        let side = usize::from(code.wrapping_sub(CASTLE_KING_SIDE));
        *self.castling[us.index()].get(side)?
    }

    pub(super) fn usual() -> &'static Start {
        static USUAL: LazyLock<Start> = LazyLock::new(|| Start::new(&Chess::default()));
        &USUAL
    }

    pub(super) fn squares(&self) -> &Squares {
        &self.squares
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.us
    }

    /// The rights that remain after these squares were left or entered.
    pub(super) fn rights_after(&self, touched: Bitboard) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (color, side, rook) in self.rights.iter() {
            let castling = self.castling[color.index()][side as usize];
            let gone = castling.is_none_or(|castling| touched.has(castling.king));
            if !gone && !touched.has(rook) {
                rights.set(color, side, Some(rook));
            }
        }
        rights
    }
}

/// The bytes of a game, with the start in their head.
pub(super) struct CodedChess<'a> {
    /// `None` for the standard starting position.
    start: Option<Box<Start>>,
    bytes: &'a [u8],
    /// The offset at which the codes begin.
    at: usize,
}

impl<'a> CodedChess<'a> {
    pub(super) fn usual(bytes: &'a [u8]) -> CodedChess<'a> {
        CodedChess { start: None, bytes, at: 0 }
    }

    pub(super) fn new(start: &Chess, bytes: &'a [u8], at: usize) -> CodedChess<'a> {
        CodedChess { start: Some(Box::new(Start::new(start))), bytes, at }
    }

    #[inline(always)]
    pub(super) fn start(&self) -> &Start {
        self.start.as_deref().unwrap_or_else(|| Start::usual())
    }

    /// Returns true if it has the standard starting position.
    pub(super) fn is_usual(&self) -> bool {
        self.start.is_none()
    }

    /// The bytes, and the offset at which the codes begin.
    pub(super) fn codes(&self) -> (&'a [u8], usize) {
        (self.bytes, self.at)
    }

    /// Replays the game for a [`Watch`], and returns its last state.
    ///
    /// # Errors
    ///
    /// An invalid code.
    #[inline(always)]
    pub(super) fn replay<W: Watch<EMPTY>>(
        &self,
        watch: &mut W,
        state: W::State,
    ) -> Result<W::State, DecodeError> {
        let start = self.start();
        let mut replay =
            Replay { start, squares: start.squares, numbers: start.numbers, bytes: self.bytes };
        let at = Point { at: self.at, behind: self.at, us: start.us, last: (0, 0) };
        let (flow, state) = replay.inspect(at, watch, state)?;
        let mut run = Run { at: self.at, behind: self.at, state };
        if flow.is_break()
            || watch.is_over(&run.state)
            || start.us == Color::Black && replay.step::<1, W>(&mut run, watch)?.is_break()
        {
            return Ok(run.state);
        }
        loop {
            if replay.step::<0, W>(&mut run, watch)?.is_break()
                || replay.step::<1, W>(&mut run, watch)?.is_break()
                || watch.is_over(&run.state)
            {
                return Ok(run.state);
            }
        }
    }
}

/// The state that the loop keeps in registers.
struct Run<S> {
    /// The next code.
    at: usize,
    /// The offset of the next code less the number of half-moves played.
    behind: usize,
    state: S,
}

/// A moment in the game.
#[derive(Copy, Clone)]
struct Point {
    at: usize,
    behind: usize,
    us: Color,
    last: (u8, u8),
}

/// A game being replayed.
struct Replay<'a> {
    start: &'a Start,
    squares: Squares,
    /// The squares of the numbered pieces; captured pieces keep their last square.
    numbers: [[u8; PIECES]; 2],
    bytes: &'a [u8],
}

impl Replay<'_> {
    /// Plays one half-move.
    #[inline(always)]
    fn step<const US: usize, W: Watch<EMPTY>>(
        &mut self,
        run: &mut Run<W::State>,
        watch: &mut W,
    ) -> Result<ControlFlow<()>, DecodeError> {
        let Some(&byte) = self.bytes.get(run.at) else { return Ok(ControlFlow::Break(())) };
        let Step { piece, mover, delta } = STEPS[US][usize::from(byte)];
        let (at, behind, state) = (run.at, run.behind, run.state);
        if usize::from(piece) >= PIECES {
            let point = Point { at, behind, us: Color::ALL[US], last: (0, 0) };
            let (flow, point, state) = self.rare_step(point, watch, state)?;
            *run = Run { at: point.at, behind: point.behind, state };
            return Ok(flow);
        }
        let number = &mut self.numbers[US][usize::from(piece) % PIECES];
        let from = *number % 64;
        let to = from.wrapping_add_signed(delta) % 64;
        *number = to;
        self.squares.0[usize::from(from)] = EMPTY;
        let taken = std::mem::replace(&mut self.squares.0[usize::from(to)], mover);
        run.at += 1;
        watch.change(&mut run.state, from, mover, EMPTY);
        watch.change(&mut run.state, to, taken, mover);
        if watch.after_move(&mut run.state, mover, (from, to)) {
            let point = Point { at: at + 1, behind, us: Color::ALL[1 - US], last: (from, to) };
            let (flow, state) = self.inspect(point, watch, run.state)?;
            run.state = state;
            return Ok(flow);
        }
        Ok(ControlFlow::Continue(()))
    }

    #[inline(never)]
    fn inspect<W: Watch<EMPTY>>(
        &self,
        point: Point,
        watch: &mut W,
        mut state: W::State,
    ) -> Result<(ControlFlow<()>, W::State), DecodeError> {
        let at = Moment {
            squares: &self.squares,
            us: point.us,
            ply: (point.at - point.behind) as u32,
            last: point.last,
            next: &|| self.next_move(point),
        };
        Ok((watch.inspect(&mut state, &at)?, state))
    }

    /// Castling, promotions, en passant captures, pieces without a number, and null moves.
    #[inline(never)]
    fn rare_step<W: Watch<EMPTY>>(
        &mut self,
        mut point: Point,
        watch: &mut W,
        mut state: W::State,
    ) -> Result<(ControlFlow<()>, Point, W::State), DecodeError> {
        let us = point.us;
        let error = |kind| DecodeError { offset: point.at, kind };
        let code = Rare::read(&self.bytes[point.at..]).map_err(error)?;
        let mut replace = |square: Square, new| {
            let old = std::mem::replace(&mut self.squares.0[square.index()], new);
            watch.change(&mut state, square as u8, old, new);
            old
        };
        match code {
            Rare::Castle(side) => {
                let castling = self.start.castling[us.index()][side as usize];
                let castling = castling.ok_or(error(DecodeErrorKind::NoCastling))?;
                let Castling { king, rook, rook_number, .. } = castling;
                let (king_to, rook_to) = castling.targets();
                replace(king, EMPTY);
                replace(rook, EMPTY);
                replace(king_to, occupant(Piece { color: us, role: Role::King }));
                replace(rook_to, occupant(Piece { color: us, role: Role::Rook }));
                let numbers = &mut self.numbers[us.index()];
                numbers[PIECES - 1] = king_to as u8;
                if let Some(number) = numbers.get_mut(rook_number) {
                    *number = rook_to as u8;
                }
                point.last = (king as u8, king as u8);
                point.at += 1;
            }
            Rare::Other(mv) => {
                let (from, to) = (mv.from(), mv.to());
                let mover = replace(from, EMPTY);
                let promoted = mv.promotion().map(|role| occupant(Piece { color: us, role }));
                let taken = replace(to, promoted.unwrap_or(mover));
                let is_pawn = mover & 7 == Role::Pawn as u8;
                if is_pawn && taken == EMPTY && from.file() != to.file() {
                    replace(Square::new(to.file(), from.rank()), EMPTY);
                }
                // Captured pieces keep their last square, so several numbers may refer to this square. All of them are
                // updated: captured pieces never move again, so their squares do not matter.
                let arrives = if promoted.is_none() { to as u8 } else { ABSENT };
                for number in &mut self.numbers[us.index()] {
                    if *number == from as u8 {
                        *number = arrives;
                    }
                }
                point.last = (from as u8, to as u8);
                point.at += 3;
                point.behind += 2;
            }
            Rare::Null => {
                point.last = PASSED;
                point.at += 1;
            }
        }
        point.us = !us;
        let (flow, state) = self.inspect(point, watch, state)?;
        Ok((flow, point, state))
    }

    /// The next move, `None` at the end of the game.
    fn next_move(&self, point: Point) -> Result<Option<Move>, DecodeError> {
        let Some(&byte) = self.bytes.get(point.at) else { return Ok(None) };
        let us = point.us.index();
        let error = |kind| DecodeError { offset: point.at, kind };
        let Step { piece, delta, .. } = STEPS[us][usize::from(byte)];
        if let Some(from) = self.numbers[us].get(usize::from(piece)) {
            let from = Square::from_index(*from).ok_or(error(DecodeErrorKind::NoSuchPiece))?;
            let to = Square::wrapping((from as u8).wrapping_add_signed(delta));
            return Ok(Some(Move::normal(from, to)));
        }
        match Rare::read(&self.bytes[point.at..]).map_err(error)? {
            Rare::Castle(side) => match self.start.castling[us][side as usize] {
                Some(castling) => Ok(Some(Move::castle(castling.king, castling.rook))),
                None => Err(error(DecodeErrorKind::NoCastling)),
            },
            Rare::Other(mv) => Ok(Some(mv)),
            Rare::Null => Ok(Some(Move::NULL)),
        }
    }
}

/// A code without a piece.
pub(super) enum Rare {
    Castle(CastlingSide),
    Other(Move),
    Null,
}

impl Rare {
    pub(super) fn read(bytes: &[u8]) -> Result<Rare, DecodeErrorKind> {
        match *bytes {
            [CASTLE_KING_SIDE, ..] => Ok(Rare::Castle(CastlingSide::KingSide)),
            [CASTLE_QUEEN_SIDE, ..] => Ok(Rare::Castle(CastlingSide::QueenSide)),
            [NULL_MOVE, ..] => Ok(Rare::Null),
            [OTHER_MOVE, low, high, ..] => spelled_out(u16::from_le_bytes([low, high]))
                .map(Rare::Other)
                .ok_or(DecodeErrorKind::Reserved(OTHER_MOVE)),
            [OTHER_MOVE, ..] | [] => Err(DecodeErrorKind::Truncated),
            [byte, ..] => Err(DecodeErrorKind::Reserved(byte)),
        }
    }
}
