//! A game in the order of its text, with its positions.

use halfmove_rules::AnyPosition;

use crate::event::{Event, Events};
use crate::game::Game;
use crate::levels::Levels;

/// An iteration over the [events](Game::events) of a game, with the position at each: see [`Game::walk`].
#[derive(Debug)]
pub struct Walk<'a> {
    game: &'a Game,
    events: Events<'a>,
    levels: Levels<AnyPosition>,
    plies: usize,
    last: Option<Event<'a>>,
}

impl Game {
    /// Iterates over everything in the text of the game, in order, with the position at each step. Every move,
    /// including those in variations, is played once or twice, so this is the way to visit all positions of a game.
    ///
    /// ```
    /// use halfmove_game::Event;
    /// use halfmove_game::pgn::read_game;
    ///
    /// let game = read_game("1. e4 e5 (1... c5 2. Nf3 d6) 2. Bc4 *").unwrap();
    /// let (mut walk, mut moves) = (game.walk(), Vec::new());
    /// while let Some((event, position)) = walk.step() {
    ///     if let Event::Move(mv) = event {
    ///         moves.push(format!("{}{}", position.fullmove_number(), position.san(mv)));
    ///     }
    /// }
    /// assert_eq!(moves, ["1e4", "1e5", "1c5", "2Nf3", "2d6", "2Bc4"]);
    /// ```
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            game: self,
            events: self.events(),
            levels: Levels::new(self.start.clone()),
            plies: 0,
            last: None,
        }
    }
}

impl<'a> Walk<'a> {
    /// The next event and the position at which it happens: for a move, the position before it.
    ///
    /// After a [word](Event::Word) that could not be played, the position remains the last known one until the line
    /// ends.
    pub fn step(&mut self) -> Option<(Event<'a>, &AnyPosition)> {
        match self.last.take() {
            Some(Event::Move(mv)) => {
                self.levels.play(mv);
                self.plies += usize::from(self.levels.is_main());
            }
            Some(Event::CountCall(call)) => {
                call.apply(&mut self.levels.position);
            }
            Some(Event::NullMove(_)) => {
                self.levels.pass();
            }
            Some(Event::Word(_)) => self.levels.push_unplayed(),
            Some(Event::BeginVariation) => {
                self.levels.begin(&self.game.moves[..self.plies]);
            }
            Some(Event::EndVariation) => self.levels.end(),
            _ => {}
        }
        self.last = self.events.next();
        Some((self.last?, &self.levels.position))
    }

    /// Returns true if the current line is the main line.
    pub fn is_main_line(&self) -> bool {
        self.levels.is_main()
    }

    /// The nesting depth of the current line: 0 in the main line.
    pub fn depth(&self) -> usize {
        self.levels.depth()
    }

    /// The number of half-moves from the start of the game to the current position.
    ///
    /// ```
    /// use halfmove_game::Event;
    /// use halfmove_game::pgn::read_game;
    ///
    /// let game = read_game("1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Bc4 *").unwrap();
    /// let (mut walk, mut found) = (game.walk(), Vec::new());
    /// while let Some((event, _)) = walk.step() {
    ///     if matches!(event, Event::Move(_)) {
    ///         found.push((walk.depth(), walk.ply()));
    ///     }
    /// }
    /// assert_eq!(found, [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (0, 2)]);
    /// ```
    pub fn ply(&self) -> usize {
        if self.levels.is_main() { self.plies } else { self.levels.variation_plies() }
    }
}
