//! The evaluation of chess.
//!
//! # Source
//! "Evaluation" and the pages under it, Chess Programming Wiki. The weights are in `chess/weights.rs`. The values of
//! pieces and squares started from PeSTO: Ronald Friederich, "New uci engine: Rofchade", talkchess.com (2018); "PeSTO's
//! Evaluation Function", Chess Programming Wiki.

mod endings;
pub(crate) mod weights;

use super::tally::{Note, Tally, groups};
use super::{Assault, Ending, FULL_PHASE, Term, king_zone, pawns, seen_by};
use crate::SearchBoard;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{Bitboard, Board, Color, File, Rank, Role, Square};
use weights::WEIGHTS;

groups! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL: 1 x 5,
    /// By the pawn's square, from White's side, the eighth rank on top.
    PAWN_SQUARES: 8 x 8,
    KNIGHT_SQUARES: 8 x 8,
    BISHOP_SQUARES: 8 x 8,
    ROOK_SQUARES: 8 x 8,
    QUEEN_SQUARES: 8 x 8,
    KING_SQUARES: 8 x 8,
    /// By the number of squares that a piece attacks, excluding those of its own pawns and king and those attacked by
    /// enemy pawns.
    KNIGHT_MOBILITY: 1 x 9,
    BISHOP_MOBILITY: 2 x 7,
    ROOK_MOBILITY: 3 x 5,
    QUEEN_MOBILITY: 4 x 7,
    /// Behind another pawn of its side.
    DOUBLED: 1 x 1,
    /// No pawn of its side on an adjacent file.
    ISOLATED: 1 x 1,
    /// Protected by a pawn, by its rank.
    SUPPORTED: 1 x 8,
    /// Next to another pawn, by its rank.
    PHALANX: 1 x 8,
    /// No pawn can protect it any more, and an enemy pawn attacks the square in front.
    BACKWARD: 1 x 1,
    /// No enemy pawn can stop it, and the square in front is free: by its rank.
    PASSED: 1 x 8,
    /// The same with the square in front occupied.
    BLOCKED: 1 x 8,
    /// A passed pawn that a pawn protects.
    PROTECTED: 1 x 1,
    /// The distances of its own and the enemy king from a passed pawn's next square, weighted by the pawn's progress.
    PASSED_TO_KINGS: 1 x 2,
    /// Two or more bishops.
    BISHOP_PAIR: 1 x 1,
    /// A rook on an open file; on a half-open one.
    ROOK_FILE: 1 x 2,
    /// A knight and a bishop on ranks four to six where a pawn protects it and no enemy pawn can come to attack it.
    OUTPOST: 1 x 2,
    /// A pawn attacks a knight, bishop, rook, queen.
    PAWN_ATTACKS: 1 x 4,
    /// A knight or bishop attacks a rook, queen.
    MINOR_ATTACKS: 1 x 2,
    /// A rook attacks a queen.
    ROOK_ATTACKS_QUEEN: 1 x 1,
    /// A pawn, knight, bishop, rook, queen that is attacked and not protected.
    HANGING: 1 x 5,
    /// Squares behind a side's own pawns that enemy pawns do not attack, weighted by the number of pieces.
    SPACE: 1 x 1,
    /// A king beyond its first two ranks.
    KING_OUT: 1 x 1,
    /// Pawns close to a king on its first two ranks; pawns one rank farther.
    SHELTER: 2 x 7,
    /// The attack on the king by a side with a queen, by its strength.
    DANGER: 4 x 8,
    /// The same without a queen.
    DANGER_WITHOUT_QUEEN: 4 x 8,
}

/// The order of roles in the groups of weights for squares, mobility and the like.
const ORDER: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;

/// The first weight of the squares and of the mobility of each role in [`ORDER`], and the weight of an attacked square
/// in the king's zone.
const SQUARES: [usize; 5] =
    [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES, QUEEN_SQUARES];
const MOBILITY: [usize; 5] = [0, KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];
const ASSAULT: [i32; 5] = [0, 6, 5, 7, 10];

/// The index of a square in a group of 8 × 8 weights.
#[inline(always)]
const fn place(color: Color, square: Square) -> usize {
    match color {
        Color::White => square.flip_vertical().index(),
        Color::Black => square.index(),
    }
}

/// The features of one side.
struct Side {
    color: Color,
    all: Bitboard,
    /// By [`ORDER`].
    pieces: [Bitboard; 5],
    king: Square,
    pawn_attacks: Bitboard,
    /// The squares that knights and bishops, rooks, and all pieces attack.
    by_minors: Bitboard,
    by_rooks: Bitboard,
    attacked: Bitboard,
    assault: Assault,
}

impl Side {
    #[inline(always)]
    fn of(board: &Board, color: Color) -> Self {
        let all = board.by_color(color);
        let pieces = ORDER.map(|role| all & board.by_role(role));
        let king = (all & board.by_role(Role::King)).first().unwrap_or(Square::A1);
        let pawn_attacks = pawns::attacked(color, pieces[0]);
        Self {
            color,
            all,
            pieces,
            king,
            pawn_attacks,
            by_minors: Bitboard::EMPTY,
            by_rooks: Bitboard::EMPTY,
            attacked: pawn_attacks | attacks::king(king),
            assault: Assault::default(),
        }
    }
}

/// The evaluation of a chess position.
#[inline(always)]
pub(crate) fn evaluate<B: SearchBoard, N: Note>(position: &B, note: N) -> Tally<N> {
    let board = position.board();
    let mut tally = Tally::new(&WEIGHTS, note);
    let mut white = Side::of(board, Color::White);
    let mut black = Side::of(board, Color::Black);
    tally.phase = phase(board);
    pawns(&mut tally, &white, &black, board);
    pawns(&mut tally, &black, &white, board);
    pieces(&mut tally, &mut white, &black, board);
    pieces(&mut tally, &mut black, &white, board);
    relations(&mut tally, &white, &black);
    relations(&mut tally, &black, &white);
    tally.end(ending(board, tally.total()));
    tally
}

/// The game phase, from [`FULL_PHASE`] with all pieces to 0 in a pure endgame.
#[inline(always)]
pub(super) fn phase(board: &Board) -> i32 {
    let count = |role| board.by_role(role).len() as i32;
    let minors = count(Role::Knight) + count(Role::Bishop);
    (minors + 2 * count(Role::Rook) + 4 * count(Role::Queen)).min(FULL_PHASE)
}

/// The adjustment of White's lead in an ending.
#[inline(always)]
pub(super) fn ending(board: &Board, lead: i32) -> Ending {
    endings::of(board, lead)
}

#[inline(always)]
fn pawns<N: Note>(tally: &mut Tally<N>, us: &Side, them: &Side, board: &Board) {
    let color = us.color;
    let pawns = us.pieces[0];
    tally.add(Term::Material, color, MATERIAL, pawns.len() as i32);
    let behind = pawns::ahead(!color, pawns) & pawns;
    tally.add(Term::Pawns, color, DOUBLED, behind.len() as i32);
    let neighbors = pawns::beside(pawns::files(pawns));
    tally.add(Term::Pawns, color, ISOLATED, (pawns - neighbors).len() as i32);
    let protectable = pawns::beside(pawns::ahead(color, pawns) | pawns);
    let backward = (pawns & neighbors) - protectable;
    let guarded = them.pawn_attacks.forward(!color);
    tally.add(Term::Pawns, color, BACKWARD, (backward & guarded).len() as i32);

    let stopped = pawns::widened(pawns::ahead(!color, them.pieces[0]));
    let beside = pawns::beside(pawns);
    for pawn in pawns {
        tally.add(Term::Squares, color, PAWN_SQUARES + place(color, pawn), 1);
        let rank = seen_by(color, pawn).rank().index();
        let supported = us.pawn_attacks.has(pawn);
        if supported {
            tally.add(Term::Pawns, color, SUPPORTED + rank, 1);
        }
        if beside.has(pawn) {
            tally.add(Term::Pawns, color, PHALANX + rank, 1);
        }
        // If a file has two passed pawns, only the front one counts.
        if !stopped.has(pawn) && !behind.has(pawn) {
            let next = Bitboard::square(pawn).forward(color);
            let group = if next.intersects(board.occupied()) { BLOCKED } else { PASSED };
            tally.add(Term::Passed, color, group + rank, 1);
            if supported {
                tally.add(Term::Passed, color, PROTECTED, 1);
            }
            let next = next.first().unwrap_or(pawn);
            let progress = rank as i32 - 1;
            let far = |king: Square| i32::from(king.distance(next)) * progress;
            tally.add(Term::Passed, color, PASSED_TO_KINGS, far(us.king));
            tally.add(Term::Passed, color, PASSED_TO_KINGS + 1, far(them.king));
        }
    }
}

/// Adds the terms for squares and mobility, and collects the attacked squares.
#[inline(always)]
fn pieces<N: Note>(tally: &mut Tally<N>, us: &mut Side, them: &Side, board: &Board) {
    let color = us.color;
    let occupied = board.occupied();
    let zone = king_zone(them.color, them.king);
    let reachable = !(us.pieces[0] | us.king | them.pawn_attacks);
    for i in [KNIGHT, BISHOP, ROOK, QUEEN] {
        tally.add(Term::Material, color, MATERIAL + i, us.pieces[i].len() as i32);
        for square in us.pieces[i] {
            tally.add(Term::Squares, color, SQUARES[i] + place(color, square), 1);
            let attacked = match i {
                KNIGHT => attacks::knight(square),
                BISHOP => attacks::bishop(square, occupied),
                ROOK => attacks::rook(square, occupied),
                _ => attacks::queen(square, occupied),
            };
            let squares = (attacked & reachable).len() as usize;
            tally.add(Term::Mobility, color, MOBILITY[i] + squares, 1);
            us.assault.add(ASSAULT[i], attacked & zone);
            us.attacked |= attacked;
            match i {
                KNIGHT | BISHOP => us.by_minors |= attacked,
                ROOK => {
                    us.by_rooks |= attacked;
                    let file = Bitboard::file(square.file());
                    if !file.intersects(us.pieces[0]) {
                        let half = file.intersects(them.pieces[0]);
                        tally.add(Term::Pieces, color, ROOK_FILE + usize::from(half), 1);
                    }
                }
                _ => {}
            }
        }
    }
    tally.add(Term::Squares, color, KING_SQUARES + place(color, us.king), 1);
    if us.pieces[BISHOP].has_many() {
        tally.add(Term::Pieces, color, BISHOP_PAIR, 1);
    }
    let safe = us.pawn_attacks - pawns::beside(pawns::ahead(!color, them.pieces[0]));
    let advanced = match color {
        Color::White => ADVANCED,
        Color::Black => ADVANCED.flip_vertical(),
    };
    let outposts = |i: usize| (us.pieces[i] & safe & advanced).len() as i32;
    tally.add(Term::Pieces, color, OUTPOST, outposts(KNIGHT));
    tally.add(Term::Pieces, color, OUTPOST + 1, outposts(BISHOP));
    let behind = pawns::ahead(!color, us.pieces[0]) - us.pieces[0] - them.pawn_attacks;
    let others = (us.all - us.pieces[0]).len() as i32;
    tally.add(Term::Space, color, SPACE, behind.len() as i32 * others / 4);
}

/// The fourth to the sixth rank.
const ADVANCED: Bitboard = Bitboard(0xff_ffff << 24);

/// Adds the terms for threats and for the safety of the kings.
#[inline(always)]
fn relations<N: Note>(tally: &mut Tally<N>, us: &Side, them: &Side) {
    let color = us.color;
    let mut threats = |group, by: Bitboard, on: Bitboard| {
        tally.add(Term::Threats, color, group, (by & on).len() as i32);
    };
    for i in [KNIGHT, BISHOP, ROOK, QUEEN] {
        threats(PAWN_ATTACKS + i - 1, us.pawn_attacks, them.pieces[i]);
    }
    threats(MINOR_ATTACKS, us.by_minors, them.pieces[ROOK]);
    threats(MINOR_ATTACKS + 1, us.by_minors, them.pieces[QUEEN]);
    threats(ROOK_ATTACKS_QUEEN, us.by_rooks, them.pieces[QUEEN]);
    for (i, pieces) in them.pieces.into_iter().enumerate() {
        threats(HANGING + i, us.attacked - them.attacked, pieces);
    }
    // Without a queen, an attack rarely ends in mate.
    let group = if us.pieces[QUEEN].is_empty() { DANGER_WITHOUT_QUEEN } else { DANGER };
    tally.add(Term::King, them.color, group + us.assault.level(), 1);
    if seen_by(color, us.king).rank() > Rank::Second {
        tally.add(Term::King, color, KING_OUT, 1);
    } else {
        let [close, next] = shelter(us);
        tally.add(Term::King, color, SHELTER + close, 1);
        tally.add(Term::King, color, SHELTER + 7 + next, 1);
    }
}

/// The numbers of pawns that protect a king: close to it, and one rank farther.
#[inline(always)]
fn shelter(us: &Side) -> [usize; 2] {
    let center = match us.king.file() {
        File::A => File::B,
        File::H => File::G,
        file => file,
    };
    let near = attacks::king(Square::new(center, us.king.rank())) | us.king;
    let front = pawns::widened(Bitboard::file(center)) & (near | near.forward(us.color));
    let close = front & near & us.pieces[0];
    let next = (front & us.pieces[0]) - close;
    [close, next].map(|pawns| pawns.len() as usize)
}
