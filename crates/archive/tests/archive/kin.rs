//! Makruk, Makpong and ASEAN chess in one archive with chess: the results of an archive, compared with games
//! replayed on the 0x88 board.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;

use halfmove_archive::{Archive, ArchiveError, ChangeWatch, Filter, ImportReport, Importer};
use halfmove_game::pgn::{Skip, read_game, write_game};
use halfmove_game::{Game, Input};
use halfmove_mailbox as mailbox;
use halfmove_rules::makruk::{CountingPolicy, Rules};
use halfmove_rules::{AnyPosition, Makruk, Move, Role, Square, Variant};
use serde_json::Value;

use crate::{Outcome, exported, read, table, testdata};

/// The games of a file of JSON lines.
pub(crate) fn games_of(path: PathBuf) -> Vec<Game> {
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| game_of(&serde_json::from_str(line).expect("JSON"))).collect()
}

fn game_of(row: &Value) -> Game {
    let variant = row["variant"].as_str().map_or(Some(Variant::Makruk), Variant::from_name);
    let variant = variant.expect("a variant");
    let usual = AnyPosition::start(variant);
    let start = row["start"].as_str().map(|fen| AnyPosition::from_fen(fen, variant));
    let start = start.unwrap_or(Ok(usual.clone())).expect("a FEN");
    let mut game = Game::from(start.clone());
    game.tags.push("Variant", variant.name());
    if start.to_string() != usual.to_string() {
        game.tags.push("FEN", &start.to_string());
    }
    game.result = row["result"].as_str().and_then(|result| result.parse().ok());
    if let Some(result) = game.result {
        game.tags.push("Result", result.as_str());
    }
    game.moves = row["moves"].as_str().expect("moves").split_whitespace().map(uci).collect();
    game
}

/// Two squares, and the letter of the role that a bia becomes.
fn uci(text: &str) -> Move {
    let square = |range: std::ops::Range<usize>| text[range].parse::<Square>().expect("a square");
    let (from, to) = (square(0..2), square(2..4));
    let role = match text.get(4..) {
        Some("m" | "q") => Role::Met,
        Some("s" | "b") => Role::Khon,
        Some("n") => Role::Knight,
        Some("r") => Role::Rook,
        _ => return Move::normal(from, to),
    };
    Move::promote(from, to, role).expect("a role that a bia becomes")
}

fn rules(start: &AnyPosition) -> (Rules, mailbox::Rules) {
    match start.as_makruk().map(Makruk::rules) {
        Some(rules @ Rules::Makruk) => (rules, mailbox::Rules::Makruk),
        Some(rules @ Rules::Makpong) => (rules, mailbox::Rules::Makpong),
        Some(rules @ Rules::Asean) => (rules, mailbox::Rules::Asean),
        other => panic!("{other:?} is not Makruk or its kin"),
    }
}

/// A position on the 0x88 board: the game, the pieces on their squares, and the side to move.
type Key = (Rules, String);

/// The games with a position.
#[derive(Default)]
struct Slow {
    /// The FEN of the position.
    fen: String,
    /// The games, each with the first ply.
    games: BTreeMap<i64, u32>,
    /// The games of each move.
    moves: BTreeMap<String, BTreeSet<i64>>,
}

/// All positions of some games, replayed on the 0x88 board. The first game has this id.
fn replayed(games: &[Game], first_id: i64) -> HashMap<Key, Slow> {
    let mut positions: HashMap<Key, Slow> = HashMap::new();
    for (id, game) in (first_id..).zip(games) {
        let (rules, theirs) = rules(&game.start);
        let (dialect, policy) = (mailbox::Dialect::Fairy, mailbox::CountingPolicy::Auto);
        let start = mailbox::Makruk::from_fen(&game.start.to_string(), theirs, dialect, policy);
        let mut position = start.expect("a start");
        let next = game.moves.iter().map(Some).chain([None]);
        for (ply, next) in (0..).zip(next) {
            let fen = position.to_fen(dialect);
            let fields: Vec<&str> = fen.split(' ').collect();
            // A promoted bia is a met.
            let key = (rules, format!("{} {}", fields[0].replace('~', ""), fields[1]));
            let slow = positions.entry(key).or_default();
            slow.fen = fen;
            slow.games.entry(id).or_insert(ply);
            if let Some(mv) = next {
                slow.moves.entry(mv.to_string()).or_default().insert(id);
                position = position.play(*mv).expect("a legal move");
            }
        }
    }
    positions
}

/// Compares the archive's results for every position that `choose` selects with the slow ones. Returns their number.
fn compare(
    archive: &Archive,
    slow: &HashMap<Key, Slow>,
    choose: impl Fn(usize, &Slow) -> bool,
) -> usize {
    let mut compared = 0;
    let mut keys: Vec<&Key> = slow.keys().collect();
    keys.sort_by_key(|(rules, text)| (*rules as u8, text));
    for (index, key) in keys.into_iter().enumerate() {
        let slow = &slow[key];
        if !choose(index, slow) {
            continue;
        }
        let position = Makruk::from_fen(&slow.fen, key.0, None).expect("a FEN");
        let filter = Filter::position(position.clone());
        let found = archive.search(&filter, usize::MAX).expect("an answer");
        let games: BTreeMap<i64, u32> =
            found.games.iter().map(|game| (game.id, game.ply.expect("a ply"))).collect();
        assert_eq!(games, slow.games, "{key:?}");
        let tree = archive.explore(&Filter::default(), position.clone()).expect("a tree");
        assert_eq!(tree.results.games(), slow.games.len() as u64, "{key:?}");
        let moves: BTreeMap<String, u64> =
            tree.moves.iter().map(|mv| (mv.uci.clone(), mv.results.games())).collect();
        let expected: BTreeMap<String, u64> =
            slow.moves.iter().map(|(mv, games)| (mv.clone(), games.len() as u64)).collect();
        assert_eq!(moves, expected, "{key:?}");
        for mv in &tree.moves {
            let named = position.parse_san(&mv.san).expect("a legal move");
            assert_eq!(named.to_string(), mv.uci, "{key:?}");
        }
        compared += 1;
    }
    compared
}

/// The reports of an import.
#[derive(Default)]
struct Heard(Vec<String>);

impl ChangeWatch for Heard {
    fn skipped(&mut self, _: usize, skip: &Skip) -> ControlFlow<()> {
        self.0.push(skip.to_string());
        ControlFlow::Continue(())
    }
}

/// An archive of texts and files.
pub(crate) fn imported(
    texts: &[String],
    files: &[&str],
) -> (tempfile::TempDir, Archive, ImportReport, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let mut importer = Importer::open(&path).expect("an importer");
    let mut inputs: Vec<std::io::Result<Box<dyn Read + Send>>> = Vec::new();
    for file in files {
        let input = Input::open(testdata(file)).expect("a file");
        inputs.push(Ok(Box::new(input)));
    }
    for text in texts {
        inputs.push(Ok(Box::new(std::io::Cursor::new(text.clone().into_bytes()))));
    }
    let mut heard = Heard::default();
    importer.read_pgn(inputs, &mut heard).expect("read");
    let report = importer.commit().expect("committed");
    let archive = Archive::open(path).expect("an archive");
    (folder, archive, report, heard.0)
}

fn written(games: &[Game]) -> String {
    games.iter().map(|game| write_game(game).expect("sound names")).collect()
}

/// All games, in the order of their ids.
fn stored(archive: &Archive) -> Vec<Game> {
    let games = archive.games(&Filter::default()).expect("games");
    games.map(|game| game.expect("a game").game).collect()
}

/// Games of all five variants, in one archive: those of chess come first.
const CHESS: [&str; 2] = ["games/setup.pgn", "games/chess960.pgn"];

#[test]
fn answers_are_those_of_the_0x88_board() -> Outcome {
    let mut kin = games_of(testdata("makruk/games.jsonl"));
    kin.extend(games_of(testdata("makruk/kin_games.jsonl")));
    kin.extend(read(&testdata("games/makruk.pgn")).into_iter().map(|(game, _)| game));
    let (_folder, archive, report, skipped) = imported(&[written(&kin)], &CHESS);
    assert_eq!((skipped.len(), report.games), (0, 49 + 34 + 40 + 127 + 18));

    // Each game comes back.
    let games = stored(&archive);
    for (game, kin) in games[49 + 34..].iter().zip(&kin) {
        assert_eq!((&game.moves, &game.start), (&kin.moves, &kin.start));
        assert_eq!(game.start.to_string(), kin.start.to_string());
    }

    // Positions of many games, the starts among them, and some of the others.
    let slow = replayed(&kin, 49 + 34 + 1);
    let compared = compare(&archive, &slow, |index, slow| slow.games.len() > 2 || index % 97 == 0);
    assert!(compared > 200, "{compared}");

    // The results for chess are the same as without them.
    let chess: Vec<_> = CHESS.iter().flat_map(|file| read(&testdata(file))).collect();
    let (_other, alone) = crate::archive(&chess);
    for (game, _) in chess.iter().step_by(5) {
        for ply in [0, 3, 20] {
            let position = game.position(ply);
            let filter = Filter::position(position.clone());
            let answer = |archive: &Archive| archive.search(&filter, 100).expect("games");
            assert_eq!(answer(&archive), answer(&alone), "{position}");
            let tree = |archive: &Archive| {
                archive.explore(&Filter::default(), position.clone()).expect("a tree")
            };
            assert_eq!(tree(&archive), tree(&alone), "{position}");
        }
    }
    Ok(())
}

/// `makruk/games.jsonl` of the folder `HALFMOVE_FIXTURES`, or of `fixtures` next to `HALFMOVE_DATA`.
#[test]
#[ignore = "needs HALFMOVE_FIXTURES or HALFMOVE_DATA"]
fn answers_on_all_games() -> Outcome {
    let beside =
        std::env::var_os("HALFMOVE_DATA").map(|data| PathBuf::from(data).join("../fixtures"));
    let root = std::env::var_os("HALFMOVE_FIXTURES").map(PathBuf::from).or(beside);
    let root = root.ok_or("HALFMOVE_FIXTURES or HALFMOVE_DATA names a folder")?;
    let kin = games_of(root.join("makruk/games.jsonl"));
    let (_folder, archive, report, _) = imported(&[written(&kin)], &[]);
    assert_eq!((report.games, kin.len()), (200, 200));
    let slow = replayed(&kin, 1);
    let compared = compare(&archive, &slow, |index, slow| slow.games.len() > 1 || index % 10 == 0);
    assert!(compared > 2_000, "{compared}");
    Ok(())
}

/// Makruk and Makpong start alike, but are two games.
#[test]
fn a_position_belongs_to_its_game() -> Outcome {
    let games: Vec<Game> = Variant::ALL
        .into_iter()
        .map(|variant| {
            let mut game = Game::from(AnyPosition::start(variant));
            game.tags.push("Variant", variant.name());
            for uci in if variant.makruk_rules().is_some() { ["e3e4"] } else { ["e2e4"] } {
                let mv = game.start.parse_uci(uci).expect("a legal move");
                game.moves.push(mv);
            }
            game
        })
        .collect();
    let (_folder, archive, report, _) = imported(&[written(&games)], &[]);
    let counts: Vec<_> = report.variants.iter().collect();
    assert_eq!(counts, Variant::ALL.map(|variant| (variant, 1)));
    let info = archive.info()?;
    assert_eq!(info.variants, report.variants);
    // Chess960 begins in one of 960 positions, none of which is usual.
    assert_eq!(info.own_starts, 0);

    let ids = |filter: &Filter| -> Vec<i64> {
        let found = archive.search(filter, 10).expect("an answer");
        assert_eq!(archive.count(filter).expect("a count"), found.count);
        found.games.iter().map(|game| game.id).collect()
    };
    for (id, variant) in (1..).zip(Variant::ALL) {
        let expected = if id <= 2 { vec![1, 2] } else { vec![id] };
        for ply in [0, 1] {
            let position = games[id as usize - 1].position(ply);
            assert_eq!(ids(&Filter::position(position.clone())), expected, "{variant}");
            // With the variant as a condition, chess and Chess960 are two.
            let filter = Filter { variant: Some(variant), ..Filter::position(position.clone()) };
            assert_eq!(ids(&filter), [id], "{variant}");
            let tree = archive.explore(&filter, AnyPosition::start(variant))?;
            assert_eq!(tree.results.games(), 1, "{variant}");
            for other in Variant::ALL.into_iter().filter(|other| *other != variant) {
                let filter = Filter { variant: Some(other), ..Filter::position(position.clone()) };
                let found = ids(&filter);
                assert_eq!(found.len(), usize::from(id <= 2 && other.makruk_rules().is_none()));
            }
        }
        assert_eq!(ids(&Filter { variant: Some(variant), ..Filter::default() }), [id]);
        let found = archive.search(&Filter { variant: Some(variant), ..Filter::default() }, 1)?;
        assert_eq!(found.games[0].variant, variant);
        // With other conditions.
        for (plies, expected) in [(1, vec![id]), (2, vec![])] {
            let filter =
                Filter { variant: Some(variant), min_plies: Some(plies), ..Filter::default() };
            assert_eq!(ids(&filter), expected);
            let position = Some(AnyPosition::start(variant));
            let filter = Filter { position, ..filter };
            assert_eq!(ids(&filter), expected);
            assert_eq!(exported(&archive, &filter)?, expected);
        }
    }
    Ok(())
}

/// Comments, variations, glyphs, declared counts, starts in two dialects, a fault.
#[test]
fn pgn_comes_back_as_it_was() -> Outcome {
    let path = testdata("games/makruk.pgn");
    let text = fs::read_to_string(&path)?;
    let (_folder, archive, ..) = imported(&[], &["games/makruk.pgn"]);
    let again = written(&stored(&archive));
    assert!(again == text, "the file has changed:\n{again}");
    // The moves are those of the list in UCI, too.
    let list = fs::read_to_string(testdata("makruk/real_games.jsonl"))?;
    for (game, row) in stored(&archive).iter().zip(list.lines()) {
        let row: Value = serde_json::from_str(row)?;
        let moves: Vec<Move> = row["uci"].as_str().ok_or("moves")?.split(' ').map(uci).collect();
        assert_eq!(game.moves, moves);
        assert_eq!(game.final_position().to_string(), row["final_fen"].as_str().ok_or("a FEN")?);
    }

    let texts = [
        "[Event \"a\"]\n[Variant \"Makruk\"]\n[Result \"1-0\"]\n\n\
         1. e4! {the bia} (1. Sc2 Sf7 (1... c5?!) 2. Sd3) 1... e5 $14 {[%clk 0:09:58]} 2. exf5 \
         {not a move} 1-0\n\n",
        "[Variant \"Makruk\"]\n[Counting \"thai\"]\n[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1\"]\n\n\
         1. Kb6 Kf4 {[%count board white 0]} 2. Kc5 Ke5 {[%count none]} 3. Kc4 *\n\n",
        // makruk-js writes another FEN.
        "[Variant \"Makruk\"]\n[FEN \"8/3k4/8/1F6/8/8/8/2RK4 w 70\"]\n\n70. Ke2 Ke6 *\n\n",
        "[Variant \"Makpong\"]\n\n1. e4 e5 {like Makruk} *\n\n",
        "[Variant \"ASEAN\"]\n\n1. Qc2 (1. Nd2 -- 2. e4) 1... Qc7 *\n\n",
        "[Variant \"Chess960\"]\n[FEN \"1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1\"]\n\n\
         1. O-O O-O-O *\n\n",
        "1. e4 e5 *\n\n",
    ];
    let text = texts.concat();
    let (_folder, archive, report, skipped) = imported(std::slice::from_ref(&text), &[]);
    assert_eq!((report.games, skipped.len()), (texts.len() as u64, 0));
    let mut games = Vec::new();
    for one in texts {
        games.extend(halfmove_game::pgn::GameReader::new(one.as_bytes()).games().map(|game| {
            let (_, game) = game.expect("memory does not fail");
            game
        }));
    }
    assert_eq!(stored(&archive), games);
    let policy = |game: &Game| game.start.as_makruk().map(Makruk::policy);
    assert_eq!(policy(&stored(&archive)[1]), Some(CountingPolicy::Thai));
    assert_eq!(stored(&archive)[1].count_calls.len(), 2);
    let rows = table::sorted(&archive, &["variant", "start_fen", "fault"])?.into_iter();
    let text = |row: table::Row| {
        let cells = row[..2].iter().map(|cell| cell.as_deref().unwrap_or("null"));
        format!("{}|{}", cells.collect::<Vec<_>>().join("|"), row[2].is_none())
    };
    let rows: Vec<String> = rows.map(text).collect();
    assert_eq!(
        rows,
        [
            "makruk|null|false",
            "makruk|8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1|true",
            "makruk|8/3k4/8/1M~6/8/8/8/2RK4 w - - 0 70|true",
            "makpong|null|true",
            "asean|null|true",
            "chess960|1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1|true",
            "chess|null|true",
        ]
    );
    let verified = archive.verify(&mut ())?;
    assert_eq!((verified.problems, verified.games), (vec![], 7));
    Ok(())
}

#[test]
fn games_that_cannot_be_stored_are_left_out() -> Outcome {
    let crowded = "nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 b - - 0 1";
    let text = format!(
        "[Variant \"Crazyhouse\"]\n\n1. e4 *\n\n[Variant \"Makruk\"]\n[FEN \"{crowded}\"]\n\n1... Nb4 *\n\n\
         [Variant \"Makruk\"]\n[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n[Variant \"Makruk\"]\n\n1. e4 *\n"
    );
    let (_folder, archive, report, skipped) = imported(&[text], &[]);
    assert_eq!((report.games, archive.len()), (1, 1));
    for (skip, expected) in skipped.iter().zip([
        "game 1, line 1, column 1: skipped, variant \"Crazyhouse\" is not known, expected chess, chess960, \
         makruk, makpong, asean",
        "game 2, line 6, column 1: skipped, black starts with 17 pieces, expected at most 16",
        "game 3, line 11, column 1: skipped, cannot start from \"4k3/8/8/8/8/8/8/8 w - - 0 1\": ",
    ]) {
        assert!(skip.starts_with(expected), "{skip}");
    }
    assert_eq!(skipped.len(), 3);

    let start = Makruk::from_fen(crowded, Rules::Makruk, None)?;
    let mut game = Game::from(AnyPosition::from(start));
    // The sixteenth piece besides the king has no number.
    game.moves.push(game.start.parse_uci("a6b4")?);
    let mut importer = archive.importer();
    let refused = importer.push(&game, None).expect_err("it has no bytes");
    assert!(matches!(&refused, ArchiveError::NotStorable(_)), "{refused}");
    assert!(refused.to_string().starts_with("a game cannot be stored: "), "{refused}");
    importer.push(&read_game("[Variant \"Makruk\"]\n\n1. e4 *")?, None)?;
    assert_eq!(importer.commit()?.variants.of(Variant::Makruk), 1);
    Ok(())
}
