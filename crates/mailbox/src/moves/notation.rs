//! Moves as text (the source's file `moves/notation.ts`): SAN such as `Rxd4`, in two sets of letters, and UCI.
//!
//! | | king | rook | knight | bishop, queen | khon | met | promoted bia | bia becomes a met |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | chess | `K` | `R` | `N` | `B`, `Q` | | | | |
//! | [`Dialect::Fairy`] | `K` | `R` | `N` | | `S` | `M` | `M` | `f6=M` |
//! | [`Dialect::Fairy`], ASEAN chess | `K` | `R` | `N` | | `B` | `Q` | | `f8=Q` |
//! | [`Dialect::MakrukJs`], the source's | `K` | `R` | `M` | | `T` | `E` | `F` | `f6=F`, in ASEAN chess `f8=E` |

use crate::state::{Game, State};
use crate::{Dialect, Index, Kind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use halfmove_rules::{CastlingStyle, Move, Role, SanError, Square, UciError};

impl<G: Game> State<G> {
    /// Writes a legal move as SAN, with Fairy-Stockfish's letters. For a move that is not legal here, the text is
    /// unspecified.
    ///
    /// ```
    /// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
    /// use halfmove_rules::{Move, Square};
    /// let fen = "8/8/8/2m~sm3/1p5k/4m~1m~1/6K1/4r3 b - - 0 1";
    /// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai)?;
    /// let mv = Move::normal(Square::E3, Square::F4);
    /// assert_eq!(position.san(mv), "Me3f4", "two mets and two promoted bias can go there");
    /// assert_eq!(position.san_in(mv, Dialect::MakrukJs), "Fef4");
    /// # Ok::<(), halfmove_mailbox::MakrukError>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        self.san_in(mv, Dialect::Fairy)
    }

    /// Writes a legal move as SAN. The letters of chess are the same in both dialects.
    pub fn san_in(&self, mv: Move, dialect: Dialect) -> String {
        let next = self.after(mv);
        let mark = match next.is_check() {
            true if !next.has_legal_move() => "#",
            true => "+",
            false => "",
        };
        self.unmarked_san(mv, dialect) + mark
    }

    /// Finds the legal move of a SAN with Fairy-Stockfish's letters.
    ///
    /// # Errors
    /// Those of [`parse_san_in`](Self::parse_san_in).
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_in(text, Dialect::Fairy)
    }

    /// Finds the legal move of a SAN. The marks `+ # ! ?` at its end are ignored, and so is a missing `x`; the origin
    /// may be longer than necessary, and the promotion may be missing if there is no choice.
    ///
    /// ```
    /// use halfmove_mailbox::{Chess, Dialect, Makruk};
    /// use halfmove_rules::{Move, SanError, Square};
    ///
    /// let khon = Move::normal(Square::C1, Square::C2);
    /// assert_eq!(Makruk::default().parse_san_in("Tc2", Dialect::MakrukJs), Ok(khon));
    /// assert_eq!(Makruk::default().parse_san("Sc2"), Ok(khon));
    ///
    /// let game = Chess::from_fen("4k3/8/8/8/3r4/8/8/R2RK3 w Q - 0 1").expect("a position");
    /// assert_eq!(game.parse_san("Rxd4"), Ok(Move::normal(Square::D1, Square::D4)));
    /// assert_eq!(game.parse_san("Rb1"), Err(SanError::Ambiguous));
    /// assert_eq!(game.parse_san("Rc4"), Err(SanError::Illegal));
    /// ```
    ///
    /// # Errors
    /// [`SanError::Ambiguous`] or [`SanError::MissingPromotion`] if several legal moves fit; [`SanError::Illegal`] if
    /// none does, or the text is not SAN.
    pub fn parse_san_in(&self, text: &str, dialect: Dialect) -> Result<Move, SanError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let named = self.read_san(text, dialect);
        let moves = self.legal_moves().into_iter();
        let found: Vec<Move> = match named {
            _ if matches!(text, "O-O" | "0-0" | "O-O-O" | "0-0-0") => {
                moves.filter(|mv| castling_san(*mv) == Some(&*text.replace('0', "O"))).collect()
            }
            Some(named) => moves.filter(|mv| self.fits(*mv, &named, dialect)).collect(),
            None => Vec::new(),
        };
        match found[..] {
            [] => Err(SanError::Illegal),
            [mv] => Ok(mv),
            [one, other, ..] if one.from() == other.from() => Err(SanError::MissingPromotion),
            _ => Err(SanError::Ambiguous),
        }
    }

    /// Writes a legal move as UCI does: two squares, and the letter of a promotion in lower case.
    ///
    /// ```
    /// use halfmove_mailbox::Chess;
    /// use halfmove_rules::{CastlingStyle, Move, Square};
    /// let game = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
    /// let mv = Move::castle(Square::E1, Square::H1);
    /// assert_eq!(game.uci(mv, CastlingStyle::KingToTarget), "e1g1");
    /// assert_eq!(game.uci(mv, CastlingStyle::KingTakesRook), "e1h1");
    /// ```
    pub fn uci(&self, mv: Move, style: CastlingStyle) -> String {
        let to = match style {
            CastlingStyle::KingToTarget if mv.is_castle() => castling_target(mv),
            _ => mv.to(),
        };
        let role = mv.promotion().and_then(|role| self.letter_of(role.into(), Dialect::Fairy));
        let role = role.map_or(String::new(), |letter| letter.to_lowercase().to_string());
        format!("{}{to}{role}", mv.from())
    }

    /// Finds the legal move that a UCI text names. Castling is read as the king taking its rook, and, outside Chess960
    /// (`KingToTarget`), as the king going to its target as well.
    ///
    /// # Errors
    /// [`UciError::Illegal`] if no legal move has this text.
    pub fn parse_uci(&self, text: &str, style: CastlingStyle) -> Result<Move, UciError> {
        let moves = self.legal_moves();
        let written = |style| moves.iter().find(|mv| self.uci(**mv, style) == text);
        let found = written(CastlingStyle::KingTakesRook).or_else(|| written(style));
        found.copied().ok_or(UciError::Illegal)
    }

    fn unmarked_san(&self, mv: Move, dialect: Dialect) -> String {
        if let Some(castling) = castling_san(mv) {
            return castling.to_string();
        }
        let (from, to) = (mv.from(), mv.to());
        let kind = self.kind_at(from);
        let is_pawn = kind == Some(Kind::Pawn);
        let is_capture = self.board.piece_at(to).is_some() || is_pawn && from.file() != to.file();
        let takes = if is_capture { "x" } else { "" };
        if is_pawn {
            let origin = if is_capture { from.file().to_string() } else { String::new() };
            let promotion = mv.promotion().and_then(|role| self.promotion_letter(role, dialect));
            let promotion = promotion.map_or(String::new(), |letter| format!("={letter}"));
            return format!("{origin}{takes}{to}{promotion}");
        }
        let letter = kind.and_then(|kind| self.letter_of(kind, dialect)).unwrap_or('?');
        format!("{letter}{}{takes}{to}", self.origin(mv, letter, dialect))
    }

    fn kind_at(&self, square: Square) -> Option<Kind> {
        self.board.piece_at(square).map(|piece| piece.kind)
    }

    /// The letter of a piece; that of a promoted bia is `M` in one dialect and `F` in the other.
    fn letter_of(&self, kind: Kind, dialect: Dialect) -> Option<char> {
        self.game.name(kind, dialect)?.chars().next()
    }

    fn promotion_letter(&self, role: Role, dialect: Dialect) -> Option<char> {
        self.letter_of(self.game.promoted(role), dialect)
    }

    /// The part of the origin that a SAN needs: nothing if no other piece with this letter can move
    /// there; else the file if no such piece shares it; else the rank if none shares it; else both.
    fn origin(&self, mv: Move, letter: char, dialect: Dialect) -> String {
        let from = mv.from();
        let has_letter = |square: &Square| {
            self.kind_at(*square).and_then(|kind| self.letter_of(kind, dialect)) == Some(letter)
        };
        let moves = self.legal_moves().into_iter();
        let rivals: Vec<Square> = moves
            .filter(|other| other.to() == mv.to() && other.from() != from)
            .map(Move::from)
            .filter(|other| self.kind_at(*other) != Some(Kind::Pawn) && has_letter(other))
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

    /// Parses a SAN, from its end.
    fn read_san(&self, text: &str, dialect: Dialect) -> Option<San> {
        let (text, promotion) = match text.split_once('=') {
            Some((head, role)) => (head, Some(role.parse().ok()?)),
            None => (text, None),
        };
        let (head, target) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to = target.parse().ok().filter(|_| !target.contains(char::is_uppercase))?;
        let letters = |kind: &Kind| self.letter_of(*kind, dialect);
        let letter = head.chars().next().filter(char::is_ascii_uppercase);
        match letter {
            Some(letter) if Kind::ALL.iter().filter_map(letters).all(|other| other != letter) => {
                return None;
            }
            _ => {}
        }
        let origin = &head[letter.map_or(0, char::len_utf8)..];
        let origin = origin.strip_suffix('x').unwrap_or(origin);
        let mut marks = origin.chars().peekable();
        let file = marks.next_if(|mark| ('a'..='h').contains(mark));
        let rank = marks.next_if(|mark| ('1'..='8').contains(mark));
        marks.next().is_none().then_some(San { letter, file, rank, to, promotion })
    }

    /// Returns true if a SAN describes this legal move.
    fn fits(&self, mv: Move, named: &San, dialect: Dialect) -> bool {
        let Some(kind) = self.kind_at(mv.from()).filter(|_| !mv.is_castle()) else { return false };
        // A capture by a pawn names its file.
        let names_file =
            kind != Kind::Pawn || named.file.is_some() || mv.from().file() == mv.to().file();
        let letter = Some(kind).filter(|kind| *kind != Kind::Pawn);
        let promotion = mv.promotion().and_then(|role| self.promotion_letter(role, dialect));
        let from = Index::new(mv.from());
        mv.to() == named.to
            && names_file
            && letter.and_then(|kind| self.letter_of(kind, dialect)) == named.letter
            && named.file.is_none_or(|file| file == char::from(b'a' + from.file()))
            && named.rank.is_none_or(|rank| rank == char::from(b'1' + from.rank()))
            && (named.promotion.is_none() || named.promotion == promotion)
    }
}

/// The parts of a SAN.
struct San {
    /// `None` for a pawn.
    letter: Option<char>,
    file: Option<char>,
    rank: Option<char>,
    to: Square,
    promotion: Option<char>,
}

/// The text of castling; `None` for any other move.
fn castling_san(mv: Move) -> Option<&'static str> {
    let is_king_side = mv.to().file() > mv.from().file();
    mv.is_castle().then_some(if is_king_side { "O-O" } else { "O-O-O" })
}

/// The target of the king.
fn castling_target(mv: Move) -> Square {
    let [king, rook] = [mv.from(), mv.to()].map(Index::new);
    super::generation::castling_targets(king, rook).0.square()
}
