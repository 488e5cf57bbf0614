//! Columns that are computed from tags: one place for the date, the time, the time control of a game.

use std::path::{Path, PathBuf};

use halfmove_archive::{Archive, Filter, Importer, ScoresBy, SearchOptions};
use halfmove_game::Speed;

use crate::Outcome;

/// An archive with the games of a file of reports.
fn field(name: &str) -> Result<(tempfile::TempDir, Archive), Box<dyn std::error::Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/field").join(name);
    let folder = tempfile::tempdir()?;
    let path: PathBuf = folder.path().join("games");
    let mut importer = Importer::open(&path)?;
    importer.read_pgn([Ok(std::fs::File::open(file)?)], &mut ())?;
    importer.commit()?;
    Ok((folder, Archive::open(&path)?))
}

/// The players of White in the order of a sort.
fn whites(
    archive: &Archive,
    filter: &Filter,
    sort: &str,
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut options = SearchOptions::first(100);
    options.sort = sort.parse()?;
    let games = archive.search_with(filter, &options)?.games;
    Ok(games.into_iter().filter_map(|game| game.white).collect())
}

#[test]
fn the_date_is_that_of_the_first_tag_that_has_one() -> Outcome {
    let (_folder, archive) = field("55-utc.pgn")?;
    let since = |text: &str| {
        Ok::<_, Box<dyn std::error::Error>>(Filter {
            since: Some(text.parse()?),
            ..Filter::default()
        })
    };
    assert_eq!(whites(&archive, &since("2013-12")?, "-date")?, ["user3", "user2"]);
    let until = Filter { until: Some("2013-01-05".parse()?), ..Filter::default() };
    assert_eq!(whites(&archive, &until, "id")?, ["user0"]);
    let games = archive.search(&Filter::default(), 9)?.games;
    let dates: Vec<_> = games.iter().map(|game| game.date.as_deref()).collect();
    assert_eq!(dates, ["2013.01.05", "2013.11.30", "2014.06.01", "2015.03.05"].map(Some));
    let decades = archive.stats(&Filter::default())?.decades;
    assert_eq!(decades.keys().copied().collect::<Vec<_>>(), [Some(2010)]);
    let years = archive.scores(&Filter::default(), ScoresBy::Year)?;
    assert_eq!(years.len(), 3);
    assert!(years.iter().all(|year| year.value.is_some()));
    Ok(())
}

#[test]
fn an_incomplete_date_comes_before_another_tag_and_an_unknown_one_does_not() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("games"))?;
    let games = [
        ("a", "[Date \"1924.??.??\"]\n[EventDate \"1925.03.01\"]"),
        ("b", "[Date \"????.??.??\"]\n[EventDate \"1925.03.??\"]"),
        ("c", "[Date \"?\"]\n[UTCDate \"1926.02.03\"]\n[EventDate \"1925.03.01\"]"),
        ("d", "[EventDate \"1927.01.02\"]"),
        ("e", "[Date \"????.??.??\"]"),
    ];
    let text = games.map(|(white, tags)| format!("[White \"{white}\"]\n{tags}\n\n1. e4 *\n\n"));
    importer.read_pgn([Ok(std::io::Cursor::new(text.concat()))], &mut ())?;
    importer.commit()?;
    let archive = Archive::open(folder.path().join("games"))?;
    assert_eq!(whites(&archive, &Filter::default(), "date")?, ["a", "b", "c", "d", "e"]);
    // The month of an incomplete date counts, whatever its tag.
    for (month, found) in [("1925-02", ["c", "d"].as_slice()), ("1925-04", &["c", "d"])] {
        let filter = Filter { since: Some(month.parse()?), ..Filter::default() };
        let expected = if month == "1925-02" { &["b", "c", "d"][..] } else { found };
        assert_eq!(whites(&archive, &filter, "id")?, expected, "{month}");
    }
    let dates: Vec<_> =
        archive.search(&Filter::default(), 9)?.games.into_iter().map(|game| game.date).collect();
    let expected = ["1924.??.??", "1925.03.??", "1926.02.03", "1927.01.02", "????.??.??"];
    assert_eq!(dates, expected.map(|date| Some(date.to_owned())));
    // The tags come back as they were.
    for ((_, tags), id) in games.into_iter().zip(1..) {
        let game = archive.game(id)?.game;
        let written: Vec<String> =
            game.tags.iter().skip(1).map(|(name, value)| format!("[{name} \"{value}\"]")).collect();
        assert_eq!(written.join("\n"), tags);
    }
    Ok(())
}

#[test]
fn games_of_a_day_are_in_the_order_of_their_times() -> Outcome {
    let (_folder, archive) = field("59-times.pgn")?;
    assert_eq!(whites(&archive, &Filter::default(), "date")?, ["u01", "u12", "u23"]);
    assert_eq!(whites(&archive, &Filter::default(), "-date")?, ["u23", "u12", "u01"]);
    Ok(())
}

#[test]
fn the_tag_time_orders_games_of_a_day() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("games"))?;
    let games = [
        ("evening", "[Date \"2026.06.01\"]\n[Time \"19:30:00\"]"),
        ("stamp", "[Date \"2026-06-01T10:00:00Z\"]"),
        ("morning", "[Date \"2026.06.01\"]\n[Time \"9:05\"]"),
        ("noon", "[Date \"2026/6/1\"]\n[UTCTime \"12:00:00\"]\n[Time \"01:00:00\"]"),
    ];
    let text = games.map(|(white, tags)| format!("[White \"{white}\"]\n{tags}\n\n1. e4 *\n\n"));
    importer.read_pgn([Ok(std::io::Cursor::new(text.concat()))], &mut ())?;
    importer.commit()?;
    let archive = Archive::open(folder.path().join("games"))?;
    let expected = ["morning", "stamp", "noon", "evening"];
    assert_eq!(whites(&archive, &Filter::default(), "date")?, expected);
    Ok(())
}

#[test]
fn dates_are_read_in_every_usual_form_and_no_other() -> Outcome {
    let (_folder, archive) = field("18-dates.pgn")?;
    let within = |period: &str| {
        let period = Some(period.parse()?);
        let filter = Filter { since: period, until: period, ..Filter::default() };
        whites(&archive, &filter, "id")
    };
    assert_eq!(within("2025-02-23")?, ["Dash"]);
    assert_eq!(within("2021-03-04")?, ["ISO", "Bad"]);
    assert_eq!(within("1924-05")?, ["YearOnly", "YM"]);
    assert_eq!(within("1924-06")?, ["YearOnly"]);
    assert_eq!(within("2001-07-08")?, ["EventDate"]);
    let dates: Vec<_> = archive.search(&Filter::default(), 99)?.games;
    let dates: Vec<_> = dates.into_iter().map(|game| game.date.unwrap_or_default()).collect();
    assert_eq!(
        dates,
        [
            "2025.02.23",
            "2015.03.05",
            "2013.11.30",
            "1924.??.??",
            "1924.05.??",
            "1899.??.??",
            "?",
            "",
            "2001.07.08",
            "2021.03.04",
            "2021.??.??",
        ]
    );
    // The tags come back as they were.
    let tag = |id| Ok::<_, Box<dyn std::error::Error>>(archive.game(id)?.game.tags);
    assert_eq!(tag(1)?.value("Date"), Some("2025-02-23"));
    assert_eq!(tag(10)?.value("Date"), Some("2021-03-04T20:00:00Z"));
    Ok(())
}

#[test]
fn an_ambiguous_date_is_unknown() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("games"))?;
    let text = "[White \"a\"]\n[Date \"02/03/2025\"]\n\n1. e4 *\n";
    importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
    importer.commit()?;
    let archive = Archive::open(folder.path().join("games"))?;
    let since = Filter { since: Some("0001".parse()?), ..Filter::default() };
    assert!(whites(&archive, &since, "id")?.is_empty());
    Ok(())
}

#[test]
fn games_are_found_and_grouped_by_speed() -> Outcome {
    let (_folder, archive) = field("21-tc.pgn")?;
    let of_speed = |speed| Filter { speeds: vec![speed], ..Filter::default() };
    for (speed, games) in [
        (Speed::UltraBullet, &["T11"][..]),
        (Speed::Bullet, &["T9"]),
        (Speed::Blitz, &["T1", "T2", "T15"]),
        (Speed::Rapid, &[]),
        (Speed::Classical, &["T0", "T5", "T6", "T12", "T14"]),
        (Speed::Correspondence, &["T4", "T7", "T8"]),
    ] {
        assert_eq!(whites(&archive, &of_speed(speed), "id")?, games, "{speed}");
    }
    for (text, games) in
        [("3+2", &["T1"][..]), ("3+0", &["T15"]), ("40/7200", &["T0"]), ("1+1", &[])]
    {
        let filter = Filter { time_control: Some(text.parse()?), ..Filter::default() };
        assert_eq!(whites(&archive, &filter, "id")?, games, "{text}");
    }
    let groups = archive.scores(&Filter::default(), ScoresBy::Speed)?;
    let groups: Vec<_> =
        groups.iter().map(|group| (group.value.as_deref(), group.results.games())).collect();
    assert_eq!(
        groups,
        [
            (Some("classical"), 5),
            (Some("blitz"), 3),
            (Some("correspondence"), 3),
            (None, 3),
            (Some("bullet"), 1),
            (Some("ultrabullet"), 1),
        ]
    );
    Ok(())
}
