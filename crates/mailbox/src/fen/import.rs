//! FEN as a state (the source's file `fen/importer.ts`).

use super::{ChessFenError, Dialect};
use crate::rules::countdown::{Counting, CountingPolicy, Honor, is_bare};
use crate::state::chess::ChessGame;
use crate::{Board, Chess, Index, Kind, Makruk, MakrukError, Piece, Rules};
use alloc::vec::Vec;
use halfmove_rules::{CastlingSide, Color, FenField, File, Rank, Square};

/// A castling right: its side, its wing, and the square of its rook.
pub(crate) type Claim = (Color, CastlingSide, Index);

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
        let mut fields =
            text.split(|c: char| c.is_ascii_whitespace()).filter(|field| !field.is_empty());
        let mut field = |name| fields.next().ok_or(ChessFenError::Syntax(name));
        let board = placement(field(FenField::Placement)?, piece_of_chess)
            .map_err(|_| ChessFenError::Syntax(FenField::Placement))?;
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
        let ep_square = ep_square.map(Index::new);
        let mut state = Self::from_claims(board, side_to_move, &claims, ep_square)
            .map_err(ChessFenError::Position)?;
        state.halfmove_clock = halfmove_clock;
        state.fullmove_number = fullmove_number.max(1);
        Ok(state)
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
        let (start, pieces) = fields.required("the placement of the pieces")?;
        let board =
            placement(pieces, |text| dialect.strip_piece(rules, text)).map_err(|fault| {
                let expected = match fault.kind {
                    FaultKind::Piece if dialect == Dialect::Fairy => {
                        "a piece (K M S N R P, M~), a count (1-8) or '/'"
                    }
                    FaultKind::Piece => "a piece (K E T M R B F), a count (1-8) or '/'",
                    FaultKind::Rank => "a rank of eight squares",
                    FaultKind::Ranks => "eight ranks of eight squares",
                };
                MakrukError::Syntax { offset: start + fault.at, expected }
            })?;
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
            return Err(MakrukError::Syntax { offset, expected: "'-', as there is no castling" });
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
        // Also against a bare king: under makruk-js's rules its opponent may continue counting.
        let count = self.fairy_count(limit, count);
        self.start_from(count)
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
        if count.honor == Honor::Pieces && !is_bare(&self.board, count.color) {
            return Err(MakrukError::Count("a bare king to count for the pieces' honor"));
        }
        // Under one reading of the ASEAN rules, a bare king counts even while its opponent has bias.
        let ignores_bias = self.game.rules == Rules::Asean && is_bare(&self.board, count.color);
        let bias = Color::ALL.into_iter().any(|color| self.board.count(color, Kind::Pawn) > 0);
        if bias && !ignores_bias {
            return Err(MakrukError::Count("no bia on the board"));
        }
        self.game.counting = Some(count);
        Ok(())
    }

    /// Infers a count from a FEN that gives only limit and progress: a bare king counts pieces'
    /// honor, any other side board's honor; the count is assumed to have begun with the pieces now on the board.
    fn fairy_count(&self, limit: u16, ply: u16) -> Counting {
        let us = self.side_to_move;
        let color = if ply.is_multiple_of(2) { us } else { !us };
        let bare = self.board.side(color).count() == 1;
        let honor = if bare { Honor::Pieces } else { Honor::Board };
        let first = match (honor, self.game.rules) {
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
        // A number is announced with a move, and remains until the next one.
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
}

impl Dialect {
    /// The piece at the start of a text, and the rest of the text.
    fn strip_piece(self, rules: Rules, text: &str) -> Option<(Piece, &str)> {
        // The promoted bia comes first, because `M~` begins with `M`. In ASEAN chess the mark says that a
        // bia has become the piece, which makes no difference to it.
        let mut kinds = Kind::ALL.into_iter().rev();
        let (kind, color, rest) = kinds.find_map(|kind| {
            let (color, rest) = strip_name(text, self.name(rules, kind)?)?;
            Some((kind, color, rest))
        })?;
        let may_be_marked = rules == Rules::Asean
            && self == Self::Fairy
            && !matches!(kind, Kind::King | Kind::Pawn);
        let rest = rest.strip_prefix('~').filter(|_| may_be_marked).unwrap_or(rest);
        Some((Piece { color, kind }, rest))
    }
}

fn piece_of_chess(text: &str) -> Option<(Piece, &str)> {
    Kind::ALL.into_iter().find_map(|kind| {
        let (color, rest) = strip_name(text, ChessGame::name_of(kind)?)?;
        Some((Piece { color, kind }, rest))
    })
}

/// The color of the piece at the start of a text, if it has this name, and the rest of the text.
fn strip_name<'a>(text: &'a str, name: &str) -> Option<(Color, &'a str)> {
    let (start, rest) = text.split_at_checked(name.len())?;
    let is_white = start.starts_with(|letter: char| letter.is_ascii_uppercase());
    let color = if is_white { Color::White } else { Color::Black };
    start.eq_ignore_ascii_case(name).then_some((color, rest))
}

/// A fault in the placement of the pieces.
struct Fault {
    kind: FaultKind,
    /// The offset of the first invalid byte.
    at: usize,
}

enum FaultKind {
    /// Not a piece, a count or a slash.
    Piece,
    /// A rank of more than eight squares.
    Rank,
    /// Too few ranks or squares.
    Ranks,
}

/// Reads eight ranks of eight squares, beginning with the eighth.
fn placement(
    text: &str,
    piece_at_start: impl Fn(&str) -> Option<(Piece, &str)>,
) -> Result<Board, Fault> {
    let mut board = Board::default();
    let (mut rank, mut file) = (7, 0);
    let mut rest = text;
    let fault = |rest: &str, kind| Err(Fault { kind, at: text.len() - rest.len() });
    while let Some(first) = rest.chars().next() {
        let here = rest;
        if let ('1'..='8', Some(empty)) = (first, first.to_digit(10)) {
            file += empty as usize;
            rest = &rest[1..];
        } else if first == '/' {
            if file < 8 || rank == 0 {
                return fault(here, FaultKind::Ranks);
            }
            (rank, file) = (rank - 1, 0);
            rest = &rest[1..];
        } else if let Some((piece, after)) = piece_at_start(rest) {
            if file < 8 {
                board.put(Square::new(File::ALL[file], Rank::ALL[rank]), piece);
            }
            file += 1;
            rest = after;
        } else {
            return fault(here, FaultKind::Piece);
        }
        if file > 8 {
            return fault(here, FaultKind::Rank);
        }
    }
    if file < 8 || rank > 0 {
        return fault(rest, FaultKind::Ranks);
    }
    Ok(board)
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

/// The file that divides king side and queen side: that of a side's only king, if it stands on its own first rank,
/// otherwise the e-file.
fn king_file(board: &Board, color: Color) -> u8 {
    let home = at_home(color, 0).rank();
    match board.list(color, Kind::King) {
        [king] if king.rank() == home => king.file(),
        _ => 4,
    }
}

/// The outermost rook on one side of a king, on its own first rank.
pub(super) fn outermost(board: &Board, color: Color, wing: CastlingSide) -> Option<Index> {
    let king = at_home(color, king_file(board, color));
    let rook = Some(Piece { color, kind: Kind::Rook });
    let mut rooks = (0..8).map(|file| at_home(color, file)).filter(|at| board.at(*at) == rook);
    match wing {
        CastlingSide::KingSide => rooks.rfind(|rook| *rook > king),
        CastlingSide::QueenSide => rooks.find(|rook| *rook < king),
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
        let field = self.text[start..].split(|c: char| c.is_ascii_whitespace()).next()?;
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
    number(field).ok_or(MakrukError::Syntax { offset, expected: NUMBER })
}

fn parse_color((offset, field): (usize, &str)) -> Result<Color, MakrukError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(MakrukError::Syntax { offset, expected: "'w' or 'b'" }),
    }
}

fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
