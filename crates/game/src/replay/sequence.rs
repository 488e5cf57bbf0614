//! Searching for sequences of moves.
//!
//! A sequence is a bit-parallel automaton: each of its moves has a bit, which is set if the moves up to this one have
//! just been played. A half-move shifts the bits by one and keeps those of the moves that it matches. Matches are
//! looked up by the piece, the two squares and the capture, for all moves of the sequence at once. So a half-move takes
//! the same time for any sequence.

mod check;
mod parse;
mod places;

use std::ops::ControlFlow;

use halfmove_rules::{AnyPosition, CastlingSide, Color, File, Move, Role, Square};

use self::check::is_check;
pub use self::parse::MoveSequenceError;
use self::places::{Codes, codes_of, may_follow};
use super::line_test::LineTest;
use super::position::final_position;
use super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Moment, Occupant, PASSED, Ready, Watch, occupant};
use crate::codec::halfmove::chess::{CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, OTHER_MOVE};
use crate::codec::{DecodeError, halfmove};

/// Consecutive moves, with optional gaps.
///
/// The text form is a list of moves as in SAN, most parts of which can be omitted. Omitted parts match anything:
///
/// | text | half-move |
/// |---|---|
/// | `e4`, `Nf3`, `exd5`, `Rxf7` | the move with this SAN; without `x`, not a capture |
/// | `Nbd7`, `R1e2`, `Ng1f3` | the piece comes from this file, rank or square, even if SAN does not need it |
/// | `O-O`, `O-O-O` | castling |
/// | `e8=Q`, `=N`, `=` | a promotion: on this square, to this piece, to any piece |
/// | `Qxf7+`, `Qxf7#`, `+`, `#` | gives check (including checkmate), gives checkmate |
/// | `xf7`, `x` | a capture on this square, any capture, by any piece |
/// | `N`, `P`, `Nx` | any move of a knight, any move of a pawn, any capture by a knight |
/// | `?` | any half-move, including a null move |
/// | `--` | a null move |
/// | `*` | a gap: any number of half-moves, including none |
/// | `12.Nf3`, `12...Nf6` | White's move 12, Black's move 12; the number may also be a separate word |
/// | `.Nf3`, `...Nf6` | a move of White, of Black |
///
/// Castling is a move of the king (`K`). In Makruk and its variants, `S` or `B` is the khon, `M` or `Q` the met. A
/// sequence may begin anywhere in the game.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{self, MoveSequence};
///
/// let mut bytes = Vec::new();
/// let text = "1. e4 e6 2. Bd3 Bb4 3. Nf3 Nf6 4. O-O O-O 5. e5 Nd5 6. Bxh7+ Kxh7 7. Ng5+ Kg8 *";
/// halfmove::encode(&read_game(text)?, &mut bytes)?;
/// let gift: MoveSequence = "Bxh7+ Kxh7 Ng5+".parse()?;
/// assert_eq!(replay::played(&bytes, &gift)?, Some(13));
/// let castled_before: MoveSequence = "...O-O * .Bx K".parse()?;
/// assert_eq!(replay::played(&bytes, &castled_before)?, Some(12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSequence {
    tables: Box<Tables>,
    /// The bits of moves that a gap follows.
    gaps: u64,
    /// The bit of the last move.
    last: u64,
    /// The bits of moves with a mark.
    checks: u64,
    mates: u64,
    /// The bits of moves with a number, and their numbers.
    numbered: u64,
    numbers: Vec<u32>,
    /// Codes that occur in every matching chess game: those of castling and promotions.
    codes: Vec<u8>,
    codes_of: Box<Codes>,
}

/// The bits of the moves that match, by each property of a half-move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tables {
    /// By the piece that moves, as an [`Occupant`].
    piece: [u64; 16],
    from: [u64; 64],
    to: [u64; 64],
    /// By capture: no, yes.
    capture: [u64; 2],
    /// By the role to which a pawn promotes.
    promotion: [u64; 8],
    no_promotion: u64,
    castling: [u64; 2],
    /// By the side that makes a null move.
    null: [u64; 2],
}

/// The conditions on a half-move.
#[derive(Clone, Copy, Debug)]
struct Element {
    /// A set of occupants.
    pieces: u16,
    /// Sets of squares.
    from: u64,
    to: u64,
    captures: Option<bool>,
    /// A set of roles.
    promotions: Option<u8>,
    castling: Option<CastlingSide>,
    mark: Option<Mark>,
    number: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Check,
    Mate,
}

impl Element {
    /// Any half-move.
    const ANY: Element = Element {
        pieces: u16::MAX,
        from: u64::MAX,
        to: u64::MAX,
        captures: None,
        promotions: None,
        castling: None,
        mark: None,
        number: None,
    };

    /// A null move, which has no squares.
    const NULL: Element = Element { from: 0, to: 0, ..Element::ANY };

    /// The code of this half-move in games of chess, if it is castling or a promotion.
    fn code(&self) -> Option<u8> {
        match self.castling {
            Some(CastlingSide::KingSide) => Some(CASTLE_KING_SIDE),
            Some(CastlingSide::QueenSide) => Some(CASTLE_QUEEN_SIDE),
            None => self.promotions.map(|_| OTHER_MOVE),
        }
    }

    fn castles(&self, side: CastlingSide) -> bool {
        match self.castling {
            Some(required) => required == side,
            None => self.has_any_squares() && self.promotions.is_none(),
        }
    }

    fn has_any_squares(&self) -> bool {
        self.from == u64::MAX && self.to == u64::MAX && self.captures.is_none()
    }

    /// Returns true if a null move of a side matches.
    fn passes(&self, color: Color) -> bool {
        let has_null = self.has_any_squares() || (self.from, self.to) == (0, 0);
        has_null
            && (self.pieces >> (8 * color as u16)) as u8 == u8::MAX
            && self.captures.is_none()
            && self.promotions.is_none()
            && self.castling.is_none()
            && self.mark.is_none()
    }
}

impl MoveSequence {
    /// The maximum number of half-moves in a sequence.
    pub const MAX: usize = 64;

    /// Builds a sequence from 1 to [`Self::MAX`] elements, each with true if a gap follows.
    fn new(elements: &[(Element, bool)]) -> MoveSequence {
        let set = |fits: &dyn Fn(&Element) -> bool| {
            let bits = elements.iter().enumerate();
            bits.fold(0, |set, (bit, (element, _))| set | u64::from(fits(element)) << bit)
        };
        let is_usual = |element: &Element| element.castling.is_none();
        let takes = |captures| set(&|element| element.captures.is_none_or(|it| it == captures));
        let tables = Tables {
            piece: std::array::from_fn(|piece| set(&|element| element.pieces >> piece & 1 == 1)),
            from: std::array::from_fn(|from| set(&|element| element.from >> from & 1 == 1)),
            to: std::array::from_fn(|to| set(&|element| element.to >> to & 1 == 1)),
            capture: [takes(false), takes(true)],
            promotion: std::array::from_fn(|role| {
                set(&|element| {
                    is_usual(element) && element.promotions.is_none_or(|to| to >> role & 1 == 1)
                })
            }),
            no_promotion: set(&|element| is_usual(element) && element.promotions.is_none()),
            castling: CastlingSide::ALL.map(|side| set(&|element| element.castles(side))),
            null: Color::ALL.map(|color| set(&|element| element.passes(color))),
        };
        let mut codes: Vec<u8> = elements.iter().filter_map(|(it, _)| it.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        let gaps = elements.iter().enumerate();
        MoveSequence {
            codes_of: codes_of(&tables.piece, &tables.castling, tables.no_promotion),
            tables: Box::new(tables),
            gaps: gaps.fold(0, |set, (bit, (_, has_gap))| set | u64::from(*has_gap) << bit),
            last: 1 << (elements.len().clamp(1, Self::MAX) - 1),
            checks: set(&|element| element.mark == Some(Mark::Check)),
            mates: set(&|element| element.mark == Some(Mark::Mate)),
            numbered: set(&|element| element.number.is_some()),
            numbers: elements.iter().map(|(element, _)| element.number.unwrap_or(0)).collect(),
            codes,
        }
    }
}

impl MoveSequence {
    /// The bits of those moves that have no number, or this one.
    #[inline]
    fn with_number(&self, moves: u64, number: u32) -> u64 {
        let (mut right, mut left) = (moves, moves & self.numbered);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if self.numbers.get(bit as usize) != Some(&number) {
                right &= !(1 << bit);
            }
        }
        right
    }
}

/// The state has the bits of the matched moves that a gap follows, and those matched by the last half-move.
impl LineTest for MoveSequence {
    type State = (u64, u64);

    fn start(&self, _: &AnyPosition) -> (u64, u64) {
        (0, 0)
    }

    fn next(
        &self,
        (kept, fresh): &(u64, u64),
        before: &AnyPosition,
        mv: Move,
        after: &AnyPosition,
    ) -> (u64, u64) {
        let all = kept | fresh;
        (all & self.gaps, (all << 1 | 1) & self.fits(before, mv, after))
    }

    fn is_met(&self, (_, fresh): &(u64, u64)) -> bool {
        fresh & self.last != 0
    }
}

impl MoveSequence {
    /// The bits of those moves that match a move of the rules.
    fn fits(&self, before: &AnyPosition, mv: Move, after: &AnyPosition) -> u64 {
        let (tables, from, to) = (&self.tables, mv.from(), mv.to());
        if mv.is_null() {
            let fits = tables.null[before.side_to_move().index()];
            return self.with_number(fits, before.fullmove_number().into());
        }
        let Some(mover) = before.board().piece_at(from) else { return 0 };
        let piece = occupant(mover);
        let fits = if mv.is_castle() {
            let is_long = to.file() < from.file();
            tables.piece[usize::from(piece) % 16] & tables.castling[usize::from(is_long)]
        } else {
            let is_en_passant = mover.role == Role::Pawn && from.file() != to.file();
            let captures = is_en_passant || before.board().piece_at(to).is_some();
            let arrived = after.board().piece_at(to).map_or(piece, occupant);
            tables.usual(piece, (from.index() as u8, to.index() as u8), captures)
                & tables.promotion_of(piece, arrived)
        };
        let mut fits = self.with_number(fits, before.fullmove_number().into());
        if fits & (self.checks | self.mates) != 0 {
            let is_check = after.is_check();
            if !is_check {
                fits &= !self.checks;
            }
            if fits & self.mates != 0 && !(is_check && after.legal_moves().is_empty()) {
                fits &= !self.mates;
            }
        }
        fits
    }
}

/// The ply at which a sequence is first complete; `None` if it never is.
///
/// # Errors
/// Fails on bytes that are not codes of this version. Bytes after the first match are not read.
pub fn played(bytes: &[u8], sequence: &MoveSequence) -> Result<Option<u32>, DecodeError> {
    // Mate ends a game, so only the last position has to be tested.
    if sequence.mates & !sequence.last != 0 {
        return Ok(None);
    }
    let watched = sequence.last | sequence.checks | sequence.numbered;
    let mut follower = Follower {
        sequence,
        watched: watched & !sequence.mates,
        first: (1, Color::White),
        found: None,
    };
    let end = match Ready::new(bytes)? {
        Ready::Chess(game) => {
            if sequence.codes.iter().any(|code| memchr::memchr(*code, bytes).is_none()) {
                return Ok(None);
            }
            if !game.is_usual() {
                follower.first = first_move(&halfmove::start(bytes)?);
            } else if !may_follow(bytes, sequence) {
                return Ok(None);
            }
            game.replay(&mut follower, Progress::new(EMPTY_CHESS))?
        }
        Ready::Makruk(game) => {
            follower.first = first_move(&game.start().clone().into());
            game.replay(&mut follower, Progress::new(EMPTY_MAKRUK))?
        }
    };
    if end.fresh & sequence.mates == 0 {
        return Ok(follower.found);
    }
    let plies = halfmove::plies(bytes);
    let is_there = sequence.with_number(sequence.last, follower.number(plies)) != 0 && {
        let end = final_position(bytes)?;
        end.is_check() && end.legal_moves().is_empty()
    };
    Ok(is_there.then_some(plies))
}

/// The number of the first move, and its side.
fn first_move(start: &AnyPosition) -> (u32, Color) {
    (u32::from(start.fullmove_number()), start.side_to_move())
}

/// Runs the automaton on a game.
struct Follower<'a> {
    sequence: &'a MoveSequence,
    /// The bits that need further tests when they are set.
    watched: u64,
    first: (u32, Color),
    found: Option<u32>,
}

#[derive(Copy, Clone)]
struct Progress {
    /// The bits of the matched moves that a gap follows.
    kept: u64,
    /// The bits of the moves matched by the last half-move.
    fresh: u64,
    /// The first piece to leave a square in this half-move, if any.
    mover: Occupant,
    /// The occupant of the square before the last arrival.
    taken: Occupant,
}

impl Progress {
    fn new(empty: Occupant) -> Progress {
        Progress { kept: 0, fresh: 0, mover: empty, taken: empty }
    }

    /// Records a half-move that matches the moves with these bits.
    #[inline(always)]
    fn go_on(&mut self, fits: u64, gaps: u64, empty: Occupant) {
        let before = self.kept | self.fresh;
        self.kept = before & gaps;
        self.fresh = (before << 1 | 1) & fits;
        self.mover = empty;
    }
}

impl<const EMPTY: Occupant> Watch<EMPTY> for Follower<'_> {
    type State = Progress;

    #[inline(always)]
    fn change(&mut self, progress: &mut Progress, _: u8, old: Occupant, new: Occupant) {
        if new != EMPTY {
            progress.taken = old;
        } else if progress.mover == EMPTY {
            progress.mover = old;
        }
    }

    #[inline(always)]
    fn after_move(&mut self, progress: &mut Progress, arrived: Occupant, last: (u8, u8)) -> bool {
        let tables = &self.sequence.tables;
        let (mover, promotion) = match EMPTY {
            // In chess, promotions are rare moves, which are handled elsewhere.
            EMPTY_CHESS => (arrived, tables.no_promotion),
            _ => (progress.mover, tables.promotion_of(progress.mover, arrived)),
        };
        let fits = tables.usual(mover, last, progress.taken != EMPTY) & promotion;
        progress.go_on(fits, self.sequence.gaps, EMPTY);
        progress.fresh & self.watched != 0
    }

    fn inspect(
        &mut self,
        progress: &mut Progress,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        // After a rare move, which has not been matched yet. At the start there is no move.
        if at.last == PASSED {
            progress.go_on(self.sequence.tables.null[(!at.us).index()], self.sequence.gaps, EMPTY);
        } else if progress.mover != EMPTY {
            let fits = self.rare::<EMPTY>(progress, at);
            progress.go_on(fits, self.sequence.gaps, EMPTY);
        }
        progress.fresh = self.confirmed::<EMPTY>(progress.fresh, at);
        if progress.fresh & self.sequence.last & !self.sequence.mates != 0 {
            self.found = Some(at.ply);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Tables {
    #[inline(always)]
    fn usual(&self, mover: Occupant, (from, to): (u8, u8), captures: bool) -> u64 {
        self.piece[usize::from(mover) % 16]
            & self.from[usize::from(from) % 64]
            & self.to[usize::from(to) % 64]
            & self.capture[usize::from(captures)]
    }

    /// The bits that match a piece that may have promoted.
    fn promotion_of(&self, mover: Occupant, arrived: Occupant) -> u64 {
        if mover == arrived { self.no_promotion } else { self.promotion[usize::from(arrived & 7)] }
    }
}

impl Follower<'_> {
    /// The bits that match a rare move: castling, a promotion, an en passant capture, a move of a piece without a
    /// number.
    #[inline(never)]
    fn rare<const EMPTY: Occupant>(&self, progress: &Progress, at: &Moment<'_>) -> u64 {
        let (tables, mover) = (&self.sequence.tables, progress.mover);
        let (from, to) = at.last;
        if from == to {
            let king = memchr::memchr(mover, &at.squares.0).unwrap_or_default() as u8;
            let is_long = Square::wrapping(king).file() == File::C;
            return tables.piece[usize::from(mover) % 16] & tables.castling[usize::from(is_long)];
        }
        let arrived = at.squares.0[usize::from(to) % 64];
        let is_en_passant = mover & 7 == Role::Pawn as u8 && from % 8 != to % 8;
        let captures = progress.taken != EMPTY || is_en_passant;
        tables.usual(mover, at.last, captures) & tables.promotion_of(mover, arrived)
    }

    /// The bits among these whose move numbers and checks match, too; everything else already matches.
    #[inline(never)]
    fn confirmed<const EMPTY: Occupant>(&self, moves: u64, at: &Moment<'_>) -> u64 {
        let right = match moves & self.sequence.numbered {
            0 => moves,
            _ => self.sequence.with_number(moves, self.number(at.ply)),
        };
        match right & self.sequence.checks {
            0 => right,
            checks if is_check::<EMPTY>(at) => right | checks,
            checks => right & !checks,
        }
    }

    /// The move number after this number of half-moves.
    fn number(&self, plies: u32) -> u32 {
        let (first, begins) = self.first;
        first + (plies.saturating_sub(1) + begins as u32) / 2
    }
}
