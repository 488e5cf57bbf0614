//! Writing one move of a game in SAN.

use halfmove_rules::{Color, Role};

use super::chess::{STEPS, Start};
use super::position::move_after;
use super::watch::{EMPTY_CHESS, Occupant};
use crate::codec::DecodeError;
use crate::codec::halfmove::chess::CASTLE_KING_SIDE;
use crate::codec::pieces::PIECES;

/// Appends the move after `ply` half-moves, in SAN. Returns true if the game has such a move; if not, nothing is
/// appended.
///
/// Only the position before this move is examined; the moves before it are not checked.
///
/// ```
/// use halfmove_game::replay;
///
/// let mut text = String::new();
/// assert!(replay::write_san(&[0x11, 0x2f], 1, &mut text)?);
/// assert_eq!(text, "Nf6");
/// assert!(!replay::write_san(&[0x11, 0x2f], 2, &mut text)?);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
/// See [`position_at`](super::position_at).
pub fn write_san(bytes: &[u8], ply: u32, out: &mut String) -> Result<bool, DecodeError> {
    // A half-move takes at least one byte.
    if bytes.len() <= ply as usize {
        return Ok(false);
    }
    if plain(bytes, ply as usize, out).is_some() {
        return Ok(true);
    }
    let Some((position, mv)) = move_after(bytes, ply)? else { return Ok(false) };
    out.push_str(&position.san(mv));
    Ok(true)
}

/// The board of a game from the standard starting position whose half-moves all take one byte so far.
struct Board {
    squares: [Occupant; 64],
    numbers: [[u8; PIECES]; 2],
}

/// Handles nearly all moves of games from the standard starting position: those before any promotion or en passant
/// capture, except checkmates and checks from which the king cannot step away. `None` for all others; then nothing is
/// appended.
fn plain(bytes: &[u8], ply: usize, out: &mut String) -> Option<()> {
    // A head begins with a byte that is not a move code.
    let (&byte, before) = bytes.get(..=ply)?.split_last()?;
    let is_last = bytes.len() == ply + 1;
    let start = Start::usual();
    let mut board = Board { squares: start.squares().0, numbers: start.numbers };
    let (pairs, rest) = before.as_chunks::<2>();
    for &[white, black] in pairs {
        board.play::<0>(start, white)?;
        board.play::<1>(start, black)?;
    }
    match rest {
        [white] => {
            board.play::<0>(start, *white)?;
            board.write::<1>(start, byte, is_last, out)
        }
        _ => board.write::<0>(start, byte, is_last, out),
    }
}

impl Board {
    /// Plays a half-move. `None` if it needs more information than this board has.
    #[inline(always)]
    fn play<const US: usize>(&mut self, start: &Start, byte: u8) -> Option<()> {
        let step = STEPS[US][usize::from(byte)];
        if usize::from(step.piece) >= PIECES {
            return self.castle::<US>(start, byte);
        }
        let number = &mut self.numbers[US][usize::from(step.piece) % PIECES];
        let from = *number % 64;
        let to = from.wrapping_add_signed(step.delta) % 64;
        *number = to;
        self.squares[usize::from(from)] = EMPTY_CHESS;
        self.squares[usize::from(to)] = step.mover;
        Some(())
    }

    /// Plays castling.
    #[inline(never)]
    fn castle<const US: usize>(&mut self, start: &Start, byte: u8) -> Option<()> {
        let castling = start.castling(Color::ALL[US], byte)?;
        let (king_to, rook_to) = castling.targets();
        let king = std::mem::replace(&mut self.squares[castling.king.index()], EMPTY_CHESS);
        let rook = std::mem::replace(&mut self.squares[castling.rook.index()], EMPTY_CHESS);
        self.squares[king_to.index()] = king;
        self.squares[rook_to.index()] = rook;
        self.numbers[US][PIECES - 1] = king_to as u8;
        *self.numbers[US].get_mut(castling.rook_number)? = rook_to as u8;
        Some(())
    }

    /// Appends the move of a code.
    #[inline(always)]
    fn write<const US: usize>(
        &mut self,
        start: &Start,
        byte: u8,
        is_last: bool,
        out: &mut String,
    ) -> Option<()> {
        let king = self.numbers[1 - US][PIECES - 1];
        let step = STEPS[US][usize::from(byte)];
        let number = usize::from(step.piece);
        if number >= PIECES {
            let castling = start.castling(Color::ALL[US], byte)?;
            // The rook may give check, along its file or from the king's rank.
            let (_, rook) = castling.targets();
            if king % 8 == rook as u8 % 8 || king / 8 == rook as u8 / 8 {
                return None;
            }
            out.push_str(if byte == CASTLE_KING_SIDE { "O-O" } else { "O-O-O" });
            return Some(());
        }
        let from = self.numbers[US][number];
        if self.squares.get(usize::from(from)) != Some(&step.mover) {
            return None;
        }
        let to = from.wrapping_add_signed(step.delta) % 64;
        let role = Role::CHESS[usize::from(step.mover & 7) % 6];
        // Two bishops of a side never attack the same square, unless one was promoted.
        let mut rival = None;
        if matches!(role, Role::Knight | Role::Rook) {
            let other = self.numbers[US][number ^ 1];
            let is_there =
                other != from && self.squares.get(usize::from(other)) == Some(&step.mover);
            let reaches = match role {
                Role::Knight => is_knight_step(other, to),
                _ => other != to && self.first_towards(to, other) == Some((other, false)),
            };
            if is_there && reaches && !self.is_pinned::<US>(other, to) {
                rival = Some(other);
            }
        }
        let takes = self.squares[usize::from(to)] != EMPTY_CHESS;
        self.squares[usize::from(from)] = EMPTY_CHESS;
        self.squares[usize::from(to)] = step.mover;
        let checks = match role {
            Role::Knight => is_knight_step(to, king),
            Role::Pawn => {
                let ahead = if US == 0 { king.wrapping_sub(to) } else { to.wrapping_sub(king) };
                matches!(ahead, 7 | 9) && (king % 8).abs_diff(to % 8) == 1
            }
            _ => false,
        };
        let checks = checks || self.is_seen::<US>(king, to) || self.is_seen::<US>(king, from);
        // If the game continues, the check is not mate.
        if checks && is_last && !self.can_flee::<US>(king) {
            return None;
        }
        if role != Role::Pawn {
            out.push(role.letter());
            if let Some(other) = rival {
                let by_file = other % 8 != from % 8;
                out.push(char::from(if by_file { b'a' + from % 8 } else { b'1' + from / 8 }));
            }
        } else if takes {
            out.push(char::from(b'a' + from % 8));
        }
        if takes {
            out.push('x');
        }
        out.push(char::from(b'a' + to % 8));
        out.push(char::from(b'1' + to / 8));
        if checks {
            out.push('+');
        }
        Some(())
    }

    /// Returns true if the first piece from a king toward a square is ours and attacks along that line.
    fn is_seen<const US: usize>(&self, king: u8, towards: u8) -> bool {
        let first = self.first_towards(king, towards);
        first.is_some_and(|(square, is_diagonal)| self.slides::<US>(square, is_diagonal))
    }

    /// Returns true if a side's piece on a square slides along diagonals, or along files and ranks.
    fn slides<const US: usize>(&self, square: u8, is_diagonal: bool) -> bool {
        let found = self.squares[usize::from(square) % 64];
        let slides = if is_diagonal { Role::Bishop } else { Role::Rook } as u8;
        usize::from(found >> 3) == US
            && (found & 7 == slides || found & 7 == Role::Queen as u8)
            && found != EMPTY_CHESS
    }

    /// Returns true if a piece of ours is pinned and must not go from one square to the other.
    fn is_pinned<const US: usize>(&self, from: u8, to: u8) -> bool {
        let king = self.numbers[US][PIECES - 1];
        let Some(step) = direction(king, from) else { return false };
        if direction(king, to) == Some(step) || self.first_along(king, step) != Some(from) {
            return false;
        }
        let is_diagonal = step.0 != 0 && step.1 != 0;
        self.first_along(from, step).is_some_and(|behind| match US {
            0 => self.slides::<1>(behind, is_diagonal),
            _ => self.slides::<0>(behind, is_diagonal),
        })
    }

    /// Returns true if the other side's king can step to a square that no piece of ours attacks.
    fn can_flee<const US: usize>(&self, king: u8) -> bool {
        let mut board = Board { squares: self.squares, numbers: self.numbers };
        board.squares[usize::from(king) % 64] = EMPTY_CHESS;
        let (file, rank) = place(king);
        AROUND.iter().any(|&(east, north)| {
            let Some(square) = square_of(file + east, rank + north) else { return false };
            let found = board.squares[usize::from(square)];
            let is_own = found != EMPTY_CHESS && usize::from(found >> 3) != US;
            !is_own && !board.is_attacked::<US>(square)
        })
    }

    /// Returns true if a piece of ours attacks a square.
    fn is_attacked<const US: usize>(&self, square: u8) -> bool {
        let (file, rank) = place(square);
        let is_piece = |role: Role, to: Option<u8>| {
            to.is_some_and(|to| self.squares[usize::from(to)] == role as u8 | (US as u8) << 3)
        };
        let behind = if US == 0 { -1 } else { 1 };
        AROUND.iter().any(|&(east, north)| {
            let next = square_of(file + east, rank + north);
            let Some(towards) = next else { return false };
            is_piece(Role::King, next)
                || (north == behind && east != 0 && is_piece(Role::Pawn, next))
                || self.is_seen::<US>(square, towards)
        }) || KNIGHT
            .iter()
            .any(|&(east, north)| is_piece(Role::Knight, square_of(file + east, rank + north)))
    }

    /// The first occupied square on the ray from one square through another, and true if the ray is a diagonal. `None`
    /// if they are not on a line, or if the ray is empty.
    fn first_towards(&self, from: u8, through: u8) -> Option<(u8, bool)> {
        let (east, north) = direction(from, through)?;
        Some((self.first_along(from, (east, north))?, east != 0 && north != 0))
    }

    /// The first occupied square from a square in this direction.
    fn first_along(&self, from: u8, (east, north): (i8, i8)) -> Option<u8> {
        let (mut file, mut rank) = place(from);
        loop {
            (file, rank) = (file + east, rank + north);
            let square = square_of(file, rank)?;
            if self.squares[usize::from(square) % 64] != EMPTY_CHESS {
                return Some(square);
            }
        }
    }
}

/// The steps from one square toward another; `None` if they are the same, or not on a line.
fn direction(from: u8, to: u8) -> Option<(i8, i8)> {
    let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
    let (files, ranks) = (to_file - file, to_rank - rank);
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    (is_line && (files, ranks) != (0, 0)).then_some((files.signum(), ranks.signum()))
}

const AROUND: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The file and the rank of a square.
fn place(square: u8) -> (i8, i8) {
    ((square % 8) as i8, (square / 8 % 8) as i8)
}

fn square_of(file: i8, rank: i8) -> Option<u8> {
    let is_there = (0..8).contains(&file) && (0..8).contains(&rank);
    is_there.then_some((8 * rank + file) as u8)
}

fn is_knight_step(a: u8, b: u8) -> bool {
    matches!(((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8)), (1, 2) | (2, 1))
}
