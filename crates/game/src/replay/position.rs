//! Positions of a game.

use std::ops::ControlFlow;

use halfmove_rules::{
    AnyPosition, Bitboard, Board, Chess, Color, Flaws, Move, Piece, Role, Setup, Square,
};

use super::chess::CodedChess;
use super::watch::{EMPTY_CHESS, Moment, Occupant, Ready, Squares, Watch};
use crate::codec::halfmove;
use crate::codec::{DecodeError, DecodeErrorKind};

/// The position after `ply` half-moves; `None` beyond the end of the game.
///
/// Games of Makruk are decoded and checked up to that point, since the count depends on all earlier
/// moves.
///
/// ```
/// use halfmove_game::replay;
///
/// let position = replay::position_at(&[0x11, 0x2f], 1)?.unwrap();
/// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert!(replay::position_at(&[0x11, 0x2f], 3)?.is_none());
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
/// Fails on bytes that are not codes of this version, or that lead to an impossible position.
pub fn position_at(bytes: &[u8], ply: u32) -> Result<Option<AnyPosition>, DecodeError> {
    let (position, reached) = play(bytes, ply)?;
    Ok((reached == ply).then_some(position))
}

/// The position after `ply` half-moves, and the move played there; `None` if the game has no such move.
///
/// ```
/// use halfmove_game::replay;
///
/// let (position, mv) = replay::move_after(&[0x11, 0x2f], 1)?.unwrap();
/// assert_eq!(position.san(mv).as_str(), "Nf6");
/// assert!(replay::move_after(&[0x11, 0x2f], 2)?.is_none());
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
/// See [`position_at`].
pub fn move_after(bytes: &[u8], ply: u32) -> Result<Option<(AnyPosition, Move)>, DecodeError> {
    let Ready::Chess(game) = Ready::new(bytes)? else {
        return halfmove::move_after(bytes, ply);
    };
    let mut player = Player { squares: *game.start().squares(), next: Next::Pending };
    let (position, _) = play_chess(bytes, &game, ply, &mut player)?;
    Ok(match player.next {
        Next::Found(mv) => Some((position, mv)),
        _ => None,
    })
}

/// The position at the end of a game.
///
/// # Errors
/// See [`position_at`].
pub fn final_position(bytes: &[u8]) -> Result<AnyPosition, DecodeError> {
    play(bytes, u32::MAX).map(|(position, _)| position)
}

/// The position after `most` half-moves, or at the end, and its ply.
fn play(bytes: &[u8], most: u32) -> Result<(AnyPosition, u32), DecodeError> {
    let Ready::Chess(game) = Ready::new(bytes)? else {
        return halfmove::play(bytes, most);
    };
    let mut player = Player { squares: *game.start().squares(), next: Next::Ignored };
    play_chess(bytes, &game, most, &mut player)
}

/// The same for a game of chess.
fn play_chess(
    bytes: &[u8],
    game: &CodedChess<'_>,
    most: u32,
    player: &mut Player,
) -> Result<(AnyPosition, u32), DecodeError> {
    let start = match halfmove::start(bytes)? {
        AnyPosition::Chess(start) => start,
        AnyPosition::Makruk(_) => Chess::default(),
    };
    let so_far = SoFar {
        left: most,
        touched: Bitboard::EMPTY,
        clock: u32::from(start.halfmove_clock()),
        last: (0, 0),
        counts: true,
    };
    let end = game.replay(player, so_far)?;
    let plies = most - end.left;
    let mut board = Board::default();
    for (square, &occupant) in Square::ALL.into_iter().zip(&player.squares.0) {
        if occupant != EMPTY_CHESS {
            let color = Color::ALL[usize::from(occupant >> 3) % 2];
            board.put(square, Piece { color, role: Role::CHESS[usize::from(occupant & 7) % 6] });
        }
    }
    let (from, to) = end.last;
    let is_pawn = player.squares.0[usize::from(to) % 64] & 7 == Role::Pawn as u8;
    let two_steps = is_pawn && from.abs_diff(to) == 16;
    let passed = two_steps.then(|| Square::wrapping((from + to) / 2));
    let black_began = u32::from(start.side_to_move() == Color::Black);
    let setup = Setup {
        board,
        side_to_move: if plies.is_multiple_of(2) {
            start.side_to_move()
        } else {
            !start.side_to_move()
        },
        castling: game.start().rights_after(end.touched),
        ep_square: if plies == 0 { start.ep_square() } else { passed },
        halfmove_clock: u16::try_from(end.clock).unwrap_or(u16::MAX),
        fullmove_number: u16::try_from(
            u32::from(start.fullmove_number()).saturating_add((plies + black_began) / 2),
        )
        .unwrap_or(u16::MAX),
    };
    let flaws = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
    let position = Chess::from_setup_in(setup, Some(start.castling_mode()), flaws);
    match position {
        Ok(position) => Ok((position.into(), plies)),
        Err(_) => Err(DecodeError { offset: bytes.len(), kind: DecodeErrorKind::NoPosition }),
    }
}

/// Plays a number of half-moves.
struct Player {
    squares: Squares,
    next: Next,
}

/// The move after the last half-move that is played.
enum Next {
    Ignored,
    Pending,
    Found(Move),
}

#[derive(Copy, Clone)]
struct SoFar {
    left: u32,
    touched: Bitboard,
    clock: u32,
    last: (u8, u8),
    /// True if this half-move does not reset the half-move clock.
    counts: bool,
}

impl SoFar {
    #[inline(always)]
    fn count(&mut self, last: (u8, u8)) {
        self.clock = if self.counts { self.clock.saturating_add(1) } else { 0 };
        self.counts = true;
        self.last = last;
        self.left -= 1;
    }
}

impl Watch<EMPTY_CHESS> for Player {
    type State = SoFar;

    #[inline(always)]
    fn change(&mut self, state: &mut SoFar, square: u8, old: Occupant, new: Occupant) {
        let takes = old != EMPTY_CHESS && new != EMPTY_CHESS;
        state.counts &= !takes && old & 7 != Role::Pawn as u8;
        state.touched.0 |= 1 << (square % 64);
        self.squares.0[usize::from(square) % 64] = new;
    }

    #[inline(always)]
    fn after_move(&mut self, state: &mut SoFar, _: Occupant, last: (u8, u8)) -> bool {
        state.count(last);
        state.left == 0
    }

    fn inspect(
        &mut self,
        state: &mut SoFar,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        // After a rare move, which `after_move` did not count.
        if at.ply > 0 && state.left > 0 {
            state.count(at.last);
        }
        let is_done = state.left == 0;
        if is_done
            && matches!(self.next, Next::Pending)
            && let Some(next) = (at.next)()?
        {
            self.next = Next::Found(next);
        }
        Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
