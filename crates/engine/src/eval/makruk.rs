//! The evaluation of Makruk, Makpong and ASEAN chess.
//!
//! The differences from chess: a bia needs only three steps to promote, but only to a met; mets on both square colors
//! are worth more than mets on one; a khon is best in front of its king; there are few sliders, so kings are safe
//! longer and centralize earlier; and once no bia (pawns) are left, a [count](crate::Count) may leave too few moves to
//! win.
//!
//! Some functions resemble those of `chess.rs`. They are separate because each uses the weights of its own game, and
//! the two evaluations can change independently.
//!
//! # Source
//! The terms: the guide to Makruk of pychess-variants, "Evaluation" and the pages under it in the Chess
//! Programming Wiki, and the games in `testdata`. Their values: `makruk/weights.rs`.

mod endings;
pub(crate) mod weights;

use super::tally::{Note, Tally, groups};
use super::{Assault, Ending, FULL_PHASE, Term, king_zone, pawns, seen_by};
use crate::{Count, SearchBoard};
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{Bitboard, Board, Color, Rank, Role, Square, Variant};
use weights::WEIGHTS;

/// The values of the pieces in an exchange: bia, knight, rook, king, khon, met.
pub(crate) const VALUES: [i32; 8] = [90, 310, 0, 500, 0, 20_000, 260, 170];

/// The phase with all pieces: each met adds 1, each khon and knight 2, each rook 4.
const ALL_PIECES: i32 = 34;

groups! {
    /// Bia, knight, rook, khon, met.
    MATERIAL: 1 x 5,
    /// By the bia's square, from White's side, the eighth rank on top: files a to d; the other files are mirrored.
    BIA_SQUARES: 8 x 4,
    KNIGHT_SQUARES: 8 x 4,
    ROOK_SQUARES: 8 x 4,
    KHON_SQUARES: 8 x 4,
    MET_SQUARES: 8 x 4,
    KING_SQUARES: 8 x 4,
    /// By the number of squares that a piece attacks, excluding those of its own bia and king and those attacked by
    /// enemy bia.
    KNIGHT_MOBILITY: 1 x 9,
    ROOK_MOBILITY: 1 x 15,
    KHON_MOBILITY: 1 x 6,
    MET_MOBILITY: 1 x 5,
    /// Behind another bia of its side.
    DOUBLED: 1 x 1,
    /// No bia of its side on an adjacent file.
    ISOLATED: 1 x 1,
    /// Protected by a bia, by the steps left to promotion.
    SUPPORTED: 1 x 6,
    /// Next to another bia, by the steps left.
    PHALANX: 1 x 6,
    /// No bia can protect it any more, and an enemy bia attacks the square in front.
    BACKWARD: 1 x 1,
    /// No enemy bia can stop it, and the square in front is free: by the steps left.
    PASSED: 1 x 6,
    /// The same with the square in front occupied.
    BLOCKED: 1 x 6,
    /// Mets on both square colors; each met after the first if all are on one color.
    METS: 1 x 2,
    /// A rook on an open file; on a half-open one.
    ROOK_FILE: 1 x 2,
    /// A khon on the six squares before its king.
    KHON_BEFORE_KING: 1 x 1,
    /// A knight and a khon where a bia protects it and no enemy bia can come to attack it.
    OUTPOST: 1 x 2,
    /// A bia attacks a knight, rook, khon, met.
    BIA_ATTACKS: 1 x 4,
    /// A met attacks a knight, rook, khon.
    MET_ATTACKS: 1 x 3,
    /// A knight or khon attacks a rook.
    MINOR_ATTACKS_ROOK: 1 x 1,
    /// A bia, knight, rook, khon, met that is attacked and not protected.
    HANGING: 1 x 5,
    /// The proximity of a bia, knight, rook, khon, met to its own king: seven minus the distance.
    NEAR_OWN_KING: 1 x 5,
    /// The same to the enemy king.
    NEAR_ENEMY_KING: 1 x 5,
    /// Squares behind a side's own bia that enemy bia do not attack, weighted by the number of pieces.
    SPACE: 1 x 1,
    /// Pieces and bia next to a side's own king.
    SHELTER: 1 x 9,
    /// The attack on the king by a side with a rook, by its strength.
    DANGER: 4 x 8,
    /// The same without a rook.
    DANGER_WITHOUT_ROOK: 4 x 8,
}

/// The order of roles in the groups of weights for squares, mobility and the like.
const ORDER: [Role; 5] = [Role::Pawn, Role::Knight, Role::Rook, Role::Khon, Role::Met];
const KNIGHT: usize = 1;
const ROOK: usize = 2;
const KHON: usize = 3;
const MET: usize = 4;

/// The first weight of the squares and of the mobility of each role in [`ORDER`], and the weight of an attacked square
/// in the king's zone.
const SQUARES: [usize; 5] = [BIA_SQUARES, KNIGHT_SQUARES, ROOK_SQUARES, KHON_SQUARES, MET_SQUARES];
const MOBILITY: [usize; 5] = [0, KNIGHT_MOBILITY, ROOK_MOBILITY, KHON_MOBILITY, MET_MOBILITY];
const ASSAULT: [i32; 5] = [0, 6, 6, 6, 5];

/// The index of a square in a group of 8 × 4 weights.
#[inline(always)]
fn place(color: Color, square: Square) -> usize {
    PLACES[color.index()][square.index()] as usize
}

static PLACES: [[u8; 64]; 2] = {
    let mut places = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        let (file, rank) = (i % 8, i / 8);
        let file = if file < 4 { file } else { 7 - file };
        places[0][i] = ((7 - rank) * 4 + file) as u8;
        places[1][i] = (rank * 4 + file) as u8;
        i += 1;
    }
    places
};

/// The features of one side.
struct Side {
    color: Color,
    all: Bitboard,
    /// By [`ORDER`].
    pieces: [Bitboard; 5],
    king: Square,
    bia_attacks: Bitboard,
    /// The squares that knights and khons, mets, and all pieces attack.
    by_minors: Bitboard,
    by_mets: Bitboard,
    attacked: Bitboard,
    assault: Assault,
}

impl Side {
    #[inline(always)]
    fn of(board: &Board, color: Color) -> Self {
        let all = board.by_color(color);
        let pieces = ORDER.map(|role| all & board.by_role(role));
        let king = (all & board.by_role(Role::King)).first().unwrap_or(Square::A1);
        let bia_attacks = pawns::attacked(color, pieces[0]);
        Self {
            color,
            all,
            pieces,
            king,
            bia_attacks,
            by_minors: Bitboard::EMPTY,
            by_mets: Bitboard::EMPTY,
            attacked: bia_attacks | attacks::king(king),
            assault: Assault::default(),
        }
    }
}

/// The evaluation of a position of Makruk, Makpong or ASEAN chess.
#[inline(always)]
pub(crate) fn evaluate<B: SearchBoard, N: Note>(position: &B, note: N) -> Tally<N> {
    let board = position.board();
    let mut tally = Tally::new(&WEIGHTS, note);
    let asean = position.variant() == Variant::Asean;
    let mut white = Side::of(board, Color::White);
    let mut black = Side::of(board, Color::Black);
    tally.phase = phase(board);
    bias(&mut tally, &white, &black, board, asean);
    bias(&mut tally, &black, &white, board, asean);
    pieces(&mut tally, &mut white, &black, board);
    pieces(&mut tally, &mut black, &white, board);
    relations(&mut tally, &white, &black);
    relations(&mut tally, &black, &white);
    tally.end(ending(board, position.count(), tally.total()));
    tally
}

/// The game phase, from [`FULL_PHASE`] with all pieces to 0 in a pure endgame.
#[inline(always)]
pub(super) fn phase(board: &Board) -> i32 {
    let count = |role| board.by_role(role).len() as i32;
    let minors = count(Role::Knight) + count(Role::Khon);
    let phase = 2 * minors + 4 * count(Role::Rook) + count(Role::Met);
    (phase * FULL_PHASE / ALL_PIECES).min(FULL_PHASE)
}

/// The adjustment of White's lead in an ending.
#[inline(always)]
pub(super) fn ending(board: &Board, count: Option<Count>, lead: i32) -> Ending {
    endings::of(board, count, lead)
}

/// White's lead in endings decided by the pieces alone.
#[inline(always)]
pub(super) fn known_win(board: &Board) -> Option<i32> {
    endings::known_win(board)
}

#[inline(always)]
fn bias<N: Note>(tally: &mut Tally<N>, us: &Side, them: &Side, board: &Board, asean: bool) {
    let color = us.color;
    let bias = us.pieces[0];
    tally.add(Term::Material, color, MATERIAL, bias.len() as i32);
    let behind = pawns::ahead(!color, bias) & bias;
    tally.add(Term::Pawns, color, DOUBLED, behind.len() as i32);
    let neighbors = pawns::beside(pawns::files(bias));
    tally.add(Term::Pawns, color, ISOLATED, (bias - neighbors).len() as i32);
    let protectable = pawns::beside(pawns::ahead(color, bias) | bias);
    let backward = (bias & neighbors) - protectable;
    let guarded = them.bia_attacks.forward(!color);
    tally.add(Term::Pawns, color, BACKWARD, (backward & guarded).len() as i32);

    let last = if asean { Rank::Eighth } else { Rank::Sixth };
    let stopped = pawns::widened(pawns::ahead(!color, them.pieces[0]));
    let beside = pawns::beside(bias);
    let mut nearness = Nearness::new(us, them);
    for bia in bias {
        tally.add(Term::Squares, color, BIA_SQUARES + place(color, bia), 1);
        nearness.see(bia);
        let left = last.index().saturating_sub(seen_by(color, bia).rank().index()).min(5);
        if us.bia_attacks.has(bia) {
            tally.add(Term::Pawns, color, SUPPORTED + left, 1);
        }
        if beside.has(bia) {
            tally.add(Term::Pawns, color, PHALANX + left, 1);
        }
        if !stopped.has(bia) && !behind.has(bia) {
            let stop = Bitboard::square(bia).forward(color);
            let group = if stop.intersects(board.occupied()) { BLOCKED } else { PASSED };
            // In ASEAN chess it becomes a rook.
            tally.add(Term::Passed, color, group + left, if asean { 2 } else { 1 });
        }
    }
    nearness.add_to(tally, color, 0);
}

/// The proximity of the pieces of one role to the kings.
struct Nearness {
    to: [&'static [u8; 64]; 2],
    sums: [i32; 2],
}

impl Nearness {
    #[inline(always)]
    fn new(us: &Side, them: &Side) -> Self {
        Self { to: [us, them].map(|side| &NEAR[side.king.index()]), sums: [0; 2] }
    }

    #[inline(always)]
    fn see(&mut self, square: Square) {
        for (sum, near) in self.sums.iter_mut().zip(self.to) {
            *sum += i32::from(near[square.index()]);
        }
    }

    #[inline(always)]
    fn add_to<N: Note>(&self, tally: &mut Tally<N>, color: Color, piece: usize) {
        tally.add(Term::King, color, NEAR_OWN_KING + piece, self.sums[0]);
        tally.add(Term::King, color, NEAR_ENEMY_KING + piece, self.sums[1]);
    }
}

/// The proximity of two squares: seven minus their distance.
static NEAR: [[u8; 64]; 64] = {
    let mut near = [[0; 64]; 64];
    let mut i = 0;
    while i < 64 * 64 {
        near[i / 64][i % 64] = 7 - Square::ALL[i / 64].distance(Square::ALL[i % 64]);
        i += 1;
    }
    near
};

/// Adds the terms for squares and mobility, and collects the attacked squares.
#[inline(always)]
fn pieces<N: Note>(tally: &mut Tally<N>, us: &mut Side, them: &Side, board: &Board) {
    let color = us.color;
    let occupied = board.occupied();
    let zone = king_zone(them.color, them.king);
    let reachable = !(us.pieces[0] | us.king | them.bia_attacks);
    for i in [KNIGHT, ROOK, KHON, MET] {
        tally.add(Term::Material, color, MATERIAL + i, us.pieces[i].len() as i32);
        let mut nearness = Nearness::new(us, them);
        for square in us.pieces[i] {
            tally.add(Term::Squares, color, SQUARES[i] + place(color, square), 1);
            nearness.see(square);
            let attacked = match i {
                KNIGHT => attacks::knight(square),
                ROOK => attacks::rook(square, occupied),
                KHON => attacks::khon(color, square),
                _ => attacks::met(square),
            };
            let squares = (attacked & reachable).len() as usize;
            tally.add(Term::Mobility, color, MOBILITY[i] + squares, 1);
            us.assault.add(ASSAULT[i], attacked & zone);
            us.attacked |= attacked;
            match i {
                KNIGHT | KHON => us.by_minors |= attacked,
                MET => us.by_mets |= attacked,
                _ => {
                    let file = Bitboard::file(square.file());
                    if !file.intersects(us.pieces[0]) {
                        let half = file.intersects(them.pieces[0]);
                        tally.add(Term::Pieces, color, ROOK_FILE + usize::from(half), 1);
                    }
                }
            }
        }
        nearness.add_to(tally, color, i);
    }
    tally.add(Term::Squares, color, KING_SQUARES + place(color, us.king), 1);
    let mets = us.pieces[MET];
    if mets.has_many() {
        if mets.intersects(Bitboard::LIGHT) && mets.intersects(Bitboard::DARK) {
            tally.add(Term::Mets, color, METS, 1);
        } else {
            tally.add(Term::Mets, color, METS + 1, mets.len() as i32 - 1);
        }
    }
    let before_king = pawns::widened(Bitboard::square(us.king)).forward(color);
    let guards = (before_king | before_king.forward(color)) & us.pieces[KHON];
    tally.add(Term::Pieces, color, KHON_BEFORE_KING, guards.len() as i32);
    let safe = us.bia_attacks - pawns::beside(pawns::ahead(!color, them.pieces[0]));
    tally.add(Term::Pieces, color, OUTPOST, (us.pieces[KNIGHT] & safe).len() as i32);
    tally.add(Term::Pieces, color, OUTPOST + 1, (us.pieces[KHON] & safe).len() as i32);
    let behind = pawns::ahead(!color, us.pieces[0]) - us.pieces[0] - them.bia_attacks;
    let others = (us.all - us.pieces[0]).len() as i32;
    tally.add(Term::Space, color, SPACE, behind.len() as i32 * others / 4);
}

/// Adds the terms for threats and for the safety of the other side's king.
#[inline(always)]
fn relations<N: Note>(tally: &mut Tally<N>, us: &Side, them: &Side) {
    let color = us.color;
    let mut threats = |group, by: Bitboard, on: Bitboard| {
        tally.add(Term::Threats, color, group, (by & on).len() as i32);
    };
    for i in [KNIGHT, ROOK, KHON, MET] {
        threats(BIA_ATTACKS + i - 1, us.bia_attacks, them.pieces[i]);
    }
    for i in [KNIGHT, ROOK, KHON] {
        threats(MET_ATTACKS + i - 1, us.by_mets, them.pieces[i]);
    }
    threats(MINOR_ATTACKS_ROOK, us.by_minors, them.pieces[ROOK]);
    for (i, pieces) in them.pieces.into_iter().enumerate() {
        threats(HANGING + i, us.attacked - them.attacked, pieces);
    }
    // Only rooks slide.
    let group = if us.pieces[ROOK].is_empty() { DANGER_WITHOUT_ROOK } else { DANGER };
    tally.add(Term::King, them.color, group + us.assault.level(), 1);
    let near = (attacks::king(us.king) & us.all).len() as usize;
    tally.add(Term::King, color, SHELTER + near, 1);
}
