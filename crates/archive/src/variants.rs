//! Games counted by variant.

use halfmove_rules::Variant;

/// The number of games of each variant.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::Archive;
/// use halfmove_game::Game;
/// use halfmove_rules::{AnyPosition, Variant};
///
/// let folder = tempfile::tempdir()?;
/// let mut importer = Archive::create(folder.path().join("games"))?.importer();
/// importer.push(&Game::from(AnyPosition::start(Variant::Makruk)), None)?;
/// let report = importer.commit()?;
/// assert_eq!(report.variants.of(Variant::Makruk), 1);
/// assert_eq!(report.variants.iter().collect::<Vec<_>>(), [(Variant::Makruk, 1)]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VariantCounts([u64; Variant::ALL.len()]);

impl VariantCounts {
    /// The number of games of a variant.
    pub fn of(&self, variant: Variant) -> u64 {
        self.all().find(|(other, _)| *other == variant).map_or(0, |(_, games)| games)
    }

    /// The variants that have games, in the order of [`Variant::ALL`], each with the number of its games.
    pub fn iter(&self) -> impl Iterator<Item = (Variant, u64)> {
        self.all().filter(|(_, games)| *games > 0)
    }

    fn all(&self) -> impl Iterator<Item = (Variant, u64)> {
        Variant::ALL.into_iter().zip(self.0)
    }

    /// Adds games of a variant.
    pub(crate) fn count(&mut self, variant: Variant, games: u64) {
        let counts = Variant::ALL.iter().zip(&mut self.0);
        counts.filter(|(other, _)| **other == variant).for_each(|(_, count)| *count += games);
    }

    /// Subtracts the games of a part.
    pub(crate) fn subtract(&mut self, less: &Self) {
        self.0.iter_mut().zip(less.0).for_each(|(count, less)| *count -= less);
    }

    /// Adds the games of another part.
    pub(crate) fn add(&mut self, more: &Self) {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
    }
}

/// The names of all variants, for messages: `chess, chess960, makruk, makpong or asean`.
pub(crate) fn names() -> String {
    let [first @ .., last] = Variant::ALL.map(Variant::name);
    format!("{} or {last}", first.join(", "))
}

/// The variant with exactly this name, as in the column `variant`.
pub(crate) fn named(name: &str) -> Option<Variant> {
    Variant::ALL.into_iter().find(|variant| variant.name() == name)
}
