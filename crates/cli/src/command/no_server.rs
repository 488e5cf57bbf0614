//! `halfmove serve` in a program without the server.

use crate::Done;
use crate::args::Serve;
use crate::output::Advised;
use anyhow::anyhow;

pub(crate) fn run(_: Serve) -> anyhow::Result<Done> {
    let error = anyhow!("this program was built without its server");
    let hint = "with the server: cargo install --locked --path crates/cli";
    Err(Advised::new(error, hint).into())
}
