//! `halfmove codecs`: the codes for games, and what they hold.

use crate::Done;
use crate::args::Codecs;
use crate::output::{self, Rows};
use halfmove_game::codec::CODECS;
use serde_json::json;

const HEADING: [&str; 11] = [
    "codec",
    "version",
    "starts",
    "makruk",
    "result",
    "glyphs",
    "comments",
    "variations",
    "words",
    "spelling",
    "tags",
];

pub(crate) fn run(args: Codecs) -> anyhow::Result<Done> {
    let row = |codec: &&dyn halfmove_game::codec::Codec| {
        let held = codec.holds();
        let parts = [
            held.starts,
            held.makruk,
            held.result,
            held.glyphs,
            held.comments,
            held.variations,
            held.words,
            held.spelling,
        ];
        let mut row = vec![codec.name().to_owned(), codec.version().to_string()];
        row.extend(parts.map(|held| if held { "yes" } else { "no" }.to_owned()));
        row.push(if held.all_tags { "all".to_owned() } else { held.tags.join(", ") });
        row
    };
    let rows = CODECS.iter().map(row).collect();
    let rows = Rows { heading: &HEADING, numbers: &["version"], rows };
    output::print(args.output.format, &rows, "", || {
        CODECS
            .iter()
            .map(|codec| {
                let held = codec.holds();
                json!({
                    "codec": codec.name(),
                    "version": codec.version(),
                    "starts": held.starts,
                    "makruk": held.makruk,
                    "result": held.result,
                    "glyphs": held.glyphs,
                    "comments": held.comments,
                    "variations": held.variations,
                    "words": held.words,
                    "spelling": held.spelling,
                    "all_tags": held.all_tags,
                    "tags": held.tags,
                })
            })
            .collect()
    })?;
    Ok(Done::Found)
}
