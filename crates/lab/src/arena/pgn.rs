//! Games as PGN: tags, and for each move of an engine its score from White's side, the clock, and the time that it took.

use super::game::{Played, Record};
use super::limit::Limit;
use super::player::Score;
use chrono::{DateTime, Utc};
use halfmove_game::pgn::Format;
use halfmove_game::{BuildError, Clock, Evaluation, Game, GameBuilder, Score as ForWhite};
use halfmove_rules::Color;
use std::time::{Duration, SystemTime};

/// The tags that do not follow from the game itself.
#[derive(Copy, Clone, Debug)]
pub(super) struct Heading<'a> {
    pub(super) event: &'a str,
    pub(super) date: &'a str,
    pub(super) round: &'a str,
    /// By color.
    pub(super) names: [&'a str; 2],
    pub(super) limits: [Limit; 2],
}

/// The text of a game, with a blank line at the end.
pub(super) fn text(record: &Record, heading: Heading<'_>) -> Result<String, String> {
    let game = game(record, heading).map_err(|error| error.to_string())?;
    Format::new().write(&game).map_err(|error| error.to_string())
}

/// A game with its tags and comments. The writer adds the starting position and the variant where needed.
fn game(record: &Record, heading: Heading<'_>) -> Result<Game, BuildError> {
    let ending = plain(&record.ending.to_string());
    let mut game = GameBuilder::new(record.start.clone());
    let mut tag = |name: &str, value: &str| game.tag(name, &plain(value));
    tag("Event", heading.event)?;
    tag("Site", "?")?;
    tag("Date", heading.date)?;
    tag("Round", heading.round)?;
    tag("White", heading.names[0])?;
    tag("Black", heading.names[1])?;
    tag("Result", record.ending.result())?;
    let [white, black] = heading.limits;
    if white == black {
        tag("TimeControl", &time_control(white))?;
        tag("Limit", &white.to_string())?;
    } else {
        tag("WhiteTimeControl", &time_control(white))?;
        tag("BlackTimeControl", &time_control(black))?;
        tag("WhiteLimit", &white.to_string())?;
        tag("BlackLimit", &black.to_string())?;
    }
    tag("PlyCount", &record.moves.len().to_string())?;
    tag("Termination", record.ending.termination())?;
    tag("TerminationDetails", &ending)?;
    game.end_tags();

    let (book, moves) = record.moves.split_at(record.moves.len() - record.played.len());
    for mv in book {
        game.play(*mv)?;
    }
    for (mv, played) in moves.iter().zip(&record.played) {
        let mover = game.position().side_to_move();
        game.play(*mv)?;
        game.comment(&comment(played, mover))?;
    }
    game.comment(&ending)?;
    if let Ok(result) = record.ending.result().parse() {
        game.result(result)?;
    }
    Ok(game.finish())
}

/// The tag `TimeControl`, which can describe only clocks.
fn time_control(limit: Limit) -> String {
    limit.clock.map_or("-".to_owned(), |control| control.to_string())
}

/// A text without line breaks, since an engine may send any text.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The score, the clock and the time of a move, as commands of a comment.
fn comment(played: &Played, mover: Color) -> String {
    let mut commands = Vec::new();
    if let Some(score) = played.thought.score {
        let evaluation = evaluation(score, mover);
        let depth = played.thought.depth;
        let evaluation = depth.map_or(evaluation, |depth| evaluation.with_depth(depth));
        commands.push(format!("[%eval {evaluation}]"));
    }
    commands.extend(played.left.map(|left| format!("[%clk {}]", clock(left))));
    commands.push(format!("[%emt {}]", clock(played.elapsed)));
    commands.join(" ")
}

/// A score of the side that moved, from White's side.
fn evaluation(score: Score, mover: Color) -> Evaluation {
    let sign = if mover == Color::White { 1 } else { -1 };
    Evaluation::new(match score {
        Score::Centipawns(number) => ForWhite::Centipawns(number.saturating_mul(sign)),
        Score::Mate(moves) => ForWhite::Mate(moves.saturating_mul(sign)),
    })
}

/// Hours, minutes, seconds and milliseconds.
fn clock(time: Duration) -> Clock {
    Clock::from_millis(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)).with_decimals(3)
}

/// The date in UTC, as PGN writes it.
pub(super) fn today() -> String {
    DateTime::<Utc>::from(SystemTime::now()).format("%Y.%m.%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::player::{Fault, Thought};
    use crate::arena::referee::Ending;
    use halfmove_game::pgn::{GameReader, Reading};
    use halfmove_rules::{AnyPosition, Outcome, Variant};

    fn record(start: AnyPosition, moves: &str, book: usize, ending: Ending) -> Record {
        let (mut position, mut list, mut played) = (start.clone(), Vec::new(), Vec::new());
        for (i, uci) in moves.split(' ').enumerate() {
            let mv = position.parse_uci(uci).expect("a legal move");
            position.play_unchecked(mv);
            list.push(mv);
            if i >= book {
                let score = match i % 4 {
                    0 => Some(Score::Centipawns(35 - 10 * i as i32)),
                    1 => Some(Score::Mate(7)),
                    2 => Some(Score::Mate(-6)),
                    _ => None,
                };
                let thought = Thought { score, depth: Some(12), ..Thought::default() };
                let elapsed = Duration::from_millis(129 + i as u64);
                let left = (i % 3 > 0).then(|| Duration::from_millis(3_600_871 - i as u64));
                played.push(Played { thought, elapsed, left });
            }
        }
        Record { start, moves: list, played, ending, bad_lines: [0; 2] }
    }

    #[test]
    fn games_are_written_whole_and_read_again() {
        let start = AnyPosition::start;
        let from = |fen, variant| AnyPosition::from_fen(fen, variant).expect("a FEN");
        let fault = |color, fault| Ending::Fault { color, fault, is_draw: false };
        let mate = Ending::Rules(Outcome::Checkmate { winner: Color::Black });
        let records = [
            record(start(Variant::Chess), "f2f3 e7e5 g2g4 d8h4", 2, mate),
            record(
                from("4k3/P7/8/8/8/8/8/R3K2R b KQ - 5 20", Variant::Chess),
                "e8e7 e1c1 e7e6 a7a8q",
                0,
                fault(Color::Black, Fault::Time(Some(Duration::from_millis(3)))),
            ),
            record(
                from("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1", Variant::Chess960),
                "b1h1 b8a8 a2a3 h7h6",
                1,
                fault(Color::White, Fault::Illegal("e2e5 \"}\\".into())),
            ),
            record(start(Variant::Makruk), "e3e4 d6d5 e4d5 e6d5", 1, Ending::DrawnByScore),
            record(
                from("8/3k4/8/8/8/5K2/8/2R4R w - 16 15 6", Variant::Makruk),
                "h1h7 d7e6",
                0,
                Ending::Rules(Outcome::CountingDraw),
            ),
            record(start(Variant::Makpong), "e3e4 d6d5", 0, Ending::TooLong),
            record(start(Variant::Asean), "e3e4 d6d5", 0, fault(Color::White, Fault::Resigned)),
        ];
        let limit = Limit { clock: Some("40/60+0.6".parse().unwrap()), ..Limit::default() };
        let other = Limit { nodes: Some(5000), ..Limit::default() };
        let mut all = String::new();
        for (i, record) in records.iter().enumerate() {
            let heading = Heading {
                event: "Test \"of\" the \\arena",
                date: "2026.01.02",
                round: &format!("{}.{}", i / 2 + 1, i % 2 + 1),
                names: ["new", "old"],
                limits: if i % 2 == 0 { [limit, limit] } else { [limit, other] },
            };
            let game = game(record, heading).expect("a game");
            let text = text(record, heading).expect("a text");
            let mut again = GameReader::new(text.as_bytes()).games();
            let (reading, read) = again.next().expect("a game").expect("bytes");
            assert_eq!((reading, &read.moves), (Reading::Whole, &record.moves), "{text}");
            assert_eq!((&read.start, read.start.variant()), (&game.start, record.start.variant()));
            assert_eq!(read.result.map(|result| result.as_str()), Some(record.ending.result()));
            all += &text;
        }
        let path = format!("{}/tests/golden/arena.pgn", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("HALFMOVE_BLESS").is_some() {
            std::fs::write(&path, &all).expect("a file to write");
        }
        assert_eq!(all, std::fs::read_to_string(&path).expect("a file to read"));
    }

    #[test]
    fn scores_are_from_the_side_of_white() {
        let of = |score, mover| evaluation(score, mover).to_string();
        assert_eq!(of(Score::Centipawns(-17), Color::White), "-0.17");
        assert_eq!(of(Score::Centipawns(-105), Color::Black), "1.05");
        assert_eq!(of(Score::Mate(3), Color::Black), "#-3");
        assert_eq!(of(Score::Centipawns(i32::MIN), Color::Black), "9999999.99");
        assert_eq!(clock(Duration::from_millis(3_723_045)).to_string(), "1:02:03.045");
        assert_eq!(clock(Duration::from_secs(5)).to_string(), "0:00:05.000");
    }
}
