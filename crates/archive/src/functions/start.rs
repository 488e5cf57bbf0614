//! Where a game starts, for functions that receive it as text along with the moves.

use halfmove_game::codec::halfmove;
use halfmove_game::replay::{Start, Target};
use halfmove_rules::Chess;

use crate::error::ArchiveError;

/// The position of a FEN.
pub(crate) fn parse_fen(fen: &str) -> Result<Chess, ArchiveError> {
    Chess::from_fen(fen.trim(), None).map_err(|error: halfmove_rules::FenError| ArchiveError::Fen {
        fen: fen.to_owned(),
        why: error.to_string(),
    })
}

/// An error about the bytes of `moves`.
pub(crate) fn bad_moves(error: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Damaged(format!("a value of the column moves: {error}"))
}

/// The start positions of successive games. Most are the usual one; any other is parsed again only when it changes.
#[derive(Debug)]
pub(crate) struct Starts {
    given: bool,
    usual: (Chess, Start),
    last: Option<(String, Chess, Start)>,
}

impl Starts {
    /// `given` says whether the caller passes the column `start_fen`.
    pub(crate) fn new(given: bool) -> Self {
        let usual = (Chess::default(), Start::usual());
        Self { given, usual, last: None }
    }

    /// Where the game of these moves starts.
    pub(crate) fn of(
        &mut self,
        moves: &[u8],
        start_fen: Option<&str>,
    ) -> Result<(&Chess, &Start), ArchiveError> {
        let Some(fen) = start_fen else {
            if halfmove::has_own_start(moves) {
                return Err(if self.given {
                    ArchiveError::damaged("a game does not start as usual and has no start_fen")
                } else {
                    ArchiveError::Query(
                        "a game does not start from the usual position: pass its start too, as in \
                         reaches(moves, start_fen, '…')"
                            .to_owned(),
                    )
                });
            }
            return Ok((&self.usual.0, &self.usual.1));
        };
        if self.last.as_ref().is_none_or(|(text, _, _)| text != fen) {
            let position = parse_fen(fen)?;
            let start = Start::new(&position);
            self.last = Some((fen.to_owned(), position, start));
        }
        match &self.last {
            Some((_, position, start)) => Ok((position, start)),
            None => Ok((&self.usual.0, &self.usual.1)),
        }
    }
}

/// The position to look for, row by row. A literal in the query is parsed once.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    last: Option<(String, Target)>,
}

impl Targets {
    /// The position of this row's FEN, ready for replay.
    pub(crate) fn of(&mut self, fen: &str) -> Result<&Target, ArchiveError> {
        if self.last.as_ref().is_none_or(|(text, _)| text != fen) {
            let target = Target::new(&parse_fen(fen)?);
            self.last = Some((fen.to_owned(), target));
        }
        match &self.last {
            Some((_, target)) => Ok(target),
            None => Err(ArchiveError::Query("no position was given".to_owned())),
        }
    }
}
