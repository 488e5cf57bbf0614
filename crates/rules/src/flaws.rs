//! The flaws of a setup: their kinds, sets of them, and the error that reports them.

mod check;

use crate::{Bitboard, CastlingMode, CastlingSide, Color, Piece, Rank, Role, Setup, Square};
use core::fmt;
use core::ops::{BitAnd, BitOr, Sub};
use thiserror::Error;

/// A kind of flaw: a reason why no game can reach a setup.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Flaw {
    /// A side has no king.
    NoKing,
    /// A side has more than one king.
    SeveralKings,
    /// A pawn stands on the first or the eighth rank.
    PawnOnBackRank,
    /// There is a piece that chess does not have: a khon or a met.
    ForeignPiece,
    /// The side that is not to move is in check.
    OppositeCheck,
    /// A castling right without its king or rook in place. In standard chess this includes kings
    /// and rooks that could castle only in Chess960.
    Castling,
    /// An en passant square that no pawn can have skipped in the last move.
    EnPassant,
    /// A side has more pawns and promoted pieces than the eight pawns it started with.
    Material,
    /// The side to move is in a check that no move can have given: by three pieces, by two that no
    /// single move can bring into play together, or by a piece that was already giving check before
    /// the double step that the en passant square implies.
    ImpossibleCheck,
}

impl Flaw {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::NoKing,
        Self::SeveralKings,
        Self::PawnOnBackRank,
        Self::ForeignPiece,
        Self::OppositeCheck,
        Self::Castling,
        Self::EnPassant,
        Self::Material,
        Self::ImpossibleCheck,
    ];
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoKing => "no king",
            Self::SeveralKings => "several kings",
            Self::PawnOnBackRank => "pawn on the first or eighth rank",
            Self::ForeignPiece => "piece of another game",
            Self::OppositeCheck => "check to the side that is not to move",
            Self::Castling => "castling right without king or rook",
            Self::EnPassant => "impossible en passant square",
            Self::Material => "too many pieces",
            Self::ImpossibleCheck => "impossible check",
        })
    }
}

/// A set of flaws: those found in a [`Setup`], or those that a caller forgives.
///
/// ```
/// use halfmove_rules::{Flaw, Flaws, Setup};
/// let setup: Setup = "4k3/8/8/8/8/8/8/4R2K w K - 0 1".parse()?;
/// assert_eq!(setup.flaws(), Flaws::from(Flaw::OppositeCheck) | Flaw::Castling);
/// assert_eq!(
///     setup.flaws().to_string(),
///     "check to the side that is not to move, castling right without king or rook"
/// );
/// # Ok::<(), halfmove_rules::FenSyntaxError>(())
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Flaws(u16);

impl Flaws {
    /// No flaw.
    pub const NONE: Self = Self(0);

    /// Castling rights and en passant squares that contradict the board, as in many files. If
    /// forgiven, they are dropped.
    pub const LEFTOVERS: Self = Self(1 << Flaw::Castling as u16 | 1 << Flaw::EnPassant as u16);

    /// Positions that are playable although no game can reach them. If forgiven, they are kept.
    pub const UNREACHABLE: Self =
        Self(1 << Flaw::Material as u16 | 1 << Flaw::ImpossibleCheck as u16);

    /// All flaws that can be forgiven. No game can be played without exactly one king per side, with
    /// pawns on the first or last rank, or with a king that can be captured.
    const FORGIVABLE: Self = Self(Self::LEFTOVERS.0 | Self::UNREACHABLE.0);

    /// Returns true if there is no flaw.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set contains a flaw.
    pub const fn has(self, flaw: Flaw) -> bool {
        self.0 >> flaw as u16 & 1 != 0
    }

    /// The flaws, in the order of [`Flaw::ALL`].
    ///
    /// ```
    /// use halfmove_rules::{Flaw, Flaws};
    /// assert!(Flaws::LEFTOVERS.iter().eq([Flaw::Castling, Flaw::EnPassant]));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Flaw> {
        Flaw::ALL.into_iter().filter(move |flaw| self.has(*flaw))
    }

    /// The flaws that remain: not forgiven, or not forgivable.
    pub(crate) fn unforgiven(self, forgiven: Self) -> Self {
        self - (forgiven & Self::FORGIVABLE)
    }
}

impl From<Flaw> for Flaws {
    fn from(flaw: Flaw) -> Self {
        Self(1 << flaw as u16)
    }
}

impl FromIterator<Flaw> for Flaws {
    fn from_iter<I: IntoIterator<Item = Flaw>>(flaws: I) -> Self {
        flaws.into_iter().fold(Self::NONE, |set, flaw| set | flaw)
    }
}

impl<F: Into<Self>> BitOr<F> for Flaws {
    type Output = Self;

    fn bitor(self, other: F) -> Self {
        Self(self.0 | other.into().0)
    }
}

impl<F: Into<Self>> BitAnd<F> for Flaws {
    type Output = Self;

    fn bitand(self, other: F) -> Self {
        Self(self.0 & other.into().0)
    }
}

impl<F: Into<Self>> Sub<F> for Flaws {
    type Output = Self;

    fn sub(self, other: F) -> Self {
        Self(self.0 & !other.into().0)
    }
}

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, flaw) in self.iter().enumerate() {
            write!(f, "{}{flaw}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The reasons why a setup is not a legal position, all of them at once. `Display` names the squares.
///
/// ```
/// use halfmove_rules::{Chess, Flaws, Setup};
/// let setup: Setup = "P3k3/8/8/8/8/8/8/8 w - e6 0 1".parse()?;
/// let error = Chess::from_setup(setup, Flaws::LEFTOVERS).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "white has no king, expected one; \
///      pawn on a8, expected none on the first and eighth rank"
/// );
/// # Ok::<(), halfmove_rules::FenSyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct PositionError {
    flaws: Flaws,
    setup: Setup,
    mode: CastlingMode,
}

impl PositionError {
    pub(crate) fn new(flaws: Flaws, setup: Setup, mode: CastlingMode) -> Self {
        Self { flaws, setup, mode }
    }

    /// The flaws, without those that the caller forgave.
    pub fn flaws(&self) -> Flaws {
        self.flaws
    }

    /// The setup, unchanged.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for flaw in self.flaws.iter() {
            self.setup.visit_details(self.mode, flaw, |detail| {
                let separator = if core::mem::take(&mut first) { "" } else { "; " };
                write!(f, "{separator}{detail}")
            })?;
        }
        Ok(())
    }
}

/// Displays squares as a list: `a1, c3`.
struct Squares(Bitboard);

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.0.into_iter().enumerate() {
            write!(f, "{}{square}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Setup {
    /// All flaws of this setup as a position of standard chess.
    ///
    /// A setup without flaws is not necessarily reachable: that cannot be decided by inspecting the
    /// position.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Flaw, Setup};
    /// assert!(Chess::default().to_setup().flaws().is_empty());
    /// let queens: Setup = "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1".parse()?;
    /// assert!(queens.flaws().has(Flaw::Material));
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    pub fn flaws(&self) -> Flaws {
        self.flaws_in(CastlingMode::Standard)
    }

    /// All flaws of this setup in the given castling mode, which affects [`Flaw::Castling`].
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Flaw, Setup};
    /// let setup: Setup = "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1".parse()?;
    /// assert!(setup.flaws_in(CastlingMode::Standard).has(Flaw::Castling));
    /// assert!(setup.flaws_in(CastlingMode::Chess960).is_empty());
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    pub fn flaws_in(&self, mode: CastlingMode) -> Flaws {
        let kings = Color::ALL.map(|color| self.kings(color).len());
        let ep_square = self.ep_square.filter(|square| self.allows_en_passant(*square));
        let found = |flaw: &Flaw| match flaw {
            Flaw::NoKing => kings.contains(&0),
            Flaw::SeveralKings => kings.iter().any(|kings| *kings > 1),
            Flaw::PawnOnBackRank => !self.pawns_on_back_ranks().is_empty(),
            Flaw::ForeignPiece => !self.foreign_pieces().is_empty(),
            Flaw::OppositeCheck => !self.giving_check_to(!self.side_to_move).is_empty(),
            Flaw::Castling => self.empty_rights(mode).next().is_some(),
            Flaw::EnPassant => ep_square != self.ep_square,
            Flaw::Material => Color::ALL.into_iter().any(|color| {
                let (pawns, promoted) = self.pawns_and_promoted(color);
                pawns + promoted > 8
            }),
            Flaw::ImpossibleCheck => !check::can_arise(&self.board, self.side_to_move, ep_square),
        };
        Flaw::ALL.into_iter().filter(found).collect()
    }

    /// Describes every instance of a flaw.
    fn visit_details(
        &self,
        mode: CastlingMode,
        flaw: Flaw,
        mut say: impl FnMut(fmt::Arguments<'_>) -> fmt::Result,
    ) -> fmt::Result {
        for color in Color::ALL {
            let kings = self.kings(color);
            let (pawns, promoted) = self.pawns_and_promoted(color);
            match flaw {
                Flaw::NoKing if kings.is_empty() => {
                    say(format_args!("{color} has no king, expected one"))?;
                }
                Flaw::SeveralKings if kings.len() > 1 => {
                    let (count, squares) = (kings.len(), Squares(kings));
                    say(format_args!("{color} has {count} kings ({squares}), expected one"))?;
                }
                Flaw::Material if pawns + promoted > 8 => say(format_args!(
                    "{color} has {pawns} pawns and at least {promoted} promoted pieces, \
                     expected no more than 8 together"
                ))?,
                _ => {}
            }
        }
        match flaw {
            Flaw::NoKing | Flaw::SeveralKings | Flaw::Material => Ok(()),
            Flaw::PawnOnBackRank => say(format_args!(
                "pawn on {}, expected none on the first and eighth rank",
                Squares(self.pawns_on_back_ranks())
            )),
            Flaw::ForeignPiece => say(format_args!(
                "khon or met on {}, expected only pieces of chess",
                Squares(self.foreign_pieces())
            )),
            Flaw::OppositeCheck => {
                let them = !self.side_to_move;
                say(format_args!(
                    "{them} is in check from {} but it is not {them}'s move",
                    Squares(self.giving_check_to(them))
                ))
            }
            Flaw::Castling => self.empty_rights(mode).try_for_each(|(color, side, rook)| {
                let why = if self.allows_castling(CastlingMode::Chess960, color, side, rook) {
                    "that is Chess960, not standard chess"
                } else {
                    "king or rook is not in place"
                };
                say(format_args!("{color} cannot castle with a rook on {rook}: {why}"))
            }),
            Flaw::EnPassant => self.ep_square.map_or(Ok(()), |square| {
                say(format_args!("no pawn can just have made a double step over {square}"))
            }),
            Flaw::ImpossibleCheck => say(format_args!(
                "no move can have put {} in check from {}",
                self.side_to_move,
                Squares(self.giving_check_to(self.side_to_move))
            )),
        }
    }

    fn kings(&self, color: Color) -> Bitboard {
        self.board.by_piece(Piece { color, role: Role::King })
    }

    fn pawns_on_back_ranks(&self) -> Bitboard {
        let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        self.board.by_role(Role::Pawn) & back_ranks
    }

    fn foreign_pieces(&self) -> Bitboard {
        self.board.by_role(Role::Khon) | self.board.by_role(Role::Met)
    }

    /// The enemy pieces that attack a side's only king.
    fn giving_check_to(&self, color: Color) -> Bitboard {
        self.board.king(color).map_or(Bitboard::EMPTY, |king| {
            self.board.attackers(king, !color, self.board.occupied())
        })
    }

    /// The castling rights that the board contradicts.
    fn empty_rights(
        &self,
        mode: CastlingMode,
    ) -> impl Iterator<Item = (Color, CastlingSide, Square)> {
        self.castling
            .iter()
            .filter(move |(color, side, rook)| !self.allows_castling(mode, *color, *side, *rook))
    }

    /// The number of a side's pawns, and the number of its pieces that must be promoted pawns.
    fn pawns_and_promoted(&self, color: Color) -> (u32, u32) {
        let pieces = |role| self.board.by_piece(Piece { color, role });
        let bishops = pieces(Role::Bishop);
        let promoted = [
            (pieces(Role::Knight), 2),
            // In Chess960, too, each side starts with one bishop on each color.
            (bishops & Bitboard::LIGHT, 1),
            (bishops - Bitboard::LIGHT, 1),
            (pieces(Role::Rook), 2),
            (pieces(Role::Queen), 1),
        ];
        let beyond = |(pieces, at_first): (Bitboard, u32)| pieces.len().saturating_sub(at_first);
        (pieces(Role::Pawn).len(), promoted.into_iter().map(beyond).sum())
    }
}
