//! Questions about a board: pieces, attacks, checks, and the end of the game.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use halfmove_rules::bitboard::attacks;
use halfmove_rules::{
    AnyPosition, Bitboard, Board as Placement, CastlingSide, Chess, Color, EnPassantMode, Move,
    Role, Square,
};
use pyo3::prelude::*;

use super::Board;
use crate::moves::PyMove;
use crate::outcome::PyOutcome;
use crate::squares::{Piece, SquareSet, color_of, role_number, role_of, square_of, squares_or};
use crate::work::interruptible;

#[pymethods]
impl Board {
    /// True if White is to move.
    #[getter]
    fn turn(&self) -> bool {
        self.position().side_to_move() == Color::White
    }

    /// Half-moves since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position().halfmove_clock()
    }

    /// 1 at the start, one more after each move of Black.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().fullmove_number()
    }

    /// The number of half-moves since move 1.
    fn ply(&self) -> u32 {
        self.position().ply()
    }

    /// The piece on a square, or `None`.
    fn piece_at(&self, square: i64) -> PyResult<Option<Piece>> {
        Ok(self.position().board().piece_at(square_of(square)?).map(Piece))
    }

    /// The type of the piece on a square, or `None`.
    fn piece_type_at(&self, square: i64) -> PyResult<Option<usize>> {
        Ok(self.position().board().role_at(square_of(square)?).map(role_number))
    }

    /// The color of the piece on a square: true for White; `None` for an empty square.
    fn color_at(&self, square: i64) -> PyResult<Option<bool>> {
        let piece = self.position().board().piece_at(square_of(square)?);
        Ok(piece.map(|piece| piece.color == Color::White))
    }

    /// The pieces by their squares, of which `mask` chooses some.
    #[pyo3(signature = (*, mask=None))]
    fn piece_map(&self, mask: Option<&Bound<'_, PyAny>>) -> PyResult<BTreeMap<usize, Piece>> {
        let mask = squares_or(mask, Bitboard::FULL)?;
        let pieces = self.position().board().pieces().filter(|(square, _)| mask.has(*square));
        Ok(pieces.map(|(square, piece)| (square.index(), Piece(piece))).collect())
    }

    /// The squares of the pieces of a type and a color.
    fn pieces(&self, piece_type: i64, color: bool) -> PyResult<SquareSet> {
        let piece = halfmove_rules::Piece { role: role_of(piece_type)?, color: color_of(color) };
        Ok(SquareSet(self.position().board().by_piece(piece)))
    }

    /// The bits of the squares of the pieces of a type and a color.
    fn pieces_mask(&self, piece_type: i64, color: bool) -> PyResult<u64> {
        Ok(self.pieces(piece_type, color)?.0.0)
    }

    /// True if an attack on the king of a color is blocked on a square alone, or would be: the square of a pinned piece, but
    /// also, as in python-chess, an empty square before a piece that gives check, or one with a piece of the other color.
    fn is_pinned(&self, color: bool, square: i64) -> PyResult<bool> {
        Ok(self.pin_line(color_of(color), square_of(square)?).is_some())
    }

    /// True: a board is always a position of its game.
    fn is_valid(&self) -> bool {
        true
    }

    /// The squares with a piece.
    #[getter]
    fn occupied(&self) -> u64 {
        self.position().board().occupied().0
    }

    /// The square of the king of a color.
    fn king(&self, color: bool) -> usize {
        self.position().king(color_of(color)).index()
    }

    /// The squares that the piece on a square attacks.
    pub(super) fn attacks(&self, square: i64) -> PyResult<SquareSet> {
        let board = self.position().board();
        Ok(SquareSet(attacks_from(board, square_of(square)?, board.occupied())))
    }

    /// The squares of the pieces of a color that attack a square. `occupied` are the squares that block attacks, by default those
    /// with a piece.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/8/4R3/4R3/4K3 b - - 0 1")
    /// >>> [halfmove.square_name(square) for square in board.attackers(halfmove.WHITE, halfmove.E8)]
    /// ['e3']
    /// >>> occupied = board.occupied & ~halfmove.BB_E3
    /// >>> [halfmove.square_name(square) for square in board.attackers(halfmove.WHITE, halfmove.E8, occupied)]
    /// ['e2', 'e3']
    #[pyo3(signature = (color, square, occupied=None))]
    pub(super) fn attackers(
        &self,
        color: bool,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SquareSet> {
        let board = self.position().board();
        let occupied = squares_or(occupied, board.occupied())?;
        let (color, square) = (color_of(color), square_of(square)?);
        Ok(SquareSet(attackers_on(self.position(), board, color, square, occupied)))
    }

    /// True if a piece of a color attacks a square; `occupied` are the squares that block attacks.
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: bool,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Ok(!self.attackers(color, square, occupied)?.0.is_empty())
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> SquareSet {
        SquareSet(self.position().checkers())
    }

    /// True if the side to move is in check.
    fn is_check(&self) -> bool {
        self.position().is_check()
    }

    /// True if the side to move is checkmated.
    fn is_checkmate(&self) -> bool {
        self.position().is_checkmate()
    }

    /// True if the side to move has no legal move and is not in check.
    fn is_stalemate(&self) -> bool {
        self.position().is_stalemate()
    }

    /// True if neither side can mate.
    fn is_insufficient_material(&self) -> bool {
        self.position().is_insufficient_material()
    }

    /// True if a side cannot mate, whatever the other does.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    /// >>> board.has_insufficient_material(halfmove.WHITE), board.has_insufficient_material(halfmove.BLACK)
    /// (False, True)
    fn has_insufficient_material(&self, color: bool) -> bool {
        !self.position().can_mate(color_of(color))
    }

    /// True if the position has occurred this often.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> for san in ["Nf3", "Nf6", "Ng1", "Ng8"]:
    /// ...     move = board.push_san(san)
    /// >>> board.is_repetition(2), board.is_repetition(3)
    /// (True, False)
    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: usize) -> bool {
        self.history.occurrences() >= count
    }

    /// True if the position has occurred five times, which ends a game of chess.
    fn is_fivefold_repetition(&self) -> bool {
        self.history.occurrences() >= 5
    }

    /// True if 75 moves were played without a capture or a pawn move, and a move is legal.
    fn is_seventyfive_moves(&self) -> bool {
        self.position().halfmove_clock() >= 150 && self.position().count_moves() > 0
    }

    /// True if 50 moves were played without a capture or a pawn move, and a move is legal.
    fn is_fifty_moves(&self) -> bool {
        self.position().halfmove_clock() >= 100 && self.position().count_moves() > 0
    }

    /// True if the side to move may claim a draw now.
    fn can_claim_draw(&self) -> bool {
        self.history.claim().is_some()
    }

    /// The end of the game, or `None`; with `claim_draw` also a draw that the side to move may claim.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> for san in ["f3", "e5", "g4", "Qh4#"]:
    /// ...     move = board.push_san(san)
    /// >>> outcome = board.outcome()
    /// >>> outcome.termination, outcome.winner, outcome.result()
    /// ('checkmate', False, '0-1')
    #[pyo3(signature = (*, claim_draw=false))]
    fn outcome(&self, claim_draw: bool) -> Option<PyOutcome> {
        let claimed = || claim_draw.then(|| self.history.claim()).flatten();
        self.history.outcome().or_else(claimed).map(PyOutcome)
    }

    /// True if the game is over.
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.outcome(claim_draw).is_some()
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the game is not over.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        self.outcome(claim_draw).map_or("*", |outcome| outcome.0.result())
    }

    /// True if a move is legal.
    fn is_legal(&self, r#move: PyMove) -> bool {
        self.legal(r#move).is_some()
    }

    /// True if a legal move captures a piece.
    fn is_capture(&self, r#move: PyMove) -> bool {
        self.legal(r#move).is_some_and(|mv| self.position().is_capture(mv))
    }

    /// True if a legal move captures en passant.
    fn is_en_passant(&self, r#move: PyMove) -> bool {
        self.legal(r#move).is_some_and(|mv| {
            let board = self.position().board();
            self.position().is_capture(mv) && board.piece_at(mv.to()).is_none()
        })
    }

    /// True if a legal move is castling.
    fn is_castling(&self, r#move: PyMove) -> bool {
        self.legal(r#move).is_some_and(Move::is_castle)
    }

    /// True if a legal move is castling on the king's side.
    fn is_kingside_castling(&self, r#move: PyMove) -> bool {
        self.castles(r#move, CastlingSide::KingSide)
    }

    /// True if a legal move is castling on the queen's side.
    fn is_queenside_castling(&self, r#move: PyMove) -> bool {
        self.castles(r#move, CastlingSide::QueenSide)
    }

    /// True if a legal move is a capture or a pawn move.
    fn is_zeroing(&self, r#move: PyMove) -> bool {
        self.legal(r#move).is_some_and(|mv| self.position().is_zeroing(mv))
    }

    /// True if a legal move cannot be taken back by other moves: a capture, a pawn move, the loss of castling rights, or any
    /// move where a capture en passant is legal.
    fn is_irreversible(&self, r#move: PyMove) -> PyResult<bool> {
        let mv = r#move.require(self.position())?;
        let Some(chess) = self.position().as_chess() else {
            return Ok(!mv.is_null() && self.position().is_zeroing(mv));
        };
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        let keeps = next.as_chess().is_some_and(|next| next.castling() == chess.castling());
        let is_zeroing = !mv.is_null() && self.position().is_zeroing(mv);
        Ok(is_zeroing || !keeps || chess.ep_square().is_some())
    }

    /// True if the move leaves the own king attacked; whether it is possible otherwise is not checked.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
    /// >>> board.is_into_check(halfmove.Move.from_uci("d2f3"))
    /// True
    fn is_into_check(&self, r#move: PyMove) -> bool {
        let PyMove(mv) = r#move;
        let us = self.position().side_to_move();
        if r#move.find(self.position()).is_some() {
            return false;
        }
        let mut board = self.position().board().clone();
        let Some(piece) = board.remove(mv.from) else { return false };
        let en_passant = |chess: &Chess| chess.ep_square_as(EnPassantMode::Always);
        let target = self.position().as_chess().and_then(en_passant);
        if piece.role == Role::Pawn && target == Some(mv.to) {
            board.remove(Square::new(mv.to.file(), mv.from.rank()));
        }
        board.remove(mv.to);
        board.put(mv.to, piece);
        let king = board.king(us);
        king.is_some_and(|king| {
            let occupied = board.occupied();
            !attackers_on(self.position(), &board, !us, king, occupied).is_empty()
        })
    }

    /// True if a legal move gives check.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    /// >>> board.gives_check(board.parse_san("Ra8")), board.gives_check(board.parse_san("Ra7"))
    /// (True, False)
    fn gives_check(&self, r#move: PyMove) -> PyResult<bool> {
        let mut next = self.position().clone();
        next.play_unchecked(r#move.require(self.position())?);
        Ok(next.is_check())
    }

    /// True if a pawn stands beside one that has just advanced two squares, even if the capture would leave the king attacked.
    fn has_pseudo_legal_en_passant(&self) -> bool {
        let chess = self.position().as_chess();
        chess.is_some_and(|chess| chess.ep_square_as(EnPassantMode::PseudoLegal).is_some())
    }

    /// True if a color may still castle on the king's side.
    fn has_kingside_castling_rights(&self, color: bool) -> bool {
        self.may_castle(color, CastlingSide::KingSide)
    }

    /// True if a color may still castle on the queen's side.
    fn has_queenside_castling_rights(&self, color: bool) -> bool {
        self.may_castle(color, CastlingSide::QueenSide)
    }

    /// True if a color may still castle.
    fn has_castling_rights(&self, color: bool) -> bool {
        self.has_kingside_castling_rights(color) || self.has_queenside_castling_rights(color)
    }

    /// The number of the start of Chess960 with these pieces, 0 to 959, or `None`: 518 for that of chess. The side to move and the
    /// castling rights must be those of the start, and the counters only if they are not ignored.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board().chess960_pos()
    /// 518
    #[pyo3(signature = (*, ignore_turn=false, ignore_castling=false, ignore_counters=true))]
    fn chess960_pos(
        &self,
        ignore_turn: bool,
        ignore_castling: bool,
        ignore_counters: bool,
    ) -> Option<u16> {
        let chess = self.position().as_chess()?;
        if !ignore_counters && (self.halfmove_clock(), self.fullmove_number()) != (0, 1) {
            return None;
        }
        (0..960).find(|number| {
            let start = Chess::chess960(*number);
            start.is_some_and(|start| {
                start.board() == chess.board()
                    && (ignore_castling || start.castling() == chess.castling())
                    && (ignore_turn || start.side_to_move() == chess.side_to_move())
            })
        })
    }

    /// The Zobrist key: Polyglot's for chess.
    fn zobrist_hash(&self) -> u64 {
        self.position().zobrist().0
    }

    /// The number of positions after some half-moves.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board().perft(3)
    /// 8902
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let is_over = AtomicBool::new(false);
        let count = || perft(self.position(), depth, &is_over);
        interruptible(py, count, || is_over.store(true, Ordering::Relaxed))
    }
}

impl Board {
    fn legal(&self, mv: PyMove) -> Option<Move> {
        mv.find(self.position()).filter(|mv| !mv.is_null())
    }

    fn castles(&self, mv: PyMove, side: CastlingSide) -> bool {
        // The king takes its own rook.
        let castle = self.legal(mv).filter(|mv| mv.is_castle());
        castle.is_some_and(|mv| CastlingSide::of(mv.from(), mv.to()) == side)
    }

    fn may_castle(&self, color: bool, side: CastlingSide) -> bool {
        let chess = self.position().as_chess();
        chess.is_some_and(|chess| chess.castling().rook(color_of(color), side).is_some())
    }
}

/// The depth to which positions are counted between two looks for an interrupt: well below a second.
const DEPTH_AT_A_TIME: u32 = 5;

/// The number of positions after some half-moves, or of some of them if the call is over.
fn perft(position: &AnyPosition, depth: u32, is_over: &AtomicBool) -> u64 {
    if depth <= DEPTH_AT_A_TIME {
        return position.perft(depth);
    }
    let moves = position.legal_moves().into_iter();
    let counts = moves.take_while(|_| !is_over.load(Ordering::Relaxed)).map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        perft(&next, depth - 1, is_over)
    });
    counts.sum()
}

/// The squares that the piece on a square attacks.
fn attacks_from(board: &Placement, square: Square, occupied: Bitboard) -> Bitboard {
    let Some(piece) = board.piece_at(square) else { return Bitboard::EMPTY };
    match piece.role {
        Role::Pawn => attacks::pawn(piece.color, square),
        Role::Knight => attacks::knight(square),
        Role::Bishop => attacks::bishop(square, occupied),
        Role::Rook => attacks::rook(square, occupied),
        Role::Queen => attacks::queen(square, occupied),
        Role::King => attacks::king(square),
        Role::Khon => attacks::khon(piece.color, square),
        Role::Met => attacks::met(square),
    }
}

/// The pieces of a color on a board that attack a square.
fn attackers_on(
    position: &AnyPosition,
    board: &Placement,
    by: Color,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    match position {
        AnyPosition::Chess(_) => board.attackers(square, by, occupied),
        AnyPosition::Makruk(_) => {
            let own = board.by_color(by).iter();
            own.filter(|from| attacks_from(board, *from, occupied).has(square))
                .fold(Bitboard::EMPTY, |set, from| set.with(from))
        }
    }
}
