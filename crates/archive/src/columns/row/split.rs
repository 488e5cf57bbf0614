//! Converting tags to columns, without allocations per game.

use halfmove_functions::tags::TYPED;
use halfmove_game::{GameResult, Tags};
use halfmove_rules::{AnyPosition, Chess};

use super::super::facts::{FACT_TAGS, TagFacts, standard_day};
use super::{is_plain_number, is_usual_makruk, parse_elo, push_name, same_start};

/// The index of `Date` in [`FACT_TAGS`].
const DATE: usize = 0;

/// Splits the tags of many games, caching the layout of the last game's tags: the games of a file usually
/// have the same names in the same order.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    usual: Chess,
    layout: Layout,
    /// The indices of the tags that go into `other_tags`.
    others: Vec<usize>,
}

/// The names of a game's tags, and data derived from the names.
#[derive(Debug, Default)]
struct Layout {
    /// All names, one after the other.
    names: String,
    /// The end of each tag's name, and the target of its value.
    tags: Vec<(usize, Target)>,
    /// The column `tag_order`.
    order: String,
}

/// The target of a tag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The column of this tag of [`TYPED`].
    Column(usize),
    /// `other_tags`.
    Others,
    /// `other_tags`, and columns that are computed from this tag of [`FACT_TAGS`].
    Fact(usize),
}

/// The columns of one game that are filled from its tags; [`Row`](super::Row) describes them.
#[derive(Debug, Default)]
pub(crate) struct Split<'t, 's> {
    pub(crate) event: Option<&'t str>,
    pub(crate) site: Option<&'t str>,
    pub(crate) round: Option<&'t str>,
    pub(crate) white: Option<&'t str>,
    pub(crate) black: Option<&'t str>,
    /// Day and year of the tag `Date`, if its text can be restored from them.
    pub(crate) of_date: (Option<i32>, Option<i32>),
    /// The texts from which further columns are computed.
    pub(crate) facts: TagFacts<'t>,
    pub(crate) result: &'t str,
    /// The result in the tag `Result`, if its spelling is nonstandard.
    tag_result: Option<GameResult>,
    pub(crate) white_elo: Option<i32>,
    pub(crate) black_elo: Option<i32>,
    pub(crate) eco: Option<&'t str>,
    /// True if the game begins from the standard starting position.
    pub(crate) usual: bool,
    /// The text of the tag `FEN`, if it is exactly the start of the game and not the standard starting
    /// position.
    pub(crate) fen: Option<&'t str>,
    pub(crate) tag_order: &'s str,
    /// The total length of all names and values.
    pub(crate) text_bytes: usize,
    /// The indices of the tags that go into `other_tags`, in ascending order.
    pub(crate) others: &'s [usize],
}

impl Layout {
    fn fits(&self, tags: &Tags) -> bool {
        let mut from = 0;
        tags.len() == self.tags.len()
            && tags.iter().zip(&self.tags).all(|((name, _), &(end, _))| {
                let same = self.names.as_bytes().get(from..end) == Some(name.as_bytes());
                from = end;
                same
            })
    }

    fn learn(&mut self, tags: &Tags) {
        self.names.clear();
        self.tags.clear();
        self.order.clear();
        let mut seen = 0_u16;
        for (index, (name, _)) in tags.iter().enumerate() {
            if index > 0 {
                self.order.push(' ');
            }
            push_name(&mut self.order, name);
            let typed = TYPED.iter().position(|typed| *typed == name);
            let target = match typed {
                Some(typed) if seen & (1 << typed) == 0 => {
                    seen |= 1 << typed;
                    Target::Column(typed)
                }
                _ => FACT_TAGS
                    .iter()
                    .position(|fact| *fact == name)
                    .map_or(Target::Others, Target::Fact),
            };
            self.names.push_str(name);
            self.tags.push((self.names.len(), target));
        }
    }
}

impl Splitter {
    /// Splits a game's tags into columns.
    pub(crate) fn split<'t, 's>(
        &'s mut self,
        tags: &'t Tags,
        start: &AnyPosition,
        result: Option<GameResult>,
    ) -> Split<'t, 's> {
        if !self.layout.fits(tags) {
            self.layout.learn(tags);
        }
        self.others.clear();
        let usual = match start {
            AnyPosition::Chess(start) => same_start(start, &self.usual),
            AnyPosition::Makruk(start) => is_usual_makruk(start),
        };
        let mut split = Split { usual, ..Split::default() };
        for (index, ((_, value), &(_, target))) in tags.iter().zip(&self.layout.tags).enumerate() {
            split.text_bytes += value.len();
            let restorable = match target {
                Target::Column(typed) => split.take(TYPED[typed], value, start),
                Target::Others => false,
                Target::Fact(fact) => {
                    split.facts.note(fact, value);
                    false
                }
            };
            if !restorable {
                self.others.push(index);
            }
        }
        if split.result.is_empty() {
            split.result = result.or(split.tag_result).unwrap_or(GameResult::Unknown).as_str();
        }
        split.text_bytes += self.layout.names.len();
        split.tag_order = &self.layout.order;
        split.others = &self.others;
        split
    }
}

impl<'t> Split<'t, '_> {
    /// Stores a tag in its column. Returns true if exactly this text can be restored from it.
    fn take(&mut self, name: &str, value: &'t str, start: &AnyPosition) -> bool {
        match name {
            "Event" => self.event = Some(value),
            "Site" => self.site = Some(value),
            "Round" => self.round = Some(value),
            "White" => self.white = Some(value),
            "Black" => self.black = Some(value),
            "ECO" => self.eco = Some(value),
            "Date" => {
                let Some(of_date) = standard_day(value) else {
                    self.facts.note(DATE, value);
                    return false;
                };
                self.of_date = of_date;
            }
            "Result" => {
                let token = matches!(value, "1-0" | "0-1" | "1/2-1/2" | "*");
                if token {
                    self.result = value;
                } else {
                    self.tag_result = GameResult::from_token(value.as_bytes());
                }
                return token;
            }
            "WhiteElo" => {
                self.white_elo = parse_elo(value);
                return is_plain_number(value);
            }
            "BlackElo" => {
                self.black_elo = parse_elo(value);
                return is_plain_number(value);
            }
            "FEN" => {
                // The text goes into the column only if it is the exact start of this game.
                let exact = !self.usual
                    && match start {
                        AnyPosition::Chess(start) => Chess::from_fen(value, None)
                            .is_ok_and(|parsed| same_start(&parsed, start)),
                        // FENs of these games may use several dialects; the column uses one.
                        AnyPosition::Makruk(start) => start.to_string() == value,
                    };
                if exact {
                    self.fen = Some(value);
                }
                return exact;
            }
            _ => return false,
        }
        true
    }
}
