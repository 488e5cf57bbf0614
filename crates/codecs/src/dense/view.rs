//! The position, seen from the side to move: all that the features of its moves are made from.
//!
//! The board is mirrored for Black, so that the side to move always moves up.

use halfmove_game::rules::bitboard::{attacks, lines};
use halfmove_game::rules::{Bitboard, Color, Role, Square};

use super::context::{Context, Movement, class};
use super::tables::KINDS;

/// The squares that one side attacks.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Attacked {
    /// By class, from that of pawns.
    classes: [u64; 5],
    pub(super) once: u64,
    pub(super) twice: u64,
}

impl Attacked {
    #[inline(always)]
    fn add(&mut self, class: usize, squares: u64) {
        self.classes[class - 1] |= squares;
        self.twice |= self.once & squares;
        self.once |= squares;
    }

    /// The squares that pawns attack.
    pub(super) const fn pawns(&self) -> u64 {
        self.classes[0]
    }

    /// The class of the least valuable piece that attacks a square; 0 for none.
    #[inline(always)]
    pub(super) fn least(&self, square: usize) -> usize {
        let bits = self
            .classes
            .iter()
            .rev()
            .fold(0u32, |bits, class| bits << 1 | (class >> square) as u32 & 1);
        if bits == 0 { 0 } else { bits.trailing_zeros() as usize + 1 }
    }
}

/// The position, seen from the side to move.
#[derive(Debug)]
pub(super) struct View {
    /// Our pieces by role.
    pub(super) our_roles: [u64; 6],
    pub(super) our_pieces: u64,
    pub(super) our_attacks: Attacked,
    pub(super) their_roles: [u64; 6],
    pub(super) their_pieces: u64,
    pub(super) their_attacks: Attacked,
    /// The squares that each of our pieces attacks, by its square.
    pub(super) attacks_from: [u64; 64],
    /// Our pieces that stand between a slider of ours and their king.
    pub(super) discoverers: u64,
    /// Our pieces but the king that are attacked by less valuable ones, or attacked and undefended.
    pub(super) hanging: u64,
    /// The class of the most valuable of them.
    pub(super) hanging_class: usize,
    /// By the role of our piece: their pieces but the king that are of a higher class or undefended.
    pub(super) targets: [u64; 6],
    pub(super) our_king: usize,
    pub(super) their_king: usize,
    pub(super) phase: usize,
    /// All pieces but kings and pawns, by value, in eight steps.
    pub(super) material: usize,
    /// The balance of material in pawns, from -8 to 8, plus 8.
    pub(super) balance: usize,
    pub(super) is_check: bool,
    pub(super) repetitions: usize,
    /// The last half-moves on mirrored squares, the last first.
    pub(super) last: [Movement; 2],
    /// The origin and the target of each as sets; empty if there is none.
    pub(super) last_squares: [(u64, u64); 2],
    /// The squares that the last mover attacks.
    pub(super) by_last: u64,
    /// The squares on the files of our pawns, and of their pawns.
    pub(super) files: [u64; 2],
    /// The squares that their pawns attack, or may come to attack.
    pub(super) pawn_span: u64,
    /// A board of 10 × 12 squares with a border: piece numbers from 1, ours first; 13 off the board.
    border: [u8; 120],
}

pub(super) fn square(index: usize) -> Square {
    Square::wrapping(index as u8)
}

/// The squares that a piece attacks. Tables of sliders, which are faster by themselves, would leave no room in the cache for weights.
#[inline(always)]
pub(super) fn attacks(role: usize, from: usize, occupied: u64) -> u64 {
    let (from, occupied) = (square(from), Bitboard(occupied));
    match role {
        0 => attacks::pawn(Color::White, from).0,
        1 => attacks::knight(from).0,
        2 => attacks::bishop(from, occupied).0,
        3 => attacks::rook(from, occupied).0,
        4 => attacks::queen(from, occupied).0,
        _ => attacks::king(from).0,
    }
}

/// The squares that a piece of theirs attacks.
#[inline(always)]
fn attacks_by_them(role: usize, from: usize, occupied: u64) -> u64 {
    match role {
        0 => attacks::pawn(Color::Black, square(from)).0,
        _ => attacks(role, from, occupied),
    }
}

/// The squares of a set, the lowest first.
#[inline(always)]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

const fn border_index(square: usize) -> usize {
    21 + square % 8 + square / 8 * 10
}

const BORDER: [u8; 120] = {
    let mut board = [13; 120];
    let mut square = 0;
    while square < 64 {
        board[border_index(square)] = 0;
        square += 1;
    }
    board
};

/// Factors of the hash of the eight squares around a square.
const AROUND: [(isize, u32); 8] = [
    (-11, 0x9e37_79b1),
    (-10, 0x85eb_ca77),
    (-9, 0xc2b2_ae3d),
    (-1, 0x27d4_eb2f),
    (1, 0x1656_67b1),
    (9, 0xd3a2_646d),
    (10, 0xfd70_46c5),
    (11, 0xb55a_4f09),
];

impl View {
    #[inline(always)]
    pub(super) fn new(context: &Context) -> Self {
        let position = &context.position;
        let is_black = position.side_to_move() == Color::Black;
        let mirrored = |set: Bitboard| if is_black { set.0.swap_bytes() } else { set.0 };
        let board = position.board();
        let by_role = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
            .map(|role| mirrored(board.by_role(role)));
        let our_pieces = mirrored(board.by_color(position.side_to_move()));
        let their_pieces = mirrored(board.by_color(!position.side_to_move()));
        let (our_roles, their_roles) =
            (by_role.map(|set| set & our_pieces), by_role.map(|set| set & their_pieces));
        let occupied = our_pieces | their_pieces;
        let our_king = our_roles[5].trailing_zeros() as usize & 63;
        let their_king = their_roles[5].trailing_zeros() as usize & 63;

        let mirror = |played: Movement| match is_black {
            true => Movement { from: played.from ^ 56, to: played.to ^ 56, ..played },
            false => played,
        };
        let last = context.last.map(mirror);
        let mut by_last = 0;

        let (mut our_attacks, mut their_attacks) = (Attacked::default(), Attacked::default());
        let mut attacks_from = [0; 64];
        let mut border = BORDER;
        for (role, (our_set, their_set)) in our_roles.iter().zip(&their_roles).enumerate() {
            for from in squares(*our_set) {
                let set = attacks(role, from, occupied);
                attacks_from[from] = set;
                our_attacks.add(class(role), set);
                border[border_index(from)] = 1 + role as u8;
            }
            for from in squares(*their_set) {
                let set = attacks_by_them(role, from, occupied);
                by_last |= if from == last[0].to && last[0].kind < KINDS { set } else { 0 };
                their_attacks.add(class(role), set);
                border[border_index(from)] = 7 + role as u8;
            }
        }

        let minors = |sets: &[u64; 6]| sets[1] | sets[2];
        let [pawn, minor, rook, ..] = their_attacks.classes;
        let chased = minors(&our_roles) & pawn
            | our_roles[3] & (pawn | minor)
            | our_roles[4] & (pawn | minor | rook);
        let hanging =
            (chased | our_pieces & their_attacks.once & !our_attacks.once) & !our_roles[5];
        let hanging_class = [our_roles[4], our_roles[3], minors(&our_roles), our_roles[0]]
            .iter()
            .position(|set| set & hanging != 0);
        let undefended = their_pieces & !their_attacks.once;
        let valuable = [their_roles[4], their_roles[3], minors(&their_roles)];
        let targets = [
            undefended | valuable[0] | valuable[1] | valuable[2],
            undefended | valuable[0] | valuable[1],
            undefended | valuable[0] | valuable[1],
            undefended | valuable[0],
            undefended,
            undefended,
        ]
        .map(|set| set & !their_roles[5]);

        let beside = (their_roles[0] & !FILE_A) >> 1 | (their_roles[0] & !FILE_H) << 1;
        let pawn_span = [8, 16, 32].into_iter().fold(beside >> 8, |set, step| set | set >> step);

        let sliders = [(our_roles[2] | our_roles[4], 2), (our_roles[3] | our_roles[4], 3)];
        let mut discoverers = 0;
        for (set, role) in sliders {
            let near = attacks(role, their_king, occupied) & our_pieces;
            for from in squares(attacks(role, their_king, occupied & !near) & set & !near) {
                let between = between(from, their_king);
                discoverers |= between & near;
            }
        }

        let count = |sets: &[u64; 6]| {
            let values = [0, 3, 3, 5, 9];
            values.iter().zip(sets).map(|(value, set)| value * set.count_ones() as i32).sum::<i32>()
        };
        let (our_value, their_value) = (count(&our_roles), count(&their_roles));
        let pieces = our_value + their_value;
        let pawns = our_roles[0].count_ones() as i32 - their_roles[0].count_ones() as i32;
        let phase = match pieces {
            47.. => 0,
            25.. => 1,
            _ => 2,
        };
        Self {
            our_roles,
            our_pieces,
            our_attacks,
            their_roles,
            their_pieces,
            their_attacks,
            attacks_from,
            discoverers,
            hanging,
            hanging_class: hanging_class.map_or(0, |at| 4 - at),
            targets,
            our_king,
            their_king,
            phase,
            material: (pieces as usize / 10).min(7),
            balance: ((our_value - their_value + pawns).clamp(-8, 8) + 8) as usize,
            is_check: position.is_check(),
            repetitions: context.repetitions(),
            last,
            last_squares: last.map(|last| match last.kind {
                KINDS => (0, 0),
                _ => (1 << last.from, 1 << last.to),
            }),
            by_last,
            files: [files(our_roles[0]), files(their_roles[0])],
            pawn_span,
            border,
        }
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u64 {
        self.our_pieces | self.their_pieces
    }

    /// A hash of the pieces around a square.
    #[inline(always)]
    pub(super) fn around(&self, square: usize) -> u32 {
        let center = border_index(square) as isize;
        AROUND.iter().fold(0u32, |hash, (step, factor)| {
            let piece = self.border[(center + step) as usize];
            hash.wrapping_add(u32::from(piece).wrapping_mul(*factor))
        })
    }

    /// The role of our piece on a square, from 0.
    #[inline(always)]
    pub(super) fn our_role(&self, square: usize) -> usize {
        usize::from(self.border[border_index(square)].wrapping_sub(1).min(5))
    }

    /// The class of their piece on a square; 0 for none.
    #[inline(always)]
    pub(super) fn their_class(&self, square: usize) -> usize {
        const CLASSES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 5, 0, 0, 0];
        usize::from(CLASSES[usize::from(self.border[border_index(square)] & 15)])
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The squares on the files of a set.
fn files(set: u64) -> u64 {
    let rows = [32, 16, 8].into_iter().fold(set, |set, step| set | set >> step);
    (rows & 0xff) * FILE_A
}

/// The squares between two squares.
fn between(a: usize, b: usize) -> u64 {
    lines::between(square(a), square(b)).0
}
