//! The fields of a code in the words of the tables of `docs/reference/codec.md`: the piece and its step.

use halfmove_rules::{AnyPosition, CastlingSide, Color, Move, Role, Square};

/// The fields of the code of a move: `queen d1, NE4 (piece 14, code 31)`.
pub(super) fn fields(position: &AnyPosition, mv: Move, code: &[u8]) -> String {
    let us = position.side_to_move();
    let king = position.king(us);
    // In a null move of Makruk the king stays.
    let from = if mv.is_null() { king } else { mv.from() };
    let role = position.board().piece_at(from).map_or(Role::Pawn, |piece| piece.role);
    match (position, code) {
        (AnyPosition::Makruk(_), [byte, ..]) => {
            let name = if role == Role::Pawn { "bia" } else { role.name() };
            let (number, code) = (byte >> 4, byte & 15);
            let step = match role {
                _ if mv.is_null() => "null move".to_owned(),
                Role::Rook => line(code),
                Role::Pawn => step(us, mv) + promotion(code),
                _ => step(us, mv),
            };
            format!("{name} {from}, {step} (piece {number}, code {code})")
        }
        _ if mv.is_null() => "null move".to_owned(),
        _ if mv.is_castle() => match CastlingSide::of(from, mv.to()) {
            CastlingSide::KingSide => "castling, king's side".to_owned(),
            CastlingSide::QueenSide => "castling, queen's side".to_owned(),
        },
        (_, [byte]) => {
            let (number, first) = piece_of(*byte);
            let distance = match (role, distance(mv)) {
                (Role::Bishop | Role::Rook | Role::Queen, distance) => distance.to_string(),
                (Role::Pawn, 2) => "N".to_owned(),
                _ => String::new(),
            };
            let (name, step, code) = (role.name(), step(us, mv), byte - first);
            format!("{name} {from}, {step}{distance} (piece {number}, code {code})")
        }
        _ => {
            let promotion =
                mv.promotion().map_or(String::new(), |role| format!("={}", role.name()));
            format!("{} {from} to {}{promotion} (any other move)", role.name(), mv.to())
        }
    }
}

/// The number of the piece of a chess code, and its first code.
fn piece_of(code: u8) -> (u8, u8) {
    let (first, codes, number) = match code {
        0x00..0x20 => (0x00, 4, 0),
        0x20..0x30 => (0x20, 8, 8),
        0x30..0x68 => (0x30, 28, 10),
        0x68..0xa0 => (0x68, 28, 12),
        0xa0..0xd8 => (0xa0, 56, 14),
        _ => (0xd8, 8, 15),
    };
    let among = (code - first) / codes;
    (number + among, first + among * codes)
}

/// The number of files to the east and of ranks toward the opponent.
fn difference(us: Color, mv: Move) -> (i8, i8) {
    let file = |square: Square| square.file() as i8;
    let rank = |square: Square| square.rank() as i8;
    let forward = if us == Color::White { 1 } else { -1 };
    (file(mv.to()) - file(mv.from()), (rank(mv.to()) - rank(mv.from())) * forward)
}

fn distance(mv: Move) -> i8 {
    let (files, ranks) = difference(Color::White, mv);
    files.abs().max(ranks.abs())
}

/// The direction: `N`, `SE`, a knight's `NNE` and `ENE`.
fn step(us: Color, mv: Move) -> String {
    let (files, ranks) = difference(us, mv);
    let ahead = if ranks > 0 { "N" } else { "S" };
    let aside = if files > 0 { "E" } else { "W" };
    match (files.abs(), ranks.abs()) {
        (0, _) => ahead.to_owned(),
        (_, 0) => aside.to_owned(),
        (1, 2) => format!("{ahead}{ahead}{aside}"),
        (2, 1) => format!("{aside}{ahead}{aside}"),
        _ => format!("{ahead}{aside}"),
    }
}

/// The line of a rook of Makruk: a rank, as its side counts them, or a file.
fn line(code: u8) -> String {
    match code {
        0..8 => format!("rank {}", code + 1),
        _ => format!("file {}", char::from(b'a' + (code & 7))),
    }
}

/// The promotion of a bia, unless it is to a met.
fn promotion(code: u8) -> &'static str {
    match code / 3 {
        1 => "=R",
        2 => "=S",
        3 => "=N",
        _ => "",
    }
}
