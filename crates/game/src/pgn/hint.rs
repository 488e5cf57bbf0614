//! Explanations for impossible moves, in a player's terms.

use std::fmt;

use halfmove_rules::bitboard::{attacks, lines};
use halfmove_rules::{
    Bitboard, CastlingSide, Chess, Color, File, Move, Outcome, Piece, Rank, Role, San, Square,
};
use strsim::osa_distance;

/// A piece and its square.
///
/// ```
/// use halfmove_game::pgn::PieceOn;
/// use halfmove_rules::{Color, Piece, Role, Square};
///
/// let piece = Piece { color: Color::White, role: Role::Knight };
/// assert_eq!(PieceOn { piece, square: Square::F3 }.to_string(), "knight on f3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceOn {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
}

impl fmt::Display for PieceOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.piece.role, self.square)
    }
}

/// A hint for a faulty move: the reason why it is not possible, or the likely intended move.
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::{GameReader, Reading};
///
/// let mut game = Game::default();
/// let mut reader = GameReader::new("1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 *".as_bytes());
/// let Some(Reading::Faulty(error)) = reader.read(&mut game)? else { panic!() };
/// let hint = error.kind.hint().unwrap();
/// assert_eq!(hint.to_string(), "the knight on c6 is pinned by the bishop on b5");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// The piece would expose its own king.
    Pinned {
        /// The piece that cannot move.
        piece: PieceOn,
        /// The piece that pins it.
        by: PieceOn,
    },
    /// A piece is in the way, or on the target of a pawn push.
    Blocked {
        /// The piece that cannot pass.
        piece: PieceOn,
        /// The piece in its way.
        by: PieceOn,
    },
    /// The target holds a piece of the same side.
    OwnPiece {
        /// The piece on the target.
        piece: PieceOn,
    },
    /// The side to move is in check, and the move does not end it.
    Check {
        /// The piece that gives check; one of two in double check.
        by: PieceOn,
    },
    /// The king would enter or, when castling, cross an attacked square.
    Attacked {
        /// The attacked square.
        square: Square,
        /// A piece that attacks it.
        by: PieceOn,
    },
    /// A pawn capture on an empty square.
    NothingToCapture {
        /// The empty target.
        square: Square,
    },
    /// The side has no such piece.
    NoSuchPiece {
        /// The piece.
        piece: Piece,
        /// The file of the piece, if the text gives one.
        file: Option<File>,
    },
    /// The side has no castling right on that side of the board.
    NoCastling {
        /// The side to move.
        color: Color,
        /// The side of the board to which it would castle.
        side: CastlingSide,
    },
    /// The move is legal for the other side.
    OtherSide {
        /// The side to move.
        to_move: Color,
    },
    /// There are no legal moves: the game is over.
    Over {
        /// The outcome.
        outcome: Outcome,
    },
    /// Legal moves with similar texts, the nearest first. Never empty.
    Similar {
        /// The moves, as SAN.
        moves: Vec<String>,
    },
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Pinned { piece, by } => write!(f, "the {piece} is pinned by the {by}"),
            Hint::Blocked { piece, by } => write!(f, "the {piece} is blocked by the {by}"),
            Hint::OwnPiece { piece } => {
                write!(f, "{}'s own {piece} is there", name(piece.piece.color))
            }
            Hint::Check { by } => {
                write!(f, "{} is in check from the {by}", name(!by.piece.color))
            }
            Hint::Attacked { square, by } => write!(f, "{square} is attacked by the {by}"),
            Hint::NothingToCapture { square } => {
                write!(f, "there is nothing to capture on {square}")
            }
            Hint::NoSuchPiece { piece, file } => {
                write!(f, "{} has no {}", name(piece.color), piece.role)?;
                file.map_or(Ok(()), |file| write!(f, " on the {file}-file"))
            }
            Hint::NoCastling { color, side } => {
                let side = match side {
                    CastlingSide::KingSide => "king's",
                    CastlingSide::QueenSide => "queen's",
                };
                write!(f, "{} has no right to castle on the {side} side", name(*color))
            }
            Hint::OtherSide { to_move } => write!(f, "it is {}'s move", name(*to_move)),
            Hint::Over { outcome } => write!(f, "the game is over: {outcome}"),
            Hint::Similar { moves } => write!(f, "did you mean {}?", moves.join(" or ")),
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The reason why a SAN is not a legal move of this position.
pub(super) fn of_illegal(text: &str, san: &San, position: &Chess) -> Option<Hint> {
    if let Some(outcome) = position.outcome()
        && position.legal_moves().is_empty()
    {
        return Some(Hint::Over { outcome });
    }
    let hint = match *san {
        San::Castle(side) => of_castling(position, side),
        San::Normal { role: Role::Pawn, file, to, .. } => of_pawn(position, file, to),
        San::Normal { role, file, rank, to, .. } => of_piece(position, role, (file, rank), to),
    };
    let other_side = || of_other_side(position, san);
    let missing = || of_missing_piece(position, san);
    let near = || similar(text, legal_moves(position));
    match san {
        // A pawn move is often a piece move without its letter, and the other side's pawns can go nearly everywhere.
        San::Normal { role: Role::Pawn, .. } => {
            hint.or_else(near).or_else(other_side).or_else(missing)
        }
        _ => hint.or_else(other_side).or_else(missing).or_else(near),
    }
}

/// All legal moves, as SAN.
pub(super) fn legal_moves(position: &Chess) -> Vec<String> {
    position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect()
}

/// The piece on a square.
fn on(position: &Chess, square: Square) -> Option<PieceOn> {
    Some(PieceOn { piece: position.board().piece_at(square)?, square })
}

/// The first piece on some squares.
fn first(position: &Chess, squares: Bitboard) -> Option<PieceOn> {
    on(position, squares.first()?)
}

fn of_piece(
    position: &Chess,
    role: Role,
    (file, rank): (Option<File>, Option<Rank>),
    to: Square,
) -> Option<Hint> {
    let (us, board) = (position.side_to_move(), position.board());
    let occupied = board.occupied();
    if board.by_color(us).has(to) {
        return Some(Hint::OwnPiece { piece: on(position, to)? });
    }
    let origin =
        file.map_or(Bitboard::FULL, Bitboard::file) & rank.map_or(Bitboard::FULL, Bitboard::rank);
    let pieces = board.by_piece(Piece { color: us, role }) & origin;
    if let Some(from) = (pieces & attacks_of(role, to, occupied)).first() {
        if role == Role::King {
            // The king does not hide the square behind it.
            let by = first(position, board.attackers(to, !us, occupied - from))?;
            return Some(Hint::Attacked { square: to, by });
        }
        return of_exposed_king(position, from, to);
    }
    let from = (pieces & attacks_of(role, to, Bitboard::EMPTY)).first()?;
    let way = lines::between(from, to) & occupied;
    let nearest = way.iter().min_by_key(|&square| (lines::between(from, square)).len())?;
    Some(Hint::Blocked { piece: on(position, from)?, by: on(position, nearest)? })
}

/// The reason why a piece may not go to a square that it attacks.
fn of_exposed_king(position: &Chess, from: Square, to: Square) -> Option<Hint> {
    let us = position.side_to_move();
    let checkers = position.checkers();
    let king = position.king(us);
    let answers = |checker: Square| checker == to || lines::between(king, checker).has(to);
    if let Some(unanswered) = checkers.iter().find(|&checker| !answers(checker)) {
        return Some(Hint::Check { by: on(position, unanswered)? });
    }
    let board = position.board();
    let occupied = board.occupied() - from;
    let snipers = board.attackers(king, !us, occupied) - checkers;
    Some(Hint::Pinned { piece: on(position, from)?, by: first(position, snipers)? })
}

fn of_pawn(position: &Chess, file: Option<File>, to: Square) -> Option<Hint> {
    let (us, board) = (position.side_to_move(), position.board());
    let pawns = board.by_piece(Piece { color: us, role: Role::Pawn });
    if board.by_color(us).has(to) {
        return Some(Hint::OwnPiece { piece: on(position, to)? });
    }
    let captures = file.is_some_and(|file| file != to.file());
    if captures {
        let origin = file.map_or(Bitboard::EMPTY, Bitboard::file);
        let from = (attacks::pawn(!us, to) & pawns & origin).first()?;
        // Removing the pawn captured en passant can expose the king, too.
        return match board.by_color(!us).has(to) || position.ep_square() == Some(to) {
            true => of_exposed_king(position, from, to),
            false => Some(Hint::NothingToCapture { square: to }),
        };
    }
    let one = Bitboard::square(to).forward(!us);
    let home = Bitboard::rank(if us == Color::White { Rank::Second } else { Rank::Seventh });
    let two = one.forward(!us) & home;
    // The nearest pawn that could move there.
    let from = if one.intersects(pawns) { one & pawns } else { two & pawns }.first()?;
    let way = (lines::between(from, to) | to) & board.occupied();
    match way.first() {
        Some(square) => {
            Some(Hint::Blocked { piece: on(position, from)?, by: on(position, square)? })
        }
        None => of_exposed_king(position, from, to),
    }
}

fn of_castling(position: &Chess, side: CastlingSide) -> Option<Hint> {
    let (us, board) = (position.side_to_move(), position.board());
    let king = position.king(us);
    let Some(rook) = position.castling().rook(us, side) else {
        return Some(Hint::NoCastling { color: us, side });
    };
    if let Some(by) = first(position, position.checkers()) {
        return Some(Hint::Check { by });
    }
    let king_to = Square::new(side.king_file(), king.rank());
    let rook_to = Square::new(side.rook_file(), king.rank());
    let crossed = lines::between(king, king_to) | king_to;
    let way = crossed | lines::between(king, rook) | lines::between(rook, rook_to) | rook_to;
    let others = board.occupied() - king - rook;
    if let Some(by) = first(position, way & others) {
        return Some(Hint::Blocked { piece: on(position, king)?, by });
    }
    crossed.iter().find_map(|square| {
        let by = first(position, board.attackers(square, !us, others))?;
        Some(Hint::Attacked { square, by })
    })
}

fn of_other_side(position: &Chess, san: &San) -> Option<Hint> {
    let passed = position.null_move()?;
    san.resolve(&passed).ok()?;
    Some(Hint::OtherSide { to_move: position.side_to_move() })
}

fn of_missing_piece(position: &Chess, san: &San) -> Option<Hint> {
    let San::Normal { role, file, to, .. } = *san else { return None };
    let piece = Piece { color: position.side_to_move(), role };
    let file = if role == Role::Pawn { file.or(Some(to.file())) } else { None };
    let squares = file.map_or(Bitboard::FULL, Bitboard::file);
    let missing = (position.board().by_piece(piece) & squares).is_empty();
    missing.then_some(Hint::NoSuchPiece { piece, file })
}

/// The squares from which such a piece (not a pawn) reaches a square.
fn attacks_of(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(to),
        Role::Bishop => attacks::bishop(to, occupied),
        Role::Rook => attacks::rook(to, occupied),
        Role::Queen => attacks::queen(to, occupied),
        Role::King => attacks::king(to),
        Role::Pawn | Role::Khon | Role::Met => Bitboard::EMPTY,
    }
}

/// The maximum number of similar moves in a hint.
const SIMILAR: usize = 3;

/// The legal moves with the most similar texts, if any are similar.
pub(super) fn similar(text: &str, legal: Vec<String>) -> Option<Hint> {
    let written = bare(text);
    let length = written.chars().count();
    // Longer words are not typos.
    if !(2..=8).contains(&length) {
        return None;
    }
    let nearness = |san: &str| {
        let san = bare(san);
        // Moves that differ only in case are the nearest.
        let cases = !san.eq_ignore_ascii_case(written);
        // A wrong target counts more than a wrong or missing piece.
        let from_target = san.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
        let target = !written.to_lowercase().ends_with(&san[from_target..]);
        (cases, osa_distance(written, san), target)
    };
    let mut near: Vec<_> = legal
        .into_iter()
        .map(|san| (nearness(&san), san))
        .filter(|((cases, distance, _), _)| !cases || *distance <= 1)
        .collect();
    near.sort();
    let best = near.first()?.0;
    near.retain(|(nearness, _)| *nearness == best);
    near.truncate(SIMILAR);
    Some(Hint::Similar { moves: near.into_iter().map(|(_, san)| san).collect() })
}

/// A move without its marks.
fn bare(san: &str) -> &str {
    san.trim_end_matches(['+', '#', '!', '?'])
}

/// The legal moves of the same kind of piece, for the list of expected moves.
pub(super) fn candidates(san: Option<San>, position: &Chess, same_target: bool) -> Vec<String> {
    let fits = |mv: Move| match san {
        Some(San::Castle(_)) => mv.is_castle(),
        Some(San::Normal { role, to, .. }) => {
            let file = role != Role::Pawn || mv.to().file() == to.file();
            position.board().role_at(mv.from()) == Some(role)
                && !mv.is_castle()
                && file
                && (!same_target || mv.to() == to)
        }
        None => false,
    };
    let legal = position.legal_moves();
    legal.iter().filter(|mv| fits(**mv)).map(|&mv| position.san(mv).to_string()).collect()
}
