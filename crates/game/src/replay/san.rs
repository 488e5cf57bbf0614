//! One move of a game in SAN.

use halfmove_rules::{Color, Role};

use super::chess::{STEPS, Start};
use super::position::move_after;
use super::watch::{EMPTY_CHESS, Occupant};
use crate::codec::DecodeError;
use crate::codec::halfmove::chess::CASTLE_KING_SIDE;
use crate::codec::pieces::PIECES;

/// Appends the move that follows after so many half-moves, in SAN. Returns whether the game has such a move; if not,
/// nothing is appended.
///
/// Only the position before this move is looked at: nothing is generated for the moves that lead to it.
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
    // A half-move takes at least a byte.
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

/// The board of a game from the usual start, in which each byte so far is a half-move.
struct Board {
    squares: [Occupant; 64],
    numbers: [[u8; PIECES]; 2],
}

/// Nearly all moves: those that give no check, and that no other piece of the kind can make, in games from the usual
/// start without promotions and en passant captures before. `None` for all others; then nothing is appended.
fn plain(bytes: &[u8], ply: usize, out: &mut String) -> Option<()> {
    // A head begins with a byte that is no code of a move.
    let (&byte, before) = bytes.get(..=ply)?.split_last()?;
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
            board.write::<1>(start, byte, out)
        }
        _ => board.write::<0>(start, byte, out),
    }
}

impl Board {
    /// Plays a half-move. `None` if it needs more than this board knows.
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

    /// The squares of castling.
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
    fn write<const US: usize>(&mut self, start: &Start, byte: u8, out: &mut String) -> Option<()> {
        let king = self.numbers[1 - US][PIECES - 1];
        let step = STEPS[US][usize::from(byte)];
        let number = usize::from(step.piece);
        if number >= PIECES {
            let castling = start.castling(Color::ALL[US], byte)?;
            // The rook may give check, along its file or where the king stood.
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
        // Two bishops of a side never reach the same square, unless one was promoted.
        if matches!(role, Role::Knight | Role::Rook) {
            let other = self.numbers[US][number ^ 1];
            let is_there =
                other != from && self.squares.get(usize::from(other)) == Some(&step.mover);
            let reaches = match role {
                Role::Knight => is_knight_step(other, to),
                _ => other != to && self.first_towards(to, other) == Some((other, false)),
            };
            if is_there && reaches {
                return None;
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
        if checks || self.is_attacked::<US>(king, to) || self.is_attacked::<US>(king, from) {
            return None;
        }
        if role != Role::Pawn {
            out.push(role.letter());
        } else if takes {
            out.push(char::from(b'a' + from % 8));
        }
        if takes {
            out.push('x');
        }
        out.push(char::from(b'a' + to % 8));
        out.push(char::from(b'1' + to / 8));
        Some(())
    }

    /// Whether the first piece that a king sees in the direction of a square is one of ours that attacks along it.
    fn is_attacked<const US: usize>(&self, king: u8, towards: u8) -> bool {
        let Some((square, is_diagonal)) = self.first_towards(king, towards) else { return false };
        let found = self.squares[usize::from(square) % 64];
        let slides = if is_diagonal { Role::Bishop } else { Role::Rook } as u8;
        usize::from(found >> 3) == US
            && (found & 7 == slides || found & 7 == Role::Queen as u8)
            && found != EMPTY_CHESS
    }

    /// The first occupied square on the ray from one square through another, and whether the ray is a diagonal. `None`
    /// if they are not on a line, or if there is nothing.
    fn first_towards(&self, from: u8, through: u8) -> Option<(u8, bool)> {
        let place = |square: u8| ((square % 8) as i8, (square / 8 % 8) as i8);
        let ((file, rank), (to_file, to_rank)) = (place(from), place(through));
        let (files, ranks) = (to_file - file, to_rank - rank);
        let is_diagonal = files.abs() == ranks.abs();
        if !is_diagonal && files != 0 && ranks != 0 || files == 0 && ranks == 0 {
            return None;
        }
        let (east, north) = (files.signum(), ranks.signum());
        let (mut file, mut rank) = (file + east, rank + north);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let square = (8 * rank + file) as u8;
            if self.squares[usize::from(square) % 64] != EMPTY_CHESS {
                return Some((square, is_diagonal));
            }
            (file, rank) = (file + east, rank + north);
        }
        None
    }
}

fn is_knight_step(a: u8, b: u8) -> bool {
    matches!(((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8)), (1, 2) | (2, 1))
}
