//! Questions about moves, ends, comments and variations, each compared with a walk through the games.

use halfmove_archive::{Archive, End, Filter, FilterError, GameCondition, LineCondition};
use halfmove_game::{Event, Game, GameBuilder};
use halfmove_rules::{AnyPosition, Chess, Outcome as Ending};

use crate::kin::games_of;
use crate::{Outcome, archive, game, read, testdata};

fn sans(game: &Game) -> Vec<String> {
    let mut position = game.start.clone();
    let play = |mv: &halfmove_rules::Move| {
        let san = position.san(*mv).to_string();
        position.play_unchecked(*mv);
        san
    };
    game.moves.iter().map(play).collect()
}

/// Ids of games, with the plies of the matches.
type Plies = Vec<(i64, Option<u32>)>;

/// The ids and plies of the matches in an archive.
fn found(archive: &Archive, filter: &Filter) -> Result<Plies, Box<dyn std::error::Error>> {
    let found = archive.search(filter, usize::MAX)?;
    assert_eq!(found.count, found.games.len() as u64);
    assert_eq!(archive.count(filter)?, found.count);
    Ok(found.games.iter().map(|game| (game.id, game.ply)).collect())
}

fn matching(conditions: Vec<GameCondition>) -> Filter {
    Filter { conditions, ..Filter::default() }
}

fn played(text: &str) -> GameCondition {
    GameCondition::Played(text.parse().expect("a sequence"))
}

#[test]
fn moves_are_those_of_the_games() -> Outcome {
    let games = read(&testdata("games/masters.pgn.zst"));
    let (_folder, archive) = archive(&games);
    let all: Vec<(i64, &Game, Vec<String>)> =
        (1..).zip(&games).map(|(id, (game, _))| (id, game, sans(game))).collect();
    // The first place where some successive moves match.
    let first = |fits: &[&dyn Fn(&str) -> bool]| -> Vec<(i64, Option<u32>)> {
        let row = |(id, _, sans): &(i64, &Game, Vec<String>)| {
            let is_it = |some: &[String]| some.iter().zip(fits).all(|(san, fits)| fits(san));
            let at = sans.windows(fits.len()).position(is_it)?;
            Some((*id, Some((at + fits.len()) as u32)))
        };
        all.iter().filter_map(row).collect()
    };
    let check = |text: &str, fits: &[&dyn Fn(&str) -> bool]| -> Outcome {
        let expected = first(fits);
        assert_eq!(found(&archive, &matching(vec![played(text)]))?, expected, "{text}");
        assert!(expected.len() > 2, "{text}: {} games", expected.len());
        Ok(())
    };
    let is = |text: &'static str| move |san: &str| san.trim_end_matches(['+', '#']) == text;
    check(
        "Bxh7+ Kxh7 Ng5+",
        &[&|san| san == "Bxh7+", &is("Kxh7"), &|san| san == "Ng5+" || san == "Ng5#"],
    )?;
    check("O-O-O", &[&is("O-O-O")])?;
    check("=N", &[&|san| san.contains("=N")])?;
    check("#", &[&|san| san.ends_with('#')])?;
    check("exd5 exd5", &[&is("exd5"), &is("exd5")])?;
    check(
        "xf7+ K",
        &[&|san| san.contains("xf7") && san.ends_with(['+', '#']), &|san| {
            san.starts_with(['K', 'O'])
        }],
    )?;
    check(
        "Rx ? Rx",
        &[&|san| san.starts_with('R') && san.contains('x'), &|_| true, &|san| {
            san.starts_with('R') && san.contains('x')
        }],
    )?;
    // Several conditions, with the ply of the first, and a condition on tags.
    let filter = Filter {
        player: Some("alekhine".to_owned()),
        min_plies: Some(40),
        max_plies: Some(90),
        ..matching(vec![played("O-O-O"), played("+ * +")])
    };
    let expected: Vec<(i64, Option<u32>)> = all
        .iter()
        .filter(|(_, game, sans)| {
            let name = |tag| game.tags.value(tag).unwrap_or("").to_ascii_lowercase();
            let is_his = ["White", "Black"].into_iter().any(|tag| {
                name(tag).split(|c: char| !c.is_alphanumeric()).any(|word| word == "alekhine")
            });
            let checks = sans.iter().filter(|san| san.ends_with(['+', '#'])).count();
            is_his && (40..=90).contains(&sans.len()) && checks > 1
        })
        .filter_map(|(id, _, sans)| {
            let at = sans.iter().position(|san| san.trim_end_matches(['+', '#']) == "O-O-O")?;
            Some((*id, Some(at as u32 + 1)))
        })
        .collect();
    assert_eq!(found(&archive, &filter)?, expected);
    assert!(expected.len() > 5, "{}", expected.len());
    Ok(())
}

#[test]
fn ends_are_those_of_the_rules() -> Outcome {
    let mut games = read(&testdata("games/lichess.pgn.zst"));
    games.extend(read(&testdata("games/setup.pgn")));
    games.extend(games_of(testdata("makruk/kin_games.jsonl")).into_iter().map(|game| (game, None)));
    games.extend(games_of(testdata("makruk/games.jsonl")).into_iter().map(|game| (game, None)));
    let bare: Chess = "8/8/8/8/8/1k6/8/Kb6 w - - 0 1".parse()?;
    games.push((game(&bare, "Kxb1"), None));
    let (_folder, archive) = archive(&games);
    let mut all = 0;
    for end in End::ALL {
        let is_it = |game: &Game| match game.final_position().outcome() {
            Some(Ending::Checkmate { .. }) => end == End::Checkmate,
            Some(Ending::Stalemate) => end == End::Stalemate,
            Some(Ending::InsufficientMaterial) => end == End::InsufficientMaterial,
            Some(Ending::CountingDraw) => end == End::Counting,
            _ => false,
        };
        let ended = (1..).zip(&games).filter(|(_, (game, _))| is_it(game));
        let expected: Plies =
            ended.map(|(id, (game, _))| (id, Some(game.moves.len() as u32))).collect();
        assert_eq!(found(&archive, &matching(vec![GameCondition::Ended(end)]))?, expected, "{end}");
        assert!(!expected.is_empty() || end == End::Counting, "{end}");
        all += expected.len();
    }
    assert!(all > 50, "{all}");
    Ok(())
}

/// Games of masters, with comments and variations of any moves in every third of them.
fn annotated() -> Vec<Game> {
    let games = read(&testdata("games/masters.pgn.zst"));
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below
    };
    let words = ["A Novelty", "the best move", "José's idea", "better is this", "no good"];
    let mut made = Vec::new();
    for (number, (game, _)) in games.into_iter().step_by(20).enumerate() {
        let mut builder = GameBuilder::new(game.start.clone());
        for (name, value) in game.tags.iter() {
            builder.tag(name, value).expect("a tag");
        }
        for &mv in &game.moves {
            builder.play(mv).expect("a legal move");
            if number % 3 > 0 || random(8) > 0 {
                continue;
            }
            if random(2) == 0 {
                builder.comment(words[random(words.len())]).expect("a comment");
            }
            builder.begin_variation().expect("after a move");
            for _ in 0..1 + random(4) {
                let legal = builder.position().legal_moves();
                if !legal.is_empty() {
                    builder.play(legal[random(legal.len())]).expect("a legal move");
                }
                if random(3) == 0 {
                    builder.comment(words[random(words.len())]).expect("a comment");
                }
            }
            builder.end_variation().expect("one is open");
        }
        if let Some(result) = game.result {
            builder.result(result).expect("a result");
        }
        made.push(builder.finish());
    }
    made
}

/// Comments, and positions of the main line and of variations, each with its ply.
type Walked = (Vec<(u32, String)>, Vec<(u32, bool, AnyPosition)>);

/// Comments, with the ply of each or the ply at which its variation branches off; and likewise the positions of the
/// game and of its variations.
fn walked(game: &Game) -> Walked {
    let (mut comments, mut positions) = (Vec::new(), vec![(0, true, game.start.clone())]);
    let mut walk = game.walk();
    let (mut branch, mut was_main) = (0, true);
    while let Some((event, position)) = walk.step() {
        let mut position = position.clone();
        let (is_main, ply) = (walk.is_main_line(), walk.ply() as u32);
        if was_main && !is_main {
            branch = ply;
        }
        was_main = is_main;
        match event {
            Event::Comment(comment) => {
                comments.push((if is_main { ply } else { branch }, comment.text().into_owned()));
            }
            Event::Move(mv) => {
                position.play_unchecked(mv);
                positions.push((if is_main { ply + 1 } else { branch }, is_main, position));
            }
            _ => {}
        }
    }
    (comments, positions)
}

#[test]
fn comments_and_variations_are_those_of_the_games() -> Outcome {
    let games = annotated();
    let with_faults: Vec<_> = games.iter().map(|game| (game.clone(), None)).collect();
    let (_folder, archive) = archive(&with_faults);
    let walks: Vec<_> = games.iter().map(walked).collect();
    for (typed, needles) in [
        ("novelty", &["Novelty"][..]),
        ("BEST the", &["best move"]),
        ("jose*", &["José"]),
        ("jos*", &["José"]),
        ("is this better", &["better"]),
        ("novel", &[]),
        ("novelty better", &[]),
    ] {
        let expected: Vec<(i64, Option<u32>)> = (1..)
            .zip(&walks)
            .filter_map(|(id, (comments, _))| {
                let is_it = |text: &String| needles.iter().any(|needle| text.contains(needle));
                let (ply, _) = comments.iter().find(|(_, text)| is_it(text))?;
                Some((id, Some(*ply)))
            })
            .collect();
        let filter = matching(vec![GameCondition::Comment(typed.to_owned())]);
        assert_eq!(found(&archive, &filter)?, expected, "{typed}");
        assert!(expected.len() > 50 || needles.is_empty(), "{typed}: {}", expected.len());
    }
    let (mut in_variations, mut in_games) = (0, 0);
    for (number, (_, positions)) in walks.iter().enumerate().step_by(31).skip(1) {
        for (_, _, target) in positions.iter().skip(number % 5).step_by(17) {
            let expected: Vec<(i64, Option<u32>)> = (1..)
                .zip(&walks)
                .filter_map(|(id, (_, positions))| {
                    let mut has_it = positions.iter().filter(|(.., position)| position == target);
                    // A position of the game itself takes precedence.
                    let main = has_it.clone().find(|(_, is_main, _)| *is_main);
                    let (ply, is_main, _) = main.or_else(|| has_it.next())?;
                    *(if *is_main { &mut in_games } else { &mut in_variations }) += 1;
                    Some((id, Some(*ply)))
                })
                .collect();
            let filter =
                matching(vec![GameCondition::Anywhere(LineCondition::Position(target.clone()))]);
            assert_eq!(found(&archive, &filter)?, expected, "{target}");
        }
    }
    assert!(in_variations > 20 && in_games > 100, "{in_variations} {in_games}");
    Ok(())
}

#[test]
fn a_comment_without_a_word_is_invalid() {
    let filter = matching(vec![GameCondition::Comment("?!".to_owned())]);
    let expected = FilterError::NoWord { field: "comment", text: "?!".to_owned() };
    assert_eq!(filter.check(), Err(expected));
}
