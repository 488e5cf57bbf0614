//! Games as PGN, in the form that our reader and others read: evaluations from White's side, clocks, and times.

use super::game::Record;
use super::limit::Limit;
use super::player::Score;
use halfmove_rules::{AnyPosition, Color, Variant};
use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lines are broken before this column, where they can be.
const WIDTH: usize = 100;

/// What the tags say that is not in the game itself.
#[derive(Copy, Clone, Debug)]
pub(super) struct Heading<'a> {
    pub(super) event: &'a str,
    pub(super) date: &'a str,
    pub(super) round: &'a str,
    /// By color.
    pub(super) names: [&'a str; 2],
    pub(super) limits: [Limit; 2],
}

/// How PGN names a game.
fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => "Standard",
        Variant::Chess960 => "Chess960",
        Variant::Makruk => "Makruk",
        Variant::Makpong => "Makpong",
        _ => "ASEAN",
    }
}

/// A game's text, with a blank line at the end.
pub(super) fn text(record: &Record, heading: Heading<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let variant = record.start.variant();
    tag("Event", heading.event);
    tag("Site", "?");
    tag("Date", heading.date);
    tag("Round", heading.round);
    tag("White", heading.names[0]);
    tag("Black", heading.names[1]);
    tag("Result", record.ending.result());
    if variant != Variant::Chess {
        tag("Variant", variant_name(variant));
    }
    if record.start != AnyPosition::start(variant) || variant == Variant::Chess960 {
        tag("SetUp", "1");
        tag("FEN", &record.start.to_string());
    }
    let [white, black] = heading.limits;
    if white == black {
        tag("TimeControl", &time_control(white));
        tag("Limit", &white.to_string());
    } else {
        tag("WhiteTimeControl", &time_control(white));
        tag("BlackTimeControl", &time_control(black));
        tag("WhiteLimit", &white.to_string());
        tag("BlackLimit", &black.to_string());
    }
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", record.ending.termination());
    tag("TerminationDetails", &record.ending.to_string());
    text.push('\n');
    movetext(record, &mut text);
    text
}

/// The tag `TimeControl`, which knows only clocks.
fn time_control(limit: Limit) -> String {
    limit.clock.map_or("-".to_owned(), |control| control.to_string())
}

fn movetext(record: &Record, text: &mut String) {
    let mut column = 0;
    let mut put = |token: &str, text: &mut String| {
        if column > 0 && column + 1 + token.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(token);
        column += token.len();
    };
    let mut position = record.start.clone();
    let book = record.moves.len() - record.played.len();
    for (i, mv) in record.moves.iter().enumerate() {
        let mover = position.side_to_move();
        let number = position.fullmove_number();
        match mover {
            Color::White => put(&format!("{number}."), text),
            Color::Black if i == 0 || i >= book => put(&format!("{number}..."), text),
            Color::Black => {}
        }
        put(&position.san(*mv).to_string(), text);
        if let Some(played) = i.checked_sub(book).and_then(|i| record.played.get(i)) {
            let mut comment = Vec::new();
            if let Some(score) = played.thought.score {
                let depth = played.thought.depth.map(|depth| format!(",{depth}"));
                let depth = depth.unwrap_or_default();
                comment.push(format!("[%eval {}{depth}]", evaluation(score, mover)));
            }
            comment.extend(played.left.map(|left| format!("[%clk {}]", clock(left))));
            comment.push(format!("[%emt {}]", clock(played.elapsed)));
            put(&format!("{{{}}}", comment.join(" ")), text);
        }
        position.play_unchecked(*mv);
    }
    // What an engine said may hold anything.
    put(&format!("{{{}}}", record.ending.to_string().replace('}', ")")), text);
    put(record.ending.result(), text);
    text.push_str("\n\n");
}

fn evaluation(score: Score, mover: Color) -> String {
    let sign = if mover == Color::White { 1 } else { -1 };
    match score {
        Score::Centipawns(number) => format!("{:.2}", f64::from(sign * number) / 100.0),
        Score::Mate(moves) => format!("#{}", sign * moves),
    }
}

/// Hours, minutes, seconds and milliseconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}.{:03}", seconds % 60, time.subsec_millis())
}

/// The date in UTC, as PGN writes it.
pub(super) fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(now.as_secs() / 86_400)
}

/// The date of a day since 1970, in the Gregorian calendar: years begin in March, so that the leap day is the last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, calendar) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = 400 * era + year + u64::from(calendar <= 2);
    format!("{year:04}.{calendar:02}.{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::Played;
    use crate::arena::player::{Fault, Thought};
    use crate::arena::referee::Ending;
    use halfmove_rules::Outcome;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_088, "2024.12.31"),
            (20_089, "2025.01.01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }

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

    /// Games that crate `game` reads in its own tests, where its reader is at hand.
    #[test]
    fn games_are_written_as_the_readers_test_has_them() {
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
            all += &text(record, heading);
        }
        let path = format!("{}/tests/golden/arena.pgn", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("HALFMOVE_BLESS").is_some() {
            std::fs::write(&path, &all).expect("a file to write");
        }
        assert_eq!(all, std::fs::read_to_string(&path).expect("a file to read"));
    }

    #[test]
    fn scores_are_from_the_side_of_white() {
        assert_eq!(evaluation(Score::Centipawns(-17), Color::White), "-0.17");
        assert_eq!(evaluation(Score::Centipawns(-105), Color::Black), "1.05");
        assert_eq!(evaluation(Score::Mate(3), Color::Black), "#-3");
        assert_eq!(clock(Duration::from_millis(3_723_045)), "1:02:03.045");
    }
}
