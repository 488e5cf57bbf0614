//! Limited strength, and probabilities of winning.
//!
//! `UCI_Elo` sets the number of nodes per move and the error of values:
//!
//! | | |
//! | --- | --- |
//! | nodes | 40 at 600, doubled every 120 points: about 1.3 million at 2400 |
//! | noise | half the difference to 2000, in centipawns: 700 at 600, none from 2000 on |
//!
//! The noise is the same for the same position, so the engine's misjudgements are consistent. The levels are in order,
//! but have not been measured against rated players.

/// The number of nodes and the noise for a strength.
pub(super) fn weakened(elo: u32) -> (u64, i32) {
    let above = elo.saturating_sub(600);
    // Doubled for each whole step, and linear in between.
    let (steps, rest) = (above / 120, above % 120);
    let whole = 40_u64 << steps.min(40);
    let nodes = whole + whole * u64::from(rest) / 120;
    (nodes, (2000_i32.saturating_sub_unsigned(elo)).max(0) / 2)
}

/// The probabilities of a win, draw and loss, in permille: a logistic curve with the same width for all games.
///
/// It is a rough guide, and was not fitted to games.
pub(super) fn wdl(centipawns: i32, makruk: bool) -> [i32; 3] {
    // The score at which half of the games are won. Makruk is drawn more often.
    let (half, width) = if makruk { (300.0, 90.0) } else { (170.0, 80.0) };
    let wins =
        |centipawns: f64| (1000.0 / (1.0 + ((half - centipawns) / width).exp())).round() as i32;
    let (win, loss) = (wins(f64::from(centipawns)), wins(f64::from(-centipawns)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes_and_less_noise() {
        assert_eq!(weakened(600), (40, 700));
        assert_eq!(weakened(720), (80, 640));
        assert_eq!(weakened(2400), (40 << 15, 0));
        for elo in 600..2400 {
            let (a, b) = (weakened(elo), weakened(elo + 1));
            assert!(a.0 <= b.0 && a.1 >= b.1);
        }
    }

    #[test]
    fn wdl_add_up_and_are_symmetric() {
        for score in (-31_000..=31_000).step_by(61) {
            for makruk in [false, true] {
                let [win, draw, loss] = wdl(score, makruk);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= 0 && draw >= 0 && loss >= 0);
                assert_eq!(wdl(-score, makruk), [loss, draw, win]);
            }
        }
        assert_eq!(wdl(31_000, false), [1000, 0, 0]);
    }
}
