//! A state as FEN (the source's file `fen/exporter.ts`).

use super::Dialect;
use super::import::outermost;
use crate::state::{Game, State};
use crate::{Chess, Counting, Honor, Index, Makruk};
use alloc::format;
use alloc::string::{String, ToString};
use halfmove_rules::{CastlingSide, Color};

impl<G: Game> State<G> {
    /// The pieces, rank by rank from the eighth.
    pub(crate) fn placement(&self, dialect: Dialect) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for index in Index::all().filter(|index| index.rank() == rank) {
                let piece = self.board.at(index);
                let name = piece.and_then(|piece| self.game.name(piece.kind, dialect));
                if name.is_none() {
                    empty += 1;
                }
                if empty > 0 && (name.is_some() || index.file() == 7) {
                    text.extend(char::from_digit(empty, 10));
                    empty = 0;
                }
                let is_white = piece.is_some_and(|piece| piece.color == Color::White);
                let letters = name.unwrap_or_default().chars();
                text.extend(letters.map(|letter| match is_white {
                    true => letter,
                    false => letter.to_ascii_lowercase(),
                }));
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }
}

impl Makruk {
    /// Writes the FEN.
    pub fn to_fen(&self, dialect: Dialect) -> String {
        let placement = self.placement(dialect);
        let side = letter(self.side_to_move);
        let number = self.fullmove_number;
        match (dialect, self.game.counting) {
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

impl Chess {
    /// Writes the FEN, with `KQkq` wherever that identifies the rook (X-FEN), and with the en passant square only if a
    /// capture there is legal.
    pub fn to_fen(&self) -> String {
        let mut rights = String::new();
        for color in Color::ALL {
            for wing in CastlingSide::ALL {
                rights.extend(self.right(color, wing));
            }
        }
        if rights.is_empty() {
            rights.push('-');
        }
        let placement = self.placement(Dialect::Fairy);
        let side = letter(self.side_to_move);
        let ep_square = self.legal_ep_square().map_or("-".to_string(), |square| square.to_string());
        let (clock, number) = (self.halfmove_clock, self.fullmove_number);
        format!("{placement} {side} {rights} {ep_square} {clock} {number}")
    }

    /// The letter of a right, if the side has it.
    fn right(&self, color: Color, wing: CastlingSide) -> Option<char> {
        let mut rooks = self.game.castling_rooks.iter().filter(|(owner, _)| *owner == color);
        let (_, rook) = rooks.find(|(_, rook)| self.wing(color, *rook) == wing)?;
        let letter = if outermost(&self.board, color, wing) == Some(*rook) {
            if wing == CastlingSide::KingSide { 'k' } else { 'q' }
        } else {
            char::from(b'a' + rook.file())
        };
        Some(if color == Color::White { letter.to_ascii_uppercase() } else { letter })
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}
