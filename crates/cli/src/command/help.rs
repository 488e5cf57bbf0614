//! `halfmove help`: the help of a verb, or a topic.

use crate::Done;
use crate::args::{self, Help, Topic};
use crate::output::Advised;
use crate::visible::visible;
use anyhow::anyhow;
use std::io::Write;

/// Prints the help of the program, of a verb or of a topic. The error is clap's: the help of a verb, or that there is none.
pub(crate) fn run(args: &Help) -> Result<anyhow::Result<Done>, clap::Error> {
    match &args.words[..] {
        [name] if let Some(topic) = Topic::named(name) => Ok(print(&topic.text())),
        // The error of the parser would list only verbs.
        [name]
            if !args::Cli::has_verb(name)
                && let Some(topic) = Topic::near(name) =>
        {
            let error = anyhow!("there is neither a verb nor a topic \"{}\"", visible(name));
            let hint = format!("did you mean halfmove help {}?", topic.name);
            Ok(Err(Advised::new(error, hint).into()))
        }
        verb => {
            let line =
                ["halfmove"].into_iter().chain(verb.iter().map(String::as_str)).chain(["--help"]);
            args::command().try_get_matches_from(line).map(|_| Ok(Done::Found))
        }
    }
}

fn print(text: &str) -> anyhow::Result<Done> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Done::Found)
}
