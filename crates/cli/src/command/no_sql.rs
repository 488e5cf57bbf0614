//! `halfmove sql` in a program without SQL.

use crate::Done;
use crate::args::Sql;
use crate::condition::without_sql;

pub(crate) fn run(_: Sql) -> anyhow::Result<Done> {
    Err(without_sql("sql"))
}
