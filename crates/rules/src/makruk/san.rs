//! Moves of Makruk as text.
//!
//! Four styles of SAN are in use. They differ in their letters, and in the treatment of a met and a promoted bia as one
//! or two kinds of pieces in disambiguation:
//!
//! | | Fairy-Stockfish | makruk-js | PlayOK | Thai |
//! | --- | --- | --- | --- | --- |
//! | khun, met, khon | `K` `M` `S` | `K` `E` `T` | `K` `Q` `B` | `ข` `ม็` `ค` |
//! | ma, ruea | `N` `R` | `M` `R` | `N` `R` | `ม` `ร` |
//! | promoted bia | `M` | `F` | `P` | `ง` |
//! | promotion | `f6=M` | `f6=F` | `f6=P` | `ฉ๖=M` |
//! | a move of the khon | `Sd4` | `Td4` | `Bd4` | `ค-ง๔` |
//! | met and promoted bia | one piece | two | two | one |
//!
//! Thai letters are ambiguous: `คxง๓` is either the khon or the bia on the c-file capturing on d3. If both can, the bia
//! is written with its letter, `บคxง๓`, and the khon with its square, `คจ๒xง๓`. Without a capture, the hyphen
//! distinguishes them: only pieces have one, so `ค-ค๔` is the khon, and `ค๔` the bia.
//!
//! # Source
//! Fairy-Stockfish, `apiutil.h`; makruk-js, `notation.ts` (its writer omits the file if two pieces
//! stand on different ranks and files; this one does not); games exported from PlayOK.

use super::{Makruk, Rules};
use crate::{File, Move, MoveKind, Rank, Role, SanError, Square, UciError, UciMove};
use arrayvec::ArrayString;
use core::fmt::{self, Write};
use core::ops::{ControlFlow, Deref};

/// A style of SAN of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SanStyle {
    /// Fairy-Stockfish's and pychess's: `Sd4`, `f6=M`.
    Fairy,
    /// makruk-js's: `Td4`, `f6=F`.
    MakrukJs,
    /// PlayOK's: `Bd4`, `f6=P`.
    PlayOk,
    /// Thai letters and digits: `ค-ง๔`, `ฉ๖=M`.
    Thai,
}

const THAI_FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
const THAI_DIGITS: [char; 8] = ['๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘'];

impl SanStyle {
    /// All styles.
    pub const ALL: [Self; 4] = [Self::Fairy, Self::MakrukJs, Self::PlayOk, Self::Thai];

    /// The letter of a piece; empty for a bia.
    const fn letter(self, rules: Rules, role: Role, promoted: bool) -> &'static str {
        let asean = matches!(rules, Rules::Asean);
        match (self, role) {
            (_, Role::Pawn | Role::Bishop | Role::Queen) => "",
            (Self::Thai, Role::King) => "ข",
            (Self::Thai, Role::Rook) => "ร",
            (Self::Thai, Role::Knight) => "ม",
            (Self::Thai, Role::Khon) => "ค",
            (Self::Thai, Role::Met) if promoted => "ง",
            (Self::Thai, Role::Met) => "ม็",
            (_, Role::King) => "K",
            (_, Role::Rook) => "R",
            (Self::MakrukJs, Role::Knight) => "M",
            (_, Role::Knight) => "N",
            (Self::Fairy, Role::Khon) if asean => "B",
            (Self::Fairy, Role::Met) if asean => "Q",
            (Self::Fairy, Role::Khon) => "S",
            (Self::Fairy, Role::Met) => "M",
            (Self::MakrukJs, Role::Khon) => "T",
            (Self::MakrukJs, Role::Met) if promoted => "F",
            (Self::MakrukJs, Role::Met) => "E",
            (Self::PlayOk, Role::Khon) => "B",
            (Self::PlayOk, Role::Met) if promoted => "P",
            (Self::PlayOk, Role::Met) => "Q",
        }
    }

    /// The letter of a bia, in styles that sometimes write one.
    const fn bia(self) -> Option<&'static str> {
        match self {
            Self::Fairy => Some("P"),
            Self::MakrukJs => Some("B"),
            Self::PlayOk => None,
            Self::Thai => Some("บ"),
        }
    }

    /// The letter after `=`.
    const fn promotion(self, rules: Rules, role: Role) -> &'static str {
        match (self, rules) {
            (Self::Thai, _) => Self::Fairy.letter(rules, role, false),
            (_, Rules::Asean) => self.letter(rules, role, false),
            _ => self.letter(rules, role, true),
        }
    }

    /// Returns true if a met and a promoted bia are two kinds of piece.
    const fn distinguishes_promoted(self) -> bool {
        matches!(self, Self::MakrukJs | Self::PlayOk)
    }

    fn file(self, letter: char) -> Option<File> {
        match self {
            Self::Thai => {
                THAI_FILES.iter().position(|file| *file == letter).map(|index| File::ALL[index])
            }
            _ => u8::try_from(letter).ok().and_then(File::from_letter),
        }
    }

    fn rank(self, digit: char) -> Option<Rank> {
        match self {
            Self::Thai => {
                THAI_DIGITS.iter().position(|rank| *rank == digit).map(|index| Rank::ALL[index])
            }
            _ => u8::try_from(digit).ok().and_then(Rank::from_digit),
        }
    }

    fn write_file(self, file: File, out: &mut impl Write) -> fmt::Result {
        out.write_char(match self {
            Self::Thai => THAI_FILES[file.index()],
            _ => file.letter(),
        })
    }

    fn write_rank(self, rank: Rank, out: &mut impl Write) -> fmt::Result {
        out.write_char(match self {
            Self::Thai => THAI_DIGITS[rank.index()],
            _ => rank.digit(),
        })
    }
}

/// A move of Makruk as text, in any style. It is stored on the stack.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StyledSan(ArrayString<24>);

impl StyledSan {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for StyledSan {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StyledSan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A possible meaning of the text before the target: the piece and its origin.
#[derive(Copy, Clone)]
struct Origin {
    role: Role,
    promoted: Option<bool>,
    file: Option<File>,
    rank: Option<Rank>,
}

/// The legal moves that a text may mean.
#[derive(Default)]
struct Readings {
    /// The origin of the last one.
    found: Option<(Square, MoveKind)>,
    several: bool,
}

impl Readings {
    fn add(&mut self, from: Square, kind: MoveKind) {
        self.several |= self.found.replace((from, kind)).is_some();
    }
}

impl Makruk {
    /// Writes a legal move as SAN, in Fairy-Stockfish's style.
    ///
    /// For a move that is not legal here, the text is unspecified.
    pub fn san(&self, mv: Move) -> crate::SanText {
        let mut text = ArrayString::new();
        // The longest moves have seven letters, such as Ra1xa2+: writing cannot run out of room.
        let _ = self.write_san(mv, SanStyle::Fairy, false, &mut text);
        crate::SanText(text)
    }

    /// Writes a legal move as SAN in a style, with the minimal disambiguation.
    ///
    /// For a move that is not legal here, the text is unspecified.
    ///
    /// ```
    /// use halfmove_rules::makruk::SanStyle;
    /// use halfmove_rules::{Makruk, Move, Role, Square};
    ///
    /// let position: Makruk = "8/3k4/8/4m3/5P2/8/8/2K5 w - - 0 1".parse().unwrap();
    /// let mv = Move::normal(Square::F4, Square::E5);
    /// assert_eq!(position.san_in(mv, SanStyle::Fairy).as_str(), "fxe5");
    /// assert_eq!(position.san_in(mv, SanStyle::Thai).as_str(), "ฉxจ๕");
    /// let next = position.play(mv).unwrap().play(Move::normal(Square::D7, Square::C7)).unwrap();
    /// let promotion = Move::promote(Square::E5, Square::E6, Role::Met).unwrap();
    /// assert_eq!(next.san_in(promotion, SanStyle::PlayOk).as_str(), "e6=P");
    /// ```
    pub fn san_in(&self, mv: Move, style: SanStyle) -> StyledSan {
        let mut text = ArrayString::new();
        // The longest moves have seven letters of three bytes and a mark.
        let _ = self.write_san(mv, style, false, &mut text);
        // Without a capture, a hyphen distinguishes pieces from bias.
        if style == SanStyle::Thai && text.contains('x') && self.parse_san_in(&text, style).is_err()
        {
            text.clear();
            let _ = self.write_san(mv, style, true, &mut text);
        }
        StyledSan(text)
    }

    /// Writes SAN; `whole` adds the letter of a bia, and the square of any other piece.
    fn write_san(
        &self,
        mv: Move,
        style: SanStyle,
        whole: bool,
        out: &mut impl Write,
    ) -> fmt::Result {
        if mv.is_null() {
            return out.write_str(crate::notation::san::NULL);
        }
        let (from, to) = (mv.from(), mv.to());
        let role = self.board.role_at(from).unwrap_or(Role::Pawn);
        let takes = self.board.occupied().has(to);
        let promoted = self.promoted.has(from);
        if role == Role::Pawn {
            if whole {
                out.write_str(style.bia().unwrap_or_default())?;
            }
            if takes {
                style.write_file(from.file(), out)?;
            }
        } else {
            out.write_str(style.letter(self.rules, role, promoted))?;
            let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
            let _: ControlFlow<()> = self.visit_moves(|piece| {
                let other = piece.from(to);
                let alike = piece.role() == role
                    && (!style.distinguishes_promoted() || self.promoted.has(other) == promoted);
                if alike && other != from && piece.targets().has(to) {
                    rivals = true;
                    same_file |= other.file() == from.file();
                    same_rank |= other.rank() == from.rank();
                }
                ControlFlow::Continue(())
            });
            if whole || rivals && (!same_file || same_rank) {
                style.write_file(from.file(), out)?;
            }
            if whole || same_file {
                style.write_rank(from.rank(), out)?;
            }
        }
        if takes {
            out.write_char('x')?;
        } else if style == SanStyle::Thai && role != Role::Pawn {
            out.write_char('-')?;
        }
        style.write_file(to.file(), out)?;
        style.write_rank(to.rank(), out)?;
        if let Some(name) = mv.promotion() {
            write!(out, "={}", style.promotion(self.rules, name))?;
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        match next.is_check() {
            true if !next.has_moves() => out.write_char('#'),
            true => out.write_char('+'),
            false => Ok(()),
        }
    }

    /// Reads SAN in Fairy-Stockfish's style and finds the legal move: [`Makruk::parse_san_in`] has the other styles
    /// and the details.
    ///
    /// # Errors
    /// Those of [`Makruk::parse_san_in`].
    ///
    /// ```
    /// use halfmove_rules::{Makruk, Move, Square};
    ///
    /// let khon = Makruk::default().parse_san("Sc2")?;
    /// assert_eq!(khon, Move::normal(Square::C1, Square::C2));
    /// # Ok::<(), halfmove_rules::SanError>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_in(text, SanStyle::Fairy)
    }

    /// Reads SAN in a style and finds the legal move.
    ///
    /// Parsing is tolerant: it accepts any of `+ # ! ?` at the end, unneeded disambiguation, the letter of the bia, and
    /// a missing promotion where there is no choice. In Makruk and Makpong it accepts any letter that a program uses
    /// for the promotion, with or without `=`: `f6=M`, `f6=F`, `f6=P`, `f6=Q`, `f6=E`, `f6M`. Marks for captures and
    /// checks are not verified.
    ///
    /// # Errors
    /// [`SanError::Syntax`], [`SanError::Illegal`], [`SanError::Ambiguous`], or
    /// [`SanError::MissingPromotion`] in ASEAN chess.
    ///
    /// ```
    /// use halfmove_rules::makruk::SanStyle;
    /// use halfmove_rules::{Makruk, Move, SanError, Square};
    ///
    /// let start = Makruk::default();
    /// let khon = Move::normal(Square::C1, Square::C2);
    /// assert_eq!(start.parse_san_in("Sc2", SanStyle::Fairy), Ok(khon));
    /// assert_eq!(start.parse_san_in("Tc2", SanStyle::MakrukJs), Ok(khon));
    /// assert_eq!(start.parse_san_in("ค-ค๒", SanStyle::Thai), Ok(khon));
    /// assert_eq!(start.parse_san_in("Sc3", SanStyle::Fairy), Err(SanError::Illegal));
    /// ```
    pub fn parse_san_in(&self, text: &str, style: SanStyle) -> Result<Move, SanError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let (text, promotion) = self.split_promotion(text, style)?;
        let mut letters = text.chars();
        let error = |rest: &str| SanError::Syntax { offset: rest.len() };
        let rank = letters.next_back().and_then(|digit| style.rank(digit));
        let rank = rank.ok_or(error(letters.as_str()))?;
        let file = letters.next_back().and_then(|letter| style.file(letter));
        let file = file.ok_or(error(letters.as_str()))?;
        let to = Square::new(file, rank);
        let head = letters.as_str();
        let has_hyphen = head.ends_with('-');
        let head = head.strip_suffix(['x', '-', ':']).unwrap_or(head);

        let mut readable = false;
        // Moves that promote if and only if the text says so, and others.
        let mut exact = Readings::default();
        let mut loose = Readings::default();
        for origin in self.origins(head, style) {
            readable = true;
            // A bia takes no hyphen: `ค-ค๔` is the khon, if it can go there. Bias are the last origins.
            if has_hyphen && origin.role == Role::Pawn && exact.found.is_some() {
                continue;
            }
            let _: ControlFlow<()> = self.visit_moves(|piece| {
                let from = piece.from(to);
                let was_bia = self.promoted.has(from);
                if piece.role() == origin.role
                    && piece.targets().has(to)
                    && origin.promoted.is_none_or(|promoted| promoted == was_bia)
                    && origin.file.is_none_or(|file| file == from.file())
                    && origin.rank.is_none_or(|rank| rank == from.rank())
                {
                    let promotes = piece.kind() != MoveKind::Normal;
                    let is_exact = promotes == promotion.is_some();
                    if is_exact { &mut exact } else { &mut loose }.add(from, piece.kind());
                }
                ControlFlow::Continue(())
            });
        }
        let Readings { found, several } = if exact.found.is_some() { exact } else { loose };
        match (found, promotion) {
            (None, _) => {
                Err(if readable { SanError::Illegal } else { SanError::Syntax { offset: 0 } })
            }
            (Some(_), _) if several => Err(SanError::Ambiguous),
            (Some((from, MoveKind::ToMet)), None | Some(Role::Met)) => {
                Ok(Move::promoting(from, to, Role::Met))
            }
            (Some((_, MoveKind::AseanPromotion)), None) => Err(SanError::MissingPromotion),
            (Some((from, MoveKind::AseanPromotion)), Some(role)) => {
                Move::promote(from, to, role).ok_or(SanError::Illegal)
            }
            (Some((from, MoveKind::Normal)), None) => Ok(Move::normal(from, to)),
            (Some(_), _) => Err(SanError::Illegal),
        }
    }

    /// Splits off the role that a bia promotes to: after `=`, or glued to the rank.
    fn split_promotion<'a>(
        &self,
        text: &'a str,
        style: SanStyle,
    ) -> Result<(&'a str, Option<Role>), SanError> {
        let (head, letter) = match text.split_once('=') {
            Some(parts) => parts,
            None => {
                let at = text.char_indices().next_back().map_or(0, |(at, _)| at);
                let (head, last) = text.split_at(at);
                let is_glued = head.chars().next_back().and_then(|digit| style.rank(digit));
                match is_glued.filter(|_| last.starts_with(|c: char| c.is_ascii_uppercase())) {
                    Some(_) => (head, last),
                    None => return Ok((text, None)),
                }
            }
        };
        let role = match self.rules {
            Rules::Asean => super::ASEAN_PROMOTIONS
                .into_iter()
                .find(|role| style.promotion(self.rules, *role) == letter),
            // There is no choice, and programs use all of these letters for the met.
            _ => matches!(letter, "M" | "F" | "P" | "Q" | "E").then_some(Role::Met),
        };
        let offset = text.len() - letter.len();
        Ok((head, Some(role.ok_or(SanError::Syntax { offset })?)))
    }

    /// The possible meanings of the text before the target; in Thai there may be several.
    fn origins(&self, head: &str, style: SanStyle) -> impl Iterator<Item = Origin> {
        // In Thai, the met's letter starts with the knight's. What then remains is not a file, so the
        // reading as a knight fails below.
        let pieces = [Role::King, Role::Rook, Role::Knight, Role::Khon, Role::Met];
        let kinds = pieces.into_iter().flat_map(move |role| {
            [false, true].into_iter().filter_map(move |promoted| {
                if promoted && role != Role::Met {
                    return None;
                }
                let letter = style.letter(self.rules, role, promoted);
                let rest = head.strip_prefix(letter)?;
                // If both have the same letter, it may be either; in Thai the letters differ.
                let distinct = style.letter(self.rules, Role::Met, false)
                    != style.letter(self.rules, Role::Met, true);
                if promoted && !distinct {
                    return None;
                }
                Some((role, (role == Role::Met && distinct).then_some(promoted), rest))
            })
        });
        let bia = style.bia().and_then(|letter| head.strip_prefix(letter)).into_iter();
        let bias = bia.chain([head]).map(|rest| (Role::Pawn, None, rest));
        kinds.chain(bias).filter_map(move |(role, promoted, rest)| {
            let mut letters = rest.chars().peekable();
            let file = letters.peek().and_then(|letter| style.file(*letter));
            if file.is_some() {
                letters.next();
            }
            let rank = letters.peek().and_then(|digit| style.rank(*digit));
            if rank.is_some() {
                letters.next();
            }
            letters.next().is_none().then_some(Origin { role, promoted, file, rank })
        })
    }

    /// Writes a move in UCI notation: two squares, and the suffix `m` if a bia promotes to a met.
    /// In ASEAN chess the suffix is `q` for a met, `b` for a khon, `r` or `n`.
    ///
    /// ```
    /// use halfmove_rules::makruk::{Dialect, Rules, Setup};
    /// use halfmove_rules::{Makruk, Role};
    ///
    /// let setup = Setup::parse("8/3P4/8/1k6/8/3K4/8/8 w - - 0 1", Rules::Asean, Dialect::Fairy)?;
    /// let position = Makruk::from_setup(setup)?;
    /// let mv = position.parse_uci("d7d8b").unwrap();
    /// assert_eq!(mv.promotion(), Some(Role::Khon));
    /// assert_eq!(position.uci(mv).to_string(), "d7d8b");
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    pub fn uci(&self, mv: Move) -> UciMove {
        let promotion = match (self.rules, mv.promotion()) {
            (Rules::Asean, Some(Role::Khon)) => Some(Role::Bishop),
            (Rules::Asean, Some(Role::Met)) => Some(Role::Queen),
            (_, promotion) => promotion,
        };
        UciMove { from: mv.from(), to: mv.to(), promotion }
    }

    /// Reads a move in UCI notation, as [`uci`](Self::uci) writes it, and finds the legal move: two
    /// squares, and the suffix `m` if a bia promotes to a met (`q`, `b`, `r` or `n` in ASEAN
    /// chess). ASEAN chess also reads `m` for a met and `s` for a khon, as a [`Move`] displays itself.
    ///
    /// # Errors
    /// [`UciError::Syntax`], [`UciError::Null`] or [`UciError::Illegal`].
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    ///
    /// let position: Makruk = "8/3k4/8/4P3/8/8/8/2K5 w - - 0 1".parse().unwrap();
    /// let promotion = position.parse_uci("e5e6m")?;
    /// assert_eq!(position.uci(promotion).to_string(), "e5e6m");
    /// assert!(position.parse_uci("e5e6").is_err());
    /// # Ok::<(), halfmove_rules::UciError>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        let UciMove { from, to, promotion } = text.parse()?;
        let mv = match (self.rules, promotion) {
            (_, None) => Some(Move::normal(from, to)),
            (Rules::Asean, Some(Role::Bishop)) => Move::promote(from, to, Role::Khon),
            (Rules::Asean, Some(Role::Queen)) => Move::promote(from, to, Role::Met),
            (_, Some(role)) => Move::promote(from, to, role),
        };
        mv.filter(|mv| self.is_legal(*mv)).ok_or(UciError::Illegal)
    }
}
