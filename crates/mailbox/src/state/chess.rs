//! Chess and Chess960: castling rights and en passant, and the conversion from and to a setup. The source has Makruk
//! alone; its board holds chess as well.

use super::{Game, State};
use crate::fen::Claim;
use crate::piece::{forward, relative_rank};
use crate::{Board, Dialect, Ending, Index, Kind, Piece};
use alloc::string::String;
use alloc::vec::Vec;
use halfmove_rules::{CastlingRights, CastlingSide, Color, Flaw, Flaws, Move, Role, Setup, Square};

/// A legal position of chess or Chess960, with its history.
///
/// ```
/// use halfmove_mailbox::Chess;
/// use halfmove_rules::{Setup, Square};
///
/// let setup: Setup = "8/8/8/2k5/3Pp3/8/8/4K2R b K d3 0 1".parse()?;
/// let position = Chess::from_setup(&setup).expect("a legal position");
/// assert!(position.is_check());
/// assert_eq!(position.checkers().collect::<Vec<_>>(), [Square::D4]);
/// assert_eq!(position.legal_moves().len(), 9, "the king's eight moves, and e4xd3");
/// assert_eq!(position.to_setup(), setup);
/// # Ok::<(), halfmove_rules::FenSyntaxError>(())
/// ```
pub type Chess = State<ChessGame>;

/// The part of the state that only chess has: castling rights and en passant.
#[derive(Clone, Debug)]
pub struct ChessGame {
    /// The rooks that may castle, with their color.
    pub(crate) castling_rooks: Vec<(Color, Index)>,
    /// The square behind a pawn that has just advanced two squares, whether or not it can be
    /// captured en passant.
    pub(crate) ep_square: Option<Index>,
}

impl Game for ChessGame {
    fn name(&self, kind: Kind, _: Dialect) -> Option<&'static str> {
        Self::name_of(kind)
    }

    fn promotion_rank(&self) -> u8 {
        7
    }

    fn promotions(&self) -> &'static [Role] {
        &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
    }

    fn promoted(&self, role: Role) -> Kind {
        role.into()
    }

    fn add_pawn_moves(state: &Chess, from: Index, moves: &mut Vec<Move>) {
        state.add_chess_pawn_moves(from, moves);
    }

    fn add_castling(state: &Chess, moves: &mut Vec<Move>) {
        state.add_chess_castling(moves);
    }

    fn allows(_: &Chess, _: Move) -> bool {
        true
    }

    /// The castling rights and the en passant square after a move. A right is lost once the king has moved, or the rook
    /// has moved or been captured.
    fn after(state: &Chess, mv: Move, _: &Chess) -> Self {
        let us = state.side_to_move;
        let (from, to) = (Index::new(mv.from()), Index::new(mv.to()));
        let moved = state.board.at(from).map(|piece| piece.kind);
        let mut castling_rooks = state.game.castling_rooks.clone();
        castling_rooks.retain(|(color, rook)| {
            !(moved == Some(Kind::King) && *color == us) && *rook != from && *rook != to
        });
        let is_double_step = moved == Some(Kind::Pawn) && from.rank().abs_diff(to.rank()) == 2;
        let ep_square = from.step(forward(us)).filter(|_| is_double_step);
        Self { castling_rooks, ep_square }
    }

    fn add_to_key(state: &Chess, key: &mut String) {
        for (color, rook) in &state.game.castling_rooks {
            key.push(if *color == Color::White { 'W' } else { 'B' });
            key.push(char::from(b'a' + rook.file()));
        }
        let ep_square = state.legal_ep_square().map(Index::new);
        key.extend(ep_square.map(|square| char::from(b'a' + square.file())));
    }

    fn has_insufficient_material(state: &Chess) -> bool {
        state.is_dead_chess()
    }

    fn checkmate(state: &Chess) -> Ending {
        Ending::Checkmate { winner: !state.side_to_move }
    }

    fn draw(state: &Chess) -> Option<Ending> {
        if state.occurrences() >= 5 {
            return Some(Ending::Fivefold);
        }
        (state.halfmove_clock >= 150).then_some(Ending::SeventyFiveMoves)
    }

    fn claimable(state: &Chess) -> Option<Ending> {
        if state.occurrences() >= 3 {
            return Some(Ending::Threefold);
        }
        (state.halfmove_clock >= 100).then_some(Ending::FiftyMoves)
    }
}

impl ChessGame {
    /// The letter of a white piece.
    pub(crate) const fn name_of(kind: Kind) -> Option<&'static str> {
        Some(match kind {
            Kind::Pawn => "P",
            Kind::Knight => "N",
            Kind::Bishop => "B",
            Kind::Rook => "R",
            Kind::Queen => "Q",
            Kind::King => "K",
            Kind::Khon | Kind::Met | Kind::FlippedBia => return None,
        })
    }
}

impl Chess {
    /// Validates a setup.
    ///
    /// # Errors
    /// All flaws that make the position unplayable. Whether a game can reach the position is not
    /// tested: [`Flaws::UNREACHABLE`] is never included.
    pub fn from_setup(setup: &Setup) -> Result<Self, Flaws> {
        let mut board = Board::default();
        for (square, piece) in setup.board.pieces() {
            board.put(square, piece.into());
        }
        let claims = setup.castling.iter().map(|(c, wing, rook)| (c, wing, Index::new(rook)));
        let claims = claims.collect::<Vec<_>>();
        let ep_square = setup.ep_square.map(Index::new);
        let mut state = Self::from_claims(board, setup.side_to_move, &claims, ep_square)?;
        state.halfmove_clock = setup.halfmove_clock;
        state.fullmove_number = setup.fullmove_number;
        Ok(state)
    }

    /// The contents of a FEN of this position, with the en passant square only if a capture there
    /// is legal.
    pub fn to_setup(&self) -> Setup {
        let mut board = halfmove_rules::Board::default();
        for (square, piece) in self.board.pieces() {
            board.put(square, piece.into());
        }
        let mut castling = CastlingRights::NONE;
        for (color, rook) in &self.game.castling_rooks {
            let side = self.wing(*color, *rook);
            castling.set(*color, side, Some(rook.square()));
        }
        Setup {
            board,
            side_to_move: self.side_to_move,
            castling,
            ep_square: self.legal_ep_square(),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// A position with these castling rights, if it is playable.
    pub(crate) fn from_claims(
        board: Board,
        side_to_move: Color,
        claims: &[Claim],
        ep_square: Option<Index>,
    ) -> Result<Self, Flaws> {
        let castling_rooks = claims.iter().map(|(color, _, rook)| (*color, *rook)).collect();
        let game = ChessGame { castling_rooks, ep_square };
        let state = Self {
            board,
            side_to_move,
            halfmove_clock: 0,
            fullmove_number: 1,
            game,
            occurrences: Default::default(),
        };
        let flaws = state.flaws(claims);
        if flaws.is_empty() { Ok(state.without_history()) } else { Err(flaws) }
    }

    /// The flaws that make the position unplayable, if these castling rights are claimed.
    fn flaws(&self, claims: &[Claim]) -> Flaws {
        let mut flaws = Flaws::NONE;
        let mut check = |found, flaw: Flaw| {
            if found {
                flaws = flaws | flaw;
            }
        };
        for color in Color::ALL {
            let kings = self.board.count(color, Kind::King);
            check(kings == 0, Flaw::NoKing);
            check(kings > 1, Flaw::SeveralKings);
        }
        for (square, piece) in self.board.pieces() {
            let on_back_rank = matches!(Index::new(square).rank(), 0 | 7);
            check(piece.kind == Kind::Pawn && on_back_rank, Flaw::PawnOnBackRank);
            check(ChessGame::name_of(piece.kind).is_none(), Flaw::ForeignPiece);
        }
        let one_king = |color| self.board.count(color, Kind::King) == 1;
        let them = !self.side_to_move;
        check(one_king(them) && self.board.is_in_check(them), Flaw::OppositeCheck);
        for (color, side, rook) in claims {
            let allowed = one_king(*color) && self.allows_castling(*color, *side, *rook);
            check(!allowed, Flaw::Castling);
        }
        let ep_square = self.game.ep_square;
        check(
            ep_square.is_some_and(|ep_square| !self.allows_en_passant(ep_square)),
            Flaw::EnPassant,
        );
        flaws
    }

    /// The square behind a pawn that has just advanced two squares and can legally be captured en passant.
    pub(crate) fn legal_ep_square(&self) -> Option<Square> {
        let ep_square = self.game.ep_square?;
        let pawns = self.board.list(self.side_to_move, Kind::Pawn);
        let mut takers = pawns.iter().filter(|pawn| {
            let mv = Move::normal(pawn.square(), ep_square.square());
            self.board.attacks_from(**pawn).any(|to| to == ep_square) && self.keeps_king_safe(mv)
        });
        takers.next().map(|_| ep_square.square())
    }

    /// The castling side of a rook, seen from its king.
    pub(crate) fn wing(&self, color: Color, rook: Index) -> CastlingSide {
        let is_king_side = self.board.king(color).is_some_and(|king| rook > king);
        if is_king_side { CastlingSide::KingSide } else { CastlingSide::QueenSide }
    }

    /// Returns true if king and rook stand on their own first rank, with the rook on the given side.
    fn allows_castling(&self, color: Color, side: CastlingSide, rook: Index) -> bool {
        let at_home = |index| relative_rank(color, index) == 0;
        self.board.at(rook) == Some(Piece { color, kind: Kind::Rook })
            && at_home(rook)
            && self.board.king(color).is_some_and(at_home)
            && self.wing(color, rook) == side
    }

    /// Returns true if the side that has just moved can have made a double step over a square: its pawn is now one rank
    /// ahead, and the square itself and the one behind it are empty.
    fn allows_en_passant(&self, ep_square: Index) -> bool {
        let them = !self.side_to_move;
        let ahead = forward(them);
        let now = ep_square.step(ahead).and_then(|index| self.board.at(index));
        let before = ep_square.step(-ahead).map(|index| self.board.at(index));
        relative_rank(them, ep_square) == 2
            && now == Some(Piece { color: them, kind: Kind::Pawn })
            && self.board.at(ep_square).is_none()
            && before == Some(None)
    }
}

impl Default for Chess {
    /// The standard starting position.
    fn default() -> Self {
        const BACK: [Kind; 8] = [
            Kind::Rook,
            Kind::Knight,
            Kind::Bishop,
            Kind::Queen,
            Kind::King,
            Kind::Bishop,
            Kind::Knight,
            Kind::Rook,
        ];
        let mut board = Board::default();
        let mut castling_rooks = Vec::new();
        for index in Index::all() {
            let file = usize::from(index.file());
            let (color, kind) = match index.rank() {
                0 => (Color::White, BACK[file]),
                1 => (Color::White, Kind::Pawn),
                6 => (Color::Black, Kind::Pawn),
                7 => (Color::Black, BACK[file]),
                _ => continue,
            };
            board.put_at(index, Piece { color, kind });
            if kind == Kind::Rook {
                castling_rooks.push((color, index));
            }
        }
        Self::new(board, Color::White, ChessGame { castling_rooks, ep_square: None })
    }
}
