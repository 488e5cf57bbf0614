//! Searching for a position in a game.

use std::ops::ControlFlow;

use halfmove_rules::{
    AnyPosition, Bitboard, Board, CastlingRights, Chess, Color, File, Flaws, Makruk, Move, Rank,
    Role, Square, makruk::Rules,
};

use super::chess::{CodedChess, Start};
use super::seek::{Sought, seek};
use super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Moment, Occupant, Ready, Squares, Watch};
use crate::codec::DecodeError;
use crate::codec::halfmove::start::HEAD;

/// A position, prepared for searching. Reuse it for all games.
#[derive(Clone, Debug)]
pub struct Target {
    placed: Placed,
    rest: Rest,
}

/// The parts of a position common to chess and Makruk.
#[derive(Clone, Debug)]
struct Placed {
    squares: Squares,
    pieces: u8,
    sought: Sought,
}

/// The other parts of a position, which depend on the game.
#[derive(Clone, Debug)]
enum Rest {
    Chess(ChessRest),
    Makruk(Rules),
}

/// The parts of a chess position other than the board.
#[derive(Clone, Debug)]
struct ChessRest {
    rights: CastlingRights,
    ep_square: Option<Square>,
    /// The files on which an en passant capture would be legal with this board.
    ep_files: [bool; 8],
}

impl ChessRest {
    /// Returns true if these parts match, given the squares that were left or entered in the game.
    fn is_same(&self, start: &Start, touched: Bitboard, at: &Moment<'_>) -> bool {
        let ep = match two_steps(at) {
            _ if at.ply == 0 => start.ep_square,
            Some(passed) if self.ep_files[passed.file().index()] => Some(passed),
            _ => None,
        };
        start.rights_after(touched) == self.rights && ep == self.ep_square
    }
}

impl Target {
    /// Prepares a position: the game, the pieces on their squares, the side to move, castling rights, and the en
    /// passant square if a capture there is legal. The counters do not matter, nor does the difference between chess
    /// and Chess960.
    pub fn new(position: &AnyPosition) -> Self {
        match position {
            AnyPosition::Chess(position) => Self::chess(position),
            AnyPosition::Makruk(position) => Self::makruk(position),
        }
    }

    fn chess(position: &Chess) -> Self {
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
            placed: Placed::new(
                position.board(),
                position.side_to_move(),
                EMPTY_CHESS,
                [Rank::Second, Rank::Seventh],
                position.castling(),
            ),
            rest: Rest::Chess(ChessRest {
                rights: position.castling(),
                ep_square: position.ep_square(),
                ep_files,
            }),
        }
    }

    fn makruk(position: &Makruk) -> Self {
        Self {
            placed: Placed::new(
                position.board(),
                position.side_to_move(),
                EMPTY_MAKRUK,
                [Rank::Third, Rank::Sixth],
                CastlingRights::NONE,
            ),
            rest: Rest::Makruk(position.rules()),
        }
    }

    /// The target in games of chess; `None` for a position of Makruk.
    pub(super) fn sought(&self) -> Option<&Sought> {
        matches!(self.rest, Rest::Chess { .. }).then_some(&self.placed.sought)
    }

    /// The target in a game from the standard starting position of chess; `None` for any other game.
    #[inline]
    pub(super) fn sought_in(&self, bytes: &[u8]) -> Option<&Sought> {
        let is_usual = bytes.first() != Some(&HEAD);
        self.sought().filter(|_| is_usual)
    }

    /// Returns true if the position arises after `ply` half-moves of a game from the standard starting position of
    /// chess.
    pub(super) fn is_after(&self, bytes: &[u8], ply: u32) -> Result<bool, DecodeError> {
        let Rest::Chess(rest) = &self.rest else { return Ok(false) };
        let game = CodedChess::usual(bytes);
        let is_same = |touched, at: &Moment<'_>| rest.is_same(game.start(), touched, at);
        let mut found = false;
        let mut hit = |_: &Moment<'_>| {
            found = true;
            Ok(ControlFlow::Break(()))
        };
        let _ = self.placed.glance(&game, ply, &is_same, &mut hit)?;
        Ok(found)
    }

    /// Calls `hit` whenever the position arises, until `hit` breaks.
    #[inline(always)]
    fn scan(
        &self,
        bytes: &[u8],
        mut hit: impl FnMut(&Moment<'_>) -> Result<ControlFlow<()>, DecodeError>,
    ) -> Result<(), DecodeError> {
        let placed = &self.placed;
        match (Ready::new(bytes)?, &self.rest) {
            (Ready::Chess(game), Rest::Chess(rest)) => {
                let start = game.start();
                let is_same = |touched, at: &Moment<'_>| rest.is_same(start, touched, at);
                let mut looks = Looks::default();
                let look = |ply| match looks.next(ply) {
                    true => placed.glance(&game, ply, &is_same, &mut hit),
                    false => Ok(ControlFlow::Break(())),
                };
                let end = seek(&game, &placed.sought, look)?;
                let Some(from) = looks.rest.or(end) else { return Ok(()) };
                let home_pawns = placed.home_pawns();
                let mut seeker = BoardSeeker { placed, home_pawns, from, is_same, hit };
                game.replay(&mut seeker, Progress::with(start.pieces)).map(drop)
            }
            (Ready::Makruk(game), Rest::Makruk(rules)) if game.start().rules() == *rules => {
                let start = game.start();
                // In a custom start, a bia may be on a lower rank and reach this one by moving.
                let is_usual = *start == Makruk::start(*rules);
                let home_pawns = if is_usual { placed.home_pawns() } else { Bitboard::EMPTY };
                let is_same = |_, _: &Moment<'_>| true;
                let mut seeker = BoardSeeker { placed, home_pawns, from: 0, is_same, hit };
                let pieces = start.board().occupied().len() as u8;
                game.replay(&mut seeker, Progress::with(pieces)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// A budget for board inspections. Each inspection replays the game from its start, so only a few are allowed per pass
/// over a game; the rest of the game is then searched on a board. A search has up to three passes.
#[derive(Debug, Default)]
pub(super) struct Looks {
    done: u32,
    /// The ply at which the rest begins.
    pub(super) rest: Option<u32>,
}

impl Looks {
    const MAX: u32 = 16;

    /// Returns true if the board should be inspected after `ply` half-moves.
    pub(super) fn next(&mut self, ply: u32) -> bool {
        self.done += 1;
        if self.done > Self::MAX {
            self.rest = Some(ply);
        }
        self.rest.is_none()
    }
}

impl Placed {
    fn new(
        board: &Board,
        us: Color,
        empty: Occupant,
        ranks: [Rank; 2],
        rights: CastlingRights,
    ) -> Placed {
        let pawns = board.by_role(Role::Pawn);
        let own = Color::ALL.map(|color| board.by_color(color));
        let home = |color: usize| own[color] & pawns & Bitboard::rank(ranks[color]);
        Placed {
            squares: Squares::of(board, empty),
            pieces: board.occupied().len() as u8,
            sought: Sought {
                us,
                occupied: own,
                pawns: own.map(|own| own & pawns),
                home_kings: Color::ALL.map(|color| {
                    let has_right = rights.iter().any(|(side, _, _)| side == color);
                    let king = own[color.index()] & board.by_role(Role::King);
                    king.first().filter(|_| has_right)
                }),
                home_pawns: [home(0), home(1)],
            },
        }
    }

    /// The pawns on their first squares. They cannot have come from other squares.
    fn home_pawns(&self) -> Bitboard {
        self.sought.home_pawns[0] | self.sought.home_pawns[1]
    }

    /// Calls `hit` if the position arises after `ply` half-moves.
    fn glance<S, H>(
        &self,
        game: &CodedChess<'_>,
        ply: u32,
        is_same: &S,
        hit: &mut H,
    ) -> Result<ControlFlow<()>, DecodeError>
    where
        S: Fn(Bitboard, &Moment<'_>) -> bool,
        H: FnMut(&Moment<'_>) -> Result<ControlFlow<()>, DecodeError>,
    {
        let mut glance = Glance { placed: self, is_same, hit, flow: ControlFlow::Continue(()) };
        game.replay(&mut glance, Countdown { touched: Bitboard::EMPTY, left: ply })?;
        Ok(glance.flow)
    }

    /// Returns true if the position is on the board.
    fn is_at(&self, at: &Moment<'_>) -> bool {
        *at.squares == self.squares && at.us == self.sought.us
    }
}

/// The square that a pawn has just skipped.
fn two_steps(at: &Moment<'_>) -> Option<Square> {
    let (from, to) = at.last;
    let is_pawn = at.squares.0[usize::from(to) % 64] & 7 == Role::Pawn as u8;
    (is_pawn && from.abs_diff(to) == 16).then(|| Square::wrapping((from + to) / 2))
}

/// An inspection of a single position, which stores the result of `hit`.
struct Glance<'a, S, H> {
    placed: &'a Placed,
    is_same: &'a S,
    hit: &'a mut H,
    flow: ControlFlow<()>,
}

/// The number of half-moves until that position.
#[derive(Copy, Clone)]
struct Countdown {
    touched: Bitboard,
    left: u32,
}

impl<const EMPTY: Occupant, S, H> Watch<EMPTY> for Glance<'_, S, H>
where
    S: Fn(Bitboard, &Moment<'_>) -> bool,
    H: FnMut(&Moment<'_>) -> Result<ControlFlow<()>, DecodeError>,
{
    type State = Countdown;

    #[inline(always)]
    fn change(&mut self, countdown: &mut Countdown, square: u8, _: Occupant, _: Occupant) {
        countdown.touched.0 |= 1 << (square % 64);
    }

    #[inline(always)]
    fn after_move(&mut self, countdown: &mut Countdown, _: Occupant, _: (u8, u8)) -> bool {
        countdown.left -= 1;
        countdown.left == 0
    }

    fn inspect(
        &mut self,
        countdown: &mut Countdown,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        // After a rare move, which `after_move` did not count.
        if at.ply > 0 && countdown.left > 0 {
            countdown.left -= 1;
        }
        if countdown.left > 0 {
            return Ok(ControlFlow::Continue(()));
        }
        if self.placed.is_at(at) && (self.is_same)(countdown.touched, at) {
            self.flow = (self.hit)(at)?;
        }
        Ok(ControlFlow::Break(()))
    }
}

/// A watch for a position on a board of squares.
struct BoardSeeker<'a, S, H> {
    placed: &'a Placed,
    home_pawns: Bitboard,
    /// The first ply of interest.
    from: u32,
    /// Tests the parts of a position other than the board.
    is_same: S,
    hit: H,
}

#[derive(Copy, Clone)]
struct Progress {
    /// Every square that was left or entered.
    touched: Bitboard,
    /// The number of pieces on the board.
    pieces: u8,
}

impl Progress {
    fn with(pieces: u8) -> Progress {
        Progress { touched: Bitboard::EMPTY, pieces }
    }
}

impl<const EMPTY: Occupant, S, H> Watch<EMPTY> for BoardSeeker<'_, S, H>
where
    S: Fn(Bitboard, &Moment<'_>) -> bool,
    H: FnMut(&Moment<'_>) -> Result<ControlFlow<()>, DecodeError>,
{
    type State = Progress;

    #[inline(always)]
    fn change(&mut self, progress: &mut Progress, square: u8, old: Occupant, new: Occupant) {
        progress.touched.0 |= 1 << (square % 64);
        let pieces = progress.pieces.wrapping_add(u8::from(new != EMPTY));
        progress.pieces = pieces.wrapping_sub(u8::from(old != EMPTY));
    }

    /// Requests the board only if the squares of the last move match.
    #[inline(always)]
    fn after_move(
        &mut self,
        progress: &mut Progress,
        mover: Occupant,
        (from, to): (u8, u8),
    ) -> bool {
        let squares = &self.placed.squares.0;
        squares[usize::from(to) % 64] == mover
            && squares[usize::from(from) % 64] == EMPTY
            && progress.pieces == self.placed.pieces
    }

    fn inspect(
        &mut self,
        progress: &mut Progress,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        if at.ply >= self.from && self.placed.is_at(at) && (self.is_same)(progress.touched, at) {
            return (self.hit)(at);
        }
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn is_over(&self, progress: &Progress) -> bool {
        progress.pieces < self.placed.pieces || progress.touched.intersects(self.home_pawns)
    }
}

/// The first ply at which a position arises, with 0 for the start; `None` if it never does.
///
/// # Errors
/// Fails on bytes that are not codes of this version. Bytes after the first occurrence, or after the position can no
/// longer arise, are not read.
#[inline]
pub fn find(bytes: &[u8], target: &Target) -> Result<Option<u32>, DecodeError> {
    let mut found = None;
    target.scan(bytes, |at| {
        found = Some(at.ply);
        Ok(ControlFlow::Break(()))
    })?;
    Ok(found)
}

/// Calls `visit` with the ply and the next move each time a position arises; the move is `None` if the game ends there.
///
/// # Errors
/// See [`find`].
#[inline]
pub fn visits(
    bytes: &[u8],
    target: &Target,
    mut visit: impl FnMut(u32, Option<Move>),
) -> Result<(), DecodeError> {
    target.scan(bytes, |at| {
        visit(at.ply, (at.next)()?);
        Ok(ControlFlow::Continue(()))
    })
}
