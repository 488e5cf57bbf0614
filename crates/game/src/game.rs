//! Games in memory.

use halfmove_rules::{AnyPosition, Chess, Move};

use crate::annotations::Annotations;
use crate::annotations::entry::{RESULT, after_moves};
use crate::count_call::CountCall;
use crate::date::{Date, TimeOfDay};
use crate::event::Events;
use crate::node::{Line, Node};
use crate::result::GameResult;
use crate::tags::Tags;

/// A complete game of chess, Chess960, Makruk or one of its variants: everything in its text.
///
/// The main line is a plain list of moves. Comments, glyphs, variations and everything else in the text are
/// [`Annotations`], which are empty for a game with only its main line.
///
/// [`Game::node`] and [`Game::main_line`] access it as a tree, [`Game::edit`] annotates it, and [`Game::events`] lists
/// everything in the order of the text.
///
/// The fields can be changed independently; changing one does not update the others. Annotations stay at the half-moves
/// with the same number, and those of removed half-moves follow the last remaining one. If `start` or `moves` change,
/// later moves, including those in variations, may become illegal. Then nothing panics, but positions and SAN are
/// unspecified, and the written game may not be readable. [`Game::truncate`] shortens a game together with its
/// annotations.
///
/// ```
/// use halfmove_game::pgn::read_game;
///
/// let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 {[%clk 0:09:58] The King's Gambit.} \
///             (2. Nf3 $1 Nc6) 2... exf4 1-0\n";
/// let game = read_game(text).unwrap();
/// assert_eq!(game.tags.value("White"), Some("Anderssen"));
/// assert_eq!(game.moves.len(), 4);
///
/// let gambit = game.node(3).unwrap();
/// assert_eq!(gambit.san(), "f4");
/// assert_eq!(gambit.comment().as_deref(), Some("The King's Gambit."));
/// assert_eq!(gambit.clock().map(|clock| clock.to_string()).as_deref(), Some("0:09:58"));
///
/// let instead = gambit.variations().next().unwrap();
/// let sans: Vec<_> = instead.nodes().map(|node| node.san()).collect();
/// assert_eq!(sans, ["Nf3", "Nc6"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The tags, as in the file.
    pub tags: Tags,
    /// The start position: the standard one, or that of the `FEN` tag. It determines the rules and, in Makruk, the
    /// [counting policy](halfmove_rules::makruk::CountingPolicy).
    pub start: AnyPosition,
    /// The main line: legal moves, or null moves ([`Move::NULL`]) out of check, unless callers change it.
    pub moves: Vec<Move>,
    /// Claimed and stopped counts of Makruk, in the order of their plies. Automatic counts follow from the moves.
    pub count_calls: Vec<CountCall>,
    /// The token that ends the movetext, if there is one. The `Result` tag may differ.
    pub result: Option<GameResult>,
    /// Everything else in the text.
    pub annotations: Annotations,
}

impl Default for Game {
    /// An empty game of chess.
    fn default() -> Game {
        Game::from(Chess::default())
    }
}

impl From<AnyPosition> for Game {
    /// An empty game from this start.
    fn from(start: AnyPosition) -> Game {
        Game {
            tags: Tags::new(),
            start,
            moves: Vec::new(),
            count_calls: Vec::new(),
            result: None,
            annotations: Annotations::new(),
        }
    }
}

impl From<Chess> for Game {
    /// An empty game from this start.
    fn from(start: Chess) -> Game {
        Game::from(AnyPosition::Chess(start))
    }
}

impl Game {
    /// Resets this to an empty game of chess from the standard starting position, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.start = Chess::default().into();
        self.moves.clear();
        self.count_calls.clear();
        self.result = None;
        self.annotations.clear();
    }

    /// Truncates the main line to `plies` half-moves, and keeps the tags, the annotations up to there, the result and
    /// the comments after it.
    ///
    /// ```
    /// use halfmove_game::pgn::{read_game, write_game};
    ///
    /// let mut game = read_game("1. e4 {a pawn} (1. d4) e5 2. Nf3 {a knight} (2. f4 exf4) 1-0")?;
    /// game.truncate(2);
    /// assert_eq!(write_game(&game)?, "1. e4 {a pawn} (1. d4) 1... e5 1-0\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truncate(&mut self, plies: usize) {
        if plies < self.moves.len() {
            self.moves.truncate(plies);
            self.count_calls.retain(|call| call.ply() <= plies);
            self.annotations.remove_between(after_moves(plies + 1), RESULT);
        }
    }

    /// Removes this many half-moves from the beginning of the main line, with the annotations up to there. The game then begins
    /// with the position after them, which the tags `SetUp` and `FEN` give.
    ///
    /// ```
    /// use halfmove_game::pgn::{read_game, write_game};
    ///
    /// let mut game = read_game("1. e4 {a pawn} (1. d4) e5! {here} 2. Nf3 {a knight} (2. f4 exf4) 1-0")?;
    /// game.begin_at(2);
    /// let expected = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n\
    ///     2. Nf3 {a knight} (2. f4 exf4) 1-0\n\n";
    /// assert_eq!(write_game(&game)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_at(&mut self, plies: usize) {
        let plies = plies.min(self.moves.len());
        if plies == 0 {
            return;
        }
        self.start = self.position(plies);
        self.moves.drain(..plies);
        self.count_calls.retain(|call| call.ply() > plies);
        for call in &mut self.count_calls {
            let (CountCall::Begin { ply } | CountCall::Stop { ply }) = call;
            *ply -= plies;
        }
        self.annotations.remove_moves(plies);
        self.tags.set("SetUp", "1");
        self.tags.set("FEN", &self.start.to_string());
    }

    /// Writes the dates and the result in the tags as the standard does: `2025-02-23` is `2025.02.23`, `1–0` is `1-0`. The time of a time
    /// stamp moves into the tag that is made for it. A text that is neither a date nor a result stays.
    ///
    /// ```
    /// use halfmove_game::Game;
    ///
    /// let mut game = Game::default();
    /// game.tags = [("Date", "2025-02-23T10:00:00Z"), ("Result", "0.5-0.5")].into_iter().collect();
    /// game.standardize_tags();
    /// let expected = [("Date", "2025.02.23"), ("Result", "1/2-1/2"), ("UTCTime", "10:00:00")];
    /// assert!(game.tags.iter().eq(expected));
    /// ```
    pub fn standardize_tags(&mut self) {
        let tags = &mut self.tags;
        for name in Date::TAGS {
            let Some(text) = tags.value(name) else { continue };
            let Ok(Some(date)) = Date::read(text) else { continue };
            let time = TimeOfDay::of_date(text).filter(|_| name == "Date");
            let is_utc = text.trim().ends_with(['Z', 'z']);
            tags.set(name, &date.to_string());
            let has_time = TimeOfDay::TAGS.into_iter().any(|name| tags.contains(name));
            if let Some(time) = time.filter(|_| !has_time) {
                tags.set(if is_utc { "UTCTime" } else { "Time" }, &time.to_string());
            }
        }
        let Some(text) = tags.value("Result") else { return };
        if let Some(result) = GameResult::from_token(text.as_bytes())
            && text != result.as_str()
        {
            tags.set("Result", result.as_str());
        }
    }

    /// Sets the result in both places: the token that ends the movetext, and the tag.
    ///
    /// ```
    /// use halfmove_game::GameResult;
    /// use halfmove_game::pgn::{read_game, write_game};
    ///
    /// let mut game = read_game("[Result \"*\"]\n\n1. e4 *")?;
    /// game.set_result(GameResult::WhiteWins);
    /// assert_eq!(write_game(&game)?, "[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_result(&mut self, result: GameResult) {
        self.result = Some(result);
        self.tags.set("Result", result.as_str());
    }

    /// The position after the last move of the main line.
    pub fn final_position(&self) -> AnyPosition {
        self.position(self.moves.len())
    }

    /// The position after `plies` half-moves of the main line, or after the last.
    ///
    /// ```
    /// use halfmove_game::pgn::read_game;
    ///
    /// let game = read_game("1. e4 e5 2. Nf3 *").unwrap();
    /// assert_eq!(game.position(2).fullmove_number(), 2);
    /// ```
    pub fn position(&self, plies: usize) -> AnyPosition {
        let mut position = self.start.clone();
        let mut calls = self.count_calls.iter().peekable();
        for ply in 0..=plies.min(self.moves.len()) {
            if ply > 0 {
                position.play_unchecked(self.moves[ply - 1]);
            }
            while let Some(call) = calls.next_if(|call| call.ply() <= ply) {
                call.apply(&mut position);
            }
        }
        position
    }

    /// The start position, if the game is chess or Chess960.
    pub const fn chess_start(&self) -> Option<&Chess> {
        self.start.as_chess()
    }

    /// The half-move `ply` of the main line, from 1; 0 is the start, before the first move.
    pub fn node(&self, ply: usize) -> Option<Node<'_>> {
        Node::main(self, ply)
    }

    /// The main line.
    pub fn main_line(&self) -> Line<'_> {
        Line::main(self)
    }

    /// Everything in the text of the game, in order: first the tags, then the moves with the elements between them, and
    /// finally the result and the comments after it.
    ///
    /// Writers and codecs use this. [`GameBuilder`](crate::GameBuilder) builds the same game from the same events.
    ///
    /// ```
    /// use halfmove_game::pgn::read_game;
    /// use halfmove_game::{Event, GameBuilder};
    ///
    /// let game = read_game("[White \"a\"]\n\n1. e4 {!} (1. d4 -- 2. c4) e5 1-0").unwrap();
    /// let mut builder = GameBuilder::new(game.start.clone());
    /// for event in game.events() {
    ///     builder.push(event)?;
    /// }
    /// assert_eq!(builder.finish(), game);
    /// # Ok::<(), halfmove_game::BuildError>(())
    /// ```
    pub fn events(&self) -> Events<'_> {
        Events::new(self)
    }
}
