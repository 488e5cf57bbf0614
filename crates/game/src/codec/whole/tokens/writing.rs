//! Writes the tokens of a game.

use halfmove_rules::{AnyPosition, Move};

use super::super::super::number::{push_block, push_number};
use super::super::values::Values;
use super::{
    AFTER_TAGS, BEGIN, BEGIN_COUNT, COMMENT, EARLY_SIGNS, END, ESCAPE, FAR_MOVE, GLYPH,
    LINE_COMMENT, NO_RESULT, NULL_MOVE, RESULT, RESULTS, SIGN, STOP_COUNT, USUAL_RESULT, WORD,
    usual_result,
};
use crate::count_call::CountCall;
use crate::event::Event;
use crate::game::Game;
use crate::levels::Levels;
use crate::pgn::CommentStyle;

/// Appends the tokens of a game, without the comments that `values` stands for.
pub(in super::super) fn write(game: &Game, values: &Values, out: &mut Vec<u8>) {
    let usual = usual_result(&game.tags);
    let mut comments = values.comments.iter().peekable();
    let levels = (game.annotations.variations() > 0).then(|| Levels::new(game.start.clone()));
    let moves = &game.moves;
    let mut writing = Writing { out, waiting: 0, depth: 0, levels, moves, ply: 0 };
    let (mut tags, mut in_tags) = (0_u64, true);
    let (mut has_result, mut is_after_usual) = (false, false);
    for (number, event) in game.events().enumerate() {
        match event {
            Event::Tag(..) => tags += 1,
            Event::EndTags => in_tags = false,
            Event::Move(mv) if writing.depth == 0 => {
                writing.waiting += 1;
                writing.ply += 1;
                if let Some(levels) = &mut writing.levels {
                    levels.play(mv);
                }
            }
            Event::Comment(_) if values.are_alone => {}
            Event::Comment(_) if comments.next_if_eq(&&number).is_some() => {}
            Event::Result(result) => {
                has_result = true;
                is_after_usual = usual == Some(result);
                if !is_after_usual {
                    writing.event(event);
                }
            }
            event => {
                if in_tags {
                    writing.token(AFTER_TAGS);
                    push_number(tags, writing.out);
                } else if std::mem::take(&mut is_after_usual) {
                    writing.token(USUAL_RESULT);
                }
                writing.event(event);
            }
        }
    }
    if !has_result && usual.is_some() {
        writing.token(NO_RESULT);
    }
}

struct Writing<'a> {
    out: &'a mut Vec<u8>,
    /// Half-moves of the main line that are not written yet.
    waiting: usize,
    depth: usize,
    /// The current position, if there are variations.
    levels: Option<Levels<AnyPosition>>,
    moves: &'a [Move],
    ply: usize,
}

impl Writing<'_> {
    fn token(&mut self, token: u8) {
        while self.waiting > 0 {
            let run = self.waiting.min(0x80);
            self.out.push(run as u8 - 1);
            self.waiting -= run;
        }
        self.out.push(token);
    }

    fn text(&mut self, token: u8, text: &str) {
        self.token(token);
        push_block(text.as_bytes(), self.out);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Tag(..) | Event::EndTags => {}
            Event::Move(mv) => {
                let Some(levels) = &mut self.levels else { return };
                push_move(&levels.position, mv, self.out);
                levels.play(mv);
            }
            Event::BeginVariation => {
                self.token(BEGIN);
                self.depth += 1;
                if let Some(levels) = &mut self.levels {
                    levels.begin(&self.moves[..self.ply]);
                }
            }
            Event::EndVariation => {
                self.token(END);
                self.depth = self.depth.saturating_sub(1);
                if let Some(levels) = &mut self.levels {
                    levels.end();
                }
            }
            Event::Comment(comment) => {
                let is_line = comment.style() == CommentStyle::Line;
                let token = if is_line { LINE_COMMENT } else { COMMENT };
                self.text(token, &comment.to_string());
            }
            Event::Escape(text) => self.text(ESCAPE, text),
            Event::Word(text) => {
                self.text(WORD, text);
                if let Some(levels) = &mut self.levels {
                    levels.push_unplayed();
                }
            }
            Event::NullMove(text) => {
                self.text(NULL_MOVE, if text == "--" { "" } else { text });
                if let Some(levels) = &mut self.levels {
                    levels.pass();
                }
            }
            Event::Nag(nag) => match nag.to_parts() {
                (0, number) => {
                    self.token(GLYPH);
                    push_number(u64::from(number), self.out);
                }
                (sign, _) => self.token(SIGN + sign + u8::from(sign > EARLY_SIGNS)),
            },
            Event::CountCall(CountCall::Begin { .. }) => self.token(BEGIN_COUNT),
            Event::CountCall(CountCall::Stop { .. }) => self.token(STOP_COUNT),
            Event::Result(result) => {
                let index = RESULTS.iter().position(|known| *known == result).unwrap_or(3);
                self.token(RESULT + index as u8);
            }
        }
    }
}

/// Appends a legal move of a variation.
fn push_move(position: &AnyPosition, mv: Move, out: &mut Vec<u8>) {
    let moves = position.legal_moves();
    let number = moves.iter().filter(|other| other.to_bits() < mv.to_bits()).count();
    match number.checked_sub(usize::from(FAR_MOVE)) {
        None => out.push(number as u8),
        Some(rest) => {
            out.push(FAR_MOVE);
            push_number(rest as u64, out);
        }
    }
}
