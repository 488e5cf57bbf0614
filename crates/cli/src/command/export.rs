//! `halfmove export`: games as PGN.

use crate::args::Export;
use crate::output::{self, counted};
use crate::{Done, archive};
use anyhow::Context;
use futures::StreamExt;
use halfmove_archive::{Archive, Filter};
use halfmove_game::pgn::Writer;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

pub(crate) fn run(args: Export) -> anyhow::Result<Done> {
    let filter = archive::filter(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    let games = match &args.output {
        None => write_games(&archive, &filter, io::stdout().lock())?,
        Some(path) => {
            // Write under another name until complete, so that a partial file is never mistaken for
            // a whole one.
            let mut unfinished = path.clone().into_os_string();
            unfinished.push(".part");
            let unfinished = PathBuf::from(unfinished);
            let file = File::create(&unfinished)
                .with_context(|| format!("cannot write {}", unfinished.display()))?;
            let written = write_games(&archive, &filter, &file)
                .and_then(|games| Ok((games, file.sync_all()?, fs::rename(&unfinished, path)?)));
            match written {
                Ok((games, ..)) => games,
                Err(error) => {
                    // The error gives the reason; a partial file that cannot be removed is only
                    // litter.
                    let _ = fs::remove_file(&unfinished);
                    return Err(error.context(format!("cannot write {}", path.display())));
                }
            }
        }
    };
    if let Some(path) = &args.output {
        output::note(format_args!("{} written to {}", counted(games, "game"), path.display()));
    }
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

fn write_games(archive: &Archive, filter: &Filter, out: impl Write) -> anyhow::Result<u64> {
    let mut writer = Writer::new(BufWriter::with_capacity(1 << 16, out));
    archive::wait(async {
        let mut games = archive.games(filter).await?;
        let mut count = 0;
        while let Some(game) = games.next().await {
            writer.write(&game?.game)?;
            count += 1;
        }
        writer.flush()?;
        anyhow::Ok(count)
    })
}
