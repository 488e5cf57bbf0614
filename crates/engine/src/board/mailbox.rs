//! The 0x88 boards of crate `mailbox`: the slow half of the comparison, and the reference in tests.
//!
//! Everything here is computed plainly: keys from scratch, exchanges by moving pieces on a copy of the board.

use super::{Count, SearchBoard};
use crate::eval::tally::Terms;
use crate::eval::{self, Evaluation};
use halfmove_mailbox::{self as mailbox, CountingPolicy, Dialect, Rules};
use halfmove_rules::{
    self as rules, Bitboard, Board, Color, EXCHANGE_VALUES, EnPassantMode, Move, Piece, Role,
    Square, Variant, castling_key, en_passant_key, makruk, piece_key, turn_key,
};
use std::borrow::Cow;

/// A position on the 0x88 board, with its key.
///
/// ```
/// use halfmove_engine::{Mailbox, SearchBoard};
/// use halfmove_rules::Chess;
///
/// let fast: Chess = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2".parse()?;
/// let slow = Mailbox::<halfmove_mailbox::Chess>::of(&fast).expect("a legal position");
/// assert_eq!(slow.key(), fast.key());
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mailbox<P> {
    position: P,
    key: u64,
}

impl Mailbox<mailbox::Chess> {
    /// The same position on the 0x88 board; `None` if that board finds it illegal.
    pub fn of(position: &rules::Chess) -> Option<Self> {
        let setup = position.to_setup_as(EnPassantMode::Always);
        mailbox::Chess::from_setup(&setup).ok().map(Self::new)
    }

    fn new(position: mailbox::Chess) -> Self {
        let key = chess_key(&position);
        Self { position, key }
    }
}

impl Mailbox<mailbox::Makruk> {
    /// The same position on the 0x88 board; `None` if that board finds it illegal.
    pub fn of(position: &rules::Makruk) -> Option<Self> {
        let rules = match position.rules() {
            makruk::Rules::Makruk => Rules::Makruk,
            makruk::Rules::Makpong => Rules::Makpong,
            makruk::Rules::Asean => Rules::Asean,
            _ => return None,
        };
        let fen = position.to_string();
        let position = mailbox::Makruk::from_fen(&fen, rules, Dialect::Fairy, CountingPolicy::Auto);
        position.ok().map(Self::new)
    }

    fn new(position: mailbox::Makruk) -> Self {
        let key = makruk_key(&position);
        Self { position, key }
    }
}

fn chess_key(position: &mailbox::Chess) -> u64 {
    let setup = position.to_setup();
    let mut key =
        setup.board.pieces().fold(0, |key, (square, piece)| key ^ piece_key(piece, square));
    for (color, side, _) in setup.castling.iter() {
        key ^= castling_key(color, side);
    }
    if let Some(square) = setup.ep_square {
        key ^= en_passant_key(square.file());
    }
    if setup.side_to_move == Color::White { key ^ turn_key() } else { key }
}

fn makruk_key(position: &mailbox::Makruk) -> u64 {
    to_makruk(position).map_or(0, |position| position.zobrist().0)
}

/// All pieces, as the rules name them.
fn placement(board: &mailbox::Board) -> Board {
    board.pieces().map(|(square, piece)| (square, piece.into())).collect()
}

fn role_of(board: &mailbox::Board, square: Square) -> Option<Role> {
    board.piece_at(square).map(|piece| piece.kind.role())
}

/// The same position on bitboards, without its history.
fn to_makruk(position: &mailbox::Makruk) -> Option<rules::Makruk> {
    let rules = match position.rules() {
        Rules::Makruk => makruk::Rules::Makruk,
        Rules::Makpong => makruk::Rules::Makpong,
        Rules::Asean => makruk::Rules::Asean,
    };
    let counting = match position.counting() {
        Some(count) => {
            let honor = match count.honor {
                mailbox::Honor::Board => makruk::Honor::Board,
                mailbox::Honor::Pieces => makruk::Honor::Pieces,
            };
            makruk::Counting::new(honor, count.color, count.limit / 2, count.ply)
        }
        None => None,
    };
    let setup = makruk::Setup {
        rules,
        board: placement(position.board()),
        promoted: Bitboard::EMPTY,
        side_to_move: position.side_to_move(),
        counting,
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
    };
    rules::Makruk::from_setup(setup).ok()
}

/// The roles in the order in which they capture.
const BY_VALUE: [Role; 8] = [
    Role::Pawn,
    Role::Met,
    Role::Khon,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// What a move wins on its target square.
fn exchange(board: &mailbox::Board, mv: Move, values: &[i32; 8]) -> i32 {
    let (from, to) = (mv.from(), mv.to());
    let value = |role: Role| values[role.index()];
    let mut board = board.clone();
    let Some(mover) = board.remove(from).filter(|_| !mv.is_castle()) else { return 0 };
    let role = mover.kind.role();
    let mut won = board.remove(to).map_or(0, |piece| value(piece.kind.role()));
    if role == Role::Pawn && won == 0 && from.file() != to.file() {
        // En passant.
        board.remove(Square::new(to.file(), from.rank()));
        won = value(Role::Pawn);
    }
    let role = mv.promotion().unwrap_or(role);
    won += value(role) - value(mover.kind.role());
    board.put(to, mailbox::Piece { kind: role.into(), ..mover });
    won - best_capture(&mut board, to, !mover.color, values)
}

/// What a side wins by capturing on a square, or 0 if it had better not.
fn best_capture(board: &mut mailbox::Board, square: Square, us: Color, values: &[i32; 8]) -> i32 {
    let rank = |from: &Square| {
        let role = role_of(board, *from);
        (BY_VALUE.iter().position(|other| Some(*other) == role), *from)
    };
    let Some(from) = board.attackers(square, us).min_by_key(rank) else { return 0 };
    let (Some(piece), Some(taken)) = (board.remove(from), role_of(board, square)) else { return 0 };
    if piece.kind == mailbox::Kind::King && board.is_attacked(square, !us) {
        return 0;
    }
    board.put(square, piece);
    (values[taken.index()] - best_capture(board, square, !us, values)).max(0)
}

/// What both games answer in the same way.
macro_rules! shared {
    () => {
        #[inline]
        fn side_to_move(&self) -> Color {
            self.position.side_to_move()
        }

        fn halfmove_clock(&self) -> u16 {
            self.position.halfmove_clock()
        }

        fn key(&self) -> u64 {
            self.key
        }

        fn is_check(&self) -> bool {
            self.position.is_check()
        }

        fn each_move(&self, take: impl FnMut(Move)) {
            self.position.legal_moves().into_iter().for_each(take);
        }

        fn each_noisy_move(&self, take: impl FnMut(Move)) {
            let moves = self.position.legal_moves().into_iter();
            moves.filter(|mv| mv.promotion().is_some() || self.is_capture(*mv)).for_each(take);
        }

        fn each_quiet_move(&self, mut take: impl FnMut(Role, Move)) {
            for mv in self.position.legal_moves() {
                if mv.promotion().is_none() && !self.is_capture(mv) {
                    take(role_of(self.position.board(), mv.from()).unwrap_or(Role::Pawn), mv);
                }
            }
        }

        fn is_legal(&self, mv: Move) -> bool {
            self.position.legal_moves().contains(&mv)
        }

        fn piece_at(&self, square: Square) -> Option<Piece> {
            self.position.board().piece_at(square).map(Piece::from)
        }

        fn placement(&self) -> Board {
            placement(self.position.board())
        }

        fn attacks(&self, _: Piece, from: Square) -> Bitboard {
            self.position.board().attacks(from).collect()
        }

        fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
            exchange(self.position.board(), mv, &Self::VALUES) >= threshold
        }
    };
}

impl SearchBoard for Mailbox<mailbox::Chess> {
    const VALUES: [i32; 8] = EXCHANGE_VALUES;

    shared!();

    fn variant(&self) -> Variant {
        Variant::Chess
    }

    fn play(&mut self, mv: Move) {
        *self = Self::new(self.position.play_unchecked(mv));
    }

    fn pass(&self) -> Option<Self> {
        let mut setup = self.position.to_setup();
        setup.side_to_move = !setup.side_to_move;
        setup.ep_square = None;
        setup.halfmove_clock = setup.halfmove_clock.saturating_add(1);
        mailbox::Chess::from_setup(&setup).ok().map(Self::new)
    }

    fn count(&self) -> Option<Count> {
        None
    }

    fn is_insufficient_material(&self) -> bool {
        self.position.board().pieces().count() <= 4
            && self.position.outcome() == Some(rules::Outcome::InsufficientMaterial)
    }

    fn evaluate(&self) -> Evaluation {
        eval::chess::evaluate(self, Terms::default()).into()
    }

    fn value(&self) -> i32 {
        eval::chess::evaluate(self, ()).total_for(self.side_to_move())
    }
}

impl SearchBoard for Mailbox<mailbox::Makruk> {
    const VALUES: [i32; 8] = super::makruk::VALUES;

    shared!();

    fn variant(&self) -> Variant {
        match self.position.rules() {
            Rules::Makruk => Variant::Makruk,
            Rules::Makpong => Variant::Makpong,
            Rules::Asean => Variant::Asean,
        }
    }

    fn play(&mut self, mv: Move) {
        // The search keeps track of repetitions itself.
        *self = Self::new(self.position.play_unchecked(mv).without_history());
    }

    fn pass(&self) -> Option<Self> {
        let fen = self.position.to_fen(Dialect::Fairy);
        let placement = fen.split(' ').next()?;
        let side = if self.side_to_move() == Color::White { 'b' } else { 'w' };
        let clock = self.halfmove_clock().saturating_add(1);
        let fen = format!("{placement} {side} - - {clock} {}", self.position.fullmove_number());
        let (rules, policy) = (self.position.rules(), CountingPolicy::Auto);
        mailbox::Makruk::from_fen(&fen, rules, Dialect::Fairy, policy).ok().map(Self::new)
    }

    fn count(&self) -> Option<Count> {
        let count = self.position.counting()?;
        Some(Count {
            color: count.color,
            bare: count.honor == mailbox::Honor::Pieces,
            plies_left: i32::from(count.limit) - i32::from(count.ply),
        })
    }

    fn is_insufficient_material(&self) -> bool {
        self.position.board().pieces().count() <= 6
            && self.position.ending() == Some(mailbox::Ending::InsufficientMaterial)
    }

    fn evaluate(&self) -> Evaluation {
        eval::makruk::evaluate(self, Terms::default()).into()
    }

    fn value(&self) -> i32 {
        eval::makruk::evaluate(self, ()).total_for(self.side_to_move())
    }

    fn to_makruk(&self) -> Option<Cow<'_, rules::Makruk>> {
        to_makruk(&self.position).map(Cow::Owned)
    }
}
