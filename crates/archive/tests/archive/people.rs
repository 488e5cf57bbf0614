//! Players, events, and merging of names: plain loops over the games are the oracle.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

use halfmove_archive::schema::COLUMNS;
use halfmove_archive::{
    Archive, ArchiveError, ChangeWatch, Filter, Importer, Likeness, PlayerSummary,
};
use halfmove_game::{Game, Tags};
use halfmove_rules::Chess;

use crate::changes::sound;
use crate::{Outcome, archive, game, import, read, table, testdata};

type Games = Vec<(Game, Option<String>)>;

fn tag<'a>(game: &'a Game, name: &str) -> &'a str {
    game.tags.value(name).unwrap_or("")
}

/// The year and the rating of one side.
fn numbers(game: &Game, elo: &str) -> (Option<i32>, Option<i32>) {
    let year =
        tag(game, "Date").get(..4).and_then(|year| year.parse().ok()).filter(|year| *year > 0);
    (year, tag(game, elo).parse().ok())
}

fn shipped() -> Games {
    let mut games = Vec::new();
    for name in
        ["games/masters.pgn.zst", "games/lichess.pgn.zst", "games/setup.pgn", "games/makruk.pgn"]
    {
        games.extend(read(&testdata(name)));
    }
    games
}

#[test]
fn players_of_shipped_games() -> Outcome {
    let games = shipped();
    let (_folder, archive) = archive(&games);
    let mut expected: BTreeMap<&str, PlayerSummary> = BTreeMap::new();
    for (game, _) in &games {
        let [white, black] = ["White", "Black"].map(|name| tag(game, name));
        for (name, elo, won, lost) in
            [(white, "WhiteElo", "1-0", "0-1"), (black, "BlackElo", "0-1", "1-0")]
        {
            if !name.chars().any(char::is_alphanumeric)
                || (name == black && white == black && elo == "BlackElo")
            {
                continue;
            }
            let player = expected.entry(name).or_default();
            player.name = name.to_owned();
            player.games += 1;
            let (year, elo) = numbers(game, elo);
            player.highest_elo = player.highest_elo.max(elo);
            player.first_year = [player.first_year, year].into_iter().flatten().min();
            player.last_year = player.last_year.max(year);
            let result = match tag(game, "Result") {
                "" => game.result.map_or("*", |result| result.as_str()),
                result => result,
            };
            *match result {
                _ if white == black => &mut player.score.both,
                result if result == won => &mut player.score.wins,
                result if result == lost => &mut player.score.losses,
                "1/2-1/2" => &mut player.score.draws,
                _ => &mut player.score.other,
            } += 1;
        }
    }
    let found = archive.players(None)?;
    assert!(found.is_sorted_by_key(|player| std::cmp::Reverse(player.games)));
    assert!(found.len() > 500, "{}", found.len());
    for player in &found {
        assert_eq!(Some(player), expected.get(&*player.name));
    }
    assert_eq!(found.len(), expected.len());
    let some = archive.players(Some("kasparov"))?;
    let same: Vec<&PlayerSummary> = found.iter().filter(|player| some.contains(player)).collect();
    assert_eq!(same.len(), some.len());
    assert!(!some.is_empty());
    assert!(matches!(archive.players(Some("?")), Err(ArchiveError::Filter(_))));
    assert!(archive.players(Some("nobody whatsoever"))?.is_empty());
    Ok(())
}

#[test]
fn events_of_shipped_games() -> Outcome {
    let games = shipped();
    let (_folder, archive) = archive(&games);
    let mut expected: BTreeMap<(&str, &str), Vec<&Game>> = BTreeMap::new();
    for (game, _) in &games {
        let site = tag(game, "Site");
        let site = if site.starts_with("http") { "" } else { site };
        expected.entry((tag(game, "Event"), site)).or_default().push(game);
    }
    let found = archive.events(None)?;
    assert!(found.is_sorted_by_key(|event| std::cmp::Reverse(event.games)));
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 20, "{}", found.len());
    for event in &found {
        let games = &expected[&(&*event.event, &*event.site)];
        assert_eq!(event.games, games.len() as u64);
        let names = games.iter().flat_map(|game| {
            ["White", "Black"].into_iter().filter_map(|name| game.tags.value(name))
        });
        assert_eq!(event.players, names.collect::<BTreeSet<_>>().len() as u64, "{event:?}");
        let elos = games.iter().flat_map(|game| {
            ["WhiteElo", "BlackElo"].into_iter().filter_map(|name| numbers(game, name).1)
        });
        let elos: Vec<f64> = elos.map(f64::from).collect();
        let mean = (!elos.is_empty()).then(|| elos.iter().sum::<f64>() / elos.len() as f64);
        assert_eq!(event.average_elo, mean);
        let years = games.iter().filter_map(|game| numbers(game, "").0);
        let years: BTreeSet<i32> = years.collect();
        assert_eq!(
            (event.first_year, event.last_year),
            (years.first().copied(), years.last().copied())
        );
    }
    let swiss = archive.events(Some("SWISS blitz"))?;
    let matches = found.iter().filter(|event| {
        let lower = event.event.to_lowercase();
        let words: Vec<&str> = lower.split(|char: char| !char.is_alphanumeric()).collect();
        words.contains(&"swiss") && words.contains(&"blitz")
    });
    assert_eq!(swiss, matches.cloned().collect::<Vec<_>>());
    assert!(!swiss.is_empty());
    assert!(matches!(archive.events(Some("--")), Err(ArchiveError::Filter(_))));
    Ok(())
}

/// A game of two players.
fn of_players(white: &str, black: &str, date: &str) -> (Game, Option<String>) {
    let mut game = game(&Chess::default(), "e4 e5 Nf3");
    for (name, value) in [("Date", date), ("White", white), ("Black", black), ("Result", "1-0")] {
        game.tags.push(name, value);
    }
    (game, None)
}

#[test]
fn names_that_may_be_one_player() -> Outcome {
    let games = vec![
        of_players("Ivanov, Alexander", "Smith, John", "1990.01.01"),
        of_players("Ivanov, Alexander", "Brown, Ann", "1991.01.01"),
        of_players("Ivanov, Andrei", "Jones, Bob", "1990.01.01"),
        of_players("Ivanov,A", "Smith, John", "1992.01.01"),
        of_players("Smith, J", "Smith, John", "1993.01.01"),
        of_players("Morphy, Paul", "Jones, Bob", "1858.01.01"),
        of_players("Morphy,P", "Jones, Bob", "1985.01.01"),
        of_players("Kortschnoj, Viktor", "Brown, Ann", "1975.01.01"),
        of_players("Korchnoi,V", "Brown, Ann", "1976.01.01"),
        of_players("Smith, John", "BROWN, Ann", "1990.01.01"),
    ];
    let (_folder, archive) = archive(&games);
    let similar = archive.similar_players(None)?;
    let pairs: BTreeSet<_> = similar
        .iter()
        .map(|two| {
            let mut names = [two.name.name.as_str(), two.other.name.as_str()];
            names.sort_unstable();
            (names, two.likeness, two.is_ambiguous, two.common_opponents)
        })
        .collect();
    // Not J and John Smith, who have met, nor Morphy after a hundred years. Nor Andrei, who is as similar to Ivanov,A
    // as Alexander, but has no opponent in common with Ivanov,A.
    let expected = [
        (["BROWN, Ann", "Brown, Ann"], Likeness::Words, false, 0),
        (["Ivanov, Alexander", "Ivanov,A"], Likeness::Initials, true, 1),
        (["Korchnoi,V", "Kortschnoj, Viktor"], Likeness::Spelling, false, 1),
    ];
    assert_eq!(pairs, expected.into_iter().collect());
    let first = &similar[0];
    assert_eq!((first.name.name.as_str(), first.name.games), ("Brown, Ann", 3));
    let some = archive.similar_players(Some("alexander"))?;
    assert_eq!((some.len(), some[0].common_opponents), (1, 1));
    assert_eq!(archive.similar_players(Some("andrei"))?, []);
    Ok(())
}

/// All games of an archive by their ids.
fn all(archive: &Archive) -> HashMap<i64, (Tags, Game)> {
    let games = archive.games(&Filter::default()).expect("games");
    let games = games.map(|game| game.expect("a game"));
    games.map(|game| (game.id, (game.game.tags.clone(), game.game))).collect()
}

/// The columns that do not change.
fn others(archive: &Archive) -> Vec<table::Row> {
    let names = COLUMNS.iter().map(|column| column.name);
    let names: Vec<&str> =
        names.filter(|name| !["white", "black", "other_tags"].contains(name)).collect();
    assert_eq!(names.len(), COLUMNS.len() - 3);
    table::sorted(archive, &names).expect("rows")
}

/// The games with other names: the tags of two players.
fn renamed(
    games: &HashMap<i64, (Tags, Game)>,
    to: &str,
    from: &[&str],
) -> HashMap<i64, Vec<(String, String)>> {
    let of = |tags: &Tags| {
        let tags = tags.iter().map(|(name, value)| {
            let is_his = matches!(name, "White" | "Black") && from.contains(&value);
            (name.to_owned(), if is_his { to } else { value }.to_owned())
        });
        tags.collect::<Vec<_>>()
    };
    games.iter().map(|(id, (tags, _))| (*id, of(tags))).collect()
}

fn tags_of(games: &HashMap<i64, (Tags, Game)>) -> HashMap<i64, Vec<(String, String)>> {
    renamed(games, "", &[])
}

/// Only the names change, only in files that have them, and an undo brings them back.
#[test]
fn a_merge_changes_names_and_nothing_else() -> Outcome {
    let games = read(&testdata("games/masters.pgn.zst"));
    let (_folder, archive) = archive(&games);
    import(&archive, &read(&testdata("games/chess960.pgn")));
    import(&archive, &read(&testdata("games/lichess.pgn.zst")));
    let archive = archive.refresh()?;
    let players = archive.players(None)?;
    let of_masters: BTreeSet<&str> = games.iter().map(|(game, _)| tag(game, "White")).collect();
    let mut names = players.iter().map(|player| player.name.as_str());
    let mut next = || names.find(|name| of_masters.contains(name)).expect("a name");
    let (to, from) = (next(), [next(), next(), "Nobody, at all"]);
    for is_compacted in [false, true] {
        if is_compacted {
            archive.compact(&mut ())?;
        }
        let archive = archive.refresh()?;
        let (before, columns) = (all(&archive), others(&archive));
        let merge = archive.player_merge(to, &from)?;
        let (old, expected) = (tags_of(&before), renamed(&before, to, &from));
        let changed = expected.iter().filter(|(id, tags)| **tags != old[id]).count();
        assert_eq!(
            (merge.games(), merge.missing()),
            (changed as u64, &["Nobody, at all".to_owned()][..])
        );
        assert!(changed > 2);
        let report = merge.commit(&mut ())?;
        assert_eq!((report.games, report.files), (changed as u64, 1));
        let now = sound(&archive);
        assert_eq!((report.version, now.version()), (Some(now.version()), archive.version() + 1));
        assert_eq!(tags_of(&all(&now)), expected);
        assert_eq!(others(&now), columns);
        for (id, (_, game)) in all(&now) {
            let old = &before[&id].1;
            assert_eq!(
                (&game.moves, &game.annotations, game.result),
                (&old.moves, &old.annotations, old.result)
            );
        }
        let history = now.history()?;
        let entry = history.last().expect("an entry");
        assert_eq!((entry.what.as_str(), entry.games_added, entry.games_removed), ("merge", 0, 0));
        assert_eq!((entry.files_added, entry.files_removed), (1, 1));
        let there = from.iter().filter(|name| **name != "Nobody, at all" && **name != to);
        let mut there: Vec<String> = there.map(|&name| name.to_owned()).collect();
        there.sort();
        assert_eq!(entry.merged, Some((there, to.to_owned())));
        assert_eq!(entry.games_changed, changed as u64);
        let of_player = now.players(None)?;
        assert!(!of_player.iter().any(|player| from.contains(&player.name.as_str())));
        // Once more, there is nothing to do.
        let again = now.player_merge(to, &from)?;
        assert_eq!((again.games(), again.missing().len()), (0, 3));
        assert_eq!(again.commit(&mut ())?.version, None);

        let undone = now.undo(None, &mut ())?;
        assert_eq!(undone.games_after, undone.games_before);
        assert_eq!(tags_of(&all(&now.refresh()?)), tags_of(&before));
    }
    Ok(())
}

/// A second tag of the same name is in another column.
#[test]
fn a_second_tag_is_renamed_too() -> Outcome {
    let text = "[White \"Old\"]\n[Black \"Old, A\"]\n[White \"Old\"]\n[Annotator \"Old\"]\n\n1. e4 *\n\n[Annotator \"Old\"]\n\n1. d4 *\n";
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    let mut importer = Importer::open(&path)?;
    importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    importer.commit()?;
    let archive = Archive::open(&path)?;
    let report = archive.player_merge("New", &["Old", "New"])?.commit(&mut ())?;
    assert_eq!(report.games, 1);
    let tags = tags_of(&all(&archive.refresh()?));
    let of = |id: i64| {
        tags[&id].iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(of(1), ["White=New", "Black=Old, A", "White=New", "Annotator=Old"]);
    assert_eq!(of(2), ["Annotator=Old"]);
    Ok(())
}

/// Stops the work that it watches.
struct Stop;

impl ChangeWatch for Stop {
    fn tick(&mut self, _games: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Merges at once, imports in between, and a merge that is stopped: each is whole or not there.
#[test]
fn merges_at_once() -> Outcome {
    let games =
        vec![of_players("A one", "B", "1990.01.01"), of_players("C", "A two", "1990.01.01")];
    let (_folder, archive) = archive(&games);
    let stopped = archive.player_merge("A", &["A one", "A two"])?.commit(&mut Stop);
    assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
    assert_eq!(archive.refresh()?.version(), archive.version());
    // Found before the import, committed after it: games that came meanwhile are changed, too.
    let merge = archive.player_merge("A", &["A one", "A two"])?;
    import(&archive, &[of_players("A one", "D", "1991.01.01")]);
    assert_eq!(merge.games(), 2);
    let others: Vec<_> = ["B", "C", "D"]
        .map(|name| archive.player_merge("A", &[name]).expect("a merge"))
        .into_iter()
        .chain([merge])
        .collect();
    std::thread::scope(|scope| {
        for merge in others {
            scope.spawn(|| merge.commit(&mut ()).expect("merged"));
        }
    });
    let now = sound(&archive);
    let players = now.players(None)?;
    assert_eq!((players.len(), players[0].name.as_str(), players[0].score.both), (1, "A", 3));
    assert_eq!(now.history()?.iter().filter(|entry| entry.what == "merge").count(), 4);
    Ok(())
}
