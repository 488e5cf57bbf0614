//! Conversion of a game's tags to columns and back: `join(split(tags)) == tags`, exactly and in the same order.
//!
//! A tag goes into its typed column where the column can give back its exact text: `[WhiteElo "2400"]` is the number
//! 2400, but `[WhiteElo "02400"]` is that number *and* an entry of `other_tags`. The names of all tags are in
//! `tag_order`. To restore the tags, go through `tag_order`: the first occurrence of a name comes from its column
//! unless `other_tags` has as many tags of that name as `tag_order`; all others come from `other_tags`, in order.

mod split;

use std::borrow::Cow;

use halfmove_game::{Date, Game, Tags};
use halfmove_rules::{Chess, Makruk, Variant};

pub(crate) use self::split::Splitter;
use halfmove_functions::tags::{TYPED, TagPlace, date_text, tag_place};

/// The columns of one game that are filled from its tags.
///
/// ```
/// use halfmove_archive::Row;
/// use halfmove_game::{Game, Tags};
///
/// let mut game = Game::default();
/// game.tags.push("White", "Morphy, Paul");
/// game.tags.push("WhiteElo", "?");
/// let row = Row::split(&game);
/// assert_eq!(row.white.as_deref(), Some("Morphy, Paul"));
/// assert_eq!(row.white_elo, None);
/// assert_eq!(row.join(), game.tags);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Row<'a> {
    /// Tag `Event`.
    pub event: Option<Cow<'a, str>>,
    /// Tag `Site`.
    pub site: Option<Cow<'a, str>>,
    /// Tag `Round`.
    pub round: Option<Cow<'a, str>>,
    /// Tag `White`.
    pub white: Option<Cow<'a, str>>,
    /// Tag `Black`.
    pub black: Option<Cow<'a, str>>,
    /// The date of the game in days since 1970-01-01, if it is complete and valid: that of the first of the tags `Date`,
    /// `UTCDate` and `EventDate` with a year.
    pub date: Option<i32>,
    /// The year of that tag.
    pub year: Option<i32>,
    /// One of the four tokens: tag `Result`, else the token that ends the moves, else `*`.
    pub result: Cow<'a, str>,
    /// Tag `WhiteElo`.
    pub white_elo: Option<i32>,
    /// Tag `BlackElo`.
    pub black_elo: Option<i32>,
    /// Tag `ECO`.
    pub eco: Option<Cow<'a, str>>,
    /// The variant.
    pub variant: Variant,
    /// The FEN of the start position, if it is not the standard one.
    pub start_fen: Option<Cow<'a, str>>,
    /// The names of all tags in their order, separated by spaces.
    pub tag_order: Cow<'a, str>,
    /// The tags whose text cannot be restored from the columns.
    pub other_tags: Vec<Tag<'a>>,
}

/// A tag's name and value.
pub(crate) type Tag<'a> = (Cow<'a, str>, Cow<'a, str>);

fn typed_index(name: &str) -> Option<usize> {
    TYPED.iter().position(|typed| *typed == name)
}

impl<'a> Row<'a> {
    /// Splits a game's tags into columns.
    pub fn split(game: &'a Game) -> Self {
        let mut splitter = Splitter::default();
        let split = splitter.split(&game.tags, &game.start, game.result);
        let text = |text: Option<&'a str>| text.map(Cow::Borrowed);
        let (date, year) = split.facts.date(split.of_date);
        let others = split.others.iter().filter_map(|&index| game.tags.nth(index));
        Row {
            event: text(split.event),
            site: text(split.site),
            round: text(split.round),
            white: text(split.white),
            black: text(split.black),
            date,
            year,
            result: Cow::Borrowed(split.result),
            white_elo: split.white_elo,
            black_elo: split.black_elo,
            eco: text(split.eco),
            variant: game.start.variant(),
            start_fen: match (split.usual, split.fen) {
                (true, _) => None,
                (false, Some(fen)) => Some(Cow::Borrowed(fen)),
                (false, None) => Some(Cow::Owned(game.start.to_string())),
            },
            tag_order: Cow::Owned(split.tag_order.to_owned()),
            other_tags: others.map(|(name, value)| (name.into(), value.into())).collect(),
        }
    }

    /// Restores the tags that the row was split from.
    ///
    /// For a row written by another program, returns the tags that it lists and has values for.
    pub fn join(&self) -> Tags {
        let mut tags = Tags::default();
        if self.tag_order.is_empty() && self.other_tags.is_empty() {
            return tags;
        }
        let mut in_order = [0_usize; TYPED.len()];
        let mut in_others = [0_usize; TYPED.len()];
        for name in self.tag_order.split(' ') {
            if let Some(typed) = typed_index(name) {
                in_order[typed] += 1;
            }
        }
        for (name, _) in &self.other_tags {
            if let Some(typed) = typed_index(name) {
                in_others[typed] += 1;
            }
        }
        let mut others = self.other_tags.iter();
        for written in self.tag_order.split(' ') {
            if let Some(typed) = typed_index(written)
                && in_order[typed] > in_others[typed]
            {
                // The first tag with its name that is not in `other_tags`.
                in_others[typed] = usize::MAX;
                if let Some(value) = self.typed_text(written) {
                    tags.push(written, &value);
                }
            } else if let Some((name, value)) = others.next() {
                tags.push(name, value);
            }
        }
        tags
    }

    /// The text of a tag, as defined for the SQL function `tag`.
    pub(crate) fn tag(&self, name: &str) -> Option<String> {
        let others = self.other_tags.iter().map(|(name, _)| name.as_ref());
        match tag_place(name, &self.tag_order, others)? {
            TagPlace::Column(typed) => self.typed_text(TYPED[typed]).map(Cow::into_owned),
            TagPlace::Others(index) => Some(self.other_tags.get(index)?.1.clone().into_owned()),
        }
    }

    fn typed_text(&self, name: &str) -> Option<Cow<'_, str>> {
        let borrowed = |text: &'_ Option<Cow<'a, str>>| {
            text.as_deref().map(|text| Cow::Owned(text.to_owned()))
        };
        match name {
            "Event" => borrowed(&self.event),
            "Site" => borrowed(&self.site),
            "Round" => borrowed(&self.round),
            "White" => borrowed(&self.white),
            "Black" => borrowed(&self.black),
            "ECO" => borrowed(&self.eco),
            "FEN" => borrowed(&self.start_fen),
            "Result" => Some(Cow::Borrowed(&self.result)),
            "Date" => self.date.map(|days| Cow::Owned(date_text(days))),
            "WhiteElo" => self.white_elo.map(|elo| Cow::Owned(elo.to_string())),
            "BlackElo" => self.black_elo.map(|elo| Cow::Owned(elo.to_string())),
            _ => None,
        }
    }

    /// The date in PGN's form, even if incomplete: that of the first of the tags `Date`, `UTCDate` and `EventDate` with
    /// a year, otherwise the text of `Date`.
    pub fn date_text(&self) -> Option<Cow<'_, str>> {
        let mut dates = Date::TAGS.iter().filter_map(|name| self.tag(name));
        let date = dates.find_map(|text| Date::of_tag(&text)).map(|date| date.to_string());
        date.or_else(|| self.tag("Date")).map(Cow::Owned)
    }
}

/// Adds a name to the list of tag names. A name with special characters is escaped.
fn push_name(order: &mut String, name: &str) {
    // The exact name of an untyped tag is in `other_tags`; here it only has to be a single word.
    let plain = !name.is_empty() && !name.contains([' ', '\\']);
    if plain {
        order.push_str(name);
        return;
    }
    order.push('\\');
    for c in name.chars() {
        match c {
            ' ' => order.push_str("\\s"),
            '\\' => order.push_str("\\\\"),
            c => order.push(c),
        }
    }
}

/// Returns true if two positions are the same, move counters included.
fn same_start(a: &Chess, b: &Chess) -> bool {
    a == b && a.halfmove_clock() == b.halfmove_clock() && a.fullmove_number() == b.fullmove_number()
}

/// Returns true if a game of Makruk or a variant begins from the standard starting position. Its counting does not
/// matter.
fn is_usual_makruk(start: &Makruk) -> bool {
    let usual = Makruk::start(start.rules()).with_policy(start.policy());
    usual == *start && usual.pack() == start.pack()
}

/// Returns true if a number is in canonical form, so that the text can be restored from the number.
fn is_plain_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=9).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_digit)
        && (bytes[0] != b'0' || bytes.len() == 1)
}

fn parse_elo(text: &str) -> Option<i32> {
    let digits = text.trim();
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
