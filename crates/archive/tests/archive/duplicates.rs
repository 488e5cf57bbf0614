//! Duplicates, near duplicates, and imports that look for them: plain loops over all pairs of games are the oracle.

use std::collections::{BTreeMap, BTreeSet};

use halfmove_archive::{
    Archive, ArchiveError, ChangeWatch, ContentSum, Duplicates, ImportDuplicate, Importer,
    OnDuplicates, PgnInput,
};
use halfmove_game::pgn::Writer;
use halfmove_game::{Game, GameResult};
use halfmove_rules::{Chess, Move};
use proptest::prelude::*;

use crate::{Outcome, archive, game, read, testdata};

/// The words of a name in ASCII, in order of the alphabet.
fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let split = lower.split(|char: char| !char.is_alphanumeric());
    let mut words: Vec<String> = split.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.sort();
    words
}

/// Words of a name that may be the surname; names in these tests have no titles and particles.
fn surnames(name: &str) -> BTreeSet<String> {
    let part = name.split_once(',').map_or(name, |(surname, _)| surname);
    let part = if words(part).is_empty() { name } else { part };
    let all: BTreeSet<String> = words(part).into_iter().collect();
    let long: BTreeSet<String> = all.iter().filter(|word| word.len() > 1).cloned().collect();
    if long.is_empty() { all } else { long }
}

/// The facts of a game that the oracle compares.
struct Plain {
    start: String,
    moves: Vec<Move>,
    names: [String; 2],
    /// Year, month and day; 0 is unknown.
    date: (u32, u32, u32),
    result: GameResult,
    /// All tags, and a mark for comments and the like.
    text: String,
}

impl Plain {
    fn of(game: &Game) -> Self {
        let tag = |name: &str| game.tags.value(name).unwrap_or("").to_owned();
        let date = tag("Date");
        let parts: Vec<u32> = date.split('.').map(|part| part.parse().unwrap_or(0)).collect();
        let part = |at: usize| parts.get(at).copied().unwrap_or(0);
        let tags: Vec<String> =
            game.tags.iter().map(|(name, text)| format!("{name}={text}")).collect();
        let result = tag("Result").parse().ok().or(game.result).unwrap_or(GameResult::Unknown);
        Self {
            start: game.start.to_string(),
            moves: game.moves.clone(),
            names: [tag("White"), tag("Black")],
            date: (part(0), part(1), part(2)),
            result,
            text: format!("{tags:?} {:?}", game.annotations),
        }
    }

    fn is_copy(&self, other: &Self) -> bool {
        let is_same = self.start == other.start
            && self.moves == other.moves
            && self.names.each_ref().map(|name| words(name))
                == other.names.each_ref().map(|name| words(name))
            && self.date == other.date
            && self.result == other.result;
        let is_weak = self.moves.len() < 20 || self.names.iter().any(|name| words(name).is_empty());
        is_same && (!is_weak || self.text == other.text)
    }

    fn is_near(&self, other: &Self) -> bool {
        let (short, long) =
            if self.moves.len() < other.moves.len() { (self, other) } else { (other, self) };
        if short.start != long.start || !long.moves.starts_with(&short.moves) {
            return false;
        }
        let years = [self.date.0, other.date.0];
        let common = [0, 1].map(|side| {
            let [one, two] = [self, other].map(|game| surnames(&game.names[side]));
            !one.is_disjoint(&two)
        });
        let is_whole = short.moves.len() == long.moves.len() && short.moves.len() >= 40;
        short.moves.len() >= 20
            && (years[0] == years[1] || years.contains(&0))
            && (common == [true; 2] || is_whole && common != [false; 2])
    }
}

/// Numbers of games that belong together, possibly through others.
fn groups(
    count: usize,
    among: &[usize],
    are_alike: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut of: Vec<usize> = (0..count).collect();
    for (at, two) in among.iter().enumerate() {
        for one in &among[..at] {
            if of[*one] != of[*two] && are_alike(*one, *two) {
                let (from, to) = (of[*two].max(of[*one]), of[*one].min(of[*two]));
                of.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for one in among {
        all.entry(of[*one]).or_default().push(*one);
    }
    let mut all: Vec<Vec<usize>> = all.into_values().filter(|group| group.len() > 1).collect();
    all.sort();
    all
}

type Games = Vec<(Game, Option<String>)>;

/// The copies that plain loops find, by ids.
fn copies_of(games: &[(Game, Option<String>)]) -> Vec<Vec<i64>> {
    let plain: Vec<Plain> = games.iter().map(|(game, _)| Plain::of(game)).collect();
    let all: Vec<usize> = (0..games.len()).collect();
    let exact = groups(games.len(), &all, |one, two| plain[one].is_copy(&plain[two]));
    let ids = |group: Vec<usize>| group.into_iter().map(|number| number as i64 + 1).collect();
    exact.into_iter().map(ids).collect()
}

/// Checks the near groups with plain loops over all pairs of games: each two games of a group are near, no game is in
/// two groups, and of the games in none, no two are near.
fn assert_near(games: &[(Game, Option<String>)], found: &Duplicates) {
    let plain: Vec<Plain> = games.iter().map(|(game, _)| Plain::of(game)).collect();
    let is_near = |one: i64, two: i64| plain[one as usize - 1].is_near(&plain[two as usize - 1]);
    let others: BTreeSet<i64> = found
        .exact
        .iter()
        .map(|group| (&group.ids, group.best))
        .chain(found.twins.iter().map(|group| (&group.ids, group.best)))
        .flat_map(|(ids, best)| ids.iter().copied().filter(move |id| *id != best))
        .collect();
    for group in &found.twins {
        assert!(group.ids.iter().all(|id| is_near(*id, group.best)), "{group:?}");
    }
    let mut left: BTreeSet<i64> =
        (1..=games.len() as i64).filter(|id| !others.contains(id)).collect();
    for group in &found.near {
        assert!(group.ids.len() > 1 && group.ids.is_sorted(), "{group:?}");
        for (at, two) in group.ids.iter().enumerate() {
            assert!(left.remove(two), "{two} is in two groups, or a copy: {found:?}");
            for one in &group.ids[..at] {
                assert!(is_near(*one, *two), "{one} and {two} in {group:?}");
            }
        }
    }
    assert!(found.near.is_sorted_by_key(|group| &group.ids), "{:?}", found.near);
    for two in &left {
        for one in left.range(..two) {
            assert!(!is_near(*one, *two), "{one} and {two} in no group: {:?}", found.near);
        }
    }
}

fn set(game: &mut Game, name: &str, value: &str) {
    let mut tags = halfmove_game::Tags::new();
    let mut is_there = false;
    for (tag, old) in game.tags.iter() {
        is_there |= tag == name;
        tags.push(tag, if tag == name { value } else { old });
    }
    if !is_there {
        tags.push(name, value);
    }
    game.tags = tags;
}

/// A game with a change in one of the facts.
fn varied(game: &Game, how: u8) -> Game {
    let mut game = game.clone();
    let white = game.tags.value("White").unwrap_or("?").to_owned();
    let (surname, given) = white.split_once(", ").unwrap_or((&white, "X"));
    let (surname, given) = (surname.to_owned(), given.to_owned());
    match how {
        0 => {}
        1 => set(&mut game, "White", &white.to_uppercase()),
        2 => set(&mut game, "White", &format!("{given} {surname}")),
        3 => set(&mut game, "White", &format!("{surname},{}", given.get(..1).unwrap_or(""))),
        4 => set(&mut game, "Black", "Nobody, Else"),
        5 => set(&mut game, "White", "?"),
        6 => set(&mut game, "Date", "????.??.??"),
        7 => {
            let year = game.tags.value("Date").and_then(|date| date.get(..4)).unwrap_or("1999");
            let date = format!("{year}.??.??");
            set(&mut game, "Date", &date);
        }
        8 => set(&mut game, "Date", "1850.01.01"),
        9 => set(&mut game, "Result", "*"),
        10 => game.moves.truncate(game.moves.len() / 2),
        11 => game.moves.truncate(30),
        12 => game.moves.truncate(12),
        13 => game.moves.clear(),
        14 => set(&mut game, "Annotator", "Somebody"),
        15 => set(&mut game, "Date", "1987.02.??"),
        16 => set(&mut game, "Date", "1987.11.??"),
        17 => set(&mut game, "Date", "1987.??.??"),
        18 => set(&mut game, "Date", "1987.02.30"),
        _ => set(&mut game, "Event", "Another"),
    }
    game
}

/// Shipped games whose names the oracle reads in the same way.
fn shipped() -> Games {
    let mut games = read(&testdata("games/masters.pgn.zst"));
    games.retain(|(game, fault)| {
        let name = |name: &str| game.tags.value(name).unwrap_or("").to_owned();
        let plain = |name: String| {
            name.is_ascii()
                && name.split(", ").count() == 2
                && name.chars().all(|char| char.is_alphabetic() || char == ',' || char == ' ')
                && name.matches(' ').count() == 1
        };
        fault.is_none()
            && plain(name("White"))
            && plain(name("Black"))
            && game.annotations.is_empty()
    });
    games
}

#[test]
fn shipped_games_and_their_copies() -> Outcome {
    let all = shipped();
    assert!(all.len() > 300, "{}", all.len());
    let mut games: Games = all.into_iter().take(400).collect();
    for number in (0..400).step_by(3) {
        let (from, how) = (number * 7 % games.len(), number / 3 % 20);
        games.push((varied(&games[from].0, how as u8), None));
    }
    let (_folder, archive) = archive(&games);
    let found = archive.duplicates()?;
    let exact = copies_of(&games);
    assert_eq!(found.exact.iter().map(|group| group.ids.clone()).collect::<Vec<_>>(), exact);
    assert_near(&games, &found);
    assert!(exact.len() > 10 && found.near.len() > 20, "{} {}", exact.len(), found.near.len());
    assert_eq!(found.games, games.len() as u64);
    // The same after a compaction, in another order of the games.
    archive.compact(&mut ())?;
    let again = archive.refresh()?.duplicates()?;
    assert_eq!((again.exact, again.twins, again.near), (found.exact, found.twins, found.near));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A few games, varied repeatedly, so that all cases occur together.
    #[test]
    fn any_variations(
        steps in prop::collection::vec((0..64_usize, 0..20_u8), 2..50),
        cut in 0..50_usize,
    ) {
        let seeds = seeds();
        let mut games = seeds.clone();
        for (from, how) in steps {
            games.push((varied(&games[from % games.len()].0, how), None));
        }
        let (_folder, archive) = archive(&games);
        let found = archive.duplicates().expect("duplicates");
        let exact = copies_of(&games);
        let ids = |ids: &[i64]| ids.to_vec();
        prop_assert_eq!(found.exact.iter().map(|group| ids(&group.ids)).collect::<Vec<_>>(), exact.clone());
        assert_near(&games, &found);
        for group in &found.exact {
            let worth = |id: &i64| games[*id as usize - 1].0.tags.len();
            let best = group.ids.iter().max_by_key(|id| (worth(id), std::cmp::Reverse(**id)));
            prop_assert_eq!(best, Some(&group.best));
        }
        for group in &found.near {
            let of = |id: &i64| Plain::of(&games[*id as usize - 1].0);
            let first = of(&group.ids[0]);
            let any = |is: &dyn Fn(&Plain) -> bool| group.ids.iter().any(|id| is(&of(id)));
            let differences = group.differences;
            prop_assert_eq!(differences.moves, any(&|game| game.moves != first.moves));
            prop_assert_eq!(differences.date, any(&|game| game.date != first.date));
            prop_assert_eq!(differences.result, any(&|game| game.result != first.result));
            let names = |game: &Plain| game.names.each_ref().map(|name| words(name));
            prop_assert_eq!(differences.players, any(&|game| names(game) != names(&first)));
        }

        // Two imports that leave out existing games.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        Archive::create(&path).expect("an archive");
        let cut = cut.min(games.len());
        let mut heard = [Heard::default(), Heard::default()];
        for (some, heard) in [&games[..cut], &games[cut..]].into_iter().zip(&mut heard) {
            let archive = Archive::open(&path).expect("an archive");
            let mut importer = archive.importer().on_duplicates(OnDuplicates::Skip);
            for (game, _) in some {
                importer.push(game, None).expect("pushed");
            }
            importer.commit_watched(heard).expect("committed");
        }
        let kept = Archive::open(&path).expect("an archive");
        let left_out: Vec<usize> =
            exact.iter().flat_map(|ids| &ids[1..]).map(|id| *id as usize - 1).collect();
        let mut stays: Vec<&Game> = Vec::new();
        for (number, (game, _)) in games.iter().enumerate() {
            if !left_out.contains(&number) {
                stays.push(game);
            }
        }
        prop_assert_eq!(kept.len(), stays.len() as u64);
        for (game, id) in stays.iter().zip(1..) {
            let stored = kept.game(id).expect("a game").game;
            prop_assert_eq!((&stored.tags, &stored.moves), (&game.tags, &game.moves));
        }
        prop_assert!(kept.duplicates().expect("duplicates").exact.is_empty());
        // All games left out were reported, with the game that each is a copy of.
        let mut reported: Vec<usize> = Vec::new();
        let [first, second] = &heard;
        let all = first.0.iter().map(|duplicate| (0, duplicate));
        for (before, duplicate) in all.chain(second.0.iter().map(|duplicate| (cut, duplicate))) {
            let number = duplicate.number as usize - 1 + before;
            let original = stays[duplicate.original as usize - 1];
            prop_assert!(Plain::of(original).is_copy(&Plain::of(&games[number].0)));
            prop_assert_eq!(duplicate.id, None);
            reported.push(number);
        }
        reported.sort_unstable();
        let mut left_out = left_out;
        left_out.sort_unstable();
        prop_assert_eq!(reported, left_out);
        prop_assert_eq!(kept.verify(&mut ()).expect("verified").problems, []);
    }
}

/// Receives the duplicates.
#[derive(Default)]
struct Heard(Vec<ImportDuplicate>);

impl ChangeWatch for Heard {
    fn duplicate(&mut self, duplicate: &ImportDuplicate) {
        self.0.push(*duplicate);
    }
}

/// A few games, with each other's beginnings.
fn seeds() -> Games {
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 \
        Nb3 a5 Be3 a4 Nbd2 Bd7 Rc1 Qb8 Nf1 Rc8 Ng3 g6 Qd2 Bf8 Bg5 Bg7 d5 Nb4";
    let tags = [
        ("Adams, Michael", "Short, Nigel", "1995.03.01"),
        ("Adams, John", "Short, Nigel", "1995.04.01"),
    ];
    let games = tags.into_iter().map(|(white, black, date)| {
        let mut game = game(&Chess::default(), moves);
        let tags =
            [("Event", "A"), ("Date", date), ("White", white), ("Black", black), ("Result", "1-0")];
        tags.iter().for_each(|(name, value)| game.tags.push(name, value));
        (game, None)
    });
    games.collect()
}

/// Games that are near only through another game are no group.
#[test]
fn groups_do_not_reach_through_others() -> Outcome {
    let (whole, _) = seeds().remove(0);
    let cut = |plies: usize, date: &str| {
        let mut game = whole.clone();
        game.moves.truncate(plies);
        set(&mut game, "Date", date);
        (game, None)
    };
    let mut other = cut(21, "1995.??.??");
    other.0.moves[20] = *other.0.position(20).legal_moves().first().expect("a move");
    assert_ne!(other.0.moves, cut(21, "").0.moves);
    let near = |games: Games| -> Result<Vec<Vec<i64>>, Box<dyn std::error::Error>> {
        let (_folder, archive) = archive(&games);
        let found = archive.duplicates()?;
        assert_near(&games, &found);
        Ok(found.near.into_iter().map(|group| group.ids).collect())
    };
    // Games that continue the same beginning in different ways: one of the groups has it.
    let beginning = cut(20, "1995.??.??");
    let games = vec![other, beginning, cut(30, "1995.??.??"), cut(40, "1995.??.??")];
    let groups = near(games)?;
    assert!([vec![vec![1, 2], vec![3, 4]], vec![vec![2, 3, 4]]].contains(&groups), "{groups:?}");
    // Two years, and a game of none.
    let games = vec![
        cut(40, "????.??.??"),
        cut(40, "1994.??.??"),
        cut(40, "1995.??.??"),
        cut(39, "1995.??.??"),
    ];
    assert_eq!(near(games)?, [vec![1, 3, 4]]);
    // By White's name one is near to the second, by Black's to the third.
    let named = |white: &str, black: &str| {
        let mut game = cut(40, "1995.??.??");
        set(&mut game.0, "White", white);
        set(&mut game.0, "Black", black);
        game
    };
    let games = vec![
        named("Adams, M", "Short, N"),
        named("Adams, M", "Tal, M"),
        named("Fischer, R", "Short, N"),
    ];
    assert_eq!(near(games)?, [vec![1, 2]]);
    Ok(())
}

/// A chain of games that continue each other: groups depend on the years of those before.
#[test]
fn years_along_a_chain() -> Outcome {
    let (whole, _) = seeds().remove(0);
    let mut random = 1_u64;
    for round in 0..40 {
        let mut games: Games = Vec::new();
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (plies, year) = (20 + (random >> 33) % 20, 1990 + (random >> 50) % 4);
            let mut game = whole.clone();
            game.moves.truncate(plies as usize);
            let date = if year == 1990 { "????.??.??".to_owned() } else { format!("{year}.??.??") };
            set(&mut game, "Date", &date);
            games.push((game, None));
        }
        let (_folder, archive) = archive(&games);
        let found = archive.duplicates()?;
        let exact = copies_of(&games);
        assert_eq!(
            found.exact.iter().map(|group| group.ids.clone()).collect::<Vec<_>>(),
            exact,
            "round {round}"
        );
        assert_near(&games, &found);
    }
    Ok(())
}

/// Similar games, too many to compare all pairs.
#[test]
fn many_games_that_are_alike() -> Outcome {
    const COUNT: usize = 60_000;
    let (mut seed, _) = seeds().remove(0);
    let copies = |game: &Game| -> Games { vec![(game.clone(), None); COUNT] };
    // Named, all the same.
    let (_folder, named) = archive(&copies(&seed));
    let found = named.duplicates()?;
    assert_eq!((found.exact.len(), found.exact[0].ids.len(), found.near.len()), (1, COUNT, 0));
    let mut importer = named.importer().on_duplicates(OnDuplicates::Skip);
    for (game, _) in copies(&seed) {
        importer.push(&game, None)?;
    }
    let report = importer.commit()?;
    assert_eq!((report.games, report.duplicates, report.files), (0, COUNT as u64, 0));
    assert_eq!(named.refresh()?.version(), named.version());
    // Without a name, only the same text is a copy.
    set(&mut seed, "White", "?");
    set(&mut seed, "Black", "?");
    let mut games = copies(&seed);
    games.iter_mut().enumerate().for_each(|(number, (game, _))| {
        set(game, "Round", &(number / 2).to_string());
    });
    let (_folder, nameless) = archive(&games);
    let found = nameless.duplicates()?;
    assert_eq!((found.exact.len(), found.near.len()), (COUNT / 2, 0));
    // One of many names, the same moves.
    set(&mut seed, "White", "Adams, Michael");
    let mut games = copies(&seed);
    games.iter_mut().enumerate().for_each(|(number, (game, _))| {
        set(game, "Black", &format!("Other{number}"));
    });
    let (_folder, named) = archive(&games);
    let found = named.duplicates()?;
    assert_eq!((found.exact.len(), found.near.len(), found.near[0].ids.len()), (0, 1, COUNT));
    Ok(())
}

/// The best of each group stays: comments come before tags, tags before low ids. An undo restores everything.
#[test]
fn the_best_stays() -> Outcome {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5";
    let game = |white: &str, tag: &str, end: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"Short, Nigel\"]\n[Date \"1995.03.01\"]\n{tag}\n{moves}{end} 1/2-1/2\n\n"
        )
    };
    let text = [
        game("Adams, Michael", "", ""),
        game("ADAMS, Michael", "[Round \"4.1\"]\n", ""),
        game("Michael Adams", "", " {agreed}"),
        game("Adams, Michael", "[Round \"4\"]\n[ECO \"C90\"]\n", ""),
        game("Adams, Michael", "[Date2 \"x\"]\n", " 11. Ke9"),
        game("Speelman, Jon", "", ""),
        game("Speelman, Jon", "", ""),
    ];
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    let mut importer = Importer::open(&path)?;
    importer.read_pgn([Ok(std::io::Cursor::new(text.concat()))], &mut ())?;
    importer.commit()?;
    let archive = Archive::open(&path)?;
    let found = archive.duplicates()?;
    let groups: Vec<_> = found.exact.iter().map(|group| (group.ids.clone(), group.best)).collect();
    assert_eq!(groups, [(vec![1, 2, 3, 4], 3), (vec![6, 7], 6)]);
    // After a fault, another game may follow.
    assert_eq!(
        (&found.near[0].ids[..], found.near[0].differences.names()),
        (&[3, 5][..], vec!["text"])
    );
    assert_eq!((found.removable(), found.near.len()), (4, 1));
    let remover = archive.duplicates_remover(&found)?;
    // Another program is faster: the groups may have changed.
    let late = archive.duplicates_remover(&found)?;
    assert_eq!(remover.commit(&mut ())?.games, 4);
    assert!(matches!(late.commit(&mut ()), Err(ArchiveError::Conflict { .. })));
    let now = archive.refresh()?;
    assert_eq!(now.len(), 3);
    assert!(now.duplicates()?.exact.is_empty());
    assert_eq!(now.game(3)?.game.tags.value("White"), Some("Michael Adams"));
    assert_eq!(now.undo(None, &mut ())?.games_after, 7);
    assert_eq!(now.refresh()?.duplicates()?.exact, found.exact);
    Ok(())
}

/// The reports of an import about duplicates: the input, the number, and the number of games added from its source.
#[test]
fn imports_report_duplicates() -> Outcome {
    let games: Games = shipped().into_iter().take(40).collect();
    let text = |games: &[(Game, Option<String>)]| {
        let mut writer = Writer::new(Vec::new());
        games.iter().for_each(|(game, _)| writer.write(game).expect("written"));
        writer.into_inner()
    };
    let (first, second) = (text(&games[..25]), text(&games[15..]));
    for (what, left) in
        [(OnDuplicates::Keep, 50), (OnDuplicates::Report, 50), (OnDuplicates::Skip, 40)]
    {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        let mut importer = Importer::open(&path)?.on_duplicates(what).games_per_file(10);
        let sum = ContentSum::of(&*second)?;
        let inputs = [
            Ok(PgnInput::named("a", std::io::Cursor::new(first.clone()))),
            Ok(PgnInput::named("b", std::io::Cursor::new(second.clone())).with_sum(sum)),
        ];
        importer.read_pgn(inputs, &mut ())?;
        let mut heard = Heard::default();
        let report = importer.commit_watched(&mut heard)?;
        let found = if what == OnDuplicates::Keep { 0 } else { 10 };
        assert_eq!((report.games, report.duplicates), (left, found));
        assert_eq!((report.first_id, report.last_id), (1, left as i64));
        let archive = Archive::open(&path)?;
        assert_eq!((archive.len(), heard.0.len() as u64), (left, found));
        let plies = archive.info()?.plies;
        assert_eq!(plies, report.plies);
        for (duplicate, number) in heard.0.iter().zip(1..) {
            assert_eq!((duplicate.input, duplicate.number), (Some(1), number));
            assert_eq!(duplicate.original, 15 + number as i64);
            assert_eq!(duplicate.place, Some((Some(0), 15 + number)));
            let id = (what == OnDuplicates::Report).then_some(25 + number as i64);
            assert_eq!(duplicate.id, id);
        }
        let source = &archive.imports()?[0].sources[0];
        assert_eq!(source.games, if what == OnDuplicates::Skip { 15 } else { 25 });
        assert_eq!(archive.verify(&mut ())?.problems, []);

        // Once more: all of them exist already.
        let mut importer = archive.importer().on_duplicates(what);
        importer.read_pgn([Ok(std::io::Cursor::new(first.clone()))], &mut ())?;
        let mut heard = Heard::default();
        let report = importer.commit_watched(&mut heard)?;
        let (added, there) = match what {
            OnDuplicates::Keep => (25, 0),
            OnDuplicates::Report => (25, 25),
            _ => (0, 25),
        };
        assert_eq!(
            (report.games, report.duplicates, heard.0.len()),
            (added, there, there as usize)
        );
        assert!(heard.0.iter().all(|duplicate| duplicate.place.is_none()));
        assert_eq!(archive.refresh()?.len(), left + added);
    }
    Ok(())
}

/// Two imports of the same games at once: the second one sees the games that the first one has added.
#[test]
fn imports_at_once() -> Outcome {
    let games: Games = shipped().into_iter().take(30).collect();
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let mut importers = Vec::new();
    for _ in 0..3 {
        let mut importer = archive.importer().on_duplicates(OnDuplicates::Skip);
        for (game, _) in &games {
            importer.push(game, None)?;
        }
        importers.push(importer);
    }
    let reports = std::thread::scope(|scope| {
        let running: Vec<_> = importers
            .into_iter()
            .map(|importer| scope.spawn(|| importer.commit().expect("committed")))
            .collect();
        running.into_iter().map(|it| it.join().expect("done").games).collect::<Vec<_>>()
    });
    assert_eq!(reports.iter().sum::<u64>(), 30, "{reports:?}");
    assert_eq!(archive.refresh()?.len(), 30);
    Ok(())
}
