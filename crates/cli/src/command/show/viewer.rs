//! Steps through games: takes commands, and moves through the found games, their main lines and variations. It does not
//! depend on a terminal.

mod screen;

use super::sheet::{Sheet, Step};
use crate::output::grouped;
use halfmove_game::{Game, MoveNumber};
use halfmove_rules::Color;

/// A command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Next,
    Back,
    First,
    Last,
    /// Into the first alternative to the move, then to the next one.
    Variation,
    /// Out of a variation, to the move that it replaces.
    Out,
    NextGame,
    PreviousGame,
    /// A digit of the number of a move.
    Digit(char),
    /// Makes the number that of Black's move.
    Dots,
    /// To the move with the number, or to the next move if none is typed.
    Enter,
    /// Drops the last digit, or goes back if there is none.
    Erase,
    /// Drops the number, or quits if there is none.
    Escape,
    Flip,
    Quit,
}

/// A game to step through.
pub(super) struct Shown {
    pub(super) id: i64,
    pub(super) game: Game,
    /// The fault at which the moves end early.
    pub(super) fault: Option<String>,
    /// The half-moves to begin after.
    pub(super) ply: usize,
}

/// The games to step through.
pub(super) trait Games {
    /// Their number, at least 1.
    fn count(&self) -> u64;

    /// The game with an index, from 0.
    fn open(&mut self, index: u64) -> anyhow::Result<Shown>;
}

/// A line, and the current move in it.
struct Place {
    sheet: Sheet,
    at: usize,
    /// The number of the variation; `None` for the main line.
    number: Option<usize>,
}

/// Games that are stepped through.
pub(super) struct Viewer<'a> {
    games: &'a mut dyn Games,
    index: u64,
    shown: Shown,
    /// The main line.
    main: Place,
    /// The current variation, after those around it.
    variations: Vec<Place>,
    below: Color,
    /// The digits of a move's number, and `...` for Black's.
    typed: String,
    /// The message of the last command, if it has no other effect.
    note: Option<String>,
}

impl<'a> Viewer<'a> {
    /// Begins with the first game, with White below unless the board is flipped.
    pub(super) fn new(games: &'a mut dyn Games, flip: bool) -> anyhow::Result<Self> {
        let shown = games.open(0)?;
        let below = if flip { Color::Black } else { Color::White };
        let (main, typed) = (Place::of(&shown), String::new());
        Ok(Self { games, index: 0, shown, main, variations: Vec::new(), below, typed, note: None })
    }

    /// Runs a command. Returns false if it ends the viewer.
    pub(super) fn press(&mut self, command: Command) -> anyhow::Result<bool> {
        self.note = None;
        let typed = std::mem::take(&mut self.typed);
        match command {
            Command::Digit('0') if typed.is_empty() => self.first(),
            Command::Digit(digit) if !typed.ends_with('.') => {
                self.typed = typed + digit.encode_utf8(&mut [0; 4])
            }
            Command::Digit(_) => self.typed = typed,
            Command::Dots if !typed.is_empty() => {
                self.typed = typed.trim_end_matches('.').to_owned() + "...";
            }
            Command::Erase if !typed.is_empty() => {
                let left = typed.trim_end_matches('.');
                let cut = left.len() - usize::from(left.len() == typed.len());
                self.typed = left[..cut].to_owned();
            }
            Command::Enter if !typed.is_empty() => self.go_to(&typed),
            Command::Escape if !typed.is_empty() => {}
            Command::Escape | Command::Quit => return Ok(false),
            Command::Next | Command::Enter => {
                let place = self.place_mut();
                place.at = (place.at + 1).min(place.last());
            }
            Command::Back | Command::Erase => self.back(),
            Command::First => self.first(),
            Command::Last => {
                let place = self.place_mut();
                place.at = place.last();
            }
            Command::Variation => self.enter(),
            Command::Out => {
                if self.variations.pop().is_none() {
                    self.note = Some("this is the main line".to_owned());
                }
            }
            Command::NextGame => self.open(self.index.checked_add(1))?,
            Command::PreviousGame => self.open(self.index.checked_sub(1))?,
            Command::Flip => self.below = !self.below,
            Command::Dots => {}
        }
        Ok(true)
    }

    /// The current line.
    fn place(&self) -> &Place {
        self.variations.last().unwrap_or(&self.main)
    }

    fn place_mut(&mut self) -> &mut Place {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    fn step(&self) -> &Step {
        let place = self.place();
        &place.sheet.steps[place.at]
    }

    /// To the start of the game, or to the first move of a variation.
    fn first(&mut self) {
        let place = self.place_mut();
        place.at = place.first();
    }

    /// One half-move back, out of a variation at its first.
    fn back(&mut self) {
        while self.place().at == self.place().first() && self.variations.pop().is_some() {}
        let place = self.place_mut();
        place.at = place.at.saturating_sub(1).max(place.first());
    }

    /// Into the first alternative to the current move; from the first move of a variation that has none, to the next
    /// alternative to the same move, and after the last back to the move itself.
    fn enter(&mut self) {
        let here = self.place();
        let (mut from, is_first) = (None, here.at == here.first());
        if self.step().variations.is_empty() && is_first {
            from = self.variations.pop().and_then(|place| place.number);
        }
        let numbers: Vec<usize> = self.step().variations.iter().map(|line| line.number).collect();
        let is_left = from.is_some();
        for number in numbers.into_iter().filter(|number| from.is_none_or(|from| *number > from)) {
            let sheet = Sheet::of_variation(&self.shown.game, number);
            // A variation may have no move that can be played.
            if sheet.steps.len() > 1 {
                self.variations.push(Place { sheet, at: 1, number: Some(number) });
                return;
            }
        }
        if !is_left {
            self.note = Some("this move has no variations".to_owned());
        }
    }

    /// To the move with a number: of the current line, else of the main line.
    fn go_to(&mut self, typed: &str) {
        let Ok(number) = typed.parse::<MoveNumber>() else {
            self.note = Some(format!("there is no move {typed}"));
            return;
        };
        if let Some(at) = self.place().find(number) {
            self.place_mut().at = at;
        } else if let Some(at) = self.main.find(number) {
            self.variations.clear();
            self.main.at = at;
        } else {
            let range = self.main.range();
            self.note = Some(format!("there is no move {number:#}: the game has {range}"));
        }
    }

    /// Opens another game.
    fn open(&mut self, index: Option<u64>) -> anyhow::Result<()> {
        let count = self.games.count();
        let Some(index) = index.filter(|index| *index < count) else {
            let which = if self.index == 0 { "first" } else { "last" };
            self.note = Some(match count {
                1 => "this is the only game".to_owned(),
                _ => format!("this is the {which} of {} games", grouped(count)),
            });
            return Ok(());
        };
        self.shown = self.games.open(index)?;
        (self.index, self.main) = (index, Place::of(&self.shown));
        self.variations.clear();
        Ok(())
    }
}

impl Place {
    /// The main line of a game, where it begins to be shown.
    fn of(shown: &Shown) -> Self {
        let sheet = Sheet::of(&shown.game);
        let at = shown.ply.min(sheet.steps.len() - 1);
        Self { sheet, at, number: None }
    }

    /// The first step that can be shown: the start of a game, the first move of a variation.
    fn first(&self) -> usize {
        usize::from(self.number.is_some())
    }

    fn last(&self) -> usize {
        self.sheet.steps.len() - 1
    }

    /// The step with a number.
    fn find(&self, number: MoveNumber) -> Option<usize> {
        self.sheet.steps.iter().position(|step| step.number == Some(number))
    }

    /// The numbers of its moves: `moves 1 to 38...`.
    fn range(&self) -> String {
        let mut numbers = self.sheet.steps.iter().filter_map(|step| step.number);
        match (numbers.clone().next(), numbers.next_back()) {
            (Some(first), Some(last)) => format!("moves {first:#} to {last:#}"),
            _ => "no moves".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_game::pgn::read_game;
    use unicode_width::UnicodeWidthStr;

    const GAME: &str = "[White \"Morphy, Paul\"]\n[Black \"Duke\u{1b}[2J\"]\n[BlackElo \"1800\"]\n[Event \"Opera\"]\n\
        [Date \"1858.??.??\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:09:58] [%eval -1.25] the king's pawn} \
        e5 2. Nf3 d6 $6 (2... Nc6 3. Bb5) 3. d4 1-0\n";

    /// Games with the ids 10, 20 …, and the half-moves to begin after.
    struct Texts<'a>(&'a [&'a str], usize);

    impl Games for Texts<'_> {
        fn count(&self) -> u64 {
            self.0.len() as u64
        }

        fn open(&mut self, index: u64) -> anyhow::Result<Shown> {
            let game = read_game(self.0[usize::try_from(index)?])?;
            Ok(Shown { id: 10 * (i64::try_from(index)? + 1), game, fault: None, ply: self.1 })
        }
    }

    /// The screen after a command.
    fn press(viewer: &mut Viewer<'_>, command: Command) -> Vec<String> {
        assert!(viewer.press(command).unwrap());
        viewer.screen(24, 80)
    }

    #[test]
    fn keys_move_through_the_game() {
        let mut games = Texts(&[GAME], 0);
        let mut viewer = Viewer::new(&mut games, false).unwrap();
        let mut shown = |command: Option<Command>| {
            assert!(command.is_none_or(|command| viewer.press(command).unwrap()));
            viewer.screen(24, 80)
        };
        let start = shown(None);
        assert_eq!(start[0], "Morphy, Paul – Duke\\u{1b}[2J (1800)   1-0");
        assert_eq!(start[1], "Opera, 1858.??.??");
        assert_eq!(start[3], "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜    the start");
        assert!(start.contains(&"1. e4 e5 2. Nf3 d6 3. d4".to_owned()), "{start:#?}");
        // There is nothing before the start.
        assert_eq!(shown(Some(Command::Back)), start);

        let e4 = shown(Some(Command::Next));
        assert_eq!(e4[3], "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜    1. e4");
        assert_eq!(e4[4], "7  ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟    clock 0:09:58");
        assert_eq!(e4[5], "6  · · · · · · · ·    evaluation −1.25");
        assert_eq!(e4[7], "4  · · · · ♙ · · ·    the king's pawn");
        assert!(e4.contains(&"[1. e4] e5 2. Nf3 d6 3. d4".to_owned()), "{e4:#?}");
        assert!(
            e4.contains(&"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned())
        );
        assert_eq!(e4[e4.len() - 2], "move 1 of 3");
        assert_eq!(start[start.len() - 2], "moves 1 to 3");

        let last = shown(Some(Command::Last));
        assert!(last.contains(&"1. e4 e5 2. Nf3 d6 [3. d4]".to_owned()));
        assert_eq!(shown(Some(Command::Next)), last);
        let d6 = shown(Some(Command::Back));
        assert!(d6[3].ends_with("2... d6?!") && d6[5].ends_with("(2... Nc6 3. Bb5)"), "{d6:#?}");

        let flipped = shown(Some(Command::Flip));
        assert_eq!(flipped[3], "1  ♖ · ♗ ♔ ♕ ♗ ♘ ♖    2... d6?!");
        assert_eq!(shown(Some(Command::Flip)), d6);
        assert_eq!(shown(Some(Command::First)), start);
        assert!(!viewer.press(Command::Quit).unwrap());
    }

    /// Into variations, from one to the next, and out of them.
    #[test]
    fn variations() {
        let text =
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) (2. b4) 2... d6) (Zz) (1... e6 2. d4) 2. Nf3 *";
        let mut games = Texts(&[text], 2);
        let mut viewer = Viewer::new(&mut games, false).unwrap();
        let mut at = |command: Command| {
            let screen = press(&mut viewer, command);
            let name = screen[3].split("    ").nth(1).unwrap_or_default().to_owned();
            (name, screen[screen.len() - 2].clone())
        };
        use Command::{Back, Enter, First, Last, Next, Out, Variation};
        for (number, (command, name, state)) in [
            (Variation, "1... c5", "variation, move 1... of 2..."),
            (Next, "2. Nf3", "variation, move 2 of 2..."),
            (Variation, "2. c3", "variation, move 2 of 2..."),
            (Next, "2... d5", "variation, move 2... of 2..."),
            (First, "2. c3", "variation, move 2 of 2..."),
            (Variation, "2. b4", "variation, move 2 of 2"),
            // After the last, the move itself.
            (Variation, "2. Nf3", "variation, move 2 of 2..."),
            (Variation, "2. c3", "variation, move 2 of 2..."),
            (Back, "1... c5", "variation, move 1... of 2..."),
            // The next alternative; one without a move is passed over.
            (Variation, "1... e6", "variation, move 1... of 2"),
            (Last, "2. d4", "variation, move 2 of 2"),
            (Out, "1... e5", "move 1... of 2"),
            (Variation, "1... c5", "variation, move 1... of 2..."),
            // Before its first move, the lines are the same.
            (Back, "1. e4", "move 1 of 2"),
            (Variation, "1. e4", "this move has no variations"),
            (Out, "1. e4", "this is the main line"),
            (Enter, "1... e5", "move 1... of 2"),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(at(command), (name.to_owned(), state.to_owned()), "{number}");
        }
    }

    #[test]
    fn moves_by_number_and_other_games() {
        let other =
            "[White \"Other\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n";
        let mut games = Texts(&[GAME, other], 1);
        let mut viewer = Viewer::new(&mut games, false).unwrap();
        let mut state = |command: Command| {
            let screen = press(&mut viewer, command);
            screen[screen.len() - 2].clone()
        };
        use Command::{Digit, Dots, Enter, Erase, Escape, NextGame, PreviousGame};
        for (number, (command, expected)) in [
            (Digit('2'), "move 2: Enter goes there"),
            (Dots, "move 2...: Enter goes there"),
            (Enter, "game 1 of 2 (id 10), move 2... of 3"),
            (Digit('0'), "game 1 of 2 (id 10), moves 1 to 3"),
            (Digit('1'), "move 1: Enter goes there"),
            (Digit('0'), "move 10: Enter goes there"),
            (Enter, "there is no move 10: the game has moves 1 to 3"),
            (Digit('3'), "move 3: Enter goes there"),
            (Dots, "move 3...: Enter goes there"),
            (Erase, "move 3: Enter goes there"),
            (Erase, "game 1 of 2 (id 10), moves 1 to 3"),
            (Digit('3'), "move 3: Enter goes there"),
            (Escape, "game 1 of 2 (id 10), moves 1 to 3"),
            (PreviousGame, "this is the first of 2 games"),
            (NextGame, "game 2 of 2 (id 20), move 40... of 41"),
            (NextGame, "this is the last of 2 games"),
            (Digit('4'), "move 4: Enter goes there"),
            (Digit('1'), "move 41: Enter goes there"),
            (Enter, "game 2 of 2 (id 20), move 41 of 41"),
            (PreviousGame, "game 1 of 2 (id 10), move 1 of 3"),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(state(command), expected, "{number}");
        }
    }

    /// On terminals of any size, no line is too long, and long comments are cut.
    #[test]
    fn screens_of_all_sizes() {
        let long = "word ".repeat(400) + &"x".repeat(300);
        let text = format!("1. e4 {{{long}}} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *");
        let texts = [text.as_str()];
        for columns in [1, 20, 40, 80, 200] {
            for rows in [1, 10, 24, 60] {
                for ply in 0..=8 {
                    let mut games = Texts(&texts, ply);
                    let viewer = Viewer::new(&mut games, true).unwrap();
                    let screen = viewer.screen(rows, columns);
                    assert!(
                        screen.iter().all(|line| UnicodeWidthStr::width(line.as_str()) <= columns),
                        "{columns}"
                    );
                    assert!(
                        screen.len() <= rows.max(screen::AROUND + 9),
                        "{rows}: {}",
                        screen.len()
                    );
                }
            }
        }
        let mut games = Texts(&texts, 1);
        let screen = Viewer::new(&mut games, false).unwrap().screen(24, 80);
        assert!(screen.iter().any(|line| line.ends_with("…")), "{screen:#?}");
    }
}
