//! `halfmove export`: games as PGN.

use crate::args::Export;
use crate::new_file::NewFile;
use crate::output::{self, counted};
use crate::{Done, archive, screen};
use futures::StreamExt;
use halfmove_archive::{Archive, Filter};
use halfmove_game::pgn::Writer;
use std::io::{BufWriter, Write};

pub(crate) fn run(args: Export) -> anyhow::Result<Done> {
    let filter = archive::filter(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    let games = match &args.to.output {
        None => {
            let games = write_games(&archive, &filter, screen::stdout())?;
            if games == 0 {
                archive::wait(archive::tell_near_names(&archive, &filter))?;
                output::note("no games found");
            }
            games
        }
        Some(path) => {
            let mut file = NewFile::create(path, &[], args.to.force)?;
            let games = write_games(&archive, &filter, &mut file)?;
            if games == 0 {
                archive::wait(archive::tell_near_names(&archive, &filter))?;
                output::note(format_args!("no games found, {} was not written", path.display()));
                return Ok(Done::Nothing);
            }
            file.finish()?;
            output::note(format_args!("{} written to {}", counted(games, "game"), path.display()));
            games
        }
    };
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
