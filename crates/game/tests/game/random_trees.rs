//! Random games with everything that PGN can hold round-trip through their text.

use halfmove_game::pgn::{CommentStyle, GameReader, Nag, write_game};
use halfmove_game::{Game, GameBuilder, GameResult};
use halfmove_rules::{AnyPosition, Chess, SanError};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The result of writing this game and reading it again, and the text.
fn again(game: &Game) -> (Game, String) {
    let text = write_game(game).expect("sound names");
    let mut game = Game::default();
    let reading = GameReader::new(text.as_bytes()).read(&mut game).expect("memory does not fail");
    assert!(reading.is_some(), "no game: {text}");
    (game, text)
}

/// A part of a game.
#[derive(Debug, Clone)]
enum Step {
    Move(prop::sample::Index),
    Null,
    Word(String),
    Nag(Nag),
    Comment(CommentStyle, String),
    Escape(String),
    Begin,
    End,
}

fn comment_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{0,12}",
        "[ -~\n]{0,30}",
        "\\PC{0,10}",
        prop::collection::vec(
            prop::sample::select(
                [
                    " ",
                    "  ",
                    "\n",
                    "\n\n",
                    "[%clk 0:00:30]",
                    "[%eval 0.17]",
                    "[%eval #-3,12]",
                    "[%emt 0:00:01.5]",
                    "[%clk 1:05]",
                    "[%csl Ga4,Rb5]",
                    "[%cal Gc2c3]",
                    "[%csl x]",
                    "[%count none]",
                    "[",
                    "]",
                    "%",
                    "[Event \"x\"]",
                    "[White \"",
                    "1. e4",
                    "(",
                    ")",
                    "{",
                    "word",
                    "\t",
                    "\0",
                    "\r",
                    "é",
                    ";",
                ]
                .as_slice()
            ),
            0..8
        )
        .prop_map(|pieces| pieces.concat()),
        (0_usize..300).prop_map(|length| "several words ".repeat(length / 14)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let glyph = prop_oneof![
        any::<u32>().prop_map(Nag::new),
        prop::sample::select(
            ["!", "?", "!?", "+/-", "=", "N", "inf", "+=", "~", "-+", "RR"].as_slice()
        )
        .prop_map(|sign| Nag::from_sign(sign).expect("a sign")),
    ];
    let style = prop_oneof![Just(CommentStyle::Braces), Just(CommentStyle::Line)];
    prop_oneof![
        8 => any::<prop::sample::Index>().prop_map(Step::Move),
        1 => Just(Step::Null),
        1 => "[A-Za-zé][A-Za-z0-9+#=:/@-]{0,8}".prop_map(Step::Word),
        2 => glyph.prop_map(Step::Nag),
        3 => (style, comment_text()).prop_map(|(style, text)| Step::Comment(style, text)),
        1 => "[ -~]{0,20}".prop_map(Step::Escape),
        3 => Just(Step::Begin),
        3 => Just(Step::End),
    ]
}

/// A game of these steps, as far as they are possible.
fn build(early: Vec<Step>, steps: Vec<Step>, behind: Vec<Step>, start: Chess) -> Game {
    let mut builder = GameBuilder::new(start);
    let add = |builder: &mut GameBuilder, step: &Step| match step {
        Step::Move(choice) => {
            let legal = builder.position().legal_moves();
            if !legal.is_empty() {
                let _ = builder.play(legal[choice.index(legal.len())]);
            }
        }
        Step::Null => drop(builder.null_move("--")),
        Step::Word(word) => {
            // A word that can be played would be a move.
            let position = builder.position().clone();
            let san = position.parse_san(word);
            let is_move =
                san.is_ok() || san == Err(SanError::Null) || position.parse_uci(word).is_ok();
            if !is_move {
                let glued = word.trim_end_matches(['+', '-', '/', '=', '#']);
                if position.parse_san(glued).is_err() {
                    let _ = builder.word(word);
                }
            }
        }
        Step::Nag(nag) => drop(builder.nag(*nag)),
        Step::Comment(style, text) => drop(builder.styled_comment(*style, text)),
        Step::Escape(text) => drop(builder.escape(text)),
        Step::Begin => drop(builder.begin_variation()),
        Step::End => drop(builder.end_variation()),
    };
    let is_text = |step: &&Step| matches!(step, Step::Comment(..) | Step::Escape(_));
    early.iter().filter(is_text).for_each(|step| add(&mut builder, step));
    let _ = builder.tag("White", "a \"b\" \\");
    early.iter().rev().filter(is_text).for_each(|step| add(&mut builder, step));
    let _ = builder.tag("Black", "");
    steps.iter().for_each(|step| add(&mut builder, step));
    let _ = builder.result(GameResult::WhiteWins);
    behind.iter().filter(is_text).for_each(|step| add(&mut builder, step));
    builder.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_come_back(
        early in prop::collection::vec(step(), 0..5),
        steps in prop::collection::vec(step(), 0..60),
        behind in prop::collection::vec(step(), 0..4),
        black in any::<bool>(),
    ) {
        let fen = if black { "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7" } else { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" };
        let mut game = build(early, steps, behind, fen.parse().expect("a FEN"));
        if black {
            game.tags.push("FEN", fen);
        }
        // A tag added after a comment would move the comment.
        let (same, text) = again(&game);
        if !black || same.annotations == game.annotations {
            prop_assert_eq!(&same, &game, "{}", text);
        }
        prop_assert_eq!(write_game(&same).expect("sound names"), text.clone());
        let mut reader = GameReader::new(text.as_bytes());
        prop_assert!(reader.read(&mut Game::default()).expect("memory").is_some());
        prop_assert!(reader.read(&mut Game::default()).expect("memory").is_none(), "{}", text);
        crate::scans::compare(&game);
        // The same events make the same game.
        let mut builder = GameBuilder::new(game.start.clone());
        for event in game.events() {
            builder.push(event).expect("what was built once can be built again");
        }
        prop_assert_eq!(builder.finish(), game.clone());
        // A line is longer than the limit only if it has no space to break at.
        for line in text.lines().filter(|line| line.len() > 80) {
            prop_assert!(line.starts_with(['[', '%', ';']) || !line.contains(' ') || line.contains(['[', '\t', '%', '\u{b}']) || line.contains("  "), "{}", line);
        }
    }

    /// Parsing a comment and writing it again changes nothing but line breaks between words.
    #[test]
    fn comments_round_trip(text in comment_text()) {
        let mut builder = GameBuilder::new(AnyPosition::from(Chess::default()));
        if builder.comment(&text).is_ok() {
            let game = builder.finish();
            let comment = game.annotations.comments().next().expect("a comment").to_string();
            prop_assert_eq!(&comment, &one_line(&text));
        }
    }
}

/// A slow and independent way to replace single line breaks with spaces.
fn one_line(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let chars: Vec<char> = text.chars().collect();
    let blank = |at: Option<usize>| {
        at.and_then(|at| chars.get(at)).is_none_or(|c| " \t\n\u{b}\u{c}".contains(*c))
    };
    let mut out = String::new();
    for (at, &char) in chars.iter().enumerate() {
        let soft = char == '\n' && !blank(at.checked_sub(1)) && !blank(Some(at + 1));
        out.push(if soft { ' ' } else { char });
    }
    // A line that looks like the first tag of a game is indented.
    let mut lines: Vec<String> = out.split('\n').map(str::to_owned).collect();
    for index in 1..lines.len() {
        let name = lines[index].strip_prefix('[').and_then(|tag| tag.split_once('"'));
        let name =
            name.map(|(name, _)| name.trim_matches([' ', '\t', '\u{b}', '\u{c}']).to_owned());
        let name =
            name.filter(|name| !name.is_empty() && !name.contains([' ', '\t', '\u{b}', '\u{c}']));
        let apart =
            index > 1 && lines[index - 1].trim_matches([' ', '\t', '\u{b}', '\u{c}']).is_empty();
        if name.as_deref() == Some("Event") || name.is_some() && apart {
            lines[index].insert(0, ' ');
        }
    }
    lines.join("\n")
}
