//! Values of the tag `Variant`.

use halfmove_rules::{CastlingMode, Variant};

/// Names of chess.
const CHESS: [&str; 9] = [
    "standard",
    "standardchess",
    "chess",
    "normal",
    "regular",
    "classical",
    "orthodox",
    "orthodoxchess",
    "fromposition",
];

/// Names of Chess960. Double Chess960, in which the two sides have different start orders, has the same rules.
const CHESS960: [&str; 17] = [
    "chess960",
    "960",
    "fischerandom",
    "fischerandomchess",
    "fischerrandom",
    "fischerrandomchess",
    "freestyle",
    "freestylechess",
    "frc",
    "dfrc",
    "doublefrc",
    "doublefischerandom",
    "doublefischerrandom",
    "doublechess960",
    "doublefischerandomchess",
    "doublefischerrandomchess",
    "wildfr",
];

/// The variant for a value of the tag `Variant`; `None` if it is unknown. Case, spaces and punctuation do not matter.
///
/// ```
/// use halfmove_game::variant_named;
/// use halfmove_rules::Variant;
///
/// assert_eq!(variant_named("Fischer Random"), Some(Variant::Chess960));
/// assert_eq!(variant_named("From Position"), Some(Variant::Chess));
/// assert_eq!(variant_named("Makruk"), Some(Variant::Makruk));
/// assert_eq!(variant_named("Thai Chess"), Some(Variant::Makruk));
/// assert_eq!(variant_named("Atomic"), None);
/// ```
pub fn variant_named(value: &str) -> Option<Variant> {
    match value {
        "Standard" => return Some(Variant::Chess),
        "Chess960" => return Some(Variant::Chess960),
        _ => {}
    }
    let chars = value.chars().filter(|char| char.is_alphanumeric());
    let name: String = chars.flat_map(char::to_lowercase).collect();
    if CHESS.contains(&name.as_str()) {
        return Some(Variant::Chess);
    }
    if CHESS960.contains(&name.as_str()) {
        return Some(Variant::Chess960);
    }
    match name.as_str() {
        "thaichess" => Some(Variant::Makruk),
        "aseanchess" => Some(Variant::Asean),
        name => Variant::from_name(name),
    }
}

/// Returns true for a value that means unknown or none in PGN: empty, `?` or `-`.
pub(crate) fn is_no_variant(value: &str) -> bool {
    !value.contains(char::is_alphanumeric)
}

/// The castling mode required by a variant. Some files have `Standard` with start positions of Chess960, so only
/// Chess960 is taken literally; otherwise the FEN decides.
pub(crate) fn demanded_mode(variant: Variant) -> Option<CastlingMode> {
    (variant == Variant::Chess960).then_some(CastlingMode::Chess960)
}
