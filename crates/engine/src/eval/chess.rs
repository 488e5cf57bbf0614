//! The evaluation of chess.
//!
//! Piece values and squares are PeSTO's; the other terms are the usual ones of the literature, with round numbers set
//! by hand.
//!
//! # Source
//! "Evaluation" and the pages under it, Chess Programming Wiki.

mod endings;
mod tables;

use super::{Assault, Evaluation, FULL_PHASE, Score, Term, each_piece, king_zone, pawns, seen_by};
use crate::SearchBoard;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{Bitboard, Board, Color, File, Piece, Rank, Role, Square};

/// What each role adds to the phase.
const PHASES: [i32; 8] = [0, 1, 1, 2, 4, 0, 0, 0];

/// Knight, bishop, rook, queen: the usual number of squares, and the worth of each more.
const MOBILITY: [(Role, i32, Score); 4] = [
    (Role::Knight, 4, Score::new(4, 4)),
    (Role::Bishop, 6, Score::new(4, 4)),
    (Role::Rook, 7, Score::new(2, 4)),
    (Role::Queen, 13, Score::new(1, 3)),
];

/// How much a square of the king's zone weighs, attacked by such a piece.
const ASSAULT: [i32; 8] = [0, 6, 5, 7, 10, 0, 0, 0];

const DOUBLED: Score = Score::new(-8, -16);
const ISOLATED: Score = Score::new(-10, -10);
const SUPPORTED: Score = Score::new(8, 6);
const PHALANX: Score = Score::new(5, 4);
const BISHOP_PAIR: Score = Score::new(24, 44);
const ROOK_ON_OPEN_FILE: Score = Score::new(26, 8);
const ROOK_ON_HALF_OPEN_FILE: Score = Score::new(12, 6);
const OUTPOST: Score = Score::new(18, 10);
const PAWN_ATTACKS_PIECE: Score = Score::new(42, 30);
const MINOR_ATTACKS_MAJOR: Score = Score::new(32, 24);
const SHELTER: i32 = 9;

/// A passed pawn, by its rank as its owner sees it.
const PASSED: [Score; 8] = [
    Score::ZERO,
    Score::new(0, 6),
    Score::new(2, 10),
    Score::new(6, 24),
    Score::new(16, 44),
    Score::new(34, 76),
    Score::new(54, 100),
    Score::ZERO,
];

/// One side's view of a position.
struct Side {
    color: Color,
    all: Bitboard,
    pawns: Bitboard,
    king: Square,
    pawn_attacks: Bitboard,
}

impl Side {
    fn of(board: &Board, color: Color) -> Self {
        let of = |role| board.by_piece(Piece { color, role });
        let pawns = of(Role::Pawn);
        Self {
            color,
            all: board.by_color(color),
            pawns,
            king: of(Role::King).first().unwrap_or(Square::A1),
            pawn_attacks: pawns::attacked(color, pawns),
        }
    }
}

/// The value of a position of chess.
#[inline(always)]
pub(crate) fn evaluate<B: SearchBoard>(position: &B) -> Evaluation {
    let board = position.placement();
    let mut value = Evaluation::new();
    let mut phase = 0;
    each_piece(&board, Role::CHESS, |color, role, square| {
        value.add(Term::Material, color, tables::MATERIAL[role.index()]);
        value.add(Term::Squares, color, tables::on_square(color, role, square));
        phase += PHASES[role.index()];
    });
    value.phase = phase.min(FULL_PHASE);
    let [white, black] = Color::ALL.map(|color| Side::of(&board, color));
    for (us, them) in [(&white, &black), (&black, &white)] {
        pawn_terms(&mut value, us, them, &board);
        piece_terms(&mut value, us, them, &board, position);
    }
    endings::apply(&mut value, &board);
    value
}

#[inline(always)]
fn pawn_terms(value: &mut Evaluation, us: &Side, them: &Side, board: &Board) {
    let color = us.color;
    let behind = pawns::ahead(!color, us.pawns) & us.pawns;
    value.add(Term::Pawns, color, DOUBLED * behind.len() as i32);
    let neighbors = pawns::beside(pawns::files(us.pawns));
    value.add(Term::Pawns, color, ISOLATED * (us.pawns - neighbors).len() as i32);
    value.add(Term::Pawns, color, SUPPORTED * (us.pawns & us.pawn_attacks).len() as i32);
    value.add(Term::Pawns, color, PHALANX * (us.pawns & pawns::beside(us.pawns)).len() as i32);

    let stopped = pawns::widened(pawns::ahead(!color, them.pawns));
    // Of two passed pawns on a file, only the one in front counts.
    for pawn in us.pawns - stopped - behind {
        let rank = seen_by(color, pawn).rank().index();
        let mut score = PASSED[rank];
        let stop = Bitboard::square(pawn).forward(color);
        if stop.intersects(board.occupied()) {
            score = Score::new(score.middle / 2, score.end / 2);
        }
        if let Some(stop) = stop.first() {
            let near =
                i32::from(them.king.distance(stop)) * 4 - i32::from(us.king.distance(stop)) * 2;
            score.end += near * (rank as i32 - 1).max(0) / 2;
        }
        if us.pawn_attacks.has(pawn) {
            score += Score::new(4, 10);
        }
        value.add(Term::Passed, color, score);
    }
}

#[inline(always)]
fn piece_terms<B: SearchBoard>(
    value: &mut Evaluation,
    us: &Side,
    them: &Side,
    board: &Board,
    position: &B,
) {
    let color = us.color;
    let of = |role| board.by_piece(Piece { color, role });
    let theirs = |role| them.all & board.by_role(role);
    let zone = king_zone(them.color, them.king);
    let reachable = !(us.pawns | us.king | them.pawn_attacks);
    let mut assault = Assault::default();
    let mut by_minors = Bitboard::EMPTY;
    for (role, usual, worth) in MOBILITY {
        for square in of(role) {
            let attacked = position.attacks(Piece { color, role }, square);
            let squares = (attacked & reachable).len() as i32;
            value.add(Term::Mobility, color, worth * (squares - usual));
            assault.add(ASSAULT[role.index()], attacked & zone);
            if matches!(role, Role::Knight | Role::Bishop) {
                by_minors |= attacked;
            }
        }
    }
    if of(Role::Bishop).has_many() {
        value.add(Term::Pieces, color, BISHOP_PAIR);
    }
    for rook in of(Role::Rook) {
        let file = Bitboard::file(rook.file());
        if !file.intersects(us.pawns) {
            let open = !file.intersects(them.pawns);
            let score = if open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
            value.add(Term::Pieces, color, score);
        }
    }
    // Knights that a pawn protects, on squares that no enemy pawn can ever attack.
    let safe = !pawns::beside(pawns::ahead(!color, them.pawns)) & us.pawn_attacks;
    let advanced = [Rank::Fourth, Rank::Fifth, Rank::Sixth].map(|rank| match color {
        Color::White => Bitboard::rank(rank),
        Color::Black => Bitboard::rank(rank).flip_vertical(),
    });
    let outposts = of(Role::Knight) & safe & (advanced[0] | advanced[1] | advanced[2]);
    value.add(Term::Pieces, color, OUTPOST * outposts.len() as i32);

    let major = theirs(Role::Rook) | theirs(Role::Queen);
    let pieces = major | theirs(Role::Knight) | theirs(Role::Bishop);
    value.add(Term::Threats, color, PAWN_ATTACKS_PIECE * (us.pawn_attacks & pieces).len() as i32);
    value.add(Term::Threats, color, MINOR_ATTACKS_MAJOR * (by_minors & major).len() as i32);

    // Without a queen, an attack rarely ends in mate.
    let danger = assault.danger();
    let danger = if of(Role::Queen).is_empty() { danger / 4 } else { danger };
    value.add(Term::King, them.color, Score::new(-danger, -danger / 8));
    value.add(Term::King, color, Score::new(shelter(us), 0));
}

/// The pawns in front of a king on its first two ranks.
#[inline(always)]
fn shelter(us: &Side) -> i32 {
    let seen = seen_by(us.color, us.king);
    if seen.rank() > Rank::Second {
        return -2 * SHELTER;
    }
    let center = match us.king.file() {
        File::A => File::B,
        File::H => File::G,
        file => file,
    };
    let near = attacks::king(Square::new(center, us.king.rank())) | us.king;
    let front = pawns::widened(Bitboard::file(center)) & (near | near.forward(us.color));
    let close = (front & near & us.pawns).len() as i32;
    let next = (front & us.pawns).len() as i32 - close;
    SHELTER * (close * 2 + next - 4)
}
