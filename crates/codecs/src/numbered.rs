//! A number for every move: Brenner's closing suggestion, made exact.
//!
//! | codec | bits | numbers | a number holds |
//! |---|---|---|---|
//! | [`Width::Eleven`], `numbered-11` | 11 | 1,968 | origin, target and promotion |
//! | [`Width::Twelve`], `numbered-12` | 12 | 3,876 | the kind of piece too |
//! | [`Width::Thirteen`], `numbered-13` | 13 | 7,752 | the color too |
//!
//! The numbers are consecutive, and nothing else is stored: these codecs hold the main line of games of chess from the
//! standard starting position. `docs/reference/numbered.md` specifies the order of the numbers.
//!
//! ```
//! use halfmove_codecs::{Codec, numbered::Width};
//! use halfmove_rules::{Chess, Move, Square};
//!
//! let moves = [Move::normal(Square::E2, Square::E4)];
//! let mut bytes = Vec::new();
//! Width::Eleven.encode_moves(&Chess::default().into(), &moves, &mut bytes)?;
//! assert_eq!(bytes.len(), 2);
//! let mut same = Vec::new();
//! Width::Eleven.decode_moves(&bytes, &mut same)?;
//! assert_eq!(same, moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//!
//! Norman Brenner, *Minimal encoding of moves in a chess game*, "Suggestion For Hardware
//! Implementation".

use std::ops::Range;
use std::sync::LazyLock;

use halfmove_game::codec::halfmove::is_standard_start;
use halfmove_game::{Game, GameBuilder};
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{AnyPosition, Bitboard, CastlingSide, Chess, Color, File, Move, Role, Square};

use crate::parts::{chess_start, only_main_line};
use crate::{Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, EncodeErrorKind, Holds};

/// The three widths, each of them a [`Codec`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// `numbered-11`: origin and target.
    Eleven,
    /// `numbered-12`: with the kind of piece.
    Twelve,
    /// `numbered-13`: with its color.
    Thirteen,
}

/// The part of a move that its number holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Numbered {
    /// The kind of piece, if the number holds it.
    role: Option<Role>,
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

/// The numbers of moves and the moves of numbers.
struct Table {
    moves: Vec<Numbered>,
    /// The number of a move by kind, origin and target.
    numbers: Vec<u16>,
}

/// The promotions, in the order of the numbers.
const FROM_KNIGHT: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The number of an impossible move.
const NONE: u16 = u16::MAX;

impl Numbered {
    fn index(self) -> usize {
        let kind = match (self.promotion, self.role) {
            (Some(role), _) => 6 + role as usize,
            (None, Some(role)) => role as usize,
            (None, None) => 0,
        };
        (kind * 64 + self.from.index()) * 64 + self.to.index()
    }
}

impl Table {
    fn new(moves: Vec<Numbered>) -> Table {
        let mut numbers = vec![NONE; 12 * 64 * 64];
        for (number, mv) in (0..).zip(&moves) {
            numbers[mv.index()] = number;
        }
        Table { moves, numbers }
    }
}

/// The moves of a piece on an empty board, from every square.
fn moves_of(role: Role) -> impl Iterator<Item = (Square, Square)> {
    let targets = move |from| {
        let empty = Bitboard::EMPTY;
        match role {
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, empty),
            Role::Rook => attacks::rook(from, empty),
            Role::Queen => attacks::bishop(from, empty) | attacks::rook(from, empty),
            _ => attacks::king(from),
        }
    };
    Square::ALL
        .into_iter()
        .flat_map(move |from| targets(from).into_iter().map(move |to| (from, to)))
}

/// The steps of White's pawns from the second to the sixth rank, captures included.
fn pawn_moves() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL.into_iter().flat_map(|from| {
        Square::ALL.into_iter().filter_map(move |to| {
            let files = (from.file() as u8).abs_diff(to.file() as u8);
            let (rank, ranks) = (from.rank() as u8, to.rank() as i8 - from.rank() as i8);
            let one = ranks == 1 && files < 2;
            let two = ranks == 2 && files == 0 && rank == 1;
            ((1..6).contains(&rank) && (one || two)).then_some((from, to))
        })
    })
}

/// The promotions of a color.
fn promotions(color: Color) -> impl Iterator<Item = Numbered> {
    let white = Square::ALL.into_iter().flat_map(|from| {
        Square::ALL
            .into_iter()
            .filter(move |to| {
                let files = (from.file() as u8).abs_diff(to.file() as u8);
                from.rank() as u8 == 6 && to.rank() as u8 == 7 && files < 2
            })
            .map(move |to| (from, to))
    });
    white.flat_map(move |(from, to)| {
        let (from, to) =
            if color == Color::White { (from, to) } else { (mirrored(from), mirrored(to)) };
        FROM_KNIGHT.into_iter().map(move |role| Numbered {
            role: None,
            from,
            to,
            promotion: Some(role),
        })
    })
}

/// The same square from the other side's point of view.
fn mirrored(square: Square) -> Square {
    Square::wrapping(square as u8 ^ 0b111_000)
}

static BY_SQUARES: LazyLock<Table> = LazyLock::new(|| {
    let numbered = |(from, to)| Numbered { role: None, from, to, promotion: None };
    let mut moves: Vec<Numbered> =
        moves_of(Role::Queen).chain(moves_of(Role::Knight)).map(numbered).collect();
    moves.sort_by_key(|mv| (mv.from, mv.to));
    moves.extend(Color::ALL.into_iter().flat_map(promotions));
    Table::new(moves)
});

static BY_PIECES: LazyLock<Table> = LazyLock::new(|| {
    let mut moves = Vec::new();
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    for role in roles {
        let of_role = moves_of(role);
        moves.extend(of_role.map(|(from, to)| Numbered {
            role: Some(role),
            from,
            to,
            promotion: None,
        }));
    }
    let castling = [Square::G1, Square::C1];
    let king = Some(Role::King);
    let castling =
        castling.map(|to| Numbered { role: king, from: Square::E1, to, promotion: None });
    moves.extend(castling);
    let pawn = Some(Role::Pawn);
    moves.extend(pawn_moves().map(|(from, to)| Numbered { role: pawn, from, to, promotion: None }));
    moves.extend(promotions(Color::White));
    Table::new(moves)
});

impl Width {
    /// The number of bits.
    ///
    /// ```
    /// use halfmove_codecs::numbered::Width;
    /// assert_eq!(Width::Eleven.bits(), 11);
    /// ```
    pub const fn bits(self) -> usize {
        match self {
            Width::Eleven => 11,
            Width::Twelve => 12,
            Width::Thirteen => 13,
        }
    }

    /// The number of moves with a number.
    ///
    /// ```
    /// use halfmove_codecs::numbered::Width::{Eleven, Thirteen, Twelve};
    /// assert_eq!([Eleven, Twelve, Thirteen].map(|width| width.count()), [1_968, 3_876, 7_752]);
    /// ```
    pub fn count(self) -> usize {
        match self {
            Width::Eleven => BY_SQUARES.moves.len(),
            Width::Twelve => BY_PIECES.moves.len(),
            Width::Thirteen => 2 * BY_PIECES.moves.len(),
        }
    }

    fn table(self) -> &'static Table {
        if self == Width::Eleven { &BY_SQUARES } else { &BY_PIECES }
    }

    /// The number of a legal move; null moves have none.
    fn number(self, position: &Chess, mv: Move) -> Option<u16> {
        if mv.is_null() {
            return None;
        }
        let us = position.side_to_move();
        let is_black = us == Color::Black;
        let (from, mut to) = (mv.from(), mv.to());
        if mv.is_castle() {
            to = Square::new(CastlingSide::of(from, to).king_file(), from.rank());
        }
        let by_squares = self == Width::Eleven;
        let seen = |square| if is_black && !by_squares { mirrored(square) } else { square };
        let role = position.board().piece_at(from)?.role;
        let role = (!by_squares).then_some(role);
        let (from, to) = (seen(from), seen(to));
        let table = self.table();
        let numbered = Numbered { role, from, to, promotion: mv.promotion() };
        let number = *table.numbers.get(numbered.index())?;
        let behind = is_black && self == Width::Thirteen;
        (number != NONE).then(|| number + if behind { table.moves.len() as u16 } else { 0 })
    }

    /// The move with this number, if it is legal.
    fn mv(self, position: &Chess, number: usize) -> Result<Move, DecodeErrorKind> {
        let us = position.side_to_move();
        let is_black = us == Color::Black;
        let table = self.table();
        let (black, number) = match self {
            Width::Thirteen if number < 2 * table.moves.len() => {
                (number >= table.moves.len(), number % table.moves.len())
            }
            _ => (is_black, number),
        };
        let numbered = table.moves.get(number).ok_or(DecodeErrorKind::NoSuchNumber)?;
        let seen = |square| match self {
            Width::Eleven => square,
            _ if is_black => mirrored(square),
            _ => square,
        };
        let (from, to) = (seen(numbered.from), seen(numbered.to));
        let role = position.board().piece_at(from).map(|piece| piece.role);
        let expected = numbered.promotion.map(|_| Role::Pawn).or(numbered.role);
        if black != is_black || expected.is_some() && role != expected {
            return Err(DecodeErrorKind::NoSuchPiece);
        }
        // A king's step by two files to another rank is not a move, so it is not legal.
        let files = (from.file() as u8).abs_diff(to.file() as u8);
        let castles = role == Some(Role::King) && files == 2 && from.rank() == to.rank();
        let mv = match numbered.promotion {
            Some(role) => Move::promote(from, to, role).ok_or(DecodeErrorKind::OffTheBoard)?,
            None if castles => {
                let side = if to.file() == File::G {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let rook = position.castling().rook(us, side);
                Move::castle(from, rook.ok_or(DecodeErrorKind::NoSuchPiece)?)
            }
            None => Move::normal(from, to),
        };
        if position.is_legal(mv) { Ok(mv) } else { Err(DecodeErrorKind::Illegal(mv)) }
    }

    /// Reads the numbers one after another, each with the range of its bytes.
    fn read(
        self,
        bytes: &[u8],
        mut each: impl FnMut(Move, &Chess, u16, Range<usize>),
    ) -> Result<(), DecodeError> {
        let width = self.bits();
        let count = bytes.len() * 8 / width;
        let mut position = Chess::default();
        for index in 0..count {
            let (from, end) = (index * width, (index + 1) * width);
            let at = from / 8..end.div_ceil(8);
            let failed = |kind| DecodeError { offset: at.start, kind };
            let word =
                bytes[at.clone()].iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            let number = word >> (at.end * 8 - end) & ((1 << width) - 1);
            let mv = self.mv(&position, number as usize).map_err(failed)?;
            each(mv, &position, number as u16, at);
            position.play_unchecked(mv);
        }
        let rest = bytes.len() * 8 - count * width;
        let last = bytes.last().copied().unwrap_or(0);
        if rest >= 8 {
            return Err(DecodeError { offset: bytes.len(), kind: DecodeErrorKind::Truncated });
        }
        if last & ((1u16 << rest) - 1) as u8 != 0 {
            let kind =
                DecodeErrorKind::Order { what: "a bit after the last move", expected: "zeros" };
            return Err(DecodeError { offset: bytes.len() - 1, kind });
        }
        Ok(())
    }

    fn refuse<T>(self, ply: usize, what: &'static str) -> Result<T, EncodeError> {
        Err(EncodeError { ply, kind: EncodeErrorKind::Part { codec: self.name(), what } })
    }
}

impl Codec for Width {
    fn name(&self) -> &'static str {
        match self {
            Width::Eleven => "numbered-11",
            Width::Twelve => "numbered-12",
            Width::Thirteen => "numbered-13",
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn holds(&self) -> Holds {
        Holds::MAIN_LINE
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        only_main_line(self.name(), game)?;
        self.encode_moves(&game.start, &game.moves, bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let start = self.decode_moves(bytes, &mut moves)?;
        let mut builder = GameBuilder::new(start);
        for mv in moves {
            builder.play(mv).map_err(|error| DecodeError { offset: 0, kind: error.into() })?;
        }
        Ok(builder.finish())
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), start)?;
        if !is_standard_start(&start) || start.is_chess960() {
            return self.refuse(0, "games that start from another position");
        }
        let (before, mut position) = (bytes.len(), start);
        let (mut word, mut count) = (0u32, 0);
        for (ply, &mv) in moves.iter().enumerate() {
            let Some(number) = self.number(&position, mv) else {
                let san = AnyPosition::from(position).san(mv).to_string();
                bytes.truncate(before);
                return Err(EncodeError {
                    ply,
                    kind: EncodeErrorKind::NoCode { codec: self.name(), san },
                });
            };
            word = word << self.bits() | u32::from(number);
            count += self.bits();
            while count >= 8 {
                count -= 8;
                bytes.push((word >> count) as u8);
            }
            position.play_unchecked(mv);
        }
        if count > 0 {
            bytes.push((word << (8 - count)) as u8);
        }
        Ok(())
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        self.read(bytes, |mv, _, _, _| moves.push(mv))?;
        Ok(Chess::default().into())
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        let width = self.bits();
        self.read(bytes, |mv, position, number, bytes| {
            let meaning = AnyPosition::from(position.clone()).san(mv).to_string();
            show(&Dumped { bytes, fields: format!("{number:0width$b}"), meaning });
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::check;

    /// The kind of a move, in the table of the page.
    fn kind(mv: &Numbered) -> String {
        let promotion = mv.promotion.map(|_| match mv.from.rank() as u8 {
            6 => "White's promotions",
            _ => "Black's promotions",
        });
        let is_castling =
            mv.role == Some(Role::King) && (mv.from.file() as u8).abs_diff(mv.to.file() as u8) == 2;
        match (promotion, mv.role) {
            (Some(promotion), _) => promotion.to_owned(),
            (None, None) => "from square to square".to_owned(),
            (None, Some(_)) if is_castling => "castling".to_owned(),
            (None, Some(role)) => format!("{role:?}").to_lowercase(),
        }
    }

    #[test]
    fn the_page_has_every_number() {
        for width in [Width::Eleven, Width::Twelve] {
            let mut table = String::from("| moves | how many | numbers |\n| --- | ---: | --- |\n");
            let moves = &width.table().moves;
            let (mut first, mut all) = (0, 0);
            for run in moves.chunk_by(|a, b| kind(a) == kind(b)) {
                let last = first + run.len() - 1;
                table += &format!("| {} | {} | {first}–{last} |\n", kind(&run[0]), run.len());
                first = last + 1;
                all += run.len();
            }
            assert_eq!(all, width.count());
            table += &format!("| all | {all} | |\n");
            if width == Width::Twelve {
                table = table.replace("White's promotions", "promotions");
            }
            check("numbered.md", width.name(), &table);
        }
    }
}
