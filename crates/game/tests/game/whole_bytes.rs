//! The page on whole games in bytes, `docs/reference/whole.md`: its vectors, its tables and its worked example.

use halfmove_game::codec::DecodeErrorKind;
use halfmove_game::codec::whole::{self, Parts};
use halfmove_game::pgn::{Nag, read_game};
use halfmove_game::{Clock, Evaluation, Event, Tags};
use halfmove_rules::Chess;

/// The test vectors of the page on whole games, and each of its tokens.
#[test]
fn vectors_of_whole_games() {
    let page = include_str!("../../../../docs/reference/whole.md");
    assert!(page.contains(&format!("\nVersion {}. ", whole::VERSION)));
    let (_, vectors) = page.split_once("## Test vectors").expect("vectors");
    let rows: Vec<_> = vectors.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    assert!(rows.len() > 8, "{} vectors", rows.len());
    let mut tokens = String::new();
    for row in rows {
        let cells: Vec<_> =
            row.split(" | ").map(|cell| cell.trim_matches(['`', ' ', '|'])).collect();
        let text = cells[0].replace('¶', "\n");
        let game = read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let parts = Parts::of(&game);
        let hex = |bytes: &[u8]| {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
        };
        let found = [&parts.annotations, &parts.clocks, &parts.evaluations].map(|part| hex(part));
        assert_eq!(found, cells[1..4], "{text}");
        let again = parts.game(&game.tags, game.start.clone(), &game.moves);
        assert_eq!(again.as_ref(), Ok(&game), "{text}");
        tokens += &found[0];
    }
    for token in 0x80..=0xa4 {
        let is_sign = (0x90..=0xa3).contains(&token);
        assert!(is_sign || tokens.contains(&format!("{token:02x}")), "{token:02x} is in no vector");
    }
    // The signs, in their order; everything above is reserved.
    let signs = [("| `90`–`a3`", "a sign: ", 0x90..=0xa3), ("| `a5`–`bf`", "signs: ", 0xa5..=0xbf)];
    let signs = signs.into_iter().flat_map(|(row, before, tokens)| {
        let row = page.lines().find(|line| line.starts_with(row)).expect("a row");
        let signs: Vec<&str> = row.split(before).nth(1).expect("signs").split(' ').collect();
        assert_eq!(signs.len(), tokens.clone().count() + 1, "{row}");
        tokens.zip(signs)
    });
    for (token, sign) in signs {
        let parts = Parts { annotations: vec![0x00, token], ..Parts::default() };
        let moves = read_game("1. e4 *").unwrap().moves;
        let game = parts.game(&Tags::new(), Chess::default().into(), &moves).expect("a glyph");
        let nag = Nag::from_sign(sign).expect(sign);
        assert!(game.events().any(|event| event == Event::Nag(nag)), "{sign}");
    }
    for token in 0xc0..=0xff {
        let parts = Parts { annotations: vec![token], ..Parts::default() };
        let error = parts.game(&Tags::new(), Chess::default().into(), &[]).unwrap_err();
        assert_eq!(error.error.kind, DecodeErrorKind::Reserved(token));
    }
}

/// The bits of the worked example are the bytes of its vector.
#[test]
fn the_worked_example_of_whole_games() {
    let page = include_str!("../../../../docs/reference/whole.md");
    let (_, example) = page.split_once("\n## Worked example\n").expect("an example");
    let (_, text) = example.split_once("```text\n").expect("a game");
    let (text, tables) = text.split_once("```").expect("an end");
    let parts = Parts::of(&read_game(text).expect("a game"));
    for (name, part) in [("clocks", &parts.clocks), ("evaluations", &parts.evaluations)] {
        let (_, table) = tables.split_once(&format!("<!-- worked: {name} -->\n")).expect(name);
        let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
        let drawn: String = rows
            .flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`'))
            .filter(|bits| bits.starts_with(['0', '1']))
            .collect();
        let found: String = part.iter().map(|byte| format!("{byte:08b}")).collect();
        assert_eq!(drawn, found, "{name}");
    }
    assert_eq!(parts.annotations, [0x02, 0x93]);
}

/// Values with the spelling of a row of the tables of units are stored in that unit.
#[test]
fn the_units_match_the_reference() {
    let page = include_str!("../../../../docs/reference/whole.md");
    for (heading, command, expected) in
        [("Clocks", "clk", &[0, 1, 2, 3, 5, 6, 7][..]), ("Evaluations", "eval", &[4, 5, 6])]
    {
        let (_, section) = page.split_once(&format!("\n### {heading}\n")).expect(heading);
        let (section, _) = section.split_once("\n#").expect("another section");
        let mut units = Vec::new();
        for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
            let values: Vec<_> = row.split('`').skip(1).step_by(2).collect();
            let Some(unit) = row[..1].parse::<u8>().ok().filter(|_| !values.is_empty()) else {
                continue;
            };
            let moves = ["e4", "e5", "d4"].into_iter().zip(values);
            let text = moves.map(|(san, value)| format!("{san} {{[%{command} {value}]}} "));
            let game = read_game(format!("{}*", text.collect::<String>())).expect(row);
            let parts = Parts::of(&game);
            let part = if command == "clk" { &parts.clocks } else { &parts.evaluations };
            assert_eq!(part[..2], [1, unit], "{row}");
            units.push(unit);
        }
        assert_eq!(units, expected, "{heading}");
    }
}

/// Clocks and evaluations in all spellings.
#[test]
fn values_of_all_kinds() {
    for (text, are_usual) in [
        ("1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.9]} 2. d4 {[%clk 0:02:58]} *", true),
        ("1. e4 {[%clk 0:03:00.0]} e5 {[%clk 0:02:59.9]} *", true),
        ("1. e4 {[%clk 0:03:00.00]} e5 {[%clk 0:02:59.9]} *", false),
        ("1. e4 {[%clk 1192:59:59.999]} e5 {[%clk 0:00:00.001]} 2. d4 {[%clk 0:00:00]} *", true),
        ("1. e4 { [%clk 0:03:00] } e5 2. d4 { [%clk 0:02:58] } *", true),
        ("1. e4 { [%clk 0:03:00] } e5 {[%clk 0:02:59]} *", false),
        ("1. e4 {[%clk 0:03:00]} {[%clk 0:02:59]} *", false),
        ("1. e4 {[%clk 0:03:00]} $1 *", false),
        ("1. e4 {[%clk 0:03:00]} {behind it} *", false),
        ("1. e4 $1 {before it} {[%clk 0:03:00]} (1. d4 {[%clk 0:01:00]}) e5 *", true),
        ("1. e4 {[%clk 0:03:00] with text} *", false),
        ("1. e4 {[%clk 3:00]} *", false),
        ("1. e4 {[%eval 0.17]} e5 {[%eval -0.3]} 2. d4 {[%eval #-3]} d5 {[%eval 0.0]} *", true),
        ("1. e4 {[%eval 0.17]} e5 {[%eval -0.30]} 2. d4 {[%eval 1.00]} *", true),
        ("1. e4 {[%eval 9999999.99]} e5 {[%eval -9999999.99]} 2. d4 {[%eval #9999999]} *", true),
        ("1. e4 {[%eval 0.17,23]} *", false),
        ("1. e4 {[%eval 1]} e5 {[%eval 1.0]} *", false),
        ("1. e4 {[%eval 0.3]} e5 {[%eval #3,12]} 2. d4 {[%eval -0.30]} *", false),
        ("1. e4 {[%clk 0:03:00.0]} e5 {[%clk 0:02:59.95]} 2. d4 {[%clk 0:02:59.125]} *", false),
        ("1. e4 {[%eval 0.3] [%clk 0:03:00.0]} e5 {[%clk 0:02:59.95]} *", false),
        ("1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {[%clk 0:02:59]} *", true),
        ("1. e4 {[%clk 0:03:00][%eval 0.17]} e5 {[%clk 0:02:59][%eval 0.2]} *", true),
        ("1. e4 {[%clk 0:03:00] [%eval 0.17]} e5 {[%eval 0.2] [%clk 0:02:59]} *", false),
        ("1. e4 {[%emt 0:00:03]} *", false),
        ("1. e4 (1. d4 {[%clk 0:03:00]}) e5 *", false),
        ("{[%clk 0:03:00]} 1. e4 {[%clk 0:03:00]} * {[%clk 0:03:00]}", true),
        ("1. e4 (1. d4) {[%clk 0:03:00]} e5 {[%clk 0:03:00]} *", true),
    ] {
        let game = read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let parts = Parts::of(&game);
        let again = parts.game(&game.tags, game.start.clone(), &game.moves);
        assert_eq!(again.as_ref(), Ok(&game), "{text}");
        let template =
            [&parts.clocks, &parts.evaluations].into_iter().find(|part| !part.is_empty());
        assert_eq!(template.is_some_and(|part| part[0] & 1 != 0), are_usual, "{text}");
        let main_line = |at: usize| game.node(at + 1).expect("a move");
        let clocks = whole::clocks(&parts.clocks, game.moves.len()).unwrap();
        let evaluations = whole::evaluations(&parts.evaluations, game.moves.len()).unwrap();
        for ply in 0..game.moves.len() {
            let clock = clocks.get(ply).copied().flatten();
            let evaluation = evaluations.get(ply).copied().flatten();
            let written = (main_line(ply).clock(), main_line(ply).evaluation());
            if are_usual {
                // After variations, a clock is text.
                assert!(clock.is_none() || clock == written.0, "{text}");
                assert_eq!(evaluation, written.1, "{text}");
            } else {
                // The values of other comments are stored as numbers.
                assert_eq!(clock.map(Clock::millis), written.0.map(Clock::millis), "{text}");
                assert_eq!(
                    evaluation.map(Evaluation::score),
                    written.1.map(Evaluation::score),
                    "{text}"
                );
            }
        }
        // Any truncation or addition is an error or another game.
        for end in (0..parts.clocks.len()).filter(|_| are_usual) {
            let cut = Parts { clocks: parts.clocks[..end].to_vec(), ..parts.clone() };
            assert_ne!(cut.game(&game.tags, game.start.clone(), &game.moves), Ok(game.clone()));
        }
        let mut longer = parts.clone();
        longer.clocks.push(0);
        assert!(longer.game(&game.tags, game.start.clone(), &game.moves).is_err(), "{text}");
    }
}
