//! Sequences of moves, compared with the SAN of every move and plain recursion.

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::read_game;
use halfmove_game::replay::{self, MoveSequence, MoveSequenceError};
use halfmove_rules::{AnyPosition, Color};

use crate::codec::{Line, lines, random, random_lines};

/// A half-move in the form of its texts.
struct Half {
    /// The SAN, with its check mark.
    san: String,
    from: String,
    color: Color,
    number: u32,
}

impl Half {
    /// The SAN without its check mark.
    fn plain(&self) -> &str {
        self.san.trim_end_matches(['+', '#'])
    }

    /// The letter of the piece, `P` for a pawn; `K` for a king who castles.
    fn letter(&self) -> char {
        match self.san.chars().next() {
            Some('O') => 'K',
            Some(letter) if letter.is_ascii_uppercase() => letter,
            _ => 'P',
        }
    }

    fn takes(&self) -> bool {
        self.san.contains('x')
    }

    fn castles(&self) -> bool {
        self.san.starts_with('O')
    }

    /// The target, and the piece to which a pawn promotes.
    fn target(&self) -> (&str, Option<&str>) {
        let (place, promotion) = match self.plain().split_once('=') {
            Some((place, letter)) => (place, Some(letter)),
            None => (self.plain(), None),
        };
        (&place[place.len() - 2..], promotion)
    }
}

fn halves(line: &Line) -> Vec<Half> {
    let mut position: AnyPosition = line.start.clone();
    let mut halves = Vec::new();
    for &mv in &line.moves {
        halves.push(Half {
            san: position.san(mv).to_string(),
            from: mv.from().to_string(),
            color: position.side_to_move(),
            number: u32::from(position.fullmove_number()),
        });
        position.play_unchecked(mv);
    }
    halves
}

/// Returns true if two letters name the same role, in chess or in Makruk.
fn same_letter(a: &str, b: &str) -> bool {
    let place = |letter: &str| letter.replace('S', "B").replace('M', "Q");
    place(a) == place(b)
}

/// Returns true if a half-move matches a word.
fn fits(word: &str, half: &Half) -> bool {
    let dots = word.rfind('.').map_or(0, |last| last + 1);
    let (prefix, word) = word.split_at(dots);
    let digits = prefix.trim_end_matches('.');
    if !digits.is_empty() && digits.parse() != Ok(half.number) {
        return false;
    }
    match prefix.len() - digits.len() {
        1 if half.color == Color::Black => return false,
        3 if half.color == Color::White => return false,
        _ => {}
    }
    if word == "?" {
        return true;
    }
    let body = word.trim_end_matches(['+', '#']);
    let is_marked = match &word[body.len()..] {
        "+" => half.san.ends_with(['+', '#']),
        "#" => half.san.ends_with('#'),
        _ => true,
    };
    if !is_marked {
        return false;
    }
    if body.starts_with('O') {
        return half.plain() == body;
    }
    let (body, promotion) = match body.split_once('=') {
        Some((body, letter)) => (body, Some(letter)),
        None => (body, None),
    };
    let (letter, squares) = match body.chars().next() {
        Some(letter) if letter.is_ascii_uppercase() => (Some(letter), &body[1..]),
        Some('x') | None => (None, body),
        _ => (Some('P'), body),
    };
    if letter.is_some_and(|letter| !same_letter(&letter.to_string(), &half.letter().to_string())) {
        return false;
    }
    if half.castles() {
        return squares.is_empty() && promotion.is_none();
    }
    let (origin, target) = match squares.split_once('x') {
        Some(parts) => parts,
        None if squares.is_empty() => ("", ""),
        None => squares.split_at(squares.len() - 2),
    };
    let (to, becomes) = half.target();
    let is_promotion = match (promotion, becomes) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(required), Some(becomes)) => required.is_empty() || same_letter(required, becomes),
    };
    is_promotion
        && (squares.is_empty() || squares.contains('x') == half.takes())
        && origin.chars().all(|part| half.from.contains(part))
        && (target.is_empty() || target == to)
}

/// The ply after the rest of some words, if the next of them matches a half-move.
fn end(words: &[&str], halves: &[Half], at: usize) -> Option<usize> {
    let Some((word, rest)) = words.split_first() else { return Some(at) };
    if *word == "*" {
        return (at..=halves.len()).filter_map(|at| end(rest, halves, at)).min();
    }
    if fits(word, halves.get(at)?) { end(rest, halves, at + 1) } else { None }
}

/// The slow search.
fn first_end(text: &str, halves: &[Half]) -> Option<u32> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while words.last() == Some(&"*") {
        words.pop();
    }
    let ends = (0..=halves.len()).filter_map(|at| end(&words, halves, at));
    ends.min().map(|end| end as u32)
}

/// A word that matches a half-move, more or less exact.
fn word(half: &Half, random: &mut impl FnMut(usize) -> usize) -> String {
    let letter = half.letter();
    let mark = half.san[half.plain().len()..].to_owned();
    let x = if half.takes() { "x" } else { "" };
    let mut word = match random(9) {
        0 => "?".to_owned(),
        1 => half.san.clone(),
        2 => half.plain().to_owned(),
        3 => letter.to_string(),
        4 if half.takes() => format!("{}x", ["", &letter.to_string()][random(2)]),
        5 if !mark.is_empty() => mark,
        _ if half.castles() => half.plain().to_owned(),
        6 if half.takes() => format!("x{}", half.target().0),
        7 if half.target().1.is_some() => "=".to_owned(),
        8 if half.target().1.is_some() => format!("={}", half.target().1.unwrap_or_default()),
        kind => {
            let (file, rank) = half.from.split_at(1);
            let origin = ["", file, rank, &half.from][random(4)];
            // A pawn's file goes with its capture.
            let origin = match letter {
                'P' if half.takes() && origin.is_empty() => file,
                'P' if kind % 2 == 0 => &half.from,
                _ => origin,
            };
            // A digit in front would be a number.
            let letter = if letter == 'P' && !origin.starts_with(|c: char| c.is_ascii_digit()) {
                String::new()
            } else {
                letter.to_string()
            };
            format!("{letter}{origin}{x}{}", half.target().0)
        }
    };
    if random(3) == 0 {
        let dots = if half.color == Color::White { "." } else { "..." };
        let number = if random(3) == 0 { half.number.to_string() } else { String::new() };
        word = format!("{number}{dots}{word}");
    }
    word
}

#[test]
fn sequences_agree_with_a_slow_search() {
    let lines: Vec<Line> = lines().into_iter().chain(random_lines()).collect();
    let mut state = random();
    let mut random = |below: usize| (state() >> 16) as usize % below;
    let (mut hits, mut misses, mut searches) = (0, 0, 0);
    let mut kinds = [0_u32; 8];
    for line in &lines {
        let is_chess = matches!(line.start, AnyPosition::Chess(_));
        if line.moves.is_empty() {
            continue;
        }
        let (bytes, halves) = (line.encode(), halves(line));
        for _ in 0..12 {
            // A part of the game, then changed.
            let from = random(halves.len());
            let (mut at, mut words) = (from, Vec::new());
            for _ in 0..1 + random(5) {
                let Some(half) = halves.get(at) else { break };
                words.push(word(half, &mut random));
                at += 1;
                if random(4) == 0 {
                    words.push("*".to_owned());
                    at += random(6);
                }
            }
            if random(3) == 0 {
                let place = random(words.len());
                if words[place] != "*" {
                    words[place] = word(&halves[random(halves.len())], &mut random);
                }
            }
            let text = words.join(" ");
            let sequence: MoveSequence =
                text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let found = replay::played(&bytes, &sequence).expect("bytes of a game");
            assert_eq!(found, first_end(&text, &halves), "{text} in {}", line.name);
            searches += 1;
            match found {
                Some(_) => hits += 1,
                None => misses += 1,
            }
            if found.is_some() {
                let is_there = [
                    text.contains('*'),
                    text.contains('+'),
                    text.contains('#'),
                    text.contains('='),
                    text.contains("O-O"),
                    text.contains("..."),
                    text.contains('?'),
                    !is_chess,
                ];
                for (kind, is_there) in kinds.iter_mut().zip(is_there) {
                    *kind += u32::from(is_there);
                }
            }
        }
    }
    assert!(searches > 5_000 && hits > 3_000 && misses > 500, "{searches} {hits} {misses}");
    assert!(kinds.iter().all(|kind| *kind > 20), "{kinds:?}");
}

/// Every half-move of some games, written in full, is found at its place.
#[test]
fn whole_games_are_sequences() {
    for line in lines().iter().chain(&random_lines()).step_by(23) {
        let (bytes, halves) = (line.encode(), halves(line));
        for (index, some) in halves.chunks(MoveSequence::MAX).enumerate() {
            let words = some.iter().map(|half| {
                let dots = if half.color == Color::White { "." } else { "..." };
                format!("{}{dots} {}", half.number, half.san)
            });
            let text = words.collect::<Vec<_>>().join(" ");
            let sequence: MoveSequence = text.parse().expect("a sequence");
            let expected = index * MoveSequence::MAX + some.len();
            let found = replay::played(&bytes, &sequence);
            assert_eq!(found, Ok(Some(expected as u32)), "{text} in {}", line.name);
        }
    }
}

fn first(game: &str, text: &str) -> Option<u32> {
    let mut bytes = Vec::new();
    halfmove::encode(&read_game(game).expect("a game"), &mut bytes).expect("bytes");
    replay::played(&bytes, &text.parse().expect("a sequence")).expect("a game")
}

#[test]
fn words_have_their_meaning() {
    let game = "1. e4 d5 2. e5 f5 3. exf6 Kd7 4. fxg7 c6 5. gxh8=N Qb6 6. Nf3 Qxb2 7. Bd3 Qxa1 8. O-O \
                Qxa2 9. Nc3 Qa5 10. Nf7 h6 11. N3e5+ *";
    for (text, ply) in [
        ("e5", Some(3)),
        ("exf6", Some(5)),
        ("xf6", Some(5)),
        ("e5xf6", Some(5)),
        ("x", Some(5)),
        ("...x", Some(12)),
        ("=", Some(9)),
        ("=N", Some(9)),
        ("=Q", None),
        ("gxh8", Some(9)),
        ("gxh8=Q", None),
        ("h8", None),
        ("P * Px * x=N", Some(9)),
        ("Kd7", Some(6)),
        ("K", Some(6)),
        (".K", Some(15)),
        ("O-O", Some(15)),
        ("0-0", Some(15)),
        ("O-O-O", None),
        ("8.O-O", Some(15)),
        ("8. O-O", Some(15)),
        ("9.O-O", None),
        ("8...O-O", None),
        ("Qx Bd3 Qx", Some(14)),
        ("Qx * Qx * Qx", Some(16)),
        ("Qx ? ?", Some(14)),
        ("? e4", None),
        ("* ? * e4 *", None),
        ("Nf7", Some(19)),
        ("N8f7", Some(19)),
        ("Nhf7", Some(19)),
        ("Ngf7", None),
        ("N3e5", Some(21)),
        ("Nfe5", Some(21)),
        ("N7e5", None),
        ("11. ?", Some(21)),
        ("Ne5", Some(21)),
        ("+", Some(21)),
        ("#", None),
    ] {
        assert_eq!(first(game, text), ply, "{text}");
    }
    let mated = "1. f3 e5 2. g4 Qh4# *";
    for (text, ply) in
        [("+", Some(4)), ("#", Some(4)), ("Q+", Some(4)), (".#", None), ("Qh4", Some(4))]
    {
        assert_eq!(first(mated, text), ply, "{text}");
    }
    // A check by a piece behind the one that moves, and one that is not mate where the game ends.
    let open = "[FEN \"4k3/8/8/8/8/8/4N3/4R1K1 w - - 0 1\"]\n\n1. Nc3+ Kd7 2. Rd1+ *";
    for (text, ply) in [("N+", Some(1)), ("Rd1+", Some(3)), ("#", None), ("+ K +", Some(3))] {
        assert_eq!(first(open, text), ply, "{text}");
    }
    // A sequence with two matches is found where it is first complete.
    assert_eq!(first("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 *", "N N * N"), Some(5));
    assert_eq!(first("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 *", "e4 * Nx N"), Some(6));
}

#[test]
fn invalid_sequences() {
    for (text, offset, expected) in [
        ("", 0, "a move"),
        (" * ", 3, "a move"),
        ("e4 z5", 3, "a move, such as"),
        ("Nf", 2, "the rank of the square"),
        ("Nf9", 2, "the rank of the square"),
        ("N3", 2, "a square such as f3"),
        ("e4e", 3, "the rank"),
        ("ed5", 1, "x, since"),
        ("e4!", 2, "a space or the end"),
        ("Nf3*", 3, "a space or the end"),
        ("12 e4", 2, "one dot"),
        ("12..e4", 2, "one dot"),
        ("12. * e4", 4, "a move, such as"),
        ("99999999999. e4", 9, "a smaller number"),
        ("O-O-", 3, "a space or the end"),
        ("--+", 2, "a space or the end"),
        ("-e4", 0, "a move, such as"),
        ("é4", 0, "a move, such as"),
    ] {
        let error = text.parse::<MoveSequence>().expect_err(text);
        let MoveSequenceError { offset: at, expected: what } = error;
        assert_eq!(at, offset, "{text}: {error}");
        assert!(what.starts_with(expected), "{text}: {error}");
    }
    let most = vec!["N"; MoveSequence::MAX].join(" ");
    assert!(most.parse::<MoveSequence>().is_ok());
    let error = format!("{most} N").parse::<MoveSequence>().expect_err("too many");
    assert_eq!((error.offset, error.expected), (128, "at most 64 moves"));
}

/// With a gap after each move, backtracking takes exponential time. Here these sequences take the time
#[test]
fn hostile_sequences_take_linear_time() {
    let mut bytes = [0x2f, 0x2f, 0x2b, 0x2b].repeat(250_000);
    bytes.push(0x11);
    let text = ["N *"; 63].join(" ") + " =";
    assert_eq!(replay::played(&bytes, &text.parse().expect("a sequence")), Ok(None));
    assert_eq!(replay::played(&bytes, &"+ # = x".parse().expect("a sequence")), Ok(None));
    let all = ["? *"; 64].join(" ");
    assert_eq!(replay::played(&bytes, &all.parse().expect("a sequence")), Ok(Some(64)));
}
