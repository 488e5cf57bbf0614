//! What the arguments of several commands have in common: games, and files to write.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_rules::Variant;
use std::fs::File;
use std::io;
use std::path::Path;

/// Reads the name of a game, one of these.
pub(crate) fn variants(known: &[Variant]) -> impl TypedValueParser<Value = Variant> + use<> {
    let names: Vec<_> = known.iter().map(|variant| PossibleValue::new(variant.name())).collect();
    PossibleValuesParser::new(names).map(|name| Variant::from_name(&name).unwrap_or_default())
}

/// A file to write: a new one, or with `force` one that exists, whose content stays until it is cut off. It may be hours
/// of work, or the source of the engine.
pub(crate) fn create(path: &Path, force: bool) -> Result<File, String> {
    let mut options = File::options();
    options.write(true);
    let options =
        if force { options.create(true).truncate(false) } else { options.create_new(true) };
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("{}: the file exists; --force replaces it", path.display())
        }
        _ => failed(path)(error),
    })
}

/// Names the file in an error.
pub(crate) fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}
