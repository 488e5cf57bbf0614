//! A board as the first field of a FEN.

use super::fen::{FenSyntaxError, parse_placement};
use crate::{Board, File, Rank, Square};
use core::fmt;

/// A board as the first field of a FEN. Returned by [`Board::placement`].
#[derive(Copy, Clone, Debug)]
pub struct Placement<'a>(&'a Board);

impl Board {
    /// Reads the placement of chess pieces, as in the first field of a FEN.
    ///
    /// ```
    /// use halfmove_rules::{Board, Chess};
    /// let board = Board::from_placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")?;
    /// assert_eq!(&board, Chess::default().board());
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenSyntaxError`], if the text is not eight ranks of eight squares.
    pub fn from_placement(text: &str) -> Result<Self, FenSyntaxError> {
        parse_placement(0, text.as_bytes())
    }

    /// Displays the placement of the pieces as the first field of a FEN.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let placement = Chess::default().board().placement().to_string();
    /// assert_eq!(placement, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    /// ```
    pub const fn placement(&self) -> Placement<'_> {
        Placement(self)
    }
}

impl fmt::Display for Placement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.0.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.to_char())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}
