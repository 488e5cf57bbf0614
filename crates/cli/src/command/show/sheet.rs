//! A game move by move, with the annotations of each move: its main line, or one of its variations.

use halfmove_game::{Clock, Evaluation, Event, Game, MoveNumber, Score};
use halfmove_rules::{AnyPosition, CastlingStyle, Color, Move};

/// The start of a line and its moves, in order.
pub(super) struct Sheet {
    pub(super) steps: Vec<Step>,
}

/// A move, or the start before the first one.
pub(super) struct Step {
    /// The move in UCI. Castling is the king's target in chess, and king takes rook in Chess960.
    pub(super) uci: String,
    /// The move in SAN. At the start, this and `uci` are empty.
    pub(super) san: String,
    /// The number of the move; `None` at the start.
    pub(super) number: Option<MoveNumber>,
    pub(super) is_white: bool,
    /// The position after it. In Makruk, this includes the counts that were claimed up to there.
    pub(super) position: AnyPosition,
    pub(super) glyphs: Vec<String>,
    pub(super) clock: Option<Clock>,
    pub(super) evaluation: Option<Evaluation>,
    pub(super) comments: Vec<String>,
    /// The alternatives to the move.
    pub(super) variations: Vec<Variation>,
}

/// An alternative to a move.
pub(super) struct Variation {
    /// Its number among all variations of the game, in the order of the text, from 0.
    pub(super) number: usize,
    /// The whole variation in parentheses.
    pub(super) text: String,
}

impl Step {
    /// The start, in a position.
    fn start(position: AnyPosition) -> Self {
        Self {
            uci: String::new(),
            san: String::new(),
            number: None,
            is_white: false,
            position,
            glyphs: Vec::new(),
            clock: None,
            evaluation: None,
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// A move in a position, which is replaced by the position after the move when the game
    /// continues.
    fn played(position: &AnyPosition, uci: String, san: String) -> Self {
        Self {
            uci,
            san,
            number: Some(MoveNumber::of(position)),
            is_white: position.side_to_move() == Color::White,
            ..Self::start(position.clone())
        }
    }

    fn of(position: &AnyPosition, mv: Move) -> Self {
        let style = match position {
            AnyPosition::Chess(chess) if chess.is_chess960() => CastlingStyle::KingTakesRook,
            _ => CastlingStyle::KingToTarget,
        };
        let uci = match position {
            AnyPosition::Makruk(makruk) => makruk.uci(mv).to_string(),
            AnyPosition::Chess(_) => mv.uci(style).to_string(),
        };
        Self::played(position, uci, position.san(mv).to_string())
    }

    /// The move with its number and its glyphs: `12... Nf6!?`.
    pub(super) fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{number} {}{}", self.san, signs(&self.glyphs)),
            None => "the start".to_owned(),
        }
    }
}

/// A clock and an evaluation for people: `clock 0:04:57`, `evaluation +0.30`.
pub(super) fn values(clock: Option<Clock>, evaluation: Option<Evaluation>) -> Vec<String> {
    let clock = clock.map(|clock| format!("clock {clock}"));
    let evaluation = evaluation.map(|evaluation| match evaluation.score() {
        Score::Centipawns(cp) => {
            let sign = if cp < 0 { "−" } else { "+" };
            format!("evaluation {sign}{}.{:02}", cp.abs() / 100, cp.abs() % 100)
        }
        Score::Mate(moves) if moves < 0 => format!("Black mates in {}", -moves),
        Score::Mate(moves) => format!("White mates in {moves}"),
    });
    clock.into_iter().chain(evaluation).collect()
}

/// Glyphs after a move: `!?` follows it directly, all others after a space.
fn signs(glyphs: &[String]) -> String {
    let is_suffix = |glyph: &str| glyph.bytes().all(|byte| matches!(byte, b'!' | b'?'));
    let sign = |glyph: &String| if is_suffix(glyph) { glyph.clone() } else { format!(" {glyph}") };
    glyphs.iter().map(sign).collect()
}

impl Sheet {
    /// The main line.
    pub(super) fn of(game: &Game) -> Self {
        Self::line(game, None)
    }

    /// The variation with a number. Its start is the position before its first move.
    pub(super) fn of_variation(game: &Game, number: usize) -> Self {
        Self::line(game, Some(number))
    }

    /// Goes through the whole game once.
    fn line(game: &Game, wanted: Option<usize>) -> Self {
        let mut steps = Vec::new();
        let mut here = Step::start(game.start.clone());
        // The number of the next variation.
        let mut next = 0;
        let mut is_inside = wanted.is_none();
        let mut depth = 0_usize;
        // True if the next move of a variation is written with its number, even if it is Black's.
        let mut is_cut = true;
        let mut walk = game.walk();
        while let Some((event, position)) = walk.step() {
            let begins = matches!(event, Event::BeginVariation);
            let number = next;
            next += usize::from(begins);
            if !is_inside {
                is_inside = begins && wanted == Some(number);
                continue;
            }
            if depth == 0 {
                here.position.clone_from(position);
                match event {
                    Event::EndVariation => break,
                    // A null move, or a word that cannot be played, after which no moves follow.
                    Event::NullMove(text) => {
                        let null = Step::played(position, String::new(), text.to_owned());
                        steps.push(std::mem::replace(&mut here, null));
                    }
                    Event::Word(text) if wanted.is_some() => here.comments.push(text.to_owned()),
                    Event::Move(mv) => {
                        steps.push(std::mem::replace(&mut here, Step::of(position, mv)));
                    }
                    Event::Nag(nag) => here.glyphs.push(glyph(nag)),
                    Event::Comment(comment) => {
                        here.clock = here.clock.or(comment.clock());
                        here.evaluation = here.evaluation.or(comment.evaluation());
                        let text = comment.text();
                        if !text.is_empty() {
                            here.comments.push(text.into_owned());
                        }
                    }
                    Event::BeginVariation => {
                        here.variations.push(Variation { number, text: "(".to_owned() });
                        (depth, is_cut) = (1, true);
                    }
                    _ => {}
                }
                continue;
            }
            let Some(Variation { text: line, .. }) = here.variations.last_mut() else { continue };
            match event {
                Event::Move(mv) => {
                    if is_cut || position.side_to_move() == Color::White {
                        add(line, &MoveNumber::of(position).to_string());
                    }
                    add(line, &position.san(mv).to_string());
                    is_cut = false;
                }
                Event::NullMove(text) | Event::Word(text) => add(line, text),
                Event::Nag(nag) => {
                    line.push_str(&signs(&[glyph(nag)]));
                }
                Event::Comment(comment) => {
                    let text = comment.text();
                    if !text.is_empty() {
                        add(line, &format!("{{{text}}}"));
                        is_cut = true;
                    }
                }
                Event::BeginVariation => {
                    add(line, "(");
                    (depth, is_cut) = (depth + 1, true);
                }
                Event::EndVariation => {
                    line.push(')');
                    (depth, is_cut) = (depth - 1, true);
                }
                _ => {}
            }
        }
        if wanted.is_none() {
            here.position = game.final_position();
        }
        steps.push(here);
        Self { steps }
    }
}

/// A glyph as a symbol if it has one, else as `$` and its number.
fn glyph(nag: halfmove_game::pgn::Nag) -> String {
    nag.symbol().map_or_else(|| nag.to_string(), str::to_owned)
}

/// Adds a word after a space.
fn add(line: &mut String, word: &str) {
    if !line.ends_with('(') {
        line.push(' ');
    }
    line.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_game::pgn::read_game;

    #[test]
    fn everything_is_beside_its_move() {
        let text = "{hello} 1. e4 {[%clk 0:09:58] [%eval 0.3] best by test} e5 $1 $14 \
                    (1... c5 {sharp} 2. Nf3 (2. c3 d5) d6 $6) (1... e6) 2. Nf3 {one} {two} *";
        let game = read_game(text).unwrap();
        let Sheet { steps } = Sheet::of(&game);
        let names: Vec<String> = steps.iter().map(Step::name).collect();
        assert_eq!(names, ["the start", "1. e4", "1... e5! +/=", "2. Nf3"]);
        assert_eq!(steps[0].comments, ["hello"]);
        assert_eq!(steps[1].comments, ["best by test"]);
        assert_eq!(steps[1].clock.map(Clock::seconds), Some(598.0));
        assert_eq!(steps[1].evaluation.and_then(Evaluation::centipawns), Some(30));
        let variations = ["(1... c5 {sharp} 2. Nf3 (2. c3 d5) 2... d6?!)", "(1... e6)"];
        assert!(steps[2].variations.iter().map(|line| &line.text).eq(variations));
        assert_eq!(steps[3].comments, ["one", "two"]);
        for (ply, step) in steps.iter().enumerate() {
            assert_eq!(step.position.to_string(), game.position(ply).to_string());
        }
        // Each variation in turn, by its number in the order of the text.
        for (number, expected) in
            ["1... c5 2. Nf3 2... d6?!", "2. c3 2... d5", "1... e6"].into_iter().enumerate()
        {
            let Sheet { steps } = Sheet::of_variation(&game, number);
            let names: Vec<String> = steps[1..].iter().map(Step::name).collect();
            assert_eq!(names.join(" "), expected);
        }
        let sicilian = &Sheet::of_variation(&game, 0).steps;
        assert_eq!(sicilian[0].position.to_string(), game.position(1).to_string());
        assert_eq!(
            (&sicilian[1].comments[0], sicilian[2].variations[0].number),
            (&"sharp".to_owned(), 1)
        );
    }

    /// Null moves and words that cannot be played, which only variations have.
    #[test]
    fn null_moves_and_words() {
        let game = read_game("1. e4 e5 (1... -- 2. d4 Kd4 3. c4) *").unwrap();
        let Sheet { steps } = Sheet::of_variation(&game, 0);
        let names: Vec<String> = steps.iter().map(Step::name).collect();
        assert_eq!(names, ["the start", "1... --", "2. d4"]);
        assert!(steps[1].position.to_string().contains(" w "), "{}", steps[1].position);
        assert_eq!(steps[2].comments, ["Kd4", "c4"]);
    }

    /// Deep nesting does not recurse.
    #[test]
    fn any_depth() {
        let text = format!("1. e4 {}{} *", "(1. d4 ".repeat(20_000), ")".repeat(20_000));
        let Sheet { steps } = Sheet::of(&read_game(&text).unwrap());
        assert_eq!(steps.len(), 2);
        let [line] = &steps[1].variations[..] else { panic!("one variation") };
        assert!(line.text.starts_with("(1. d4 (1. d4 (") && line.text.ends_with(")))"));
    }
}
