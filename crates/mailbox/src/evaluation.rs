//! The value of a position (the source's section *AI Search*, its `evaluate`): material, mobility and a few positional
//! terms, from White's point of view.

use crate::piece::relative_rank;
use crate::rules::countdown::is_bare;
use crate::state::{Game, State};
use crate::{Board, Index, Kind};
use halfmove_rules::Color;

/// The value of a piece in centipawns. For chess, the conventional values; for Makruk, those of the source.
pub(crate) const fn value(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Queen => 900,
        Kind::Rook => 500,
        Kind::Knight | Kind::Bishop => 300,
        Kind::Met | Kind::Khon | Kind::FlippedBia => 150,
        Kind::Pawn => 100,
    }
}

/// For each square that a piece other than a pawn or king attacks.
const PER_ATTACKED_SQUARE: i32 = 2;
/// For each rank that a pawn has come closer to its promotion.
const PER_RANK: i32 = 4;
/// For a piece other than a rook or queen in the center, less for each step away from it.
const IN_THE_CENTER: i32 = 9;
const PER_STEP_AWAY: i32 = 3;
/// For a pawn on one of the three squares ahead of its king.
const PER_SHIELD: i32 = 8;
/// Against a bare king: for each step between it and the center, and for each step that the other king is nearer.
const PER_STEP_TO_THE_EDGE: i32 = 12;
const PER_STEP_TOGETHER: i32 = 6;

/// The terms of the value of a position, in centipawns. Positive numbers are good for White.
///
/// ```
/// use halfmove_mailbox::{Chess, evaluate};
/// assert_eq!(evaluate(&Chess::default()).total(), 0);
/// let game = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").expect("a position");
/// let value = evaluate(&game);
/// assert_eq!((value.material, value.mobility), (500, 2 * (7 + 4)));
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// The values of all pieces: 10000 for a king, 900 queen, 500 rook, 300 knight and bishop, 150 met, khon and
    /// promoted bia, 100 pawn.
    pub material: i32,
    /// The squares that pieces other than pawns and kings attack.
    pub mobility: i32,
    /// The ranks that pawns have advanced.
    pub advance: i32,
    /// The nearness of knights, bishops, khons and mets to the center.
    pub center: i32,
    /// Pawns ahead of the kings, while there are queens or rooks to fear.
    pub shield: i32,
    /// Against a bare king: its distance from the center, and the other king's from it.
    pub chase: i32,
}

impl Evaluation {
    /// The sum of the terms.
    pub const fn total(&self) -> i32 {
        self.material + self.mobility + self.advance + self.center + self.shield + self.chase
    }

    /// The terms with their names.
    pub const fn terms(&self) -> [(&'static str, i32); 6] {
        [
            ("material", self.material),
            ("mobility", self.mobility),
            ("advance", self.advance),
            ("center", self.center),
            ("shield", self.shield),
            ("chase", self.chase),
        ]
    }
}

/// The value of a position from its board, without looking ahead.
pub fn evaluate<G: Game>(state: &State<G>) -> Evaluation {
    let board = state.board();
    let mut sum = Evaluation::default();
    for color in Color::ALL {
        let sign = if color == Color::White { 1 } else { -1 };
        for kind in Kind::ALL {
            for square in board.list(color, kind) {
                sum.material += sign * value(kind);
                match kind {
                    Kind::Pawn => {
                        sum.advance += sign * PER_RANK * i32::from(relative_rank(color, *square));
                    }
                    Kind::King => {
                        sum.shield += sign * shield(board, *square, color);
                        sum.chase += sign * chase(board, *square, color);
                    }
                    _ => {
                        let attacked = board.attacks_from(*square).count() as i32;
                        sum.mobility += sign * PER_ATTACKED_SQUARE * attacked;
                    }
                }
                if !matches!(kind, Kind::Pawn | Kind::King | Kind::Rook | Kind::Queen) {
                    let away = PER_STEP_AWAY * steps_from_center(*square);
                    sum.center += sign * (IN_THE_CENTER - away);
                }
            }
        }
    }
    sum
}

/// Steps to the nearest of d4, e4, d5 and e5: 0 to 3.
fn steps_from_center(square: Index) -> i32 {
    let steps = |at: u8| if at < 4 { 3 - at } else { at - 4 };
    i32::from(steps(square.rank()).max(steps(square.file())))
}

/// Steps of a king from one square to another.
fn steps(one: Index, other: Index) -> i32 {
    i32::from(one.rank().abs_diff(other.rank()).max(one.file().abs_diff(other.file())))
}

/// Own pawns ahead of a king, while the other side has a rook or queen.
fn shield(board: &Board, king: Index, color: Color) -> i32 {
    let is_in_danger = [Kind::Queen, Kind::Rook].iter().any(|kind| board.count(!color, *kind) > 0);
    if !is_in_danger {
        return 0;
    }
    let pawns = board.list(color, Kind::Pawn).iter();
    let ahead = pawns.filter(|pawn| {
        relative_rank(color, **pawn) == relative_rank(color, king) + 1
            && pawn.file().abs_diff(king.file()) <= 1
    });
    PER_SHIELD * ahead.count() as i32
}

/// The bonus of the stronger side against a bare king.
fn chase(board: &Board, king: Index, color: Color) -> i32 {
    let Some(bare) = board.king(!color).filter(|_| is_bare(board, !color)) else { return 0 };
    if is_bare(board, color) {
        return 0;
    }
    PER_STEP_TO_THE_EDGE * steps_from_center(bare) + PER_STEP_TOGETHER * (7 - steps(king, bare))
}
