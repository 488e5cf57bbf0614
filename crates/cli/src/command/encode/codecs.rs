//! `halfmove encode --list`: the codecs, and what they hold.

use crate::Done;
use crate::args::{self, Format, PARTS};
use crate::output::{self, Answer, Rows};
use halfmove_codecs::{CODECS, Codec};
use serde_json::{Map, Value};

/// Prints all codecs.
pub(super) fn print(format: Format) -> anyhow::Result<Done> {
    let parts = PARTS.iter().map(|(name, ..)| *name);
    let heading: Vec<&str> =
        ["codec", "version"].into_iter().chain(parts).chain(["tags"]).collect();
    let rows = Rows::new(&heading, &["version"], CODECS.iter().map(|codec| row(*codec)).collect());
    let closing = format!("\n{}", args::legend());
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    output::print(format, &answer, || CODECS.iter().map(|codec| object(*codec)).collect())?;
    Ok(Done::Found)
}

fn row(codec: &dyn Codec) -> Vec<String> {
    let held = codec.holds();
    let mut row = vec![codec.name().to_owned(), codec.version().to_string()];
    row.extend(PARTS.map(|(.., is_held)| if is_held(&held) { "yes" } else { "no" }.to_owned()));
    row.push(args::tags(&held).unwrap_or_default());
    row
}

fn object(codec: &dyn Codec) -> Value {
    let held = codec.holds();
    let mut object = Map::new();
    object.insert("codec".to_owned(), codec.name().into());
    object.insert("version".to_owned(), codec.version().into());
    for (name, _, is_held) in PARTS {
        object.insert(name.to_owned(), is_held(&held).into());
    }
    object.insert("all_tags".to_owned(), held.all_tags.into());
    object.insert("tags".to_owned(), held.tags.into());
    object.into()
}
