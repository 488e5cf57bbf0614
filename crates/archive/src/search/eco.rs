//! The ECO codes of games: that of the tag, or where the tag is not a code, that of the opening, by the positions.

use std::sync::Arc;

use halfmove_game::openings::EcoCode;

use crate::columns::{Cache, FoldedTexts, Group, Openings};
use crate::error::ArchiveError;

/// The codes of the games of a row group.
pub(super) struct Codes {
    tags: Arc<FoldedTexts>,
    /// The code of each distinct tag.
    of_tags: Vec<Option<EcoCode>>,
    /// `None` if all games have the tag: then no moves are read.
    openings: Option<Openings>,
}

impl Codes {
    /// The codes of some rows.
    pub(super) fn of(
        group: &Group,
        cache: &Cache,
        mut rows: impl Iterator<Item = u32>,
    ) -> Result<Self, ArchiveError> {
        let tags = group.texts("eco", cache)?;
        let of_tags = tags.each(EcoCode::of_tag);
        let openings = match rows.any(|row| of_tags[tags.number(row as usize)].is_none()) {
            true => Some(group.openings(cache)?),
            false => None,
        };
        Ok(Self { tags, of_tags, openings })
    }

    /// The code of one of these rows.
    pub(super) fn code(&self, row: u32) -> Option<EcoCode> {
        let row = row as usize;
        self.of_tags[self.tags.number(row)]
            .or_else(|| EcoCode::of_tag(self.openings.as_ref()?.of(row)?.eco()))
    }
}
