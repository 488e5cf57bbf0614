//! The legal moves of a position, visited, listed and counted with the shared [generator](super::node).

use super::Chess;
use super::node::{Castling, Node, Side, color};
use crate::perft;
use crate::{
    Bitboard, CastlingMode, CastlingSide, Color, File, Move, MoveKind, MoveList, PieceMoves, Rank,
    Role, Square,
};
use core::convert::Infallible;
use core::ops::ControlFlow;
use halfmove_bitboard::attacks;
use halfmove_bitboard::cpu::{self, Baseline, Cpu, Task};

/// The castlings of standard chess, by color: king side, then queen side.
static STANDARD: [[Castling; 2]; 2] = {
    const fn both(rank: Rank) -> [Castling; 2] {
        let king = Square::new(File::E, rank);
        [
            Castling::new(king, Square::new(File::H, rank)),
            Castling::new(king, Square::new(File::A, rank)),
        ]
    }
    [both(Rank::First), both(Rank::Eighth)]
};

/// The receiver of the moves. It is a trait instead of a closure, because closures cannot be marked as always inlined,
/// and only inlined code is compiled for the CPU level.
trait Audience<B> {
    fn see(&mut self, moves: PieceMoves) -> ControlFlow<B>;
}

/// A closure provided by the caller.
struct Visit<F>(F);

impl<B, F: FnMut(PieceMoves) -> ControlFlow<B>> Audience<B> for Visit<F> {
    #[inline(always)]
    fn see(&mut self, moves: PieceMoves) -> ControlFlow<B> {
        (self.0)(moves)
    }
}

/// Fills a list at the highest level of this CPU, with all moves or with captures.
struct List<'a, const ALL: bool>(&'a Chess, &'a mut MoveList);

impl<const ALL: bool> Task for List<'_, ALL> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.0.fill::<C, ALL>(cpu, self.1);
    }
}

/// A list to fill.
struct Fill<'a, C>(C, &'a mut MoveList);

impl<C: Cpu> Audience<Infallible> for Fill<'_, C> {
    #[inline(always)]
    fn see(&mut self, moves: PieceMoves) -> ControlFlow<Infallible> {
        self.1.add(self.0, moves);
        ControlFlow::Continue(())
    }
}

impl Chess {
    /// Calls `visit` with the legal moves until `visit` breaks. Moves that differ only in the target form a group: the
    /// moves of one piece, or of all pawns that move in one direction.
    ///
    /// No group is empty.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::{Chess, Role, Square};
    ///
    /// let mut knight_moves = 0;
    /// let _: ControlFlow<()> = Chess::default().visit_moves(|moves| {
    ///     if moves.role() == Role::Knight {
    ///         knight_moves += moves.len();
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(knight_moves, 4);
    /// ```
    #[inline]
    pub fn visit_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves_on(Baseline, visit)
    }

    /// [`Chess::visit_moves`], compiled for the CPU level of the surrounding [task](halfmove_bitboard::cpu::Task): a
    /// program built for any x86-64 then uses all instructions of this CPU. [`see`](Chess::see),
    /// [`gives_check`](Chess::gives_check), [`pinned`](Chess::pinned) and [`is_check`](Chess::is_check) have no such
    /// variants.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::cpu::{self, Cpu, Task};
    /// use halfmove_rules::{Chess, PieceMoves};
    ///
    /// /// Counts the leaves below a position.
    /// struct Count<'a>(&'a Chess, u32);
    ///
    /// impl Task for Count<'_> {
    ///     type Output = u64;
    ///
    ///     #[inline(always)]
    ///     fn run<C: Cpu>(self, cpu: C) -> u64 {
    ///         let Self(position, depth) = self;
    ///         let mut leaves = 0;
    ///         let _: ControlFlow<()> = position.visit_moves_on(cpu, |moves| {
    ///             leaves += match depth {
    ///                 1 => moves.len() as u64,
    ///                 _ => cpu.enter(CountAfter(position, moves, depth)),
    ///             };
    ///             ControlFlow::Continue(())
    ///         });
    ///         leaves
    ///     }
    /// }
    ///
    /// /// Counts the leaves after some moves.
    /// struct CountAfter<'a>(&'a Chess, PieceMoves, u32);
    ///
    /// impl Task for CountAfter<'_> {
    ///     type Output = u64;
    ///
    ///     #[inline(always)]
    ///     fn run<C: Cpu>(self, cpu: C) -> u64 {
    ///         let Self(position, moves, depth) = self;
    ///         let mut leaves = 0;
    ///         for mv in moves {
    ///             let mut next = position.clone();
    ///             next.play_unchecked(mv);
    ///             leaves += cpu.enter(Count(&next, depth - 1));
    ///         }
    ///         leaves
    ///     }
    /// }
    ///
    /// assert_eq!(cpu::run(Count(&Chess::default(), 3)), 8_902);
    /// ```
    #[inline(always)]
    pub fn visit_moves_on<C: Cpu, B>(
        &self,
        cpu: C,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.side_to_move {
            Color::White => self.visit_of::<C, B, true, true>(cpu, Visit(visit)),
            Color::Black => self.visit_of::<C, B, false, true>(cpu, Visit(visit)),
        }
    }

    /// [`Chess::visit_moves`] for captures only, including en passant captures and capturing promotions.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::Chess;
    ///
    /// let position: Chess = "4k3/8/8/3pP3/2B5/8/8/4K3 w - d6 0 2".parse()?;
    /// let mut captures = Vec::new();
    /// let _: ControlFlow<()> = position.visit_captures(|moves| {
    ///     captures.extend(moves.into_iter().map(|mv| position.san(mv).to_string()));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(captures, ["Bxd5", "exd6"]);
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    #[inline]
    pub fn visit_captures<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_captures_on(Baseline, visit)
    }

    /// [`Chess::visit_captures`], compiled for a CPU level like [`Chess::visit_moves_on`].
    #[inline(always)]
    pub fn visit_captures_on<C: Cpu, B>(
        &self,
        cpu: C,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.side_to_move {
            Color::White => self.visit_of::<C, B, true, false>(cpu, Visit(visit)),
            Color::Black => self.visit_of::<C, B, false, false>(cpu, Visit(visit)),
        }
    }

    /// The moves of the side to move: `ALL` of them, or captures only.
    #[inline(always)]
    fn visit_of<C: Cpu, B, const WHITE: bool, const ALL: bool>(
        &self,
        cpu: C,
        mut audience: impl Audience<B>,
    ) -> ControlFlow<B> {
        macro_rules! show {
            ($moves:expr) => {
                let moves = $moves;
                if !moves.is_empty() {
                    audience.see(moves)?;
                }
            };
        }
        let us = color(WHITE);
        let (ours, theirs) = (Side::of(&self.board, us), Side::of(&self.board, !us));
        let mut node = Node::<C, WHITE>::new(cpu, &ours, &theirs);
        let mut steps = attacks::king(node.king) - ours.all;
        if !ALL {
            steps &= theirs.all;
            node.targets &= theirs.all;
        }
        let place = &mut [Castling::NONE; 2];
        let castlings = self.castlings_of(us, place);
        let [short, long] = castlings
            .each_ref()
            .map(|castling| ALL & node.is_free(castling) & self.castlers.intersects(castling.rook));
        if !steps.is_empty() | short | long {
            let danger = node.danger();
            show!(PieceMoves::of_piece(Role::King, node.king, steps - danger, MoveKind::Normal));
            if (short | long) && node.checkers.is_empty() {
                for (castling, free) in castlings.iter().zip([short, long]) {
                    if free && node.is_safe(castling, danger) {
                        let (king, rook) = (node.king, castling.rook);
                        show!(PieceMoves::of_piece(Role::King, king, rook, MoveKind::Castle));
                    }
                }
            }
        }
        // In double check only the king can move.
        if node.checkers.has_many() {
            return ControlFlow::Continue(());
        }

        for from in ours.knights - node.pinned {
            let to = attacks::knight(from) & node.targets;
            show!(PieceMoves::of_piece(Role::Knight, from, to, MoveKind::Normal));
        }
        for from in ours.diagonal - ours.orthogonal {
            let to = node.may_go(from, cpu.bishop(from, node.occupied));
            show!(PieceMoves::of_piece(Role::Bishop, from, to, MoveKind::Normal));
        }
        for from in ours.orthogonal - ours.diagonal {
            let to = node.may_go(from, cpu.rook(from, node.occupied));
            show!(PieceMoves::of_piece(Role::Rook, from, to, MoveKind::Normal));
        }
        for from in ours.orthogonal & ours.diagonal {
            let to = node.may_go(from, cpu.queen(from, node.occupied));
            show!(PieceMoves::of_piece(Role::Queen, from, to, MoveKind::Normal));
        }

        let pawns = node.pawn_moves();
        let ahead: i8 = if WHITE { 8 } else { -8 };
        let last = pawns.last;
        if ALL {
            show!(PieceMoves::of_pawns(ahead, pawns.one - last, MoveKind::Normal));
            show!(PieceMoves::of_pawns(2 * ahead, pawns.two, MoveKind::Normal));
        }
        show!(PieceMoves::of_pawns(ahead + 1, pawns.east - last, MoveKind::Normal));
        show!(PieceMoves::of_pawns(ahead - 1, pawns.west - last, MoveKind::Normal));
        if pawns.promote {
            for (step, to) in [(ahead, pawns.one), (ahead + 1, pawns.east), (ahead - 1, pawns.west)]
            {
                show!(PieceMoves::of_pawns(step, to & last, MoveKind::Promotion));
            }
        }
        if let Some(square) = self.ep_square {
            for from in node.en_passant_takers(square.into()) {
                if node.may_take_en_passant(from, square.into()) {
                    let to = Bitboard::square(square);
                    show!(PieceMoves::of_piece(Role::Pawn, from, to, MoveKind::Normal));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The castlings of a side as if it had both rights. Those of Chess960 are stored in `place`.
    #[inline(always)]
    fn castlings_of<'a>(&self, us: Color, place: &'a mut [Castling; 2]) -> &'a [Castling; 2] {
        match self.castling_mode {
            CastlingMode::Standard => &STANDARD[us.index()],
            CastlingMode::Chess960 => {
                *place = self.chess960_castlings(us);
                place
            }
        }
    }

    #[cold]
    fn chess960_castlings(&self, us: Color) -> [Castling; 2] {
        CastlingSide::ALL.map(|side| {
            let rook = self.castling.rook(us, side);
            rook.map_or(Castling::NONE, |rook| Castling::new(self.king(us), rook))
        })
    }

    /// All legal moves, in unspecified order.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// let moves = Chess::default().legal_moves();
    /// assert_eq!(moves.len(), 20);
    /// assert!(moves.contains(&Move::normal(Square::G1, Square::F3)));
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        cpu::run(List::<true>(self, &mut moves));
        moves
    }

    /// Replaces the contents of a list with the legal moves, compiled for a CPU level like [`Chess::visit_moves_on`].
    /// [`Chess::legal_moves`] returns a copy of its list; a program that reuses one list saves that copy.
    ///
    /// ```
    /// use halfmove_rules::cpu::{self, Cpu, Task};
    /// use halfmove_rules::{Chess, MoveList};
    ///
    /// /// Counts the replies to all first moves.
    /// struct Replies;
    ///
    /// impl Task for Replies {
    ///     type Output = usize;
    ///
    ///     #[inline(always)]
    ///     fn run<C: Cpu>(self, cpu: C) -> usize {
    ///         let start = Chess::default();
    ///         let (mut moves, mut replies, mut count) = (MoveList::new(), MoveList::new(), 0);
    ///         start.fill_moves_on(cpu, &mut moves);
    ///         for mv in &moves {
    ///             let mut next = start.clone();
    ///             next.play_unchecked(*mv);
    ///             next.fill_moves_on(cpu, &mut replies);
    ///             count += replies.len();
    ///         }
    ///         count
    ///     }
    /// }
    ///
    /// assert_eq!(cpu::run(Replies), 400);
    /// ```
    #[inline(always)]
    pub fn fill_moves_on<C: Cpu>(&self, cpu: C, moves: &mut MoveList) {
        self.fill::<C, true>(cpu, moves);
    }

    #[inline(always)]
    fn fill<C: Cpu, const ALL: bool>(&self, cpu: C, moves: &mut MoveList) {
        moves.clear();
        let _: ControlFlow<Infallible> = match self.side_to_move {
            Color::White => self.visit_of::<C, _, true, ALL>(cpu, Fill(cpu, moves)),
            Color::Black => self.visit_of::<C, _, false, ALL>(cpu, Fill(cpu, moves)),
        };
    }

    /// The legal captures, including en passant.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert!(Chess::default().captures().is_empty());
    /// ```
    pub fn captures(&self) -> MoveList {
        let mut moves = MoveList::new();
        cpu::run(List::<false>(self, &mut moves));
        moves
    }

    /// The legal check evasions: all legal moves if the side to move is in check, otherwise none.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let position: Chess = "4k3/8/8/8/8/8/3PP3/r3K3 w - - 0 1".parse()?;
    /// assert_eq!(position.evasions().len(), 1);
    /// assert!(Chess::default().evasions().is_empty());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn evasions(&self) -> MoveList {
        if self.is_check() { self.legal_moves() } else { MoveList::new() }
    }

    /// The number of legal moves, counted from sets, without listing them.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert_eq!(Chess::default().count_moves(), 20);
    /// ```
    pub fn count_moves(&self) -> usize {
        self.count_moves_on(Baseline)
    }

    /// [`Chess::count_moves`] compiled for a CPU level, like [`Chess::visit_moves_on`].
    #[inline(always)]
    pub fn count_moves_on<C: Cpu>(&self, cpu: C) -> usize {
        match self.side_to_move {
            Color::White => self.count_of::<C, true>(cpu),
            Color::Black => self.count_of::<C, false>(cpu),
        }
    }

    #[inline(always)]
    fn count_of<C: Cpu, const WHITE: bool>(&self, cpu: C) -> usize {
        let us = color(WHITE);
        let (ours, theirs) = (Side::of(&self.board, us), Side::of(&self.board, !us));
        let ep = self.ep_square.map_or(Bitboard::EMPTY, Bitboard::square);
        let place = &mut [Castling::NONE; 2];
        let castlings = self.castlings_of(us, place);
        Node::<C, WHITE>::new(cpu, &ours, &theirs).count(castlings, self.castlers, ep) as usize
    }

    /// The number of leaves of the game tree at `depth` half-moves; see [`perft`](crate::perft()).
    pub fn perft(&self, depth: u32) -> u64 {
        perft::chess(self, depth)
    }

    /// Returns true if a move is legal here.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// assert!(Chess::default().is_legal(Move::normal(Square::E2, Square::E4)));
    /// assert!(!Chess::default().is_legal(Move::normal(Square::E2, Square::E5)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return CastlingSide::ALL.into_iter().any(|side| self.castle(side) == Some(mv));
        }
        let own = self.board.by_color(us);
        let Some(role) = self.board.role_at(from) else { return false };
        if !own.has(from) || own.has(to) {
            return false;
        }
        let promotes = role == Role::Pawn && to.rank() == relative_rank(us, Rank::Eighth);
        let promotion_fits = match mv.promotion() {
            None => !promotes,
            Some(role) => promotes && Role::PROMOTIONS.contains(&role),
        };
        let occupied = self.board.occupied();
        let reach = match role {
            Role::Pawn => {
                let behind = self.ep_square.map_or(Bitboard::EMPTY, Bitboard::square);
                self.pawn_targets(from) | attacks::pawn(us, from) & behind
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
            Role::Khon | Role::Met => Bitboard::EMPTY,
        };
        promotion_fits && reach.has(to) && self.leaves_king_safe(from, to)
    }

    /// The squares that a pawn may move to, regardless of en passant captures and its king's safety.
    #[inline]
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.side_to_move;
        let empty = !self.board.occupied();
        let one = Bitboard::square(from).forward(us) & empty;
        let third = Bitboard::rank(relative_rank(us, Rank::Third));
        let two = (one & third).forward(us) & empty;
        one | two | attacks::pawn(us, from) & self.board.by_color(!us)
    }

    /// Castling on one side, if it is legal now.
    pub(crate) fn castle(&self, side: CastlingSide) -> Option<Move> {
        self.castling.rook(self.side_to_move, side)?;
        match self.side_to_move {
            Color::White => self.castle_of::<true>(side),
            Color::Black => self.castle_of::<false>(side),
        }
    }

    fn castle_of<const WHITE: bool>(&self, side: CastlingSide) -> Option<Move> {
        let us = color(WHITE);
        let (ours, theirs) = (Side::of(&self.board, us), Side::of(&self.board, !us));
        let node = Node::<_, WHITE>::new(Baseline, &ours, &theirs);
        let place = &mut [Castling::NONE; 2];
        let castling = &self.castlings_of(us, place)[side as usize];
        let legal = node.checkers.is_empty()
            && node.is_free(castling)
            && node.is_safe(castling, node.danger());
        if legal { Some(Move::castle(node.king, castling.rook.first()?)) } else { None }
    }
}

/// A rank from a side's point of view: its own back rank is the first.
pub(crate) const fn relative_rank(color: Color, rank: Rank) -> Rank {
    match color {
        Color::White => rank,
        Color::Black => Rank::ALL[7 - rank as usize],
    }
}
