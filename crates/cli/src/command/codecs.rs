//! `halfmove codecs`: the codes for games, and what they hold.

use crate::Done;
use crate::args::{self, Codecs, PARTS};
use crate::output::{self, Answer, Rows};
use halfmove_game::codec::{CODECS, Codec};
use serde_json::{Map, Value};

/// The columns; those between are [`PARTS`].
const HEADING: [&str; 3 + PARTS.len()] = {
    let mut heading = ["tags"; 3 + PARTS.len()];
    heading[0] = "codec";
    heading[1] = "version";
    let mut index = 0;
    while index < PARTS.len() {
        heading[2 + index] = PARTS[index].0;
        index += 1;
    }
    heading
};

pub(crate) fn run(args: Codecs) -> anyhow::Result<Done> {
    let rows = CODECS.iter().map(|codec| row(*codec)).collect();
    let rows = Rows { heading: &HEADING, numbers: &["version"], rows };
    let closing = format!("\n{}", args::legend());
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    output::print(args.output.format, &answer, || {
        CODECS.iter().map(|codec| object(*codec)).collect()
    })?;
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
