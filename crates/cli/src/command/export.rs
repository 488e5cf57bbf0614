//! `halfmove export`: games as PGN.

use crate::archive::{self, Selection, Spellings};
use crate::args::{Export, ToFile};
use crate::new_file::NewFile;
use crate::output::{self, Advised, Unwritable};
use crate::progress::Progress;
use crate::{Done, screen};
use anyhow::anyhow;
use halfmove_archive::{Archive, ArchiveError, Filter, GameSummary, IdRange, SearchOptions, Sort};
use halfmove_game::Game;
use halfmove_game::pgn::Writer;
use std::collections::HashSet;
use std::io::{BufWriter, Write};

/// Endings of binary files, of tables, and of databases of other programs.
const NO_PGN: [&str; 15] = [
    "csv", "tsv", "json", "ndjson", "parquet", "xlsx", "zip", "7z", "rar", "tar", "si4", "si5",
    "cbh", "cbv", "db",
];

/// Rejects a file name with the extension of another format.
fn check_name(to: &ToFile) -> anyhow::Result<()> {
    let Some(path) = to.file().filter(|_| !to.force) else { return Ok(()) };
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    if NO_PGN.iter().any(|other| ending == *other) {
        let error = anyhow!("{}: export writes PGN", path.display());
        let hint = "name it .pgn, or .pgn.zst or .pgn.gz to compress it; tables: halfmove search … -o FILE; \
                    --force writes PGN all the same";
        return Err(Advised::new(error, hint).into());
    }
    Ok(())
}

pub(crate) fn run(args: Export) -> anyhow::Result<Done> {
    check_name(&args.to)?;
    args.to.check(&args.archive)?;
    let conditions = Selection::new(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    if !args.ids.id.is_empty() {
        if !conditions.is_empty() {
            let error = anyhow!("--id names the games, and cannot be combined with conditions");
            return Err(Advised::new(error, "leave out --id, or all conditions").into());
        }
        let ids = listed(&archive, &args.ids.id)?;
        if ids.is_empty() {
            return Ok(none(&args.to));
        }
        return some(&archive, &ids, &args.to);
    }
    let filter = conditions.on(&archive)?;
    Spellings::noted(&archive, &filter)?;
    if args.from_match && filter.position.is_none() && filter.conditions.is_empty() {
        let error = anyhow!("--from-match needs a position, moves or a condition on the board");
        return Err(Advised::new(error, "such as --moves, --played or --material").into());
    }
    if args.limit == 0 && args.sort == Sort::default() && !args.from_match {
        return matching(&archive, &filter, &args.to);
    }
    let mut options = SearchOptions::first(if args.limit == 0 { usize::MAX } else { args.limit });
    options.sort = args.sort;
    let games = archive.search_with(&filter, &options)?.games;
    if games.is_empty() {
        archive::note_near_names(&archive, &filter)?;
        return Ok(none(&args.to));
    }
    let begins = |game: &GameSummary| game.ply.filter(|_| args.from_match).unwrap_or(0);
    let games: Vec<(i64, u32)> = games.iter().map(|game| (game.id, begins(game))).collect();
    parts(&archive, &games, &args.to)
}

/// All games that match a filter, in the order of their ids.
pub(super) fn matching(archive: &Archive, filter: &Filter, to: &ToFile) -> anyhow::Result<Done> {
    // A terminal that shows the games has no room for a bar.
    let is_shown = to.file().is_none() && screen::is_terminal();
    let games = to_file(to, |out| all(archive, filter, is_shown, out))?;
    if games == 0 {
        archive::note_near_names(archive, filter)?;
        return Ok(none(to));
    }
    Ok(Done::Found)
}

/// Prints a note that there are no games.
pub(super) fn none(to: &ToFile) -> Done {
    output::note(match to.file() {
        Some(path) => format!("no games found, {} was not written", path.display()),
        None => "no games found".to_owned(),
    });
    Done::Nothing
}

/// The given ids in their order, each once. A range stands for the existing ids in it.
fn listed(archive: &Archive, typed: &[IdRange]) -> anyhow::Result<Vec<i64>> {
    let mut ids = Vec::new();
    for some in typed {
        match some.single() {
            Some(id) => ids.push(id),
            None => {
                let range = Some(IdRange::set(&[*some], archive.last_id()));
                let there = archive.ids(&Filter { ids: range, ..Filter::default() })?;
                ids.extend(there.into_iter().filter_map(|id| i64::try_from(id).ok()));
            }
        }
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids)
}

/// Writes the games with these ids, in this order. If one of them does not exist, nothing is written.
pub(super) fn some(archive: &Archive, ids: &[i64], to: &ToFile) -> anyhow::Result<Done> {
    let games: Vec<(i64, u32)> = ids.iter().map(|id| (*id, 0)).collect();
    parts(archive, &games, to)
}

/// Writes games, each with the number of half-moves that are left out at its beginning.
fn parts(archive: &Archive, games: &[(i64, u32)], to: &ToFile) -> anyhow::Result<Done> {
    // One chunk of games is in memory at a time.
    let write = |out: &mut dyn Write| {
        let mut writer = Writer::new(BufWriter::with_capacity(1 << 16, out));
        for some in games.chunks(AT_ONCE) {
            let ids: Vec<i64> = some.iter().map(|(id, _)| *id).collect();
            for (mut game, (_, begin)) in archive.games_of(&ids)?.into_iter().zip(some) {
                game.game.begin_at(*begin as usize);
                writer.write(&game.game).map_err(Unwritable::from)?;
            }
        }
        writer.flush().map_err(Unwritable::from)?;
        Ok(games.len() as u64)
    };
    match to_file(to, write) {
        Ok(_) => Ok(Done::Found),
        Err(error) => match error.downcast_ref() {
            Some(ArchiveError::NoSuchGame { .. }) => {
                output::report(&error);
                Ok(Done::Nothing)
            }
            _ => Err(error),
        },
    }
}

/// Writes a game that is not in an archive.
pub(super) fn one(game: &Game, to: &ToFile) -> anyhow::Result<Done> {
    to_file(to, |out| {
        let mut writer = Writer::new(out);
        writer.write(game).map_err(Unwritable::from)?;
        writer.flush().map_err(Unwritable::from)?;
        Ok(1)
    })?;
    Ok(Done::Found)
}

/// The number of games with given ids that are in memory at a time.
const AT_ONCE: usize = 4_096;

/// Writes games to the file of `--output`, or prints them. The file is written only if there are games.
fn to_file(
    to: &ToFile,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<u64>,
) -> anyhow::Result<u64> {
    let Some(path) = to.file() else { return write(&mut screen::stdout()) };
    let mut file = NewFile::create(path, &[], to.force)?;
    let games = write(&mut file)?;
    if games > 0 {
        file.finish()?;
        output::written(games, "game", path);
    }
    Ok(games)
}

fn all(
    archive: &Archive,
    filter: &Filter,
    is_shown: bool,
    out: &mut dyn Write,
) -> anyhow::Result<u64> {
    let texts = archive.pgn(filter)?;
    let progress = match is_shown {
        true => Progress::hidden(),
        false => Progress::new(Some(texts.games()), "game"),
    };
    let mut games = 0;
    let write = || {
        for some in texts {
            let some = some?;
            out.write_all(&some.text).map_err(Unwritable::from)?;
            games += some.games;
            progress.show(games, games);
        }
        out.flush().map_err(Unwritable::from)?;
        anyhow::Ok(())
    };
    let written = write();
    progress.finish();
    written.map(|()| games)
}
