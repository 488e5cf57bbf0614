//! Records the events of the tokenizer, in the terms of its oracle, and skips selected parts.

use halfmove_game::GameResult;
use halfmove_game::pgn::{CommentStyle, Flow, Nag, Place, Problem, Text, Visitor, Word};

use crate::slow_reader::{At, Bytes, Event};

/// The games and variations to skip, selected by their byte offsets, which are as good as random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skips {
    /// Every game whose number, from 0, is a multiple of this.
    pub(crate) games: Option<u64>,
    /// Every variation whose offset is a multiple of this.
    pub(crate) variations: Option<u64>,
}

impl Skips {
    pub(crate) const NONE: Skips = Skips { games: None, variations: None };

    fn game(self, number: u64) -> Flow {
        flow(self.games, number)
    }

    fn variation(self, offset: u64) -> Flow {
        flow(self.variations, offset)
    }

    /// The events of game `number` that are left for a visitor with these skips.
    ///
    /// A skipped game keeps its tags, its result and its end. A skipped variation keeps its
    /// beginning and its end; and if it or a comment in it does not end, that is still reported, because
    /// the rest of the main line may be inside.
    pub(crate) fn apply<'a>(self, events: Vec<Event<'a>>, number: u64) -> Vec<Event<'a>> {
        let mut kept = Vec::with_capacity(events.len());
        let mut in_skipped_game = false;
        // The number of open variations, and the depth at which the skipped one began.
        let mut depth = 0_usize;
        let mut skipped_from = None;
        for event in events {
            let is_kept = match &event {
                Event::EndTags => {
                    in_skipped_game = self.game(number) == Flow::Skip;
                    true
                }
                Event::EndGame => true,
                Event::Result(..) => true,
                _ if in_skipped_game => false,
                Event::BeginVariation(at) => {
                    depth += 1;
                    let is_kept = skipped_from.is_none();
                    if is_kept && self.variation(at.offset) == Flow::Skip {
                        skipped_from = Some(depth);
                    }
                    is_kept
                }
                Event::EndVariation => {
                    let is_kept = skipped_from.is_none_or(|from| from == depth);
                    if skipped_from == Some(depth) {
                        skipped_from = None;
                    }
                    depth -= 1;
                    is_kept
                }
                Event::Problem(Problem::UnclosedVariation | Problem::UnclosedComment, _) => true,
                _ => skipped_from.is_none(),
            };
            if is_kept {
                kept.push(event);
            }
        }
        kept
    }
}

fn flow(every: Option<u64>, number: u64) -> Flow {
    match every {
        Some(every) if number.is_multiple_of(every) => Flow::Skip,
        _ => Flow::Read,
    }
}

/// Records all calls. Without `COMMENTS`, it declines comments in movetext.
#[derive(Debug)]
pub(crate) struct Recorder<const COMMENTS: bool> {
    pub(crate) events: Vec<Event<'static>>,
    pub(crate) skips: Skips,
    /// The number of games that have ended.
    pub(crate) games: u64,
}

impl<const COMMENTS: bool> Recorder<COMMENTS> {
    pub(crate) fn new(skips: Skips) -> Recorder<COMMENTS> {
        Recorder { events: Vec::new(), skips, games: 0 }
    }
}

fn at(place: Place<'_>) -> At {
    let offset = place.offset();
    let at = place.line_column();
    At { offset, line: at.line, column: at.column }
}

fn owned(bytes: &[u8]) -> Bytes<'static> {
    Bytes(bytes.to_vec().into())
}

impl<const COMMENTS: bool> Visitor for Recorder<COMMENTS> {
    const COMMENTS: bool = COMMENTS;

    fn begin_game(&mut self, place: Place<'_>) {
        self.events.push(Event::BeginGame(at(place)));
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        self.events.push(Event::Tag(owned(name.as_bytes()), owned(value.as_bytes()), at(place)));
    }

    fn end_tags(&mut self) -> Flow {
        self.events.push(Event::EndTags);
        self.skips.game(self.games)
    }

    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        assert_eq!(san, Word::new(san.as_bytes()), "a word's number is that of its bytes");
        self.events.push(Event::San(owned(san.as_bytes()), at(place)));
    }

    fn nag(&mut self, nag: Nag, place: Place<'_>) {
        self.events.push(Event::Nag(nag, at(place)));
    }

    fn comment(&mut self, text: Text<'_>, style: CommentStyle, place: Place<'_>) {
        self.events.push(Event::Comment(owned(text.as_bytes()), style, at(place)));
    }

    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        self.events.push(Event::Escape(owned(text.as_bytes()), at(place)));
    }

    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        let at = at(place);
        self.events.push(Event::BeginVariation(at));
        self.skips.variation(at.offset)
    }

    fn end_variation(&mut self) {
        self.events.push(Event::EndVariation);
    }

    fn result(&mut self, result: GameResult, place: Place<'_>) {
        self.events.push(Event::Result(result, at(place)));
    }

    fn variation_result(&mut self, result: GameResult, place: Place<'_>) {
        self.events.push(Event::VariationResult(result, at(place)));
    }

    fn end_game(&mut self) {
        self.events.push(Event::EndGame);
        self.games += 1;
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        self.events.push(Event::Problem(problem, at(place)));
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.events.push(Event::Outside(owned(text), at(place)));
    }
}
