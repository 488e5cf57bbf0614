//! FEN of chess and Chess960, read and written on this board.

use super::Chess;
use crate::{Board, Index, Kind, Piece};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use halfmove_rules::{CastlingSide, Color, FenField, File, Flaws, Rank, Square};
use thiserror::Error;

/// Why a text is not a position of chess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChessFenError {
    /// A field is missing or invalid, or there is one too many.
    #[error("FEN, {0}: missing or invalid")]
    Syntax(FenField),
    /// The text is a FEN, but its position is not playable.
    #[error("not a playable position: {0}")]
    Position(Flaws),
}

/// A castling right: whose, on which wing, with the rook on which square.
pub(super) type Claim = (Color, CastlingSide, Index);

const LETTERS: [(char, Kind); 6] = [
    ('p', Kind::Pawn),
    ('n', Kind::Knight),
    ('b', Kind::Bishop),
    ('r', Kind::Rook),
    ('q', Kind::Queen),
    ('k', Kind::King),
];

impl Chess {
    /// Reads a FEN; the two counters may be missing. Castling rights are `KQkq`, where a letter means
    /// the outermost rook on that side of the king (X-FEN), or the files of the rooks (Shredder-FEN).
    ///
    /// ```
    /// use halfmove_mailbox::Chess;
    /// let fen = "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1";
    /// assert_eq!(Chess::from_fen(fen)?.to_fen(), fen);
    /// assert!(Chess::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    /// # Ok::<(), halfmove_mailbox::ChessFenError>(())
    /// ```
    ///
    /// # Errors
    /// [`ChessFenError`]. The first invalid field is reported, or all flaws of the position.
    ///
    /// # Source
    /// Steven J. Edwards, *PGN Specification* (1994), section 16.1; Reinhard Scharnagl on X-FEN (2003).
    pub fn from_fen(text: &str) -> Result<Self, ChessFenError> {
        let mut fields = text.split(' ').filter(|field| !field.is_empty());
        let mut field = |name| fields.next().ok_or(ChessFenError::Syntax(name));
        let board = placement(field(FenField::Placement)?)
            .ok_or(ChessFenError::Syntax(FenField::Placement))?;
        let side_to_move = match field(FenField::SideToMove)? {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(ChessFenError::Syntax(FenField::SideToMove)),
        };
        let claims = castling(&board, field(FenField::Castling)?)
            .ok_or(ChessFenError::Syntax(FenField::Castling))?;
        let ep_square = match field(FenField::EnPassant)? {
            "-" => None,
            square => Some(
                square
                    .parse::<Square>()
                    .ok()
                    .filter(|square| matches!(square.rank(), Rank::Third | Rank::Sixth))
                    .filter(|_| !square.contains(char::is_uppercase))
                    .ok_or(ChessFenError::Syntax(FenField::EnPassant))?,
            ),
        };
        let halfmove_clock = match fields.next() {
            Some(clock) => number(clock).ok_or(ChessFenError::Syntax(FenField::HalfmoveClock))?,
            None => 0,
        };
        let fullmove_number = match fields.next() {
            Some(count) => number(count).ok_or(ChessFenError::Syntax(FenField::FullmoveNumber))?,
            None => 1,
        };
        if fields.next().is_some() {
            return Err(ChessFenError::Syntax(FenField::FullmoveNumber));
        }
        let position = Self {
            board,
            side_to_move,
            castling_rooks: claims.iter().map(|(color, _, rook)| (*color, *rook)).collect(),
            ep_square: ep_square.map(Index::new),
            halfmove_clock,
            fullmove_number: fullmove_number.max(1),
        };
        let flaws = position.flaws(&claims);
        if flaws.is_empty() { Ok(position) } else { Err(ChessFenError::Position(flaws)) }
    }

    /// Writes the FEN, with `KQkq` wherever that means the right rook (X-FEN), and with the en passant
    /// square only if a capture there is legal.
    pub fn to_fen(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..8).rev() {
            let mut text = String::new();
            for index in Index::all().filter(|index| index.rank() == rank) {
                match self.board.at(index) {
                    Some(piece) => text.push(letter(piece)),
                    None => text.push(' '),
                }
            }
            // The longest run first, so that no run is written in parts.
            for empty in (1..=8).rev() {
                text = text.replace(&" ".repeat(empty), &empty.to_string());
            }
            ranks.push(text);
        }
        let side = if self.side_to_move == Color::White { 'w' } else { 'b' };
        let mut rights = String::new();
        for color in Color::ALL {
            for wing in CastlingSide::ALL {
                rights.extend(self.right(color, wing));
            }
        }
        if rights.is_empty() {
            rights.push('-');
        }
        let ep_square = self.ep_square.filter(|_| self.can_take_en_passant());
        let ep_square = ep_square.map_or("-".to_string(), |index| index.square().to_string());
        let (clock, number) = (self.halfmove_clock, self.fullmove_number);
        format!("{} {side} {rights} {ep_square} {clock} {number}", ranks.join("/"))
    }

    /// The letter of a right, if the side has it.
    fn right(&self, color: Color, wing: CastlingSide) -> Option<char> {
        let mut rooks = self.castling_rooks.iter().filter(|(owner, _)| *owner == color);
        let (_, rook) = rooks.find(|(_, rook)| self.wing(color, *rook) == wing)?;
        let letter = if outermost(&self.board, color, wing) == Some(*rook) {
            if wing == CastlingSide::KingSide { 'k' } else { 'q' }
        } else {
            char::from(b'a' + rook.file())
        };
        Some(if color == Color::White { letter.to_ascii_uppercase() } else { letter })
    }
}

fn letter(piece: Piece) -> char {
    let known = LETTERS.into_iter().find(|(_, kind)| *kind == piece.kind);
    let letter = known.map_or('?', |(letter, _)| letter);
    if piece.color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// Reads eight ranks of eight squares, starting with the eighth.
fn placement(text: &str) -> Option<Board> {
    let mut board = Board::default();
    let ranks = text.split('/').collect::<Vec<_>>();
    if ranks.len() != 8 {
        return None;
    }
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut squares = File::ALL.into_iter().map(|file| Square::new(file, rank));
        for mark in text.chars() {
            if let Some(empty @ 1..=8) = mark.to_digit(10) {
                for _ in 0..empty {
                    squares.next()?;
                }
                continue;
            }
            let known = |(letter, _): &(char, Kind)| *letter == mark.to_ascii_lowercase();
            let (_, kind) = LETTERS.into_iter().find(known)?;
            let color = if mark.is_ascii_uppercase() { Color::White } else { Color::Black };
            board.put(squares.next()?, Piece { color, kind });
        }
        if squares.next().is_some() {
            return None;
        }
    }
    Some(board)
}

/// The rights, at most one per side of the king.
fn castling(board: &Board, text: &str) -> Option<Vec<Claim>> {
    let mut claims: Vec<Claim> = Vec::new();
    if text == "-" {
        return Some(claims);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (wing, file) = match letter.to_ascii_lowercase() {
            'k' => (CastlingSide::KingSide, None),
            'q' => (CastlingSide::QueenSide, None),
            file @ 'a'..='h' => {
                let file = file as u8 - b'a';
                let beyond = file > king_file(board, color) || file == 7;
                (if beyond { CastlingSide::KingSide } else { CastlingSide::QueenSide }, Some(file))
            }
            _ => return None,
        };
        if claims.iter().any(|claim| (claim.0, claim.1) == (color, wing)) {
            return None;
        }
        // A right without a rook is kept on the square where the rook would stand, and is found invalid later.
        let corner = if wing == CastlingSide::KingSide { 7 } else { 0 };
        let rook = match file {
            Some(file) => at_home(color, file),
            None => outermost(board, color, wing).unwrap_or(at_home(color, corner)),
        };
        claims.push((color, wing, rook));
    }
    Some(claims)
}

/// The square of a side's own first rank on a file.
fn at_home(color: Color, file: u8) -> Index {
    let rank = if color == Color::White { Rank::First } else { Rank::Eighth };
    Index::new(Square::new(File::ALL[usize::from(file)], rank))
}

/// The file that divides king side and queen side: that of a side's only king, if it stands on its own first rank, else
/// the e-file.
fn king_file(board: &Board, color: Color) -> u8 {
    let home = at_home(color, 0).rank();
    match board.list(color, Kind::King) {
        [king] if king.rank() == home => king.file(),
        _ => 4,
    }
}

/// The outermost rook on one side of a king, on its own first rank.
fn outermost(board: &Board, color: Color, wing: CastlingSide) -> Option<Index> {
    let king = at_home(color, king_file(board, color));
    let rook = Some(Piece { color, kind: Kind::Rook });
    let mut rooks = (0..8).map(|file| at_home(color, file)).filter(|at| board.at(*at) == rook);
    match wing {
        CastlingSide::KingSide => rooks.rfind(|rook| *rook > king),
        CastlingSide::QueenSide => rooks.find(|rook| *rook < king),
    }
}

fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
