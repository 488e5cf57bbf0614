//! FEN of Makruk, in its two dialects.

use super::counting::{Counting, CountingPolicy, Honor};
use super::{Makruk, MakrukError, Rules};
use crate::{Board, Index, Kind, Piece};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use halfmove_rules::{Color, File, Rank, Square};

/// How a FEN names pieces and counts. The letters alone do not identify the dialect: `M` is a met
/// in one and a knight in the other.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
/// let fen = "3n4/1m~5M~/8/m3R3/3m~1k2/2M3N1/8/5K2 w - 128 26 106";
/// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Auto)?;
/// assert_eq!(
///     position.to_fen(Dialect::MakrukJs),
///     "3m4/1f5F/8/e3R3/3f1k2/2E3M1/8/5K2 w 106 w bp 13 1 64"
/// );
/// # Ok::<(), halfmove_mailbox::MakrukError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Fairy-Stockfish's: `K M S N R P`, and `M~` for a flipped bia. There are six fields. The
    /// fourth is the limit of the count and the fifth its progress, both in half-moves; without a
    /// count they are `-` and the half-move clock.
    Fairy,
    /// makruk-js's: `K E T M R B`, and `F` for a flipped bia. The fields are board, side and move
    /// number; with a count also the counting side, `bp` (board's honor) or `pp` (pieces' honor),
    /// the last number, the first number and the limit.
    MakrukJs,
}

impl Dialect {
    /// The letters of a white piece, `None` if the game does not have it.
    const fn name(self, rules: Rules, kind: Kind) -> Option<&'static str> {
        Some(match (self, kind) {
            (_, Kind::FlippedBia) if matches!(rules, Rules::Asean) => return None,
            (Self::Fairy, Kind::Met) if matches!(rules, Rules::Asean) => "Q",
            (Self::Fairy, Kind::Khon) if matches!(rules, Rules::Asean) => "B",
            (_, Kind::King) => "K",
            (_, Kind::Rook) => "R",
            (Self::Fairy, Kind::FlippedBia) => "M~",
            (Self::Fairy, Kind::Met) => "M",
            (Self::Fairy, Kind::Khon) => "S",
            (Self::Fairy, Kind::Knight) => "N",
            (Self::Fairy, Kind::Pawn) => "P",
            (Self::MakrukJs, Kind::FlippedBia) => "F",
            (Self::MakrukJs, Kind::Met) => "E",
            (Self::MakrukJs, Kind::Khon) => "T",
            (Self::MakrukJs, Kind::Knight) => "M",
            (Self::MakrukJs, Kind::Pawn) => "B",
            (_, Kind::Bishop | Kind::Queen) => return None,
        })
    }

    /// The letters of a piece, in lower case for Black.
    fn name_of(self, rules: Rules, piece: Piece) -> Option<String> {
        let name = self.name(rules, piece.kind)?;
        Some(if piece.color == Color::White { name.to_owned() } else { name.to_lowercase() })
    }

    /// The piece at the start of a text, and the rest of the text.
    fn strip_piece(self, rules: Rules, text: &str) -> Option<(Piece, &str)> {
        // The flipped bia comes first, because `M~` begins with `M`. In ASEAN chess the mark says that a
        // bia has become the piece, which makes no difference to it.
        for kind in Kind::ALL.into_iter().rev() {
            for color in Color::ALL {
                let piece = Piece { color, kind };
                let rest =
                    self.name_of(rules, piece).and_then(|name| text.strip_prefix(name.as_str()));
                if let Some(rest) = rest {
                    let marked = rules == Rules::Asean
                        && self == Self::Fairy
                        && !matches!(kind, Kind::King | Kind::Pawn);
                    let rest = rest.strip_prefix('~').filter(|_| marked).unwrap_or(rest);
                    return Some((piece, rest));
                }
            }
        }
        None
    }
}

impl Makruk {
    /// Reads a FEN. Of Fairy-Stockfish's six fields, all but the first may be missing; makruk-js
    /// has three or eight.
    ///
    /// # Errors
    /// [`MakrukError`], if the text is not a FEN of the dialect or its position is not legal.
    pub fn from_fen(
        text: &str,
        rules: Rules,
        dialect: Dialect,
        policy: CountingPolicy,
    ) -> Result<Self, MakrukError> {
        let mut fields = Fields { text, at: 0 };
        let board =
            parse_placement(fields.required("the placement of the pieces")?, rules, dialect)?;
        let side_to_move = match (dialect, fields.next()) {
            (_, Some(field)) => parse_color(field)?,
            (Dialect::Fairy, None) => Color::White,
            (Dialect::MakrukJs, None) => return Err(fields.end("'w' or 'b'")),
        };
        let mut position = Self::from_board(board, side_to_move, rules, policy)?;
        match dialect {
            Dialect::Fairy => position.read_fairy_fields(&mut fields)?,
            Dialect::MakrukJs => position.read_makruk_js_fields(&mut fields)?,
        }
        match fields.next() {
            Some((offset, _)) => Err(MakrukError::Syntax { offset, expected: "nothing more" }),
            None => Ok(position),
        }
    }

    /// Reads castling rights (none), the limit of a count, its progress or the half-move clock, and
    /// the move number.
    fn read_fairy_fields(&mut self, fields: &mut Fields<'_>) -> Result<(), MakrukError> {
        if let Some((offset, field)) = fields.next()
            && field != "-"
        {
            return Err(MakrukError::Syntax { offset, expected: "'-', as nobody castles" });
        }
        let limit = match fields.next() {
            None | Some((_, "-")) => 0,
            Some(field) => parse_number(field)?,
        };
        let count = fields.next().map_or(Ok(0), parse_number)?;
        self.fullmove_number = fields.next().map_or(Ok(1), parse_number)?.max(1);
        if limit == 0 {
            self.halfmove_clock = count;
            return Ok(());
        }
        // Also against a bare king: under makruk-js's rules its opponent may go on counting.
        let count = self.fairy_count(limit, count);
        self.start_from(count)
    }

    fn is_bare(&self, color: Color) -> bool {
        self.board.side(color).count() == 1
    }

    /// Starts with a count in progress, if the rules allow such a count.
    fn start_from(&mut self, count: Counting) -> Result<(), MakrukError> {
        // In half-moves, as Fairy-Stockfish writes them.
        let known = match count.honor {
            Honor::Board => count.limit == 128,
            Honor::Pieces => matches!(count.limit, 16 | 32 | 44 | 64 | 88 | 128),
        };
        if !known {
            return Err(MakrukError::Count("one of the limits of the rules"));
        }
        if count.honor == Honor::Pieces && !self.is_bare(count.color) {
            return Err(MakrukError::Count("a bare king to count for the pieces' honor"));
        }
        // Under one reading of the ASEAN rules, a bare king counts even while its opponent has bias.
        let ignores_bias = self.rules == Rules::Asean && self.is_bare(count.color);
        let bias = Color::ALL.into_iter().any(|color| self.board.count(color, Kind::Pawn) > 0);
        if bias && !ignores_bias {
            return Err(MakrukError::Count("no bia on the board"));
        }
        self.counting = Some(count);
        Ok(())
    }

    /// Infers a count from a FEN that gives only limit and progress: a bare king counts pieces'
    /// honor, any other side board's honor; the count is assumed to have begun with the pieces now on the board.
    fn fairy_count(&self, limit: u16, ply: u16) -> Counting {
        let us = self.side_to_move;
        let color = if ply.is_multiple_of(2) { us } else { !us };
        let bare = self.board.side(color).count() == 1;
        let honor = if bare { Honor::Pieces } else { Honor::Board };
        let first = match (honor, self.rules) {
            (Honor::Board, _) | (_, Rules::Asean) => 1,
            (Honor::Pieces, _) => self.board.pieces().count() as u16 + 1,
        };
        Counting { honor, color, first, limit, ply }
    }

    /// Reads the move number, and the five fields of a count if there is one.
    fn read_makruk_js_fields(&mut self, fields: &mut Fields<'_>) -> Result<(), MakrukError> {
        self.fullmove_number = parse_number(fields.required(NUMBER)?)?.max(1);
        let Some(color) = fields.next() else { return Ok(()) };
        let (offset, kind) = fields.required("'bp' or 'pp'")?;
        let rest = [fields.required(NUMBER)?, fields.required(NUMBER)?, fields.required(NUMBER)?];
        if [color.1, kind].into_iter().chain(rest.map(|field| field.1)).all(|field| field == "-") {
            return Ok(());
        }
        let color = parse_color(color)?;
        let honor = match kind {
            "bp" => Honor::Board,
            "pp" => Honor::Pieces,
            _ => return Err(MakrukError::Syntax { offset, expected: "'bp' or 'pp'" }),
        };
        let [spoken, first, limit] = rest.map(parse_number);
        let (spoken, first, limit) = (spoken?, first?, limit?);
        if limit == 0 {
            return Ok(());
        }
        // A number is announced with a move, and stands until the next one.
        let due = self.side_to_move == color;
        let twice = 2 * i32::from(spoken);
        let ply = u16::try_from(if due { twice } else { twice - 1 });
        let ply = ply.map_err(|_| MakrukError::Count("a number that can have been spoken"))?;
        if first > spoken + 1 {
            return Err(MakrukError::Count("a first number that has been spoken or is next"));
        }
        let limit =
            limit.checked_mul(2).ok_or(MakrukError::Count("one of the limits of the rules"))?;
        self.start_from(Counting { honor, color, first, limit, ply })
    }

    /// Writes the FEN.
    pub fn to_fen(&self, dialect: Dialect) -> String {
        let placement = placement(&self.board, self.rules, dialect);
        let side = letter(self.side_to_move);
        let number = self.fullmove_number;
        match (dialect, self.counting) {
            (Dialect::Fairy, None) => {
                format!("{placement} {side} - - {} {number}", self.halfmove_clock)
            }
            (Dialect::Fairy, Some(Counting { limit, ply, .. })) => {
                format!("{placement} {side} - {limit} {ply} {number}")
            }
            (Dialect::MakrukJs, None) => format!("{placement} {side} {number}"),
            (Dialect::MakrukJs, Some(count)) => {
                let honor = if count.honor == Honor::Board { "bp" } else { "pp" };
                let (color, spoken) = (letter(count.color), count.spoken());
                let (first, limit) = (count.first, count.limit / 2);
                format!("{placement} {side} {number} {color} {honor} {spoken} {first} {limit}")
            }
        }
    }
}

/// The pieces, rank by rank from the eighth.
pub(super) fn placement(board: &Board, rules: Rules, dialect: Dialect) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for index in Index::all().filter(|index| index.rank() == rank) {
            let name = board.at(index).and_then(|piece| dialect.name_of(rules, piece));
            if name.is_none() {
                empty += 1;
            }
            if empty > 0 && (name.is_some() || index.file() == 7) {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.extend(name);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

const fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

/// The fields of a text, each with its offset.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(|letter| letter != ' ')?;
        let field = self.text[start..].split(' ').next()?;
        self.at = start + field.len();
        Some((start, field))
    }

    fn required(&mut self, expected: &'static str) -> Result<(usize, &'a str), MakrukError> {
        self.next().ok_or(self.end(expected))
    }

    /// The error for a text that is too short.
    fn end(&self, expected: &'static str) -> MakrukError {
        MakrukError::Syntax { offset: self.text.len(), expected }
    }
}

const NUMBER: &str = "a number from 0 to 65535";

fn parse_number((offset, field): (usize, &str)) -> Result<u16, MakrukError> {
    let is_number = field.bytes().all(|digit| digit.is_ascii_digit());
    let number = field.parse().ok().filter(|_| is_number);
    number.ok_or(MakrukError::Syntax { offset, expected: NUMBER })
}

fn parse_color((offset, field): (usize, &str)) -> Result<Color, MakrukError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(MakrukError::Syntax { offset, expected: "'w' or 'b'" }),
    }
}

fn parse_placement(
    (start, text): (usize, &str),
    rules: Rules,
    dialect: Dialect,
) -> Result<Board, MakrukError> {
    let mut board = Board::default();
    let (mut rank, mut file) = (7, 0);
    let mut rest = text;
    let error = |rest: &str, expected| {
        let offset = start + text.len() - rest.len();
        Err(MakrukError::Syntax { offset, expected })
    };
    while let Some(first) = rest.chars().next() {
        let here = rest;
        if let ('1'..='8', Some(empty)) = (first, first.to_digit(10)) {
            file += empty as usize;
            rest = &rest[1..];
        } else if first == '/' {
            if file < 8 || rank == 0 {
                return error(here, "eight ranks of eight squares");
            }
            (rank, file) = (rank - 1, 0);
            rest = &rest[1..];
        } else if let Some((piece, after)) = dialect.strip_piece(rules, rest) {
            if file < 8 {
                board.put(Square::new(File::ALL[file], Rank::ALL[rank]), piece);
            }
            file += 1;
            rest = after;
        } else {
            return error(
                here,
                match dialect {
                    Dialect::Fairy => "a piece (K M S N R P, M~), a count (1-8) or '/'",
                    Dialect::MakrukJs => "a piece (K E T M R B F), a count (1-8) or '/'",
                },
            );
        }
        if file > 8 {
            return error(here, "a rank of eight squares");
        }
    }
    if file < 8 || rank > 0 {
        return error(rest, "eight ranks of eight squares");
    }
    Ok(board)
}
