//! The evaluation of Makruk, Makpong and ASEAN chess, by hand.
//!
//! What differs from chess: a bia needs only three steps to promote, but becomes no more than a met; mets are worth
//! more together if they stand on both colors; a khon belongs in front of its king; there are few long lines, so a king
//! is safe for long and belongs in the center soon; and once no bias are left, a [count](crate::Count) may leave too
//! few moves to win.
//!
//! # Source
//! Relative values of the pieces: the tuned ones of programs, as the range in which to choose round numbers. What is
//! worth counting: the guide to Makruk of pychess-variants, and the games in `testdata`.

mod endings;
mod squares;

use super::{Assault, Evaluation, FULL_PHASE, Score, Term, each_piece, king_zone, pawns, seen_by};
use crate::SearchBoard;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{Bitboard, Board, Color, Piece, Rank, Role, Square, Variant};

/// What the pieces are worth in an exchange: bia, knight, rook, king, khon, met.
pub(crate) const VALUES: [i32; 8] = [90, 310, 0, 500, 0, 20_000, 260, 170];

const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Rook, Role::King, Role::Khon, Role::Met];

const MATERIAL: [Score; 8] = [
    Score::new(80, 100),
    Score::new(310, 300),
    Score::ZERO,
    Score::new(510, 540),
    Score::ZERO,
    Score::ZERO,
    Score::new(270, 245),
    Score::new(170, 165),
];

/// What each role adds to the phase, out of [`ALL_PIECES`].
const PHASES: [i32; 8] = [0, 2, 0, 4, 0, 0, 2, 1];
const ALL_PIECES: i32 = 34;

/// Knight, rook, khon, met: the usual number of squares, and the worth of each more.
const MOBILITY: [(Role, i32, Score); 4] = [
    (Role::Knight, 4, Score::new(5, 4)),
    (Role::Rook, 7, Score::new(3, 4)),
    (Role::Khon, 3, Score::new(5, 4)),
    (Role::Met, 2, Score::new(4, 4)),
];

/// How much a square of the king's zone weighs, attacked by such a piece.
const ASSAULT: [i32; 8] = [0, 6, 0, 6, 0, 0, 6, 5];

const DOUBLED: Score = Score::new(-8, -12);
const ISOLATED: Score = Score::new(-8, -8);
const SUPPORTED: Score = Score::new(8, 8);
const PHALANX: Score = Score::new(4, 4);
const BOTH_COLORS: Score = Score::new(6, 22);
const SAME_COLOR: Score = Score::new(-5, -14);
const ROOK_ON_OPEN_FILE: Score = Score::new(20, 10);
const ROOK_ON_HALF_OPEN_FILE: Score = Score::new(8, 4);
const KHON_BEFORE_KING: Score = Score::new(12, 2);
const OUTPOST: Score = Score::new(14, 8);
const BIA_ATTACKS_PIECE: Score = Score::new(36, 28);
const LESSER_ATTACKS_ROOK: Score = Score::new(24, 20);
const SHELTER: i32 = 6;

/// A bia that no enemy bia can stop, by the steps that are left.
const PASSED: [Score; 6] = [
    Score::ZERO,
    Score::new(30, 56),
    Score::new(14, 30),
    Score::new(6, 14),
    Score::new(2, 6),
    Score::new(0, 2),
];

/// One side's view of a position.
struct Side {
    color: Color,
    all: Bitboard,
    bias: Bitboard,
    king: Square,
    bia_attacks: Bitboard,
}

impl Side {
    fn of(board: &Board, color: Color) -> Self {
        let of = |role| board.by_piece(Piece { color, role });
        let bias = of(Role::Pawn);
        Self {
            color,
            all: board.by_color(color),
            bias,
            king: of(Role::King).first().unwrap_or(Square::A1),
            bia_attacks: pawns::attacked(color, bias),
        }
    }
}

/// The value of a position of Makruk, Makpong or ASEAN chess.
#[inline(always)]
pub(crate) fn evaluate<B: SearchBoard>(position: &B) -> Evaluation {
    let board = position.placement();
    let mut value = Evaluation::new();
    let mut phase = 0;
    each_piece(&board, ROLES, |color, role, square| {
        value.add(Term::Material, color, MATERIAL[role.index()]);
        value.add(Term::Squares, color, squares::worth(role, seen_by(color, square)));
        phase += PHASES[role.index()];
    });
    value.phase = (phase * FULL_PHASE / ALL_PIECES).min(FULL_PHASE);
    let asean = position.variant() == Variant::Asean;
    let [white, black] = Color::ALL.map(|color| Side::of(&board, color));
    for (us, them) in [(&white, &black), (&black, &white)] {
        bia_terms(&mut value, us, them, &board, asean);
        piece_terms(&mut value, us, them, &board, position);
    }
    endings::apply(&mut value, &board, position.count());
    value
}

#[inline(always)]
fn bia_terms(value: &mut Evaluation, us: &Side, them: &Side, board: &Board, asean: bool) {
    let color = us.color;
    let behind = pawns::ahead(!color, us.bias) & us.bias;
    value.add(Term::Pawns, color, DOUBLED * behind.len() as i32);
    let neighbors = pawns::beside(pawns::files(us.bias));
    value.add(Term::Pawns, color, ISOLATED * (us.bias - neighbors).len() as i32);
    value.add(Term::Pawns, color, SUPPORTED * (us.bias & us.bia_attacks).len() as i32);
    value.add(Term::Pawns, color, PHALANX * (us.bias & pawns::beside(us.bias)).len() as i32);

    let last = if asean { Rank::Eighth } else { Rank::Sixth };
    let stopped = pawns::widened(pawns::ahead(!color, them.bias));
    for bia in us.bias - stopped - behind {
        let left = last.index() - seen_by(color, bia).rank().index();
        let mut score = PASSED[left.min(PASSED.len() - 1)];
        if asean {
            // It becomes a rook.
            score = score * 2;
        }
        if Bitboard::square(bia).forward(color).intersects(board.occupied()) {
            score = Score::new(score.middle / 2, score.end / 2);
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
    let reachable = !(us.bias | us.king | them.bia_attacks);
    let mut assault = Assault::default();
    let mut by_lesser = Bitboard::EMPTY;
    for (role, usual, worth) in MOBILITY {
        for square in of(role) {
            let attacked = position.attacks(Piece { color, role }, square);
            let squares = (attacked & reachable).len() as i32;
            value.add(Term::Mobility, color, worth * (squares - usual));
            assault.add(ASSAULT[role.index()], attacked & zone);
            if role != Role::Rook {
                by_lesser |= attacked;
            }
        }
    }
    let mets = of(Role::Met);
    if mets.has_many() {
        let both = mets.intersects(Bitboard::LIGHT) && mets.intersects(Bitboard::DARK);
        let score = if both { BOTH_COLORS } else { SAME_COLOR * (mets.len() as i32 - 1) };
        value.add(Term::Mets, color, score);
    }
    for rook in of(Role::Rook) {
        let file = Bitboard::file(rook.file());
        if !file.intersects(us.bias) {
            let open = !file.intersects(them.bias);
            let score = if open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
            value.add(Term::Pieces, color, score);
        }
    }
    let before_king = pawns::widened(Bitboard::square(us.king)).forward(color);
    let guards = (before_king | before_king.forward(color)) & of(Role::Khon);
    value.add(Term::Pieces, color, KHON_BEFORE_KING * guards.len() as i32);
    let safe = !pawns::beside(pawns::ahead(!color, them.bias)) & us.bia_attacks;
    value.add(Term::Pieces, color, OUTPOST * (of(Role::Knight) & safe).len() as i32);

    let rooks = theirs(Role::Rook);
    let pieces = rooks | theirs(Role::Knight) | theirs(Role::Khon);
    value.add(Term::Threats, color, BIA_ATTACKS_PIECE * (us.bia_attacks & pieces).len() as i32);
    value.add(Term::Threats, color, LESSER_ATTACKS_ROOK * (by_lesser & rooks).len() as i32);

    // Only rooks attack from afar.
    let danger = assault.danger();
    let danger = if of(Role::Rook).is_empty() { danger / 4 } else { danger / 2 };
    value.add(Term::King, them.color, Score::new(-danger, -danger / 4));
    let near = (attacks::king(us.king) & us.all).len() as i32;
    value.add(Term::King, color, Score::new(SHELTER * (near.min(4) - 3), 0));
}
