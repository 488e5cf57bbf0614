//! Writes the results of the engine into a game.

use crate::novelty;
use halfmove_archive::NewMove;
use halfmove_engine::{Analysis, Judgement, Value};
use halfmove_game::pgn::Nag;
use halfmove_game::{Evaluation, Game, Score};
use halfmove_rules::{AnyPosition, Color};

/// The options of the annotations.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// The maximum number of half-moves of a better line.
    pub(super) line: usize,
    /// True if existing evaluations are kept.
    pub(super) keep: bool,
}

/// The glyphs that judge a move: `!`, `?`, `!!`, `??`, `!?`, `?!`.
const JUDGEMENTS: std::ops::RangeInclusive<u32> = 1..=6;

/// A score from White's side; `None` where the side to move is mated.
pub(crate) fn evaluation(value: Value, side_to_move: Color) -> Option<Evaluation> {
    let for_white = |number: i32| match side_to_move {
        Color::White => number,
        Color::Black => -number,
    };
    match value {
        Value::Mate(0) => None,
        Value::Mate(moves) => Some(Evaluation::new(Score::Mate(for_white(moves)))),
        Value::Centipawns(number) => Some(Evaluation::new(Score::Centipawns(for_white(number)))),
    }
}

/// Writes evaluations, glyphs and better lines into the main line. Returns the judgements of the bad moves.
///
/// Glyphs and lines that a move already has are not added again, so annotating twice changes nothing.
pub(super) fn annotate(
    game: &mut Game,
    positions: &[AnyPosition],
    analysis: &Analysis,
    style: Style,
) -> Vec<Judgement> {
    let found = &analysis.assessments;
    let mut judged = Vec::new();
    for (ply, judgement) in (1..positions.len().min(found.len())).zip(&analysis.judgements) {
        let (before, after) = (&found[ply - 1], &found[ply]);
        let Some(node) = game.node(ply) else { break };
        let has_evaluation = node.evaluation().is_some();
        let has_glyph = node.nags().any(|nag| JUDGEMENTS.contains(&nag.number()));
        let best = before.line.first().copied();
        let has_line = node
            .variations()
            .any(|line| best.is_some() && line.first().and_then(|node| node.mv()) == best);
        let id = node.id();
        let Some(mut node) = game.edit(id) else { break };
        if let Some(evaluation) = evaluation(after.value, positions[ply].side_to_move())
            && !(style.keep && has_evaluation)
        {
            node.set_evaluation(evaluation);
        }
        let Some(judgement) = *judgement else { continue };
        judged.push(judgement);
        if !has_glyph {
            node.add_nag(Nag::new(judgement.nag().into()));
        }
        let line = &before.line[..before.line.len().min(style.line)];
        if !has_line && !line.is_empty() {
            // The search plays by the same rules, so each of its moves is legal.
            let _ = node.add_variation(line);
        }
    }
    judged
}

/// The glyph of a novelty.
const NOVELTY: u32 = 146;

/// Marks the half-move with which a game leaves earlier ones, unless it is marked.
pub(super) fn mark(game: &mut Game, mv: &NewMove) -> anyhow::Result<()> {
    let Some(node) =
        game.node(mv.ply).filter(|node| node.nags().all(|nag| nag.number() != NOVELTY))
    else {
        return Ok(());
    };
    let id = node.id();
    if let Some(mut node) = game.edit(id) {
        node.add_nag(Nag::new(NOVELTY));
        node.add_comment(&novelty::comment(mv))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_engine::Assessment;
    use halfmove_game::pgn::{read_game, write_game};
    use halfmove_rules::Move;

    /// An assessment, with its line in UCI notation.
    fn found(value: Value, position: &AnyPosition, line: &str) -> Assessment {
        let mut position = position.clone();
        let mut moves: Vec<Move> = Vec::new();
        for text in line.split_whitespace() {
            let mv = position.parse_uci(text).unwrap();
            position.play_unchecked(mv);
            moves.push(mv);
        }
        Assessment { value, line: moves }
    }

    /// The judgements of all moves.
    fn judgements(game: &Game, found: &[Assessment]) -> Vec<Option<Judgement>> {
        let judge = |(i, mv): (usize, &Move)| Judgement::of_move(&found[i], *mv, &found[i + 1]);
        game.moves.iter().enumerate().map(judge).collect()
    }

    /// The game after 1. e4 f6 2. d4 g5 3. Qh5#, of which Black's second move is a blunder.
    fn annotated(text: &str, style: Style) -> String {
        let mut game = read_game(text).unwrap();
        let positions: Vec<_> = (0..=game.moves.len()).map(|ply| game.position(ply)).collect();
        let cp = Value::Centipawns;
        let values = [
            (cp(20), "e2e4"),
            (cp(-30), "e7e5"),
            (cp(120), "d2d4"),
            (cp(-110), "e7e6 g1f3"),
            (Value::Mate(1), "d1h5"),
            (Value::Mate(0), ""),
        ];
        let found: Vec<Assessment> = values
            .into_iter()
            .zip(&positions)
            .map(|((value, line), position)| found(value, position, line))
            .collect();
        let judgements = judgements(&game, &found);
        let analysis = Analysis { assessments: found, judgements };
        let judged = annotate(&mut game, &positions, &analysis, style);
        assert_eq!(judged, [Judgement::Inaccuracy, Judgement::Blunder]);
        write_game(&game).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    const ALL: Style = Style { line: 8, keep: false };

    #[test]
    fn everything_that_was_there_stays() {
        let text = "1. e4 {[%clk 0:03:00] the king's} f6 $2 {[%eval 0.5]} (1... c5) 2. d4 {!} g5 3. Qh5# 1-0";
        let expected = "1. e4 {[%clk 0:03:00] [%eval 0.30] the king's} 1... f6 $2 {[%eval 1.20]} \
                        (1... c5) (1... e5) 2. d4 {!} {[%eval 1.10]} 2... g5 $4 {[%eval #1]} \
                        (2... e6 3. Nf3) 3. Qh5# 1-0";
        assert_eq!(annotated(text, ALL), expected);
        // Once more, nothing changes.
        assert_eq!(annotated(expected, ALL), expected);
        let kept = annotated(text, Style { line: 1, keep: true });
        assert_eq!(kept, expected.replace("[%eval 1.20]", "[%eval 0.5]").replace(" 3. Nf3)", ")"));
        let bare = annotated("1. e4 f6 2. d4 g5 3. Qh5# 1-0", Style { line: 0, keep: true });
        let expected = "1. e4 {[%eval 0.30]} 1... f6 $6 {[%eval 1.20]} 2. d4 {[%eval 1.10]} \
                        2... g5 $4 {[%eval #1]} 3. Qh5# 1-0";
        assert_eq!(bare, expected);
    }

    /// A null move gets the evaluation of the position after it, as every half-move does.
    #[test]
    fn a_null_move_is_no_mistake() {
        let mut game = read_game("1. e4 -- 2. d4 *").unwrap();
        let positions: Vec<_> = (0..=game.moves.len()).map(|ply| game.position(ply)).collect();
        let values = [(20, "e2e4"), (-30, "e7e5"), (300, "d2d4"), (-310, "e7e6")];
        let found: Vec<_> = values
            .into_iter()
            .zip(&positions)
            .map(|((cp, line), position)| found(Value::Centipawns(cp), position, line))
            .collect();
        let judgements = judgements(&game, &found);
        assert_eq!(judgements, [None; 3]);
        let analysis = Analysis { assessments: found, judgements };
        assert_eq!(annotate(&mut game, &positions, &analysis, ALL), []);
        let expected = "1. e4 {[%eval 0.30]} 1... -- {[%eval 3.00]} 2. d4 {[%eval 3.10]} *\n\n";
        assert_eq!(write_game(&game).unwrap(), expected);
    }
}
