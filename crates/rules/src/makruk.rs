//! Makruk, the chess of Thailand.
//!
//! ```text
//! 8  r n s m k s n r      r ruea   a rook               (Role::Rook)
//! 7  . . . . . . . .      n ma     a knight             (Role::Knight)
//! 6  p p p p p p p p      s khon   steps diagonally, or straight ahead
//! 5  . . . . . . . .      m met    steps diagonally
//! 4  . . . . . . . .      k khun   a king               (Role::King)
//! 3  P P P P P P P P      p bia    steps ahead, captures diagonally ahead
//! 2  . . . . . . . .               (Role::Pawn); promotes to a met on the sixth rank
//! 1  R N S K M S N R
//!    a b c d e f g h
//! ```
//!
//! There is no castling, no double step and no en passant. Checkmate wins, stalemate draws. Once no
//! bias are left, a side may be [counting](Counting).
//!
//! ```
//! use halfmove_rules::{Makruk, Move, Square};
//!
//! let start = Makruk::default();
//! assert_eq!(start.count_moves(), 23);
//! let next = start.play(Move::normal(Square::E3, Square::E4))?;
//! assert_eq!(next.to_string(), "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1");
//! # Ok::<(), halfmove_rules::IllegalMove>(())
//! ```

mod counting;
mod dialect;
mod ends;
mod fen;
mod keys;
mod lenient;
mod movegen;
mod packed;
mod play;
mod rules;
mod san;

pub use counting::{Counting, CountingError, CountingPolicy, Honor};
pub use dialect::Dialect;
pub use fen::{Fen, FenError, FenField, Setup};
pub use keys::{piece_key, turn_key};
pub use packed::UnpackError;
pub use rules::Rules;
pub use san::{SanStyle, StyledSan};

use crate::{
    Bitboard, Board, Color, File, IllegalMove, Move, MoveList, Piece, PieceMoves, Rank, Role,
    Square, Zobrist,
};
use core::hash::{Hash, Hasher};
use core::ops::ControlFlow;
use halfmove_bitboard::attacks;
use halfmove_bitboard::cpu::{self, Baseline, Cpu, Task};
use movegen::Node;
use rules::{AseanRules, MakpongRules, MakrukRules};
use thiserror::Error;

/// The roles that a bia can promote to in ASEAN chess.
pub(crate) const ASEAN_PROMOTIONS: [Role; 4] = [Role::Met, Role::Rook, Role::Khon, Role::Knight];

/// A legal position of Makruk or one of its variants ([`Rules`]), with its count.
///
/// On the [board](Self::board), a promoted bia is a met. The squares of promoted bias are
/// [kept](Self::promoted) for notation only.
///
/// Two positions are equal if they count as a repetition: the game, the pieces on their squares (a
/// promoted bia is a met) and the side to move are the same. The counts do not matter.
///
/// ```
/// use halfmove_rules::{Color, Makruk, Outcome};
///
/// let position: Makruk = "k7/8/KS6/8/8/8/8/1R6 b - - 0 1".parse()?;
/// assert_eq!(position.outcome(), None);
/// let position: Makruk = "k7/RR6/8/8/8/8/8/3K4 b - - 0 1".parse()?;
/// assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
/// # Ok::<(), halfmove_rules::makruk::FenError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Makruk {
    board: Board,
    promoted: Bitboard,
    side_to_move: Color,
    rules: Rules,
    policy: CountingPolicy,
    counting: Option<Counting>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// The reason why a setup is not a legal position of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has no king, or more than one.
    #[error("{color} has {found} kings, expected exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// The number of kings it has.
        found: u32,
    },
    /// An unpromoted bia stands on or beyond the promotion rank.
    #[error("a bia stands on {0}, expected a met: it promotes there")]
    UnpromotedBia(Square),
    /// A bishop or a queen, which this game does not have.
    #[error("the {role} on {square} is not a piece of Makruk")]
    ForeignPiece {
        /// Its square.
        square: Square,
        /// Its role.
        role: Role,
    },
    /// A square is marked as a promoted bia, but has no piece that a bia can promote to.
    #[error("{0} is marked as promoted, expected a piece that a bia becomes")]
    NotPromoted(Square),
    /// The side that is not to move is in check.
    #[error("{0} is in check but it is not {0}'s move")]
    OppositeCheck(Color),
    /// A side is counting while a bia is left. (In ASEAN chess, [one
    /// policy](CountingPolicy::Fairy11) allows that.)
    #[error(
        "a side is counting while a bia stands on {0}, expected no count until all bias are gone"
    )]
    CountBesideBia(Square),
    /// The ply of the count contradicts the side to move.
    #[error(
        "{color} is counting at ply {ply}, expected an even ply if it is {color}'s move, else an odd one"
    )]
    CountPly {
        /// The side that is counting.
        color: Color,
        /// The ply of the count.
        ply: u16,
    },
    /// A side is counting pieces' honor but is not bare.
    #[error("{0} is counting for the pieces' honor, expected a bare king, found other pieces")]
    CountWithPieces(Color),
}

impl Default for Makruk {
    /// The start of Makruk, with [automatic](CountingPolicy::Auto) counting.
    fn default() -> Self {
        Self::start(Rules::Makruk)
    }
}

/// Calls the instance of a generic function for the game and the side to move.
macro_rules! for_rules {
    ($cpu:expr, $position:expr, $function:ident $([$generic:ty])? $(, $argument:expr)*) => {
        match ($position.rules, $position.side_to_move) {
            (Rules::Makruk, Color::White) => movegen::$function
                ::<true, MakrukRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
            (Rules::Makruk, Color::Black) => movegen::$function
                ::<false, MakrukRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
            (Rules::Makpong, Color::White) => movegen::$function
                ::<true, MakpongRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
            (Rules::Makpong, Color::Black) => movegen::$function
                ::<false, MakpongRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
            (Rules::Asean, Color::White) => movegen::$function
                ::<true, AseanRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
            (Rules::Asean, Color::Black) => movegen::$function
                ::<false, AseanRules, _ $(, $generic)?>($cpu, &$position.board $(, $argument)*),
        }
    };
}

/// Counts the leaves below a position at a depth of at least one.
struct Perft<'a>(&'a Makruk, u32);

impl Task for Perft<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self(position, depth) = self;
        for_rules!(cpu, position, perft, depth)
    }
}

impl Makruk {
    /// The start position, with [automatic](CountingPolicy::Auto) counting.
    ///
    /// Seen from its own side, each king starts to the left of its met, so it faces the enemy met; in ASEAN chess the
    /// kings face each other.
    pub fn start(rules: Rules) -> Self {
        let mut board = Board::default();
        for color in Color::ALL {
            let (back, bias) = match color {
                Color::White => (Rank::First, Rank::Third),
                Color::Black => (Rank::Eighth, Rank::Sixth),
            };
            let white = color == Color::White;
            let (d, e) = match rules {
                Rules::Makruk | Rules::Makpong if white => (Role::King, Role::Met),
                _ => (Role::Met, Role::King),
            };
            let (rook, knight, khon) = (Role::Rook, Role::Knight, Role::Khon);
            let pieces = [rook, knight, khon, d, e, khon, knight, rook];
            for (file, role) in File::ALL.into_iter().zip(pieces) {
                board.put(Square::new(file, back), Piece { color, role });
                board.put(Square::new(file, bias), Piece { color, role: Role::Pawn });
            }
        }
        Self {
            board,
            promoted: Bitboard::EMPTY,
            side_to_move: Color::White,
            rules,
            policy: CountingPolicy::Auto,
            counting: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Validates a setup.
    ///
    /// # Errors
    /// [`SetupError`], the first flaw found. To drop an invalid count, set [`Setup::counting`] to
    /// `None`.
    pub fn from_setup(setup: Setup) -> Result<Self, SetupError> {
        let Setup { board, promoted, rules, .. } = setup;
        for role in [Role::Bishop, Role::Queen] {
            if let Some(square) = board.by_role(role).first() {
                return Err(SetupError::ForeignPiece { square, role });
            }
        }
        for color in Color::ALL {
            let found = board.by_piece(Piece { color, role: Role::King }).len();
            if found != 1 {
                return Err(SetupError::Kings { color, found });
            }
            let beyond = beyond_promotion(rules, color);
            let bias = board.by_piece(Piece { color, role: Role::Pawn });
            if let Some(square) = (bias & beyond).first() {
                return Err(SetupError::UnpromotedBia(square));
            }
        }
        let unmarkable = match rules {
            Rules::Makruk | Rules::Makpong => !board.by_role(Role::Met),
            Rules::Asean => {
                !board.occupied() | board.by_role(Role::King) | board.by_role(Role::Pawn)
            }
        };
        if let Some(square) = (promoted & unmarkable).first() {
            return Err(SetupError::NotPromoted(square));
        }
        // In ASEAN chess, promoted bias are ordinary pieces.
        let promoted = if rules == Rules::Asean { Bitboard::EMPTY } else { promoted };
        let mut position = Self {
            board,
            promoted,
            side_to_move: !setup.side_to_move,
            rules,
            policy: CountingPolicy::Auto,
            counting: setup.counting,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
        };
        let [white, black] = Color::ALL.map(|color| position.king(color));
        if position.is_check() || attacks::king(white).has(black) {
            return Err(SetupError::OppositeCheck(position.side_to_move));
        }
        position.side_to_move = setup.side_to_move;
        match setup.counting {
            Some(count) => position.check_count(count).map(|()| position),
            None => Ok(position),
        }
    }

    /// Checks that this count is possible here, under some policy.
    fn check_count(&self, count: Counting) -> Result<(), SetupError> {
        let bare = |color| self.board.by_color(color).len() == 1;
        let color = count.color();
        if let Some(square) = self.board.by_role(Role::Pawn).first()
            && !(self.rules == Rules::Asean && bare(color))
        {
            return Err(SetupError::CountBesideBia(square));
        }
        if count.ply().is_multiple_of(2) != (color == self.side_to_move) {
            return Err(SetupError::CountPly { color, ply: count.ply() });
        }
        if count.honor() == Honor::Pieces && !bare(color) {
            return Err(SetupError::CountWithPieces(color));
        }
        Ok(())
    }

    /// The contents of a FEN of this position.
    pub fn to_setup(&self) -> Setup {
        Setup {
            rules: self.rules,
            board: self.board.clone(),
            promoted: self.promoted,
            side_to_move: self.side_to_move,
            counting: self.counting,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The same position with colors swapped: the board is mirrored top to bottom, and the pieces,
    /// side to move and count change color. The counters stay the same.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// let position: Makruk = "8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6".parse()?;
    /// let flipped = position.flipped();
    /// assert_eq!(flipped.to_string(), "2r4r/2m~5/5k2/8/8/8/3K4/8 b - 16 17 6");
    /// assert_eq!(flipped.flipped(), position);
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    pub fn flipped(&self) -> Self {
        Self {
            board: self.board.flipped(),
            promoted: self.promoted.flip_vertical(),
            side_to_move: !self.side_to_move,
            counting: self.counting.map(Counting::flipped),
            ..*self
        }
    }

    /// The same position, with another counting policy from here on.
    ///
    /// ```
    /// use halfmove_rules::makruk::CountingPolicy;
    /// use halfmove_rules::Makruk;
    /// let start = Makruk::default().with_policy(CountingPolicy::Thai);
    /// assert_eq!(start.policy(), CountingPolicy::Thai);
    /// ```
    pub fn with_policy(self, policy: CountingPolicy) -> Self {
        Self { policy, ..self }
    }

    /// The pieces on their squares.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The squares of promoted bias.
    #[inline]
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// The side to move.
    #[doc(alias = "turn")]
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The game that this position belongs to.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The counting policy.
    #[inline]
    pub fn policy(&self) -> CountingPolicy {
        self.policy
    }

    /// The count, if a side is counting.
    #[inline]
    pub fn counting(&self) -> Option<Counting> {
        self.counting
    }

    /// Half-moves since the last capture or bia move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Starts at 1 and increases after each move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        movegen::king(&self.board, color)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.side_to_move {
            Color::White => Node::new::<true>(&self.board).checkers,
            Color::Black => Node::new::<false>(&self.board).checkers,
        }
    }

    /// Returns true if the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Calls `visit` for every piece that can move, with its target squares, until `visit` breaks.
    /// A bia that promotes on some targets but not on others is visited twice.
    #[inline]
    pub fn visit_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves_on(Baseline, visit)
    }

    /// [`Makruk::visit_moves`], compiled for the CPU level of the surrounding [task](halfmove_bitboard::cpu::Task), as
    /// [`Chess::visit_moves_on`](crate::Chess::visit_moves_on) is.
    #[inline(always)]
    pub fn visit_moves_on<C: Cpu, B>(
        &self,
        cpu: C,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for_rules!(cpu, self, visit[B], visit)
    }

    /// [`Makruk::visit_moves`] for captures and promotions only.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::Makruk;
    ///
    /// let position: Makruk = "4k3/8/8/P2m4/2S5/8/8/4K3 w - - 0 1".parse()?;
    /// let mut moves = Vec::new();
    /// let _: ControlFlow<()> = position.visit_noisy_moves(|shown| {
    ///     moves.extend(shown.into_iter().map(|mv| mv.to_string()));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(moves, ["c4d5", "a5a6m"]);
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    #[inline]
    pub fn visit_noisy_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_noisy_moves_on(Baseline, visit)
    }

    /// [`Makruk::visit_noisy_moves`], compiled for a CPU level like [`Makruk::visit_moves_on`].
    #[inline(always)]
    pub fn visit_noisy_moves_on<C: Cpu, B>(
        &self,
        cpu: C,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for_rules!(cpu, self, visit_noisy[B], visit)
    }

    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _: ControlFlow<()> = self.visit_moves(|piece| {
            moves.extend(piece);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> usize {
        for_rules!(Baseline, self, count) as usize
    }

    /// Returns true if a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (targets, promotes) = for_rules!(Baseline, self, targets_of, mv.from());
        if mv.is_castle() || !targets.has(mv.to()) {
            return false;
        }
        match mv.promotion() {
            None => !promotes.has(mv.to()),
            Some(role) if self.rules == Rules::Asean => {
                promotes.has(mv.to()) && ASEAN_PROMOTIONS.contains(&role)
            }
            Some(role) => promotes.has(mv.to()) && role == Role::Met,
        }
    }

    /// The number of leaves of the game tree at `depth` half-moves. The last half-move is counted
    /// without being played.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// assert_eq!(Makruk::default().perft(4), 273_026);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        cpu::run(Perft(self, depth))
    }

    /// The Zobrist key, made from the pieces ([`piece_key`]), the side to move and the game. A
    /// promoted bia counts as a met.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// let before: Makruk = "8/3k4/1M~6/8/8/8/8/2RK4 w - - 0 1".parse()?;
    /// let after: Makruk = "8/3k4/1M6/8/8/8/8/2RK4 w - 32 9 70".parse()?;
    /// assert_eq!(before.zobrist(), after.zobrist());
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    pub fn zobrist(&self) -> Zobrist {
        keys::of(&self.board, self.side_to_move, self.rules)
    }

    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }
}

/// The squares on which a side's bia must have been promoted.
fn beyond_promotion(rules: Rules, color: Color) -> Bitboard {
    let ranks = match rules {
        Rules::Makruk | Rules::Makpong => 3,
        Rules::Asean => 1,
    };
    let far = Rank::ALL.into_iter().filter(|rank| match color {
        Color::White => rank.index() >= 8 - ranks,
        Color::Black => rank.index() < ranks,
    });
    far.map(Bitboard::rank).collect()
}

impl PartialEq for Makruk {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.side_to_move == other.side_to_move
            && self.rules == other.rules
    }
}

impl Eq for Makruk {}

impl Hash for Makruk {
    /// Hashes only the fields that equality compares.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
        self.side_to_move.hash(state);
        self.rules.hash(state);
    }
}
