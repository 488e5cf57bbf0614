//! SAN with Fairy-Stockfish's letters.

use super::Makruk;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use halfmove_rules::{Move, Role, SanError, Square};

impl Makruk {
    /// Writes a legal move as SAN: `K M S N R` and no letter for a bia, `=M` for its promotion, and
    /// `M` for a flipped bia too; in ASEAN chess `Q` for a met and `B` for a khon. For a move that
    /// is not legal here, the text is unspecified.
    ///
    /// ```
    /// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
    /// use halfmove_rules::{Move, Square};
    /// let fen = "8/8/8/2m~sm3/1p5k/4m~1m~1/6K1/4r3 b - - 0 1";
    /// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai)?;
    /// assert_eq!(position.san(Move::normal(Square::E3, Square::F4)), "Me3f4");
    /// # Ok::<(), halfmove_mailbox::MakrukError>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let next = self.after(mv);
        let mark = match (next.is_check(), next.legal_moves().is_empty()) {
            (true, true) => "#",
            (true, false) => "+",
            (false, _) => "",
        };
        self.unmarked_san(mv) + mark
    }

    /// Finds the legal move that a SAN names. The marks `+ # ! ?` are ignored.
    ///
    /// # Errors
    /// [`SanError::Illegal`] if no legal move has this text.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let mut moves = self.legal_moves().into_iter();
        moves.find(|mv| self.unmarked_san(*mv) == text).ok_or(SanError::Illegal)
    }

    fn unmarked_san(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let takes = if self.board.piece_at(to).is_some() { "x" } else { "" };
        match self.role_at(from) {
            Some(Role::Pawn) | None => {
                let origin = if takes.is_empty() { String::new() } else { from.file().to_string() };
                let promotion = mv.promotion().map(|role| format!("={}", self.rules.letter(role)));
                format!("{origin}{takes}{to}{}", promotion.unwrap_or_default())
            }
            Some(role) => {
                format!("{}{}{takes}{to}", self.rules.letter(role), self.origin(mv, role))
            }
        }
    }

    fn role_at(&self, square: Square) -> Option<Role> {
        self.board.piece_at(square).map(|piece| piece.kind.role())
    }

    /// How much of the origin a SAN needs: nothing if no other piece with this letter can move
    /// there; else the file if no such piece shares it; else the rank if none shares it; else both.
    fn origin(&self, mv: Move, role: Role) -> String {
        let from = mv.from();
        let rivals: Vec<Square> = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.to() == mv.to() && other.from() != from)
            .map(Move::from)
            .filter(|other| self.role_at(*other) == Some(role))
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|other| other.file() != from.file()) {
            from.file().to_string()
        } else if rivals.iter().all(|other| other.rank() != from.rank()) {
            from.rank().to_string()
        } else {
            from.to_string()
        }
    }
}
