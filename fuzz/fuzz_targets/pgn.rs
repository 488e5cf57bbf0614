//! Whatever the bytes: the PGN reader comes to their end without a panic, what it reads does not
//! depend on the portions in which they arrive, every move is legal, and what is written of a game
//! reads back the same.
#![no_main]

use std::io::{self, Read};

use halfmove_game::pgn::{
    CommentStyle, Flow, GameReader, Nag, Place, Problem, Reader, Reading, Text, Visitor, Word,
    write_game,
};
use halfmove_game::{Game, GameBuilder, GameResult};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = events(bytes, usize::MAX, usize::MAX);
    for portion in [1, 7, 4096] {
        assert_eq!(events(bytes, portion, usize::MAX), whole);
    }
    // Here even short tokens are cut.
    assert_eq!(events(bytes, 3, 0), events(bytes, usize::MAX, 0));
    read_and_write(bytes);
});

fn read_and_write(bytes: &[u8]) {
    let mut reader = GameReader::new(bytes);
    let (mut game, mut again) = (Game::default(), Game::default());
    let mut games = 0;
    while let Some(reading) = reader.read(&mut game).unwrap() {
        games += 1;
        if let Reading::Faulty(error) = &reading {
            assert!(error.ply as usize == game.moves.len() + 1 && error.game == games);
        }
        check(&game);
        // Without these, it does not look like a game.
        if game.tags.is_empty() && game.moves.is_empty() {
            continue;
        }
        let text = write_game(&game).unwrap();
        let mut second = GameReader::new(text.as_bytes());
        assert!(second.read(&mut again).unwrap().is_some(), "{text}");
        game.result = game.result.or(again.result);
        // The variant is named where no tag does so.
        if again.tags.iter().zip(&game.tags).all(|(found, tag)| found == tag) {
            game.tags.clone_from(&again.tags);
        }
        assert_eq!(game, again, "{text}");
        assert_eq!(write_game(&again).unwrap(), text);
        assert!(second.read(&mut again).unwrap().is_none(), "{text}");
    }
    assert_eq!(reader.counts().games, games);
}

/// Every move is legal, in variations too, and the same game can be built from its events.
fn check(game: &Game) {
    let mut builder = GameBuilder::new(game.start.clone());
    for event in game.events() {
        builder.push(event).unwrap();
    }
    let mut built = builder.finish();
    built.count_calls.clone_from(&game.count_calls);
    assert_eq!(built, *game);
}

/// All that a visitor is told.
#[derive(Debug, PartialEq)]
enum Event {
    Begin(u64, u64),
    Tag(Vec<u8>, Vec<u8>),
    EndTags,
    San(Vec<u8>, u64),
    Nag(Nag),
    Comment(Vec<u8>),
    BeginVariation,
    EndVariation,
    Result(GameResult),
    EndGame,
    Problem(Problem, u64, u64),
    Outside(Vec<u8>),
}

#[derive(Default)]
struct Events(Vec<Event>);

impl Visitor for Events {
    fn begin_game(&mut self, place: Place<'_>) {
        let at = place.line_column();
        self.0.push(Event::Begin(at.line, at.column));
    }
    fn tag(&mut self, name: Text<'_>, value: Text<'_>, _: Place<'_>) {
        self.0.push(Event::Tag(name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    }
    fn end_tags(&mut self) -> Flow {
        self.0.push(Event::EndTags);
        Flow::Read
    }
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        self.0.push(Event::San(san.as_bytes().to_vec(), place.offset()));
    }
    fn nag(&mut self, nag: Nag, _: Place<'_>) {
        self.0.push(Event::Nag(nag));
    }
    fn comment(&mut self, text: Text<'_>, _: CommentStyle, _: Place<'_>) {
        self.0.push(Event::Comment(text.as_bytes().to_vec()));
    }
    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        self.0.push(Event::BeginVariation);
        Flow::Read
    }
    fn end_variation(&mut self) {
        self.0.push(Event::EndVariation);
    }
    fn result(&mut self, result: GameResult, _: Place<'_>) {
        self.0.push(Event::Result(result));
    }
    fn end_game(&mut self) {
        self.0.push(Event::EndGame);
    }
    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        let at = place.line_column();
        self.0.push(Event::Problem(problem, at.line, at.column));
    }
    fn outside(&mut self, text: &[u8], _: Place<'_>) {
        self.0.push(Event::Outside(text.to_vec()));
    }
}

fn events(bytes: &[u8], portion: usize, longest_token: usize) -> Vec<Event> {
    let mut events = Events::default();
    let longest_token = longest_token.min(16 << 20);
    let mut reader = Reader::with_longest_token(Portions { bytes, portion }, longest_token);
    while reader.read_game(&mut events).unwrap() {}
    events.0
}

struct Portions<'a> {
    bytes: &'a [u8],
    portion: usize,
}

impl Read for Portions<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.portion.min(buffer.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}
