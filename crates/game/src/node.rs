//! A game as a tree.

use std::borrow::Cow;
use std::iter::successors;

use halfmove_rules::{AnyPosition, Move};

use crate::annotations::entry::{Kind, MOVES, RESULT, after_moves};
use crate::annotations::{Comment, USUAL_NULL, move_of, nag_of, null_text};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::event::Event;
use crate::game::Game;
use crate::levels::Levels;
use crate::pgn::Nag;

/// A move of a game, in the main line or a variation, with its annotations; or the start of the game, before the first
/// move.
///
/// ```
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("{hello} 1. e4 e5 $1 (1... c5 {sharp} 2. Nf3) 2. Bc4 *").unwrap();
/// let start = game.node(0).unwrap();
/// assert_eq!((start.mv(), start.comment().as_deref()), (None, Some("hello")));
///
/// let reply = start.next().unwrap().next().unwrap();
/// assert_eq!((reply.ply(), reply.san().as_str()), (2, "e5"));
/// assert_eq!(reply.nags().map(|nag| nag.number()).collect::<Vec<_>>(), [1]);
///
/// let sicilian = reply.variations().next().unwrap().first().unwrap();
/// assert_eq!((sicilian.ply(), sicilian.san().as_str()), (2, "c5"));
/// assert_eq!(sicilian.next().unwrap().position().fullmove_number(), 2);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    game: &'a Game,
    id: NodeId,
}

/// The identity of a [`Node`] in a game, for [`Game::edit`].
///
/// In the main line, the id is the ply. The id of a move in a variation is valid until the annotations of the game
/// change; after that it refers to no move, and the move has a new id. To change many moves, use [`Game::edit_all`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId {
    pub(crate) here: Here,
    pub(crate) ply: usize,
    /// The revision of the annotations to which a variation's index refers.
    pub(crate) revision: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Here {
    Main,
    /// The index of the move's entry.
    Variation(usize),
}

impl NodeId {
    /// The move whose entry has this index.
    pub(crate) fn in_variation(game: &Game, index: usize, ply: usize) -> NodeId {
        NodeId { here: Here::Variation(index), ply, revision: game.annotations.revision }
    }

    /// The start and all moves of a game, in the order of the text.
    pub(crate) fn all(game: &Game) -> Vec<NodeId> {
        let entries = &game.annotations.entries;
        let mut ids = Vec::with_capacity(game.moves.len() + entries.len() / 2);
        for ply in 0..=game.moves.len() {
            ids.push(NodeId { here: Here::Main, ply, revision: 0 });
            let at = after_moves(ply);
            // The number of half-moves of the current line, and true if a word follows, which a variation would
            // replace.
            let (mut line, mut around) = ((ply, false), Vec::new());
            let (from, to) = (game.annotations.find(at), game.annotations.find(at + 1));
            for (index, entry) in (from..).zip(&entries[from..to]) {
                match entry.kind {
                    Kind::Begin => {
                        around.push(line);
                        line = (line.0.saturating_sub(usize::from(!line.1)), false);
                    }
                    Kind::End => line = around.pop().unwrap_or(line),
                    Kind::Word => line.1 = true,
                    Kind::Move | Kind::Null => {
                        line = (line.0 + 1, false);
                        ids.push(NodeId::in_variation(game, index, line.0));
                    }
                    _ => {}
                }
            }
        }
        ids
    }
}

/// The main line of a game or one of its variations.
///
/// ```
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 ({or} 1. d4 d5 Kd7) *").unwrap();
/// assert_eq!(game.main_line().nodes().count(), 1);
/// let line = game.node(1).unwrap().variations().next().unwrap();
/// assert_eq!(line.comments().next().map(|comment| comment.to_string()).as_deref(), Some("or"));
/// assert_eq!(line.nodes().map(|node| node.san()).collect::<Vec<_>>(), ["d4", "d5"]);
/// assert_eq!(line.words().collect::<Vec<_>>(), ["Kd7"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    game: &'a Game,
    /// The index of its [`Kind::Begin`]; `None` for the main line.
    begin: Option<usize>,
    /// The number of half-moves before it.
    ply: usize,
}

impl<'a> Node<'a> {
    pub(crate) fn main(game: &'a Game, ply: usize) -> Option<Node<'a>> {
        let id = NodeId { here: Here::Main, ply, revision: 0 };
        (ply <= game.moves.len()).then_some(Node { game, id })
    }

    pub(crate) fn find(game: &'a Game, id: NodeId) -> Option<Node<'a>> {
        match id.here {
            Here::Main => Node::main(game, id.ply),
            Here::Variation(_) if id.revision != game.annotations.revision => None,
            Here::Variation(index) => {
                let kind = game.annotations.entries.get(index)?.kind;
                matches!(kind, Kind::Move | Kind::Null).then_some(Node { game, id })
            }
        }
    }

    /// The id of this move, for [`Game::edit`].
    pub const fn id(self) -> NodeId {
        self.id
    }

    /// The number of half-moves from the start of the game up to and including this one.
    pub const fn ply(self) -> usize {
        self.id.ply
    }

    /// Returns true if it belongs to the main line.
    pub fn is_main_line(self) -> bool {
        self.id.here == Here::Main
    }

    /// The move; `None` for the start of the game and for a null move.
    pub fn mv(self) -> Option<Move> {
        match self.id.here {
            Here::Main => {
                let mv = self.game.moves.get(self.id.ply.checked_sub(1)?);
                mv.copied().filter(|mv| !mv.is_null())
            }
            Here::Variation(index) => {
                let entry = self.game.annotations.entries[index];
                if entry.kind == Kind::Move { move_of(&entry) } else { None }
            }
        }
    }

    /// The move in standard SAN; a null move as in the file, in the main line `--`. Empty for the start of the game.
    /// This plays all moves up to this one; to write many moves, use [`Game::walk`].
    pub fn san(self) -> String {
        match (self.mv(), self.id.here) {
            (Some(mv), _) => self.position_before().san(mv).to_string(),
            (None, Here::Variation(index)) => {
                let annotations = &self.game.annotations;
                null_text(&annotations.entries[index], &annotations.text).to_owned()
            }
            (None, Here::Main) if self.id.ply > 0 => USUAL_NULL.to_owned(),
            (None, Here::Main) => String::new(),
        }
    }

    /// The position after the move. This plays all moves up to this one; to visit many positions, use [`Game::walk`].
    pub fn position(self) -> AnyPosition {
        match self.id.here {
            Here::Main => self.game.position(self.id.ply),
            Here::Variation(index) => position_at(self.game, index, true),
        }
    }

    /// The position before the move and its alternatives.
    pub fn position_before(self) -> AnyPosition {
        match self.id.here {
            Here::Main => self.game.position(self.id.ply.saturating_sub(1)),
            Here::Variation(index) => position_at(self.game, index, false),
        }
    }

    /// The next move of the same line.
    pub fn next(self) -> Option<Node<'a>> {
        let ply = self.id.ply + 1;
        match self.id.here {
            Here::Main => Node::main(self.game, ply),
            Here::Variation(index) => first_move(self.game, index + 1, ply),
        }
    }

    /// The alternatives to this move, in their order.
    pub fn variations(self) -> impl Iterator<Item = Line<'a>> {
        let ply = self.id.ply.saturating_sub(1);
        self.attached(Kind::Begin).map(move |index| Line {
            game: self.game,
            begin: Some(index),
            ply,
        })
    }

    /// The comments on this move; at the start, those before the first move.
    pub fn comments(self) -> impl Iterator<Item = Comment<'a>> {
        let annotations = &self.game.annotations;
        self.attached(Kind::Text).map(|index| Comment::at(annotations, index).0)
    }

    /// The text of all comments on this move, without values; `None` if there is none.
    pub fn comment(self) -> Option<Cow<'a, str>> {
        let mut texts = self.comments().map(Comment::text).filter(|text| !text.is_empty());
        let first = texts.next()?;
        Some(texts.fold(first, |all, text| Cow::Owned(format!("{all} {text}"))))
    }

    /// The glyphs of this move.
    pub fn nags(self) -> impl Iterator<Item = Nag> {
        self.attached(Kind::Nag).map(move |index| nag_of(&self.game.annotations.entries[index]))
    }

    /// The time left after the move (`%clk`).
    pub fn clock(self) -> Option<Clock> {
        self.comments().find_map(Comment::clock)
    }

    /// The time that the move took (`%emt`).
    pub fn elapsed(self) -> Option<Clock> {
        self.comments().find_map(Comment::elapsed)
    }

    /// The evaluation of the position after the move (`%eval`).
    pub fn evaluation(self) -> Option<Evaluation> {
        self.comments().find_map(Comment::evaluation)
    }

    /// The range of entries that holds its annotations; the end is an upper bound.
    pub(crate) fn range(self) -> (usize, usize) {
        let annotations = &self.game.annotations;
        match self.id.here {
            Here::Main => {
                let at = after_moves(self.id.ply);
                (annotations.find(at), annotations.find(at + 1))
            }
            Here::Variation(index) => (index + 1, annotations.entries.len()),
        }
    }

    /// The indices of the entries of one kind that belong to this move; [`Kind::Text`] selects all parts that begin a
    /// comment.
    fn attached(self, kind: Kind) -> impl Iterator<Item = usize> {
        let (from, to) = self.range();
        items(self.game, from, to).filter(move |&index| match kind {
            Kind::Text => {
                self.game.annotations.entries[index].has(crate::annotations::entry::FIRST)
            }
            _ => self.game.annotations.entries[index].kind == kind,
        })
    }
}

/// The indices of the entries that belong to the move before `from`: up to the next move or word of the same line,
/// without the content of variations.
pub(crate) fn items(game: &Game, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let annotations = &game.annotations;
    let found = move |index: usize| {
        let entry = annotations.entries.get(index).filter(|_| index < to)?;
        let belongs = !matches!(entry.kind, Kind::Move | Kind::Null | Kind::Word | Kind::End);
        belongs.then_some(index)
    };
    successors(found(from), move |&index| found(annotations.skip(index)))
}

/// The next move of a line, if no word comes before it.
fn first_move(game: &Game, from: usize, ply: usize) -> Option<Node<'_>> {
    let annotations = &game.annotations;
    let last = items(game, from, annotations.entries.len()).last();
    let index = last.map_or(from, |index| annotations.skip(index));
    Node::find(game, NodeId::in_variation(game, index, ply))
}

/// The position before or after the move at `index`, in a variation. Only the enclosing variations are visited.
fn position_at(game: &Game, index: usize, after: bool) -> AnyPosition {
    let annotations = &game.annotations;
    let entries = &annotations.entries;
    let plies = (entries[index].at.saturating_sub(MOVES) as usize).min(game.moves.len());
    let mut levels = Levels::new(game.start.clone());
    game.moves[..plies].iter().for_each(|mv| levels.play(*mv));
    let mut at = annotations.find(after_moves(plies));
    while at < index + usize::from(after) {
        let entry = &entries[at];
        match entry.kind {
            Kind::Begin if (entry.word as usize) < index => {
                at = annotations.skip(at);
                continue;
            }
            Kind::Begin => levels.begin(&game.moves[..plies]),
            Kind::Move => {
                if let Some(mv) = move_of(entry) {
                    levels.play(mv);
                }
            }
            Kind::Null => {
                levels.pass();
            }
            Kind::Word => levels.push_unplayed(),
            _ => {}
        }
        at += 1;
    }
    levels.position
}

impl<'a> Line<'a> {
    pub(crate) fn main(game: &'a Game) -> Line<'a> {
        Line { game, begin: None, ply: 0 }
    }

    /// The first move.
    pub fn first(self) -> Option<Node<'a>> {
        match self.begin {
            None => Node::main(self.game, 1),
            Some(begin) => first_move(self.game, begin + 1, self.ply + 1),
        }
    }

    /// The moves in order, each in constant time. [`Node::san`] and [`Node::position`] replay the game from its start,
    /// so calling them for every move of a line takes quadratic time: use [`Game::walk`] instead.
    pub fn nodes(self) -> impl Iterator<Item = Node<'a>> {
        successors(self.first(), |node| node.next())
    }

    /// The comments before the first move.
    pub fn comments(self) -> impl Iterator<Item = Comment<'a>> {
        let annotations = &self.game.annotations;
        let (from, to) = match self.begin {
            None => (annotations.find(MOVES), annotations.find(MOVES + 1)),
            Some(begin) => (begin + 1, annotations.entries.len()),
        };
        let first =
            |index: &usize| annotations.entries[*index].has(crate::annotations::entry::FIRST);
        items(self.game, from, to).filter(first).map(|index| Comment::at(annotations, index).0)
    }

    /// The words after the last move, which could not be played.
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        let annotations = &self.game.annotations;
        let (from, to) = match self.begin {
            None => {
                (annotations.find(after_moves(self.game.moves.len())), annotations.find(RESULT))
            }
            Some(begin) => {
                (begin + 1, annotations.entries.get(begin).map_or(0, |entry| entry.word as usize))
            }
        };
        let inside = move |index: usize| (index < to).then_some(index);
        let indices = successors(inside(from), move |&index| inside(annotations.skip(index)));
        indices.filter_map(|index| match annotations.event(index)?.0 {
            Event::Word(word) => Some(word),
            _ => None,
        })
    }
}
