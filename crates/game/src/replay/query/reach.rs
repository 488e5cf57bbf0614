//! The lines that can still lead to a position, and the earliest ply.

use halfmove_rules::{Bitboard, Color, Square};

use super::super::lines::{Lines, Node};
use super::super::seek::Sought;
use super::super::signature::NEVER;
use super::super::target::{Target, find};

/// The data about a position in the games of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct LineTest {
    /// The ply at which it arises in the line itself, or [`NEVER`].
    pub(in super::super) known: u8,
    /// A lower bound for the ply at which it arises after the line, because each side moves one piece at a time.
    /// [`NEVER`] if it cannot arise any more.
    pub(in super::super) earliest: u8,
}

/// The data for each line, and the lines at whose end the position arises for the first time.
pub(super) fn lines_with(target: &Target) -> (Vec<LineTest>, Vec<u16>) {
    let nodes = Lines::tree().nodes();
    let mut lines = vec![LineTest { known: NEVER, earliest: NEVER }; nodes.len()];
    let mut arrivals = Vec::new();
    // Only chess games have lines, so positions of other games never arise in them.
    let Some(sought) = target.sought() else { return (lines, arrivals) };
    let mut index = 0;
    while let Some(node) = nodes.get(index) {
        if !may_follow(node, sought) {
            // Nor after any descendant of this line.
            index = usize::from(node.end);
            continue;
        }
        lines[index].earliest = earliest(node, sought);
        if lines[index].known == NEVER
            && node.mark.occupied() == sought.occupied
            && node.mark.side_to_move() == sought.us
            && let Ok(Some(_)) = find(&Lines::tree().codes_to(index as u16), target)
        {
            // A node along the path has been visited before.
            arrivals.push(index as u16);
            for line in &mut lines[index..usize::from(node.end)] {
                line.known = node.depth;
            }
        }
        index += 1;
    }
    (lines, arrivals)
}

/// Returns true if the target may arise after a line: captured pieces do not reappear, kings with castling rights
/// have not moved, and each pawn of the target must be reachable by a pawn.
fn may_follow(node: &Node, sought: &Sought) -> bool {
    let occupied = node.mark.occupied();
    Color::ALL.iter().all(|color| {
        let (ours, theirs) = (color.index(), (!*color).index());
        let king_stays = sought.home_kings[ours].is_none_or(|king| node.mark.kings()[ours] == king);
        let captures = occupied[theirs].len().checked_sub(sought.occupied[theirs].len());
        king_stays
            && captures.is_some_and(|captures| {
                let missing = sought.pawns[ours] & !node.pawns[ours];
                let origins = &ORIGINS[ours][FILES.min(captures as usize)];
                missing
                    .into_iter()
                    .all(|square| origins[square.index()].intersects(node.pawns[ours]))
            })
    })
}

/// The maximum number of files that a pawn may have changed.
const FILES: usize = 5;

/// For each side and number of captures, the squares from which a pawn may have come to each square: a pawn changes
/// its file only by a capture, which also advances it one rank.
///
/// ```text
///    4  . . . . ♙ . . .       4  . . . . ♙ . . .
///    3  . . . . x . . .       3  . . . x x x . .
///    2  . . . . x . . .       2  . . . x x x . .
///       no capture               one capture
/// ```
static ORIGINS: [[[Bitboard; 64]; FILES + 1]; 2] = {
    let mut origins = [[[Bitboard::EMPTY; 64]; FILES + 1]; 2];
    let mut index = 0;
    while index < 2 * (FILES + 1) * 64 * 64 {
        let (color, captures) = (index % 2, index / 2 % (FILES + 1));
        let (from, to) = (index / 2 / (FILES + 1) % 64, index / 2 / (FILES + 1) / 64);
        let forward = if color == 0 { to / 8 } else { from / 8 };
        let steps = forward.saturating_sub(if color == 0 { from / 8 } else { to / 8 });
        let files = (from % 8).abs_diff(to % 8);
        if steps > 0 && files <= steps && files <= captures {
            let origin = &mut origins[color][captures][to];
            *origin = origin.with(Square::ALL[from]);
        }
        index += 1;
    }
    origins
};

/// The first ply at which the occupied squares can be those of the target.
fn earliest(node: &Node, sought: &Sought) -> u8 {
    let us = node.mark.side_to_move();
    let occupied = node.mark.occupied();
    let [white, black] = Color::ALL.map(|color| {
        let side = color.index();
        // One of the moves may be castling, which moves two pieces.
        (sought.occupied[side] & !occupied[side]).len().saturating_sub(1)
    });
    let (ours, theirs) = if us == Color::White { (white, black) } else { (black, white) };
    let half_moves = (2 * ours).saturating_sub(1).max(2 * theirs);
    // Both sides have to make the same number of moves, or one of them one more.
    let is_odd = (sought.us != us) as u32;
    let half_moves = half_moves + (half_moves + is_odd) % 2;
    node.depth.saturating_add(half_moves.min(64) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::halfmove;
    use crate::pgn::read_game;
    use halfmove_rules::Chess;

    #[test]
    fn impossible_positions_are_rejected() {
        let open_sicilian = "1. e4 c5 2. Nf3 d6 3. d4";
        let spanish = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
        let cases = [
            // White has sixteen pieces: not once Black has captured.
            (
                "rnbqkbnr/pp3ppp/3pp3/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4",
                open_sicilian,
                "cxd4",
            ),
            // White may castle: not once White has.
            (
                "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5",
                spanish,
                "O-O",
            ),
            // The pawn on c3 comes from c2, not from c4.
            ("rnbqkb1r/pppppp1p/5np1/8/3P4/2P5/PP2PPPP/RNBQKBNR w KQkq - 0 3", "1. d4 Nf6", "c4"),
            // No piece of Black is missing, so the pawn on d3 comes from d2, not from c2.
            ("rnbqkb1r/pppppp1p/5np1/8/2P5/3P4/PP2PPPP/RNBQKBNR w KQkq - 0 3", "1. c4 Nf6", "d4"),
        ];
        for (fen, before, mv) in cases {
            let target = Target::new(&fen.parse::<Chess>().expect("a position").into());
            let sought = target.sought().expect("chess");
            let may = |moves: &str| {
                let mut codes = Vec::new();
                let game = read_game(format!("{moves} *")).expect("a game");
                halfmove::encode(&game, &mut codes).expect("codes");
                let line = Lines::tree().line_of(&codes);
                assert_eq!(usize::from(Lines::tree().node(line).depth), codes.len(), "{moves}");
                may_follow(Lines::tree().node(line), sought)
            };
            assert!(may(before), "{fen} after {before}");
            assert!(!may(&format!("{before} {mv}")), "{fen} after {before} {mv}");
        }
    }

    #[test]
    fn a_pawn_comes_from_behind() {
        let from = |color: Color, captures: usize, square: Square| -> Bitboard {
            ORIGINS[color.index()][captures][square.index()]
        };
        let squares = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        use Square::*;
        assert_eq!(from(Color::White, 0, E4), squares(&[E2, E3]).with(E1));
        assert_eq!(from(Color::White, 1, E3), squares(&[D2, E2, F2, D1, E1, F1]));
        assert_eq!(from(Color::Black, 1, A6), squares(&[A7, B7, A8, B8]));
        assert_eq!(from(Color::Black, 5, H7), squares(&[G8, H8]));
    }
}
